"""The questions, put to the schools: all of them, or those that concern one adversary.

What the adversary knows of the others goes into every question; where some depend on this person, the answers are those
of a promise to the whole block. Only the beliefs with and without the person need none: they hold for every belief as
they are. A prior alone is about a single fact, which neighbours
differ by. An inclusion and a value are about presence with that value: then the others are those who are absent or have
another value, the bounds on disclosure answer for the posterior, and both kinds of neighbours count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.assessment.answers import (
    QUESTIONS,
    Assessment,
    Unanswered,
    Unasked,
    Unbounded,
    larger,
    stacked,
    widest,
)
from whit.assessment.population import among
from whit.assessment.sentences import adversary_text
from whit.curves import Promise, promise_name, titled, way_to_promise
from whit.display import at_work, steps
from whit.errors import Incompatible, InvalidInput, NoPromise, NotImplied, TooCostly, Unreachable, require
from whit.numerics import down, probability, up
from whit.semantics import counterfactual, disclosure, membership, testing
from whit.setting import Adversary, Knowledge, Neighbours, When, require_something_said
from whit.theory import Answer, Basis, Finding, Quantity, echo

_UNASKED = Unasked("it was not asked")
_ADVERSARY = "Use Adversary(prior=0.5), or a list of adversaries."
_PROMISE = "Pass a promise such as PureDP(1.0), a mechanism such as Gaussian(1.0), a curve, or a list of them."
_END_ONLY = (
    "beliefs with and without the person are bounded at the end only, where a bound may fail. Ask without a failure, "
    "or about the end."
)
_BARE_CURVE = "a curve does not say between which neighbours it is. Pass neighbours=Neighbours.ADD_REMOVE or REPLACE."

_OF_A_VALUE = "an answer about a value"
_NEEDS_PRESENCE = "needs what is promised about adding or removing a record, where the inclusion is below 1"

Ask: TypeAlias = Callable[[], Answer]
"""A question that has not been put yet."""


@at_work("Assessing")
def assess(
    promise: Promise | Sequence[Promise],
    adversary: Adversary | Sequence[Adversary] | None = None,
    *,
    failure: ArrayLike = 0.0,
    sides: int = 1,
    level: ArrayLike = 0.05,
    people: int = 1,
    population: int | None = None,
    neighbours: Neighbours | None = None,
    questions: Iterable[str] | None = None,
) -> Assessment:
    """Every question that a promise and an adversary raise; those without an answer say why.

    >>> from whit.guarantees import PureDP
    >>> assessment = assess(PureDP(1.0), Adversary(prior=0.1))
    >>> print(assessment.posterior)
    posterior probability of the truth is at most 23.2 %
    >>> print(assessment.power)
    power of the best test is at most 13.6 %

    Args:
        promise: a promise, a mechanism or a curve; or several, whose answers are stacked along a new first axis.
        adversary: their belief before the release, or a list of adversaries, along the last axis. Without one: even
            odds.
        failure: the chance over the noise with which a statement about beliefs may be false; 0 asks for what always
            holds, which (epsilon, delta) promises with a delta above 0 cannot say.
        sides: 2 to bound drops of the belief as well.
        level: the false-positive rate of tests.
        people: how many people the bound on total variation is to hold for at once.
        population: of how many people it is asked for how many a bound may fail; see `people_beyond`.
        neighbours: the relation between datasets; that of the promise if none is named.
        questions: the names of those to answer, as the assessment has them; all of them if none are named.
    """
    if neighbours is not None:
        Neighbours.checked(neighbours)
    beliefs = _Beliefs.of(Adversary(prior=0.5) if adversary is None else adversary)
    names = _known(questions, beliefs)
    require_something_said(failure)
    question = _Questions(beliefs, failure, sides, level, people, neighbours, names)
    by = _asker(adversary, failure, level)
    if isinstance(promise, Promise):
        return among(population, replace(question.of(promise), asked_by=by))
    NoPromise.stop(promise)
    several = _listed("promise", promise, Promise, way_to_promise(promise, _PROMISE))
    each_one = steps(several, "promise", len(several))
    return among(population, replace(stacked([question.of(each) for each in each_one]), asked_by=by))


def _asker(adversary: object, failure: ArrayLike, level: ArrayLike) -> str:
    """One adversary and what they allow for, in a few words; nothing where these are several."""
    who = Adversary(prior=0.5) if adversary is None else adversary
    one = isinstance(who, Adversary) and np.ndim(failure) == np.ndim(level) == 0
    if not one:
        return ""
    allowed = probability("level", level, "Use the rate of false alarms that is allowed, such as 0.05.")
    return adversary_text(who, float(failure), allowed)  # type: ignore[arg-type]


def _known(questions: Iterable[str] | None, beliefs: _Beliefs) -> tuple[str, ...]:
    """The questions that are asked, all that concern these adversaries if none are named; an unknown one is refused."""
    if questions is None:
        return concerning(guesses=beliefs.baseline is not None)
    way_out = f"Use {', '.join(QUESTIONS)}."
    several: object = questions  # whatever a caller passes in spite of the annotation
    listable, rule = isinstance(several, Iterable), "must be names of questions"
    require(listable, name="questions", rule=rule, value=several, way_out=way_out)
    names = (questions,) if isinstance(questions, str) else tuple(questions)
    for name in names:
        rule = "must be questions of an assessment"
        require(name in QUESTIONS, name="questions", rule=rule, value=name, way_out=way_out)
    return names


def concerning(*, guesses: bool) -> tuple[str, ...]:
    """All questions, without the success of a guess if nobody says how often it is right without the release."""
    return tuple(name for name in QUESTIONS if guesses or name != "success")


def _listed(name: str, given: object, kind: type, way_out: str) -> list[Any]:
    """The members of a list of such things; at least one."""
    several = list(given) if isinstance(given, Sequence) else []
    if not several or not all(isinstance(each, kind) for each in several):
        kinds = {"promise": "a promise, a mechanism or a curve", "adversary": "an Adversary"}[name]
        raise InvalidInput(name, f"must be {kinds}, or a list of them", given, way_out)
    return several


@dataclass(frozen=True, eq=False, repr=False)
class _Beliefs:
    """The beliefs of one adversary, or of several along an axis."""

    inclusion: float | NDArray[np.float64]
    value: float | NDArray[np.float64]
    knows: Knowledge
    when: When
    block: int
    baseline: float | NDArray[np.float64] | None

    @classmethod
    def of(cls, adversary: Adversary | Sequence[Adversary]) -> _Beliefs:
        if isinstance(adversary, Adversary):
            who = adversary
            return cls(who.inclusion, who.value, who.knows, who.when, who.block, who.baseline)
        several = _listed("adversary", adversary, Adversary, _ADVERSARY)
        kinds = {(each.knows, each.when, each.block) for each in several}
        if len(kinds) > 1:
            rule = "must all know the same of the other people, watch at the same moments, and have blocks of one size"
            raise Incompatible("adversaries", rule, sorted(map(repr, kinds)), "Assess each kind by itself.")
        inclusion, value = (np.array([getattr(each, name) for each in several]) for name in ("inclusion", "value"))
        return cls(inclusion, value, *kinds.pop(), _baselines(several))

    @property
    def of_one_fact(self) -> bool:
        """Whether they are about a single fact, whose opposite is one dataset too."""
        return bool(np.all(np.asarray(self.value) == 1.0))

    def relations(self, asked: Neighbours | None) -> tuple[Neighbours | None, ...]:
        """The neighbours between which the fact and its opposites lie: the one asked about, if it is a single fact."""
        if self.of_one_fact or asked is not None:
            return (asked,)
        added = (Neighbours.ADD_REMOVE,) if np.any(np.asarray(self.inclusion) < 1.0) else ()
        return (*added, Neighbours.REPLACE)

    def about(self, ask: Callable[[ArrayLike], Answer]) -> Answer:
        """The answer at the prior, inclusion times value: at both its neighbours where the product is rounded."""
        product = np.asarray(self.inclusion) * np.asarray(self.value)
        if np.all((np.asarray(self.inclusion) == 1.0) | (np.asarray(self.value) == 1.0)):
            return ask(float(product) if product.ndim == 0 else product)
        return widest(ask(np.clip(np.stack([down(product), up(product)]), 0.0, 1.0)))


def _baselines(adversaries: Sequence[Adversary]) -> NDArray[np.float64] | None:
    """How often each guesses right without the release; all of them say so, or none does."""
    said = [each.baseline for each in adversaries if each.baseline is not None]
    rule, way_out = "must all have a baseline, or none of them", "Give each of them one, or assess them apart."
    all_or_none = len(said) in (0, len(adversaries))
    require(all_or_none, name="adversaries", rule=rule, value=f"{len(said)} of {len(adversaries)}", way_out=way_out)
    return np.array(said) if said else None


@dataclass(frozen=True, eq=False, repr=False)
class _Questions:
    """All that is asked about, except the promise."""

    beliefs: _Beliefs
    failure: ArrayLike
    sides: int
    level: ArrayLike
    people: int
    neighbours: Neighbours | None
    names: tuple[str, ...]

    def of(self, promise: Promise) -> Assessment:
        """The answers of one promise."""
        whole = promise.block(self.beliefs.block)
        asks = self._membership(whole) | self._risks(whole) | self._counterfactual(promise) | self._tests(whole)
        asked = {name: asks[name] for name in asks if name in self.names}
        found = {name: answered(ask) for name, ask in steps(asked.items(), "question", len(asked))}
        # A guarantee was stated under its own relation, which is in its name.
        subject = titled(promise_name(promise), None if promise.is_stated else self.neighbours)
        return Assessment(**{name: found.get(name, _UNASKED) for name in asks}, asked_of=subject, asked_by="")

    def _membership(self, promise: Promise) -> dict[str, Ask]:
        knows = self.beliefs.knows
        average: dict[str, Ask] = {
            "expected_posterior": lambda: self._at_the_prior(
                partial(membership.expected_posterior, promise, knows=knows)
            )
        }
        if not self.beliefs.of_one_fact:
            return self._of_a_value(promise) | average
        known = membership.Beliefs(promise, self.failure, self.sides, self.neighbours, knows, self.beliefs.when)
        return average | {
            "posterior": lambda: self.beliefs.about(known.posterior),
            "ratio": lambda: self.beliefs.about(known.ratio),
            "difference": lambda: self.beliefs.about(known.difference),
            "odds": lambda: self.beliefs.about(known.odds),
            "worst_prior": known.worst_prior,
        }

    def _of_a_value(self, promise: Promise) -> dict[str, Ask]:
        """What is known of a fact with more than one opposite: absence, and every other value."""
        risks = self._risks(promise)
        restated = {"posterior": membership.POSTERIOR_OF_TRUTH, "ratio": membership.RATIO_OF_TRUTH}

        def ask(name: str, risk: str) -> Answer:
            return _ONE_SIDED if self.sides == 2 else _restated(risks[risk](), restated[name], self.beliefs)

        return {
            "posterior": lambda: ask("posterior", "absolute_risk"),
            "ratio": lambda: ask("ratio", "relative_risk"),
            **dict.fromkeys(OF_ONE_FACT, lambda: _ONE_FACT_ONLY),
        }

    def _at_the_prior(self, ask: Callable[..., Answer]) -> Answer:
        """The answer at the prior, between the neighbours that the belief is about."""
        return self._between(lambda *, neighbours: self.beliefs.about(partial(ask, neighbours=neighbours)))

    def _between(self, ask: Callable[..., Answer]) -> Answer:
        """The answer between the neighbours that the belief is about, the larger one if there are two kinds.

        It bounds a test of the fact against all its opposites too: against some opposite the level of the test is no
        larger than against all of them together, and a smaller level allows no larger power.
        """
        found = [self._known(ask, relation) for relation in self.beliefs.relations(self.neighbours)]
        return larger(found if self.beliefs.of_one_fact else [self._with_beliefs(each) for each in found])

    def _known(self, ask: Callable[..., Answer], relation: Neighbours | None) -> Answer:
        """The answer between such neighbours; absence, which the belief includes, may be none of the promise's."""
        try:
            return ask(neighbours=relation)
        except NotImplied as unknown:
            if relation is not Neighbours.ADD_REMOVE or self.neighbours is not None or self.beliefs.of_one_fact:
                raise
            way_out = "Use {inclusion} for a person known to be in the data, or a promise about adding and removing."
            suggested = {"inclusion": 1}
            raise NotImplied(_OF_A_VALUE, _NEEDS_PRESENCE, unknown.value, way_out, suggested=suggested) from unknown

    def _with_beliefs(self, answer: Answer) -> Answer:
        """The answer, whose echo says that it is about a value."""
        if not isinstance(answer, Finding):
            return answer
        beliefs = {"inclusion": echo(self.beliefs.inclusion), "value": echo(self.beliefs.value)}
        return replace(answer, inputs={**answer.inputs, **beliefs})

    def _risks(self, promise: Promise) -> dict[str, Ask]:
        inclusion, value, failure = self.beliefs.inclusion, self.beliefs.value, self.failure
        options: dict[str, Any] = {"inclusion": inclusion, "value": value, "failure": failure}
        return {
            "relative_risk": lambda: self._stopped(disclosure.relative_risk(promise, **options)),
            "absolute_risk": lambda: self._stopped(disclosure.absolute_risk(promise, **options)),
        }

    def _stopped(self, found: Finding) -> Finding:
        """What is found of a disclosure, at every moment too if that is asked: its losses are bounded for mixtures."""
        if self.beliefs.when is When.END:
            return found
        basis = found.basis | Basis.of("at-every-moment") if found.basis.failures else found.basis
        return replace(found, inputs={**found.inputs, "when": self.beliefs.when.name}, basis=basis)

    def _counterfactual(self, promise: Promise) -> dict[str, Ask]:
        # Whoever knows those outside a block may still believe anything of the block.
        knows, failure = self.beliefs.knows if self.beliefs.block == 1 else Knowledge.ANY_BELIEF, self.failure
        unknown = self._no_relation(promise) or self._only_at_the_end()
        if unknown is not None:
            return {"total_variation": lambda: unknown, "posterior_ratio": lambda: unknown}
        world = None if self.neighbours is None else _world(self.neighbours)
        return {
            "total_variation": lambda: counterfactual.total_variation(
                promise, failure=failure, people=self.people, world=world, knows=knows
            ),
            "posterior_ratio": lambda: counterfactual.posterior_ratio(
                promise, failure=failure, knows=knows, sides=self.sides
            ),
        }

    def _only_at_the_end(self) -> Unanswered | None:
        """Why beliefs with and without the person have no bound at every moment, where one may fail."""
        failing = bool(np.any(np.asarray(self.failure) > 0.0))
        return Unanswered(_END_ONLY) if failing and self.beliefs.when is When.EVER else None

    def _no_relation(self, promise: Promise) -> Unanswered | None:
        """Why nothing is known under the neighbours that were asked about, if so."""
        try:
            return Unanswered(_BARE_CURVE) if promise.relation(self.neighbours) is None else None
        except NotImplied as refused:
            return Unanswered(refused)

    def _tests(self, promise: Promise) -> dict[str, Ask]:
        level, knows = self.level, self.beliefs.knows
        return {
            "power": lambda: self._between(partial(testing.power, promise, level, knows=knows)),
            "advantage": lambda: self._between(partial(testing.advantage, promise, knows=knows)),
            "best_guess": lambda: self._at_the_prior(partial(testing.best_guess, promise, knows=knows)),
            "positive_predictive_value": lambda: self._at_the_prior(
                partial(testing.positive_predictive_value, promise, level, knows=knows)
            ),
            "success": lambda: self._success(promise),
        }

    def _success(self, promise: Promise) -> Answer:
        if self.beliefs.baseline is None:
            rule = "needs the chance that the best guess is right without the release"
            suggested = {"baseline": 0.01}
            raise NotImplied("the success of a guess", rule, "none", "Ask with {baseline}.", suggested=suggested)
        return testing.success(promise, self.beliefs.baseline, neighbours=self.neighbours)


