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
from whit.curves.beside_atoms import beside_atoms
from whit.curves.by_chords import tails_by_chords
from whit.curves.close_sum import FAINT, CloseSum, close_sum
from whit.curves.discrete_gaussian import DiscreteGaussianLoss
from whit.curves.distinct_sums import few_distinct_sums, summed
from whit.curves.even_lattice import EvenLattice
from whit.curves.face import SMALLEST_LOG_LEVEL, Array, Face, LossDistribution, smallest_epsilon
from whit.curves.far_out import large_enough
from whit.curves.finite import FinitePair
from whit.curves.gaussian import GaussianLoss
from whit.curves.laplace import LaplaceLoss
from whit.curves.lattice_pairs import LEAST_LOG_DELTA
from whit.curves.lattice_steps import FINE, LISTED, SAG, WIDEST, fits, lattice_step
from whit.curves.lattice_sums import LatticeProfile, LatticeSums
from whit.curves.lowest_line import read_around
from whit.curves.mixture import GaussianMixtureLoss
from whit.curves.numerical import ComposedLoss
from whit.curves.subsampled import SubsampledLoss
from whit.numerics import ULP, Bracket

# A release that is dear by itself is followed to its share of this part of delta.
CLOSE = 3e-6
# Above this the deltas of the lattice keep their digits: what was cut off on the way is far smaller.
CERTAIN = LEAST_LOG_DELTA + 25.0
# Above this those of polygons do.
FAINTEST = math.log(FAINT) + 5.0
# With so many points a profile is drawn where it is nearly straight: where its log falls by less than this, or where it
# was looked at so often, each time between two neighbours. A log that is smaller than this is that of nothing.
FEW = 9
STRAIGHT = 0.5
ZOOMS = 6
LARGEST = 1e300
# An epsilon that is wider than so many times the requested width of delta is asked of the integral, unless dear.
UNFIT = 10.0
# A delta that is wider than this, in logs, is asked of polygons as well where the integral is dear; so is a power.
NARROW = 5e-6
LOOSE = 3e-5
# Where the lowest line is looked for again: as far as the lines of the lattice are higher by so large a part.
HIGHER = (1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1)
# An answer this wide, in logs, is asked of the integral as well, however dear.
WIDE = 0.01
# The transform has fallen off where its logarithm is this small. With so few nodes the integral is quick and narrow,
# with so many it is slow, and between the two it is asked.
FALLEN = -16.0
QUICK, SLOW = 500.0, 5_000.0
# Where losses spread further than this a lattice is coarse: there, what is expected of a sample is looked at on so many
# times as many ranges. If less is expected than a moderate amount, nodes are counted; so many of a sample are many, and
# so many more are where the lattice knows bounds from above only, which are dear to lay out.
SPREAD = 1.0
CUTS = 16
MODERATE = 3_000.0
MANY, MORE = 500, 1_000
# A lattice that is expected to be this wide is coarse.
COARSE = 1e-4


LAID_OUT = (GaussianLoss, LaplaceLoss, SubsampledLoss, GaussianMixtureLoss, FinitePair, DiscreteGaussianLoss)
DEAR = (SubsampledLoss, GaussianMixtureLoss)


