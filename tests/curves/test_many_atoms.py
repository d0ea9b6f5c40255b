"""The profile of very many atoms: against sums in 40 digits, and within the error that it states."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from whit.curves import DiscreteGaussianLoss, FinitePair
from whit.curves.many_atoms import SummedProfile, log_suffix_sums
from whit.mechanisms import DiscreteGaussian


def log_profile(losses, log_masses, epsilon):
    """Log of the sum of p (1 - e^{t-z}) over z > t, for the doubles as they are."""
    with mpmath.workdps(40):
        terms = [
            mpmath.exp(mpmath.mpf(mass)) * -mpmath.expm1(mpmath.mpf(epsilon) - mpmath.mpf(loss))
            for loss, mass in zip(losses, log_masses, strict=True)
            if loss > epsilon
        ]
        return mpmath.log(mpmath.fsum(terms)) if terms else -mpmath.inf


@pytest.mark.parametrize("number", [1, 2, 3, 10, 99, 100, 101, 500])
def test_suffix_sums(number):
    logs = np.random.default_rng(number).uniform(-700.0, 0.0, number)
    truth = [mpmath.log(mpmath.fsum(mpmath.exp(mpmath.mpf(each)) for each in logs[at:])) for at in range(number)]
    assert np.allclose(log_suffix_sums(logs), [float(each) for each in truth], rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("spread", [1e-9, 1e-3, 1.0, 200.0])
@pytest.mark.parametrize("seed", range(4))
def test_the_profile_is_within_its_error(seed, spread):
    random = np.random.default_rng(seed)
    losses = np.unique(random.normal(0.0, spread, 300))
    log_masses = random.uniform(-400.0, 0.0, len(losses)) - 5.0
    profile = SummedProfile(losses, log_masses)
    epsilons = np.concatenate([random.choice(losses, 10), random.uniform(-3 * spread, 3 * spread, 10)])
    found = profile.log_delta(epsilons)
    error = profile.error(found)
    assert np.all(error <= 1e-9 * (1 + np.abs(np.where(np.isfinite(found), found, 0.0))))
    for epsilon, log_delta, slack in zip(epsilons, found, error, strict=True):
        truth = log_profile(losses, log_masses, epsilon)
        assert truth == log_delta if math.isinf(truth) else abs(truth - log_delta) <= slack


@pytest.mark.parametrize("epsilon", [-0.02, 0.0, 0.004, 0.05, 0.2, 0.45])
def test_a_pair_of_many_atoms_holds_its_profile(epsilon):
    pair = DiscreteGaussianLoss(70.0).below
    assert len(pair.losses) > 4096
    found, truth = pair.log_delta(epsilon), log_profile(pair.losses, pair.log_masses, epsilon)
    assert float(found.lower) <= truth <= float(found.upper)
    assert float(found.upper) - float(found.lower) <= 1e-9


def test_beyond_the_largest_loss_nothing_is_left_but_the_mass_at_infinity():
    losses = np.linspace(-1.0, 1.0, 5001)
    even = np.full(5001, -math.log(5001) - 0.001)
    even -= np.logaddexp.reduce(even - losses)
    rest = math.log1p(-np.exp(np.logaddexp.reduce(even)))
    pair = FinitePair(losses, even, log_infinity=rest)
    assert pair.log_delta([1.0, 5.0, np.inf]).mid.tolist() == [rest] * 3


@pytest.mark.parametrize("sigma", [1e3, 1e4, 1e6])
def test_large_discrete_noise_is_all_but_gaussian(sigma):
    """At epsilon 0 the profile is P[-1/2 < N < 1/2] for the Gaussian; the discrete one differs by parts in sigma."""
    found, truth = DiscreteGaussian(sigma).delta(0.0), math.erf(0.5 / sigma / math.sqrt(2))
    assert float(found.lower) * (1 - 3 / sigma) <= truth <= float(found.upper) * (1 + 3 / sigma)
    assert float(found.upper) - float(found.lower) <= 1e-3 * truth
