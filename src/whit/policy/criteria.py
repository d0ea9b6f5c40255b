"""What releases must meet, with the failure probability: a limit on one risk, or a promise made to somebody.

A criterion gives the verdict on releases, whether they are made already or planned, and guides the search for the
parameter with which planned ones just meet it. The criterion of a risk profile is in `profile_criterion`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

import numpy as np

from whit.assessment import promise_name
from whit.curves import Curve, Promise, composed, sure_loss, tail_bound
from whit.errors import InvalidInput, NoPromise, NotImplied
from whit.guarantees import ApproxDP, Composition, Guarantee, PureDP
from whit.mechanisms import Mechanism, compose
from whit.numerics import PRECISION, add_down
from whit.policy.families import Family
from whit.policy.limits import Limit, LossLimit
from whit.policy.reasons import added_alone, outcome_of, reason_of, stored_above
from whit.policy.verdict import FREE, Outcome, Verdict
from whit.semantics import membership
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding

_SPENT = "Pass what was promised before, such as [PureDP(0.5)] or [Gaussian(10.0).times(12)]."
Releases: TypeAlias = Callable[[Neighbours | None], Promise]
"""What releases promise together, between neighbours of a relation, or of their own if none is named."""


@dataclass(frozen=True)
class Made:
    """Releases by what they promise together."""

    promise: Promise

    def __call__(self, relation: Neighbours | None = None) -> Promise:
        """What is promised, whatever the relation."""
        return self.promise


@dataclass(frozen=True)
class Planned:
    """Releases of a family with one value of the parameter, after what was released before."""

    family: Family
    value: float
    spent: tuple[Promise, ...]

    def __call__(self, relation: Neighbours | None = None) -> Promise:
        """All of them together; between neighbours that differ by an added record if no relation is named."""
        known = Neighbours.ADD_REMOVE if relation is None else relation
        return together(self.family.all(self.value, known), self.spent, known)


@dataclass(frozen=True)
class Estimated(Planned):
    """The same to a few digits where the family has an estimate and nothing was released before."""

    def __call__(self, relation: Neighbours | None = None) -> Promise:
        """An estimate for a search, or the releases themselves."""
        known = Neighbours.ADD_REMOVE if relation is None else relation
        found = None if self.spent else self.family.about(self.value, known)
        return super().__call__(relation) if found is None else found


def earlier(spent: object) -> tuple[Promise, ...]:
    """The earlier releases as a tuple; a single one may stand alone.

    >>> earlier(PureDP(0.5))
    (PureDP(epsilon=0.5),)
    """
    given = spent if isinstance(spent, Sequence) and not isinstance(spent, str) else (spent,)
    for each in given:
        NoPromise.stop(each)
        if not isinstance(each, Promise):
            raise InvalidInput("spent", "must be promises, mechanisms or curves", each, _SPENT)
    return tuple(given)


def together(now: Promise, spent: Sequence[Promise], relation: Neighbours) -> Promise:
    """The new release and the earlier ones as one, between neighbours of this relation.

    Mechanisms compose by their losses and promises by their rules; where both are among them, their curves compose.

    >>> together(PureDP(0.25), [PureDP(0.5)], Neighbours.ADD_REMOVE)
    <Composition of PureDP(epsilon=0.25), PureDP(epsilon=0.5): PureDP(epsilon=0.75) by basic-composition>
    """
    everything = [now, *spent]
    mechanisms = [each for each in everything if isinstance(each, Mechanism)]
    promises = [each for each in everything if isinstance(each, Guarantee | Composition)]
    if not spent:
        return now
    if len(mechanisms) == len(everything):
        return compose(*mechanisms)
    if len(promises) < len(everything):
        return composed([each.composable(relation) for each in everything])
    if len({each.neighbours for each in promises}) > 1:
        promises = [each.under(relation) for each in promises]
    return compose(*promises)


class Criterion(ABC):
    """A requirement, the chance that it may fail, and how far releases are from it."""

    requirement: object
    failure: float

    @abstractmethod
    def verdict(self, releases: Releases) -> Verdict:
        """Whether the releases meet the requirement; raises NotImplied or TooCostly where there is no answer."""

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
        """Whether it is proved that all releases meet it, whatever they reveal."""

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
        try:
            number = self.requirement.risk(promise, failure=self.failure, sides=self.sides, neighbours=self.relation)
        except NotImplied:
            if self.requirement.void(sides=self.sides):
                return Verdict(Outcome.KEPT, self.requirement, FREE, notices=notices)
            raise
        most, who = self.requirement.largest, self.requirement.decider(number)
        outcome = outcome_of(number, most)
        if outcome is Outcome.BROKEN:
            self._require_known(promise, number)
        given = {name: value for name, value in self.requirement.parameters.items() if isinstance(value, float)}
        given |= {"block": self.requirement.block} if self.requirement.block > 1 else {}
        clause = f"the limit {', '.join(f'{name}={value:.15g}' for name, value in given.items())}"
        reason = reason_of(number, most, outcome, self.requirement.about)
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
        allowed = (
            float(self.requirement.allowed_loss(sides=self.sides)) if isinstance(self.requirement, LossLimit) else 1.0
        )
        return allowed if 0.0 < allowed < math.inf else 1.0

    @property
    def faintest(self) -> float:
        """The chance of failure, or the level of a test."""
        level = getattr(self.requirement, "level", 1.0)
        return min(level, self.failure or 1.0)

    @property
    def void(self) -> bool:
        """Whether the limit is, or may always fail."""
        return self.requirement.void(sides=self.sides) or (
            self.failure >= 1.0 and isinstance(self.requirement, LossLimit)
        )

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
        return added_alone(promise, of_loss=isinstance(self.requirement, LossLimit)) if added else ()


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
        """The worst of the verdicts, and of equals the one with the least room."""
        found = [part.verdict(releases) for part in self.parts]
        return replace(Verdict.of_all(sorted(found, key=_room)), requirement=self.requirement, parts=tuple(found))

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


def _room(verdict: Verdict) -> float:
    """The margin to the limit, as a share of it."""
    if verdict.number is None or verdict.limit is None or math.isinf(verdict.limit):
        return math.inf
    return (verdict.limit - float(verdict.number)) / verdict.limit if verdict.limit > 0.0 else -float(verdict.number)


def require_unbounded(promise: Promise, relation: Neighbours | None, failure: float, of: str = "") -> None:
    """Refuse a loss without a proved bound, unless it is that of a mechanism which is known exactly."""
    with suppress(NotImplied):
        if promise.curve(relation).direction is Direction.EXACTLY:
            return
    rule = f"{of} has no proved bound at a failure probability of {failure:g}".strip()
    way_out = "Allow a larger failure probability, such as {failure}, or state the mechanism itself."
    suggested = {"failure": max(0.01, min(2 * failure, 1.0))}
    raise NotImplied("the privacy loss", rule, promise, way_out, suggested=suggested)