@dataclass(frozen=True, eq=False, repr=False)
class ShortSum(ComposedLoss):
    """The loss of few releases, between two finite pairs on a lattice.

    sums     the releases on their lattice
    turned   whether P and Q are exchanged
    saves    whether the integral is left alone where the lattice is fine, or the profile next to nothing
    alone    whether the profile is that of the lattice everywhere
    even     the releases on the lattice of other accountants
    waits    whether that is asked as well, which takes longer
    """

    theorems: ClassVar[tuple[str, ...]] = ("two-lattice-pairs", "tilted-convolution", "losses-add")

    sums: LatticeSums | None = None
    turned: bool = False
    saves: bool = False
    alone: bool = False
    even: EvenLattice | None = None
    waits: bool = False

    @cached_property
    def closest(self) -> ShortSum:
        """This sum by the lattice of other accountants as well, unless time is to be saved: no larger than theirs."""
        return self if self.saves or self.alone else replace(self, waits=True)

    @property
    def thrifty(self) -> ShortSum:
        """This sum by its lattice alone, unless that is coarse where the profile is not next to nothing."""
        return replace(self, saves=True)

    @property
    def rough(self) -> ShortSum:
        """This sum by its lattice alone."""
        return replace(self, alone=True)

    @cached_property
    def _profiles(self) -> tuple[LatticeProfile, LatticeProfile]:
        assert self.sums is not None  # a field with no default may not follow those of the base
        return self.sums.reversed_profiles if self.turned else self.sums.profiles

    @cached_property
    def _whole(self) -> ComposedLoss:
        """The same releases by their transform."""
        return ComposedLoss(self.composition, self.slack, self.relative_width, self.strict, self.relative_tail_width)

    @cached_property
    def _close(self) -> CloseSum | None:
        """The same releases by polygons of their own, where there are two and finite ones."""
        assert self.sums is not None  # as above
        found = close_sum(self.sums.counts, contour.scale_of(self.composition))
        return found.reverse() if found is not None and self.turned else found

    @property
    def _is_dear(self) -> bool:
        """Whether the transform is a sum by itself, whose integral takes long and stays wide."""
        assert self.sums is not None  # as above
        return any(isinstance(face, DEAR) for face in self.sums.counts)

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the profile: by the lattice, and where that is wide by the integral as well, unless it is dear."""
        t = np.asarray(epsilons, dtype=np.float64)
        finite = np.isfinite(t) & (t < self.largest_loss)
        inside = self._by_lattice(np.where(finite, t, 0.0))
        sure = [np.where(np.isneginf(t), 0.0, end) for end in self.infinite.ends]
        known = Bracket(*(np.where(finite, *ends) for ends in zip(inside.ends, sure, strict=True)))
        if self.alone:
            return known
        wide = finite & _wider(inside, COARSE if self.saves else self.relative_width)
        if self.saves:
            wide = wide & (inside.upper >= CERTAIN)
        if self._is_dear:
            known = self._by_polygons(t, known, wide)
            wide = wide & _far_out(known)
        return _closer(known, wide, lambda asked: self._whole.log_delta(t[asked]))

    def _by_polygons(self, t: Array, known: Bracket, wide: NDArray[np.bool_]) -> Bracket:
        """What is known, and what polygons say where it is wide; far out these have more corners."""
        near = wide & _wider(known, NARROW) & (known.upper >= CERTAIN)
        far = wide & _far_out(known)
        close = self._close if near.any() or far.any() else None
        if close is None:
            return known
        known = _closer(known, near, lambda asked: close.log_delta(t[asked]))
        further = close.far if far.any() else None
        return known if further is None else _closer(known, far, lambda asked: further.log_delta(t[asked]))

    def _by_lattice(self, t: Array) -> Bracket:
        lower, upper = self._profiles
        least = np.maximum(lower.delta(t), -np.expm1(np.minimum(t, 0.0)) * (1 - 8 * ULP))
        most = upper.delta(t)
        if self.even is not None and self.waits and not (self.saves or self.alone):
            most = np.minimum(most, self.even.delta(t, turned=self.turned))
        with np.errstate(divide="ignore"):
            low, high = np.log(np.maximum(least, 0.0)), np.log(most)
        hair = [8 * ULP * (1 + np.where(np.isfinite(end), np.abs(end), 0.0)) for end in (low, high)]
        bottom, top = low - hair[0], np.minimum(high + hair[1], 0.0)
        return Bracket(bottom, np.where(np.isfinite(bottom), (bottom + top) / 2, top), top)

    def _profile(self, finite: Array) -> Bracket:
        """The profile of what the chords of tails are drawn through."""
        return self.log_delta(finite)

    def _narrowed(self, tail: Bracket, finite: Array) -> Bracket:
        """The tail by chords; where it is still wide by those as long as the losses beyond reach, which is D/tail."""
        found = super()._narrowed(tail, finite)

        def by_chords(asked: NDArray[np.bool_]) -> Bracket:
            reaches = np.exp(np.minimum(self.log_delta(finite[asked]).mid - found.mid[asked], 0.0))
            return tails_by_chords(self._profile, finite[asked], reaches)

        return _closer(found, _wider(found, WIDE), by_chords)

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the power, from the corners of both pairs."""
        levels = np.minimum(np.asarray(log_levels, dtype=np.float64), 0.0)
        inside = np.isfinite(levels) & (levels < 0)
        asked = np.where(inside, np.maximum(levels, SMALLEST_LOG_LEVEL), -1.0)
        lower, upper = (profile.log_power(asked) for profile in self._profiles)
        edge = self._power_at_edge(asked)
        lower = np.where(levels < SMALLEST_LOG_LEVEL, self.infinite.lower, np.maximum(lower, edge.lower))
        upper = np.minimum(upper, edge.upper)
        # Guessing has the level itself.
        lower = np.minimum(np.maximum(lower, levels * (1 + 4 * ULP)), 0.0)
        ends = [lower, (lower + upper) / 2, np.maximum(np.minimum(upper, 0.0), lower)]
        sure = [np.where(np.isneginf(levels), end, 0.0) for end in self.infinite.ends]
        known = Bracket(*(np.where(inside, *each) for each in zip(ends, sure, strict=True)))
        loose = inside & _wider(known, LOOSE) & (not self.saves)
        if loose.any() and (not self._is_dear or self._close is not None):
            again = loose & (known.upper >= (LEAST_LOG_DELTA if self._is_dear else CERTAIN))
            known = _closer(known, again, lambda asked: self._read_again(levels[asked]))
        return _closer(known, inside & _far_out(known), lambda asked: self._whole.log_power(levels[asked]))

    def _read_again(self, log_levels: Array) -> Bracket:
        """The power by the profile at few places around the lowest line of the lattice, where it is known closely."""
        places = np.stack([self._profiles[1].around_lowest(level, HIGHER) for level in log_levels])
        return Bracket(*read_around(self, log_levels, places, LOOSE))

    def epsilon(self, log_deltas: ArrayLike) -> Bracket:
        """The smallest epsilon >= 0 at which D is at most each delta, by bisection: here a profile costs nothing.

        Where delta is too small for a lattice, the integral is asked; and where it is not close, unless that is dear.
        """
        asked = np.asarray(log_deltas, dtype=np.float64)
        # No finite loss is above the largest; and an epsilon for a small delta is a lower bound on that for none.
        none = np.isneginf(asked) & (not self.has_top)
        wanted = np.where(none, CERTAIN, asked)
        far = wanted < CERTAIN

        def ends(eps: Array) -> Array:
            """The lower end of the profile in the first row, the middle in the second, the upper end in the third."""
            bracket, rows = self._by_lattice(np.minimum(eps, WIDEST)), eps.ndim - wanted.ndim - 1
            return np.stack([end.take(row, axis=rows) for row, end in enumerate(bracket.ends)], axis=rows)

        found = Bracket(*smallest_epsilon(ends, np.stack([np.where(far, 0.0, wanted)] * 3)))
        least = found.upper * (1 - UNFIT * self.relative_width)
        unfit = np.isfinite(found.upper) & (found.lower < least) & ~far
        known = _closer(found, far, lambda at: self._far_epsilon(wanted[at]), replaced=True)
        if not self.alone and (not self._is_dear or (unfit.any() and self._close is not None)):
            known = _closer(known, unfit, lambda at: self._polished(found[at], wanted[at]))
        largest = self.largest_loss if np.isneginf(self.log_infinity) else np.inf
        lower = np.where(none & np.isinf(largest), np.inf, known.lower)
        return Bracket(lower, *(np.where(none, largest, end) for end in (known.mid, known.upper)))

    def _far_epsilon(self, wanted: Array) -> Bracket:
        """Epsilons for deltas that are too small for a lattice: by polygons, or by the integral."""
        if not self._is_dear or self._close is None or np.any(wanted < FAINTEST):
            return self._whole.epsilon(wanted)
        highest = np.array([large_enough(self._whole, float(each)) for each in wanted])
        return self._polished(Bracket(np.zeros(wanted.shape), highest, highest), wanted)

    def _polished(self, found: Bracket, wanted: Array) -> Bracket:
        """Epsilons by the integral, between bounds that are known."""
        loss = self if self._is_dear else self._whole
        ends = [_checked_between(loss, *each) for each in zip(wanted, found.lower, found.upper, strict=True)]
        return Bracket(*(np.array(side) for side in zip(*ends, strict=True)))

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


