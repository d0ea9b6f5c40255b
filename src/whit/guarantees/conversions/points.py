"""Edges to one point: (epsilon, delta) of approximate, probabilistic and probabilistically-bounded privacy."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from whit.curves import Array, Curve, Face, LossDistribution, Order, log_tail_bound
from whit.errors import Unreachable
from whit.guarantees.bounded_range import BoundedRange
from whit.guarantees.conversions.step import Edge, Source, curve_of, neighbours_of
from whit.guarantees.conversions.tails import (
    one_sided_epsilon,
    renyi_one_sided_epsilon,
    renyi_two_sided_epsilon,
    two_sided_epsilon,
    zcdp_one_sided_epsilon,
    zcdp_tail,
    zcdp_two_sided_epsilon,
)
from whit.guarantees.epsilon_delta import ApproxDP, PointGuarantee, ProbabilisticDP, PureDP
from whit.guarantees.fdp import FDP, GaussianDP
from whit.guarantees.probabilistically_bounded import ProbabilisticallyBoundedCurve, ProbabilisticallyBoundedDP
from whit.guarantees.renyi import RenyiDP, ZeroConcentratedDP
from whit.numerics import ULP, raised, smallest_true

# No loss that a double can tell from infinity is searched for beyond this.
LARGEST_LOSS = 1e6

LogTail = Callable[[Array], Array]


def read_profile(source: Source, *, delta: float | None = None, epsilon: float | None = None) -> ApproxDP:
    """The point of the curve at a delta or at an epsilon, rounded up."""
    curve = curve_of(source)
    if epsilon is not None:
        return ApproxDP(epsilon, _upper(curve.delta(epsilon).value), neighbours=neighbours_of(source))
    assert delta is not None  # one of the two is always asked for
    found = _upper(curve.epsilon(delta).value)
    return ApproxDP(_finite(found, "delta", delta), delta, neighbours=neighbours_of(source))


def textbook_point(source: ZeroConcentratedDP, *, delta: float | None = None, epsilon: float | None = None) -> ApproxDP:
    """The textbook point of rho-zCDP."""
    if epsilon is not None:
        return ApproxDP(epsilon, float(zcdp_tail.kernel(source.rho, epsilon)), neighbours=source.neighbours)
    assert delta is not None  # one of the two is always asked for
    found = float(zcdp_one_sided_epsilon.kernel(source.rho, delta))
    return ApproxDP(_finite(found, "delta", delta), delta, neighbours=source.neighbours)


def same_point(source: ProbabilisticDP, *, delta: float | None = None, epsilon: float | None = None) -> ApproxDP:
    """The point of a probabilistic promise as one of an approximate promise; elsewhere by the curve of that point."""
    point = ApproxDP(source.stated_epsilon, source.stated_delta, neighbours=source.neighbours)
    return point if delta is None and epsilon is None else read_profile(point, delta=delta, epsilon=epsilon)


def by_far_side(source: PointGuarantee, *, delta: float, sides: int = 2) -> ProbabilisticDP:
    """A bound on one side as one on both, at the smallest loss where the far side leaves room for the failure."""
    eps, own = source.stated_epsilon, source.stated_delta
    both = isinstance(source, ProbabilisticDP) and source.sides == 2
    if both or sides == 1 or own == 0.0:
        _require_at_least(delta, own)
        return ProbabilisticDP(eps, delta, sides=sides, neighbours=source.neighbours)
    if delta <= own:
        raise _too_small(delta, own)
    room = (delta - own) * (1 - 2 * ULP) / own
    loss = eps if room >= 1.0 else max(eps, float(raised(-math.log(room))))
    return ProbabilisticDP(loss, delta, sides=2, neighbours=source.neighbours)


def by_one_point(source: ApproxDP, *, delta: float, sides: int = 2) -> ProbabilisticDP:
    """The loss by Theorem 3.9 of Kazan et al., which is about both sides and so about one."""
    _require_room(source, delta)
    found = float(two_sided_epsilon.kernel(source.stated_epsilon, source.stated_delta, delta))
    return ProbabilisticDP(found, delta, sides=sides, neighbours=source.neighbours)


def by_one_side(source: ApproxDP, *, delta: float, sides: int = 2) -> ProbabilisticDP:
    """The loss above which one side lies."""
    if sides == 2:
        raise Unreachable("sides", "must be 1 for this theorem", sides, "Use the one about both sides.")
    _require_room(source, delta)
    found = 0.0 if delta == 1.0 else float(one_sided_epsilon.kernel(source.stated_epsilon, source.stated_delta, delta))
    return ProbabilisticDP(found, delta, sides=1, neighbours=source.neighbours)


def by_certainty(source: PureDP, *, delta: float, sides: int = 2) -> ProbabilisticDP:
    """A loss that never exceeds epsilon exceeds it with no probability at all."""
    return ProbabilisticDP(source.stated_epsilon, delta, sides=sides, neighbours=source.neighbours)


def by_tail_of_zcdp(source: ZeroConcentratedDP, *, delta: float, sides: int = 2) -> ProbabilisticDP:
    """The loss by the tails of rho-zCDP."""
    kernel = zcdp_one_sided_epsilon.kernel if sides == 1 else zcdp_two_sided_epsilon.kernel
    found = _finite(float(kernel(source.rho, delta)), "delta", delta)
    return ProbabilisticDP(found, delta, sides=sides, neighbours=source.neighbours)


def by_tail_of_renyi(source: RenyiDP, *, delta: float, sides: int = 2) -> ProbabilisticDP:
    """The loss by the tails at the best of the orders."""
    found = _finite(_renyi_loss(source, delta, sides), "delta", delta)
    return ProbabilisticDP(found, delta, sides=sides, neighbours=source.neighbours)


def by_profile(source: Source, *, delta: float, sides: int = 2) -> ProbabilisticDP:
    """The loss by the infimum over the whole profile; both sides by the far side."""
    curve = curve_of(source)

    def log_tail(t: Array) -> Array:
        return _worst(curve, lambda face: log_tail_bound(face, t))

    return ProbabilisticDP(_least_loss(log_tail, delta, sides), delta, sides=sides, neighbours=neighbours_of(source))


def by_loss(source: Curve, *, delta: float, sides: int = 2) -> ProbabilisticDP:
    """The loss by its law, if the curve knows it; both sides as they are."""
    curve = curve_of(source)
    if curve.order is not Order.LOSS:
        rule = "cannot be read off a curve that dominates only in the order of the profile"
        raise Unreachable("the law of the loss", rule, curve.face, "Use the bound by the profile.")

    def log_tail(t: Array) -> Array:
        return _worst(curve, lambda face: np.max([_log_tail_of(pair, t, sides) for pair in _pairs(face)], axis=0))

    return ProbabilisticDP(_least_loss(log_tail, delta, 1), delta, sides=sides, neighbours=neighbours_of(source))


def by_power(source: Source, *, delta: float) -> ProbabilisticallyBoundedDP:
    """The smallest epsilon of pbdp at a delta: a test of level delta e^-epsilon has at most the power delta."""
    curve = curve_of(source)
    if delta in (0.0, 1.0):  # 0 is refused by the promise itself
        return ProbabilisticallyBoundedDP(0.0, delta, neighbours=neighbours_of(source))
    wanted = math.log(delta)
    slack = 4 * ULP * (1 + abs(wanted))

    def bounded(epsilon: Array) -> NDArray[np.bool_]:
        levels = wanted - epsilon * (1 - 2 * ULP) + slack
        return _worst(curve, lambda face: face.log_power(np.minimum(levels, 0.0)).upper) <= wanted - slack

    found = _smallest(bounded, "delta", delta)
    return ProbabilisticallyBoundedDP(found, delta, neighbours=neighbours_of(source))


def by_chernoff(source: ZeroConcentratedDP | RenyiDP, *, delta: float) -> ProbabilisticallyBoundedDP:
    """The epsilon of pbdp by the tails, which processing does not raise."""
    if isinstance(source, RenyiDP):
        found = _renyi_loss(source, delta, 1)
    else:
        found = float(zcdp_one_sided_epsilon.kernel(source.rho, delta))
    return ProbabilisticallyBoundedDP(_finite(found, "delta", delta), delta, neighbours=source.neighbours)


def _renyi_loss(source: RenyiDP, failure: float, sides: int) -> float:
    kernel = renyi_one_sided_epsilon.kernel if sides == 1 else renyi_two_sided_epsilon.kernel
    certain = [gamma for alpha, gamma in source.orders.items() if math.isinf(alpha)]
    finite = {alpha: gamma for alpha, gamma in source.orders.items() if math.isfinite(alpha)}
    likely = kernel(list(finite), list(finite.values()), failure) if finite else [math.inf]
    return min([*certain, float(np.min(likely))])


def _least_loss(log_tail: LogTail, failure: float, sides: int) -> float:
    """The smallest loss of at least 0 whose tail, with its far side where both are asked for, is within the failure."""
    if failure == 1.0:
        return 0.0
    with np.errstate(divide="ignore"):
        log_failure = float(np.log(failure))

    def within(t: Array) -> NDArray[np.bool_]:
        far = np.log1p(np.exp(-t)) * (1 + 8 * ULP) if sides == 2 else 0.0
        return log_tail(t) + far <= log_failure

    return _smallest(within, "delta", failure)


def _smallest(predicate: Callable[[Array], NDArray[np.bool_]], name: str, value: float) -> float:
    if not bool(predicate(np.asarray(LARGEST_LOSS))):
        raise Unreachable(name, "must be one that some loss meets", value, "Allow a larger probability of failure.")
    return float(smallest_true(predicate, 0.0, LARGEST_LOSS))


def _pairs(face: Face) -> tuple[LossDistribution, ...]:
    assert isinstance(face, LossDistribution)  # a curve in the order of the loss has one
    return face.pairs


def _log_tail_of(face: LossDistribution, t: Array, sides: int) -> Array:
    """Log of P[Z > t], or of that and P[Z < -t] together, of one pair."""
    above = face.log_tail(t).upper
    if sides == 1:
        return above
    with np.errstate(divide="ignore"):
        log_below = np.log(-np.expm1(np.minimum(face.log_tail_closed(-t).lower, 0.0)))
    log_far = np.minimum(log_below, face.reverse().log_tail(t).upper - t)
    return np.asarray(np.minimum(np.logaddexp(above, log_far + 16 * ULP) * (1 - 16 * ULP), 0.0))


def _worst(curve: Curve, ask: Callable[[Face], Array]) -> Array:
    """The larger of the answers for the two orders of the pair."""
    back = curve.face.reverse()
    return ask(curve.face) if back is curve.face else np.maximum(ask(curve.face), ask(back))


def _upper(value: float | Array) -> float:
    return float(value)


def _finite(found: float, name: str, value: float) -> float:
    if math.isfinite(found):
        return found
    raise Unreachable(name, "must be one that some epsilon meets", value, "Allow a larger probability.")


def _require_room(source: PointGuarantee, failure: float) -> None:
    if failure <= source.stated_delta and source.stated_delta > 0.0:
        raise _too_small(failure, source.stated_delta)


def _require_at_least(failure: float, own: float) -> None:
    if failure < own:
        raise _too_small(failure, own)


def _too_small(failure: float, own: float) -> Unreachable:
    rule = f"must be above the delta of the promise, {own:g}, with which probability nothing is promised"
    return Unreachable("delta", rule, failure, "Allow a larger failure, or start from a promise with a smaller delta.")


_TO_APPROXIMATE: tuple[tuple[type[Source], str, bool, bool], ...] = (
    (PureDP, "dominating-randomized-response", True, True),
    (ApproxDP, "dominating-randomized-response", False, True),
    (ZeroConcentratedDP, "renyi-to-approximate", False, False),
    (RenyiDP, "renyi-to-approximate", False, False),
    (GaussianDP, "gaussian-differential-privacy", False, True),
    (BoundedRange, "bounded-range-profile", False, False),
    (FDP, "profile-support-lines", False, True),
    (ProbabilisticallyBoundedCurve, "profile-support-lines", False, True),
    (ProbabilisticallyBoundedDP, "bounded-point-to-approximate", False, False),
    (Curve, "hockey-stick", False, True),
)

_BY_PROFILE: tuple[type[Source], ...] = (
    PureDP,
    GaussianDP,
    BoundedRange,
    FDP,
    ProbabilisticallyBoundedCurve,
    ProbabilisticallyBoundedDP,
    Curve,
)

_BY_POWER: tuple[type[Source], ...] = (
    PureDP,
    ApproxDP,
    GaussianDP,
    BoundedRange,
    FDP,
    ProbabilisticallyBoundedCurve,
    Curve,
)

EDGES: tuple[Edge, ...] = (
    *(
        Edge(source, ApproxDP, key, lossless, read_profile, sharp=sharp, curved=True)
        for source, key, lossless, sharp in _TO_APPROXIMATE
    ),
    Edge(ProbabilisticDP, ApproxDP, "probabilistic-to-approximate", False, same_point, one_point=True),
    Edge(ZeroConcentratedDP, ApproxDP, "zcdp-to-approximate", False, textbook_point),
    Edge(ApproxDP, ProbabilisticDP, "approximate-to-probabilistic", False, by_one_point),
    Edge(ApproxDP, ProbabilisticDP, "tail-from-approximate", False, by_one_side),
    Edge(PureDP, ProbabilisticDP, "pure-is-probabilistic", True, by_certainty),
    Edge(ProbabilisticDP, ProbabilisticDP, "far-side", False, by_far_side),
    Edge(ProbabilisticallyBoundedDP, ProbabilisticDP, "bounded-point-tail", False, by_far_side),
    Edge(ZeroConcentratedDP, ProbabilisticDP, "zcdp-tails", False, by_tail_of_zcdp),
    Edge(RenyiDP, ProbabilisticDP, "renyi-tails", False, by_tail_of_renyi),
    *(Edge(source, ProbabilisticDP, "tail-from-profile", False, by_profile, curved=True) for source in _BY_PROFILE),
    Edge(Curve, ProbabilisticDP, "loss-tail", False, by_loss, curved=True),
    *(
        Edge(source, ProbabilisticallyBoundedDP, "bounded-curve", False, by_power, sharp=True, curved=True)
        for source in _BY_POWER
    ),
    Edge(ZeroConcentratedDP, ProbabilisticallyBoundedDP, "renyi-to-pbdp", False, by_chernoff),
    Edge(RenyiDP, ProbabilisticallyBoundedDP, "renyi-to-pbdp", False, by_chernoff),
)
"""All edges to one point."""