def _world(neighbours: Neighbours) -> counterfactual.CounterfactualWorld:
    """What stands in for the data without the person, under each relation."""
    added = neighbours is Neighbours.ADD_REMOVE
    return counterfactual.CounterfactualWorld.DROPPED if added else counterfactual.CounterfactualWorld.DEFAULT_RECORD


def answered(ask: Ask) -> Answer:
    """The answer, or why there is none; what is wrong with the question itself is not caught."""
    try:
        return ask()
    except (NotImplied, TooCostly, Unreachable) as refused:
        return Unbounded(refused) if refused.parameter == "failure" else Unanswered(refused)


RISKS = ("relative_risk", "absolute_risk")
"""What is asked about presence with a value; of a single fact the posterior and the ratio say the same."""

OF_ONE_FACT = ("difference", "odds", "worst_prior")
"""What is only known about a single fact."""

_ONE_FACT_ONLY = Unanswered("it is only known about a single fact: give a prior alone.")
_ONE_SIDED = Unanswered("drops are only bounded about a single fact: give a prior alone, or ask with one side.")


def assess_one(
    promise: Promise, adversary: Adversary, *, questions: Iterable[str] | None = None, **asked: Any
) -> Assessment:
    """Every question that concerns an adversary; or those that are named.

    >>> from whit.mechanisms import Gaussian
    >>> knows, believes = (Adversary(prior=0.5, knows=each) for each in (Knowledge.EVERYONE_ELSE, Knowledge.ANY_BELIEF))
    >>> print(assess_one(Gaussian(1.0), knows, failure=0.01).posterior)
    posterior probability of the truth is at most 94.5 %, except with probability 1 %
    >>> print(assess_one(Gaussian(1.0), believes, failure=0.01).posterior)
    posterior probability of the truth is at most 95.8 %, except with probability 1 %

    Args:
        promise: a guarantee or a mechanism.
        adversary: what they believe, and what they know of the others.
        questions: the names of those to answer; all that concern the adversary if none are named.
        asked: what else `assess` is asked with: failure, sides, level, people, population, neighbours.
    """
    left_out = RISKS if adversary.value == 1.0 else (*RISKS, *OF_ONE_FACT)
    every = concerning(guesses=adversary.baseline is not None)
    chosen = [name for name in every if name not in left_out] if questions is None else questions
    return assess(promise, adversary, questions=chosen, **asked)


def _restated(answer: Answer, quantity: Quantity, beliefs: _Beliefs) -> Answer:
    """What holds of presence with the value, as the answer to the question about the belief."""
    if not isinstance(answer, Finding):
        return answer
    prior = echo(np.asarray(beliefs.inclusion) * np.asarray(beliefs.value))
    return replace(answer, quantity=quantity, inputs={**answer.inputs, "prior": prior})
