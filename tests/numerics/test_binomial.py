"""Binomial probabilities against the gamma function of mpmath at 60 digits."""

import math
from itertools import product

import mpmath
import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.numerics import log_binomial, log_binomial_of_logs, logspace

TRIALS = [1, 2, 3, 15, 16, 17, 40, 1000, 20000]
RARE = [0.5, 0.5 - 1e-13, 0.3, 0.123456, 1e-3, 1e-6, 1e-15, 1e-100, 1e-290, 1e-310]


def exact_log_pmf(n, k, log_rare, log_common):
    """The truth for k of the rare outcome."""
    ways = mpmath.loggamma(n + 1) - mpmath.loggamma(k + 1) - mpmath.loggamma(n - k + 1)
    return ways + k * log_rare + (n - k) * log_common


def places(n, mean, seed):
    """Both ends, some places anywhere and some where the probability lies."""
    generator = np.random.default_rng(seed)
    near = np.round(mean + (math.sqrt(mean) + 1.0) * 2.0 * generator.normal(size=15))
    anywhere = generator.integers(0, n + 1, 8)
    return sorted({0, 1, n - 1, n} | {int(k) for k in np.clip(np.concatenate([near, anywhere]), 0, n)})


@pytest.mark.parametrize(("n", "rare"), [*product(TRIALS, RARE), (10**6, 0.5), (10**6, 0.123456), (10**6, 1e-300)])
def test_probabilities_are_bracketed_and_accurate(n, rare):
    bracket = log_binomial(n, rare, 1.0 - rare)
    assert bracket.shape == (n + 1,)
    with mpmath.workdps(60):
        logs = mpmath.log(rare), mpmath.log1p(-mpmath.mpf(rare))
        for k in places(n, n * rare, seed=n):
            truth = exact_log_pmf(n, k, *logs)
            assert bracket.lower[k] <= truth <= bracket.upper[k]
            assert abs(float(bracket.mid[k]) - truth) <= 2e-15 * (1 + abs(truth))
            assert bracket.upper[k] - bracket.lower[k] <= 2e-14 * (1 + abs(truth))


@pytest.mark.parametrize("n", [1, 7, 1000])
@pytest.mark.parametrize("rare", [0.3, 1e-20])
def test_exchanging_success_and_failure_reverses_the_order(n, rare):
    assert log_binomial(n, 1.0 - rare, rare) == log_binomial(n, rare, 1.0 - rare)[::-1]


@pytest.mark.parametrize("p", [0.5, 0.2, 1e-5])
@pytest.mark.parametrize("n", [1, 30, 10**5])
def test_probabilities_sum_to_one(n, p):
    probabilities = log_binomial(n, p, 1.0 - p).exp()
    assert math.fsum(probabilities.mid) == pytest.approx(1.0, abs=1e-14)
    assert math.fsum(probabilities.lower) <= 1.0 <= math.fsum(probabilities.upper)


def test_three_fair_trials():
    assert log_binomial(3, 0.5, 0.5).exp().mid == pytest.approx([1 / 8, 3 / 8, 3 / 8, 1 / 8], rel=1e-15)


def test_certain_outcomes_are_exact():
    never, always = log_binomial(3, 0.0, 1.0), log_binomial(3, 1.0, 0.0)
    assert never.lower.tolist() == never.upper.tolist() == [0.0, -math.inf, -math.inf, -math.inf]
    assert always.lower.tolist() == always.upper.tolist() == [-math.inf, -math.inf, -math.inf, 0.0]


@pytest.mark.parametrize("log_rare", [-0.7, -5.0, -100.0, -623.0, -624.0, -1e4, -1e6])
@pytest.mark.parametrize("n", [1, 10, 10**5])
def test_probabilities_given_by_logarithms_are_bracketed(n, log_rare):
    with mpmath.workdps(60):
        log_common = mpmath.log1p(-mpmath.exp(log_rare))
        bracket = log_binomial_of_logs(n, log_rare, float(log_common))
        reverse = log_binomial_of_logs(n, float(log_common), log_rare)
        for k in places(n, n * math.exp(log_rare), seed=n):
            truth = exact_log_pmf(n, k, mpmath.mpf(log_rare), log_common)
            assert bracket.lower[k] <= truth <= bracket.upper[k]
            assert reverse.lower[n - k] <= truth <= reverse.upper[n - k]
            assert bracket.upper[k] - bracket.lower[k] <= 1e-12 * (1 + abs(truth))


def test_logarithms_of_certainty():
    assert log_binomial_of_logs(2, -math.inf, 0.0).upper.tolist() == [0.0, -math.inf, -math.inf]


def test_what_does_not_sum_to_one_is_refused():
    with pytest.raises(InvalidInput, match=r"p \+ q must be 1; got 1.1"):
        log_binomial(3, 0.5, 0.6)
    with pytest.raises(InvalidInput, match=r"p \+ q must be 1; got 2.0"):
        log_binomial_of_logs(3, 0.0, 0.0)


@pytest.mark.parametrize(
    ("n", "p", "q", "rule"), [(0, 0.5, 0.5, "n must be a whole"), (3, 1.5, -0.5, "p must be a prob")]
)
def test_illegal_arguments_are_refused(n, p, q, rule):
    with pytest.raises(InvalidInput, match=rule):
        log_binomial(n, p, q)


@pytest.mark.parametrize("n", [*range(1, 40), 100, 10_000])
def test_the_error_of_stirlings_formula_keeps_its_digits(n):
    with mpmath.workdps(50):
        truth = mpmath.loggamma(n + 1) - (mpmath.log(2 * mpmath.pi * n) / 2 + n * mpmath.log(n) - n)
    assert float(logspace._stirling_error(np.array(float(n)))) == pytest.approx(float(truth), rel=4e-16, abs=0.0)
