"""The level of a test from its power, and where the power is e^epsilon times the level, by searching.

A test of level l and power y raises the odds by y/l. At power delta the largest such ratio is delta over the smallest
level that reaches it: its log is the epsilon of pbdp. At a given epsilon, delta is the power where the curve meets the
line e^epsilon l.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from whit.curves.face import Array, Face
from whit.numerics import ULP, Bracket, add_down, add_up, first_true, last_true, log1mexp, up

End = Callable[[Bracket], Array]
LOWER: End = attrgetter("lower")
MID: End = attrgetter("mid")
UPPER: End = attrgetter("upper")

# The log of a power from which on the level is found from the misses as well.
LARGE = -0.5
# The smallest log of a level that is looked at; below it the power of a test is 0 for all purposes.
LOWEST = -1e300


def searched_level(face: Face, powers: Array) -> Bracket:
    """Log of the smallest level at which the power reaches each power, given by its log; -inf where level 0 does."""
    lowest = _smallest_level(face, powers, UPPER, None)
    middle = _smallest_level(face, powers, MID, lowest)
    highest = _smallest_level(face, powers, LOWER, middle)
    searched = Bracket(np.minimum(lowest, highest), middle, np.maximum(lowest, highest))
    return closest(searched, level_by_misses(face, powers))


def level_by_misses(face: Face, log_powers: Array) -> Bracket:
    """Log of the level by the test that says the opposite, in the other order: of level 1 - power and power 1 - level.

    It keeps its digits where the level is not small; where the power is small, it is not asked for.
    """
    large = log_powers > LARGE
    misses = log1mexp(np.where(large, log_powers, -1.0))
    hair = 8 * ULP * (1 + np.where(np.isfinite(misses), np.abs(misses), 0.0))
    around = np.minimum(np.stack([misses - hair, misses, misses + hair]), 0.0)
    hits = face.reverse().log_power(around)
    ends = [log1mexp(np.minimum(end, 0.0)) for end in (hits.upper[2], hits.mid[1], hits.lower[0])]
    errors = [8 * ULP * (1 + np.where(np.isfinite(end), np.abs(end), 0.0)) for end in ends]
    lower = np.where(large, ends[0] - errors[0], -np.inf)
    upper = np.where(large, np.minimum(ends[2] + errors[2], 0.0), 0.0)
    return Bracket(lower, np.where(large, ends[1], -np.inf), upper)


def closest(one: Bracket, other: Bracket) -> Bracket:
    """What two brackets of one number leave; the first alone where rounding lets them miss each other."""
    lower, upper = np.maximum(one.lower, other.lower), np.minimum(one.upper, other.upper)
    crossed = lower > upper
    return Bracket(np.where(crossed, one.lower, lower), one.mid, np.where(crossed, one.upper, upper))


def searched_crossing(face: Face, epsilons: Array) -> Bracket:
    """Log of the largest power that is at least e^epsilon times its level."""
    nothing = np.full(epsilons.shape, LOWEST)
    last = _last_level_above(face, epsilons, UPPER, nothing, np.zeros(epsilons.shape))
    # The others lie close by on the left; far out the rounding of a power exceeds its distance from the line.
    close = np.maximum(2 * last - 1.0, LOWEST)
    ends = [(LOWER, _last_level_above(face, epsilons, LOWER, close, last), close)]
    ends += [(MID, _last_level_above(face, epsilons, MID, close, last), close), (UPPER, last, nothing)]
    return Bracket(*(_met(face, epsilons, *each) for each in ends))


def _smallest_level(face: Face, log_powers: Array, end: End, near: Array | None) -> Array:
    """Log of the smallest level, looked for near one that is known."""
    at_zero = end(face.log_power(np.full(log_powers.shape, -np.inf))) >= log_powers
    low, high = np.full(log_powers.shape, LOWEST), np.zeros(log_powers.shape)
    start = None if near is None else np.maximum(near, LOWEST)
    found = first_true(lambda levels: end(face.log_power(levels)) >= log_powers, low, high, start)
    return np.where(at_zero, -np.inf, found)


def _last_level_above(face: Face, epsilons: Array, end: End, low: Array, high: Array) -> Array:
    """Log of the largest level at which the power is at least e^epsilon times the level; low where there is none."""

    def above(levels: Array) -> NDArray[np.bool_]:
        return (end(face.log_power(levels)) >= add_down(levels, epsilons)) | (levels <= low)

    return last_true(above, low, high)


def _met(face: Face, epsilons: Array, end: End, last: Array, low: Array) -> Array:
    """Log of the power that is met, at the most up to the next level; what level 0 has where nothing is met."""
    met = add_up(up(last), epsilons) if end is UPPER else add_down(last, epsilons)
    at_zero = end(face.log_power(np.full(epsilons.shape, -np.inf)))
    return np.where(last <= low, at_zero, np.minimum(met, 0.0))
