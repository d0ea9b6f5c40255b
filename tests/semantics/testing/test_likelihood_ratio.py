"""The most powerful test: its level and power by summing over outcomes, with a coin at the tie."""

from __future__ import annotations

import math

import numpy as np
import pytest
import referee
from pairs import random_pair

from whit.curves import Orientation
from whit.errors import InvalidInput, NotImplied
from whit.guarantees import PureDP
from whit.mechanisms import DiscreteGaussian, Finite, Gaussian, Kernel, Laplace, RandomizedResponse
from whit.semantics.testing import likelihood_ratio_test

LEVELS = [0.0, 1e-6, 0.05, 0.3, 0.9, 1.0]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("level", LEVELS)
def test_threshold_and_coin_give_the_level_and_the_power(seed: int, level: float) -> None:
    p, q = random_pair(np.random.default_rng(seed), 5)
    test = likelihood_ratio_test(Finite(p, q), level)
    losses = np.log(p / q)
    t = float(test.threshold)
    tie = np.isclose(losses, t, rtol=0, atol=1e-12)
    rejects = np.where(tie, float(test.at_the_threshold), losses > t)
    assert float(rejects @ q) == pytest.approx(level, abs=1e-13)
    assert float(rejects @ p) == pytest.approx(float(test.power), abs=1e-13)
    assert float(test.power) == pytest.approx(float(referee.power(list(p), list(q), level)), abs=1e-13)


def test_a_tie_is_broken_by_a_coin() -> None:
    """Randomized response at level 0.1: the outcome in favour has probability 1/(1 + e) under Q."""
    test = likelihood_ratio_test(RandomizedResponse(1.0), 0.1)
    assert float(test.threshold) == 1.0
    assert float(test.at_the_threshold) == pytest.approx(0.1 * (1 + math.e), rel=1e-12)
    assert test.rejects([2.0, 1.0, 0.0]).value.tolist() == [1.0, float(test.at_the_threshold), 0.0]


def test_the_threshold_of_gaussian_noise() -> None:
    """Reject above the quantile x of level 0.05, where the loss is mu x - mu^2/2; no ties."""
    test = likelihood_ratio_test(Gaussian(1.0), 0.05)
    assert float(test.threshold) == pytest.approx(1.6448536269514722 - 0.5, rel=1e-9)
    assert float(test.at_the_threshold) == 0.0


def test_the_atoms_of_laplace_noise_are_ties() -> None:
    """The loss is 1 with probability 1/2 under P, and e^(-1)/2 under Q."""
    test = likelihood_ratio_test(Laplace(1.0), 0.05)
    assert float(test.threshold) == pytest.approx(1.0, rel=1e-12)
    assert float(test.at_the_threshold) == pytest.approx(0.05 * 2 * math.e, rel=1e-9)


def test_what_only_one_dataset_produces_is_always_rejected() -> None:
    release = Finite([0.5, 0.5, 0.0], [0.0, 0.5, 0.5])
    test = likelihood_ratio_test(release, [0.0, 0.25, 0.75])
    assert test.threshold.value.tolist() == [0.0, 0.0, -np.inf]
    assert test.at_the_threshold.value == pytest.approx([0.0, 0.5, 0.5], rel=1e-12)
    assert test.power.value == pytest.approx([0.5, 0.75, 1.0], rel=1e-12)


def test_a_composition_on_a_lattice_has_ties() -> None:
    """Two cells of noise 1: by brute force over both."""
    x = np.arange(-12, 14)
    first, second = np.exp(-(x**2) / 2), np.exp(-((x - 1) ** 2) / 2)
    p, q = first / first.sum(), second / second.sum()
    both = [list(np.outer(each, each).ravel()) for each in (p, q)]
    test = likelihood_ratio_test(DiscreteGaussian(1.0).times(2), 0.05)
    assert float(test.power.upper) == pytest.approx(float(referee.power(both[0], both[1], 0.05)), rel=1e-5)
    assert float(test.threshold) == pytest.approx(round(float(test.threshold)), abs=1e-6)
    assert 0.0 < float(test.at_the_threshold) < 1.0


def test_the_other_way_round() -> None:
    release = Finite([0.9, 0.1], [0.5, 0.5])
    forward, backward = (
        likelihood_ratio_test(release, 0.05, orientation=each) for each in (Orientation.FORWARD, Orientation.BACKWARD)
    )
    assert float(forward.power) == pytest.approx(0.09, rel=1e-12)
    assert float(backward.power) == pytest.approx(0.25, rel=1e-12)


def test_a_bound_and_several_pairs_have_no_single_test() -> None:
    for promised in (PureDP(1.0), Kernel([[0.5, 0.5], [0.25, 0.75], [0.1, 0.9]], [(0, 1), (1, 2)])):
        with pytest.raises(NotImplied, match="the likelihood-ratio test is not known: no single pair"):
            likelihood_ratio_test(promised, 0.05)
    with pytest.raises(InvalidInput, match="orientation must be one of the two; got .* Use Orientation.FORWARD"):
        likelihood_ratio_test(Gaussian(1.0), 0.05, orientation=Orientation.WORST)
