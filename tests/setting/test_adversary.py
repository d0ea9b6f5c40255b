"""Adversaries: one normal form, and no half-given belief."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from whit.errors import Incompatible, InvalidInput
from whit.setting import Adversary, Knowledge, When, failures, one_failure, one_or_two


def test_a_prior_alone_is_an_inclusion_with_a_certain_value():
    assert Adversary(prior=0.5) == Adversary(inclusion=0.5, value=1.0)
    assert hash(Adversary(prior=0.5)) == hash(Adversary(inclusion=0.5, value=1.0))


def test_the_prior_is_inclusion_times_value():
    adversary = Adversary(inclusion=0.25, value=0.125)
    assert (adversary.inclusion, adversary.value, adversary.prior) == (0.25, 0.125, 0.03125)
    assert Adversary(prior=0.3).prior == 0.3


@pytest.mark.parametrize("prior", [0, 1, 1e-15, 5e-324, 1 - 2**-53])
def test_every_probability_is_a_prior(prior):
    adversary = Adversary(prior=prior)
    assert adversary.prior == prior
    assert type(adversary.prior) is float


def test_knowledge_is_part_of_the_adversary():
    informed = Adversary(prior=0.5, knows=Knowledge.EVERYONE_ELSE)
    assert informed.knows is Knowledge.EVERYONE_ELSE
    assert informed != Adversary(prior=0.5)
    assert Adversary(prior=0.5).knows is Knowledge.ANY_BELIEF


@pytest.mark.parametrize("member", list(Knowledge))
def test_knowledge_has_a_sentence_and_a_repr_that_gives_it(member):
    assert member.value.startswith("The adversary ")
    assert eval(repr(member)) is member


@pytest.mark.parametrize(
    "adversary",
    [
        Adversary(prior=0.1),
        Adversary(inclusion=0.05, value=0.1, knows=Knowledge.EVERYONE_ELSE),
        Adversary(prior=0.1, when=When.EVER, baseline=0.01),
    ],
)
def test_the_repr_rebuilds_the_adversary(adversary):
    assert eval(repr(adversary)) == adversary


def test_an_adversary_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'inclusion'"):
        Adversary(prior=0.5).inclusion = 0.1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("belief", "found"),
    [
        ({}, "none of them"),
        ({"inclusion": 0.5}, "inclusion"),
        ({"value": 0.5}, "value"),
        ({"prior": 0.5, "inclusion": 0.5}, "prior and inclusion"),
        ({"prior": 0.5, "value": 1.0}, "prior and value"),
        ({"prior": 0.5, "inclusion": 0.5, "value": 1.0}, "prior and inclusion and value"),
    ],
)
def test_a_belief_is_given_in_one_way_and_wholly(belief, found):
    sentence = f"either a prior, or an inclusion and a value; got {found}. Give a prior alone, or inclusion and value"
    with pytest.raises(Incompatible, match=sentence):
        Adversary(**belief)


@pytest.mark.parametrize("number", [-0.1, 1.5, math.nan, True, "0.5"])
def test_beliefs_are_probabilities(number):
    with pytest.raises(InvalidInput, match=r"prior must be a probability in \[0, 1\]; got .* such as 0.5\."):
        Adversary(prior=number)
    with pytest.raises(InvalidInput, match=r"inclusion must be a probability in \[0, 1\]; got "):
        Adversary(inclusion=number, value=0.5)
    with pytest.raises(InvalidInput, match=r"value must be a probability in \[0, 1\]; got "):
        Adversary(inclusion=0.5, value=number)


def test_knowledge_is_given_by_member():
    with pytest.raises(
        InvalidInput, match=r"knows must be one of Knowledge; got everything\. Use one of \[Knowledge\."
    ):
        Adversary(prior=0.5, knows="everything")


# Chances of failure and numbers of sides are what they say, or are refused


def test_sides_may_be_an_integer_of_numpy():
    assert one_or_two(np.int64(2)) == 2


@pytest.mark.parametrize("sides", [np.array([1, 2]), np.array([1]), [1], None, True, 1.0, "1", 0, 3], ids=repr)
def test_what_is_not_one_side_or_two_is_refused(sides):
    with pytest.raises(InvalidInput, match="sides must be 1 or 2"):
        one_or_two(sides)


def test_failures_include_never_and_always():
    assert failures([0.0, 1.0]).tolist() == [0.0, 1.0]
    assert [one_failure(each) for each in (0, 0.01)] == [0.0, 0.01]


def test_one_statement_that_may_be_false_for_sure_is_refused():
    with pytest.raises(InvalidInput, match="failure must be below 1: what may be false for sure says nothing; got 1.0"):
        one_failure(1.0)


@pytest.mark.parametrize("failure", [-0.1, 1.5, float("nan"), None, "x"], ids=repr)
def test_what_is_no_chance_is_refused(failure):
    for ask in (failures, one_failure):
        with pytest.raises(InvalidInput, match="failure must be"):
            ask(failure)


def test_masked_failures_are_not_known():
    with pytest.raises(InvalidInput, match="failure must have no masked values; got a masked array"):
        failures(np.ma.array([0.1, 0.2], mask=[False, True]))
    assert failures(np.ma.array([0.1, 0.2])).tolist() == [0.1, 0.2]


def test_an_adversary_may_watch_at_every_moment():
    watching = Adversary(prior=0.5, when=When.EVER)
    assert watching != Adversary(prior=0.5)
    assert eval(repr(watching)) == watching
    assert "when" not in repr(Adversary(prior=0.5))
    assert watching.to_dict() == {"inclusion": 0.5, "value": 1.0, "knows": "ANY_BELIEF", "when": "EVER"}
    with pytest.raises(InvalidInput, match="when must be one of When; got ever"):
        Adversary(prior=0.5, when="ever")


def test_a_baseline_is_a_probability_and_part_of_the_adversary():
    guessing = Adversary(prior=0.5, baseline=0.01)
    assert guessing.baseline == 0.01
    assert guessing != Adversary(prior=0.5)
    assert Adversary(prior=0.5).baseline is None
    assert guessing.to_dict() == {"inclusion": 0.5, "value": 1.0, "knows": "ANY_BELIEF", "baseline": 0.01}
    assert "baseline" not in Adversary(prior=0.5).to_dict()
    with pytest.raises(InvalidInput, match="baseline .* got 1.5. Use the chance that the best guess is right"):
        Adversary(prior=0.5, baseline=1.5)