def _checked_between(loss: ComposedLoss, log_delta: float, low: float, high: float) -> tuple[float, float, float]:
    """Bounds on the smallest epsilon with D(epsilon) <= delta, and an estimate, where it lies between two others."""
    start, stop = low, high
    for _ in range(ZOOMS):
        t = np.linspace(start, stop, FEW)
        logs = np.maximum(loss.log_delta(t).mid, -LARGEST)
        first = int(np.clip(np.argmax(logs <= log_delta), 1, FEW - 1))
        start, stop = float(t[first - 1]), float(t[first])
        if logs[0] - logs[-1] < STRAIGHT:
            break
    epsilon = float(np.interp(-log_delta, -logs, t))
    # Where the profile falls so steeply, a delta of the requested width is an epsilon of this one.
    pad = loss.relative_width * float(t[-1] - t[0]) / max(float(logs[0] - logs[-1]), loss.relative_width)
    near = np.clip(epsilon + pad * np.concatenate([-(4.0 ** np.arange(FEW)), 4.0 ** np.arange(FEW)]), low, high)
    delta = loss.log_delta(near)
    above, below = near[delta.upper <= log_delta], near[delta.lower > log_delta]
    return float(np.max(below, initial=low)), epsilon, float(np.min(above, initial=high))


def _far_out(bracket: Bracket) -> NDArray[np.bool_]:
    """Where a lattice knows little: what was cut off on the way is no longer far smaller."""
    return np.asarray(_wider(bracket, WIDE) & (bracket.upper < CERTAIN))


