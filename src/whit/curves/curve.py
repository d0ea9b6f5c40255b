"""A promise by a pair of distributions: a face, what is known of it, and by which theorems."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from whit import curves
from whit.curves import questions
from whit.curves.face import Array, Face, LossDistribution, Order, Orientation, log_tail_bound
from whit.curves.finite import FinitePair
from whit.curves.profile import ChordProfile
from whit.curves.promise import Promise, copies
from whit.curves.tradeoff import TradeOff
from whit.errors import NotImplied, require
from whit.numerics import Bracket, add_up, distinct, probability_array, real_array, up
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding


@dataclass(frozen=True)
class Curve(Promise):
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
        """The curve with the two datasets exchanged."""
        return replace(self, face=self.face.reverse())

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve itself, whichever relation is named: it does not know between which neighbours it lies."""
        return self

    def relation(self, neighbours: Neighbours | None = None) -> Neighbours | None:
        """The relation that is named; a bare curve has none of its own."""
        return None if neighbours is None else Neighbours.checked(neighbours)

    def to_dict(self) -> dict[str, Any]:
        """What is known of the curve: the kind of its face, its direction, its order, its theorems."""
        return {
            "kind": type(self).__name__,
            "face": type(self.face).__name__,
            "direction": self.direction.value,
            "order": self.order.value,
            "theorems": list(self.basis.theorems),
        }

    def times(self, count: int) -> Curve:
        """The curve of so many independent releases with this one."""
        return curves.composed({self: copies(count)})

    def beyond(self, losses: ArrayLike, *, sides: int = 1, neighbours: Neighbours | None = None) -> Finding:
        """The best bound on the tail of the loss at each threshold: its own, else the one that the profile gives."""
        if self.order is Order.LOSS:
            return (self.tail if sides == 1 else self.two_sided_tail)(losses)
        near = self.tail_from_profile(losses)
        if sides == 1:
            return near
        far = np.asarray(near.value) * Bracket.exact(-questions.thresholds(losses)).exp().upper
        both, basis = np.minimum(add_up(near.value, up(far)), 1.0), near.basis | Basis.of("far-side")
        return Finding(questions.TWO_SIDED_TAIL, both, near.direction, near.inputs, basis)

    def by_profile(self) -> Curve:
        """The curve as an upper bound on the profile alone, which survives processing and mixing.

        It also survives that releases are chosen by earlier ones, as the law of the loss does not: where losses add up
        they are then those of the dominating pairs.
        """
        if self.direction is Direction.AT_LEAST:
            rule = "does not follow from a lower bound between two datasets"
            way_out = "Ask about somebody who knows everyone else."
            raise NotImplied("a bound for mixtures of datasets", rule, self.face, way_out)
        direction = Direction.combine(self.direction, Direction.AT_MOST)
        basis = self.basis.with_instead("losses-add", "dominating-pairs-compose")
        return replace(self, order=Order.PROFILE, direction=direction, basis=basis)

    @property
    def is_exact(self) -> bool:
        """Whether an infinite loss is what the release does, and not what is left unproved."""
        return self.direction is Direction.EXACTLY

    def delta(
        self, epsilons: ArrayLike, *, neighbours: Neighbours | None = None, orientation: Orientation = Orientation.WORST
    ) -> Finding:
        """The smallest delta at each epsilon, in one orientation or in the worse of both."""
        return questions.delta(self, epsilons, neighbours=neighbours, orientation=orientation)

    def epsilon(
        self, deltas: ArrayLike, *, neighbours: Neighbours | None = None, orientation: Orientation = Orientation.WORST
    ) -> Finding:
        """The smallest epsilon at each delta, in one orientation or in the worse of both."""
        return questions.epsilon(self, deltas, neighbours=neighbours, orientation=orientation)

    def power(
        self, levels: ArrayLike, *, neighbours: Neighbours | None = None, orientation: Orientation = Orientation.WORST
    ) -> Finding:
        """The largest power at each level, in one orientation or in the worse of both."""
        return questions.power(self, levels, neighbours=neighbours, orientation=orientation)

    def tail(
        self, losses: ArrayLike, *, neighbours: Neighbours | None = None, orientation: Orientation = Orientation.WORST
    ) -> Finding:
        """The probability that the loss exceeds each threshold, in one orientation or in the worse of both."""
        return questions.tail(self, losses, neighbours=neighbours, orientation=orientation)

    def tail_from_profile(self, losses: ArrayLike, *, orientation: Orientation = Orientation.WORST) -> Finding:
        """An upper bound on the probability that the privacy loss reaches each threshold, by the profile alone."""
        t = real_array("losses", losses, questions.LOSSES_WAY_OUT)
        if self.direction is Direction.AT_LEAST:
            rule = "cannot be bounded by a lower bound on the profile"
            raise NotImplied("the tail of the privacy loss", rule, self.face, "Use a curve that is an upper bound.")
        logs = questions.oriented(self, orientation, lambda face: Bracket.exact(log_tail_bound(face, t)))
        direction = Direction.combine(self.direction, Direction.AT_MOST)
        inputs = {"promise": self, "losses": losses, "orientation": orientation}
        basis = self.basis | Basis.of("tail-from-profile")
        return Finding.of_bracket(questions.TAIL, questions.probabilities(logs), direction, inputs, basis)

    def as_profile(self, epsilons: ArrayLike = ()) -> Curve:
        """The curve by its profile: at the epsilons given and by chords between them, or at all knots of a finite one.

        Chords lie above the profile: between sampled points the result is an upper bound.
        """
        if self.direction is Direction.AT_LEAST:
            rule = "cannot be kept as a lower bound by chords of the profile"
            raise NotImplied("a lower bound on the curve", rule, self.face, "Use as_tradeoff instead.")
        knots = real_array("epsilons", epsilons, questions.LOSSES_WAY_OUT).ravel()
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
        backwards = self.face.reverse()
        brackets = [self.face.log_delta(knots[0])]
        same = backwards is self.face and np.array_equal(
            knots[0], knots[1]
        )  # worked out once where the order makes no difference
        brackets.append(brackets[0] if same else backwards.log_delta(knots[1]))
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
        known = probability_array("levels", levels, questions.LEVELS_WAY_OUT).ravel()
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
        """The curve by its loss distribution; only an exact curve gives it away (theorem tail-from-exact-profile)."""
        if isinstance(self.face, LossDistribution) and self.order is Order.LOSS:
            return self
        pair = self._finite()
        if self.direction is not Direction.EXACTLY or pair is None:
            rule = "cannot be found from a bound on the profile, which does not bound its slope"
            raise NotImplied("the law of the privacy loss", rule, self.face, questions.FROM_THE_PROFILE)
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
    lower, mid, upper = (end[resolved] for end in bracket.ends)
    relative = np.max(np.maximum(upper - mid, mid - lower), initial=0.0)
    return float(relative), float(np.max(bracket.upper[~resolved], initial=-np.inf))
