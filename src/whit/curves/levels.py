"""The level of a test from its power, and where the power is e^epsilon times the level.

A test of level l and power y raises the odds by y/l. At power delta the largest such ratio is delta over the smallest
level that reaches it: its log is the epsilon of pbdp. At a given epsilon, delta is the power where the curve meets the
line e^epsilon l.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from whit.curves import contour
from whit.curves.face import Array, Face, log_tail_bound
from whit.curves.numerical import ComposedLoss
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


# The thresholds that are looked at first; then again and again around the best one.
_FAR = np.geomspace(1e-4, 2e4, 48)
_FIRST = np.concatenate([-_FAR[::-1], [0.0], _FAR])
_POINTS = 41
_ESTIMATES = 12
_ZOOMS = 9
# Within so many standard deviations of the truth an estimate leads.
_NEAR = 0.5
# Bounds this close together, in units of the width of the profile, are close enough.
_ENOUGH = 8.0
# Twenty or so roundings of numbers of size 1, and of their differences: e^(D - y), e^(t - t0), slopes, extensions.
DIFFERENCES = 64 * ULP
# How far below its bound a power is tried, in logs.
_BELOW = np.array([1e-12, 1e-10, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0])


def log_level_by_profile(face: ComposedLoss, log_powers: Array) -> Bracket:
    """Log of the smallest level at which the power of a composition, in this order, reaches each power."""
    found = [_log_level(face, float(each)) for each in log_powers.ravel()]
    ends = (np.array([each[side] for each in found]).reshape(log_powers.shape) for side in range(3))
    return closest(Bracket(*ends), level_by_misses(face, log_powers))


def log_crossing_by_profile(face: ComposedLoss, epsilons: Array) -> Bracket:
    """Log of the largest power that is e^epsilon times its level: from above by the profile, from below by a test.

    A power is reached on the ray if the power at its level is certainly as large; so some are tried below the bound.
    """
    eps = np.asarray(epsilons, dtype=np.float64)
    upper = np.where(eps <= 0.0, 0.0, np.minimum(log_tail_bound(face, eps), 0.0))
    tried = upper[..., None] - _BELOW
    finite = np.isfinite(tried) & (eps > 0.0)[..., None]
    levels = np.where(finite, tried - np.where(finite, eps[..., None], 0.0), -1.0)
    reached = finite & (face.log_power(levels).lower >= tried)
    lower = np.where(eps <= 0.0, 0.0, np.max(np.where(reached, tried, face.log_infinity), axis=-1))
    lower = np.minimum(lower, upper)
    return Bracket(lower, (lower + upper) / 2 if np.all(np.isfinite(lower)) else upper, upper)


def _log_level(face: ComposedLoss, log_power: float) -> tuple[float, float, float]:
    """Bounds on the log of the level of one power; never more than the power itself, which guessing has."""
    if log_power <= face.log_infinity:
        return -np.inf, -np.inf, -np.inf
    low, high = _window(face, log_power)
    lowest, middle, highest = -np.inf, -np.inf, log_power
    for _ in range(_ZOOMS):
        t = np.linspace(low, high, _POINTS)
        delta = face.log_delta(t)
        levels = _log_level_at(delta.mid, t, log_power)
        # The profile falls: where it is nowhere below the power, it is so further to the right.
        best = int(np.argmax(levels)) if np.isfinite(levels).any() else _POINTS - 1
        error = 16 * ULP * (4 + abs(t[best]) + abs(log_power))
        lowest = max(lowest, float(np.max(_log_level_at(delta.upper, t, log_power))) - error)
        highest = min(highest, _from_chords(t, delta, log_power, best) + error)
        middle = max(middle, float(levels[best]))
        if highest - lowest <= _ENOUGH * face.relative_width:
            break
        # Where the largest is at an end of the window, a larger one may lie beyond it.
        before = float(t[best - 1]) if best > 0 else 2 * low - high
        low, high = before, float(t[best + 1]) if best < _POINTS - 1 else 2 * high - low
    return min(lowest, highest), min(max(middle, lowest), highest), highest


def _window(face: ComposedLoss, log_power: float) -> tuple[float, float]:
    """Where (y - D(t)) e^(-t) is largest, by an estimate of the profile that is a few percent off at most."""
    t, near = _FIRST, _NEAR * min(contour.scale_of(face.composition), 1.0)
    low, high = float(t[0]), float(t[-1])
    for _ in range(_ESTIMATES):
        levels = _log_level_at(contour.delta_estimate(face.composition, t), t, log_power)
        best = int(np.argmax(levels)) if np.isfinite(levels).any() else len(t) - 1
        low, high = float(t[max(best - 1, 0)]), float(t[min(best + 1, len(t) - 1)])
        if high - low <= near:
            break
        t = np.linspace(low, high, _POINTS)
    return low - near, high + near


def _log_level_at(log_delta: Array, t: Array, log_power: float) -> Array:
    """Log of (y - D(t)) e^(-t); minus infinity where D(t) is y or more."""
    gap = np.minimum(log_delta - log_power, 0.0)
    return np.asarray(log_power + log1mexp(gap) - t)


def _from_chords(t: Array, delta: Bracket, log_power: float, best: int) -> float:
    """Log of an upper bound on the level, from three points of the profile around the best one; the best such bound.

    In x = e^(t - t0) the profile is convex: left of t0 it lies above the chord on the right, extended, and the other
    way round. So (y - D) / x is bounded there by a function that is largest at one of the ends. Beyond the three points
    it falls, if it is certainly smaller at the outer two than at t0.
    """
    x = np.exp(t - t[best])
    lower, upper = (np.exp(np.minimum(end - log_power, 50.0)) for end in (delta.lower, delta.upper))
    middle, least = 1.0 - lower[best], np.inf
    for step in (1, 2, 4, 8, 16):
        a, b = best - step, best + step
        if a < 0 or b >= len(t) or not _falls((1.0 - lower[[a, b]]) / x[[a, b]], 1.0 - upper[best]):
            continue
        right = (upper[b] - lower[best]) / (x[b] - 1.0)  # no less than the slope of the profile right of t0
        left = (lower[best] - upper[a]) / (1.0 - x[a])  # no more than its slope on the left
        ends = (middle, (middle + right * (1.0 - x[a])) / x[a], (middle - left * (x[b] - 1.0)) / x[b])
        least = min(least, max(ends))
    return float(np.log(least + DIFFERENCES) + log_power - t[best]) if 0.0 < least < np.inf else log_power


def _falls(outside: Array, inside: np.float64) -> bool:
    """Whether both are certainly smaller; each is a difference of numbers of at most 1 and about that size."""
    return bool(np.max(outside) * (1 + DIFFERENCES) + DIFFERENCES < inside)
