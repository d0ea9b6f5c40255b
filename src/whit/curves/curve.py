"""The waist of the hourglass: a pair of distributions, what is known of it, and by which theorems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.face import Array, Face, LossDistribution
from whit.curves.finite import FinitePair
from whit.curves.order import Order, Orientation
from whit.curves.profile import ChordProfile
from whit.curves.tails import log_tail_bound
from whit.curves.tradeoff import TradeOff
from whit.errors import NotImplied, require
from whit.numerics import ULP, Bracket, distinct, probability_array, real_array
from whit.theory import Basis, Direction, Finding, Interval, Quantity, Unit, from_curve, reported

DELTA = Quantity("delta", Unit.NUMBER)
EPSILON = Quantity("epsilon", Unit.NUMBER)
POWER = Quantity("power of the best test", Unit.PROBABILITY)
LOG_DELTA = Quantity("log of delta", Unit.NUMBER)
LOG_TAIL = Quantity("log of the probability that the privacy loss exceeds the threshold", Unit.NUMBER)
LOG_POWER = Quantity("log of the power of the best test", Unit.NUMBER)
TAIL = Quantity("probability that the privacy loss exceeds the threshold", Unit.PROBABILITY)

_EPSILONS = "Use numbers such as 0.5 and 1."
_LEVELS = "Use false-positive rates such as 0.01 and 0.05."
_FROM_THE_PROFILE = "Use tail_from_profile, which bounds the tail by the profile, or pass the mechanism itself."


@dataclass(frozen=True)
class Curve:
    """What a release puts between the adversary and the truth, in one of its faces.

    face        the pair (P, Q), forward; the backward pair is its reverse
    direction   EXACTLY, AT_MOST (an upper bound on the risk), AT_LEAST (an audit) or ABOUT (not proved)
    order       in which order it dominates: a tail may be read only off a curve in the order of the LOSS
    basis       the theorems that it rests on

    >>> from whit.curves import GaussianLoss
    >>> print(Curve.exact(GaussianLoss(1.0)).delta(1.0))
    delta is 0.127 (rounded up)
    """

    face: Face
    direction: Direction
    order: Order
    basis: Basis

    def __post_init__(self) -> None:
        """Refuse a curve in the order of the loss whose loss is not known."""
        require(
            self.order is Order.PROFILE or isinstance(self.face, LossDistribution),
            name="a curve in the order of the loss",
            rule="must have a loss distribution as its face",
            value=self.face,
            way_out="Pass Order.PROFILE, or the loss distribution.",
        )

    @classmethod
    def exact(cls, loss: LossDistribution) -> Curve:
        """The curve of a pair whose loss is known in law."""
        way_out = "Pass a loss distribution such as GaussianLoss(1.0)."
        known = isinstance(loss, LossDistribution)
        require(known, name="loss", rule="must be a loss distribution", value=loss, way_out=way_out)
        return cls(loss, Direction.EXACTLY, Order.LOSS, Basis.of(*loss.theorems))

    def reverse(self) -> Curve:
        """The same curve with the two datasets exchanged."""
        return replace(self, face=self.face.reverse())

    def delta(self, epsilons: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Finding | Interval:
        """The smallest delta for which the release is (epsilon, delta)-differentially private."""
        return _delta(self, epsilons, orientation=orientation)

    def log_delta(self, epsilons: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Finding | Interval:
        """Log of the smallest delta at each epsilon: for deltas too small for a double."""
        return _log_delta(self, epsilons, orientation=orientation)

    def epsilon(self, deltas: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Finding | Interval:
        """The smallest epsilon for which the release is (epsilon, delta)-differentially private."""
        return _epsilon(self, deltas, orientation=orientation)

    def power(self, levels: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Finding | Interval:
        """The largest power of a test of one dataset against the other, at each level (false-positive rate)."""
        return _power(self, levels, orientation=orientation)

    def log_power(self, log_levels: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Finding | Interval:
        """Log of the largest power, at each log of a level: for levels and powers too small for a double."""
        return _log_power(self, log_levels, orientation=orientation)

    def tail(self, losses: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Finding | Interval:
        """The probability that the privacy loss exceeds each threshold."""
        return _tail(self, losses, orientation=orientation)

    def log_tail(self, losses: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Finding | Interval:
        """Log of the probability that the privacy loss exceeds each threshold."""
        return _log_tail(self, losses, orientation=orientation)

    def tail_from_profile(self, losses: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Finding:
        """An upper bound on the probability that the privacy loss reaches each threshold, by the profile alone."""
        if self.direction is Direction.AT_LEAST:
            rule = "cannot be bounded by a lower bound on the profile"
            raise NotImplied("the tail of the privacy loss", rule, self.face, "Use a curve that is an upper bound.")
        finding = _tail_from_profile(self, losses, orientation=orientation)
        direction = Direction.ABOUT if self.direction is Direction.ABOUT else finding.direction
        return replace(finding, direction=direction, basis=self.basis | finding.basis)

    def as_profile(self, epsilons: ArrayLike = ()) -> Curve:
        """The curve by its profile: at the epsilons given and by chords between them, or at all knots of a finite one.

        Chords lie above the profile: between sampled points the result is an upper bound.
        """
        if self.direction is Direction.AT_LEAST:
            rule = "cannot be kept as a lower bound by chords of the profile"
            raise NotImplied("a lower bound on the curve", rule, self.face, "Use as_tradeoff instead.")
        knots = real_array("epsilons", epsilons, _EPSILONS).ravel()
        pair = self._finite()
        if knots.size == 0 and pair is not None:
            return self._with_profile(pair.losses, -pair.losses, self.direction)
        require(
            knots.size > 0,
            name="epsilons",
            rule="must be given for a curve with densities",
            value=epsilons,
            way_out="Use a list such as [0.1, 0.5, 1, 2, 5].",
        )
        sampled = Direction.combine(self.direction, Direction.AT_MOST)
        return self._with_profile(knots, knots, sampled)

    def _with_profile(self, forward: Array, backward: Array, direction: Direction) -> Curve:
        knots = [distinct(np.append(each[each > 0], 0.0)) for each in (forward, backward)]
        brackets = [self.face.log_delta(knots[0]), self.face.reverse().log_delta(knots[1])]
        if direction is Direction.EXACTLY:
            logs = [each.mid for each in brackets]
            error, floor = (max(values) for values in zip(*(_errors(each) for each in brackets), strict=True))
        else:
            logs, error, floor = [each.upper for each in brackets], 0.0, -np.inf
        profile = ChordProfile.oriented(knots[0], logs[0], knots[1], logs[1], error, floor)
        basis = self.basis | Basis.of("profile-chords", "orientations", "profile-support-lines")
        return Curve(profile, direction, Order.PROFILE, basis)

    def as_tradeoff(self, levels: ArrayLike = ()) -> Curve:
        """The curve by its trade-off function: at the levels given and by chords, or at all vertices of a finite one.

        Chords lie below the power: between sampled levels the result is a lower bound.
        """
        basis = self.basis | Basis.of("neyman-pearson")
        known = probability_array("levels", levels, _LEVELS).ravel()
        pair = self._finite()
        if known.size == 0 and pair is not None:
            return Curve(TradeOff(pair), self.direction, Order.PROFILE, basis)
        if self.direction is Direction.AT_MOST:
            rule = "cannot be kept as an upper bound by chords of the trade-off function"
            raise NotImplied("an upper bound on the curve", rule, self.face, "Use as_profile instead.")
        require(
            known.size > 0,
            name="levels",
            rule="must be given for a curve with densities",
            value=levels,
            way_out="Use a list such as [0.01, 0.05, 0.1].",
        )
        with np.errstate(divide="ignore"):
            powers = self.face.log_power(np.log(known)).exp().lower
        sampled = Direction.combine(self.direction, Direction.AT_LEAST)
        return Curve(TradeOff.through(known, powers), sampled, Order.PROFILE, basis)

    def as_loss(self) -> Curve:
        """The curve by its loss distribution; only an exact curve gives away its loss (theorem T3)."""
        if isinstance(self.face, LossDistribution) and self.order is Order.LOSS:
            return self
        pair = self._finite()
        if self.direction is not Direction.EXACTLY or pair is None:
            rule = "cannot be found from a bound on the profile, which does not bound its slope"
            raise NotImplied("the law of the privacy loss", rule, self.face, _FROM_THE_PROFILE)
        return Curve(pair, self.direction, Order.LOSS, self.basis | Basis.of("tail-from-exact-profile"))

    def _finite(self) -> FinitePair | None:
        """The finite pair behind the face, if there is one."""
        if isinstance(self.face, FinitePair):
            return self.face
        if isinstance(self.face, TradeOff):
            return self.face.pair
        return self.face.pair() if isinstance(self.face, ChordProfile) else None


def _errors(bracket: Bracket) -> tuple[float, float]:
    """The largest relative error, and the log of the largest absolute one of numbers that may as well be 0."""
    resolved = np.isfinite(bracket.lower)
    lower, mid, upper = (end[resolved] for end in (bracket.lower, bracket.mid, bracket.upper))
    relative = np.max(np.maximum(upper - mid, mid - lower), initial=0.0)
    return float(relative), float(np.max(bracket.upper[~resolved], initial=-np.inf))


def oriented(curve: Curve, orientation: Orientation, ask: Callable[[Face], Bracket]) -> Bracket:
    """The answer of one orientation of a curve, or the larger of both."""
    backward = curve.face.reverse() if orientation is not Orientation.FORWARD else curve.face
    if orientation is Orientation.BACKWARD or backward is curve.face:
        return ask(backward)
    return ask(curve.face) if orientation is Orientation.FORWARD else ask(curve.face).maximum(ask(backward))


def _probabilities(log_bracket: Bracket) -> Bracket:
    linear = log_bracket.exp()
    return Bracket(linear.lower, np.minimum(linear.mid, 1.0), np.minimum(linear.upper, 1.0))


@from_curve(DELTA, by="hockey-stick")
def _delta(curve: Curve, epsilons: ArrayLike, *, orientation: Orientation) -> Bracket:
    eps = real_array("epsilons", epsilons, _EPSILONS)
    return _probabilities(oriented(curve, orientation, lambda face: face.log_delta(eps)))


@from_curve(LOG_DELTA, by="hockey-stick")
def _log_delta(curve: Curve, epsilons: ArrayLike, *, orientation: Orientation) -> Bracket:
    eps = real_array("epsilons", epsilons, _EPSILONS)
    return oriented(curve, orientation, lambda face: face.log_delta(eps))


@from_curve(POWER, by="neyman-pearson")
def _power(curve: Curve, levels: ArrayLike, *, orientation: Orientation) -> Bracket:
    with np.errstate(divide="ignore"):
        logs = np.log(probability_array("levels", levels, _LEVELS))
    # The log of a level is rounded: the truth lies between the powers a hair earlier and a hair later.
    hair = 4 * ULP * np.where(np.isfinite(logs), np.abs(logs), 0.0)
    three = oriented(curve, orientation, lambda face: face.log_power(np.stack([logs - hair, logs, logs + hair])))
    # The bounds themselves may be rounded against each other by as much.
    return _probabilities(Bracket(three.lower[:2].min(axis=0), three.mid[1], three.upper[1:].max(axis=0)))


@from_curve(LOG_POWER, by="neyman-pearson")
def _log_power(curve: Curve, log_levels: ArrayLike, *, orientation: Orientation) -> Bracket:
    logs = real_array("log_levels", log_levels, "Use logs of levels such as -700.")
    way_out = "Pass the natural log of a level."
    require(bool(np.all(logs <= 0)), name="log_levels", rule="must be at most 0", value=log_levels, way_out=way_out)
    return oriented(curve, orientation, lambda face: face.log_power(logs))


@from_curve(TAIL, by="loss-tail")
def _tail(curve: Curve, losses: ArrayLike, *, orientation: Orientation) -> Bracket:
    return tail_bracket(curve, real_array("losses", losses, _EPSILONS), orientation)


@from_curve(LOG_TAIL, by="loss-tail")
def _log_tail(curve: Curve, losses: ArrayLike, *, orientation: Orientation) -> Bracket:
    return _log_tail_bracket(curve, real_array("losses", losses, _EPSILONS), orientation)


def tail_bracket(curve: Curve, losses: Array, orientation: Orientation) -> Bracket:
    """P[Z > t] at each loss t; refused for a curve that knows only its profile."""
    return _probabilities(_log_tail_bracket(curve, losses, orientation))


def _log_tail_bracket(curve: Curve, losses: Array, orientation: Orientation) -> Bracket:
    if curve.order is not Order.LOSS:
        rule = "cannot be read off a curve that dominates only in the order of the profile"
        raise NotImplied("the tail of the privacy loss", rule, curve.face, _FROM_THE_PROFILE)

    def ask(face: Face) -> Bracket:
        assert isinstance(face, LossDistribution)  # a curve in the order of the loss is built with one
        return face.log_tail(losses)

    return oriented(curve, orientation, ask)


@reported(TAIL, by="tail-from-profile", direction=Direction.AT_MOST)
def _tail_from_profile(curve: Curve, losses: ArrayLike, *, orientation: Orientation) -> Array:
    thresholds = real_array("losses", losses, _EPSILONS)
    log_bounds = oriented(curve, orientation, lambda face: Bracket.exact(log_tail_bound(face, thresholds)))
    return _probabilities(log_bounds).upper


@from_curve(EPSILON, by="hockey-stick")
def _epsilon(curve: Curve, deltas: ArrayLike, *, orientation: Orientation) -> Bracket:
    with np.errstate(divide="ignore"):
        logs = np.log(probability_array("deltas", deltas, "Use values such as 1e-6."))
    return oriented(curve, orientation, lambda face: face.epsilon(logs))
