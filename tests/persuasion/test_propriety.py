"""Proper scores pass, improper ones are caught with a witness; no receiver harms more than the privacy function."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from whit.errors import InvalidInput, NotImplied
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
    average_privacy,
    check_proper,
    require_proper,
)

RANDOM = np.random.default_rng(5)
BELIEFS = [FiniteBelief(RANDOM.dirichlet(np.ones(3)).tolist(), points=[0, 1, 3]) for _ in range(12)]
BELIEFS += [FiniteBelief([0.5, 0.5, 0.0], points=[0, 1, 3])]
LINEAR = CustomScore(lambda belief, truth: -belief.weights[truth], label="linear score")


@pytest.mark.parametrize(
    "score",
    [
        LogProbability(),
        Brier(),
        Spherical(),
        RankedProbability(),
        IntervalScore(1),
        DawidSebastiani(),
        PrivacyFunction([[0, 1, 2], [2, 0, 1], [1, 1, 0]]),
    ],
    ids=lambda score: score.name,
)
def test_a_proper_score_has_no_witness(score):
    assert check_proper(score, BELIEFS)


def test_the_linear_score_is_caught_with_a_witness():
    found = check_proper(LINEAR, BELIEFS)
    assert not found
    held, stated = found.witness.held.weights, found.witness.stated.weights
    gain = sum(p * (q - p) for p, q in zip(held, stated, strict=True))
    assert gain > 0
    assert 0 < float(found.witness.gain) <= gain


def test_an_improper_score_is_refused_with_a_sentence():
    with pytest.raises(NotImplied, match="a privacy score must be proper.*linear score"):
        require_proper(LINEAR, BELIEFS)


def test_ties_broken_at_the_truth_can_be_improper():
    function = PrivacyFunction([[0, 1], [1, 0]], ties=Ties.LEAST_PRIVATE)
    even, leaning = FiniteBelief([0.5, 0.5]), FiniteBelief([0.75, 0.25])
    found = check_proper(function, [even, leaning])
    assert found.witness.held == leaning


def test_no_other_receiver_leaves_less_privacy():
    random = np.random.default_rng(1)
    for _ in range(200):
        privacy, aims = random.integers(-5, 6, size=(2, 4, 3)).tolist()
        belief = FiniteBelief(random.dirichlet(np.ones(3)).tolist())
        function = PrivacyFunction(privacy)
        worst = average_privacy(function, belief)
        other = average_privacy(function, belief, receiver=PrivacyFunction(aims))
        assert float(worst.upper) <= float(other.upper)
        expected = np.array(privacy) @ np.array([float(weight) for weight in belief.weights])
        assert float(worst) == pytest.approx(expected.min(), abs=1e-12)


def test_a_check_needs_two_beliefs_about_the_same_datasets():
    with pytest.raises(InvalidInput, match="beliefs must be at least two"):
        check_proper(Brier(), BELIEFS[:1])
    with pytest.raises(InvalidInput, match="beliefs must be finite beliefs"):
        check_proper(Brier(), [1, 2])
    with pytest.raises(InvalidInput, match="beliefs must be about the same datasets"):
        check_proper(Brier(), [BELIEFS[0], FiniteBelief([1])])


def test_a_receiver_must_have_the_same_decisions():
    with pytest.raises(InvalidInput, match="receiver must have the 2 decisions"):
        average_privacy(PrivacyFunction([[0], [1]]), FiniteBelief([Fraction(1)]), receiver=PrivacyFunction([[0]]))


def test_what_is_minimised_must_be_a_privacy_function():
    with pytest.raises(InvalidInput, match="what is minimised must be a PrivacyFunction"):
        average_privacy(3, FiniteBelief([Fraction(1)]))
