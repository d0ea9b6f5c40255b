"""What a parameter must keep to: a limit on one risk, or a promise already made to somebody; profiles are elsewhere."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

from whit.curves import Promise
from whit.guarantees import ApproxDP, PureDP
from whit.policy.families import Family, PromiseFamily, Rule
from whit.policy.limits import Limit, LossLimit
from whit.policy.recommend_binding import Binding, LimitBinding, PromiseBinding
from whit.policy.recommend_losses import tail_beyond
from whit.policy.recommend_search import PRECISION
from whit.policy.spent import Earlier, together
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding


@dataclass(frozen=True)
class Planned:
    """Releases of a family with one value of the parameter, after what was released before."""

    family: Family
    value: float
    spent: tuple[Earlier, ...]

    def between(self, relation: Neighbours) -> Promise:
        """All of them together, between neighbours of this relation."""
        return together(self.family.all(self.value, relation), self.spent, relation)


@dataclass(frozen=True)
class Report:
    """What there is to say about releases that keep to a requirement.

    Attributes:
        binding: what decides.
        findings: what the releases let happen.
        basis: what the answer rests on.
        estimated: whether it rests on an estimate, so that nothing is proved.
    """

    binding: Binding
    findings: tuple[Finding, ...]
    basis: Basis
    estimated: bool


class Requirement(ABC):
    """Something that releases keep to or do not; with less told, they keep to it the sooner."""

    @abstractmethod
    def kept(self, planned: Planned) -> bool:
        """Whether it is proved that the releases keep to it."""

    @abstractmethod
    def margin(self, planned: Planned) -> float:
        """At least 0 where they are expected to, and falling with what they tell; for the search."""

    @property
    @abstractmethod
    def size(self) -> float:
        """About which loss all releases together may have; where a search begins."""

    def precision(self, planned: Planned) -> float:
        """To which share of itself the parameter is to be found."""
        return PRECISION

    @property
    @abstractmethod
    def void(self) -> bool:
        """Whether it is proved that all releases keep to it, whatever they tell."""

    @property
    @abstractmethod
    def sure(self) -> bool:
        """Whether it needs a loss that is never exceeded."""

    @abstractmethod
    def report(self, planned: Planned) -> Report:
        """What decides, what the releases let happen, and what that rests on."""

    def possible(self) -> None:  # noqa: B027  (most requirements can always be kept)
        """Refuse what not even a release that says nothing keeps to."""

    def notices(self) -> tuple[str, ...]:
        """Sentences that should be read with the answer."""
        return ()


@dataclass(frozen=True)
class LimitRequirement(Requirement):
    """A limit on one risk, kept but for a chance of failure."""

    limit: Limit
    failure: float
    sides: int
    relation: Neighbours

    def kept(self, planned: Planned) -> bool:
        """Whether the limit says so."""
        promised = planned.between(self.relation)
        return self.limit.keeps(promised, failure=self.failure, sides=self.sides, neighbours=self.relation)

    def margin(self, planned: Planned) -> float:
        """Log of the chance of failure over the tail at the loss that is allowed; else what the limit has left."""
        promised = planned.between(self.relation)
        if not isinstance(self.limit, LossLimit) or self.failure == 0.0:
            return float(
                self.limit.headroom(promised, failure=self.failure, sides=self.sides, neighbours=self.relation)
            )
        allowed = float(self.limit.allowed_loss(sides=self.sides))
        tail = tail_beyond(promised, allowed, self.sides, self.relation)
        return math.log(self.failure) - math.log(tail) if tail > 0.0 else math.inf

    def _left(self, planned: Planned) -> Finding:
        """What the limit has left."""
        promised = planned.between(self.relation)
        return self.limit.headroom(promised, failure=self.failure, sides=self.sides, neighbours=self.relation)

    @property
    def size(self) -> float:
        """The loss that is allowed."""
        allowed = float(self.limit.allowed_loss(sides=self.sides)) if isinstance(self.limit, LossLimit) else 1.0
        return allowed if 0.0 < allowed < math.inf else 1.0

    @property
    def void(self) -> bool:
        """Whether the limit is, or may always fail."""
        return self.limit.void(sides=self.sides) or (self.failure >= 1.0 and not self._about_curve)

    @property
    def sure(self) -> bool:
        """Whether it is about losses, and may never fail."""
        return self.failure == 0.0 and not self._about_curve

    @property
    def _about_curve(self) -> bool:
        return not isinstance(self.limit, LossLimit)

    def report(self, planned: Planned) -> Report:
        """The limit, and what it has left."""
        left = self._left(planned)
        return Report(LimitBinding(self.limit, left), (left,), left.basis | Basis.of("parameter-by-inversion"), False)


@dataclass(frozen=True)
class PromiseRequirement(Requirement):
    """A promise that was made about all releases together, by epsilon and delta."""

    promise: PureDP | ApproxDP

    def kept(self, planned: Planned) -> bool:
        """Whether the delta of the releases at the epsilon of the promise is at most its delta."""
        return float(self._delta(planned)) <= self._stated and not self._underflows(planned)

    def margin(self, planned: Planned) -> float:
        """Log of the delta of the promise over that of the releases; their difference, if the promise has none."""
        delta, stated = float(self._delta(planned)), self._stated
        if stated == 0.0:
            return -max(delta, 5e-324) if self._underflows(planned) else -delta
        return math.log(stated) - math.log(delta) if delta > 0.0 else math.inf

    @property
    def size(self) -> float:
        """Its epsilon."""
        return self.promise.stated_epsilon or 1.0

    @property
    def void(self) -> bool:
        """Whether its delta is 1."""
        return self._stated >= 1.0

    @property
    def sure(self) -> bool:
        """Whether its delta is 0."""
        return self._stated == 0.0

    def report(self, planned: Planned) -> Report:
        """The promise, and the delta of the releases at its epsilon."""
        delta = self._delta(planned)
        basis = delta.basis | Basis.of("parameter-by-inversion")
        return Report(PromiseBinding(self.promise, delta), (delta,), basis, delta.direction is Direction.ABOUT)

    @property
    def _stated(self) -> float:
        return self.promise.stated_delta if isinstance(self.promise, ApproxDP) else 0.0

    def _underflows(self, planned: Planned) -> bool:
        """Whether a delta that must be 0 only seems to be, since it is too small for a double."""
        promised = planned.between(self.promise.neighbours)
        if not self.sure or promised.is_stated:
            return False
        found = promised.curve(self.promise.neighbours).log_delta(self.promise.stated_epsilon)
        return not math.isinf(float(found))

    def _delta(self, planned: Planned) -> Finding:
        relation, epsilon = self.promise.neighbours, self.promise.stated_epsilon
        promised = planned.between(relation)
        return promised.delta(epsilon, neighbours=relation)


def adds_up(family: Family) -> bool:
    """Whether the epsilons of a family simply add up."""
    return isinstance(family, PromiseFamily) and family.kind is PureDP and family.rule is Rule.OWN
