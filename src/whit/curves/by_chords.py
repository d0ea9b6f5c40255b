"""Tails of the loss, and the power of tests, from an exact profile by its chords.

As a function of e^t the profile is convex, and the tail is what its tangent at t cuts off on the axis. A chord to the
left is steeper than the tangent and one to the right is flatter: together they hold the tail between bounds, for every
step, and steps can be chosen so that both the curvature and the errors of the profile stay small. The power is the
lowest line D(t) + e^t level, which the chords bound from below.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

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


def log_lowest_line(t: Array, delta: Bracket, log_levels: Array, best: NDArray[np.intp], stride: int = 1) -> Array:
    """Log of a lower bound on D + e^t level over all t, from points around the lowest one, each one or every so many.

    In units of D at the lowest point, and with y = e^{t - t_best} - 1: between two points D lies above the extension
    of the chord on their left and above that on their right. Beyond the points the sum grows, if it is certainly
    larger at their ends than inside; else D lies above the extension of the first and of the last chord there.
    """
    places = (best // stride) * stride
    top, centre = (np.take_along_axis(each, places, axis=1) for each in (delta.mid, t))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        return _lowest_of_chords(t[:, ::stride], delta[:, ::stride], log_levels, centre, top)


def _lowest_of_chords(t: Array, delta: Bracket, log_levels: Array, centre: Array, top: Array) -> Array:
    y = np.expm1(t - centre)
    under, over = np.exp(delta.lower - top), np.exp(delta.upper - top)
    slope = np.exp(log_levels[:, None] + centre - top)
    rising = (under[:, 1:-1] - over[:, :-2]) / np.diff(y)[:, :-1]
    falling = (over[:, 2:] - under[:, 1:-1]) / np.diff(y)[:, 1:]
    left, right = y[:, 1:-2], y[:, 2:-1]
    start, end, go, come = under[:, 1:-2], under[:, 2:-1], rising[:, :-1], falling[:, 1:]
    cross = np.clip((end - start + go * left - come * right) / (go - come), left, right)
    cross = np.where(np.isnan(cross), left, cross)
    beyond = _lowest_beyond(y, under, slope, falling[:, 0], rising[:, -1])
    lowest = np.where(_grows_outwards(y, under, over, slope), np.inf, beyond)
    for at in (left, right, cross):
        chords = np.maximum(start + go * (at - left), end + come * (at - right))
        lowest = np.minimum(lowest, np.min(chords + slope * (1 + at), axis=1))
    known = (lowest > 0) & np.isfinite(top[:, 0])
    return np.where(known, np.log(np.where(known, lowest, 1.0)) + top[:, 0], -np.inf)


def _grows_outwards(y: Array, under: Array, over: Array, slope: Array) -> NDArray[np.bool_]:
    """Whether D + e^t level, which is convex in e^t, is certainly larger next to the ends than inside."""
    inside = np.min((over + slope * (1 + y))[:, 2:-2], axis=1)
    ends = [under[:, side] + slope[:, 0] * (1 + y[:, side]) for side in (1, -2)]
    return np.asarray((ends[0] > inside) & (ends[1] > inside))


def _lowest_beyond(y: Array, under: Array, slope: Array, first: Array, last: Array) -> Array:
    """The lowest that D + e^t level can be left of the second point and right of the last but one.

    On the left the line is lowest at one of its ends, t = -infinity being y = -1. On the right it falls at most until
    the chord reaches 0, since D does not fall below.
    """
    at_left = under[:, 1] - first * (1 + y[:, 1])
    empty = y[:, -2] + under[:, -2] / -np.minimum(last, 0.0)
    at_right = np.where(under[:, -2] > 0, slope[:, 0] * (1 + empty), slope[:, 0] * (1 + y[:, -2]))
    return np.minimum(at_left, at_right)
