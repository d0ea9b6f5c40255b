"""The best guess: closed forms, certainty at the ends, and symmetry between the two datasets."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Finite, Gaussian, PoissonSubsampled
from whit.semantics.testing import advantage, best_guess

PRIORS = np.array([0.0, 1e-300, 1e-15, 0.1, 0.5, 0.9, 1 - 1e-15, 1.0])


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 1.0, 710.0, 1e4])
def test_a_coin_is_believed_where_its_odds_beat_those_of_the_prior(epsilon: float) -> None:
    found = best_guess(PureDP(epsilon), PRIORS).value
    heads = 1 / (1 + mpmath.exp(-mpmath.mpf(epsilon)))
    for prior, value in zip(PRIORS, found, strict=True):
        p = mpmath.mpf(prior)
        exact = max(p, 1 - p, heads)
        assert value >= exact - mpmath.mpf(2) ** -54
        assert value <= exact + mpmath.mpf("1e-14")


def test_at_one_half_it_is_one_half_and_half_the_advantage() -> None:
    for promise in (ApproxDP(0.5, 0.01), Gaussian(1.5), ZeroConcentratedDP(0.1)):
        guess, gain = best_guess(promise, 0.5), advantage(promise)
        assert float(guess.upper) == pytest.approx(0.5 + float(gain.upper) / 2, rel=1e-13)


def test_the_gaussian_by_its_two_errors() -> None:
    """The best test rejects above x with mu x = log odds + mu^2/2, measured from the null."""
    mu, prior = mpmath.mpf(1), mpmath.mpf("0.2")
    x = mpmath.log((1 - prior) / prior) / mu + mu / 2
    exact = prior * mpmath.ncdf(mu - x) + (1 - prior) * mpmath.ncdf(x)
    found = best_guess(Gaussian(1.0), 0.2)
    assert found.lower <= exact <= found.upper
    assert found.upper - found.lower < 1e-13


def test_the_worse_of_the_two_datasets_is_taken() -> None:
    """With prior 0.9 for one of the two: which one makes a difference for a sampled release."""
    release = PoissonSubsampled(Gaussian(0.5), 0.3)
    assert best_guess(release, 0.9).upper == best_guess(release, 1 - 0.9).upper
    lopsided = Finite([0.5, 0.5], [0.0, 1.0])
    assert float(best_guess(lopsided, 0.4)) == pytest.approx(max(0.4 * 0.5 + 0.6, 0.6 * 0.5 + 0.4), rel=1e-13)


def test_bad_input_is_answered_in_one_sentence() -> None:
    with pytest.raises(InvalidInput, match=r"prior must be a probability in \[0, 1\] .*; got 2.0. Use the probability"):
        best_guess(PureDP(1.0), 2.0)


@pytest.mark.parametrize("prior", [5e-324, 1e-310])
@pytest.mark.parametrize("promise", [ZeroConcentratedDP(0.1), ZeroConcentratedDP(1e4), PureDP(1.0)], ids=repr)
def test_the_smallest_priors_have_a_best_guess(promise, prior) -> None:
    assert float(best_guess(promise, prior)) == 1.0
