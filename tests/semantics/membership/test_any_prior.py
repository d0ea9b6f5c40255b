"""Whatever the prior: the largest ratio is e^t, the largest difference tanh(t/4)."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from whit.curves import largest_loss
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian
from whit.semantics.membership import difference, largest_difference, largest_ratio, odds, odds_ratio, ratio

PROMISED = [PureDP(0.1), PureDP(5.0), ApproxDP(1.8, 1e-5), ZeroConcentratedDP(0.07), Gaussian(1.0)]
PRIORS = np.linspace(0.0, 1.0, 4001)


@pytest.mark.parametrize("promised", PROMISED)
def test_no_prior_gains_more_and_some_prior_gains_as_much(promised):
    at_priors = ratio(promised, PRIORS, failure=0.01).value
    limit = float(largest_ratio(promised, failure=0.01))
    assert np.all(at_priors <= limit * (1 + 1e-14))
    assert at_priors[0] == pytest.approx(limit, rel=1e-14)
    at_priors = difference(promised, PRIORS, failure=0.01).value
    limit = float(largest_difference(promised, failure=0.01))
    assert np.all(at_priors <= limit * (1 + 1e-14))
    assert at_priors.max() == pytest.approx(limit, rel=1e-6)


@pytest.mark.parametrize("promised", PROMISED)
def test_the_bounds_are_outside_of_the_formulas(promised):
    t = mpmath.mpf(float(largest_loss(promised, 0.01, sides=2)))
    factors = largest_ratio(promised, failure=0.01, sides=2)
    assert float(factors.lower) <= mpmath.exp(-t) < mpmath.exp(t) <= float(factors.upper)
    change = largest_difference(promised, failure=0.01, sides=2)
    assert float(change.upper) == -float(change.lower) >= mpmath.tanh(t / 4)
    assert float(change.upper) == pytest.approx(float(mpmath.tanh(t / 4)), rel=1e-14)


def test_the_odds_are_multiplied_alike_at_every_prior():
    factor = float(odds_ratio(PureDP(1.0)))
    for prior in (1e-9, 0.2, 0.5, 0.9):
        assert float(odds(PureDP(1.0), prior)) == pytest.approx(factor * prior / (1 - prior), rel=1e-13)


def test_ends():
    assert float(largest_difference(PureDP(0.0))) == 0.0
    assert float(largest_ratio(PureDP(0.0))) == 1.0
    assert float(largest_difference(Gaussian(1.0))) == 1.0
    assert float(largest_ratio(Gaussian(1.0))) == np.inf
    assert float(largest_ratio(PureDP(1e4), sides=2).lower) == 0.0


def test_failures_give_arrays():
    found = largest_difference(ZeroConcentratedDP(0.07), failure=[0.001, 0.01, 0.1], sides=2)
    assert found.upper.shape == (3,)
    assert np.all(np.diff(np.asarray(found.upper)) < 0)
