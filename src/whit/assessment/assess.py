"""The questions, put to the schools: all of them, or those that concern one adversary.

The posterior of somebody who knows everyone else is bounded by the loss of one pair of datasets. For somebody who may
believe anything of the others, the bound on the probability of disclosure takes its place, which is as large or larger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.assessment.answers import Assessment, Unanswered, Unasked, stacked, widest
from whit.curves import Promise
from whit.errors import Incompatible, InvalidInput, NotImplied, TooCostly, Unreachable, require
from whit.numerics import down, up
from whit.semantics import counterfactual, disclosure, membership, testing
from whit.setting import Adversary, Knowledge, Neighbours
from whit.theory import Answer, Finding, Quantity

QUESTIONS = tuple(each.name for each in fields(Assessment))
"""The questions by name, in the order of an assessment."""

_UNASKED = Unasked("it was not asked")
_ADVERSARY = "Use Adversary(prior=0.5), or a list of adversaries."
_PROMISE = "Pass a promise such as PureDP(1.0), a mechanism such as Gaussian(1.0), a curve, or a list of them."
_BARE_CURVE = "a curve does not say between which neighbours it is. Pass neighbours=Neighbours.ADD_REMOVE or REPLACE."

Ask: TypeAlias = Callable[[], Answer]
"""A question that has not been put yet."""


def assess(
    promise: Promise | Sequence[Promise],
    adversary: Adversary | Sequence[Adversary] | None = None,
    *,
    failure: ArrayLike = 0.0,
    sides: int = 1,
    level: ArrayLike = 0.05,
    people: int = 1,
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
        neighbours: the relation between datasets; that of the promise if none is named.
        questions: the names of those to answer, as the assessment has them; all of them if none are named.
    """
    if neighbours is not None:
        Neighbours.checked(neighbours)
    beliefs = _Beliefs.of(Adversary(prior=0.5) if adversary is None else adversary)
    question = _Questions(beliefs, failure, sides, level, people, neighbours, _known(questions))
    if isinstance(promise, Promise):
        return question.of(promise)
    several = _listed("promise", promise, Promise, _PROMISE)
    return stacked([question.of(each) for each in several])


def _known(questions: Iterable[str] | None) -> tuple[str, ...]:
    """The questions that are asked; an unknown one is refused."""
    if questions is None:
        return QUESTIONS
    way_out = f"Use {', '.join(QUESTIONS)}."
    several: object = questions  # whatever a caller passes in spite of the annotation
    listable, rule = isinstance(several, Iterable), "must be names of questions"
    require(listable, name="questions", rule=rule, value=several, way_out=way_out)
    names = (questions,) if isinstance(questions, str) else tuple(questions)
    for name in names:
        rule = "must be questions of an assessment"
        require(name in QUESTIONS, name="questions", rule=rule, value=name, way_out=way_out)
    return names


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

    @classmethod
    def of(cls, adversary: Adversary | Sequence[Adversary]) -> _Beliefs:
        if isinstance(adversary, Adversary):
            return cls(adversary.inclusion, adversary.value, adversary.knows)
        several = _listed("adversary", adversary, Adversary, _ADVERSARY)
        knowledge = {each.knows for each in several}
        if len(knowledge) > 1:
            rule = "must all know the same of the other people"
            raise Incompatible("adversaries", rule, sorted(map(repr, knowledge)), "Assess each kind by itself.")
        inclusion, value = (np.array([getattr(each, name) for each in several]) for name in ("inclusion", "value"))
        return cls(inclusion, value, knowledge.pop())

    def about(self, ask: Callable[[ArrayLike], Answer]) -> Answer:
        """The answer at the prior, inclusion times value: at both its neighbours where the product is rounded."""
        product = np.asarray(self.inclusion) * np.asarray(self.value)
        if np.all((np.asarray(self.inclusion) == 1.0) | (np.asarray(self.value) == 1.0)):
            return ask(float(product) if product.ndim == 0 else product)
        return widest(ask(np.clip(np.stack([down(product), up(product)]), 0.0, 1.0)))


