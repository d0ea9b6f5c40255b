"""Each short explanation stands where it applies, and nowhere else."""

from __future__ import annotations

import pytest
from told_promises import assessed

from whit.assessment import assess
from whit.guarantees import ApproxDP, PureDP, basic_composition
from whit.mechanisms import RandomizedResponse, Shuffled
from whit.setting import Adversary, Knowledge
from whit.spec import Given, promise_of, together_of
from whit.telling.words import explain
from whit.telling.words.subject import COMPOSITION, Subject, notes_of
from whit.theory import THEOREMS

EXPECTED = {
    "pure, epsilon 1": ("pure", "noise_unknown"),
    "approximate": ("approximate", "delta", "noise_unknown"),
    "probabilistic": ("probabilistic", "noise_unknown"),
    "zero-concentrated": ("tail", "noise_unknown"),
    "Gaussian noise": ("tail", "noise_known"),
    "Gaussian noise, a year": ("tail", "composition", "noise_known"),
    "randomized response": ("noise_known",),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_the_notes_of_a_promise_are_those_that_apply(name):
    assert notes_of(Subject(tuple(assessed(name)))) == EXPECTED[name]


def test_a_delta_of_zero_needs_no_word_about_delta():
    text = explain(ApproxDP(1.0, 0.0), "officer").text
    assert "What delta is" not in text
    assert "What delta is" in explain(assessed("approximate"), "officer").text


def test_what_composition_did_is_told_of_composed_promises():
    both = basic_composition(PureDP(0.5), PureDP(0.5))
    assert "counted together" in explain(both, "officer").text
    assert "counted together" not in explain(PureDP(1.0), "officer").text


def test_the_theorems_of_composition_are_known():
    assert set(COMPOSITION) <= set(THEOREMS)
    missing = [key for key in THEOREMS if "composition" in key and key not in COMPOSITION]
    assert missing == ["persuasion-composition"]


def test_delta_is_said_to_be_neither_a_tail_nor_a_failure():
    text = explain(assessed("approximate"), "technical").text
    assert "What delta is not: the probability that the privacy loss exceeds epsilon" in text
    assert "the failure probability of a statement, which is chosen by whoever asks" in text


def test_a_pure_promise_that_is_asked_with_a_chance_of_failure_is_not_said_to_hold_always():
    asked = assess(PureDP(1.0), Adversary(prior=0.5, knows=Knowledge.EVERYONE_ELSE), failure=0.01)
    assert "with no exception" not in explain(asked, "officer").text
    assert "no more often than the failure probability says" in explain(asked, "officer").text


def test_shuffled_reports_are_said_to_hide_among_others_and_not_to_be_known_noise():
    shuffled = explain(Shuffled(RandomizedResponse(1.0), 100), "officer").text
    assert "a shuffler that keeps no record" in shuffled
    assert "The distribution of the noise is known" not in shuffled
    assert "a shuffler" not in explain(RandomizedResponse(1.0), "officer").text


def test_the_noise_of_one_promise_is_not_said_to_be_that_of_another():
    noise, bare = promise_of(Given({"gaussian": 2.0})), promise_of(Given({"epsilon": 0.5}))
    text = explain(together_of([noise, bare]).together, "public").text
    assert "We do not know how the result is blurred" not in text
    assert "We know only what is promised for one part of the result." in text
    assert "The next sentences are about that part.\n\nEach number is moved a little by chance." in text
    both = explain(together_of([noise, promise_of(Given({"laplace": 2.0}))]).together, "public").text
    assert "We know how the result is blurred." in both
    alone = explain(together_of([bare, promise_of(Given({"rho": 0.1}))]).together, "public").text
    assert "We do not know how the result is blurred" in alone
