"""The places along an axis at which a picture is drawn."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import require
from whit.numerics import real_array

Array = NDArray[np.float64]


def places(name: str, given: ArrayLike, low: float, high: float) -> Array:
    """The numbers in increasing order, each once; at least two, since a line has two ends.

    >>> places("levels", [0.5, 0.1, 0.5], 0.0, 1.0).tolist()
    [0.1, 0.5]
    """
    way_out = f"Give at least two numbers from {low:g} to {high:g}."
    found = np.unique(np.ravel(real_array(name, given, way_out)))
    inside = found.size >= 2 and bool(np.all(np.isfinite(found) & (found >= low) & (found <= high)))
    rule = f"must be at least two numbers from {low:g} to {high:g}"
    require(inside, name=name, rule=rule, value=given, way_out=way_out)
    return found


def nearest(at: Array, wanted: float) -> int:
    """The place of the number that is nearest to the one wanted."""
    return int(np.argmin(np.abs(at - wanted)))


def chosen(at: Array, wanted: Iterable[float]) -> tuple[int, ...]:
    """The places of the numbers nearest to those wanted, each once."""
    return tuple(dict.fromkeys(nearest(at, number) for number in wanted))
