"""Searches that try many points at once: an array of them costs hardly more than a single one.

As in whit.numerics.monotone the search is over the doubles themselves and ends at two neighbours. The predicate is
asked with an extra first axis.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from whit.curves import Array
from whit.numerics import doubles, ordinals

Holds = Callable[[Array], NDArray[np.bool_]]
"""Elementwise and broadcasting: true or false for each point, along any number of axes in front."""

Positions = NDArray[np.int64]
"""Doubles by their place in the order of all of them."""

# So many points are tried at once while they are few.
MOST_AT_ONCE = 63
FEW = 1024
# How far from an earlier answer the next one is looked for first, in doubles.
AROUND = np.array([-(2**k) for k in range(56, 0, -4)] + [0] + [2**k for k in range(1, 57, 4)])


def last_true(holds: Holds, low: Array, high: Array, near: Array | None = None) -> Array:
    """The largest double from low to high at which a predicate holds that holds up to some point and not beyond.

    It is taken to hold at low, and low and high lie on one side of zero. Points are tried first at growing distances
    from the one that is given, then at equal ones.

    >>> float(last_true(lambda x: x * x <= 2.0, np.array(0.0), np.array(10.0)))
    1.414213562373095
    """
    holding, failing = ordinals(low + 0.0), ordinals(high + 0.0)
    holding = np.where(holds(high), failing, holding)
    points = int(np.clip(FEW // max(holding.size, 1), 1, MOST_AT_ONCE))
    steps = np.arange(1, points + 1).reshape(-1, *([1] * holding.ndim))
    if near is not None:
        around = np.clip(ordinals(near) + AROUND.reshape(-1, *([1] * holding.ndim)), holding, failing)
        holding, failing = _closer(holds, around, holding, failing)
    while np.any(failing - holding > 1):
        # No search crosses zero, so that the distance is a whole number that fits.
        stride = np.maximum(-((holding - failing) // (points + 1)), 1)
        holding, failing = _closer(holds, np.minimum(holding + stride * steps, failing), holding, failing)
    return doubles(holding)


def first_true(holds: Holds, low: Array, high: Array, near: Array | None = None) -> Array:
    """The smallest double from low to high at which a predicate holds that fails below some point and holds above.

    It is taken to hold at high.
    """
    minus_near = None if near is None else 0.0 - near
    return np.asarray(0.0 - last_true(lambda x: holds(0.0 - x), 0.0 - high, 0.0 - low, minus_near))


def _closer(holds: Holds, tried: Positions, holding: Positions, failing: Positions) -> tuple[Positions, Positions]:
    """The last point that holds before one that does not, and the next one; the points tried are in order."""
    good = np.logical_and.accumulate((tried <= holding) | (holds(doubles(tried)) & (tried < failing)), axis=0)
    found = np.max(np.where(good, tried, holding), axis=0)
    return found, np.min(np.where(good, failing, np.maximum(tried, found)), axis=0)
