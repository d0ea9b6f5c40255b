"""Of how many people a bound is expected to fail: never understated, and only where a chance is about people."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.assessment import Unanswered, assess, number_of_people, people_beyond
from whit.errors import InvalidInput
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian
from whit.setting import Adversary, Knowledge
from whit.theory import Basis, Direction, Failure, Finding, Quantity, Randomness, Unit, theorem

BOUND = Quantity("posterior probability", Unit.PROBABILITY)


def failing(*failures: Failure) -> Finding:
    """A bound that may fail."""
    basis = Basis.of("hockey-stick") | Basis(failures=failures)
    return Finding(BOUND, 0.5, Direction.AT_MOST, {"prior": 0.1}, basis)


@given(st.integers(1, 10**15), st.floats(5e-324, 1.0))
def test_it_is_the_chance_times_the_people_and_never_less(people, chance):
    [found] = people_beyond(failing(Failure(chance, Randomness.MECHANISM)), people)
    exact = people * Fraction(chance)
    assert exact <= Fraction(float(found)) <= exact * (1 + Fraction(1, 2**52)) + Fraction(5e-324) * 2
    assert float(found) <= people * (1 + 2**-52)


@given(st.integers(1, 10**15), st.floats(1e-12, 1.0))
def test_the_text_is_never_less_either(people, chance):
    [found] = people_beyond(failing(Failure(chance, Randomness.BELIEF)), people)
    text = number_of_people(found)
    assert Fraction(text.replace(",", "")) >= people * Fraction(chance)
    assert "," in text or float(text) < 1000


def test_the_expectation_itself_does_not_fail_and_says_over_what_it_is():
    finding = failing(Failure(0.01, Randomness.BELIEF))
    [found] = people_beyond(finding, 1000)
    assert found.basis.failures == ()
    assert found.basis.theorems == ("hockey-stick", "expected-number-beyond")
    assert found.direction is Direction.AT_MOST
    assert {**found.inputs} == {
        "prior": 0.1,
        "population": 1000,
        "failure": 0.01,
        "over": "BELIEF",
        "of": "posterior probability",
    }


def test_that_a_simulation_misleads_is_no_chance_about_people():
    both = failing(Failure(0.01, Randomness.MECHANISM), Failure(0.05, Randomness.SIMULATION))
    assert [found.inputs["over"] for found in people_beyond(both, 100)] == ["MECHANISM"]
    assert "simulation" not in theorem("expected-number-beyond").hypotheses.randomness


def test_nothing_is_counted_where_a_bound_always_holds_or_nobody_says_how_many():
    assert people_beyond(failing(), 1000) == ()
    assert people_beyond(failing(Failure(0.01, Randomness.MECHANISM))) == ()


def test_every_answer_with_a_chance_about_people_carries_the_population():
    found = assess(ZeroConcentratedDP(0.1), failure=0.01, population=5000)
    counted = {name for name, answer in found for each in answer.findings if people_beyond(each)}
    failing_ones = {name for name, answer in found for each in answer.findings if each.basis.failures}
    assert counted == failing_ones - {"worst_prior"}
    assert "posterior" in counted
    assert "total_variation" in counted
    alone = assess(ZeroConcentratedDP(0.1), failure=0.01)
    assert [answer.findings for _, answer in alone] != []
    assert not any(people_beyond(each) for each in alone.findings)


@pytest.mark.parametrize(("knows", "over"), [(Knowledge.EVERYONE_ELSE, "MECHANISM"), (Knowledge.ANY_BELIEF, "BELIEF")])
def test_the_randomness_is_that_of_the_failure(knows, over):
    found = assess(Gaussian(1.0), Adversary(prior=0.5, knows=knows), failure=0.01, population=100).posterior
    assert isinstance(found, Finding)
    [counted] = people_beyond(found)
    assert counted.inputs["over"] == over


def test_the_answers_themselves_do_not_change():
    one, other = (assess(ApproxDP(1.0, 1e-6), failure=0.01, population=number) for number in (None, 10))
    for (name, without), (_, within) in zip(one, other, strict=True):
        if isinstance(without, Finding) and isinstance(within, Finding):
            inputs = {key: value for key, value in within.inputs.items() if key != "population"}
            assert replace(within, inputs=inputs) == without, name
        else:
            assert isinstance(without, Unanswered) == isinstance(within, Unanswered)


@pytest.mark.parametrize("population", [0, -3, 1.5, 330.0, True, "many", 10**16])
def test_a_population_is_a_whole_number(population):
    with pytest.raises(InvalidInput, match="population must be a whole number"):
        assess(PureDP(1.0), population=population)
