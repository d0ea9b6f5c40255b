"""Sums of losses on one lattice, from above and from below: few releases of any kinds, all questions from one sum.

Each release is put between two finite pairs on the lattice. Masses that are all too large, or all too small, stay so
when they are convolved, and so does what is read off them: the profile and the power at every place at once. The
masses of the reversed pair are e^-loss times those of the pair, so one sum serves both orders.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from typing import Any

import numpy as np

from whit.curves.face import Array
from whit.curves.lattice_pairs import LEAST_LOG_DELTA, LatticePair, dominated, dominating
from whit.errors import TooCostly
from whit.numerics import ULP, convolved, convolved_powers, rest_is_small

# With so many bits its multiples by a number of 20 bits are doubles.
BITS = 33
# More releases than this over more places than this are put together at once.
FEW_RELEASES = 3
FEW_PLACES = 2**12
# Transforms of more numbers take minutes, and soon gigabytes.
MOST_PLACES = 2**21
# Running sums are made in blocks of so many: each has been rounded so often, and once for each block.
BLOCK = 2**10


class LatticeSums:
    """Independent releases {loss: count} on the multiples of a step, each known to a part of its profile.

    The lower pairs have a step that is a hair smaller, the upper ones one that is a hair larger: so a largest loss that
    is a multiple up to rounding lies on the right side of its place. A step of few bits serves both.
    """

    def __init__(self, counts: Mapping[Any, int], step: float, tolerance: float = 1e-7) -> None:
        self.counts = dict(counts)
        self.step = step
        self.tolerance = tolerance

    @property
    def profiles(self) -> tuple[LatticeProfile, LatticeProfile]:
        """The profile of all releases together, from below and from above."""
        return self.lower, self.upper

    @cached_property
    def lower(self) -> LatticeProfile:
        """The profile of all releases together, from below."""
        step = short(self.step, -1)
        pairs = [(dominated(face, step, self.tolerance), times) for face, times in self.counts.items()]
        return LatticeProfile.of(_all_together(pairs, step, -1), step, -1)

    @cached_property
    def upper(self) -> LatticeProfile:
        """The profile of all releases together, from above."""
        step = short(self.step, 1)
        pairs = [(dominating(face, step, self.tolerance), times) for face, times in self.counts.items()]
        return LatticeProfile.of(_all_together(pairs, step, 1), step, 1)

    @cached_property
    def reversed_profiles(self) -> tuple[LatticeProfile, LatticeProfile]:
        """The same with P and Q exchanged."""
        lower, upper = self.profiles
        return lower.reverse(), upper.reverse()


def short(step: float, side: int) -> float:
    """A number of few bits next to the step, or the step itself: half its multiples in one release are doubles."""
    mantissa, exponent = math.frexp(step)  # apart, since a power of two that scales a tiny step may overflow
    scaled = mantissa * 2.0**BITS
    if scaled == math.floor(scaled):
        return step
    return math.ldexp((math.floor if side < 0 else math.ceil)(scaled * (1 + side * 4 * ULP)), exponent - BITS)


def _all_together(pairs: list[tuple[LatticePair, int]], step: float, side: int) -> LatticePair:
    """The masses of all releases: one after the other where they are few, else at once."""
    places = sum(copies * (len(pair.masses) - 1) for pair, copies in pairs)
    if sum(copies for _, copies in pairs) > FEW_RELEASES and places > FEW_PLACES:
        return at_once(pairs, step, side)
    return reduce(partial(_together, step=step, side=side), (_copies(*each, step, side) for each in pairs))


def at_once(
    pairs: list[tuple[LatticePair, int]],
    step: float,
    side: int,
    *,
    farthest: float = LEAST_LOG_DELTA,
    closely: bool = False,
) -> LatticePair:
    """The masses of all releases by one product of their transforms, without far ends of this log, closely or not."""
    parts = [(pair.masses, copies) for pair, copies in pairs]
    nulls = [(_null_masses(pair, step), copies) for pair, copies in pairs]
    size = 1 + sum(copies * (len(masses) - 1) for masses, copies in parts)
    stop = rest_is_small(parts, farthest)
    start = size - rest_is_small([(masses[::-1], copies) for masses, copies in nulls], farthest)
    if stop - start > MOST_PLACES:
        rule = f"must have its losses on at most {MOST_PLACES:,} places of a lattice"
        way_out = "Ask about fewer releases at once."
        raise TooCostly("the composition", rule, f"{stop - start:,} places", way_out)
    masses = convolved_powers(parts, side=side, window=(start, stop), closely=closely)
    first = start + sum(copies * pair.first for pair, copies in pairs)
    infinity = _any_of(parts, [pair.infinity for pair, _ in pairs], side)
    missing = _any_of(nulls, [pair.missing for pair, _ in pairs], side)
    low, high = ((1 + 1e-9) * np.exp(farthest) if cut else 0.0 for cut in (start > 0, stop < size))
    return _with_ends(LatticePair(first, masses, infinity, missing), low, high, step, side)


def _any_of(parts: list[tuple[Array, int]], infinite: list[float], side: int) -> float:
    """The mass of an infinite loss in any of the releases, from the finite masses and the infinite mass of each."""
    finite = [(float(masses.sum()), copies) for masses, copies in parts]
    grown = math.fsum(n * math.log1p(mass / total) for (total, n), mass in zip(finite, infinite, strict=True))
    rest = math.fsum(n * math.log(total) for total, n in finite)
    room = 1e-11 + 1e-13 * sum(n for _, n in finite)
    return math.exp(rest) * math.expm1(grown) * (1 + side * room)


def _copies(pair: LatticePair, copies: int, step: float, side: int) -> LatticePair:
    """So many independent copies, by doubling."""
    if copies == 1:
        return pair
    half = _copies(pair, copies // 2, step, side)
    whole = _together(half, half, step, side)
    return _together(whole, pair, step, side) if copies % 2 else whole


def _together(one: LatticePair, other: LatticePair, step: float, side: int) -> LatticePair:
    """The masses of two independent releases, all rounded to one side."""
    masses = convolved(one.masses, other.masses, side=side)
    finite = [(float(pair.masses.sum()), float(_null_masses(pair, step).sum())) for pair in (one, other)]
    infinity = _either((finite[0][0], one.infinity), (finite[1][0], other.infinity), side)
    missing = _either((finite[0][1], one.missing), (finite[1][1], other.missing), side)
    return _trimmed(LatticePair(one.first + other.first, masses, infinity, missing), step, side)


def _null_masses(pair: LatticePair, step: float) -> Array:
    """The masses under Q of the finite losses."""
    return np.asarray(pair.masses * np.exp(-step * (pair.first + np.arange(len(pair.masses)))))


def _either(one: tuple[float, float], other: tuple[float, float], side: int) -> float:
    """The mass of an infinite loss in either of two releases, from the finite and the infinite mass of each."""
    total = one[1] * (other[0] + other[1]) + one[0] * other[1]
    return float(total * (1 + side * 1e-11))


def _trimmed(pair: LatticePair, step: float, side: int) -> LatticePair:
    """The pair without the far ends, which from above count as infinite, and as the last place that is left."""
    nulls, least = _null_masses(pair, step), np.exp(LEAST_LOG_DELTA)
    low = int(np.searchsorted(np.cumsum(nulls), least))
    high = len(nulls) - int(np.searchsorted(np.cumsum(pair.masses[::-1]), least))
    if low == 0 and high == len(nulls):
        return pair
    left = LatticePair(pair.first + low, pair.masses[low:high], pair.infinity, pair.missing)
    missing, infinity = ((1 + 1e-11) * float(cut.sum()) for cut in (nulls[:low], pair.masses[high:]))
    return _with_ends(left, missing, infinity, step, side)


def _with_ends(pair: LatticePair, missing: float, infinity: float, step: float, side: int) -> LatticePair:
    """The pair with these masses of ends that were cut off: under Q on the left, under P on the right."""
    if side < 0:
        return pair
    masses = pair.masses.copy()
    masses[0] += missing * np.exp(pair.first * step) * (1 + 1e-11)
    masses[-1] += infinity
    return LatticePair(pair.first, masses, pair.infinity + infinity, pair.missing + missing)


def _from_each_on(numbers: Array) -> tuple[Array, int]:
    """The sum of nonnegative numbers from each on, none below the next; and how often one has been rounded at most."""
    rows = max(-(-len(numbers) // BLOCK), 1)
    table = np.pad(numbers[::-1], (0, rows * BLOCK - len(numbers))).reshape(rows, BLOCK)
    inside = np.cumsum(table, axis=1)
    before = np.cumsum(np.append(0.0, inside[:-1, -1]))
    return (inside + before[:, None]).ravel()[: len(numbers)][::-1], min(len(numbers), BLOCK) + rows


@dataclass(frozen=True)
class LatticeProfile:
    """A profile whose corners lie on a lattice, and the power of its tests: bounds from above (side 1) or below (-1).

    places   the losses of the corners
    deltas   the profile at each
    nulls    the mass under Q from each corner on
    slope    e^loss times that, at the first corner
    error    bound on the relative errors of all of them, which are not included yet
    """

    pair: LatticePair
    step: float
    side: int
    places: Array
    deltas: Array
    nulls: Array
    slope: float
    error: float

    @classmethod
    def of(cls, pair: LatticePair, step: float, side: int) -> LatticeProfile:
        """The profile of masses on a lattice: its falls from one corner to the next, all positive, add up."""
        places = np.asarray(step * (pair.first + np.arange(len(pair.masses))), dtype=np.float64)
        nulls, roundings = _from_each_on(_null_masses(pair, step))
        tails = nulls * np.exp(places)
        falls = -np.expm1(-step) * tails[1:]
        deltas = pair.infinity + np.append(_from_each_on(falls)[0], 0.0)
        error = ULP * (32 + 4 * roundings + 8 * float(np.max(np.abs(places))))
        return cls(pair, step, side, places, deltas, nulls, float(tails[0]), error)

    def reverse(self) -> LatticeProfile:
        """The profile of the pair (Q, P)."""
        pair = self.pair
        nulls = _null_masses(pair, self.step)[::-1] * (1 + self.side * self.error)
        first = -(pair.first + len(pair.masses) - 1)
        return LatticeProfile.of(LatticePair(first, nulls, pair.missing, pair.infinity), self.step, self.side)

    def delta(self, t: Array) -> Array:
        """The profile at each t, by the chord between two corners."""
        # A threshold that is moved outwards by more than its own rounding can only help the bound.
        at = t - self.side * 8 * ULP * (np.abs(t) + self.step)
        with np.errstate(over="ignore"):  # what is beyond every double is beyond the last place as well
            left = np.clip(np.floor(at / self.step) - self.pair.first, 0, len(self.places) - 1).astype(np.int64)
        right = np.minimum(left + 1, len(self.places) - 1)
        gone = np.clip(at - self.places[left], 0.0, self.step)
        ahead = np.clip(self.places[right] - at, 0.0, self.step)
        share = np.expm1(gone) / np.expm1(self.step)
        rest = np.exp(gone) * np.expm1(ahead) / np.expm1(self.step)
        inside = self.deltas[left] * rest + self.deltas[right] * share
        before = self.deltas[0] - self.slope * np.expm1(np.minimum(at - self.places[0], 0.0))
        value = np.where(at < self.places[0], before, np.where(at >= self.places[-1], self.deltas[-1], inside))
        return self._outwards(value)

    def log_power(self, log_levels: Array) -> Array:
        """Log of the lowest D(t) + e^t level: at the corner where the mass under Q beyond passes the level.

        The sum is convex in e^t. Where rounding finds a neighbour of the lowest corner, it is as low up to the error.
        """
        with np.errstate(divide="ignore"):
            logs, nulls = np.log(self.deltas), np.log(self.nulls)
            whole = np.log(self.deltas[0] + self.slope)
        last = len(self.places) - np.searchsorted(nulls[::-1], log_levels) - 1
        lines = [np.where(last < 1, whole, np.inf)]
        for shift in (-1, 0, 1):
            at = np.clip(last + shift, 0, len(self.places) - 1)
            lines.append(np.logaddexp(logs[at], self.places[at] + log_levels))
        lowest = np.min(lines, axis=0)
        sizes = [np.where(np.isfinite(each), np.abs(each), 0.0) for each in (lowest, log_levels)]
        return np.asarray(lowest + self.side * (2 * self.error + 8 * ULP * (1 + sizes[0] + sizes[1])))

    def around_lowest(self, log_level: float, higher: tuple[float, ...]) -> Array:
        """Where D(t) + e^t level is lowest, and where on both sides it is higher by these parts: in rising order."""
        with np.errstate(divide="ignore"):
            lines = np.logaddexp(np.log(self.deltas), self.places + log_level)
        best = int(np.argmin(lines))
        wanted = lines[best] + np.asarray(higher)
        left = best - np.searchsorted(-lines[: best + 1], -wanted)
        right = np.searchsorted(lines[best:], wanted)
        # Places that fall together are put side by side between two of the lattice.
        least = np.arange(1, len(higher) + 1) / len(higher)
        before, behind = (np.maximum(np.maximum.accumulate(each), 0) + least for each in (left, right))
        return np.asarray(self.places[best] + self.step * np.concatenate([-before[::-1], [0.0], behind]))

    def _outwards(self, values: Array) -> Array:
        return np.asarray(values * (1 + self.side * 4 * self.error))
