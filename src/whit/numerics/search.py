"""The number that goes furthest among those at which a check holds: along a margin, and seen to hold at the end."""

from __future__ import annotations

import math
from collections.abc import Callable

Margin = Callable[[float], float]
Check = Callable[[float], bool]

PRECISION = 1e-14
"""The search ends when the number is known to this share of itself."""

REACH = 1e20
"""How many times further, and how many times less far, than the start a search looks."""

_NEAREST, _FURTHEST = 1e-300, 1e300
_STEPS = 200
_RETREATS = 20


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

    def number(place: float) -> float:
        return place if rising else 1 / place

    first = min(max(start, _NEAREST), _FURTHEST)
    ends = max(first / reach, _NEAREST), min(first * reach, _FURTHEST)
    last = _last(lambda place: margin(number(place)), first, ends, precision)
    if last is None:
        return None
    safe = _retreated(lambda place: check(number(place)), last)
    if safe is None:  # the margin was far too bold: look again, with what must hold itself
        safe = _last(lambda place: 1.0 if check(number(place)) else -1.0, last, ends, precision)
    return None if safe is None else number(safe)


def _last(left: Margin, first: float, ends: tuple[float, float], precision: float) -> float | None:
    """The last place with room between the ends; None if there is none."""
    kept, broken = _enclosed(left, first, ends)
    if kept is None or broken is None:
        return None if kept is None else kept[0]
    return _narrowed(left, kept, broken, precision)


Place = tuple[float, float]
"""A place in the search, and the margin there."""


def _enclosed(left: Margin, start: float, ends: tuple[float, float]) -> tuple[Place | None, Place | None]:
    """A place with room and one further without, not far apart; None where there is no such place up to the end."""
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


def _narrowed(left: Margin, kept: Place, broken: Place, precision: float) -> float:
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


def _retreated(check: Check, place: float) -> float | None:
    """The place, moved back by a hair and then further where the check finds that the margin was too bold."""
    hair = PRECISION / 4
    for _ in range(_RETREATS):
        if check(place):
            return place
        place, hair = place * (1 - hair), min(hair * 16, 0.5)
    return None
