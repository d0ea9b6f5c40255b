"""One release between two finite pairs on a lattice: one whose profile is nowhere below its own, one nowhere above.

In x = e^t a profile is convex, and the profile of a pair on the lattice is a polygon with its corners there. Chords
through the profile at the places lie above it. Chords that are lowered at both ends by as much as the profile may
sag between them lie below. Only the profile is asked for, in both orders: right of x = 1 the one, left of it the
other, so that each is small and keeps its digits (theorem two-lattice-pairs).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from whit.curves.face import Array, LossDistribution
from whit.numerics import ULP, Bracket

# Into so many parts a cell is cut to see how far the profile sags in it.
PARTS = 2
# The lower profile is lowered by this part of itself, which covers the rounding of decisions about its corners:
# each pass over them decides to 16 units in the last place.
MARGIN = 1e-12
MOST_PASSES = 200
# Where log delta is this small a loss counts as infinite from above, and as never from below.
FARTHEST = -75.0
# A release whose losses reach over more places than this has no room on the lattice.
MOST_PLACES = 2**16


@dataclass(frozen=True)
class LatticePair:
    """Masses under P at consecutive places of a lattice: bounds on those of a pair, all from above or all from below.

    first      the number of the first place; the loss there is so many steps
    masses     bounds on the masses under P; under Q they are e^-loss times that
    infinity   a bound on the mass under P that Q never produces
    missing    a bound on the mass under Q that P never produces
    """

    first: int
    masses: Array
    infinity: float
    missing: float

    @classmethod
    def of_sides(
        cls, right: Array, centre: float, left: Array, step: float, infinite: tuple[float, float]
    ) -> LatticePair:
        """The pair with these masses under P right of 0, and under Q left of 0, each from 0 outwards."""
        under_p = left * np.exp(-step * np.arange(1, len(left) + 1))
        return cls(-len(left), np.concatenate([under_p[::-1], [centre], right]), *infinite)


def dominating(face: LossDistribution, step: float) -> LatticePair:
    """Masses whose profile, the sum of p (1 - e^(t - z))+ over the losses z, is nowhere below that of the face."""
    right, left = (_profile(each, step, _reach(each, step)).upper.copy() for each in (face, face.reverse()))
    right[0] = left[0] = max(right[0], left[0])
    slopes = [float(side[0] - side[1]) / np.expm1(step) for side in (right, left)]
    centre = max(1.0 - right[0] - sum(slopes), 0.0) + 16 * ULP * (1 + sum(slopes))
    exact = [_masses(side, np.arange(len(side)), step) for side in (right, left)]
    # A polygon that rounding keeps from being convex has negative masses: 0 instead of them only raises the profile.
    up, down = (np.maximum(mass, 0.0) + error for mass, error in exact)
    raised = LatticePair.of_sides(up, centre, down, step, (float(right[-1]), float(left[-1])))
    return LatticePair(raised.first, raised.masses * (1 + 16 * ULP), raised.infinity, raised.missing)


def dominated(face: LossDistribution, step: float) -> LatticePair:
    """Masses whose profile is nowhere above that of the face."""
    faces = (face, face.reverse())
    infinite = [float(np.exp(each.log_delta(np.inf).lower)) * (1 - 16 * ULP) for each in faces]
    sides = [_lowered(each, step) for each in faces]
    # Both sides start from one corner, at x = 1.
    corner = min(side[0] + mass for side, mass in zip(sides, infinite, strict=True)) * (1 - 4 * ULP)
    infinite = [min(mass, corner) for mass in infinite]
    for side, mass in zip(sides, infinite, strict=True):
        side[0] = corner - mass
    corners = [_convex(side, step) for side in sides]
    if corner <= 0.0 or any(len(at) < 2 for at in corners):
        return LatticePair(0, np.ones(1), 0.0, 0.0)  # what tells nothing is below every release
    slope = sum(float(side[0] - side[at[1]]) / np.expm1(at[1] * step) for side, at in zip(sides, corners, strict=True))
    # Where there is too little room at x = 1 for both slopes, everything is made rarer: that tells less.
    share = min(1.0, 1.0 / (corner + slope)) * (1 - MARGIN)
    centre = max(1.0 - share * (corner + slope) * (1 + 16 * ULP), 0.0)
    right, left = (_spread(side, at, step) * share for side, at in zip(sides, corners, strict=True))
    return LatticePair.of_sides(right, centre, left, step, (infinite[0] * share, infinite[1] * share))


def _spread(values: Array, corners: NDArray[np.intp], step: float) -> Array:
    """The masses at all places from 1 to the last corner, rounded down; 0 between corners."""
    masses, errors = _masses(values[corners], corners, step)
    spread = np.zeros(int(corners[-1]))
    spread[corners[1:] - 1] = np.maximum(masses - errors, 0.0) * (1 - 16 * ULP)
    return spread


def _reach(face: LossDistribution, step: float) -> int:
    """The first place, from 1 on, at which delta is at most e^FARTHEST above the mass at infinity."""
    floor = max(float(face.log_delta(np.inf).upper), FARTHEST) + 1e-9

    def beyond(place: int) -> bool:
        return bool(face.log_delta(place * step).upper <= floor)

    high = 1
    while not beyond(high) and high <= MOST_PLACES:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if beyond(middle) else (middle, high)
    return high


def _profile(face: LossDistribution, step: float, places: int, first: int = 0) -> Bracket:
    """The profile at so many places, in numbers and not in logs."""
    return face.log_delta(np.arange(first, places + 1) * step).exp()


def _masses(values: Array, places: NDArray[np.intp], step: float) -> tuple[Array, Array]:
    """The masses under P of the polygon through values at places, from the second on; and bounds on their rounding.

    The first place is x = 1. Beyond the last the polygon is level.
    """
    width = np.diff(places) * step
    falls = values[:-1] - values[1:]
    before, after = falls / -np.expm1(-width), np.append(falls[1:] / np.expm1(width[1:]), 0.0)
    return before - after, 16 * ULP * (before + after)


def _lowered(face: LossDistribution, step: float) -> Array:
    """The profile without infinite losses, lowered at each place by as much as it may sag on either side of it.

    The last value is 0. On the cell before, the profile is at least P[Z >= t] (1 - e^(. - t)), t being the last place.
    """
    places = _reach(face, step)
    profile, infinite = _profile(face, step / PARTS, PARTS * places + 1, -1), face.log_delta(np.inf).exp()
    high = np.maximum(profile.upper - infinite.lower, 0.0) * (1 + 4 * ULP)
    low = np.maximum(profile.lower - infinite.upper, 0.0) * (1 - 4 * ULP)
    sags = _sags(low, high, step)
    at = low[1::PARTS][: places + 1] * (1 - MARGIN)
    before, after = np.append(0.0, sags), np.append(sags, 0.0)
    enough = at > np.maximum(before, after)
    enough[-1] = False
    end = int(np.argmin(enough))
    if end == 0:
        return np.zeros(2)
    values = np.append((at - np.maximum(before, after))[:end], 0.0)
    tail = float(face.log_tail_closed(end * step).exp().lower - infinite.upper)
    values[end - 1] = max(min(at[end - 1] - before[end - 1], tail * -np.expm1(-step) * (1 - MARGIN)), 0.0)
    return values


def _sags(low: Array, high: Array, step: float) -> Array:
    """For each cell a bound on how far its chord lies above the profile.

    In each part of a cell the profile lies above the lines through the two points before it and the two behind it.
    """
    y = np.expm1(np.arange(-1, PARTS + 2) * (step / PARTS))
    under, over = (sliding_window_view(side, PARTS + 3)[::PARTS] for side in (low, high))
    start, fall = over[:, 1:2], (over[:, -2:-1] - over[:, 1:2]) / y[-2]
    go = (under[:, 1:-2] - over[:, :-3]) / (y[1:-2] - y[:-3])
    come = (over[:, 3:] - under[:, 2:-1]) / (y[3:] - y[2:-1])
    left, right, here, there = y[1:-2], y[2:-1], under[:, 1:-2], under[:, 2:-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        cross = (there - here + go * left - come * right) / (go - come)
    cross = np.clip(np.where(np.isnan(cross), left, cross), left, right)
    sag = np.zeros(len(under))
    for at in (left, right, cross):
        floor = np.maximum(here + go * (at - left), there + come * (at - right))
        sag = np.maximum(sag, np.max(start + fall * at - floor, axis=1))
    return sag + 64 * ULP * over[:, 1]


def _convex(values: Array, step: float) -> NDArray[np.intp]:
    """The places of the corners of the lower convex hull, the first and the last among them; one if none is found."""
    places, last = np.arange(len(values)), len(values) - 1
    # The ends were lowered by more than their neighbours: from them the hull goes straight to where it touches first.
    start = 1 + int(np.argmax((values[0] - values[1:]) / np.expm1(places[1:] * step)))
    ends = [last]
    while ends[-1] > start and len(ends) < 3:
        anchor = ends[-1]
        rises = (values[:anchor] - values[anchor]) / -np.expm1((places[:anchor] - anchor) * step)
        ends.append(max(int(np.argmin(rises)), start))
    kept = np.concatenate([[0], places[start : ends[-1]], ends[::-1]])
    for _ in range(MOST_PASSES):
        masses, errors = _masses(values[kept], kept, step)
        bad = np.concatenate([[False], (masses <= errors)[:-1], [False]])
        if not bad.any():
            return kept
        # Of neighbours that are not convex every second one goes, after which the others may be.
        order = np.arange(len(bad))
        run = order - np.maximum.accumulate(np.where(bad, 0, order))
        kept = kept[~(bad & (run % 2 == 1))]
    return kept[:1]
