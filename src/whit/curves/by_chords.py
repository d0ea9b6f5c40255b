"""Tails of the loss from an exact profile, by its chords.

As a function of e^t the profile is convex, and the tail is what its tangent at t cuts off on the axis. A chord to the
left is steeper than the tangent and one to the right is flatter: together they hold the tail between bounds, for every
step, and steps can be chosen so that both the curvature and the errors of the profile stay small.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from whit.curves.face import Array
from whit.numerics import ULP, Bracket, logsubexp

# Steps in standard deviations of the loss; the best of them counts.
STEPS = np.array([3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2])


def tails_by_chords(log_delta: Callable[[Array], Bracket], t: Array, deviation: float) -> Bracket:
    """Bounds on log P[Z > t] that hold for log P[Z >= t] as well, from an exact profile with errors of its own."""
    h = STEPS * deviation
    points = t[..., None] + np.concatenate([[0.0], -h, h])
    profile = log_delta(points)
    here, before = profile.lower[..., :1], profile.upper[..., 1 : len(h) + 1]
    after = profile.upper[..., len(h) + 1 :]
    # The steps that were made, after the rounding of t + h.
    left = points[..., :1] - points[..., 1 : len(h) + 1]
    right = points[..., len(h) + 1 :] - points[..., :1]
    upper = _difference(before, here - left, outwards=1) - np.log(-np.expm1(-left))
    lower = _difference(here + right, after, outwards=-1) - np.log(np.expm1(right))
    # The tail is at least the profile itself.
    most, least = np.minimum(upper.min(axis=-1), 0.0), np.maximum(lower.max(axis=-1), here[..., 0])
    most = np.maximum(most, least)
    return Bracket(least, np.where(np.isfinite(least), np.logaddexp(least, most) - np.log(2.0), most), most)


def _difference(larger: Array, smaller: Array, *, outwards: int) -> Array:
    """log(e^larger - e^smaller), rounded to one side; minus infinity where there is no difference left."""
    first, second = (outwards * 16 * ULP * (1 + _size(each)) for each in (larger, smaller))
    top, bottom = larger + first, smaller - second
    return logsubexp(np.maximum(top, bottom), bottom)


def _size(logs: Array) -> Array:
    return np.where(np.isfinite(logs), np.abs(logs), 0.0)
