"""Few releases, of any kinds, on one lattice; and whether that is the better way to compose them than the transform.

A transform that falls off slowly, because releases are few and their losses have bounds or atoms, has a dear integral
with wide bounds. On a lattice the same releases are put between two finite pairs, whose sums are listed once for every
question. Where the lattice knows little, far out in the tails, the integral is asked as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import contour
from whit.curves.face import SMALLEST_LOG_LEVEL, Array, Face, LossDistribution, smallest_epsilon
from whit.curves.finite import FinitePair
from whit.curves.gaussian import GaussianLoss
from whit.curves.laplace import LaplaceLoss
from whit.curves.lattice_pairs import FARTHEST
from whit.curves.lattice_sums import LatticeProfile, LatticeSums
from whit.curves.numerical import ComposedLoss
from whit.curves.subsampled import SubsampledLoss
from whit.numerics import ULP, Bracket

# Over about so many places the composed loss reaches, at most.
PLACES = 2**17
# Losses further apart than this could not be told by the doubles that weigh them.
WIDEST = 500.0
# The part of the requested width that a lattice need not be finer than, and that its releases are followed to.
FINE = 0.03
# A release that is dear by itself is followed to its share of this part of delta.
CLOSE = 1e-5
# A step h widens the bounds on a release by this times (c h)^2, where delta falls like e^-ct: the sag of its cells.
SAG = 0.25
# A loss that is to lie on the lattice and lies beside it by less than this part of a step does.
FITTING = 1e-6
# Above this the deltas of the lattice keep their digits: what was cut off on the way is far smaller.
CERTAIN = FARTHEST + 25.0
# An answer this wide, in logs, is asked of the integral as well, however dear.
WIDE = 0.01
# The transform has fallen off where its logarithm is this small. With so few nodes the integral is quick and narrow,
# with so many it is neither, and between the two it is asked.
FALLEN = -16.0
QUICK, SLOW = 500.0, 20_000.0

LAID_OUT = (GaussianLoss, LaplaceLoss, SubsampledLoss, FinitePair)


@dataclass(frozen=True, eq=False, repr=False)
class ShortSum(ComposedLoss):
    """The loss of few releases, between two finite pairs on a lattice.

    sums     the releases on their lattice
    turned   whether P and Q are exchanged
    """

    theorems: ClassVar[tuple[str, ...]] = ("two-lattice-pairs", "losses-add")

    sums: LatticeSums | None = None
    turned: bool = False

    @cached_property
    def _profiles(self) -> tuple[LatticeProfile, LatticeProfile]:
        assert self.sums is not None  # a field with no default may not follow those of the base
        return self.sums.reversed_profiles if self.turned else self.sums.profiles

    @cached_property
    def _whole(self) -> ComposedLoss:
        """The same releases by their transform."""
        return ComposedLoss(self.composition, self.slack, self.relative_width, self.strict, self.relative_tail_width)

    @property
    def _is_dear(self) -> bool:
        """Whether the transform is a sum by itself, whose integral takes long and stays wide."""
        assert self.sums is not None  # as above
        return any(isinstance(face, SubsampledLoss) for face in self.sums.counts)

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the profile: by the lattice, and where that is wide by the integral as well, unless it is dear."""
        t = np.asarray(epsilons, dtype=np.float64)
        finite = np.isfinite(t) & (t < self.largest_loss)
        inside = self._by_lattice(np.where(finite, t, 0.0))
        sure = np.where(np.isneginf(t), 0.0, self.log_infinity)
        known = Bracket(*(np.where(finite, end, sure) for end in _parts(inside)))
        asked = _far_out(inside) if self._is_dear else _wider(inside, self.relative_width)
        return _closer(known, finite & asked, lambda asked: self._whole.log_delta(t[asked]))

    def _by_lattice(self, t: Array) -> Bracket:
        lower, upper = self._profiles
        least = np.maximum(lower.delta(t), -np.expm1(np.minimum(t, 0.0)) * (1 - 8 * ULP))
        with np.errstate(divide="ignore"):
            low, high = np.log(np.maximum(least, 0.0)), np.log(upper.delta(t))
        hair = [8 * ULP * (1 + np.where(np.isfinite(end), np.abs(end), 0.0)) for end in (low, high)]
        bottom, top = low - hair[0], np.minimum(high + hair[1], 0.0)
        return Bracket(bottom, np.where(np.isfinite(bottom), (bottom + top) / 2, top), top)

    def _profile(self, finite: Array) -> Bracket:
        """The profile of what the chords of tails are drawn through."""
        return self.log_delta(finite)

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the power, from the corners of both pairs."""
        levels = np.minimum(np.asarray(log_levels, dtype=np.float64), 0.0)
        inside = np.isfinite(levels) & (levels < 0)
        asked = np.where(inside, np.maximum(levels, SMALLEST_LOG_LEVEL), -1.0)
        lower, upper = (profile.log_power(asked) for profile in self._profiles)
        lower = np.where(levels < SMALLEST_LOG_LEVEL, self.log_infinity, lower)
        # Guessing has the level itself.
        lower = np.minimum(np.maximum(lower, levels * (1 + 4 * ULP)), 0.0)
        ends = [lower, (lower + upper) / 2, np.maximum(np.minimum(upper, 0.0), lower)]
        sure = np.where(np.isneginf(levels), self.log_infinity, 0.0)
        known = Bracket(*(np.where(inside, end, sure) for end in ends))
        return _closer(known, inside & _far_out(known), lambda asked: self._whole.log_power(levels[asked]))

    def epsilon(self, log_deltas: ArrayLike) -> Bracket:
        """The smallest epsilon >= 0 at which D is at most each delta, by bisection: here a profile costs nothing."""
        wanted = np.asarray(log_deltas, dtype=np.float64)
        far = wanted < CERTAIN

        def ends(eps: Array) -> Array:
            """The lower end of the profile in the first row, the middle in the second, the upper end in the third."""
            bracket, rows = self._by_lattice(np.minimum(eps, WIDEST)), eps.ndim - wanted.ndim - 1
            return np.stack([end.take(row, axis=rows) for row, end in enumerate(_parts(bracket))], axis=rows)

        found = Bracket(*smallest_epsilon(ends, np.stack([np.where(far, 0.0, wanted)] * 3)))
        if not far.any():
            return found
        other = self._whole.epsilon(wanted[far])
        sides = [end.copy() for end in _parts(found)]
        for side, part in zip(sides, _parts(other), strict=True):
            side[far] = part
        return Bracket(*sides)

    def log_level(self, log_powers: ArrayLike) -> Bracket:
        """Log of the smallest level at which the power reaches each power, by its log."""
        return Face.log_level(self, log_powers)

    def log_crossing(self, epsilons: ArrayLike) -> Bracket:
        """Log of the largest power that is at least e^epsilon times its level, at each epsilon."""
        return Face.log_crossing(self, epsilons)

    def reverse(self) -> ComposedLoss:
        """The releases with both datasets exchanged; this very sum where every part is symmetric."""
        turned = self.composition.reverse()
        same = turned.counts == self.composition.counts
        return self if same else replace(self, composition=turned, turned=not self.turned)

    def __repr__(self) -> str:
        """A short description: kinds can be many."""
        return f"<ShortSum: {sum(self.composition.counts.values())} mechanisms on a lattice>"


def _far_out(bracket: Bracket) -> NDArray[np.bool_]:
    """Where a lattice knows little: what was cut off on the way is no longer far smaller."""
    return np.asarray(_wider(bracket, WIDE) & (bracket.upper < CERTAIN))


def _wider(bracket: Bracket, width: float) -> NDArray[np.bool_]:
    """Where something is known, but not to this width."""
    return np.asarray((bracket.upper - np.maximum(bracket.lower, -1e300) > width) & np.isfinite(bracket.upper))


def _closer(known: Bracket, asked: NDArray[np.bool_], ask: Callable[[NDArray[np.bool_]], Bracket]) -> Bracket:
    """What two answers leave, where the second one is asked for."""
    if not asked.any():
        return known
    ends, other = [end.copy() for end in _parts(known)], ask(asked)
    for end, closer, part in zip(ends, (np.maximum, np.maximum, np.minimum), _parts(other), strict=True):
        end[asked] = closer(end[asked], part)
    return Bracket(*ends)


def _parts(bracket: Bracket) -> tuple[Array, Array, Array]:
    return bracket.lower, bracket.mid, bracket.upper


def shorter(faces: Mapping[Face, int], whole: ComposedLoss) -> ComposedLoss:
    """The composition by the integral where that has the requested width at little cost, else on a lattice."""
    losses: dict[LossDistribution, int] = {face: copies for face, copies in faces.items() if isinstance(face, LAID_OUT)}
    if whole.strict or len(losses) < len(faces):
        return whole
    expected = nodes(whole.composition)
    step = _step(losses, whole) if expected > QUICK else None
    if step is None or (expected <= SLOW and _is_narrow(whole, step)):
        return whole
    dear = any(isinstance(face, SubsampledLoss) for face in losses)
    tolerance = max(CLOSE if dear else 0.0, FINE * whole.relative_width) / sum(losses.values())
    return ShortSum(**vars(whole), sums=LatticeSums(losses, step, tolerance))


def _is_narrow(whole: ComposedLoss, step: float) -> bool:
    """Whether the integral has the requested width, or one that a lattice of this step cannot be expected to have."""
    scale, copies = contour.scale_of(whole.composition), sum(whole.composition.counts.values())
    deviations = np.array([1.0, 3.0])
    found = whole.log_delta(scale * deviations)
    on_lattice = SAG * copies * (deviations * step / scale) ** 2
    narrow = np.maximum(on_lattice, whole.relative_width)
    return bool(np.all(found.upper - np.maximum(found.lower, -1e300) <= narrow))


def nodes(composition: contour.Composition) -> float:
    """About how many nodes the integral needs, weighted by what one costs: as far as the transform matters.

    They are infinitely many where it does not fall off, or where one node costs too much already.
    """
    scale = contour.scale_of(composition)
    starts = np.geomspace(1.0, 1e6, 61) / scale
    try:
        sizes = composition.log_abs_bound(0.0, starts, starts * starts[1] / starts[0])
        fallen = np.flatnonzero(np.maximum.accumulate(sizes[::-1])[::-1] <= FALLEN)
        reach = float(starts[fallen[0]]) if len(fallen) else math.inf
        return reach * 20 * scale / math.tau * composition.cost(reach) if len(fallen) else math.inf
    except contour.TooManyNodes:
        return math.inf


def _step(faces: Mapping[LossDistribution, int], whole: ComposedLoss) -> float | None:
    """A step on whose multiples the losses lie that must; none if the losses reach too far."""
    reach = sum(_reach(each) for each in (whole.composition, whole.composition.reverse()))
    scale, copies = contour.scale_of(whole.composition), sum(faces.values())
    finest = max(reach / PLACES, scale * math.sqrt(FINE * whole.relative_width / (SAG * copies)))
    marks = sorted({mark for face in faces for mark in landmarks(face)})
    if reach > WIDEST:
        return None
    return fitting_step(marks, finest) if marks else float(np.float32(finest))


def fitting_step(marks: list[float], finest: float) -> float:
    """A step between the finest and twice that of which all marks are multiples, as closely as can be.

    >>> round(1 / fitting_step([0.5, 0.75, 1.0], 0.011))
    88
    """
    whole = np.arange(max(int(marks[-1] / (2 * finest)), 1), max(int(marks[-1] / finest), 1) + 1)
    steps = marks[-1] / whole
    parts = np.divide.outer(np.array(marks), steps)
    beside = np.max(np.abs(parts - np.rint(parts)), axis=0)
    fits = np.flatnonzero(beside <= FITTING)
    return float(steps[fits[0]] if len(fits) else steps[np.argmin(beside * steps)])


def _reach(composition: contour.Composition) -> float:
    """How far the loss reaches but for e^FARTHEST, by Chernoff's bound."""
    tilts = np.geomspace(1e-2, 60.0, 40) / contour.scale_of(composition)
    bounds = (composition.log_mgf_real(tilts) - FARTHEST) / tilts
    return float(min(np.min(bounds), max(composition.loss_range[1], 0.0)))


def landmarks(face: LossDistribution) -> list[float]:
    """The sizes of the losses that have a mass of their own, and had better lie on the lattice."""
    if isinstance(face, LaplaceLoss):
        return [face.largest]
    if isinstance(face, FinitePair):
        return [float(size) for size in np.unique(np.abs(face.losses)) if size > 0]
    if isinstance(face, SubsampledLoss) and isinstance(face.base, LaplaceLoss):
        ends = [abs(math.log1p(face.rate * math.expm1(sign * face.base.largest))) for sign in (-1, 1)]
        return [end for end in ends if end > 0]
    return []
