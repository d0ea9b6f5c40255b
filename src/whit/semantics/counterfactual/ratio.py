"""By which factor a person's record in the data changes what is believed of them: ratio of the two posteriors.

What is random, where a bound may fail: the adversary's belief is taken to be right. With Record.TRUE the person has
some record r, whichever it is; everyone else is drawn from the belief given r, and the output from the release on these
data. The ratio is that for r itself. Where the output tells something else of everyone else in the world without the
person, r is drawn from the belief as well. With Record.ANY the data are drawn from the belief, the output from the
release on them, and the ratio is that for one record r named beforehand, true or not. Example 7.2 of KAA22 shows that
for an adversary whose belief is wrong nothing follows from a promise with failures.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, Promise
from whit.errors import NotImplied, require
from whit.numerics import ULP, Bracket, add_up, down, exp_up, log1mexp, real_array, up
from whit.semantics.counterfactual.profile import CounterfactualWorld, Profile, Sides, checked, not_bounded
from whit.setting import Knowledge, failures, one_or_two
from whit.theory import Basis, Direction, Failure, Finding, Quantity, Randomness, Unit

RATIO = Quantity("ratio of the posteriors with and without the person's record", Unit.NUMBER, key="posterior_ratio")
EXCEEDED = Quantity("probability that the ratio of the posteriors exceeds the threshold", Unit.PROBABILITY)

_RATIOS = "Use factors such as 2 and 10."


class Record(Enum):
    """The record of the person whose posteriors are compared; the value is a sentence that says so."""

    TRUE = "The record that the person has, whichever it is."
    ANY = "Any one record that is named before the release, whether or not the person has it."

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"Record.{self.name}"


@dataclass(frozen=True)
class Question:
    """Which posteriors are compared, for whom, and whether drops count as well as rises."""

    record: Record
    knows: Knowledge
    world: CounterfactualWorld
    sides: int

    def __post_init__(self) -> None:
        """Refuse what is none of the alternatives."""
        way_out = "Use Record.TRUE or Record.ANY."
        good = isinstance(self.record, Record)
        require(good, name="record", rule="must be one of Record", value=self.record, way_out=way_out)
        Knowledge.checked(self.knows)
        checked(self.world)
        one_or_two(self.sides)

    @property
    def alike(self) -> bool:
        """Whether the output tells the same of everyone else in both worlds."""
        return self.world is CounterfactualWorld.POSTERIOR_SAMPLE or self.knows is Knowledge.EVERYONE_ELSE

    @property
    def may_fail(self) -> bool:
        """Whether there is a theorem for bounds that may fail."""
        return self.record is Record.TRUE or self.knows is Knowledge.EVERYONE_ELSE

    @property
    def key(self) -> str:
        """The theorem for bounds that may fail."""
        if not self.alike:
            return "posterior-ratio-in-two-parts"
        return "posterior-ratio-true-record" if self.record is Record.TRUE else "posterior-ratio-any-record"

    def profile(self, sides: Sides) -> Profile | None:
        """The profile that bounds with failures go by; none where there is no theorem."""
        known = sides.alike if self.alike else sides.unlike
        return known if self.may_fail else None

    @property
    def inputs(self) -> dict[str, Any]:
        """What a finding echoes of the question."""
        return {"record": self.record, "knows": self.knows, "world": self.world, "sides": self.sides}


def posterior_ratio(
    promise: Promise,
    *,
    failure: ArrayLike = 0.0,
    record: Record = Record.TRUE,
    knows: Knowledge = Knowledge.ANY_BELIEF,
    world: CounterfactualWorld = CounterfactualWorld.POSTERIOR_SAMPLE,
    sides: int = 1,
) -> Finding:
    """The largest factor by which the posterior of a record exceeds the posterior had the record not been used.

    Without a failure it holds for every belief, record and output, and so does its inverse from below. With one it
    holds except with that probability; the page of this module says what is random.

    Args:
        promise: a promise, a mechanism or a curve; taken between neighbours that replace a record, unless the world
            is one in which the record is dropped and the adversary may believe anything.
        failure: probability that the ratio is larger; 0 asks for what always holds.
        record: whether the ratio is that for the true record, or for any one record.
        knows: what the adversary knows of everyone else.
        world: what stands in the place of the record.
        sides: 2 if the ratio shall not be below the inverse of the bound either.

    >>> from whit.guarantees import PureDP, ZeroConcentratedDP
    >>> from whit.setting import Neighbours
    >>> print(posterior_ratio(PureDP(1.0, neighbours=Neighbours.REPLACE)))
    ratio of the posteriors with and without the person's record is at most 2.72
    >>> census = ZeroConcentratedDP(0.1115, neighbours=Neighbours.REPLACE)
    >>> print(posterior_ratio(census, failure=0.05))
    ratio of the posteriors with and without the person's record is at most 3.54, except with probability 5 %
    """
    question = Question(record, knows, world, sides)
    allowed = failures(failure)
    known_sides = Sides.of(promise, world, knows)
    sure, basis, direction = _surely(known_sides)
    loss = np.full(allowed.shape, sure)
    profile = question.profile(known_sides)
    if profile is not None:
        found = _losses(profile, question, allowed) if question.alike else _twice_losses(profile, question, allowed)
        if bool(np.any(found < loss)):
            loss, direction = np.minimum(loss, found), profile.direction
            over = Failure(float(np.max(allowed)), Randomness.BELIEF)
            basis = profile.basis | Basis.of(question.key) | Basis(failures=(over,))
    if np.isinf(loss).all():
        raise _nothing_said(profile, failure)
    inputs: dict[str, Any] = {"promise": promise, "failure": failure, **question.inputs}
    return Finding(RATIO, Bracket.exact(loss).exp().upper, direction, inputs, basis)


def ratio_exceeded(
    promise: Promise,
    ratios: ArrayLike,
    *,
    record: Record = Record.TRUE,
    knows: Knowledge = Knowledge.ANY_BELIEF,
    world: CounterfactualWorld = CounterfactualWorld.POSTERIOR_SAMPLE,
    sides: int = 1,
) -> Finding:
    """The probability that the posterior with the record exceeds the one without it by more than each factor.

    The other direction of posterior_ratio, with the same arguments; with two sides, also that it is below the inverse.

    >>> from whit.guarantees import ZeroConcentratedDP
    >>> from whit.setting import Neighbours
    >>> census = ZeroConcentratedDP(0.1115, neighbours=Neighbours.REPLACE)
    >>> print(ratio_exceeded(census, 10.0, knows=Knowledge.EVERYONE_ELSE, record=Record.ANY))
    probability that the ratio of the posteriors exceeds the threshold is at most 2.12e-6
    """
    question = Question(record, knows, world, sides)
    factors = real_array("ratios", ratios, _RATIOS)
    legal = bool(np.all(factors >= 1))
    require(legal, name="ratios", rule="must be at least 1", value=ratios, way_out=_RATIOS)
    known_sides = Sides.of(promise, world, knows)
    sure, basis, direction = _surely(known_sides)
    never = factors >= Bracket.exact(sure).exp().upper
    chance = np.where(never, 0.0, 1.0)
    profile = question.profile(known_sides)
    if profile is not None and not never.all():
        tails = _tails(profile, question, factors) if question.alike else _tails_of_two(profile, question, factors)
        chance, direction = np.where(never, 0.0, tails), profile.direction
        basis = profile.basis | Basis.of(question.key)
    elif not never.any():
        raise _nothing_said(profile, f"the ratio {ratios!r}")
    inputs: dict[str, Any] = {"promise": promise, "ratios": ratios, **question.inputs}
    return Finding(EXCEEDED, chance, direction, inputs, basis)


def _surely(sides: Sides) -> tuple[float, Basis, Direction]:
    """The log of a ratio that is never exceeded, and what it rests on.

    Epsilon where the output tells the same of everyone else in both worlds, and twice epsilon elsewhere.
    """
    options = [(factor, each) for factor, each in ((1.0, sides.alike), (2.0, sides.unlike)) if each is not None]
    factor, profile = min(options, key=lambda option: option[0] * option[1].sure)
    return factor * profile.sure, profile.basis | Basis.of("posterior-ratio-pure"), profile.direction


def _losses(profile: Profile, question: Question, allowed: Array) -> Array:
    """Log of a ratio that is exceeded with at most these probabilities; infinite at 0."""
    positive = allowed > 0.0
    if not positive.any():
        return np.full(allowed.shape, np.inf)
    phi = np.where(positive, allowed, 1.0)
    divergences = profile.promise.by_divergences
    found = _renyi_loss(profile, question, phi) if divergences else np.full(phi.shape, np.inf)
    # A test that all orders allow is within every profile that follows from them: on one side it says no less.
    if question.sides == 2 or not (divergences and profile.curve.face.is_told_by_profile):
        bound = partial(_loss_at, question, np.log(phi)[..., None])
        places = profile.at_chances(phi) if question.sides == 1 and question.record is Record.TRUE else None
        if places is not None:
            least = bound(places, profile.log_delta(places)).min(axis=-1)
        else:
            least = profile.least(bound, allowed.shape, chance=float(np.min(phi)))
        found = np.minimum(found, least)
    return np.where(positive, found, np.inf)


def _twice_losses(profile: Profile, question: Question, allowed: Array) -> Array:
    """The same where the ratio has two parts: neither may pass half of it, to either side if drops count as well."""
    each = replace(question, sides=2)
    return np.asarray(2 * _losses(profile, each, allowed / question.sides))


def _tails_of_two(profile: Profile, question: Question, factors: Array) -> Array:
    """The probability that one of the two parts of the ratio passes the root of each factor, rounded up."""
    each = _tails(profile, replace(question, sides=2), np.maximum(down(np.sqrt(factors)), 1.0))
    return np.minimum(each * question.sides, 1.0)


def _loss_at(question: Question, log_failure: Array, epsilons: Array, log_deltas: Array) -> Array:
    """What a point of the profile bounds the log of the ratio by.

    With d = delta/failure: log(e^epsilon + d) for any record, where minus the log of the failure will do as well;
    epsilon - log(1 - d) for the true one, and log(e^epsilon + d) - log(1 - d) for rises and drops together.
    """
    log_d = log_deltas - log_failure
    room = log_d < 0.0
    shrunk = -log1mexp(np.where(room, log_d, -1.0))
    raised = np.logaddexp(epsilons, log_d)
    if question.sides == 2:
        bound = np.where(room, raised + shrunk, np.inf)
    elif question.record is Record.ANY:
        bound = np.minimum(raised, -log_failure)  # the mean of the ratio is 1
    else:
        bound = np.where(room, epsilons + shrunk, np.inf)
    return bound + ULP * (32 + 8 * (np.abs(np.where(np.isfinite(bound), bound, 0.0)) + _size(log_deltas, log_failure)))


def _tails(profile: Profile, question: Question, factors: Array) -> Array:
    """The probability that the ratio exceeds each factor, rounded up."""
    t = np.maximum(np.log(factors) * (1 - 4 * ULP), 0.0)
    log_tail = profile.least(partial(_log_tail_at, t[..., None]), t.shape)
    tail = exp_up(np.minimum(log_tail, 0.0))
    if profile.promise.by_divergences:
        tail = np.minimum(tail, _upper(profile.promise.bounded_delta(t, neighbours=profile.neighbours)))
    weight = up(1 / factors, 2)
    if question.sides == 2:
        return np.minimum(up(tail * up(1 + weight, 2), 2), 1.0)
    return tail if question.record is Record.TRUE else np.minimum(up(tail * weight, 2), 1.0)


def _log_tail_at(t: Array, epsilons: Array, log_deltas: Array) -> Array:
    """Log of delta / (1 - e^(epsilon - t)) for epsilon < t: what a point of the profile bounds the tail by."""
    gap = t - epsilons
    below = gap > 0.0
    quotient = np.where(below, log_deltas - log1mexp(np.where(below, -gap, -1.0)), np.inf)
    # The gap is good to a unit in the last place of t.
    blurred = 2 * ULP * (t + epsilons) / np.where(below, gap, 1.0)
    return quotient + blurred + ULP * (16 + 4 * np.abs(np.where(np.isfinite(quotient), quotient, 0.0)))


def _renyi_loss(profile: Profile, question: Question, failure: Array) -> Array:
    """Log of the ratio by the Rényi divergences themselves, which say more than the profile that follows from them.

    For any record by the power g of tests: log(g(failure)/failure). For rises and drops together at a failure that is
    smaller by the factor 1 + e^(-t), with t the bound for rises alone.
    """
    if question.sides == 1 and question.record is Record.ANY:
        return add_up(
            _upper(profile.promise.log_power(np.log(failure), neighbours=profile.neighbours)), -np.log(failure)
        ) + ULP * 8 * _size(np.log(failure))
    rises = _upper(profile.promise.bounded_epsilon(failure, neighbours=profile.neighbours))
    if question.sides == 1:
        return rises
    less = failure / (1 + np.exp(-rises)) * (1 - 8 * ULP)
    return _upper(profile.promise.bounded_epsilon(less, neighbours=profile.neighbours))


def _upper(answer: Finding) -> Array:
    return np.asarray(answer.value)


def _size(*logs: Array) -> Array:
    return np.asarray(sum(np.where(np.isfinite(each), np.abs(each), 0.0) for each in logs))


def _nothing_said(profile: Profile | None, given: object) -> NotImplied:
    if profile is None:
        rule = "is bounded for this adversary, record and world only by a promise without failures"
        way_out = "Ask about the true record in the world of a posterior sample, or for one who knows everyone else."
        return NotImplied("the ratio of the posteriors", rule, given, way_out)
    way_out = "Allow a larger failure, or use a smaller delta."
    return not_bounded("the ratio of the posteriors", float(np.exp(profile.log_rest)), given, way_out)
