"""What releases must meet, with the failure probability: a limit on one risk, or a promise made to somebody.

A criterion gives the verdict on releases, whether they are made already or planned, and guides the search for the
parameter with which planned ones just meet it. The criterion of a risk profile is in `profile_criterion`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from whit.assessment import promise_name
from whit.curves import Curve, Promise, sure_loss, tail_bound
from whit.errors import NotImplied, TooCostly
from whit.guarantees import ApproxDP, PureDP
from whit.numerics import PRECISION, add_down
from whit.policy.limits import Limit, LossLimit
from whit.policy.planned import Planned, Releases
from whit.policy.reasons import added_alone, outcome_of, reason_of, stored_above
from whit.policy.verdict import FREE, Outcome, Verdict
from whit.semantics import membership
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding


class Criterion(ABC):
    """A requirement, the chance that it may fail, and how far releases are from it."""

    requirement: object
    failure: float

    @abstractmethod
    def verdict(self, releases: Releases) -> Verdict:
        """Whether the releases meet the requirement; raises NotImplied or TooCostly where there is no answer."""

    def settled(self, releases: Releases) -> Verdict:
        """The verdict; what is void is kept, whatever is known of the releases."""
        try:
            return self.verdict(releases)
        except (NotImplied, TooCostly):
            if self.void and self.is_proved:
                return Verdict(Outcome.KEPT, self.requirement, FREE)
            raise

    @abstractmethod
    def fits(self, releases: Releases) -> bool:
        """Whether they meet it as far as is known: by a proof, or by an estimate where that is all."""

    @abstractmethod
    def margin(self, planned: Planned) -> float:
        """At least 0 where they are expected to meet it, and falling with what they reveal; for the search."""

    @property
    @abstractmethod
    def loss(self) -> float:
        """About which loss all releases together may have; where a search begins."""

    def precision(self, planned: Planned) -> float:
        """To which share of itself the parameter is to be found."""
        return PRECISION

    @property
    def faintest(self) -> float:
        """The smallest chance that it turns on, where it names one."""
        return self.failure or 1.0

    @property
    @abstractmethod
    def void(self) -> bool:
        """Whether all releases meet it, whatever they reveal."""

    @property
    def is_proved(self) -> bool:
        """Whether what it says of some adversaries is proved of all."""
        return True

    @property
    @abstractmethod
    def always(self) -> bool:
        """Whether it needs a loss that is never exceeded."""

    def basis(self, verdict: Verdict) -> Basis:
        """What a parameter that was found by it rests on."""
        found = Basis() if verdict.number is None else verdict.number.basis
        return found | Basis.of("parameter-by-inversion")

    def possible(self) -> None:  # noqa: B027  (most requirements can always be kept)
        """Refuse what not even a release that says nothing meets."""


@dataclass(frozen=True)
class LimitCriterion(Criterion):
    """A limit on one risk, met except with a failure probability."""

    requirement: Limit
    failure: float
    sides: int
    relation: Neighbours | None

    def verdict(self, releases: Releases) -> Verdict:
        """By the number that the school reports."""
        promise, notices = releases(self.relation), self._notices(releases)
        number = self.requirement.risk(promise, failure=self.failure, sides=self.sides, neighbours=self.relation)
        most, who = self.requirement.largest, self.requirement.decider(number)
        outcome = outcome_of(number, most)
        if outcome is Outcome.BROKEN:
            self._require_known(promise, number)
        reason = reason_of(number, most, outcome, self.requirement.about)
        clause = f"the limit {self.requirement.text}"
        return Verdict(outcome, self.requirement, reason, number, most, who, clause, notices=notices)

    def fits(self, releases: Releases) -> bool:
        """Whether the number is at most the limit; refused where it is an estimate."""
        promise = releases(self.relation)
        return self.requirement.keeps(promise, failure=self.failure, sides=self.sides, neighbours=self.relation)

    def margin(self, planned: Planned) -> float:
        """Log of the chance of failure over the tail at the loss that is allowed; or what is left of loss or risk."""
        promise, sides, relation = planned(self.relation), self.sides, self.relation
        if not isinstance(self.requirement, LossLimit):
            risk = self.requirement.risk(promise, sides=sides, neighbours=relation)  # for a search an estimate will do
            return float(add_down(self.requirement.largest, -float(risk)))
        allowed = float(self.requirement.allowed_loss(sides=sides))
        whole = promise.block(self.requirement.block)
        if self.failure == 0.0:
            return allowed - float(sure_loss(whole, relation))
        compared = membership.compared(whole, self.requirement.knows, relation, self.requirement.when)
        if isinstance(compared, Curve):
            compared = replace(compared, face=compared.face.rough)  # a search needs no more digits than that
        tail = float(tail_bound(compared, sides=sides, neighbours=relation)(np.asarray(allowed)))
        likely = math.log(self.failure) - math.log(tail) if tail > 0.0 else math.inf
        # Where the largest loss passes what is allowed a tail may jump from 0, and what is left of loss does not.
        left = allowed - float(sure_loss(whole, relation))
        return left if tail == 0.0 and left >= 0.0 else max(likely, left)

    @property
    def loss(self) -> float:
        """The loss that is allowed."""
        limit = self.requirement
        allowed = float(limit.allowed_loss(sides=self.sides)) if isinstance(limit, LossLimit) else 1.0
        return allowed if 0.0 < allowed < math.inf else 1.0

    @property
    def faintest(self) -> float:
        """The chance of failure, or the level of a test."""
        level = getattr(self.requirement, "level", 1.0)
        return min(level, self.failure or 1.0)

    @property
    def void(self) -> bool:
        """Whether the limit is, or may always fail."""
        always_fails = self.failure >= 1.0 and isinstance(self.requirement, LossLimit)
        return self.requirement.void(sides=self.sides) or always_fails

    @property
    def always(self) -> bool:
        """Whether it is about losses, and may never fail."""
        return self.failure == 0.0 and isinstance(self.requirement, LossLimit)

    def _require_known(self, promise: Promise, number: Finding) -> None:
        """Refuse a number that says no more than certainty does, unless certainty is what the mechanism leads to.

        A bounded loss is known, even one so large that the number rounds up to certainty.
        """
        limit = self.requirement
        if not isinstance(limit, LossLimit) or float(number) < float(limit.certainty(sides=self.sides)):
            return
        whole, relation, knows, when = promise.block(limit.block), self.relation, limit.knows, limit.when
        bounded = partial(membership.known_loss, whole, neighbours=relation, knows=knows, when=when)
        if math.isinf(float(bounded(self.failure, sides=self.sides))):
            require_unbounded(promise, self.relation, self.failure)

    def _notices(self, releases: Releases) -> tuple[str, ...]:
        """That a replaced record is not covered, where it would count for more, and what covers it."""
        promise = releases(self.relation)
        added = promise.relation(self.relation) is Neighbours.ADD_REMOVE
        risk = next(iter(self.requirement.to_dict())).replace("_", " ")
        return added_alone(promise, risk, of_loss=isinstance(self.requirement, LossLimit)) if added else ()


@dataclass(frozen=True)
class PromiseCriterion(Criterion):
    """A promise that was made about all releases together, by epsilon and delta."""

    requirement: PureDP | ApproxDP
    failure: float = 0.0

    def verdict(self, releases: Releases) -> Verdict:
        """By the delta of the releases at the epsilon of the promise."""
        number = self._delta(releases)
        stated, clause = self._allowed_delta, f"the promise {promise_name(self.requirement)}"
        outcome = outcome_of(number, stated)
        reason = reason_of(number, stated, outcome)
        above = outcome is Outcome.BROKEN and self.always
        notices = stored_above(releases(None), self.requirement.stated_epsilon) if above else ()
        return Verdict(outcome, self.requirement, reason, number, stated, None, clause, notices=notices)

    def fits(self, releases: Releases) -> bool:
        """Whether the delta of the releases at the epsilon of the promise is at most its delta."""
        return float(self._delta(releases)) <= self._allowed_delta

    def margin(self, planned: Planned) -> float:
        """Log of the delta of the promise over that of the releases; their difference, if the promise has none."""
        delta, stated = float(self._delta(planned)), self._allowed_delta
        if stated == 0.0:
            return -delta
        return math.log(stated) - math.log(delta) if delta > 0.0 else math.inf

    @property
    def loss(self) -> float:
        """Its epsilon."""
        return self.requirement.stated_epsilon or 1.0

    @property
    def faintest(self) -> float:
        """Its delta."""
        return self._allowed_delta

    @property
    def void(self) -> bool:
        """Whether its delta is 1."""
        return self._allowed_delta >= 1.0

    @property
    def always(self) -> bool:
        """Whether its delta is 0."""
        return self._allowed_delta == 0.0

    @property
    def _allowed_delta(self) -> float:
        return self.requirement.stated_delta if isinstance(self.requirement, ApproxDP) else 0.0

    def _delta(self, releases: Releases) -> Finding:
        """The delta of the releases; where it is too small for a double, and none is allowed, the smallest one."""
        relation, epsilon = self.requirement.neighbours, self.requirement.stated_epsilon
        promise = releases(relation)
        found = promise.delta(epsilon, neighbours=relation)
        if promise.is_stated or not self.always or float(found) > 0.0:
            return found
        if float(promise.sure_loss(relation)) <= epsilon:
            return found  # no loss is larger, so the log of the delta is no more than rounding
        hidden = not math.isinf(float(promise.log_delta(epsilon, neighbours=relation)))
        return replace(found.bound, value=math.ulp(0.0)) if hidden else found


@dataclass(frozen=True)
class EveryCriterion(Criterion):
    """Several criteria at once, all to be kept."""

    parts: tuple[Criterion, ...]
    failure: float
    requirement: object = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "requirement", tuple(part.requirement for part in self.parts))

    def verdict(self, releases: Releases) -> Verdict:
        """The verdict on all of them."""
        return Verdict.of_all([part.settled(releases) for part in self.parts])

    def fits(self, releases: Releases) -> bool:
        """Whether they meet each."""
        return all(part.fits(releases) for part in self.parts)

    def margin(self, planned: Planned) -> float:
        """The least of the margins."""
        return min(part.margin(planned) for part in self.parts)

    @property
    def loss(self) -> float:
        """The least of the losses."""
        return min(part.loss for part in self.parts)

    def precision(self, planned: Planned) -> float:
        """The finest that one of them needs."""
        return min(part.precision(planned) for part in self.parts)

    @property
    def faintest(self) -> float:
        """The smallest of theirs."""
        return min(part.faintest for part in self.parts)

    @property
    def void(self) -> bool:
        """Whether all of them are."""
        return all(part.void for part in self.parts)

    @property
    def always(self) -> bool:
        """Whether one of them needs a loss that is never exceeded."""
        return any(part.always for part in self.parts)

    def possible(self) -> None:
        """Refuse what not even a release that says nothing meets."""
        for part in self.parts:
            part.possible()


def require_unbounded(promise: Promise, relation: Neighbours | None, failure: float, of: str = "") -> None:
    """Refuse a loss without a proved bound, unless it is that of a mechanism which is known exactly."""
    with suppress(NotImplied):
        if promise.curve(relation).direction is Direction.EXACTLY:
            return
    rule = f"{of} has no proved bound at a failure probability of {failure:g}".strip()
    way_out = "Allow a larger failure probability, such as {failure}, or state the mechanism itself."
    suggested = {"failure": max(0.01, min(2 * failure, 1.0))}
    raise NotImplied("the privacy loss", rule, promise, way_out, suggested=suggested)
