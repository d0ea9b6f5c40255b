"""Two releases with a density, and others with finitely many losses, by polygons that bend where the profiles do.

On a lattice every release has the same step. Here each has corners where it needs them: close together in the bulk, at
an atom and at an edge, far apart in a tail. So each profile is known to the same part of itself everywhere, and so is
that of all together, which at each threshold is one sum over the corners of the first release.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from whit.curves.beside_atoms import few_sums
from whit.curves.discrete_gaussian import DiscreteGaussianLoss
from whit.curves.face import Array, LossDistribution
from whit.curves.finite import FinitePair, identical
from whit.curves.gaussian import GaussianLoss, one_gaussian
from whit.curves.laplace import LaplaceLoss
from whit.curves.lattice_pairs import Grid, Tailed, sparse_above, sparse_below
from whit.curves.two_laplaces import TwoLaplaces
from whit.numerics import ULP, Bracket

# The corners lie on multiples of this part of the deviation of the sum, and no further from 0 than so many of them.
FINENESS = 2.0**-36
MOST_PLACES = 2**50
# A polygon follows its profile to this part of it.
CLOSE = 2e-6
# Far out it does so down to the second of these, and is cut off where its logarithm is the first.
FARTHEST, FAINT = -140.0, 1e-48
# A release that reaches further than this reaches too far there.
WIDEST = 150.0
# Beside more sums of finite losses than this each threshold takes long.
MOST_ATOMS = 100


@dataclass(frozen=True)
class Polygon:
    """The profile of a pair with few losses, on one side of that of a release.

    losses     the losses, in rising order
    masses     their masses under P
    infinity   the mass of an infinite loss
    side       1 where the profile is nowhere below that of the release, -1 where it is nowhere above
    """

    losses: Array
    masses: Array
    infinity: float
    side: int

    @classmethod
    def of(cls, release: Tailed, grid: Grid, side: int) -> Polygon:
        """The polygon above a release, or the one below it."""
        pair = sparse_above(release, grid) if side > 0 else sparse_below(release, grid)
        return cls(np.asarray(pair.places * grid.step, dtype=np.float64), pair.masses, pair.infinity, side)

    @cached_property
    def error(self) -> float:
        """A bound on the relative errors of sums over all losses."""
        return float(ULP * (32 + 4 * len(self.losses) + 8 * np.max(np.abs(self.losses))))

    @cached_property
    def whole(self) -> float:
        """The mass of all losses, rounded to the side."""
        return float(self.masses.sum() + self.infinity) * (1 + self.side * self.error)

    @cached_property
    def up_to(self) -> Array:
        """The mass of the losses before each, and of all."""
        return np.append(0.0, np.cumsum(self.masses))

    @cached_property
    def _corners(self) -> Array:
        """e to each loss."""
        return np.exp(self.losses)

    @cached_property
    def _nulls(self) -> Array:
        """The mass under Q from each loss on: how steeply the profile falls in e^t before it."""
        return np.asarray(np.cumsum((self.masses * np.exp(-self.losses))[::-1])[::-1])

    @cached_property
    def _deltas(self) -> Array:
        """The profile at the losses: its falls from one to the next, all positive, add up."""
        falls = -np.expm1(-np.diff(self.losses)) * (self._nulls * self._corners)[1:]
        return np.asarray(self.infinity + np.append(np.cumsum(falls[::-1])[::-1], 0.0))

    def delta(self, x: Array) -> Array:
        """The profile at each x = e^t up to the last corner, apart from the error: from the next corner backwards."""
        behind = np.minimum(np.searchsorted(self._corners, x), len(self.losses) - 1)
        return np.asarray(self._deltas[behind] + self._nulls[behind] * np.maximum(self._corners[behind] - x, 0.0))


@dataclass(frozen=True, eq=False)
class CloseSum:
    """Two releases and the sums of finite ones: the profile of all together, by polygons for the two.

    first, second   the releases
    atoms           the sums of the finite ones
    grid            where the corners lie
    """

    first: Tailed
    second: Tailed
    atoms: FinitePair
    grid: Grid

    def log_delta(self, t: Array) -> Bracket:
        """Log of the profile at thresholds of any shape."""
        lower, upper = ([self._delta(float(at), side) for at in t.ravel()] for side in (-1, 1))
        with np.errstate(divide="ignore"):
            low, high = np.log(np.minimum(lower, 1.0)), np.log(np.minimum(upper, 1.0))
        bottom, top = low - 8 * ULP * (1 + _size(low)), np.minimum(high + 8 * ULP * (1 + _size(high)), 0.0)
        middle = np.where(np.isfinite(bottom), (bottom + top) / 2, top)
        return Bracket(*(end.reshape(t.shape) for end in (bottom, middle, top)))

    def reverse(self) -> CloseSum:
        """The releases with both datasets exchanged."""
        return CloseSum(self.first.reverse(), self.second.reverse(), self.atoms.reverse(), self.grid)

    @cached_property
    def far(self) -> CloseSum | None:
        """The same, with corners further out; None where they would lie so far out that e to a loss is no double."""
        widest = max(float(np.max(np.abs(each.losses))) for each in self._above)
        return None if widest > WIDEST else replace(self, grid=replace(self.grid, farthest=FARTHEST, faint=FAINT))

    @cached_property
    def _above(self) -> tuple[Polygon, Polygon]:
        return self._polygons(1)

    @cached_property
    def _below(self) -> tuple[Polygon, Polygon]:
        return self._polygons(-1)

    def _polygons(self, side: int) -> tuple[Polygon, Polygon]:
        """The one with fewer corners first: they are summed over."""
        one, other = (Polygon.of(release, self.grid, side) for release in (self.first, self.second))
        return (one, other) if len(one.losses) <= len(other.losses) else (other, one)

    def _delta(self, t: float, side: int) -> float:
        """The profile at a threshold, on one side: the sum over the finite losses and the infinite one."""
        one, other = self._above if side > 0 else self._below
        atoms, sizes = self.atoms, [float(np.max(np.abs(each.losses))) for each in (one, other, self.atoms)]
        room = atoms.mass_error + ULP * (16 + 4 * float(np.max(np.abs(atoms.log_masses))) + 4 * len(atoms.losses))
        masses = np.exp(atoms.log_masses) * (1 + side * room)
        # A threshold that is moved outwards by more than its rounding, and that of the losses, can only help the bound.
        hair = atoms.loss_error + 16 * ULP * (1 + abs(t) + math.fsum(sizes))
        parts = [_delta_of_two(one, other, t - side * hair - loss) for loss in atoms.losses]
        infinite = atoms.log_delta(np.inf).exp()
        infinity = float(infinite.upper if side > 0 else infinite.lower)
        found = float(np.sum(masses * parts)) + infinity * one.whole * other.whole
        return found * (1 + side * 4 * (one.error + other.error))


def _delta_of_two(one: Polygon, other: Polygon, t: float) -> float:
    """The profile of two polygons at a threshold: that of the other, moved by the losses of the one."""
    # Beyond its last loss the other has nothing but its infinite one.
    start = int(np.searchsorted(one.losses, t - other.losses[-1]))
    inside = float(np.sum(one.masses[start:] * other.delta(np.exp(t - one.losses[start:]))))
    return inside + other.infinity * float(one.up_to[start]) + one.infinity * other.whole


def _size(logs: Array) -> Array:
    return np.where(np.isfinite(logs), np.abs(logs), 0.0)


def close_sum(counts: Mapping[LossDistribution, int], scale: float) -> CloseSum | None:
    """The sum of these releases, whose loss deviates about so much; None where it is not one of two and finite ones."""
    finite = {face: copies for face, copies in counts.items() if isinstance(face, FinitePair)}
    if any(isinstance(face, DiscreteGaussianLoss) for face in counts):
        return None
    dense = _dense(counts)
    atoms = few_sums(finite, MOST_ATOMS) if finite else identical()
    if len(dense) != 2 or atoms is None:
        return None
    first, second = dense
    step = 2.0 ** math.ceil(math.log2(scale)) * FINENESS
    return CloseSum(first, second, atoms, Grid(step, CLOSE, MOST_PLACES, one_way=True))


def _dense(counts: Mapping[LossDistribution, int]) -> list[Tailed]:
    """The releases with a density: Gaussian ones count as one, and so do two with Laplace noise."""
    gaussians = {face: copies for face, copies in counts.items() if isinstance(face, GaussianLoss)}
    laplaces = [face for face, copies in counts.items() if isinstance(face, LaplaceLoss) for _ in range(copies)]
    known = FinitePair | GaussianLoss | LaplaceLoss
    found: list[Tailed] = [
        face for face, copies in counts.items() if not isinstance(face, known) for _ in range(min(copies, 3))
    ]
    if gaussians:
        found.append(one_gaussian(gaussians))
    if len(laplaces) == 2 and not any(each.loss_error for each in laplaces):
        found.append(TwoLaplaces(laplaces[0].largest, laplaces[1].largest))
    else:
        found.extend(laplaces)
    return found
