"""The power of a composition at given levels: the lowest line D(t) + e^t level, between certain bounds.

The threshold t of the best test is looked for, which needs no care. Then the profile is read around it, from which the
lines are known from above, and by the chords of the profile from below. Where many levels are asked for at once their
thresholds are looked for among the same points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from whit.curves import contour
from whit.curves.by_chords import log_lowest_line
from whit.curves.face import SMALLEST_LOG_LEVEL, Array
from whit.curves.slack import EXACT
from whit.numerics import logsubexp

if TYPE_CHECKING:
    from whit.curves.numerical import ComposedLoss

# Points of the grid on which one threshold is looked for, again and again on a finer one.
GRID = 49
MOST_ZOOMS = 12
# Up to so many points for each level are shared by all: fewer than each by itself would take.
SHARED = 30
# A window this narrow, in standard deviations of the loss, bends by less than a millionth between two points.
NARROW = 0.03
# A threshold is looked for with the first bracket that can be had, however wide.
ROUGH = 1e6
# Within so many standard deviations of the truth an estimate leads.
NEAR = 0.5
# How much wider than the window of the lowest line, on each side, the profile is read in the end.
ROOM = 0.05
# There it is read at points from -1 to 1: evenly, or the closer together the nearer to the middle.
EVENLY = np.linspace(-1.0, 1.0, 65)
GRADED = EVENLY * (0.1 + 0.9 * EVENLY**2)
CLOSELY = EVENLY[::2] / 24
# Chords between neighbours are best where the profile is known closely, between points further apart where it is not.
STRIDES = (1, 2, 4, 8)
# Between the neighbours of the lowest line it is looked for so often.
CLOSER = 3
# From this close to 1 on a power is also bounded by the power at a smaller level, squared so often at most.
SURE = 1e-5
MOST_SQUARES = 16


def lowest_lines(loss: ComposedLoss, log_levels: Array) -> tuple[Array, Array, Array]:
    """Bounds on the log of the smallest D(t) + e^t level over t, for each level.

    Where the power is 1 up to rounding, the lines differ by less than is known of D. There the power is bounded from
    below by that at a smaller level.
    """
    lower, middle, upper = _lines(loss, log_levels)
    smaller = log_levels.copy()
    for _ in range(MOST_SQUARES):
        near_one = (upper > -SURE) & (np.maximum(lower, log_levels) < upper - SURE)
        if not near_one.any():
            break
        smaller[near_one] = np.maximum(2 * smaller[near_one], SMALLEST_LOG_LEVEL)
        lower[near_one] = np.maximum(lower[near_one], _lines(loss, smaller[near_one])[0])
    return lower, middle, upper


def _lines(loss: ComposedLoss, log_levels: Array) -> tuple[Array, Array, Array]:
    """Log of the power at each level: by points that many share, and where that is not close by points of its own."""
    first = _first_window(loss, log_levels)
    shared = _shared_window(loss, log_levels, *first)
    found = _in_window(loss, log_levels, *(shared or _own_window(loss, log_levels, *first)))
    wide = found[2] - found[0] > loss.relative_width
    if shared is not None and wide.any():
        own = _own_window(loss, log_levels[wide], *(end[wide] for end in first))
        _narrow(found, wide, _in_window(loss, log_levels[wide], *own))
    return found


def _in_window(
    loss: ComposedLoss, log_levels: Array, low: Array, threshold: Array, high: Array
) -> tuple[Array, Array, Array]:
    """What is read at the threshold; where that is not close, further around."""
    half = (0.5 + ROOM) * (high - low)[:, None]
    at, middle = (_on_lattice(loss, place, high - low)[:, None] for place in (threshold, 0.5 * (low + high)))
    found = _read(loss, log_levels, at + half * CLOSELY)
    far = np.maximum(half, 0.5 * NARROW * contour.scale_of(loss.composition))
    for points in (middle + half * EVENLY, middle + far * GRADED):
        wide = found[2] - found[0] > loss.relative_width
        if not wide.any():
            break
        _narrow(found, wide, _read(loss, log_levels[wide], points[wide]))
    return found


def _narrow(found: tuple[Array, Array, Array], wide: NDArray[np.bool_], again: tuple[Array, Array, Array]) -> None:
    """Take the closer of two readings where the first is wide; both are certain."""
    for side, closer in enumerate((np.maximum, np.minimum, np.minimum)):
        found[side][wide] = closer(found[side][wide], again[side])


def _read(loss: ComposedLoss, log_levels: Array, t: Array) -> tuple[Array, Array, Array]:
    """The bounds that the profile at these points gives, for each level at its own."""
    delta = loss.log_delta(t)
    lines = np.logaddexp(delta.mid, t + log_levels[:, None])
    best = np.clip(np.argmin(lines, axis=1), 1, t.shape[1] - 2)[:, None]
    upper = np.min(np.logaddexp(delta.upper, t + log_levels[:, None]), axis=1)
    lower = np.max(
        [log_lowest_line(t, delta, log_levels, best, stride) for stride in STRIDES if 4 * stride < t.shape[1]], axis=0
    )
    error = 1e-14 * (1 + np.abs(upper))
    upper = np.minimum(upper + error, 0.0)
    # Both are certain; the line in the middle is an estimate, and gives way.
    return lower, np.clip(lines.min(axis=1), lower, np.maximum(upper, lower)), upper


def read_around(loss: ComposedLoss, log_levels: Array, t: Array, width: float) -> tuple[Array, Array, Array]:
    """The bounds that the profile at these points gives; where they are wide, also next to the lowest line."""
    found, t = _read(loss, log_levels, t), t.copy()
    for _ in range(CLOSER):
        wide = found[2] - found[0] > width
        if not wide.any():
            break
        low, _, high = _around_lowest(t[wide], loss.log_delta(t[wide]).mid, log_levels[wide])
        t[wide] = low[:, None] + (high - low)[:, None] * np.linspace(-0.5, 1.5, t.shape[1])
        _narrow(found, wide, _read(loss, log_levels[wide], t[wide]))
    return found


def _on_lattice(loss: ComposedLoss, places: Array, width: Array) -> Array:
    """The places; where losses lie on a lattice the nearest of it, if one is near: lines are lowest there."""
    unit, parity = loss.composition.lattice or (0.0, 0)
    nearest = (2 * np.round((places / unit - parity) / 2) + parity) * unit if unit else places
    return np.where(np.abs(nearest - places) <= 0.5 * width, nearest, places)


def _shared_window(loss: ComposedLoss, log_levels: Array, low: Array, high: Array) -> tuple[Array, Array, Array] | None:
    """A window around the threshold of each best test, by the profile at points for all; None where they are few."""
    deviation = contour.scale_of(loss.composition)
    start, stop = float(low.min()), float(high.max())
    number = np.ceil((stop - start) / (0.5 * NARROW * deviation)) + 1
    if number > SHARED * len(log_levels):
        return None
    t = np.linspace(start, stop, max(int(number), 3))
    logs = _rough(loss).log_delta(t).mid
    return _around_lowest(np.broadcast_to(t, (len(log_levels), len(t))), logs, log_levels)


def _own_window(loss: ComposedLoss, log_levels: Array, low: Array, high: Array) -> tuple[Array, Array, Array]:
    """A narrow window around the threshold of each best test, and about where it is in there.

    It is looked for by an estimate first, then by the profile.
    """
    deviation = contour.scale_of(loss.composition)
    low, _, high = _zoomed(
        lambda t: contour.delta_estimate(loss.composition, t), log_levels, low, high, NEAR * deviation
    )
    # The estimate is a few percent off at most, and its lowest line a fraction of a deviation.
    low, high = low - NEAR * deviation, high + NEAR * deviation
    return _zoomed(lambda t: _rough(loss).log_delta(t).mid, log_levels, low, high, NARROW * deviation)


def _rough(loss: ComposedLoss) -> ComposedLoss:
    return replace(loss, relative_width=ROUGH, slack=EXACT, strict=False)


def _zoomed(
    log_delta: Callable[[Array], Array], log_levels: Array, low: Array, high: Array, enough: float
) -> tuple[Array, Array, Array]:
    """The window around the lowest line, made smaller until it is small enough, and the lowest line in there."""
    middle = 0.5 * (low + high)
    for _ in range(MOST_ZOOMS):
        wide = high - low > enough
        if not wide.any():
            break
        t = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, GRID)
        closer = _around_lowest(t, log_delta(t), log_levels)
        low, middle, high = (np.where(wide, new, old) for new, old in zip(closer, (low, middle, high), strict=True))
    return low, middle, high


def _around_lowest(t: Array, logs: Array, log_levels: Array) -> tuple[Array, Array, Array]:
    """The points before and behind the lowest line in each row, and the lowest point of the parabola through them.

    Where the lowest line is at an end of the window, a lower one may lie beyond it.
    """
    lines = np.logaddexp(logs, t + log_levels[:, None])
    best, last = np.argmin(lines, axis=1), t.shape[1] - 1
    inner = np.clip(best, 1, last - 1)
    low, middle, high = (np.take_along_axis(t, (inner + side)[:, None], axis=1)[:, 0] for side in (-1, 0, 1))
    left, centre, right = (np.take_along_axis(lines, (inner + side)[:, None], axis=1)[:, 0] for side in (-1, 0, 1))
    bend = left - 2 * centre + right
    with np.errstate(divide="ignore", invalid="ignore"):
        aside = np.where(bend > 0, np.clip((left - right) / (2 * bend), -1.0, 1.0), 0.0)
    threshold = middle + aside * 0.5 * (high - low)
    width = t[:, -1] - t[:, 0]
    low, high = np.where(best == 0, t[:, 0] - width, low), np.where(best == last, t[:, -1] + width, high)
    return np.where(best == last, middle, low), threshold, np.where(best == 0, middle, high)


def _first_window(loss: ComposedLoss, log_levels: Array) -> tuple[Array, Array]:
    """Where the threshold of the best test lies: Q[Z > t] is the level there. Chernoff bounds it from both sides."""
    deviation = contour.scale_of(loss.composition)
    tilts = np.geomspace(1e-3, 30.0, 46) / deviation
    upper, lower = loss.composition.log_mgf_real(tilts), loss.composition.log_mgf_real(-1.0 - tilts)
    null_mass = loss.composition.log_null_mass
    others = logsubexp(np.maximum(log_levels, null_mass), log_levels)
    high = np.min((upper - log_levels[:, None]) / (1 + tilts), axis=1)
    low = np.max((others[:, None] - lower) / tilts, axis=1)
    lowest, highest = loss.composition.loss_range
    margin = 1e-3 * deviation
    high = np.minimum(np.minimum(high, -log_levels), highest) + margin
    return np.minimum(np.maximum(low, lowest), high - margin) - margin, high
