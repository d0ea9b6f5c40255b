"""Tails of the loss, and the power of tests, from an exact profile by its chords.

As a function of e^t the profile is convex, and the tail is what its tangent at t cuts off on the axis. A chord to the
left is steeper than the tangent and one to the right is flatter: together they hold the tail between bounds, for every
step, and steps can be chosen so that both the curvature and the errors of the profile stay small. The power is the
lowest line D(t) + e^t level, which the chords bound from below.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whit.curves.face import Array
from whit.numerics import ULP, Bracket, logsubexp

# Steps in standard deviations of the loss; the best of them counts.
STEPS = np.array([3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2])
# A lower bound is cut off before its exponential is infinite, and an upper bound before its own is 0.
LARGEST_EXPONENT = 700.0
SMALLEST = 1e-300


def tails_by_chords(log_delta: Callable[[Array], Bracket], t: Array, deviation: float | Array) -> Bracket:
    """Bounds on log P[Z > t] that hold for log P[Z >= t] as well, from an exact profile with errors of its own."""
    h, number = np.multiply.outer(np.broadcast_to(deviation, t.shape), STEPS), len(STEPS)
    points = np.concatenate([t[..., None], t[..., None] - h, t[..., None] + h], axis=-1)
    profile = log_delta(points)
    here, before = profile.lower[..., :1], profile.upper[..., 1 : number + 1]
    after = profile.upper[..., number + 1 :]
    # The steps that were made, after the rounding of t + h.
    left = points[..., :1] - points[..., 1 : number + 1]
    right = points[..., number + 1 :] - points[..., :1]
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

    With y = e^{t - t_best} - 1, and in units of the larger of the two terms at the lowest point: between two points D
    lies above the extension of the chord on their left and above that on their right. Beyond the points the sum grows,
    if it is certainly larger at their ends than inside; else D lies above the extension of the first and of the last
    chord there.
    """
    places = (best // stride) * stride
    log_top, centre = (np.take_along_axis(each, places, axis=1) for each in (delta.mid, t))
    unit = np.maximum(log_top, centre + log_levels[:, None])
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        points = _Points.around(centre, unit, t[:, ::stride], delta[:, ::stride], log_levels)
        lowest = np.minimum(_lowest_between(points).min(axis=1), _lowest_beyond(points)) * (1 - 64 * ULP)
        logs = np.log(lowest)
        below = logs + unit[:, 0] - 4 * ULP * (2 + np.abs(logs) + np.abs(unit[:, 0]))
    return np.where(lowest > 0, below, -np.inf)


@dataclass(frozen=True)
class _Points:
    """What is certain of D at some points, in a unit of its own: every number is on the safe side after rounding.

    x        e^{t - t_best}, no more than it is
    under    no more than D
    over     no less than D
    flat     how steeply D falls from each point to the next, no more than it does
    steep    the same, no less than it does
    short    how far it is from each point to the next in x, no more than it is
    long     the same, no less than it is
    slope    how steeply e^t level grows, no more than it does: a smaller level has a smaller sum
    """

    x: Array
    under: Array
    over: Array
    flat: Array
    steep: Array
    short: Array
    long: Array
    slope: Array

    @classmethod
    def around(cls, centre: Array, unit: Array, t: Array, delta: Bracket, log_levels: Array) -> _Points:
        """The points t as seen from their centre."""
        away = t - centre
        y = np.expm1(away)
        # The difference is rounded once, which moves e^away - 1 by no more than 1 + |away| times that, relatively.
        blur = ULP * (8 + 2 * np.abs(away)) * np.abs(y)
        steps, blurs = np.diff(y), blur[:, 1:] + blur[:, :-1]
        under, over = _exp(delta.lower - unit, -1), _exp(delta.upper - unit, 1)
        # What is positive must not vanish in an upper bound.
        over = np.where(np.isneginf(delta.upper), 0.0, np.maximum(over, SMALLEST))
        short, long = np.maximum(steps - blurs, 0.0), steps + blurs
        exponents = log_levels[:, None] + centre
        return cls(
            x=_exp(away, -1),
            under=under,
            over=over,
            flat=np.maximum(under[:, :-1] - over[:, 1:], 0.0) / long * (1 - 8 * ULP),
            steep=np.where(short > 0, (over[:, :-1] - under[:, 1:]) / short * (1 + 8 * ULP), np.inf),
            short=short,
            long=long,
            slope=_exp(exponents - 2 * ULP * np.abs(exponents) - unit, -1),
        )


def _exp(logs: Array, side: int) -> Array:
    """e^logs on one side of what it is, also if each log is a difference that was rounded once."""
    capped = np.minimum(logs, LARGEST_EXPONENT) if side < 0 else logs
    return np.exp(capped) * (1 + side * ULP * (8 + 2 * _size(capped)))


def _lowest_between(points: _Points) -> Array:
    """The lowest that D + e^t level can be between two neighbours, from the second point to the last but one.

    At a distance d from the left one, D is at least start - steep d and at least end + flat (width - d). The sum is
    lowest at the left if the level makes the first grow, at the right if it lets the second fall, else where the two
    meet. There the second grows, so that it is evaluated at a distance that is certainly no larger: then all terms
    are positive, and rounding is a matter of the whole and not of D, however small the level is.
    """
    start, end, steep, flat = points.under[:, 1:-2], points.under[:, 2:-1], points.steep[:, :-2], points.flat[:, 2:]
    short, long = points.short[:, 1:-1], points.long[:, 1:-1]
    above = np.maximum(start - (end + flat * long) * (1 + 4 * ULP), 0.0) * (1 - 8 * ULP)
    distance = np.where(steep > flat, np.minimum(above / (steep - flat), short), 0.0)
    meeting = end + flat * (short - distance) + points.slope * (points.x[:, 1:-2] + distance)
    left, right = start + points.slope * points.x[:, 1:-2], end + points.slope * points.x[:, 2:-1]
    return np.where(points.slope >= steep, left, np.where(points.slope <= flat, right, meeting))


def _lowest_beyond(points: _Points) -> Array:
    """The lowest that D + e^t level can be left of the second point and right of the last but one; or infinity.

    On the left the line is lowest at one of its ends, and one end is e^t = 0. On the right it falls at most until the
    chord reaches 0, since D does not fall below.
    """
    slope, first, last = points.slope[:, 0], points.x[:, 1], points.x[:, -2]
    at_left = points.under[:, 1] + np.minimum(slope, points.flat[:, 1]) * first
    steep = points.steep[:, -2]
    empty = slope * (last + points.under[:, -2] / steep * (1 - 4 * ULP))
    at_right = np.where(slope >= steep, points.under[:, -2] + slope * last, empty)
    return np.where(_grows_outwards(points), np.inf, np.minimum(at_left, at_right))


def _grows_outwards(points: _Points) -> NDArray[np.bool_]:
    """Whether D + e^t level, which is convex in e^t, is certainly larger next to the ends than inside."""
    rounding = 64 * ULP * (1 + np.max(np.abs(np.log(points.x)), axis=1))
    inside = np.min((points.over + points.slope * points.x)[:, 2:-2], axis=1) * (1 + rounding)
    ends = [points.under[:, side] + points.slope[:, 0] * points.x[:, side] for side in (1, -2)]
    return np.asarray((ends[0] > inside) & (ends[1] > inside))
