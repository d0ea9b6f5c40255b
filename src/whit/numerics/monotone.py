"""Inversion of monotone predicates by bisection over the doubles themselves.

The doubles in order are numbered by whole numbers, their ordinals. Bisecting ordinals needs at most 64 steps from any
number to any other, across zero, denormals and infinity, and ends at two adjacent doubles: there is no tolerance to
choose. The answer is always a double at which the predicate has been seen to hold, next to one (on the other side) at
which it has been seen to fail, also if the predicate is not quite monotone in its last digits.

`last_true` and `first_true` try many points at once, along an extra first axis of the predicate: where an array costs
hardly more than a number, they need fewer calls.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import InvalidInput, Unreachable, require

Array = NDArray[np.float64]
Predicate = Callable[[Array], ArrayLike]
"""Elementwise: takes a float64 array (0-d if both ends are numbers), returns true or false for each element."""

Holds = Callable[[Array], NDArray[np.bool_]]
"""Elementwise and broadcasting: true or false for each point, along any number of axes in front."""

Positions = NDArray[np.int64]
"""Doubles by their place in the order of all of them."""

# So many points are tried at once while they are few.
MOST_AT_ONCE = 63
FEW = 1024
# How far from an earlier answer the next one is looked for first, in doubles.
AROUND = np.array([-(2**k) for k in range(56, 0, -4)] + [0] + [2**k for k in range(1, 57, 4)])

_LOWEST = np.int64(-(2**63))
_WAY_OUT = "Widen the range, or ask for less."


def smallest_true(
    predicate: Predicate, low: ArrayLike, high: ArrayLike, *, name: str = "the parameter", way_out: str = _WAY_OUT
) -> Array:
    """The smallest double in [low, high] at which a predicate holds that fails below some point and holds above it.

    Raise Unreachable if it fails at high. The ends broadcast; the answer has their shape.

    >>> float(smallest_true(lambda x: x * x >= 2.0, 0.0, 10.0))
    1.4142135623730951
    """
    bottom, top = _ends(low, high)
    if not _holds(predicate, top).all():
        raise _unreachable(name, bottom, top, way_out)
    return _bisect(predicate, bottom, top)


def largest_true(
    predicate: Predicate, low: ArrayLike, high: ArrayLike, *, name: str = "the parameter", way_out: str = _WAY_OUT
) -> Array:
    """The largest double in [low, high] at which a predicate holds that holds below some point and fails above it.

    Raise Unreachable if it fails at low. The ends broadcast; the answer has their shape.

    >>> float(largest_true(lambda x: x * x <= 2.0, 0.0, 10.0))
    1.414213562373095
    """
    bottom, top = _ends(low, high)
    if not _holds(predicate, bottom).all():
        raise _unreachable(name, bottom, top, way_out)
    return _negative(_bisect(lambda x: predicate(_negative(x)), -top, -bottom))


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


def ordinals(x: ArrayLike) -> NDArray[np.int64]:
    """The position of each double in the order of all doubles: 0 for both zeros, 1 for the smallest above them.

    >>> int(ordinals(5e-324))
    1
    """
    bits = np.asarray(x, dtype=np.float64).view(np.int64)
    return np.where(bits >= 0, bits, _LOWEST - np.minimum(bits, 0))


def doubles(positions: ArrayLike) -> Array:
    """The doubles at these positions: the inverse of `ordinals`."""
    order = np.asarray(positions, dtype=np.int64)
    return np.where(order >= 0, order, _LOWEST - np.minimum(order, 0)).view(np.float64)


def distinct(values: ArrayLike) -> Array:
    """The numbers in increasing order, each once.

    As np.unique has it, which loads the masked arrays of numpy: a fifth of the time of a whole command.

    >>> distinct([2.0, 0.5, 2.0]).tolist()
    [0.5, 2.0]
    """
    found = np.sort(np.asarray(values, dtype=np.float64), axis=None)
    first = np.ones(found.shape, dtype=bool)
    first[1:] = found[1:] != found[:-1]
    return found[first]


def _bisect(predicate: Predicate, bottom: Array, top: Array) -> Array:
    """The smallest double at which the predicate holds, which holds at the top."""
    failing = ordinals(bottom)
    holding = np.where(_holds(predicate, bottom), failing, ordinals(top))
    while np.any(holding > failing + 1):
        middle = (failing >> 1) + (holding >> 1) + (failing & holding & 1)  # the sum itself would overflow
        holds = _holds(predicate, doubles(middle))
        failing, holding = np.where(holds, failing, middle), np.where(holds, middle, holding)
    return doubles(holding)


def _unreachable(name: str, bottom: Array, top: Array, way_out: str) -> Unreachable:
    """The error about a range in which the predicate holds nowhere, for one element at least."""
    span = f"none from {np.min(bottom)!s} to {np.max(top)!s}"
    return Unreachable(name, "must have a value in its range that does what is asked", span, way_out)


def _ends(low: ArrayLike, high: ArrayLike) -> tuple[Array, Array]:
    """The two ends in one shape, in order, without nan."""
    bottom, top = np.broadcast_arrays(np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64))
    rule = "must be numbers in increasing order"
    require(bool(np.all(bottom <= top)), name="low and high", rule=rule, value=(low, high), way_out="Exchange them.")
    return np.asarray(bottom + 0.0), np.asarray(top + 0.0)  # -0.0 + 0.0 is 0.0


def _holds(predicate: Predicate, x: Array) -> NDArray[np.bool_]:
    """The predicate at x as an array of the shape of x."""
    holds = np.asarray(predicate(x))
    if holds.dtype != np.bool_ or holds.shape != x.shape:
        rule = f"must return one true or false for each of its arguments, which have shape {x.shape}"
        found = f"{holds.dtype} of shape {holds.shape}"
        raise InvalidInput("predicate", rule, found, "Broadcast low or high to the shape of the answer.")
    return holds


def _negative(x: Array) -> Array:
    """-x, with one zero only: a predicate is never shown -0.0."""
    return np.asarray(0.0 - x)


def _closer(holds: Holds, tried: Positions, holding: Positions, failing: Positions) -> tuple[Positions, Positions]:
    """The last point that holds before one that does not, and the next one; the points tried are in order."""
    good = np.logical_and.accumulate((tried <= holding) | (holds(doubles(tried)) & (tried < failing)), axis=0)
    found = np.max(np.where(good, tried, holding), axis=0)
    return found, np.min(np.where(good, failing, np.maximum(tried, found)), axis=0)
