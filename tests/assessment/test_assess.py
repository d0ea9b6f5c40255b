"""One call, every question: the answers are those of the schools, and what has none says why."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

from whit.assessment import QUESTIONS, Unanswered, Unasked, assess
from whit.curves import Curve, GaussianLoss, from_powers, require_promise
from whit.errors import Incompatible, InvalidInput, NotImplied
from whit.exchange import learn
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Finite, Gaussian, RandomizedResponse, compose
from whit.semantics import counterfactual, disclosure, membership, testing
from whit.semantics.membership import bounds
from whit.setting import Adversary, Knowledge, Neighbours, Sensitivity, When
from whit.theory import Direction, Finding, echo

NAMES = [
    "posterior",
    "ratio",
    "difference",
    "odds",
    "worst_prior",
    "expected_posterior",
    "relative_risk",
    "absolute_risk",
    "total_variation",
    "posterior_ratio",
    "power",
    "advantage",
    "best_guess",
    "positive_predictive_value",
]


def test_a_pure_promise_answers_everything():
    assessment = assess(PureDP(1.0), Adversary(prior=0.05))
    assert [name for name, _ in assessment] == NAMES
    assert list(assessment.answered) == NAMES
    assert assessment.unanswered == {}


def test_presence_with_a_value_is_answered_by_disclosure_and_between_both_kinds_of_neighbours():
    """Whoever is absent, and whoever has another value, are two opposites: some questions need a single one."""
    promise, who = PureDP(1.0), Adversary(inclusion=0.5, value=0.5)
    found = assess(promise, who)
    assert list(found.unanswered) == ["difference", "odds", "worst_prior"]
    assert float(found.posterior) == float(found.absolute_risk) > float(membership.posterior(promise, 0.25))
    replaced = membership.expected_posterior(promise, 0.25, neighbours=Neighbours.REPLACE, knows=Knowledge.ANY_BELIEF)
    assert float(found.expected_posterior) == float(replaced)
    assert "one side" in assess(promise, who, sides=2).unanswered["posterior"].reason


def test_the_answers_are_those_of_the_schools():
    promise, adversary = ZeroConcentratedDP(0.1), Adversary(prior=0.3)
    found = assess(promise, adversary, failure=0.01, level=[0.01, 0.05], people=3)
    asked = {"failure": 0.01, "knows": Knowledge.ANY_BELIEF}
    assert found.posterior == membership.posterior(promise, 0.3, **asked)
    assert found.odds == membership.odds(promise, 0.3, **asked)
    assert found.relative_risk == disclosure.relative_risk(promise, inclusion=0.3, value=1.0, failure=0.01)
    assert found.total_variation == counterfactual.total_variation(promise, failure=0.01, people=3)
    assert found.power == testing.power(promise, [0.01, 0.05], knows=Knowledge.ANY_BELIEF)
    assert found.best_guess == testing.best_guess(promise, 0.3, knows=Knowledge.ANY_BELIEF)


def test_who_knows_everyone_else_is_tested_against_exactly():
    informed = Adversary(prior=0.3, knows=Knowledge.EVERYONE_ELSE)
    assert assess(Gaussian(1.0), informed, failure=0.01).power.direction is Direction.EXACTLY
    assert assess(Gaussian(1.0), Adversary(prior=0.3), failure=0.01).power.direction is Direction.AT_MOST


def test_what_a_promise_does_not_imply_is_said_and_the_rest_is_answered():
    found = assess(ApproxDP(1.0, 1e-6))
    assert isinstance(found.posterior, Unanswered)
    assert "failure probability of 0 (its delta is 1e-06)" in found.posterior.reason
    assert "Ask with failure=1e-05 or more." in str(found.posterior)
    assert "power" in found.answered
    assert "posterior" in found.unanswered


def test_several_promises_and_several_adversaries_span_a_table():
    rhos, priors = [0.01, 0.1, 1.0], [0.1, 0.5]
    together = assess(
        [ZeroConcentratedDP(rho) for rho in rhos], [Adversary(prior=prior) for prior in priors], failure=0.01
    )
    assert together.posterior.value.shape == (3, 2)
    assert together.power.value.shape == (3,)
    for row, rho in enumerate(rhos):
        alone = assess(ZeroConcentratedDP(rho), [Adversary(prior=prior) for prior in priors], failure=0.01)
        for name in ("posterior", "relative_risk", "best_guess", "expected_posterior"):
            np.testing.assert_array_equal(getattr(together, name).value[row], getattr(alone, name).value)
    assert together.posterior.inputs["promise"][0] == echo(ZeroConcentratedDP(0.01))


def test_statements_about_different_promises_do_not_share_their_failure():
    found = assess([ZeroConcentratedDP(0.1), ZeroConcentratedDP(0.2)], failure=0.01)
    assert [failure.probability for failure in found.posterior.basis.failures] == [0.01]


def test_bounds_and_exact_answers_stack_to_bounds():
    informed = Adversary(prior=0.5, knows=Knowledge.EVERYONE_ELSE)
    found = assess([PureDP(1.0), RandomizedResponse(1.0)], informed, neighbours=Neighbours.LOCAL)
    assert isinstance(found.power, Unanswered)  # a promise about added records says nothing about local ones
    found = assess([PureDP(1.0, neighbours=Neighbours.LOCAL), RandomizedResponse(1.0)], informed)
    assert found.power.direction is Direction.AT_MOST
    assert found.worst_prior.difference.when_true.value.shape == (2,)


def test_two_sides_stack_to_two_sides():
    found = assess([PureDP(1.0), PureDP(2.0)], sides=2)
    assert found.posterior.lower.shape == found.posterior.upper.shape == (2,)


def test_an_assessment_reads_line_by_line():
    lines = str(assess(ApproxDP(1.0, 1e-6), Adversary(prior=0.5))).splitlines()
    assert len(lines) == len(NAMES)
    assert lines[0].startswith("posterior: not answered: the posterior is not bounded")
    assert "power of the best test is at most 13.6 %" in lines


def test_a_curve_that_others_computed_is_assessed():
    profile = Curve.exact(GaussianLoss(0.5)).as_profile(np.linspace(0.0, 8.0, 400))
    found = assess(profile, Adversary(prior=0.5), failure=0.01, neighbours=Neighbours.ADD_REMOVE)
    assert float(found.posterior) > float(assess(Gaussian(2.0), failure=0.01).posterior)


def test_a_curve_that_does_not_name_its_neighbours_is_assessed_for_the_rest():
    found = assess(Curve.exact(GaussianLoss(0.5)), failure=0.01)
    assert "does not say between which neighbours" in found.total_variation.reason
    assert "posterior" in found.answered


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((5,), InvalidInput, "promise must be a promise, a mechanism or a curve, or a list of them; got 5"),
        (([],), InvalidInput, "promise must be a promise"),
        (("PureDP",), InvalidInput, "promise must be a promise"),
        ((PureDP(1.0), 0.5), InvalidInput, "adversary must be an Adversary, or a list of them; got 0.5"),
        (
            (PureDP(1.0), [Adversary(prior=0.5), Adversary(prior=0.5, knows=Knowledge.EVERYONE_ELSE)]),
            Incompatible,
            "adversaries must all know the same of the other people",
        ),
    ],
)
def test_a_wrong_question_is_refused_with_a_sentence(arguments, error, message):
    with pytest.raises(error, match=message):
        assess(*arguments)


def test_a_wrong_number_is_refused_and_not_taken_for_no_answer():
    with pytest.raises(InvalidInput, match="failure must be .*2"):
        assess(PureDP(1.0), failure=2.0)
    with pytest.raises(InvalidInput, match="failure must be below 1: what may be false for sure says nothing"):
        assess(PureDP(1.0), failure=[0.01, 1.0])


@pytest.mark.parametrize(("inclusion", "value"), [(0.1, 0.3), (0.7, 0.1), (1 / 3, 0.9)])
def test_a_prior_that_is_a_rounded_product_is_taken_on_both_sides(inclusion, value):
    """With nothing learnt the posterior is the prior: the product of two doubles, which is not a double."""
    truth = Fraction(inclusion) * Fraction(value)
    found = assess(PureDP(0.0), Adversary(inclusion=inclusion, value=value))
    for answer in (found.posterior, found.expected_posterior):
        assert truth <= Fraction(float(answer)) <= truth + Fraction(1, 10**15)


def test_a_prior_too_small_for_a_double_is_not_taken_for_none():
    """The odds are 1e-400 e^1000, some 2e34."""
    assert float(assess(PureDP(1000.0), Adversary(inclusion=1e-200, value=1e-200)).posterior) > 0.999


@pytest.mark.parametrize("neighbours", ["x", 1, float("nan"), []])
def test_a_relation_that_is_none_is_refused(neighbours):
    with pytest.raises(InvalidInput, match="neighbours must be one of Neighbours"):
        assess(PureDP(1.0), neighbours=neighbours)


# Only what is asked


def test_the_questions_are_listed_in_the_order_of_an_assessment():
    assert list(QUESTIONS) == [*NAMES, "success"]


@pytest.mark.parametrize("promise", [PureDP(1.0), ApproxDP(1.0, 1e-6), Gaussian(1.0)], ids=repr)
def test_an_answer_is_the_same_alone_and_among_all(promise):
    whole = dict(assess(promise, Adversary(prior=0.3)))
    for name in NAMES:
        assert dict(assess(promise, Adversary(prior=0.3), questions=[name])) == {name: whole[name]}


def test_what_was_not_asked_is_passed_over():
    found = assess(PureDP(1.0), questions=("power", "posterior"))
    assert [name for name, _ in found] == ["posterior", "power"]
    assert list(found.answered) == ["posterior", "power"]
    assert found.unanswered == {}
    assert len(str(found).splitlines()) == 2
    assert isinstance(found.odds, Unasked)
    assert str(found.odds) == "not answered: it was not asked"


def test_what_was_not_asked_is_not_asked_of_several_either():
    found = assess([PureDP(1.0), PureDP(2.0)], questions="advantage")
    assert [name for name, _ in found] == ["advantage"]
    assert found.advantage.value.shape == (2,)


@pytest.mark.parametrize("questions", ["posteriors", ["power", "posteriors"], [3]])
def test_a_question_that_nobody_knows_is_refused(questions):
    with pytest.raises(InvalidInput, match="questions must be questions of an assessment; got (posteriors|3). Use p"):
        assess(PureDP(1.0), questions=questions)


def test_nothing_that_can_be_gone_through_is_refused_in_a_sentence():
    with pytest.raises(InvalidInput, match="questions must be names of questions; got 3"):
        assess(PureDP(1.0), questions=3)


def test_the_loss_behind_the_beliefs_is_looked_for_once(monkeypatch):
    asked = []
    found = bounds.known_loss

    def asking(*args, **more):
        asked.append(args)
        return found(*args, **more)

    monkeypatch.setattr(bounds, "known_loss", asking)
    assess(PureDP(1.0), Adversary(prior=0.3), questions=["posterior", "ratio", "difference", "odds", "worst_prior"])
    assert len(asked) == 1


def test_a_loss_that_is_refused_is_looked_for_once_and_refused_in_the_same_words():
    found = assess(ApproxDP(1.0, 1e-6), questions=["posterior", "odds", "worst_prior"])
    with pytest.raises(NotImplied, match="Ask with failure=1e-05 or more") as refused:
        membership.posterior(ApproxDP(1.0, 1e-6), 0.5)
    assert {answer.reason for answer in found.unanswered.values()} == {str(refused.value)}
    assert len(found.unanswered) == 3


def test_a_relation_that_a_mechanism_says_nothing_about_leaves_the_questions_that_do_not_need_it():
    found = assess(Finite([0.9, 0.05, 0.05], [0.9, 0.1, 0.0]), neighbours=Neighbours.REPLACE)
    assert "not known under" in str(found.total_variation)
    assert "not known under" in str(found.power)
    assert found.relative_risk.value == pytest.approx(2.0)


def test_a_lower_bound_on_a_curve_leaves_what_it_does_imply():
    found = assess(from_powers([0.01], [0.2]), Adversary(prior=0.5, knows=Knowledge.EVERYONE_ELSE))
    assert "lower bound" in str(found.posterior)
    assert "disclosure risk" in str(found.relative_risk)
    assert found.expected_posterior.direction is Direction.AT_LEAST


def test_an_adversary_who_watches_at_every_moment():
    """Known noise is told more; beliefs with and without the person have no bound on the way that may fail."""
    end, ever = (
        assess(Gaussian(1.0), Adversary(prior=0.5, knows=Knowledge.EVERYONE_ELSE, when=when), failure=0.01)
        for when in When
    )
    assert float(end.posterior) < float(ever.posterior)
    assert ever.total_variation.worst is None
    assert float(end.power) == float(ever.power)
    surely = assess(PureDP(1.0), Adversary(prior=0.5, when=When.EVER))
    assert float(surely.total_variation) == float(assess(PureDP(1.0), Adversary(prior=0.5)).total_variation)


# The success of a guess


def test_success_is_asked_of_an_adversary_who_has_a_baseline():
    found = assess(PureDP(1.0), Adversary(prior=0.5, baseline=0.01))
    assert isinstance(found.success, Finding)
    # e times one in a hundred: the smaller of the two bounds there.
    assert float(found.success) == pytest.approx(np.e / 100, rel=1e-12)
    assert float(found.success) >= np.e / 100
    assert found.success.inputs["baseline"] == 0.01


def test_without_a_baseline_it_is_not_asked_and_if_it_is_named_a_baseline_is():
    assert "success" not in dict(assess(PureDP(1.0)))
    refused = assess(PureDP(1.0), questions=["success"]).success
    assert isinstance(refused, Unanswered)
    assert "needs the chance that the best guess is right without the release" in refused.reason
    assert "Ask with baseline=0.01" in refused.reason


def test_several_adversaries_all_have_a_baseline_or_none_has():
    several = [Adversary(prior=0.5, baseline=each) for each in (0.01, 0.2)]
    found = assess(PureDP(1.0), several).success
    assert isinstance(found, Finding)
    assert np.asarray(found.value) == pytest.approx([np.e / 100, np.e / 5], rel=1e-12)
    with pytest.raises(InvalidInput, match="adversaries must all have a baseline, or none of them; got 1 of 2"):
        assess(PureDP(1.0), [several[0], Adversary(prior=0.5)])


def test_a_disclosure_at_every_moment_rests_on_the_right_to_stop():
    watching = Adversary(inclusion=0.3, value=0.2, when=When.EVER)
    looking = Adversary(inclusion=0.3, value=0.2)
    ever, end = (assess(ApproxDP(0.5, 1e-6), who, failure=0.01) for who in (watching, looking))
    for name in ("relative_risk", "absolute_risk", "posterior", "ratio"):
        at_any_time, at_last = getattr(ever, name), getattr(end, name)
        assert "at-every-moment" in at_any_time.basis.theorems, name
        assert "at-every-moment" not in at_last.basis.theorems, name
        assert float(at_any_time) == float(at_last)


@pytest.mark.parametrize("name", ["GaussianDpEvent", "RDPAccountant", "Measurement", "PureDPBudget", "Odometer"])
def test_an_object_of_another_library_is_refused_with_the_way_to_read_it(name):
    elsewhere = type(name, (), {})()
    for given in (elsewhere, [PureDP(1.0), elsewhere]):
        with pytest.raises(InvalidInput, match=rf"Pass whit\.exchange\.learn\(x\)\.promise: it reads a {name}\."):
            assess(given)
    with pytest.raises(InvalidInput, match=rf"whit\.exchange\.learn\(x\)\.promise: it reads a {name}\."):
        require_promise(elsewhere)


def test_a_named_tuple_of_an_event_is_refused_with_the_way_to_read_it():
    class Event(NamedTuple):
        class_name: str
        noise_multiplier: float

    with pytest.raises(InvalidInput, match=r"Pass whit\.exchange\.learn\(x\)\.promise: it reads a GaussianDpEvent"):
        assess(Event("GaussianDpEvent", 2.0))


def test_what_was_learned_is_refused_with_its_promise():
    found = learn({"class_name": "GaussianDpEvent", "noise_multiplier": 2.0})
    with pytest.raises(InvalidInput, match=r"Pass its promise\.$"):
        assess(found)
    assert assess(found.promise, failure=0.01).answered


def test_other_things_are_refused_without_the_other_libraries():
    for given in (5, "GaussianDpEvent", [PureDP(1.0), 5], type("Budget", (), {})()):
        with pytest.raises(InvalidInput, match=r"Pass a promise such as PureDP\(1\.0\)"):
            assess(given)


def best_power(sigma: float, absent: float, level: float) -> float:
    """Power of the best test of "in the first of two cells" against absence or the other cell, on a fine grid."""
    x = np.linspace(-6.0, 7.0, 2601)
    one, none = (np.exp(-((x - at) ** 2) / (2 * sigma**2)) for at in (1.0, 0.0))
    fact = np.outer(one, none).ravel()
    other = (absent * np.outer(none, none) + (1 - absent) * np.outer(none, one)).ravel()
    order = np.argsort(other / np.maximum(fact, 1e-300))
    alarms = np.cumsum(other[order]) / other.sum()
    return float(fact[order][alarms <= level].sum() / fact.sum())


@pytest.mark.parametrize(("inclusion", "value"), [(0.9, 0.5), (1.0, 0.2), (0.5, 0.9)])
def test_no_test_of_a_value_has_more_power_than_is_said(inclusion: float, value: float) -> None:
    absent = (1 - inclusion) / (1 - inclusion * value)
    noise = compose(*[Gaussian(1.0, sensitivity=Sensitivity.histogram())] * 4)
    said = assess(noise, Adversary(inclusion=inclusion, value=value), questions=("power", "advantage"))
    found = best_power(0.5, absent, 0.05)
    added = float(testing.power(noise, 0.05))
    assert found > added  # what holds for being in the data alone would be too small
    assert found <= float(said.power)
    assert found - 0.05 <= float(said.advantage)