def _wider(bracket: Bracket, width: float | Array) -> NDArray[np.bool_]:
    """Where something is known, but not to this width."""
    return np.asarray((bracket.upper - np.maximum(bracket.lower, -1e300) > width) & np.isfinite(bracket.upper))


def _closer(
    known: Bracket, asked: NDArray[np.bool_], ask: Callable[[NDArray[np.bool_]], Bracket], *, replaced: bool = False
) -> Bracket:
    """What two answers leave, where the second one is asked for; or the second one itself."""
    if not asked.any():
        return known
    ends, other = [end.copy() for end in known.ends], ask(asked)
    for end, closer, part in zip(ends, (np.maximum, None, np.minimum), other.ends, strict=True):
        end[asked] = part if replaced or closer is None else closer(end[asked], part)
    return Bracket(ends[0], np.clip(ends[1], ends[0], ends[2]), ends[2])


def shorter(faces: Mapping[Face, int], whole: ComposedLoss) -> ComposedLoss:
    """The composition by the integral where that has the requested width at little cost, else on a lattice.

    Discrete noise and finite losses are listed, if they are not too many. So are atoms that lie on no lattice together,
    or beside a sample, which is dear to lay out, if they are few and there is only one release beside them.
    """
    if whole.strict or not all(isinstance(face, LAID_OUT) for face in faces):
        return whole
    if all(isinstance(face, LISTED) for face in faces):
        noise = beside_atoms(faces, whole)
        if noise is not None:
            return noise
    expected, dear = nodes(whole.composition), any(isinstance(face, DEAR) for face in faces)
    if expected <= QUICK or (dear and contour.scale_of(whole.composition) > SPREAD and is_quick(whole, MANY)):
        return whole
    losses = dict(_gathered(face, copies) for face, copies in faces.items())
    step = lattice_step(losses, whole)
    on_lattice = step is not None and fits(losses, step) and not dear
    listed = None if on_lattice else beside_atoms(faces, whole)
    if listed is not None:
        return listed
    if step is None or _is_narrow(whole, step, expected, dear):
        return whole
    tolerance = max(CLOSE if dear else 0.0, FINE * whole.relative_width) / sum(losses.values())
    sums = LatticeSums(losses, step, tolerance)
    return ShortSum(**vars(whole), sums=sums, even=EvenLattice(sums))


