"""Privacy loss distributions that others computed: those of dp-accounting, live, and Google's files of them as JSON.

A distribution of this kind bounds delta, not the tails of the loss. Its numbers come out of transforms that are rounded
to the nearest, so what is read from it is *about*. An accountant or an event says more: read that where there is one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whit.curves import from_dp_accounting
from whit.errors import InvalidInput, require
from whit.exchange.learned import Learned, OpenPoint, field_of, list_of, number_of
from whit.numerics import ULP

INTERVAL = 1e-4
"""The step of the lattice where the file states none, as the definition of the format has it."""

WHOLE = 1e-6
"""The masses may differ from 1 by so much: what is missing counts as an infinite loss."""

_POINTS = (OpenPoint.UNIT, OpenPoint.NEIGHBOURS, OpenPoint.TRANSFORMED)
_ONE = "Export the distribution again: its masses are probabilities."


def from_loss_distribution(distribution: Any) -> Learned:
    """The curve of a privacy loss distribution.

    distribution   one of dp-accounting, or the tree of Google's file, {"pessimistic_pmf": {"min_key": 0, ...}}

    >>> coin = {"min_key": -1, "values": [0.25, 0.0, 0.75], "discretization_interval": 1.0986122886681098}
    >>> print(from_loss_distribution({"pessimistic_pmf": coin}).promise.delta(0.5))
    delta is about 0.338
    """
    if not isinstance(distribution, Mapping):
        return Learned(from_dp_accounting(distribution), "PrivacyLossDistribution of dp-accounting", _POINTS)
    inside = next(name for name in ("pessimistic_pmf", "pessimisticPmf") if name in distribution)
    lattice = _lattice(distribution[inside], inside)
    return Learned(from_dp_accounting(lattice), "privacy loss distribution", (*_POINTS, OpenPoint.ORDER))


def is_loss_distribution(value: object) -> bool:
    """Whether something is a privacy loss distribution, or the tree of a file of one."""
    if isinstance(value, Mapping):
        return "pessimistic_pmf" in value or "pessimisticPmf" in value
    return type(value).__name__ == "PrivacyLossDistribution" and hasattr(value, "get_delta_for_epsilon")


@dataclass(frozen=True, eq=False)
class Lattice:
    """Losses at the multiples of one step.

    step       between two losses
    first      the number of the first of them
    masses     the probability of each
    infinity   that of an infinite loss
    """

    step: float
    first: int
    masses: NDArray[np.float64]
    infinity: float

    @cached_property
    def _beyond(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """For each loss l_i: delta(l_i), and the sum of p_j e^(l_i - l_j) from it on. Both add what is positive."""
        shrink, share = math.exp(-self.step), -math.expm1(-self.step)
        deltas, tilted = np.zeros(len(self.masses) + 1), np.zeros(len(self.masses) + 1)
        delta, weight = self.infinity, 0.0
        for place in range(len(self.masses) - 1, -1, -1):
            delta += share * weight
            weight = self.masses[place] + shrink * weight
            deltas[place], tilted[place] = delta, weight
        deltas[-1] = self.infinity
        return deltas, tilted

    def get_delta_for_epsilon(self, epsilon: Sequence[float]) -> list[float]:
        """Delta at each epsilon: of what is beyond it, the loss next to it and those further on."""
        asked = np.asarray(epsilon, dtype=np.float64)
        losses = self.step * np.arange(self.first, self.first + len(self.masses))
        place = np.searchsorted(losses, asked, side="right")
        deltas, tilted = self._beyond
        gap = np.append(losses, np.inf)[place] - asked
        slack = 1.0 + 8 * ULP * (len(self.masses) + 8)  # each step of the sums rounds a few times
        return list(np.minimum((deltas[place] + tilted[place] * -np.expm1(-gap)) * slack, 1.0).tolist())


def _lattice(tree: object, path: str) -> Lattice:
    """The losses and masses of a file."""
    step = _field(tree, "discretization_interval", INTERVAL, path)
    require(step > 0, name=f"{path}.discretization_interval", rule="must be above 0", value=step, way_out=_ONE)
    first = _field(tree, "min_key", 0, path)
    rule = "must be a whole number"
    require(first == int(first), name=f"{path}.min_key", rule=rule, value=first, way_out=_ONE)
    values = list_of(field_of(tree, "values", path), f"{path}.values")
    stated = np.array([number_of(each, f"{path}.values[{place}]") for place, each in enumerate(values)])
    infinity = _field(tree, "infinity_mass", 0.0, path)
    # Transforms leave specks below 0: at 0 they count for more.
    masses, beyond = np.maximum(stated, 0.0), max(infinity, 0.0)
    total = math.fsum([*masses, beyond])
    if not (stated.size and min(*stated, infinity) >= -WHOLE and abs(total - 1.0) <= WHOLE):
        raise InvalidInput(f"{path}.values", "must be probabilities that add up to 1", total, _ONE)
    return Lattice(step, int(first), masses, beyond + max(1.0 - total, 0.0))


def _field(tree: object, name: str, usual: float, path: str) -> float:
    """A number of the file, which a writer of JSON may spell without underscores."""
    given = tree if isinstance(tree, Mapping) else {}
    first, *others = name.split("_")
    camel = "".join([first, *(word.capitalize() for word in others)])
    return number_of(given.get(name, given.get(camel, usual)), f"{path}.{name}")
