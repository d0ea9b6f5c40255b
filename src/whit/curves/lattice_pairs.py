"""One release between two finite pairs on a lattice: one whose profile is nowhere below its own, one nowhere above.

In x = e^t a profile is convex, and the profile of a pair on the lattice is a polygon with its corners there. Chords
through the profile at some places lie above it. Chords that are lowered at both ends by as much as the profile may
sag between them lie below. Only the profile is asked for, in both orders: right of x = 1 the one, left of it the
other, so that each is small and keeps its digits (theorem two-lattice-pairs). It is asked for at as many places as
it takes to know it as closely as is wanted, which are few where it is straight.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves.face import Array
from whit.numerics import ULP, Bracket

# Into about so many cells the places are cut first, and cells in two again and again.
FIRST_CELLS = 64
# The lower profile is lowered by this part of itself, which covers the rounding of decisions about its corners:
# each pass over them decides to 16 units in the last place.
MARGIN = 1e-12
MOST_PASSES = 200
# Where log delta is this small a loss counts as infinite from above, and as never from below.
LEAST_LOG_DELTA = -60.0
# A profile this small is followed less closely than a larger one.
FAINT = 1e-15
# The end of a profile is looked for at so many places at once.
REACHES = 32
# A release whose losses reach over more places than this has no room on the lattice.
MOST_PLACES = 2**20
# Cells are cut no further once there are so many, or where the profile is open by so large a part of their sag.
MOST_CORNERS = 2**17
OPEN = 8.0
# What may be followed loosely is so to this part of what is allowed: a polygon from below ends where it would be 0.
LOOSELY = 0.1

_Masses: TypeAlias = tuple[NDArray[np.int64], NDArray[np.float64]]


class Profiled(Protocol):
    """What has a profile in both orders."""

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the profile at each epsilon."""

    def __hash__(self) -> int: ...

    def reverse(self) -> Profiled:
        """The pair in the other order."""


