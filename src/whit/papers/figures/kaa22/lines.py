"""What several figures draw: the lines of the paper, the exact noise, and bounds for any noise with the same rho."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.numerics import add_down, add_up
from whit.papers.kaa22.noise import exposure
from whit.plans import census_2020
from whit.theory import Finding

Array: TypeAlias = NDArray[np.float64]
Line: TypeAlias = tuple[ArrayLike, ArrayLike | Finding]

AS_PRINTED = "As the paper has it"
ADDED = "What whit adds"

ANY_NOISE = "any noise with this rho"
SHARPER = "any noise, sharper bound"
ITSELF = "the discrete noise itself"
UNPROCESSED = "the same without processing"
UPPER, LOWER = "at most", "at least"

_ENDS = [0.01, 3e-3, 1e-3, 1e-4, 1e-6, 1e-8], [1.0, 0.9999, 0.999, 0.995, 0.99]
_DELTAS = np.concatenate([_ENDS[1], np.linspace(0.98, 0.02, 25), _ENDS[0]])


def printed(number: int, at: Array, names: Mapping[str, str] | None = None) -> dict[str, Line]:
    """The lines of a figure at the rho that is printed, some of them under other names."""
    found = [each for each in census_2020.figure(number, at) if each.printed]
    return {(names or {}).get(each.label, each.label): (at, each.values.value) for each in found}


@cache
def noise_itself(concern: str) -> Line:
    """The curve of pbdp of the discrete Gaussian noise, exactly composed: to each delta the epsilon, rounded up."""
    found = exposure(concern).release.bounded_epsilon(_DELTAS)
    return np.asarray(found.value), _DELTAS


def difference(one: Finding, other: Finding) -> tuple[Array, Array]:
    """Bounds on one answer minus another, in billionths: at least and at most."""
    lower = add_down(np.asarray(one.lower), -np.asarray(other.value))
    upper = add_up(np.asarray(one.value), -np.asarray(other.lower))
    return np.nextafter(lower * 1e9, -np.inf), np.nextafter(upper * 1e9, np.inf)
