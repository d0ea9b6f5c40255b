"""A replaced record, when only what an added or a removed one tells is known: profiles from above, symmetric ones.

Whoever is replaced is removed first and then added: the two profiles together bound that of the replacement. Where
replacing changes the answer by no more than adding does, the profile of the removed record alone is enough. Either
way both orders of the two datasets have the same bound.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.face import SMALLEST_LOG_LEVEL, WIDEST, Array, Face
from whit.curves.laplace import LaplaceLoss
from whit.curves.mixture import GaussianMixtureLoss
from whit.curves.profile import mirrored
from whit.curves.subsampled import LARGE, SubsampledLoss
from whit.numerics import ULP, Bracket, add_up

# Golden section: a range shrinks by a factor of 1e8 in so many steps, and what it costs is the square of what is left.
STEPS = 40
GOLDEN = (5**0.5 - 1) / 2
# No loss of an added record is looked for further out.
FARTHEST = 800.0
# From here on the profile is taken to be level.
LARGEST = 1e6
# A hair above a largest loss nothing is left, whatever the rounding.
BEYOND = 1 + 1e-12
# By this share of its log a bound is taken to be known from below, for those who ask how closely.
NEARLY = 1e-13


@dataclass(frozen=True)
class SymmetricBound(Face):
    """An upper bound on a profile that is the same in both orders of the pair."""

    is_one_pair: ClassVar[bool] = True
    is_from_above: ClassVar[bool] = True

    removed: Face

    @abstractmethod
    def _log_delta(self, epsilons: Array) -> Array:
        """Log of the bound at each epsilon of at least 0."""

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the bound, which for negative epsilons is the mirror image; from below it is not known closely."""
        t = np.asarray(epsilons, dtype=np.float64)
        size = np.abs(t)
        right = self._log_delta(size)
        found = np.where(t < 0, mirrored(size, right), right)
        upper = np.minimum(found + ULP * (16 + 4 * _size(found)), 0.0)
        return Bracket(np.minimum(found * (1 + NEARLY) - NEARLY, upper), np.minimum(found, upper), upper)

    @abstractmethod
    def _log_power(self, log_levels: Array) -> Array:
        """Log of an upper bound on the power at each finite log of a level below 0."""

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the bound on the power; from below only that guessing has the level."""
        levels = np.minimum(np.asarray(log_levels, dtype=np.float64), 0.0)
        inside = self._log_power(np.clip(levels, SMALLEST_LOG_LEVEL, -1e-300))
        upper = np.where(levels >= 0, 0.0, np.where(np.isneginf(levels), self.log_delta(np.inf).upper, inside))
        return Bracket(np.minimum(levels, upper), upper, upper)

    def reverse(self) -> Self:
        """This bound."""
        return self


@dataclass(frozen=True)
class SmallReplacement(SymmetricBound):
    """A replacement that changes the answer by no more than adding or removing a record does."""

    def _log_delta(self, epsilons: Array) -> Array:
        return self.removed.log_delta(epsilons).upper

    def _log_power(self, log_levels: Array) -> Array:
        return lowest_line(self, log_levels)


@dataclass(frozen=True)
class Replacement(SymmetricBound):
    """A replacement known only to remove one record and add another.

    D(t) is at most D_removed(t - v) + e^(t - v) D_added(v), whatever v is; the best v is between 0 and the largest loss
    of an added record.
    """

    def _log_delta(self, epsilons: Array) -> Array:
        added, finite = self.removed.reverse(), np.isfinite(epsilons)
        t = np.minimum(np.where(finite, epsilons, 0.0), LARGEST)  # the profile falls

        def together(v: Array) -> Array:
            far = add_up(t - v + 4 * ULP * t, added.log_delta(v).upper)
            parts = np.logaddexp(self.removed.log_delta(t - v - 4 * ULP * t).upper, far)
            return np.asarray(parts + ULP * (8 + 4 * _size(parts)))

        largest = np.full(t.shape, self._largest)
        best = self._best(self.removed, t)
        if best is None:
            found = least(together, np.zeros(t.shape), largest)
        else:  # far out, nothing is left of the added record
            found = np.minimum(together(best), together(largest))
        return np.where(finite, found, self.removed.log_delta(np.inf).upper)

    @cached_property
    def _largest(self) -> float:
        """A hair more than the largest loss of an added record."""
        return min(float(self.removed.reverse().epsilon(-np.inf).upper) * BEYOND, FARTHEST)

    @staticmethod
    def _best(removed: Face, t: Array) -> Array | None:
        """About the best v where it is in closed form: there both tests reject from the same place on.

        Of Gaussian noise that is the place where the two mixtures have densities with the ratio e^t, a quadratic
        equation. Of Laplace noise the added record has its largest loss there.
        """
        if isinstance(removed, GaussianMixtureLoss):
            return removed.split(t)
        if not isinstance(removed, SubsampledLoss):
            return None
        rate, base = removed.rate, removed.base
        if isinstance(base, LaplaceLoss):
            return np.full(t.shape, -np.log1p(rate * np.expm1(-base.largest)) * BEYOND)
        grown = np.minimum(t, LARGE / 4)
        half = (1 - rate) * np.expm1(grown) / 2
        square = min(base.mu, LARGE) ** 2  # capped first: that of a mu from 1e155 on is no double
        heavy = max(rate * np.exp(-min(square, LARGE) / 2), 1e-150)
        shift = (half + np.sqrt(half**2 + heavy**2 * np.exp(grown))) / heavy  # e^(mu x) at the place x
        split = -np.log1p(rate * np.expm1(-np.log(shift) - min(square, LARGE) / 2))
        return np.where(split >= 0, split, 0.0)  # whatever it is, the sum is a bound

    def _log_power(self, log_levels: Array) -> Array:
        """The power of the removed record at the level that the added one makes of this."""
        return self.removed.log_power(self.removed.reverse().log_power(log_levels).upper).upper


def lowest_line(face: Face, log_levels: Array) -> Array:
    """Log of the lowest line D(t) + e^t level that is found, at each finite log of a level: any is above the power."""
    places = np.concatenate([-WIDEST[::-1], [0.0], WIDEST])
    levels = log_levels[..., None]
    lines = np.logaddexp(face.log_delta(places).upper, places + levels)
    best = np.clip(np.argmin(lines, axis=-1), 1, len(places) - 2)

    def line(t: Array) -> Array:
        return np.asarray(np.logaddexp(face.log_delta(t).upper, t + log_levels))

    lowest = least(line, places[best - 1], places[best + 1])
    return np.minimum(lowest + ULP * (64 + 8 * _size(lowest)), 0.0)


def least(function: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """The smallest value that golden section finds, in each range by itself; also at both ends."""
    a, b = low, high
    found = np.minimum(function(a), function(b))
    inner = b - GOLDEN * (b - a), a + GOLDEN * (b - a)
    values = [function(each) for each in inner]
    for _ in range(STEPS):
        found = np.minimum(found, np.minimum(*values))
        left = values[0] <= values[1]
        a, b = np.where(left, a, inner[0]), np.where(left, inner[1], b)
        fresh = np.where(left, b - GOLDEN * (b - a), a + GOLDEN * (b - a))
        value = function(fresh)
        kept, kept_value = np.where(left, inner[0], inner[1]), np.where(left, values[0], values[1])
        inner = np.where(left, fresh, kept), np.where(left, kept, fresh)
        values = [np.where(left, value, kept_value), np.where(left, kept_value, value)]
    return found


def _size(x: Array) -> Array:
    return np.where(np.isfinite(x), np.abs(x), 0.0)
