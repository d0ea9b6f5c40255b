"""The expected posterior after Gaussian noise, by its evenly spaced sum: against the integral in 40 digits."""

from __future__ import annotations

import mpmath
import pytest

from whit.guarantees import GaussianDP
from whit.mechanisms import Gaussian
from whit.semantics.membership import distribution, expected_posterior

SHARE = 1e-12


def integral(mu: float, prior: float) -> mpmath.mpf:
    """The mean of the posterior over the outcome, by the tanh-sinh rule on pieces about both means."""
    with mpmath.workdps(40):
        m, p = mpmath.mpf(mu), mpmath.mpf(prior)

        def weighted(x: mpmath.mpf) -> mpmath.mpf:
            return mpmath.npdf(x) / (p + (1 - p) * mpmath.exp(-m * (m / 2 + x)))

        places = [-20, -8, -4, -2, -1, 0, m / 2, m, m + 2, m + 4, m + 8, m + 20]
        return p * mpmath.quad(weighted, sorted({mpmath.mpf(each) for each in places}))


@pytest.mark.parametrize("prior", [5e-300, 1e-9, 0.01, 0.5, 0.99, 1 - 1e-12])
@pytest.mark.parametrize("mu", [2.0**-30, 0.01, 0.3, 1.0, 2.5, 4.0])
def test_it_is_known_to_a_part_in_a_million_million(mu, prior):
    found, truth = expected_posterior(Gaussian(1 / mu), prior), integral(1 / (1 / mu), prior)
    assert float(found.lower) <= truth <= float(found.upper)
    assert float(found.upper) - float(found.lower) <= SHARE * truth


@pytest.mark.parametrize("prior", [1e-30, 0.01, 0.7])
def test_a_promise_and_the_law_of_the_posterior_have_the_same_mean(prior):
    bound, law = expected_posterior(GaussianDP(0.7), prior), distribution(Gaussian(1 / 0.7), prior).mean()
    assert float(law.lower) <= float(bound) <= float(law.lower) * (1 + 2 * SHARE)


@pytest.mark.parametrize("prior", [1e-12, 0.2])
def test_the_sum_and_the_integral_over_the_profile_meet_where_one_hands_over_to_the_other(prior):
    near, far = (expected_posterior(GaussianDP(mu), prior) for mu in (16.0, 16.000000001))
    assert "gaussian-expected-posterior" in near.basis.theorems
    assert "gaussian-expected-posterior" not in far.basis.theorems
    assert float(near) <= float(far) <= float(near) * (1 + 1e-6)
