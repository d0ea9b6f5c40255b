"""Other rules for epsilon."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.guarantees import PureDP
from whit.papers.kr24 import lee_clifton_epsilon, participation_posterior
from whit.policy import naive_epsilon
from whit.semantics.disclosure import relative_risk_at_any_prior


@pytest.mark.parametrize("risk", [1.0, 1 + 1e-12, 1.5, 3.0, 1e6])
def test_the_naive_rule_is_half_the_logarithm(risk):
    found = naive_epsilon(risk, releases=3)
    truth = mp.log(mp.mpf(risk)) / 6
    assert float(found.lower) <= truth <= float(found.upper)
    assert float(found) == pytest.approx(float(truth), rel=1e-14)


def test_the_naive_rule_is_safe_for_everybody():
    epsilon = float(naive_epsilon(3.0).lower)
    assert float(relative_risk_at_any_prior(PureDP(epsilon))) <= 3.0 * (1 + 1e-14)


@pytest.mark.parametrize("risk", [0.5, 0.0, -1.0, float("inf"), float("nan")])
def test_the_naive_rule_needs_a_risk_of_at_least_one(risk):
    with pytest.raises(InvalidInput, match="relative_risk must be"):
        naive_epsilon(risk)


def test_lee_and_clifton_is_the_odds_scaled_by_two_changes():
    found = lee_clifton_epsilon(population=10, posterior=0.5, removal=2.0, exchange=3.0)
    truth = mp.mpf(2) / 3 * mp.log(9)
    assert float(found.lower) <= truth <= float(found.upper)


def test_a_posterior_below_the_prior_is_refused():
    with pytest.raises(InvalidInput, match="posterior must be at least the prior 1/n"):
        lee_clifton_epsilon(population=4, posterior=0.2, removal=1.0, exchange=1.0)


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 0.5, 20.0, 710.0, 1e4])
def test_taking_part_raises_a_posterior_by_no_more_than_the_bound(epsilon):
    without = np.array([0.0, 1e-15, 0.1, 0.5, 1 - 2**-53, 1.0])
    bound = participation_posterior(without, epsilon).value
    kept = mp.exp(-2 * mp.mpf(epsilon))
    for a, b in zip(without, bound, strict=True):
        truth = mp.mpf(a) / (mp.mpf(a) + kept * (1 - mp.mpf(a))) if a > 0 else mp.mpf(0)
        assert b >= truth
        assert b <= truth * (1 + mp.mpf("1e-13"))


def test_a_population_of_one_is_refused():
    with pytest.raises(InvalidInput, match="population must be at least 2"):
        lee_clifton_epsilon(population=1, posterior=0.5, removal=1.0, exchange=1.0)


def test_numbers_beyond_all_counting_are_refused():
    with pytest.raises(InvalidInput, match="releases must be a whole number of at most"):
        naive_epsilon(3.0, releases=10**400)
    with pytest.raises(InvalidInput, match="population must be a whole number of at most"):
        lee_clifton_epsilon(population=10**400, posterior=0.3, removal=1.0, exchange=1.0)
