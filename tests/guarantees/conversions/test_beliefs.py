"""Levels of semantic privacy, as numbers."""

from __future__ import annotations

import math

import mpmath
import pytest

from whit.errors import InvalidInput, Unreachable
from whit.guarantees.conversions import (
    approximate_epsilon,
    level,
    level_printed,
    level_rest_known,
    level_with_failure,
    pure_epsilon,
)


@pytest.mark.parametrize("epsilon", [1e-12, 0.3, 1.0, 5.0, 710.0])
def test_levels_and_back(epsilon: float) -> None:
    truth = mpmath.tanh(mpmath.mpf(epsilon) / 2)
    assert truth <= float(level(epsilon)) <= truth * (1 + mpmath.mpf("1e-13"))
    assert float(level_rest_known(2 * epsilon)) == float(level(epsilon)) <= float(level_printed.kernel(epsilon))
    if epsilon < 10:
        assert float(pure_epsilon(float(level_rest_known(epsilon)))) == pytest.approx(epsilon, rel=1e-10)


def test_two_digits_of_the_theory() -> None:
    """At epsilon 1, delta 1e-12 and 10 000 people, where the paper's theorem says nothing."""
    found = [float(level_with_failure(1.0, 1e-12, population=10_000, failure=f)) for f in (4e-4, 0.002)]
    assert 0.4821 < found[0] <= 0.4822
    assert 0.4710 < found[1] <= 0.4711


def test_the_best_threshold_is_found() -> None:
    """Against a fine grid of thresholds."""
    epsilon, delta, n, failure = 0.5, 1e-9, 50, 0.01
    grid = [epsilon + 10 ** (k / 500 - 5) for k in range(3000)]

    def at(t: float) -> float:
        d = delta * (1 + math.exp(-t)) / -math.expm1(epsilon - t)
        return math.tanh(t / 2) + 2 * n * d * (1 + math.exp(epsilon)) / (failure - n * delta)

    found = float(level_with_failure(epsilon, delta, population=n, failure=failure))
    assert found == pytest.approx(min(at(t) for t in grid), rel=1e-5)
    assert found <= min(at(t) for t in grid) * (1 + 1e-12)


def test_without_a_delta_it_is_the_level_of_pure_privacy() -> None:
    assert float(level_with_failure(1.0, 0.0, population=5, failure=0.1)) == float(level(1.0))


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(Unreachable, match="failure must be above the delta of the promise times the population, 0.1"):
        level_with_failure(1.0, 1e-3, population=100, failure=0.05)
    with pytest.raises(InvalidInput, match="level must be at least 0 and below 1, from where on it promises nothing"):
        pure_epsilon(1.0)
    with pytest.raises(InvalidInput, match="level must be at least 0 and below 0.5"):
        approximate_epsilon(0.5)
