"""A trade-off function given as a Python function, bounded from outside by its own convexity.

The power 1 - f is concave. Between two levels at which it is known it lies below the continuation of the chord on the
left and of the chord on the right, hence below the point where the two meet.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from whit.curves import Array, TradeOff
from whit.errors import require
from whit.numerics import distinct, probability

_WAY_OUT = "Pass a convex function that falls to 0 at level 1 and is never above 1 - level."

# Where the function is read: evenly in the middle, and evenly in the logarithm towards both ends.
_NEAR_AN_END = 0.5 * np.exp(-np.linspace(0.0, 27.0, 240))
LEVELS = distinct(np.concatenate([_NEAR_AN_END, 1.0 - _NEAR_AN_END, np.linspace(0.0, 1.0, 201)]))
# What rounding may do to a value of the function: this much is added, and what is wrong by more is refused.
ABSOLUTE = 2.0**-48
RELATIVE = 1e-12
TOLERANCE = 1e-9


def outer_tradeoff(function: Callable[[float], float]) -> TradeOff:
    """A trade-off function whose power is nowhere below that of the given one.

    >>> line = outer_tradeoff(lambda level: 1.0 - level)
    >>> round(float(np.exp(line.log_power(np.log(0.25)).upper)), 9)
    0.25
    """
    powers = np.array(
        [1.0 - probability("a value of the trade-off function", function(x), _WAY_OUT) for x in LEVELS.tolist()]
    )
    _require_tradeoff(powers)
    meetings, heights = _meeting_points(powers)
    raised = np.append(powers, heights) * (1 + RELATIVE) + ABSOLUTE
    return TradeOff.through(*_cut_at_one(np.append(LEVELS, meetings), raised))


def _cut_at_one(levels: Array, powers: Array) -> tuple[Array, Array]:
    """The line through the points as far as it lies below 1, and the level at which it reaches 1.

    That level counts as well: with the two datasets exchanged, what it lacks to 1 is an infinite loss.
    """
    order = np.argsort(levels, kind="stable")
    x, y = levels[order], powers[order]
    first = int(np.argmax(y >= 1.0))
    if y[first] < 1.0 or first == 0:
        return x, np.minimum(y, 1.0)
    before = first - 1
    reached = x[before] + (x[first] - x[before]) * ((1.0 - y[before]) / (y[first] - y[before]))
    return np.append(x, reached), np.append(np.minimum(y, 1.0), 1.0)


def _meeting_points(powers: Array) -> tuple[Array, Array]:
    """For each interval the point where the chords on its two sides meet; at the ends there is one chord only."""
    slopes = np.diff(powers) / np.diff(LEVELS)
    left, right = slopes[:-2], slopes[2:]
    start, stop = LEVELS[1:-2], LEVELS[2:-1]
    bend = np.maximum(left - right, 0.0)
    rise = powers[2:-1] - powers[1:-2] - right * (stop - start)
    share = np.where(bend > 0.0, rise / np.where(bend > 0.0, bend, 1.0), 0.0)
    meetings = np.clip(start + share, start, stop)
    heights = powers[1:-2] + left * (meetings - start)
    first = powers[1] - slopes[1] * LEVELS[1]
    last = powers[-2] + slopes[-2] * (1.0 - LEVELS[-2])
    return np.concatenate([[0.0], meetings, [1.0]]), np.concatenate([[max(first, 0.0)], heights, [last]])


def _require_tradeoff(powers: Array) -> None:
    hull = np.exp(TradeOff.through(LEVELS, powers).log_power(np.log(LEVELS[1:])).mid)
    for holds, rule in (
        (powers[-1] >= 1.0 - TOLERANCE, "must be 0 at level 1"),
        (np.all(powers >= LEVELS - TOLERANCE), "must be at most 1 - level"),
        (np.all(np.diff(powers) >= -TOLERANCE), "must not rise with the level"),
        (np.all(hull <= powers[1:] + TOLERANCE), "must be convex"),
    ):
        require(bool(holds), name="a trade-off function", rule=rule, value="one that does not", way_out=_WAY_OUT)
