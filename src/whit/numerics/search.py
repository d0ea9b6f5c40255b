"""The search kit: where a monotone predicate turns, and how far a check holds.

`smallest_true`, `largest_true`, `first_true` and `last_true` invert monotone predicates by bisection over the doubles
themselves. The doubles in order are numbered by whole numbers, their ordinals. Bisecting ordinals needs at most 64
steps from any number to any other, across zero, denormals and infinity, and ends at two adjacent doubles: there is no
tolerance to choose. The answer is always a double at which the predicate has been seen to hold, next to one (on the
other side) at which it has been seen to fail, also if the predicate is not quite monotone in its last digits.
`last_true` and `first_true` try many points at once, along an extra first axis of the predicate: where an array costs
hardly more than a number, they need fewer calls.

`furthest` goes along a margin to the number that goes furthest while a check holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import InvalidInput, Unreachable, require
from whit.numerics.rounding import Array, doubles, ordinals

Predicate = Callable[[Array], ArrayLike]
"""Elementwise: takes a float64 array (0-d if both ends are numbers), returns true or false for each element."""

Holds = Callable[[Array], NDArray[np.bool_]]
"""Elementwise and broadcasting: true or false for each point, along any number of axes in front."""

Positions = NDArray[np.int64]
"""Doubles by their place in the order of all of them."""

Margin = Callable[[float], float]
Check = Callable[[float], bool]

Place = tuple[float, float]
Refine = Callable[[Margin, Place, Place, float], float]
"""A place in the search, and the margin there."""

PRECISION = 1e-14
"""The search ends when the number is known to this share of itself."""

REACH = 1e20
"""How many times further, and how many times less far, than the start a search looks."""

# So many points are tried at once, however many searches there are: else an answer would depend on what else is asked.
AT_ONCE = 15
# How far from an earlier answer the next one is looked for first, in doubles.
AROUND = np.array([-(2**k) for k in range(56, 0, -4)] + [0] + [2**k for k in range(1, 57, 4)])
_WAY_OUT = "Widen the range, or ask for less."
_NEAREST, _FURTHEST = 1e-300, 1e300
_STEPS = 200
# After so many steps regula falsi is no quicker than halving.
_PATIENCE = 12
_RETREATS = 20


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
    steps = np.arange(1, AT_ONCE + 1).reshape(-1, *([1] * holding.ndim))
    if near is not None:
        around = np.clip(ordinals(near) + AROUND.reshape(-1, *([1] * holding.ndim)), holding, failing)
        holding, failing = _closer(holds, around, holding, failing)
    while np.any(failing - holding > 1):
        # No search crosses zero, so that the distance is a whole number that fits.
        stride = np.maximum(-((holding - failing) // (AT_ONCE + 1)), 1)
        holding, failing = _closer(holds, np.minimum(holding + stride * steps, failing), holding, failing)
    return doubles(holding)


def first_true(holds: Holds, low: Array, high: Array, near: Array | None = None) -> Array:
    """The smallest double from low to high at which a predicate holds that fails below some point and holds above.

    It is taken to hold at high.
    """
    minus_near = None if near is None else 0.0 - near
    return np.asarray(0.0 - last_true(lambda x: holds(0.0 - x), 0.0 - high, 0.0 - low, minus_near))


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


def furthest(
    margin: Margin,
    check: Check,
    *,
    rising: bool,
    start: float = 1.0,
    precision: float = PRECISION,
    reach: float = REACH,
) -> float | None:
    """The number that goes furthest among those at which a check holds; it has been seen to hold there.

    Furthest is largest if rising, smallest if not. If the check holds as far as the search looks, the end of the search
    is the answer: that it holds further is not proved. None if it holds nowhere within the reach.

    Args:
        margin: at least 0 where the check is expected to hold, below 0 where not; falls as the number goes further.
        check: what must hold.
        rising: whether a larger number goes further.
        start: where to begin: the number itself, or its inverse if smaller numbers go further.
        precision: the share of itself to which the number is to be known.
        reach: how many times further or less far than the start it looks.

    >>> round(furthest(lambda x: x * x - 2.0, lambda x: x * x >= 2.0, rising=False), 9)
    1.414213562
    """
    return _checked(margin, check, _narrow, rising, start, reach, near=precision, hair=PRECISION / 4)


def guided(
    guide: Margin, check: Check, *, rising: bool, start: float = 1.0, near: float = 1e-5, reach: float = REACH
) -> float | None:
    """A number near the one that goes furthest among those at which a check holds; it has been seen to hold there.

    For a check that takes long, with a quick estimate of its margin as a guide. The check is asked where the margin is
    as near to 0 as is said, and a little before that where it does not hold; all else is as in `furthest`.

    >>> round(guided(lambda x: x * x - 2.0, lambda x: x * x >= 2.0, rising=False), 4)
    1.4142
    """
    return _checked(guide, check, _crossing, rising, start, reach, near=near, hair=near / 4)


def _checked(
    margin: Margin, check: Check, refine: Refine, rising: bool, start: float, reach: float, *, near: float, hair: float
) -> float | None:
    """The place at which the margin has no room left, or one before it at which the check is seen to hold."""

    def number(place: float) -> float:
        return place if rising else 1 / place

    first = min(max(start, _NEAREST), _FURTHEST)
    ends = max(first / reach, _NEAREST), min(first * reach, _FURTHEST)
    last = _last(lambda place: margin(number(place)), first, ends, near, refine)
    if last is None:
        return None
    safe = _retreat(lambda place: check(number(place)), last, hair)
    if safe is None:  # the margin was far too bold: look again, with what must hold itself
        safe = _last(lambda place: 1.0 if check(number(place)) else -1.0, last, ends, near, _narrow)
    return None if safe is None else number(safe)


def _crossing(left: Margin, kept: Place, broken: Place, near: float) -> float:
    """About where the margin is 0: by regula falsi with halved weights, in logarithms of the place."""
    weights, side = [kept[1], broken[1]], 0
    for step in range(_STEPS):
        low, high = math.log(kept[0]), math.log(broken[0])
        share = weights[0] / (weights[0] - weights[1]) if all(map(math.isfinite, weights)) and step < _PATIENCE else 0.5
        middle = math.exp(low + (high - low) * share)
        room = left(middle)
        if abs(room) <= near or not kept[0] < middle < broken[0] or high - low <= near / 4:
            return middle if kept[0] <= middle <= broken[0] else kept[0]
        if room > 0.0:
            kept, weights = (middle, room), [room, weights[1] / 2 if side == 1 else weights[1]]
            side = 1
        else:
            broken, weights = (middle, room), [weights[0] / 2 if side == -1 else weights[0], room]
            side = -1
    return kept[0]


def _last(left: Margin, first: float, ends: tuple[float, float], near: float, refine: Refine) -> float | None:
    """The last place with room between the ends; None if there is none."""
    kept, broken = _enclose(left, first, ends)
    if kept is None or broken is None:
        return None if kept is None else kept[0]
    return refine(left, kept, broken, near)


def _enclose(left: Margin, start: float, ends: tuple[float, float]) -> tuple[Place | None, Place | None]:
    """A place with room and one further without, not far apart; None where no place up to the end is without room."""
    here, step = (start, left(start)), 2.0
    if here[1] >= 0.0:
        while here[0] < ends[1]:
            further = min(here[0] * step, ends[1])
            there = (further, left(further))
            if there[1] < 0.0:
                return here, there
            here, step = there, step * step
        return here, None
    while here[0] > ends[0]:
        nearer = max(here[0] / step, ends[0])
        there = (nearer, left(nearer))
        if there[1] >= 0.0:
            return there, here
        here, step = there, step * step
    return None, here


def _narrow(left: Margin, kept: Place, broken: Place, precision: float) -> float:
    """The last place with room, by regula falsi with halved weights, and by halving where that does not help."""
    weights, side = [kept[1], broken[1]], 0
    for step in range(_STEPS):
        low, high = kept[0], broken[0]
        if high - low <= precision * low:
            break
        middle = _between(low, high, weights, halve=step % 3 == 2)
        if not low < middle < high:
            break
        room = left(middle)
        if room >= 0.0:
            kept, weights = (middle, room), [room, weights[1] / 2 if side == 1 else weights[1]]
            side = 1
        else:
            broken, weights = (middle, room), [weights[0] / 2 if side == -1 else weights[0], room]
            side = -1
    return kept[0]


def _between(low: float, high: float, weights: list[float], *, halve: bool) -> float:
    """The next place to try: by regula falsi, else the middle, of the logarithms while high > 2 low."""
    middle = math.sqrt(low) * math.sqrt(high) if high > 2 * low else low + (high - low) / 2
    if halve or not all(map(math.isfinite, weights)) or weights[0] <= weights[1]:
        return middle
    share = weights[0] / (weights[0] - weights[1])
    edge = PRECISION / 4 * low / (high - low)
    return low + (high - low) * min(max(share, edge), 1 - edge)


def _retreat(check: Check, place: float, hair: float) -> float | None:
    """The place, moved back by a hair and then further where the check finds that the margin was too bold."""
    for _ in range(_RETREATS):
        if check(place):
            return place
        place, hair = place * (1 - hair), min(hair * 16, 0.5)
    return None
