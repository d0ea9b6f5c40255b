"""Samplers draw from the law they claim, by the inequality of Dvoretzky, Kiefer and Wolfowitz in Massart's form.

The empirical distribution function of n draws is farther than sqrt(log(2/a)/2n) from the true one with probability at
most a, for every law, continuous or not, and every n. The same test is shown to reject a scale that is 5 % off.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import mpmath
import numpy as np
import pytest

from whit.mechanisms import (
    CorrelatedGaussian,
    DiscreteGaussian,
    Finite,
    Gaussian,
    Geometric,
    Laplace,
    Mixture,
    RandomizedResponse,
    SimpleRandomSample,
)

FALSE_ALARM = 1e-9
DRAWS = 2_000_000
LIMIT = math.sqrt(math.log(2 / FALSE_ALARM) / (2 * DRAWS))

Law = Callable[[np.ndarray], np.ndarray]


def distance(draws: np.ndarray, law: Law) -> float:
    """The largest distance of the two distribution functions, seen at 20000 of the points that were drawn.

    Looking at fewer points than all can only miss an alarm, not raise one.
    """
    ordered = np.sort(draws.ravel())
    points = np.unique(ordered[:: max(1, len(ordered) // 20000)])
    empirical = np.searchsorted(ordered, points, side="right") / len(ordered)
    return float(np.max(np.abs(empirical - law(points))))


def laplace(scale: float) -> Law:
    return lambda x: np.where(x < 0, np.exp(np.minimum(x, 0) / scale) / 2, 1 - np.exp(-np.maximum(x, 0) / scale) / 2)


def normal(sigma: float) -> Law:
    return lambda x: np.array([math.erfc(-each / sigma / math.sqrt(2)) / 2 for each in x])


def geometric(epsilon: float) -> Law:
    a = math.exp(-epsilon)
    return lambda k: np.where(k < 0, a ** -np.minimum(k, 0.0), 1 + a - a ** (np.maximum(k, 0.0) + 1)) / (1 + a)


def discrete_normal(sigma: float) -> Law:
    reach = int(12 * sigma) + 3
    masses = np.array(
        [float(mpmath.exp(-(mpmath.mpf(k) ** 2) / (2 * mpmath.mpf(sigma) ** 2))) for k in range(-reach, reach + 1)]
    )
    steps = np.cumsum(masses) / masses.sum()
    return lambda k: steps[np.asarray(k, dtype=np.int64) + reach]


SAMPLERS = {
    "Laplace": (Laplace(3.0), laplace(3.0), Laplace(3.15)),
    "Gaussian": (Gaussian(3.0), normal(3.0), Gaussian(3.15)),
    "Geometric": (Geometric(0.2), geometric(0.2), Geometric(0.2 / 1.05)),
    "DiscreteGaussian": (DiscreteGaussian(3.0), discrete_normal(3.0), DiscreteGaussian(3.15)),
}


@pytest.mark.parametrize("name", SAMPLERS)
def test_the_noise_has_its_law(name: str) -> None:
    """False-alarm rate 1e-9 for each sampler, over the draws; the seed is fixed, so the outcome stays the same."""
    mechanism, law, _ = SAMPLERS[name]
    assert distance(mechanism.sample(np.random.default_rng(11), DRAWS), law) <= LIMIT


@pytest.mark.parametrize("name", SAMPLERS)
def test_noise_of_a_scale_five_percent_off_is_found(name: str) -> None:
    """The power of the test above: the two laws are more than twice the limit apart, so it misses one in 1e9."""
    _, law, other = SAMPLERS[name]
    assert distance(other.sample(np.random.default_rng(12), DRAWS), law) > LIMIT


def test_each_cell_of_a_vector_has_its_law_and_their_sum_too() -> None:
    """False-alarm rate 3e-9: three laws at 1e-9 each. The sum of the two cells sees their covariance."""
    mechanism = CorrelatedGaussian([[4.0, 1.5], [1.5, 9.0]], add_remove=[[1, 0]], replace=[[1, 0]])
    draws = mechanism.sample(np.random.default_rng(13), DRAWS)
    assert distance(draws[:, 0], normal(2.0)) <= LIMIT
    assert distance(draws[:, 1], normal(3.0)) <= LIMIT
    assert distance(draws.sum(axis=1), normal(4.0)) <= LIMIT
    assert distance(draws.sum(axis=1), normal(4.2)) > LIMIT


def test_reports_and_finite_outcomes_have_their_probabilities() -> None:
    """False-alarm rate 3e-9: three laws at 1e-9 each."""
    truth = math.e / (math.e + 2)
    reports = RandomizedResponse(1.0, categories=3).sample(np.random.default_rng(14), DRAWS, truth=1)
    other = (1 - truth) / 2
    assert distance(reports, lambda k: np.cumsum([other, truth, other])[np.asarray(k)]) <= LIMIT
    assert distance(reports, lambda k: np.cumsum([truth, other, other])[np.asarray(k)]) > LIMIT
    finite = Finite([0.5, 0.3, 0.2], [0.1, 0.0, 0.9])
    for dataset, row in ((0, [0.5, 0.3, 0.2]), (1, [0.1, 0.0, 0.9])):
        draws = finite.sample(np.random.default_rng(15), DRAWS, dataset=dataset)
        sums = np.cumsum(row)
        assert distance(draws, lambda k, sums=sums: sums[np.asarray(k)]) <= LIMIT  # type: ignore[misc]


def test_a_mixture_draws_each_part_with_its_weight() -> None:
    """False-alarm rate 1e-9."""
    mixture = Mixture([Geometric(0.2), Geometric(2.0)], [0.3, 0.7])
    draws = mixture.sample(np.random.default_rng(16), DRAWS)
    assert distance(draws, lambda k: 0.3 * geometric(0.2)(k) + 0.7 * geometric(2.0)(k)) <= LIMIT
    assert distance(draws, lambda k: 0.35 * geometric(0.2)(k) + 0.65 * geometric(2.0)(k)) > LIMIT


def test_every_record_is_drawn_with_the_same_probability() -> None:
    """False-alarm rate 1e-9: of n draws without replacement one position, taken alone, is uniform."""
    draws = SimpleRandomSample(2, 5).sample(np.random.default_rng(17), DRAWS // 4)
    limit = LIMIT * 2
    assert distance(draws[:, 1], lambda k: (np.asarray(k) + 1) / 5) <= limit
    assert distance(draws[:, 1], lambda k: (np.asarray(k) + 1) / 5.25) > limit
