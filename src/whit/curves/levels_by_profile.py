"""Levels and pbdp of a composition, of which the profile is cheap and the power is dear.

The smallest level of a test of power y is the largest (y - D(t)) e^(-t) over all t (theorem level-from-profile), and
every t gives a lower bound. The delta of pbdp is the bound on the tail by the profile (theorem
pbdp-is-the-tail-from-the-profile).
"""

from __future__ import annotations

import numpy as np

from whit.curves import contour
from whit.curves.face import Array, log_tail_bound
from whit.curves.levels import closest, level_by_misses
from whit.curves.numerical import ComposedLoss
from whit.numerics import ULP, Bracket, log1mexp

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
        if a < 0 or b >= len(t) or not max((1.0 - lower[a]) / x[a], (1.0 - lower[b]) / x[b]) < 1.0 - upper[best]:
            continue
        right = (upper[b] - lower[best]) / (x[b] - 1.0)  # no less than the slope of the profile right of t0
        left = (lower[best] - upper[a]) / (1.0 - x[a])  # no more than its slope on the left
        ends = (middle, (middle + right * (1.0 - x[a])) / x[a], (middle - left * (x[b] - 1.0)) / x[b])
        least = min(least, max(ends))
    # Differences of numbers of size 1 are rounded to a few units of 1.
    return float(np.log(least + 16 * ULP) + log_power - t[best]) if 0.0 < least < np.inf else log_power
