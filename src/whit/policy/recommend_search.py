"""The search for a parameter: along a margin that is at least 0 where the requirement is kept; checked at the end."""

from __future__ import annotations

import math
from collections.abc import Callable

Margin = Callable[[float], float]
Check = Callable[[float], bool]

PRECISION = 1e-12
"""The search ends when the parameter is known to this share of itself."""

MOST = 1e4
"""If a requirement is kept with so large an epsilon, or so small a sigma, it is kept with any."""

LEAST = 1e-12
"""The smallest epsilon, and the inverse of the largest sigma, that is tried."""

_STEPS = 200
_RETREATS = 30


def boldest(
    margin: Margin, check: Check, *, rising: bool, start: float = 1.0, precision: float = PRECISION
) -> float | None:
    """The parameter that goes furthest among those at which the check holds; it has been seen to hold there.

    Furthest is largest if rising, smallest if not. Infinite, or 0, if it holds however far; None if it holds nowhere.

    Args:
        margin: at least 0 where the check is expected to hold, below 0 where not; falls as the parameter goes further.
        check: what must hold.
        rising: whether a larger parameter goes further.
        start: where to begin, as a parameter that rises.
        precision: the share of itself to which the parameter is to be known.

    >>> round(boldest(lambda x: x * x - 2.0, lambda x: x * x >= 2.0, rising=False), 9)
    1.414213562
    """

    def left(told: float) -> float:
        return margin(_parameter(told, rising))

    kept, broken = _enclosed(left, min(max(start, LEAST), MOST))
    if math.isinf(broken[0]):
        return math.inf if rising else 0.0
    if kept[0] == 0.0:
        return None
    return _checked(check, _narrowed(left, kept, broken, precision), rising)


Place = tuple[float, float]
"""A place in the search, and the margin there."""


def _enclosed(left: Margin, start: float) -> tuple[Place, Place]:
    """A place with room and one further without, not far apart; 0 or infinity where there is no such place."""
    here, step = (start, left(start)), 2.0
    if here[1] >= 0.0:
        while here[0] < MOST:
            further = min(here[0] * step, MOST)
            there = (further, left(further))
            if there[1] < 0.0:
                return here, there
            here, step = there, step * step
        return here, (math.inf, -math.inf)
    while here[0] > LEAST:
        nearer = max(here[0] / step, LEAST)
        there = (nearer, left(nearer))
        if there[1] >= 0.0:
            return there, here
        here, step = there, step * step
    return (0.0, math.inf), here


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
    """Where the margin may be 0, and if that cannot be told the middle: of the logarithms while the ends are apart."""
    middle = math.sqrt(low) * math.sqrt(high) if high > 2 * low else low + (high - low) / 2
    if halve or not all(map(math.isfinite, weights)) or weights[0] <= weights[1]:
        return middle
    share = weights[0] / (weights[0] - weights[1])
    edge = PRECISION / 4 * low / (high - low)
    return low + (high - low) * min(max(share, edge), 1 - edge)


def _checked(check: Check, told: float, rising: bool) -> float | None:
    """The parameter, moved back by a hair and then further where the check finds that the margin was too bold."""
    hair = PRECISION / 4
    for _ in range(_RETREATS):
        if check(_parameter(told, rising)):
            return _parameter(told, rising)
        told, hair = told * (1 - hair), min(hair * 16, 0.5)
    return None


def _parameter(told: float, rising: bool) -> float:
    """The parameter at a place in the search: the place itself, or its inverse."""
    return told if rising else 1 / told
