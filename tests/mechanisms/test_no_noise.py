"""A scale of 0 is a value: the exact answer, which protects nobody who changes it."""

from __future__ import annotations

import numpy as np
import pytest

from whit.guarantees import ApproxDP
from whit.mechanisms import Deterministic, DiscreteGaussian, Gaussian, Laplace, PoissonSubsampled
from whit.policy import limits
from whit.policy.recommendation import recommend
from whit.setting import Neighbours, Sensitivity

NONE = [Gaussian(0.0), Laplace(0.0), DiscreteGaussian(0.0)]


@pytest.mark.parametrize("mechanism", NONE)
def test_no_noise_is_no_protection(mechanism):
    assert float(mechanism.delta(100.0)) == 1.0
    assert float(mechanism.epsilon(0.999)) == np.inf
    assert float(mechanism.times(3).delta(5.0).upper) == 1.0
    assert float(mechanism.sure_loss()) == np.inf


@pytest.mark.parametrize("mechanism", NONE)
def test_the_exact_answer_comes_out(mechanism):
    exact = Deterministic()
    assert float(mechanism.standard_deviation()) == 0.0
    assert mechanism.error_quantile([0.0, 0.5, 1.0]).value.tolist() == [0.0, 0.0, 0.0]
    assert float(mechanism.probability_of_exact_answer()) == 1.0
    assert mechanism.noise_tail([-1.0, 0.0, 1.0]).value.tolist() == exact.noise_tail([-1.0, 0.0, 1.0]).value.tolist()
    assert not mechanism.sample(np.random.default_rng(1), 5).any()


@pytest.mark.parametrize("kind", [Gaussian, Laplace, DiscreteGaussian])
def test_an_answer_that_nobody_changes_needs_no_noise(kind):
    total = kind(0.0, sensitivity=Sensitivity(add_remove=1, replace=0))
    assert float(total.delta(0.0, neighbours=Neighbours.REPLACE)) == 0.0


def test_without_noise_a_sample_tells_who_was_drawn():
    found = PoissonSubsampled(Gaussian(0.0), 0.1)
    assert float(found.delta(3.0)) == pytest.approx(0.1, rel=1e-14)
    assert float(found.times(2).delta(3.0)) == pytest.approx(0.19, rel=1e-14)


def test_whoever_is_drawn_seldom_enough_needs_no_noise():
    """With one draw in a hundred the power at the level 5 % is at most 5.95 %."""
    found = recommend(limits.power(0.1, level=0.05), Gaussian, sampling_rate=0.01)
    assert found.unlimited
    assert recommend(ApproxDP(1.0, 0.1), Laplace, sampling_rate=0.09).unlimited
    assert not recommend(ApproxDP(1.0, 0.1), Laplace, sampling_rate=0.2).unlimited


def test_whoever_is_never_drawn_needs_no_noise():
    assert recommend(ApproxDP(0.1, 1e-9), Gaussian, sampling_rate=0.0, releases=10).unlimited