class Tailed(Profiled, Protocol):
    """And tails."""

    def log_tail_closed(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z >= t] at each loss t."""

    def reverse(self) -> Tailed:
        """The pair in the other order."""


@dataclass(frozen=True)
class Grid:
    """Where the corners of a release may lie, and how closely they follow it.

    step        they lie on its multiples
    tolerance   no chord lies above the profile by a larger part of it; 0 if there is a corner at every place
    most        they lie no more places from 0
    one_way     whether that is asked of the profile in this order only, not of the one with P and Q exchanged
    farthest    where log delta is this small a loss counts as infinite from above, and as never from below
    faint       a profile this small is followed less closely than a larger one
    """

    step: float
    tolerance: float
    most: int = MOST_PLACES
    one_way: bool = False
    farthest: float = LEAST_LOG_DELTA
    faint: float = FAINT


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


@dataclass(frozen=True)
class SparsePair:
    """The same with masses at some places only, in rising order: as few as it takes, so that a lattice may be fine."""

    places: NDArray[np.int64]
    masses: Array
    infinity: float
    missing: float

    @classmethod
    def of_sides(
        cls, right: _Masses, centre: float, left: _Masses, step: float, infinite: tuple[float, float]
    ) -> SparsePair:
        """The pair with these masses under P right of 0, and under Q left of 0, each from 0 outwards."""
        under_p = left[1] * np.exp(-step * left[0])
        places = np.concatenate([-left[0][::-1], [0], right[0]])
        return cls(places, np.concatenate([under_p[::-1], [centre], right[1]]), *infinite)

    def spread(self) -> LatticePair:
        """All places from the first to the last, with nothing between those that are known."""
        first = int(self.places[0])
        masses = np.zeros(int(self.places[-1]) - first + 1)
        masses[self.places - first] = self.masses
        return LatticePair(first, masses, self.infinity, self.missing)


@dataclass(frozen=True)
class _Corners:
    """The finite part of the profile at some halves of places, in numbers and not in logs.

    Those at whole places are the corners of the polygons; the others only tell how far the profile sags between them.
    The first and the last point lie outside.
    """

    halves: NDArray[np.int64]
    low: Array
    high: Array

    @classmethod
    def of(cls, face: Profiled, grid: Grid, *, loosely: bool) -> _Corners:
        """As many points as it takes for no cell to sag by more than a part of the profile, or all there are.

        Or, loosely, by more than a part of the profile of the other order, which is e^-t (D(t) + e^t - 1) at -t.
        """
        step, reach = grid.step, _reach(face, grid)
        if grid.tolerance == 0:
            blocks = np.array_split(2 * np.arange(reach + 1), reach // MOST_CORNERS + 1)
            return reduce(cls._with, (cls._at(face, step, each) for each in blocks))
        coarse = 2 * np.linspace(0, reach, min(reach, FIRST_CELLS) + 1).astype(np.int64)
        corners = cls._at(face, step, np.concatenate([[-1], coarse, [2 * reach + 1]]))
        while True:
            ends, sizes = corners.halves[corners._whole], corners.low[corners._whole][1:]
            if loosely:
                sizes = sizes + LOOSELY * np.expm1(ends[:-1] * (step / 2))
            # What is open at a corner stays open, however close the next one is.
            wide = corners.sags(step) > np.maximum(grid.tolerance * np.maximum(sizes, grid.faint), OPEN * corners._open)
            middles = ((ends[:-1] + ends[1:]) // 4 * 2)[wide]
            # Where the middle is no whole place, the half is asked, once.
            middles = np.where(np.isin(middles, ends), middles + 1, middles)
            middles = middles[~np.isin(middles, corners.halves)]
            if not len(middles) or len(ends) > MOST_CORNERS:
                return corners
            corners = corners._with(cls._at(face, step, middles))

    @classmethod
    def _at(cls, face: Profiled, step: float, halves: NDArray[np.int64]) -> _Corners:
        profile, infinite = face.log_delta(halves * (step / 2)).exp(), face.log_delta(np.inf).exp()
        low = np.maximum(profile.lower - infinite.upper, 0.0) * (1 - 4 * ULP)
        return cls(halves, low, np.maximum(profile.upper - infinite.lower, 0.0) * (1 + 4 * ULP))

    def _with(self, more: _Corners) -> _Corners:
        halves = np.concatenate([self.halves, more.halves])
        order, ends = np.argsort(halves, kind="stable"), ((self.low, more.low), (self.high, more.high))
        return _Corners(halves[order], *(np.concatenate(each)[order] for each in ends))

    @property
    def _whole(self) -> NDArray[np.intp]:
        """Where the whole places are among the points."""
        return np.flatnonzero(self.halves % 2 == 0)

    @property
    def _open(self) -> Array:
        """How far apart the bounds on the profile are at the ends of each cell."""
        spread = (self.high - self.low)[self._whole]
        return np.asarray(np.maximum(spread[:-1], spread[1:]))

    @property
    def places(self) -> NDArray[np.int64]:
        """The corners."""
        return self.halves[self._whole] // 2

    @property
    def ends(self) -> tuple[Array, Array]:
        """The profile at the corners: no more than it is, and no less."""
        return self.low[self._whole], self.high[self._whole]

    def sags(self, step: float) -> Array:
        """For each cell between two corners a bound on how far its chord lies above the profile.

        From one point to the next the profile lies above the lines through the two points before and the two behind.
        """
        whole = self._whole
        cells = np.repeat(np.arange(len(whole) - 1), np.diff(whole))
        left, right = whole[cells], whole[cells + 1]
        away = (self.halves[1:-2] - self.halves[left]) * (step / 2)
        gaps = np.diff(self.halves) * (step / 2)
        before, width, behind = gaps[:-2], gaps[1:-1], gaps[2:]
        # Distances from the first point of each part, in units of e^t there.
        end = np.expm1(width)
        here, there = self.low[1:-2], self.low[2:-1]
        fall = (self.high[right] - self.high[left]) / np.expm1((self.halves[right] - self.halves[left]) * (step / 2))
        start = self.high[left] + fall * np.expm1(away)
        fall = fall * np.exp(away)
        go = (here - self.high[:-3]) / -np.expm1(-before)
        come = (self.high[3:] - there) / (np.exp(width) * np.expm1(behind))
        with np.errstate(divide="ignore", invalid="ignore"):
            cross = (there - here - come * end) / (go - come)
        cross = np.clip(np.where(np.isnan(cross), 0.0, cross), 0.0, end)
        sag = np.zeros(len(end))
        for at in (np.zeros(len(end)), end, cross):
            sag = np.maximum(sag, start + fall * at - np.maximum(here + go * at, there + come * (at - end)))
        return np.maximum.reduceat(sag + 64 * ULP * self.high[left], whole[:-1] - 1)


def dominating(face: Profiled, step: float, tolerance: float) -> LatticePair:
    """Masses whose profile, the sum of p (1 - e^(t - z))+ over the losses z, is nowhere below that of the face."""
    return sparse_above(face, Grid(step, tolerance)).spread()


def dominated(face: Tailed, step: float, tolerance: float) -> LatticePair:
    """Masses whose profile is nowhere above that of the face."""
    return sparse_below(face, Grid(step, tolerance)).spread()


def sparse_above(face: Profiled, grid: Grid) -> SparsePair:
    """The dominating masses, where there are any."""
    faces, step = (face, face.reverse()), grid.step
    infinite = [float(each.log_delta(np.inf).exp().upper) * (1 + 4 * ULP) for each in faces]
    sides = [_Side(known.places, known.ends[1]) for known in _known(faces, grid)]
    # Both sides start from one corner, at x = 1.
    corner = max(side.values[0] + mass for side, mass in zip(sides, infinite, strict=True)) * (1 + 4 * ULP)
    for side, mass in zip(sides, infinite, strict=True):
        side.values[0] = (corner - mass) * (1 + 4 * ULP)
    sides = [side.nearly_convex(step) for side in sides]
    slope = sum(side.slope(step) for side in sides)
    centre = max(1.0 - corner - slope, 0.0) + 16 * ULP * (1 + slope)
    ends = [(mass + side.values[-1]) * (1 + 4 * ULP) for side, mass in zip(sides, infinite, strict=True)]
    right, left = (side.masses(step, outwards=1, share=1 + 16 * ULP) for side in sides)
    return SparsePair.of_sides(right, centre, left, step, (float(ends[0]), float(ends[1])))


def sparse_below(face: Tailed, grid: Grid) -> SparsePair:
    """The dominated masses, where there are any."""
    faces, step = (face, face.reverse()), grid.step
    infinite = [float(each.log_delta(np.inf).exp().lower) * (1 - 16 * ULP) for each in faces]
    corners = _known(faces, grid)
    sides = [_lowered(each, known, step) for each, known in zip(faces, corners, strict=True)]
    corner = min(side.values[0] + mass for side, mass in zip(sides, infinite, strict=True)) * (1 - 4 * ULP)
    infinite = [min(mass, corner) for mass in infinite]
    for side, mass in zip(sides, infinite, strict=True):
        side.values[0] = corner - mass
    sides = [side.convex(step) for side in sides]
    if corner <= 0.0 or any(len(side.places) < 2 for side in sides):
        # What tells nothing is below every release.
        return SparsePair(np.zeros(1, dtype=np.int64), np.ones(1), 0.0, 0.0)
    slope = sum(side.slope(step) for side in sides)
    # Where there is too little room at x = 1 for both slopes, everything is made rarer: that tells less.
    share = min(1.0, 1.0 / (corner + slope)) * (1 - MARGIN)
    centre = max(1.0 - share * (corner + slope) * (1 + 16 * ULP), 0.0)
    right, left = (side.masses(step, outwards=-1, share=(1 - 16 * ULP) * share) for side in sides)
    return SparsePair.of_sides(right, centre, left, step, (infinite[0] * share, infinite[1] * share))


def _known(faces: tuple[Profiled, Profiled], grid: Grid) -> list[_Corners]:
    """The profiles of both orders."""
    return [_corners(face, grid, loosely) for face, loosely in zip(faces, (False, grid.one_way), strict=True)]


@lru_cache(maxsize=8)
def _corners(face: Profiled, grid: Grid, loosely: bool) -> _Corners:
    """The corners, which the pair above and the pair below share if their lattice is the same."""
    return _Corners.of(face, grid, loosely=loosely)


def _reach(face: Profiled, grid: Grid) -> int:
    """The first place, from 1 on, at which delta is next to nothing above the mass at infinity; or the last."""
    floor = max(float(face.log_delta(np.inf).upper), grid.farthest) + 1e-9

    def first_beyond(places: NDArray[np.int64]) -> int:
        return int(np.argmax(np.append(face.log_delta(places * grid.step).upper <= floor, True)))

    doubled = 2 ** np.arange(grid.most.bit_length() + 1)
    found = first_beyond(doubled)
    if found in (0, len(doubled)):
        return int(doubled[min(found, len(doubled) - 1)])
    low, high = int(doubled[found - 1]), int(doubled[found])
    while high - low > 1:
        places = np.linspace(low, high, min(high - low, REACHES) + 1).astype(np.int64)
        found = first_beyond(places[1:-1]) + 1
        low, high = int(places[found - 1]), int(places[found])
    return high


def _lowered(face: Tailed, known: _Corners, step: float) -> _Side:
    """The profile without infinite losses, lowered at each place by as much as it may sag on either side of it.

    The last value is 0. On the cell before, the profile is at least P[Z >= t] (1 - e^(. - t)), t being where it ends.
    """
    sags, places = known.sags(step), known.places
    at = known.ends[0] * (1 - MARGIN)
    before, after = np.append(0.0, sags), np.append(sags, 0.0)
    enough = at > np.maximum(before, after)
    enough[-1] = False
    end = int(np.argmin(enough))
    if end == 0:
        return _Side(np.arange(2), np.zeros(2))
    values = np.append((at - np.maximum(before, after))[:end], 0.0)
    last, line = _last_line(face, int(places[end - 1]), int(places[end]), step)
    values[end - 1] = max(min(at[end - 1] - before[end - 1], line), 0.0)
    return _Side(np.append(places[:end], last), values)


def _last_line(face: Tailed, before: int, end: int, step: float) -> tuple[int, float]:
    """Where a line below the profile had better end, at the last place or at the one before, and its height before.

    A largest loss lies between these two, unless it is a place itself: then all of its mass lies before the last one.
    """
    ends = np.array([each for each in (end, end - 1) if each > before])
    infinite = float(face.log_delta(np.inf).exp().upper)
    tails = face.log_tail_closed(ends * step).exp().lower - infinite
    lines = tails * -np.expm1((before - ends) * step) * (1 - MARGIN)
    best = int(np.argmax(lines))
    return int(ends[best]), float(lines[best])


@dataclass(frozen=True)
class _Side:
    """A polygon in x = e^t, from x = 1 on to where it is level: its values at places of the lattice."""

    places: NDArray[np.int64]
    values: Array

    def slope(self, step: float) -> float:
        """How steeply it falls at first."""
        return float(self.values[0] - self.values[1]) / float(np.expm1(self.places[1] * step))

    def masses(self, step: float, *, outwards: int, share: float) -> _Masses:
        """The corners from the second on and a share of the masses under P there, with their rounding.

        A polygon that rounding keeps from being convex has negative masses: 0 instead of them only raises the profile.
        """
        exact, errors = self._changes(step)
        return self.places[1:], np.maximum(np.maximum(exact, 0.0) + outwards * errors, 0.0) * share

    def _changes(self, step: float) -> tuple[Array, Array]:
        """The masses at the corners from the second on, and bounds on their rounding."""
        width = np.diff(self.places) * step
        falls = self.values[:-1] - self.values[1:]
        before, after = falls / -np.expm1(-width), np.append(falls[1:] / np.expm1(width[1:]), 0.0)
        return before - after, 16 * ULP * (np.abs(before) + np.abs(after))

    def nearly_convex(self, step: float) -> _Side:
        """Without the corners that rounding has raised above the chord of their neighbours; all of them if that fails.

        A polygon through fewer points that lie above a convex function still lies above it.
        """
        hull = self.convex(step)
        return hull if len(hull.places) > 1 else self

    def convex(self, step: float) -> _Side:
        """The lower convex hull, with the first corner and the last; one corner alone if none is found."""
        kept = self._ends(step)
        for _ in range(MOST_PASSES):
            hull = _Side(self.places[kept], self.values[kept])
            masses, errors = hull._changes(step)
            bad = np.concatenate([[False], (masses <= errors)[:-1], [False]])
            if not bad.any():
                return hull
            # Of neighbours that are not convex every second one goes, after which the others may be.
            order = np.arange(len(bad))
            run = order - np.maximum.accumulate(np.where(bad, 0, order))
            kept = kept[~(bad & (run % 2 == 1))]
        return _Side(self.places[:1], self.values[:1])

    def _ends(self, step: float) -> NDArray[np.intp]:
        """All corners but some next to the ends, which were lowered by more than their neighbours.

        From the ends the hull goes straight to where it touches first.
        """
        order, last = np.arange(len(self.places)), len(self.places) - 1
        start = 1 + int(np.argmax((self.values[0] - self.values[1:]) / np.expm1(self.places[1:] * step)))
        ends = [last]
        while ends[-1] > start and len(ends) < 3:
            anchor = ends[-1]
            away = (self.places[:anchor] - self.places[anchor]) * step
            rises = (self.values[:anchor] - self.values[anchor]) / -np.expm1(away)
            ends.append(max(int(np.argmin(rises)), start))
        return np.concatenate([[0], order[start : ends[-1]], ends[::-1]])
