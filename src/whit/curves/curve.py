"""The waist of the hourglass: what is known of a release, and the curve that it comes to.

A `Promise` is whatever bounds a release, with the questions that can be put to it. `promise.delta(epsilons)` and
`promise.epsilon(deltas)` are questions. So the parameters that a promise was stated with are kept under other names,
`stated_epsilon` and `stated_delta`: ApproxDP(epsilon=1, delta=1e-6).stated_epsilon is 1. A `Curve` is a promise by a
pair of distributions, what is known of it, and by which theorems.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit import curves
from whit.curves import questions
from whit.curves.face import Array, Face, LossDistribution, Order, Orientation, log_tail_bound
from whit.curves.finite import FinitePair
from whit.curves.profile import ChordProfile
from whit.curves.tradeoff import TradeOff
from whit.errors import InvalidInput, NotImplied, require
from whit.numerics import Bracket, add_up, count, distinct, probability_array, real_array, up
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding

_PROMISE = "Pass a promise such as PureDP(1.0), a mechanism such as Gaussian(1.0), or a curve."


class Promise(ABC):
    """What is known of a release: a guarantee, a mechanism, a composition of them, or a curve that others computed.

    A question about a promise is asked between neighbours of its own relation, unless another one is named.
    """

    by_divergences: ClassVar[bool] = False
    """Whether it bounds Rényi divergences, which say more of tests than the (epsilon, delta) that follow from them."""

    power_theorem: ClassVar[str] = ""
    """Key of the theorem that gives the power of tests under it in closed form, if there is one."""

    @abstractmethod
    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """A curve between neighbours that the release does not exceed."""

    @abstractmethod
    def relation(self, neighbours: Neighbours | None = None) -> Neighbours | None:
        """The relation that a question is about: the one named, else its own; None where it has none."""

    @abstractmethod
    def times(self, count: int) -> Promise:
        """What so many releases, each with this promise, come to together."""

    def group(self, size: int) -> Promise:
        """What is promised to a group of so many records, instead of one."""
        way_out = "Ask a mechanism for its sensitivity to a whole group, or state what it promises as a guarantee."
        raise NotImplied("a promise to a group", "does not follow from a mechanism or a curve", self, way_out)

    def composable(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve that stands for this promise among others of another kind; it may be looser than its own."""
        return self.curve(neighbours)

    @property
    def composed_of(self) -> tuple[tuple[Promise, int], ...]:
        """The releases that it is composed of, each with how often it is made; none if it is one release."""
        return ()

    def stated_under(self, neighbours: Neighbours | None = None) -> Mapping[str, Any]:
        """Its parameters under a relation, by the names that it is built with; none if it is not stated by any."""
        return {}

    @property
    def composition_basis(self) -> Basis:
        """What two releases with this promise add up by."""
        return Basis.of("losses-add")

    @property
    def is_exact(self) -> bool:
        """Whether an infinite loss is what the release does, and not what is left unproved."""
        return False

    def has_concave_power(self, face: Face) -> bool:
        """Whether the power bounds all mixtures of neighbours as it stands, so that no hull is needed."""
        return face.is_one_pair

    def knows_tail(self, neighbours: Neighbours | None = None) -> bool:
        """Whether it bounds the tail of the loss itself, and not only through its profile."""
        return self.curve(neighbours).order is Order.LOSS

    def covered(self, neighbours: Neighbours | None = None, *, sides: int = 1) -> tuple[Promise, ...]:
        """Promises of which one bounds the tail of each person whom this one covers, at every loss above 0.

        A guarantee bounds the tail of everybody itself, and a bare curve is about nobody else.
        """
        return (self,)

    def beyond(self, losses: ArrayLike, *, sides: int = 1, neighbours: Neighbours | None = None) -> Finding:
        """The best bound on P[Z > t] at each loss t > 0, or with `sides=2` on P[Z > t] + P[Z < -t]: for everybody."""
        found = [each.beyond(losses, sides=sides) for each in self.covered(neighbours, sides=sides)]
        if len(found) == 1 and np.all(np.asarray(losses) >= 0.0):
            return found[0]
        # Whoever takes part in nothing has the loss 0.
        most = np.where(np.asarray(losses) < 0.0, 1.0, np.max([np.asarray(each.value) for each in found], axis=0))
        direction = Direction.combine(Direction.AT_MOST, *(each.direction for each in found))
        return Finding(found[0].quantity, most, direction, found[0].inputs, reduce(or_, (each.basis for each in found)))

    def sure_loss(self, neighbours: Neighbours | None = None) -> Finding:
        """The loss that is never exceeded; infinite where there is none."""
        return curves.sure_loss_of(self.curve(neighbours))

    def corner(self, neighbours: Neighbours | None = None) -> float | None:
        """The epsilon at which the profile has a corner that its parameters tell; None where none is told."""
        return None

    @property
    def is_stated(self) -> bool:
        """Whether it is a guarantee, whose profile is in closed form and may be searched without end."""
        return False

    def mixed(self, neighbours: Neighbours | None = None) -> Promise:
        """What is left of it for adversaries who do not know the other records, and compare mixtures of neighbours.

        A bound by the profile survives mixing; the tail of a mechanism's own loss need not.
        """
        return self.curve(neighbours).by_profile()

    def delta(self, epsilons: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest delta for which the release is (epsilon, delta)-differentially private, at each epsilon."""
        return questions.delta(self, epsilons, neighbours=neighbours)

    def log_delta(self, epsilons: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """Log of the smallest delta at each epsilon: for deltas too small for a double."""
        return questions.log_delta(self, epsilons, neighbours=neighbours)

    def epsilon(self, deltas: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest epsilon for which the release is (epsilon, delta)-differentially private, at each delta."""
        return questions.epsilon(self, deltas, neighbours=neighbours)

    def power(self, levels: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The largest power of a test of one dataset against the other, at each level (false-positive rate)."""
        return questions.power(self, levels, neighbours=neighbours)

    def log_power(self, log_levels: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """Log of the largest power, at each log of a level: for levels and powers too small for a double."""
        return questions.log_power(self, log_levels, neighbours=neighbours)

    def renyi(self, orders: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The Rényi divergence between neighbours, at each order above 1; infinity asks for the largest loss."""
        return curves.renyi_divergence(self, orders, neighbours=neighbours)

    def covering_mu(self, *, least_error: float = 0.0, neighbours: Neighbours | None = None) -> Finding:
        """The smallest mu of Gaussian privacy that covers it; for tests with both errors at least that, if given."""
        return curves.covering_mu(self, least_error=least_error, neighbours=neighbours)

    def tail(self, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The probability P[Z > t] that the privacy loss exceeds each threshold t."""
        return questions.tail(self, losses, neighbours=neighbours)

    def lower_tail(self, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The probability P[Z < -t] that the privacy loss falls below minus each threshold t >= 0."""
        return questions.lower_tail(self, losses, neighbours=neighbours)

    def two_sided_tail(self, losses: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The probability P[Z > t] + P[Z < -t] that the privacy loss is beyond each threshold t >= 0 on either side."""
        return questions.two_sided_tail(self, losses, neighbours=neighbours)

    def bounded_epsilon(self, deltas: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest epsilon of pbdp at each delta: no processed output of probability delta raises odds by more."""
        return questions.bounded_epsilon(self, deltas, neighbours=neighbours)

    def bounded_delta(self, epsilons: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
        """The smallest delta of pbdp at each epsilon: the tail of the loss, made proof against processing."""
        return questions.bounded_delta(self, epsilons, neighbours=neighbours)

    def to_dict(self) -> dict[str, Any]:
        """The promise as a plain tree: its kind, and its parameters by name."""
        return {"kind": type(self).__name__, "as": repr(self)}

    def _keep(self, **values: object) -> None:
        """Put validated values into the frozen fields."""
        for name, value in values.items():
            object.__setattr__(self, name, value)


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
        """The curve as an upper bound on the profile alone, which survives processing and mixing."""
        if self.direction is Direction.AT_LEAST:
            rule = "does not follow from a lower bound between two datasets"
            way_out = "Ask about somebody who knows everyone else."
            raise NotImplied("a bound for mixtures of datasets", rule, self.face, way_out)
        return replace(self, order=Order.PROFILE, direction=Direction.combine(self.direction, Direction.AT_MOST))

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


def require_promise(promise: object) -> Promise:
    """The promise, if it is one."""
    if isinstance(promise, Promise):
        return promise
    raise InvalidInput("promise", "must be a promise, a mechanism or a curve", promise, _PROMISE)


def copies(number: object) -> int:
    """How many releases: a whole number of at least 1."""
    return count("count", number, "Use the number of releases, such as 12.")


def _errors(bracket: Bracket) -> tuple[float, float]:
    """The largest relative error, and the log of the largest absolute one of numbers that may as well be 0."""
    resolved = np.isfinite(bracket.lower)
    lower, mid, upper = (end[resolved] for end in bracket.ends)
    relative = np.max(np.maximum(upper - mid, mid - lower), initial=0.0)
    return float(relative), float(np.max(bracket.upper[~resolved], initial=-np.inf))
