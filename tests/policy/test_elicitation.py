"""Answers become a profile, and contradictions are named."""

from __future__ import annotations

import numpy as np
import pytest

from whit.errors import Incompatible, InvalidInput
from whit.policy.profiles.elicitation import PRIORS, Question, profile_from, questions

ANSWERS = {0.5: 0.7, 0.01: 0.05, 0.1: 0.3}


def test_the_answers_are_the_posteriors_of_the_profile() -> None:
    profile = profile_from(ANSWERS, value=1.0)
    for prior, posterior in ANSWERS.items():
        assert float(profile.limit(prior, 1.0)) * prior == pytest.approx(posterior, rel=1e-14)


def test_answers_are_about_membership_a_value_or_everybody() -> None:
    assert profile_from(ANSWERS, value=1.0).domain.value_fixed
    assert profile_from(ANSWERS, inclusion=1.0).domain.inclusion_fixed
    everybody = profile_from(ANSWERS)
    assert float(everybody.limit(0.5, 0.2)) == pytest.approx(float(everybody.limit(1.0, 0.1)), rel=1e-14)


def test_limits_are_at_least_1_everywhere() -> None:
    profile = profile_from({0.001: 0.0011, 0.9: 1.0})
    assert np.all(profile.limit(np.linspace(0.001, 1, 500), 1.0) >= 1.0)


def test_questions_are_asked_from_the_smallest_prior_on() -> None:
    asked = questions((0.5, 0.1))
    assert [question.prior for question in asked] == [0.1, 0.5]
    assert "a probability of 50 % before the release" in str(asked[1])
    assert len(questions()) == len(PRIORS)


@pytest.mark.parametrize("answer", [0.1, 0.05])
def test_an_answer_at_or_below_its_prior_is_named(answer: float) -> None:
    with pytest.raises(InvalidInput, match=r"the answer for a prior of 10 % must be above the prior"):
        profile_from({0.1: answer})


def test_a_higher_prior_with_a_lower_answer_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"the answers for priors of 10 % and 20 % must not fall.*50 % and 40 %"):
        profile_from({0.1: 0.5, 0.2: 0.4})


def test_other_wrong_answers_are_named() -> None:
    with pytest.raises(InvalidInput, match="answers must be posteriors by prior"):
        profile_from({})
    with pytest.raises(InvalidInput, match="priors must be a list of priors"):
        questions(0.1)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="prior must be a probability"):
        questions((0.1, "half"))  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="prior must be above 0 and below 1"):
        Question(1.0)
    with pytest.raises(InvalidInput, match="the answer for a prior of 10 % must be a probability"):
        profile_from({0.1: 3.0})
    with pytest.raises(Incompatible, match="inclusion must be at least the largest prior asked about"):
        profile_from(ANSWERS, inclusion=0.2)


def test_a_fixed_belief_may_lie_between_the_prior_and_the_posterior():
    profile = profile_from({0.1: 0.8}, inclusion=0.5)
    assert profile.limit(0.5, 0.2) == pytest.approx(8.0, rel=1e-12)
