"""A promise to a small unit as one to a larger one: by releases, and by records."""

from __future__ import annotations

import numpy as np
import pytest

from whit.errors import InvalidInput, NotImplied
from whit.guarantees import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Finite, Gaussian
from whit.semantics.membership import by_composition, by_group, posterior
from whit.setting import PERSON, UnitOfPrivacy
from whit.theory import Finding, assumption

DAY, YEAR = UnitOfPrivacy("person", period="one day"), UnitOfPrivacy("person", period="one year")
VISIT = UnitOfPrivacy("visit")
PROMISES = [PureDP(0.1), ApproxDP(0.1, 1e-9), ZeroConcentratedDP(0.01), GaussianDP(0.1)]


@pytest.mark.parametrize("promise", PROMISES, ids=repr)
def test_days_are_releases_and_records_are_a_group(promise):
    assert by_composition(promise, small=DAY, large=YEAR, at_most=12).after == promise.times(12)
    assert by_group(promise, small=VISIT, large=PERSON, at_most=12).after == promise.group(12)


@pytest.mark.parametrize("promise", PROMISES, ids=repr)
def test_one_unit_changes_nothing(promise):
    assert by_composition(promise, small=DAY, large=YEAR, at_most=1).after == promise
    assert by_group(promise, small=VISIT, large=PERSON, at_most=1).after == promise


@pytest.mark.parametrize("promise", PROMISES, ids=repr)
def test_a_group_is_never_cheaper_than_as_many_releases(promise):
    epsilons = np.array([0.5, 1.0, 1.5])
    releases = by_composition(promise, small=DAY, large=YEAR, at_most=12).after.delta(epsilons)
    records = by_group(promise, small=DAY, large=YEAR, at_most=12).after.delta(epsilons)
    assert np.all(np.asarray(records.value) >= np.asarray(releases.value))


def test_noise_on_each_of_several_days_is_kept_as_noise():
    change = by_composition(Gaussian(10.0), small=DAY, large=YEAR, at_most=25)
    assert float(change.after.delta(1.0).upper) == pytest.approx(float(Gaussian(2.0).delta(1.0).upper), rel=1e-9)


def test_a_person_who_comes_on_two_of_three_days_gets_the_promise_of_two():
    """Three daily answers, of which two change with the person: by brute force over all eight outcomes."""
    heads = 1 / (1 + np.exp(-0.7))
    coin, mirrored = np.array([heads, 1 - heads]), np.array([1 - heads, heads])
    present = np.einsum("i,j,k->ijk", coin, coin, coin).ravel()
    absent = np.einsum("i,j,k->ijk", mirrored, coin, mirrored).ravel()
    exact = Finite(present, absent)
    promised = by_composition(PureDP(0.7), small=DAY, large=YEAR, at_most=2).after
    for epsilon in (0.0, 0.5, 1.0, 1.39):
        assert float(exact.delta(epsilon).upper) <= float(promised.delta(epsilon)) * (1 + 1e-12)
    assert float(exact.epsilon(0.0).upper) == pytest.approx(1.4, rel=1e-9)
    assert float(exact.epsilon(0.0).upper) > PureDP(0.7).stated_epsilon


def test_a_finding_that_is_carried_over_tells_both_units_and_the_assumption():
    change = by_composition(ZeroConcentratedDP(0.01), small=DAY, large=YEAR, at_most=30)
    plain = posterior(change.after, 0.5, failure=0.01)
    told = change.carried(plain)
    assert float(told) == float(plain)
    assert told.inputs["small unit"] == DAY.sentence
    assert told.inputs["large unit"] == YEAR.sentence
    assert told.inputs["at most"] == 30
    assert "at-most-so-many-units" not in plain.basis.assumptions
    assert "at-most-so-many-units" in told.basis.assumptions
    assert assumption("at-most-so-many-units").verifier.name == "CURATOR"
    assert Finding.from_json(told.to_json()) == told
    grouped = by_group(PureDP(0.1), small=VISIT, large=PERSON, at_most=3)
    assert "group-privacy" in grouped.carried(grouped.after.delta(0.1)).basis.theorems


def test_the_sentence_names_both_units_the_count_and_both_promises():
    text = str(by_composition(PureDP(0.5), small=DAY, large=YEAR, at_most=4))
    assert text == (
        "The promise covers all that one person contributes within one year. It is counted as at most 4 times what one "
        "person contributes within one day: PureDP(epsilon=0.5) becomes PureDP(epsilon=2.0). What goes beyond must be "
        "left out."
    )
    assert "at most once what one visit" in str(by_group(PureDP(0.5), small=VISIT, large=PERSON, at_most=1))


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: by_composition("rho", small=DAY, large=YEAR, at_most=2), "promise must be a promise, a mechanism"),
        (lambda: by_composition(PureDP(1.0), small="day", large=YEAR, at_most=2), "small must be a unit of privacy"),
        (lambda: by_composition(PureDP(1.0), small=DAY, large="year", at_most=2), "large must be a unit of privacy"),
        (lambda: by_composition(PureDP(1.0), small=DAY, large=DAY, at_most=2), "large must be another unit"),
        (lambda: by_composition(PureDP(1.0), small=DAY, large=YEAR, at_most=0), "at_most must be a whole number"),
        (lambda: by_group(PureDP(1.0), small=DAY, large=YEAR, at_most=1.5), "at_most must be a whole number"),
        (
            lambda: by_group(PureDP(1.0), small=DAY, large=YEAR, at_most=2).carried(0.5),
            "what is carried over must be a finding",
        ),
    ],
)
def test_a_wrong_input_is_refused_with_a_sentence(ask, said):
    with pytest.raises(InvalidInput, match=said):
        ask()


def test_a_mechanism_promises_to_a_group_what_its_steps_add_up_to():
    twice = by_group(Gaussian(1.0), small=DAY, large=YEAR, at_most=2).after
    assert float(twice.delta(1.0)) == pytest.approx(float(Gaussian(0.5).delta(1.0)), rel=1e-9)
    with pytest.raises(NotImplied, match="a promise to a group does not follow from a curve"):
        by_group(Gaussian(1.0).curve(), small=DAY, large=YEAR, at_most=2)


@pytest.mark.parametrize("promise", PROMISES, ids=repr)
@pytest.mark.parametrize("change", [by_composition, by_group])
def test_more_units_than_can_be_counted_are_refused(promise, change):
    for at_most in (2**53 + 1, 10**400, 10**5000):
        with pytest.raises(InvalidInput, match=r"at_most must be a whole number of at most 2\^53; got a larger one"):
            change(promise, small=DAY, large=YEAR, at_most=at_most)
