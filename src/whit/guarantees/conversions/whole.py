"""Edges to a whole family of bounds: pure privacy, Renyi divergences, Gaussian and other trade-off functions.

Last come those from the curve of a release to the promise that its noise keeps.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import (
    Array,
    ComposedLoss,
    Curve,
    DiscreteGaussianLoss,
    Face,
    GaussianLoss,
    LaplaceLoss,
    LaplaceSum,
    contour,
)
from whit.errors import Unreachable
from whit.guarantees.bounded_range import BoundedRange, range_divergence, range_rho
from whit.guarantees.conversions.beliefs import pure_epsilon
from whit.guarantees.conversions.step import Edge, Source, curve_of, neighbours_of
from whit.guarantees.conversions.tails import laplace_rho, pure_gamma, pure_mu, pure_rho, pure_rho_textbook
from whit.guarantees.epsilon_delta import ApproxDP, PointGuarantee, ProbabilisticDP, PureDP
from whit.guarantees.fdp import FDP, GaussianDP
from whit.guarantees.guarantee import product_up
from whit.guarantees.probabilistically_bounded import ProbabilisticallyBoundedCurve, ProbabilisticallyBoundedDP
from whit.guarantees.renyi import RenyiDP, ZeroConcentratedDP
from whit.guarantees.semantic import SemanticPrivacy
from whit.numerics import Bracket, nearest_up, raised

_Kind = TypeVar("_Kind", bound=contour.Kind)


@dataclass(frozen=True)
class EitherOrder(Face):
    """What holds for a pair in both orders, if each order has the face that is given: the larger of the two answers."""

    face: Face

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the larger profile."""
        return self.face.log_delta(epsilons).maximum(self.face.reverse().log_delta(epsilons))

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the larger power."""
        return self.face.log_power(log_levels).maximum(self.face.reverse().log_power(log_levels))

    def renyi(self, excesses: Array) -> Bracket:
        """The larger divergence."""
        return self.face.renyi(excesses).maximum(self.face.reverse().renyi(excesses))

    def reverse(self) -> EitherOrder:
        """This edge."""
        return self


def without_delta(source: PointGuarantee) -> PureDP:
    """A promise with delta 0 is one of pure differential privacy."""
    if source.stated_delta > 0.0:
        raise Unreachable("delta", "must be 0 for pure privacy", source.stated_delta, "Use a promise with delta 0.")
    return PureDP(source.stated_epsilon, neighbours=source.neighbours)


def at_order_infinity(source: RenyiDP) -> PureDP:
    """The divergence of infinite order is the largest loss."""
    if math.inf not in source.orders:
        orders = list(source.orders)
        raise Unreachable("orders", "must hold infinity for pure privacy", orders, "State the bound at order infinity.")
    return PureDP(source.orders[math.inf], neighbours=source.neighbours)


def from_beliefs(source: SemanticPrivacy) -> PureDP:
    """The epsilon that keeps beliefs as close as that, whatever the output."""
    if source.stated_delta > 0.0 or source.level == 1.0:
        rule = "must hold always, and at a level below 1, to imply pure privacy"
        raise Unreachable("semantic privacy", rule, source, "Use a level below 1 that never fails.")
    return PureDP(float(pure_epsilon.kernel(source.level)), neighbours=source.neighbours)


def pure_as_zcdp(source: PureDP) -> ZeroConcentratedDP:
    """rho = epsilon tanh(epsilon/2)."""
    return ZeroConcentratedDP(float(pure_rho.kernel(source.stated_epsilon)), neighbours=source.neighbours)


def pure_as_zcdp_textbook(source: PureDP) -> ZeroConcentratedDP:
    """rho = epsilon^2/2."""
    return ZeroConcentratedDP(float(pure_rho_textbook.kernel(source.stated_epsilon)), neighbours=source.neighbours)


def pure_as_gaussian(source: PureDP) -> GaussianDP:
    """mu = -2 Phi^-1(1/(1 + e^epsilon))."""
    return GaussianDP(float(pure_mu.kernel(source.stated_epsilon)), neighbours=source.neighbours)


def gaussian_as_zcdp(source: GaussianDP) -> ZeroConcentratedDP:
    """rho = mu^2/2."""
    return ZeroConcentratedDP(_half_square(source.mu), neighbours=source.neighbours)


def pure_as_renyi(source: PureDP, *, orders: Sequence[float]) -> RenyiDP:
    """The divergences of randomized response."""
    eps = source.stated_epsilon
    gammas = {alpha: eps if math.isinf(alpha) else float(pure_gamma.kernel(eps, alpha)) for alpha in orders}
    return RenyiDP(gammas, neighbours=source.neighbours)


def zcdp_as_renyi(source: ZeroConcentratedDP, *, orders: Sequence[float]) -> RenyiDP:
    """gamma = alpha rho, at every finite order."""
    return RenyiDP(_linear(source.rho, orders), neighbours=source.neighbours)


def gaussian_as_renyi(source: GaussianDP, *, orders: Sequence[float]) -> RenyiDP:
    """gamma = alpha mu^2/2, at every finite order."""
    return RenyiDP(_linear(_half_square(source.mu), orders), neighbours=source.neighbours)


def at_other_orders(source: RenyiDP, *, orders: Sequence[float]) -> RenyiDP:
    """Divergences grow with the order: what bounds a higher one bounds a lower one."""
    gammas = {wanted: _smallest_above(source.orders, wanted) for wanted in orders}
    return RenyiDP(gammas, neighbours=source.neighbours)


def as_tradeoff(source: Source) -> FDP:
    """The trade-off function of the curve, in both orders."""
    return FDP(_face_of_both(source), neighbours=neighbours_of(source))


def as_curve_of_pbdp(source: Source) -> ProbabilisticallyBoundedCurve:
    """The trade-off function as a curve of pbdp."""
    return ProbabilisticallyBoundedCurve(_face_of_both(source), neighbours=neighbours_of(source))


def _face_of_both(source: Source) -> Face:
    face = curve_of(source).face
    # What a promise has for its face holds in both orders already; the face of a release is that of one order.
    return EitherOrder(face) if isinstance(source, Curve) and face.reverse() is not face else face


def range_as_pure(source: BoundedRange) -> PureDP:
    """The sum of the ranges."""
    return PureDP(source.sum_of_ranges, neighbours=source.neighbours)


def pure_as_range(source: PureDP) -> BoundedRange:
    """Losses from -epsilon to epsilon lie within 2 epsilon."""
    return BoundedRange(product_up(2, source.stated_epsilon), neighbours=source.neighbours)


def range_as_zcdp(source: BoundedRange) -> ZeroConcentratedDP:
    """rho = epsilon^2/8 for each release."""
    return ZeroConcentratedDP(range_rho(source.stated_epsilon, source.releases), neighbours=source.neighbours)


def range_as_renyi(source: BoundedRange, *, orders: Sequence[float]) -> RenyiDP:
    """The largest divergence within a range, for each release."""
    each = {alpha: float(range_divergence(source.stated_epsilon, np.asarray(alpha - 1.0))) for alpha in orders}
    gammas = {alpha: product_up(source.releases, gamma) for alpha, gamma in each.items()}
    return RenyiDP(gammas, neighbours=source.neighbours)


def _linear(rho: float, orders: Sequence[float]) -> dict[float, float]:
    _require_finite(orders)
    return {alpha: product_up(alpha, rho) if rho < math.inf else rho for alpha in orders}


def _half_square(mu: float) -> float:
    """The smallest double that is not below mu^2/2."""
    return nearest_up(Fraction(mu) ** 2 / 2)


def _require_finite(orders: Sequence[float]) -> None:
    if any(math.isinf(alpha) for alpha in orders):
        rule = "must be finite, as the largest loss is not bounded"
        raise Unreachable("orders", rule, list(orders), "Leave out the order infinity.")


def _smallest_above(known: Mapping[float, float], wanted: float) -> float:
    above = [gamma for alpha, gamma in known.items() if alpha >= wanted]
    if not above:
        rule = f"must not exceed the largest that is known, {max(known):g}"
        raise Unreachable("orders", rule, wanted, "Ask for lower orders, or state the promise at higher ones.")
    return min(above)


_WITH_POWER: tuple[type[Source], ...] = (
    PureDP,
    ApproxDP,
    GaussianDP,
    BoundedRange,
    ZeroConcentratedDP,
    RenyiDP,
    ProbabilisticDP,
    ProbabilisticallyBoundedDP,
    Curve,
)

EDGES: tuple[Edge, ...] = (
    Edge(ApproxDP, PureDP, "hockey-stick", True, without_delta),
    Edge(ProbabilisticDP, PureDP, "pure-is-probabilistic", True, without_delta),
    Edge(RenyiDP, PureDP, "renyi-order-infinity", True, at_order_infinity),
    Edge(SemanticPrivacy, PureDP, "semantic-to-pure", False, from_beliefs, sharp=True),
    Edge(PureDP, ZeroConcentratedDP, "pure-to-zcdp", False, pure_as_zcdp, sharp=True),
    Edge(PureDP, ZeroConcentratedDP, "pure-to-zcdp-textbook", False, pure_as_zcdp_textbook),
    Edge(GaussianDP, ZeroConcentratedDP, "gaussian-to-zcdp", False, gaussian_as_zcdp, sharp=True),
    Edge(PureDP, GaussianDP, "pure-to-gaussian", False, pure_as_gaussian, sharp=True),
    Edge(PureDP, RenyiDP, "pure-to-renyi", False, pure_as_renyi, sharp=True),
    Edge(ZeroConcentratedDP, RenyiDP, "zcdp-to-renyi", False, zcdp_as_renyi, sharp=True),
    Edge(GaussianDP, RenyiDP, "gaussian-to-zcdp", False, gaussian_as_renyi, sharp=True),
    Edge(BoundedRange, PureDP, "bounded-range-profile", False, range_as_pure, sharp=True),
    Edge(PureDP, BoundedRange, "bounded-range-profile", False, pure_as_range),
    Edge(BoundedRange, ZeroConcentratedDP, "bounded-range-renyi", False, range_as_zcdp),
    Edge(BoundedRange, RenyiDP, "bounded-range-renyi", False, range_as_renyi),
    Edge(RenyiDP, RenyiDP, "renyi-orders-increase", False, at_other_orders),
    Edge(PureDP, FDP, "dominating-randomized-response", True, as_tradeoff, sharp=True, curved=True),
    Edge(ApproxDP, FDP, "dominating-randomized-response", True, as_tradeoff, sharp=True, curved=True),
    Edge(GaussianDP, FDP, "gaussian-differential-privacy", True, as_tradeoff, sharp=True, curved=True),
    Edge(BoundedRange, FDP, "bounded-range-profile", False, as_tradeoff, curved=True),
    Edge(ZeroConcentratedDP, FDP, "renyi-power", False, as_tradeoff, curved=True),
    Edge(RenyiDP, FDP, "renyi-power", False, as_tradeoff, curved=True),
    Edge(ProbabilisticDP, FDP, "probabilistic-to-approximate", False, as_tradeoff, curved=True),
    Edge(ProbabilisticallyBoundedDP, FDP, "bounded-point-to-approximate", False, as_tradeoff, curved=True),
    Edge(ProbabilisticallyBoundedCurve, FDP, "bounded-curve", True, as_tradeoff, sharp=True, curved=True),
    Edge(FDP, ProbabilisticallyBoundedCurve, "bounded-curve", True, as_curve_of_pbdp, sharp=True, curved=True),
    *(
        Edge(source, ProbabilisticallyBoundedCurve, "bounded-curve", False, as_curve_of_pbdp, curved=True)
        for source in _WITH_POWER
    ),
    Edge(Curve, FDP, "profile-support-lines", False, as_tradeoff, sharp=True, curved=True),
)
"""All edges to a promise without one free point, and to Renyi divergences at orders of choice."""


# More than the relative rounding of a sum of largest losses.
SUMMED = 1e-13


def largest_loss(source: Curve) -> PureDP:
    """The loss that is never exceeded, in either order of the pair."""
    curve = curve_of(source)
    face = curve.face
    # A profile by its transform is dear just where it ends; the sum of the largest losses is the same.
    added = isinstance(face, ComposedLoss) and not isinstance(face, LaplaceSum)
    found = _sum_of_largest(face) if added else float(curve.epsilon(0.0))
    if math.isfinite(found):
        return PureDP(found, neighbours=neighbours_of(source))
    raise Unreachable("pure privacy", "needs a largest loss", source, "The loss has no bound here: ask with a delta.")


def _sum_of_largest(face: Face) -> float:
    orders = [each for each in (face, face.reverse()) if isinstance(each, ComposedLoss)]
    surely = all(math.isinf(each.log_infinity) for each in orders)
    return max(each.largest_loss for each in orders) * (1 + SUMMED) if surely else math.inf


def gaussian_noise(source: Curve) -> GaussianDP:
    """Mu of Gaussian noise: the sensitivity over the standard deviation."""
    face = curve_of(source).face
    if isinstance(face, GaussianLoss):
        return GaussianDP(face.ends[1], neighbours=neighbours_of(source))
    raise Unreachable("mu", "is in closed form for Gaussian noise", source, "Ask for the mu that covers it.")


def covered_by_gaussian(source: Source) -> GaussianDP:
    """The smallest mu that covers the curve."""
    found = curve_of(source).covering_mu().upper_bound()
    if np.isfinite(found):
        return GaussianDP(float(raised(found)), neighbours=neighbours_of(source))
    rule = "is known of what has Gaussian tails, or a largest loss"
    raise Unreachable("mu", rule, source, "Ask for another kind, such as epsilon with a delta.")


def discrete_gaussian_noise(source: Curve) -> ZeroConcentratedDP:
    """Rho of discrete Gaussian noise: the squares of all changes over twice that of sigma, added up."""
    changes = _kinds(curve_of(source).face, contour.DiscreteGaussianKind)
    return _summed(source, [(kind.shift * kind.shift / (2 * kind.sigma2), times) for kind, times in changes.items()])


def laplace_noise(source: Curve) -> ZeroConcentratedDP:
    """Rho of Laplace noise: epsilon + e^-epsilon - 1 of each change, added up."""
    changes = _kinds(curve_of(source).face, contour.LaplaceKind)
    return _summed(source, [(float(laplace_rho.kernel(kind.epsilon)), times) for kind, times in changes.items()])


def _summed(source: Curve, rhos: Sequence[tuple[float, int]]) -> ZeroConcentratedDP:
    """The rhos of all changes together; refused where there is other noise."""
    if rhos:
        total = math.fsum(times * rho for rho, times in rhos)
        return ZeroConcentratedDP(float(raised(total)), neighbours=neighbours_of(source))
    rule = "is known of Gaussian noise, discrete or not, and of what has a largest loss"
    raise Unreachable("rho", rule, source, "Ask for another kind, such as epsilon with a delta.")


def _kinds(face: Face, kind: type[_Kind]) -> Mapping[_Kind, int]:
    """The changes under noise of a kind, with how many of each; none if there is other noise as well."""
    counts: Mapping[contour.Kind, int] = {}
    if isinstance(face, DiscreteGaussianLoss):
        counts = Counter(contour.DiscreteGaussianKind(face.sigma**2, abs(change)) for change in face.changes)
    elif isinstance(face, LaplaceLoss):
        counts = {contour.LaplaceKind(face.largest): 1}
    elif isinstance(face, ComposedLoss):
        counts = face.composition.counts
    found = {each: times for each, times in counts.items() if isinstance(each, kind)}
    return found if len(found) == len(counts) else {}


def divergences_of_curve(source: Curve, *, orders: Sequence[float]) -> RenyiDP:
    """The divergences of the curve itself, the larger of both orders."""
    found = np.atleast_1d(curve_of(source).renyi(orders).upper_bound())
    if not np.all(np.isfinite(found)):
        infinite = [alpha for alpha, gamma in zip(orders, found.tolist(), strict=True) if math.isinf(gamma)]
        rule = "must be such that the divergences are finite"
        raise Unreachable("orders", rule, infinite, "Leave these out; where all are, ask for epsilon with a delta.")
    return RenyiDP(dict(zip(orders, found.tolist(), strict=True)), neighbours=neighbours_of(source))


NOISE_EDGES: tuple[Edge, ...] = (
    Edge(Curve, PureDP, "hockey-stick", False, largest_loss, sharp=True, curved=True),
    Edge(Curve, GaussianDP, "gaussian-differential-privacy", True, gaussian_noise, curved=True),
    Edge(Curve, GaussianDP, "covering-mu", False, covered_by_gaussian, curved=True),
    Edge(BoundedRange, GaussianDP, "covering-mu", False, covered_by_gaussian, curved=True),
    Edge(Curve, RenyiDP, "renyi-of-a-curve", False, divergences_of_curve, sharp=True, curved=True),
    Edge(Curve, ZeroConcentratedDP, "noise-of-a-share", False, discrete_gaussian_noise, in_closed_form=True),
    Edge(Curve, ZeroConcentratedDP, "laplace-zcdp", False, laplace_noise, in_closed_form=True),
)
"""The edges from a curve to what its noise keeps."""
