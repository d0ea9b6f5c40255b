"""What every question keeps to, whatever it is asked of. A new question inherits all of it by an entry in QUESTIONS.

Each question is put to families of promises and mechanisms that go from the smallest risk to the largest, extremes
included. A question has a floor, which is the answer if the release says nothing, and a ceiling.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from whit.errors import NotImplied, WhitError
from whit.guarantees import ApproxDP, GaussianDP, ProbabilisticDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, Geometric, Laplace, RandomizedResponse
from whit.semantics import counterfactual, disclosure, membership, testing
from whit.theory import Direction, Finding

PRIORS = np.array([0.0, 1e-15, 0.01, 0.5, 0.99, 1.0])
LEVELS = np.array([0.0, 1e-300, 1e-15, 0.05, 0.5, 1.0])
FAILURE = 0.4
"""Above every delta of the families, so that every question about a loss has an answer."""

VERB = re.compile(" (is|are|(has|have) no known) ")
"""Odds are many; every other quantity is one."""

EXTREME_FAILURES = [0.0, 1e-300, 1e-9, 0.5, 1.0]


@dataclass(frozen=True, eq=False)
class Question:
    """A question of a promise, with what it answers of a release that says nothing, and the most it can answer."""

    name: str
    ask: Callable[..., object]
    floor: np.ndarray | float
    ceiling: float = np.inf
    fails: bool = True

    def answer(self, promised: object, failure: float = FAILURE) -> Finding:
        """The upper bound, or the number itself."""
        found = self.ask(promised, failure=failure) if self.fails else self.ask(promised)
        return found if isinstance(found, Finding) else found.upper


def odds(priors: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return priors / (1 - priors)


INCLUSION, VALUE = np.array([0.0, 1e-15, 0.3, 1.0]), np.array([[1e-15], [0.2], [1.0]])

QUESTIONS = [
    Question("posterior", lambda x, **k: membership.posterior(x, PRIORS, **k), PRIORS, 1.0),
    Question("posterior, both sides", lambda x, **k: membership.posterior(x, PRIORS, sides=2, **k), PRIORS, 1.0),
    Question("ratio", lambda x, **k: membership.ratio(x, PRIORS, **k), 1.0),
    Question("difference", lambda x, **k: membership.difference(x, PRIORS, **k), 0.0, 1.0),
    Question("odds", lambda x, **k: membership.odds(x, PRIORS, **k), odds(PRIORS)),
    Question("largest ratio", membership.largest_ratio, 1.0),
    Question("largest difference", membership.largest_difference, 0.0, 1.0),
    Question("odds ratio", membership.odds_ratio, 1.0),
    Question("expected posterior", lambda x: membership.expected_posterior(x, 0.3), 0.3, 1.0, fails=False),
    Question("relative risk", lambda x, **k: disclosure.relative_risk(x, inclusion=INCLUSION, value=VALUE, **k), 1.0),
    Question(
        "absolute risk",
        lambda x, **k: disclosure.absolute_risk(x, inclusion=INCLUSION, value=VALUE, **k),
        INCLUSION * VALUE,
        1.0,
    ),
    Question("relative risk at any prior", disclosure.relative_risk_at_any_prior, 1.0),
    Question("posterior ratio", counterfactual.posterior_ratio, 1.0),
    Question("power", lambda x: testing.power(x, LEVELS), LEVELS, 1.0, fails=False),
    Question("advantage", testing.advantage, 0.0, 1.0, fails=False),
    Question("best guess", lambda x: testing.best_guess(x, PRIORS), np.maximum(PRIORS, 1 - PRIORS), 1.0, fails=False),
    Question(
        "positive predictive value",
        lambda x: testing.positive_predictive_value(x, 0.05, PRIORS),
        PRIORS,
        1.0,
        fails=False,
    ),
]


@dataclass(frozen=True, eq=False)
class Family:
    """Promises or mechanisms of one kind, from the smallest risk to the largest; the first may say nothing at all."""

    name: str
    build: Callable[[float], object]
    parameters: tuple[float, ...]
    silent: bool = False

    def members(self) -> list[object]:
        return [self.build(parameter) for parameter in self.parameters]


FAMILIES = [
    Family("pure", PureDP, (0.0, 1e-12, 0.1, 1.0, 710.0, 1e4), silent=True),
    Family("approximate in epsilon", lambda e: ApproxDP(e, 1e-6), (0.0, 1e-12, 1.0, 710.0, 1e4)),
    Family("approximate in delta", lambda d: ApproxDP(1.0, d), (0.0, 1e-300, 1e-6, 0.3)),
    Family("probabilistic", lambda d: ProbabilisticDP(1.0, d), (0.0, 1e-300, 0.3)),
    Family("zero-concentrated", ZeroConcentratedDP, (0.0, 1e-12, 0.1, 1.0, 1e4), silent=True),
    Family("Gaussian privacy", GaussianDP, (0.0, 1e-12, 0.5, 30.0), silent=True),
    Family("Rényi", lambda g: RenyiDP({2.0: g, 16.0: 8 * g}), (0.0, 1e-12, 0.5, 1e4), silent=True),
    Family("randomized response", RandomizedResponse, (1e-12, 0.1, 1.0, 30.0)),
    Family("geometric noise", Geometric, (1e-3, 0.1, 1.0, 30.0)),
    Family("Gaussian noise", lambda m: Gaussian(1 / m), (1e-12, 0.1, 1.0, 30.0)),
    Family("Laplace noise", lambda e: Laplace(1 / e), (1e-12, 0.1, 1.0, 30.0)),
]

# What the questions are refused with in families in which nothing is implied; every other question has its answer.
NO_RATIO = "the ratio of the posteriors is not bounded by this promise at any failure probability"
NO_DISCLOSURE = "a disclosure risk needs the loss of adding or removing a record"
REFUSED = {
    ("posterior ratio", "approximate in epsilon"): NO_RATIO,
    ("posterior ratio", "approximate in delta"): NO_RATIO,
    ("posterior ratio", "probabilistic"): NO_RATIO,
    ("relative risk", "randomized response"): NO_DISCLOSURE,
    ("absolute risk", "randomized response"): NO_DISCLOSURE,
    ("relative risk at any prior", "randomized response"): NO_DISCLOSURE,
}

each_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
QUICK = ("pure", "approximate in epsilon", "randomized response")
each_answer = pytest.mark.parametrize(
    ("question", "family"),
    [
        pytest.param(question, family, marks=() if family.name in QUICK else pytest.mark.slow)
        for family in FAMILIES
        for question in QUESTIONS
        if (question.name, family.name) not in REFUSED
    ],
    ids=lambda each: each.name,
)


@cache
def answers(question: Question, family: Family) -> list[np.ndarray]:
    """The answers in the order of the family."""
    return [np.asarray(question.answer(member).value) for member in family.members()]


@pytest.mark.parametrize(("names", "why"), REFUSED.items(), ids=str)
def test_a_question_is_refused_where_nothing_is_implied(names, why):
    (question,) = [each for each in QUESTIONS if each.name == names[0]]
    (family,) = [each for each in FAMILIES if each.name == names[1]]
    with pytest.raises(NotImplied, match=why):
        answers(question, family)


@each_answer
def test_an_answer_lies_between_its_floor_and_its_ceiling(question, family):
    for value in answers(question, family):
        assert not np.any(np.isnan(value))
        assert np.all(value >= question.floor)
        assert np.all(value <= question.ceiling)


@each_answer
def test_a_larger_parameter_is_never_a_smaller_risk(question, family):
    """To a relative 1e-9, which numerical answers are rounded up by."""
    for less, more in pairwise(answers(question, family)):
        assert np.all(more >= less * (1 - 1e-9))


@each_question
@pytest.mark.parametrize("family", [each for each in FAMILIES if each.name in QUICK and each.silent])
def test_a_release_that_says_nothing_leaves_everything_as_it_was(question, family):
    silent = answers(question, family)[0]
    np.testing.assert_allclose(silent, np.broadcast_to(question.floor, silent.shape), rtol=1e-9, atol=1e-15)


@each_question
@pytest.mark.parametrize("member", [ApproxDP(1.0, 1e-6), Gaussian(1.0)], ids=repr)
def test_an_answer_is_a_sentence_and_survives_json(question, member):
    found = question.answer(member)
    assert Finding.from_json(found.to_json()) == found
    assert VERB.search(str(found))
    assert found.direction in (Direction.AT_MOST, Direction.EXACTLY)
    assert found.basis.theorems
    whole = question.ask(member, failure=FAILURE) if question.fails else question.ask(member)
    assert VERB.search(str(whole.worst))
    assert all(Finding.from_json(each.to_json()) == each for each in whole.findings)
    assert repr(whole).startswith(f"<{type(whole).__name__}: ")
    assert VERB.search(str(whole))


@pytest.mark.parametrize("question", [each for each in QUESTIONS if each.fails], ids=lambda question: question.name)
@pytest.mark.parametrize("failure", EXTREME_FAILURES)
@pytest.mark.parametrize("member", [ApproxDP(1.0, 1e-6), Geometric(1.0)], ids=repr)
def test_an_extreme_failure_is_answered_or_refused(question, failure, member):
    """Refused only where nothing is promised: where the failure is not above the delta."""
    value = tried(question, member, failure)
    if value is None:
        assert isinstance(member, ApproxDP)
        assert failure <= 1e-6
    else:
        assert np.all(value >= question.floor)
        assert np.all(value <= question.ceiling)


def tried(question: Question, member: object, failure: float) -> np.ndarray | None:
    """The answer, or nothing where it is refused."""
    try:
        return np.asarray(question.answer(member, failure).value)
    except NotImplied:
        return None


@pytest.mark.parametrize("question", [each for each in QUESTIONS if each.fails], ids=lambda question: question.name)
def test_a_larger_failure_is_never_a_larger_risk(question):
    for member in (ApproxDP(1.0, 1e-6), Geometric(1.0)):
        values = [np.asarray(question.answer(member, failure).value) for failure in (1e-4, 0.01, 0.3)]
        for rare, often in pairwise(values):
            assert np.all(often <= rare * (1 + 1e-9))


@each_question
@pytest.mark.parametrize("nonsense", ["a promise", None, 1.0])
def test_what_is_no_promise_is_refused_with_a_sentence(question, nonsense):
    with pytest.raises(WhitError, match=r"must be .*; got .*\."):
        question.answer(nonsense)
