"""Scores have their textbook values, and the Bayes act is found with its ties."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.persuasion import (
    Brier,
    CustomScore,
    DawidSebastiani,
    FiniteBelief,
    IntervalScore,
    LogProbability,
    PrivacyFunction,
    RankedProbability,
    Spherical,
    Ties,
)

BELIEF = FiniteBelief([Fraction(1, 5), Fraction(3, 10), Fraction(1, 2)], points=[0, 1, 4])
WEIGHTS = np.array([0.2, 0.3, 0.5])


def near(score, truth: int) -> float:
    return score.of(BELIEF, truth).bracket()[0]


@pytest.mark.parametrize("truth", range(3))
def test_the_scores_are_those_of_the_textbook(truth):
    certain = np.eye(3)[truth]
    assert near(LogProbability(), truth) == pytest.approx(-math.log(WEIGHTS[truth]), rel=1e-14)
    assert near(Brier(), truth) == pytest.approx(np.sum((WEIGHTS - certain) ** 2), rel=1e-14)
    assert near(Spherical(), truth) == pytest.approx(-WEIGHTS[truth] / np.linalg.norm(WEIGHTS), rel=1e-14)
    x = np.array([0.0, 1.0, 4.0])
    mean, variance = WEIGHTS @ x, WEIGHTS @ x**2 - (WEIGHTS @ x) ** 2
    dawid_sebastiani = math.log(variance) + (x[truth] - mean) ** 2 / variance
    assert near(DawidSebastiani(), truth) == pytest.approx(dawid_sebastiani, rel=1e-13)


@pytest.mark.parametrize("truth", range(3))
def test_the_ranked_score_is_an_expected_distance(truth):
    # CRPS = E|X - x| - E|X - X'|/2, whatever the points.
    x = np.array([0.0, 1.0, 4.0])
    expected = WEIGHTS @ np.abs(x - x[truth]) - 0.5 * WEIGHTS @ np.abs(x[:, None] - x) @ WEIGHTS
    assert near(RankedProbability(), truth) == pytest.approx(expected, rel=1e-13)


def test_the_log_score_of_what_is_excluded_is_infinite():
    assert LogProbability().of(FiniteBelief([1.0, 0.0]), 1).sign == 1


def test_a_belief_without_variance_scores_without_bound():
    certain = FiniteBelief([1.0, 0.0])
    assert DawidSebastiani().of(certain, 0).sign == -1
    assert DawidSebastiani().of(certain, 1).sign == 1


def test_the_interval_holds_the_most_probability_and_ties_go_to_the_left():
    assert IntervalScore(1).decision(BELIEF) == 0  # 0 and 1 together have 1/2, as has 4 alone
    assert [IntervalScore(1).of(BELIEF, truth).rational for truth in range(3)] == [0, 0, 1]
    assert [IntervalScore(0.5).of(BELIEF, truth).rational for truth in range(3)] == [1, 1, 0]


def test_the_bayes_act_leaves_the_least_privacy_on_average():
    function = PrivacyFunction([[0, 2, 2], [1, 0, 2], [2, 1, 0]])
    expected = np.array([[0, 2, 2], [1, 0, 2], [2, 1, 0]]) @ WEIGHTS
    assert function.decisions(BELIEF) == (int(np.argmin(expected)),)
    assert function.of(BELIEF, 0).rational == 2


def test_ties_are_broken_as_stated():
    even = FiniteBelief([0.5, 0.5])
    first, worst = PrivacyFunction([[0, 1], [1, 0]]), PrivacyFunction([[0, 1], [1, 0]], ties=Ties.LEAST_PRIVATE)
    assert [first.of(even, truth).rational for truth in (0, 1)] == [0, 1]
    assert [worst.of(even, truth).rational for truth in (0, 1)] == [0, 0]
    assert first.proper
    assert not worst.proper


def test_a_custom_score_may_be_infinite_but_must_be_a_number():
    assert CustomScore(lambda *_: math.inf).of(BELIEF, 0).sign == 1
    with pytest.raises(InvalidInput, match="the value of a score must be a finite number"):
        CustomScore(lambda *_: math.nan).of(BELIEF, 0)


@pytest.mark.parametrize("table", [[], [[]], [[1, 2], [3]], 5, [["a"]]])
def test_what_is_no_privacy_function_is_refused(table):
    with pytest.raises(InvalidInput, match="privacy must be a"):
        PrivacyFunction(table)


def test_a_belief_about_other_datasets_is_refused():
    with pytest.raises(InvalidInput, match="a belief must be about 2 datasets"):
        PrivacyFunction([[0, 1], [1, 0]]).of(BELIEF, 0)


@pytest.mark.parametrize("length", [0, -1, math.inf, "wide"])
def test_an_interval_has_a_positive_length(length):
    with pytest.raises(InvalidInput, match="length must be"):
        IntervalScore(length)


def test_a_custom_score_is_a_function_that_does_not_fail():
    with pytest.raises(InvalidInput, match="the function of a score must be a function"):
        CustomScore(3)
    with pytest.raises(InvalidInput, match="got at dataset 1 ZeroDivisionError"):
        CustomScore(lambda belief, truth: belief.weights[truth] / 0).of(FiniteBelief([0.5, 0.5]), 1)
    with pytest.raises(InvalidInput, match="got at dataset 0 TypeError"):
        CustomScore(lambda belief: belief.weights[0]).of(FiniteBelief([0.5, 0.5]), 0)  # type: ignore[misc]
