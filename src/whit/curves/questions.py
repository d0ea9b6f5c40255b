"""The questions that can be put to any promise, read off its curve: profile, power, tails on either side.

Each is a kernel on a curve, reported as a finding of the promise that the curve belongs to.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.face import Array, Face, LossDistribution, Order, Orientation
from whit.errors import NotImplied, require
from whit.numerics import (
    ULP,
    Bracket,
    add_down,
    add_up,
    open_probability,
    probability_array,
    real_array,
)
from whit.theory import Quantity, Unit, from_curve

if TYPE_CHECKING:
    from whit.curves.curve import Curve

DELTA = Quantity("delta", Unit.NUMBER)
EPSILON = Quantity("epsilon", Unit.NUMBER)
POWER = Quantity("power of the best test", Unit.PROBABILITY, key="power")
LOG_DELTA = Quantity("log of delta", Unit.NUMBER)
LOG_TAIL = Quantity("log of the probability that the privacy loss exceeds the threshold", Unit.NUMBER)
LOG_POWER = Quantity("log of the power of the best test", Unit.NUMBER)
TAIL = Quantity("probability that the privacy loss exceeds the threshold", Unit.PROBABILITY)
LOWER_TAIL = Quantity("probability that the privacy loss falls below minus the threshold", Unit.PROBABILITY)
TWO_SIDED_TAIL = Quantity("probability that the privacy loss exceeds the threshold on either side", Unit.PROBABILITY)
POSTERIOR_TAIL = Quantity("probability that the posterior exceeds the threshold", Unit.PROBABILITY)
BOUNDED_EPSILON = Quantity("epsilon of pbdp", Unit.NUMBER)
BOUNDED_DELTA = Quantity("delta of pbdp", Unit.NUMBER)

LOSSES_WAY_OUT = "Use numbers such as 0.5 and 1."
LEVELS_WAY_OUT = "Use false-positive rates such as 0.01 and 0.05."
FROM_THE_PROFILE = "Use tail_from_profile, which bounds the tail by the profile, or pass the mechanism itself."


def worst_order(face: Face, ask: Callable[[Face], Bracket]) -> Bracket:
    """The larger answer of the two orders of a pair."""
    backward = face.reverse()
    return ask(face) if backward is face else ask(face).maximum(ask(backward))


def oriented(curve: Curve, orientation: Orientation, ask: Callable[[Face], Bracket]) -> Bracket:
    """The answer of one orientation of a curve, or the larger of both."""
    if orientation is Orientation.WORST:
        return worst_order(curve.face, ask)
    return ask(curve.face if orientation is Orientation.FORWARD else curve.face.reverse())


def probabilities(logs: Bracket) -> Bracket:
    """The probabilities with these logs."""
    linear = logs.exp()
    return Bracket(*(np.minimum(end, 1.0) for end in linear.ends))


@from_curve(DELTA, by="hockey-stick")
def delta(curve: Curve, epsilons: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Bracket:
    """The smallest delta at each epsilon."""
    eps = real_array("epsilons", epsilons, LOSSES_WAY_OUT)
    return probabilities(oriented(curve, orientation, lambda face: face.closest.log_delta(eps)))


@from_curve(LOG_DELTA, by="hockey-stick")
def log_delta(curve: Curve, epsilons: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Bracket:
    """Log of the smallest delta at each epsilon."""
    eps = real_array("epsilons", epsilons, LOSSES_WAY_OUT)
    return oriented(curve, orientation, lambda face: face.closest.log_delta(eps))


@from_curve(EPSILON, by="hockey-stick")
def epsilon(curve: Curve, deltas: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Bracket:
    """The smallest epsilon at each delta."""
    with np.errstate(divide="ignore"):
        logs = np.log(probability_array("deltas", deltas, "Use values such as 1e-6."))
    if orientation is Orientation.WORST and curve.face.is_dear:
        return _worst_epsilon(curve.face.closest, logs)
    return oriented(curve, orientation, lambda face: face.closest.epsilon(logs))


def _worst_epsilon(face: Face, log_deltas: Array) -> Bracket:
    """The larger epsilon of both orders: the second one is not looked for where it is no larger than the first.

    It is no larger than an epsilon at which the second profile is at most delta already, which is one question.
    """
    first, backward = face.epsilon(log_deltas), face.reverse()
    if backward is face:
        return first
    hair = 4 * ULP * np.where(np.isfinite(log_deltas), np.abs(log_deltas), 0.0)
    # Where the first is known from above only, that is what the second is compared with.
    places = np.where(2 * first.lower < first.upper, first.upper, first.lower)
    left = np.asarray(backward.rough.log_delta(places).upper > log_deltas - hair)
    if not left.any():
        return first
    ends = [end.copy() for end in first.ends]
    for end, other in zip(ends, backward.epsilon(log_deltas[left]).ends, strict=True):
        end[left] = np.maximum(end[left], other)
    return Bracket(*ends)


@from_curve(POWER, by="neyman-pearson")
def power(curve: Curve, levels: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Bracket:
    """The largest power at each level."""
    with np.errstate(divide="ignore"):
        logs = np.log(probability_array("levels", levels, LEVELS_WAY_OUT))
    hair = 4 * ULP * np.where(np.isfinite(logs), np.abs(logs), 0.0)
    three = oriented(curve, orientation, lambda face: log_power_around(face, logs, hair))
    # The bounds themselves may be rounded against each other by as much.
    return probabilities(Bracket(three.lower[:2].min(axis=0), three.mid[1], three.upper[1:].max(axis=0)))


def log_power_around(face: Face, logs: ArrayLike, hair: ArrayLike) -> Bracket:
    """Log of the power a hair before each log of a level, at it, and a hair after it: such a log is rounded."""
    level, moved = np.asarray(logs, dtype=np.float64), np.asarray(hair, dtype=np.float64)
    if not face.is_dear:
        return face.log_power(np.minimum(np.stack([level - moved, level, level + moved]), 0.0))
    # A power grows no faster than its level: it is concave, and not negative at level 0.
    found = face.log_power(level)
    return Bracket(*(np.minimum(np.stack([end - moved, end, end + moved]), 0.0) for end in found.ends))


@from_curve(LOG_POWER, by="neyman-pearson")
def log_power(curve: Curve, log_levels: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Bracket:
    """Log of the largest power at each log of a level."""
    logs = real_array("log_levels", log_levels, "Use logs of levels such as -700.")
    way_out = "Pass the natural log of a level."
    require(bool(np.all(logs <= 0)), name="log_levels", rule="must be at most 0", value=log_levels, way_out=way_out)
    return oriented(curve, orientation, lambda face: face.log_power(logs))


@from_curve(TAIL, by="loss-tail")
def tail(curve: Curve, losses: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Bracket:
    """P[Z > t] at each loss t; refused for a curve that knows only its profile."""
    return probabilities(_log_tail(curve, real_array("losses", losses, LOSSES_WAY_OUT), orientation))


@from_curve(LOG_TAIL, by="loss-tail")
def log_tail(curve: Curve, losses: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Bracket:
    """Log of P[Z > t] at each loss t; refused for a curve that knows only its profile."""
    return _log_tail(curve, real_array("losses", losses, LOSSES_WAY_OUT), orientation)


@from_curve(LOWER_TAIL, by="far-side")
def lower_tail(curve: Curve, losses: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Bracket:
    """The probability P[Z < -t] at each threshold t >= 0.

    >>> from whit.curves import Curve, GaussianLoss
    >>> print(lower_tail(Curve.exact(GaussianLoss(1.0)), 1.0))
    probability that the privacy loss falls below minus the threshold is 6.69 % (rounded up)
    """
    t = thresholds(losses)
    return oriented(_known(curve), orientation, lambda face: _of_each_pair(face, lambda pair: pair.log_below(t).exp()))


@from_curve(TWO_SIDED_TAIL, by="far-side")
def two_sided_tail(curve: Curve, losses: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Bracket:
    """The probability P[Z > t] + P[Z < -t] at each threshold t >= 0.

    >>> from whit.curves import Curve, GaussianLoss
    >>> print(two_sided_tail(Curve.exact(GaussianLoss(1.0)), 1.0))
    probability that the privacy loss exceeds the threshold on either side is 37.6 % (rounded up)
    """
    t = thresholds(losses)
    return oriented(_known(curve), orientation, lambda face: _of_each_pair(face, lambda pair: _beyond(pair, t)))


def thresholds(losses: ArrayLike) -> Array:
    """Thresholds of at least 0, as an array."""
    t = real_array("losses", losses, LOSSES_WAY_OUT)
    rule = "must be at least 0 where the far side is asked for"
    require(bool(np.all(t >= 0)), name="losses", rule=rule, value=losses, way_out=LOSSES_WAY_OUT)
    return t


@from_curve(POSTERIOR_TAIL, by="posterior-odds")
def posterior_tail(
    curve: Curve, posteriors: ArrayLike, *, prior: float, orientation: Orientation = Orientation.WORST
) -> Bracket:
    """The probability that the posterior of the truth exceeds each threshold, for an adversary with this prior.

    The posterior odds are the prior odds times e^loss, so this is the tail of the loss at the difference of the logits.

    >>> from whit.curves import Curve, GaussianLoss
    >>> print(posterior_tail(Curve.exact(GaussianLoss(1.0)), 0.9, prior=0.5))
    probability that the posterior exceeds the threshold is 4.49 % (rounded up)
    """
    start = open_probability("prior", prior, "Use a probability such as 0.5; at 0 and 1 nothing can be learnt.")
    thresholds = probability_array("posteriors", posteriors, "Use probabilities such as 0.9.")
    with np.errstate(divide="ignore"):
        losses = np.log(thresholds) - np.log1p(-thresholds) - (np.log(start) - np.log1p(-start))
    # The logits are rounded: the truth lies between the tails a hair earlier and a hair later.
    with np.errstate(divide="ignore"):
        logs = [np.log(thresholds), np.log1p(-thresholds), np.log(start), np.log1p(-start)]
    hair = 8 * ULP * (1 + sum(np.where(np.isfinite(each), np.abs(each), 0.0) for each in logs))
    earlier, later = (probabilities(_log_tail(curve, losses + shift, orientation)) for shift in (-hair, hair))
    return Bracket(later.lower, (earlier.mid + later.mid) / 2, earlier.upper)


@from_curve(BOUNDED_EPSILON, by="bounded-curve")
def bounded_epsilon(curve: Curve, deltas: ArrayLike) -> Bracket:
    """The smallest epsilon of pbdp at each delta in (0, 1]; infinite where a test of level 0 has that power."""
    way_out = "Use values such as 0.01."
    clean = probability_array("deltas", deltas, way_out)
    rule = "must be above 0 for pbdp, where 0 would say nothing of epsilon"
    require(bool(np.all(clean > 0)), name="deltas", rule=rule, value=deltas, way_out=way_out)
    powers = np.log(clean)
    levels = worst_order(curve.face, lambda face: face.log_level(powers).reversed_sign())
    ends = (add_down(levels.lower, powers), levels.mid + powers, add_up(levels.upper, powers))
    return Bracket(*(np.maximum(end, 0.0) for end in ends))


@from_curve(BOUNDED_DELTA, by="bounded-curve")
def bounded_delta(curve: Curve, epsilons: ArrayLike) -> Bracket:
    """The smallest delta of pbdp at each epsilon; 0 where every delta will do."""
    eps = real_array("epsilons", epsilons, LOSSES_WAY_OUT)
    crossing = probabilities(worst_order(curve.face, lambda face: face.log_crossing(eps)))
    # The test that always rejects has power 1, which is more than e^epsilon for every epsilon below 0.
    return Bracket(*(np.where(eps <= 0, 1.0, end) for end in crossing.ends))


def _log_tail(curve: Curve, losses: Array, orientation: Orientation) -> Bracket:
    if curve.order is not Order.LOSS:
        rule = "cannot be read off a curve that dominates only in the order of the profile"
        raise NotImplied("the tail of the privacy loss", rule, curve.face, FROM_THE_PROFILE)

    def ask(face: Face) -> Bracket:
        assert isinstance(face, LossDistribution)  # a curve in the order of the loss is built with one
        return face.log_tail(losses)

    return oriented(curve, orientation, ask)


def _known(curve: Curve) -> Curve:
    if curve.order is Order.LOSS:
        return curve
    rule = "cannot be read off a curve that dominates only in the order of the profile"
    way_out = "Use tail_from_profile, and e^(-t) times it for the far side; or pass the mechanism itself."
    raise NotImplied(TWO_SIDED_TAIL.name, rule, curve.face, way_out)


def _of_each_pair(face: Face, ask: Callable[[LossDistribution], Bracket]) -> Bracket:
    """The largest answer of the pairs, any of which may be the true one: what one tail leaves is not the other's."""
    assert isinstance(face, LossDistribution)  # a curve in the order of the loss is built with one
    return reduce(lambda a, b: a.maximum(b), map(ask, face.pairs))


def _beyond(face: LossDistribution, t: Array) -> Bracket:
    near, far = face.log_tail(t).exp(), face.log_below(t).exp()
    return Bracket(add_down(near.lower, far.lower), near.mid + far.mid, add_up(near.upper, far.upper))