@dataclass(frozen=True, eq=False, repr=False)
class _Questions:
    """All that is asked about, but for the promise."""

    beliefs: _Beliefs
    failure: ArrayLike
    sides: int
    level: ArrayLike
    people: int
    neighbours: Neighbours | None
    names: tuple[str, ...]

    def of(self, promise: Promise) -> Assessment:
        """The answers of one promise."""
        schools = (self._membership, self._risks, self._counterfactual, self._tests)
        asks = {name: ask for school in schools for name, ask in school(promise).items()}
        return Assessment(**{name: _answered(ask) if name in self.names else _UNASKED for name, ask in asks.items()})

    def _membership(self, promise: Promise) -> dict[str, Ask]:
        known = membership.Beliefs(promise, self.failure, self.sides, self.neighbours)
        return {
            "posterior": lambda: self.beliefs.about(known.posterior),
            "ratio": lambda: self.beliefs.about(known.ratio),
            "difference": lambda: self.beliefs.about(known.difference),
            "odds": lambda: self.beliefs.about(known.odds),
            "worst_prior": known.worst_prior,
            "expected_posterior": lambda: self.beliefs.about(
                lambda prior: membership.expected_posterior(promise, prior, neighbours=self.neighbours)
            ),
        }

    def _risks(self, promise: Promise) -> dict[str, Ask]:
        inclusion, value, failure = self.beliefs.inclusion, self.beliefs.value, self.failure
        options: dict[str, Any] = {"inclusion": inclusion, "value": value, "failure": failure}
        return {
            "relative_risk": lambda: disclosure.relative_risk(promise, **options),
            "absolute_risk": lambda: disclosure.absolute_risk(promise, **options),
        }

    def _counterfactual(self, promise: Promise) -> dict[str, Ask]:
        knows, failure = self.beliefs.knows, self.failure
        unknown = self._no_relation(promise)
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

    def _no_relation(self, promise: Promise) -> Unanswered | None:
        """Why nothing is known under the neighbours that were asked about, if so."""
        try:
            return Unanswered(_BARE_CURVE) if promise.relation(self.neighbours) is None else None
        except NotImplied as refused:
            return Unanswered(refused)

    def _tests(self, promise: Promise) -> dict[str, Ask]:
        level = self.level
        options: dict[str, Any] = {"neighbours": self.neighbours, "knows": self.beliefs.knows}
        return {
            "power": lambda: testing.power(promise, level, **options),
            "advantage": lambda: testing.advantage(promise, **options),
            "best_guess": lambda: self.beliefs.about(lambda prior: testing.best_guess(promise, prior, **options)),
            "positive_predictive_value": lambda: self.beliefs.about(
                lambda prior: testing.positive_predictive_value(promise, level, prior, **options)
            ),
        }


def _world(neighbours: Neighbours) -> counterfactual.CounterfactualWorld:
    """What stands in for the data without the person, under each relation."""
    added = neighbours is Neighbours.ADD_REMOVE
    return counterfactual.CounterfactualWorld.DROPPED if added else counterfactual.CounterfactualWorld.DEFAULT_RECORD


def _answered(ask: Ask) -> Answer:
    """The answer, or why there is none; what is wrong with the question itself is not caught."""
    try:
        return ask()
    except (NotImplied, TooCostly, Unreachable) as refused:
        return Unanswered(refused)


RISKS = ("relative_risk", "absolute_risk")
"""What is asked about somebody who may believe anything of the others."""

OF_A_KNOWN_REST = ("difference", "odds", "worst_prior")
"""What is only known about somebody who knows everyone else."""

_ELSEWHERE = Unasked("it is told by another number")
_KNOWN_REST_ONLY = Unanswered("it is only known of somebody who knows everyone else.")
_ONE_SIDED = Unanswered("drops are only bounded for somebody who knows everyone else; ask with one side.")


def assess_one(
    promise: Promise, adversary: Adversary, *, questions: Iterable[str] | None = None, sides: int = 1, **asked: Any
) -> Assessment:
    """Every question that concerns an adversary with what they know; or those that are named.

    >>> from whit.mechanisms import Gaussian
    >>> knows, believes = (Adversary(prior=0.5, knows=each) for each in (Knowledge.EVERYONE_ELSE, Knowledge.ANY_BELIEF))
    >>> print(assess_one(Gaussian(1.0), knows, failure=0.01).posterior)
    posterior probability of the truth is at most 94.5 %
    >>> print(assess_one(Gaussian(1.0), believes, failure=0.01).posterior)
    posterior probability of the truth is at most 95.8 %

    Args:
        promise: a guarantee or a mechanism.
        adversary: what they believe, and what they know of the others.
        questions: the names of those to answer; all that concern the adversary if none are named.
        sides: 2 to bound drops of the belief as well.
        asked: what else `assess` is asked with: failure, level, people, neighbours.
    """
    names = None if questions is None else tuple(questions)
    if adversary.knows is Knowledge.EVERYONE_ELSE and adversary.value == 1.0:
        chosen = [name for name in QUESTIONS if name not in RISKS] if names is None else names
        return assess(promise, adversary, questions=chosen, sides=sides, **asked)
    found = assess(promise, adversary, questions=None if names is None else {*names, *RISKS}, sides=sides, **asked)
    if isinstance(found.absolute_risk, Unanswered):  # nothing is known that holds whatever is believed of the others
        return found if names is None else _only(found, names)
    posterior = _ONE_SIDED if sides == 2 else _restated(found.absolute_risk, membership.POSTERIOR_OF_TRUTH, adversary)
    ratio = _ONE_SIDED if sides == 2 else _restated(found.relative_risk, membership.RATIO_OF_TRUTH, adversary)
    whole = replace(found, posterior=posterior, ratio=ratio, **dict.fromkeys(OF_A_KNOWN_REST, _KNOWN_REST_ONLY))
    left_out = {*OF_A_KNOWN_REST, *RISKS}
    return _only(whole, [name for name in QUESTIONS if name not in left_out] if names is None else names)


def _restated(answer: Answer, quantity: Quantity, adversary: Adversary) -> Answer:
    """What holds whatever is believed of the others, as the answer to the question about the belief."""
    if not isinstance(answer, Finding):
        return answer
    inputs = {**answer.inputs, "prior": adversary.prior}
    return Finding(quantity, answer.value, answer.direction, inputs, answer.basis)


def _only(found: Assessment, names: Iterable[str]) -> Assessment:
    """The answers of these names."""
    kept = set(names)
    return replace(found, **{name: _ELSEWHERE for name in QUESTIONS if name not in kept})
