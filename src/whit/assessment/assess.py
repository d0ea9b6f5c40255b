"""The questions, put to the schools."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.assessment.answers import Assessment, Unanswered, Unasked, stacked, widest
from whit.curves import Promise
from whit.errors import Incompatible, InvalidInput, NotImplied, TooCostly, Unreachable, require
from whit.numerics import down, up
from whit.semantics import counterfactual, disclosure, membership, testing
from whit.setting import Adversary, Knowledge, Neighbours
from whit.theory import Answer

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
    require(
        isinstance(several, Iterable),
        name="questions",
        rule="must be names of questions",
        value=several,
        way_out=way_out,
    )
    asked = (questions,) if isinstance(questions, str) else tuple(questions)
    for name in asked:
        rule = "must be questions of an assessment"
        require(name in QUESTIONS, name="questions", rule=rule, value=name, way_out=way_out)
    return asked


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
    asked: tuple[str, ...]

    def of(self, promise: Promise) -> Assessment:
        """The answers of one promise."""
        asks = {
            **self._membership(promise),
            **self._risks(promise),
            **self._counterfactual(promise),
            **self._tests(promise),
        }
        return Assessment(**{name: _answered(ask) if name in self.asked else _UNASKED for name, ask in asks.items()})

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
        asked: dict[str, Any] = {
            "inclusion": self.beliefs.inclusion,
            "value": self.beliefs.value,
            "failure": self.failure,
        }
        return {
            "relative_risk": lambda: disclosure.relative_risk(promise, **asked),
            "absolute_risk": lambda: disclosure.absolute_risk(promise, **asked),
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
        return {
            "power": lambda: testing.power(promise, self.level, **self._tested),
            "advantage": lambda: testing.advantage(promise, **self._tested),
            "best_guess": lambda: self.beliefs.about(
                lambda prior: testing.best_guess(promise, prior, **self._tested),
            ),
            "positive_predictive_value": lambda: self.beliefs.about(
                lambda prior: testing.positive_predictive_value(promise, self.level, prior, **self._tested)
            ),
        }

    @property
    def _tested(self) -> dict[str, Any]:
        """What every question about tests is asked with."""
        return {"neighbours": self.neighbours, "knows": self.beliefs.knows}


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
