"""The questions, put to the schools."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.assessment.answers import Answer, Assessment, Unanswered, Unasked
from whit.assessment.stacked import stacked, widest
from whit.curves import Curve
from whit.errors import Incompatible, InvalidInput, NotImplied, TooCostly, Unreachable, require
from whit.guarantees import Promise
from whit.mechanisms import Release
from whit.numerics import down, up
from whit.semantics import Promised, counterfactual, disclosure, membership, testing
from whit.setting import Adversary, Knowledge, Neighbours

QUESTIONS = tuple(each.name for each in fields(Assessment))
"""The questions by name, in the order of an assessment."""

_UNASKED = Unasked("it was not asked")
_ADVERSARY = "Use Adversary(prior=0.5), or a list of adversaries."
_PROMISED = "Pass a promise such as PureDP(1.0), a mechanism such as Gaussian(1.0), a curve, or a list of them."
_BARE_CURVE = "a curve does not say between which neighbours it is. Pass neighbours=Neighbours.ADD_REMOVE or REPLACE."

Ask: TypeAlias = Callable[[], Answer]
"""A question that has not been put yet."""


def assess(
    promised: Promised | Sequence[Promised],
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
        promised: a promise, a mechanism or a curve; or several, whose answers are stacked along a new first axis.
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
    if isinstance(promised, Promise | Release | Curve):
        return question.of(promised)
    several = _listed("promised", promised, (Promise, Release, Curve), _PROMISED)
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


def _listed(name: str, given: object, kinds: tuple[type, ...], way_out: str) -> list[Any]:
    """The members of a list of such things; at least one."""
    several = list(given) if isinstance(given, Sequence) else []
    if not several or not all(isinstance(each, kinds) for each in several):
        kind = {"promised": "a promise, a mechanism or a curve", "adversary": "an Adversary"}[name]
        raise InvalidInput(name, f"must be {kind}, or a list of them", given, way_out)
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
        several = _listed("adversary", adversary, (Adversary,), _ADVERSARY)
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

    def of(self, promised: Promised) -> Assessment:
        """The answers of one promise."""
        asks = {
            **self._membership(promised),
            **self._risks(promised),
            **self._counterfactual(promised),
            **self._tests(promised),
        }
        return Assessment(**{name: _answered(ask) if name in self.asked else _UNASKED for name, ask in asks.items()})

    def _membership(self, promised: Promised) -> dict[str, Ask]:
        known = membership.Beliefs(promised, self.failure, self.sides, self.neighbours)
        return {
            "posterior": lambda: self.beliefs.about(known.posterior),
            "ratio": lambda: self.beliefs.about(known.ratio),
            "difference": lambda: self.beliefs.about(known.difference),
            "odds": lambda: self.beliefs.about(known.odds),
            "worst_prior": known.worst_prior,
            "expected_posterior": lambda: self.beliefs.about(
                lambda prior: membership.expected_posterior(promised, prior, neighbours=self.neighbours)
            ),
        }

    def _risks(self, promised: Promised) -> dict[str, Ask]:
        asked: dict[str, Any] = {
            "inclusion": self.beliefs.inclusion,
            "value": self.beliefs.value,
            "failure": self.failure,
        }
        return {
            "relative_risk": lambda: disclosure.relative_risk(promised, **asked),
            "absolute_risk": lambda: disclosure.absolute_risk(promised, **asked),
        }

    def _counterfactual(self, promised: Promised) -> dict[str, Ask]:
        knowledge, failure = self.beliefs.knows, self.failure
        if isinstance(promised, Curve) and self.neighbours is None:
            unknown = Unanswered(_BARE_CURVE)
            return {"total_variation": lambda: unknown, "posterior_ratio": lambda: unknown}
        world = None if self.neighbours is None else _world(self.neighbours)
        return {
            "total_variation": lambda: counterfactual.total_variation(
                promised, failure=failure, people=self.people, world=world, knowledge=knowledge
            ),
            "posterior_ratio": lambda: counterfactual.posterior_ratio(
                promised, failure=failure, knowledge=knowledge, sides=self.sides
            ),
        }

    def _tests(self, promised: Promised) -> dict[str, Ask]:
        return {
            "power": lambda: testing.power(promised, self.level, **self._tested),
            "advantage": lambda: testing.advantage(promised, **self._tested),
            "best_guess": lambda: self.beliefs.about(
                lambda prior: testing.best_guess(promised, prior, **self._tested),
            ),
            "positive_predictive_value": lambda: self.beliefs.about(
                lambda prior: testing.positive_predictive_value(promised, self.level, prior, **self._tested)
            ),
        }

    @property
    def _tested(self) -> dict[str, Any]:
        """What every question about tests is asked with."""
        knows_all = self.beliefs.knows is Knowledge.EVERYONE_ELSE
        return {"neighbours": self.neighbours, "rest": testing.Rest.KNOWN if knows_all else testing.Rest.RANDOM}


def _world(neighbours: Neighbours) -> counterfactual.CounterfactualWorld:
    """What stands in for the data without the person, under each relation."""
    added = neighbours is Neighbours.ADD_REMOVE
    return counterfactual.CounterfactualWorld.DROPPED if added else counterfactual.CounterfactualWorld.DEFAULT_RECORD


def _answered(ask: Ask) -> Answer:
    """The answer, or why there is none; what is wrong with the question itself is not caught."""
    try:
        return ask()
    except (NotImplied, TooCostly, Unreachable) as refused:
        return Unanswered(str(refused))