def _gathered(face: Face, copies: int) -> tuple[LossDistribution, int]:
    """Finite losses with all their copies at once, where their sums are few: so they are laid out once."""
    assert isinstance(face, LAID_OUT)  # nothing else comes here
    lattice = few_distinct_sums({face: copies}) if isinstance(face, FinitePair) and copies > 1 else None
    if isinstance(face, FinitePair) and lattice is not None:
        return summed({face: copies}, lattice), 1
    return face, copies


def _is_narrow(whole: ComposedLoss, step: float, expected: float, dear: bool) -> bool:
    """Whether the integral has the requested width, or one that a lattice of this step cannot be expected to have.

    It is not asked where the lattice is expected to have the requested width as well; if so many nodes are expected
    that it is slow, only where the lattice is expected to be coarse. Where a node is dear, it must not need many.
    """
    scale, copies = contour.scale_of(whole.composition), sum(whole.composition.counts.values())
    deviations = np.array([1.0, 3.0, 6.0])
    near, middle, far = SAG * copies * (deviations * step / scale) ** 2
    if middle <= (COARSE if expected > SLOW else whole.relative_width):
        return False
    # At the second place it is as wide as at the first one, or wider; far out it need only know something.
    if dear and expected <= SLOW and whole.certificate(scale * deviations[1]).nodes > MANY:
        return False
    wanted = np.array([near, far]) * (expected <= SLOW)
    narrow = np.maximum(wanted, [whole.relative_width, WIDE])
    # Some losses end within a few deviations. Where it is wide at the one place already, the other need not be asked.
    places = np.minimum(scale * deviations[1:], whole.largest_loss / 2)
    return not any(_wider(whole.log_delta(at), most) for at, most in zip(places, narrow, strict=True))


def is_quick(whole: ComposedLoss, most: int = MORE) -> bool:
    """Whether the integral has the requested width with at most so many nodes."""
    expected = nodes(whole.composition)
    if QUICK < expected < math.inf:
        expected = min(nodes(whole.composition, CUTS), expected)
    if not QUICK < expected <= MODERATE:
        return expected <= QUICK
    found = whole.certificate(3 * contour.scale_of(whole.composition))
    return found.nodes <= most and not bool(_wider(found.log_delta, whole.relative_width))


def nodes(composition: contour.Composition, cuts: int = 1) -> float:
    """About how many nodes the integral needs, weighted by what one costs: as far as the transform matters.

    They are infinitely many where it does not fall off, or where one node costs too much already. What is known of the
    transform over a range is more where the ranges are cut, which costs so many times as much.
    """
    scale = contour.scale_of(composition)
    starts = np.geomspace(1.0, 1e6, 60 * cuts + 1) / scale
    try:
        sizes = composition.log_abs_bound(0.0, starts, starts * starts[1] / starts[0])
        fallen = np.flatnonzero(np.maximum.accumulate(sizes[::-1])[::-1] <= FALLEN)
        reach = float(starts[fallen[0]]) if len(fallen) else math.inf
        return reach * 20 * scale / math.tau * composition.cost(reach) if len(fallen) else math.inf
    except contour.TooManyNodes:
        return math.inf
