"""Gaussian differential privacy: the Gaussian pair, and rounding that never promises too much."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.curves import GaussianLoss
from whit.guarantees import GaussianDP, gaussian_composition


def test_profile_and_power_are_those_of_the_gaussian_pair():
    pair, promise = GaussianLoss(1.5), GaussianDP(1.5)
    assert promise.delta([0.0, 1.0]).value == pytest.approx(np.exp(pair.log_delta([0.0, 1.0]).mid), rel=1e-13)
    assert promise.power([0.01, 0.5]).value == pytest.approx(np.exp(pair.log_power(np.log([0.01, 0.5])).mid), rel=1e-13)


def test_the_tail_of_the_promise_is_not_that_of_the_mechanism():
    """The promise bounds the power of tests. That bounds the tail, but not as well as the law of the loss itself."""
    mechanism = np.exp(GaussianLoss(1.0).log_tail([1.0, 3.0]).mid)
    promised = GaussianDP(1.0).tail([1.0, 3.0]).value
    assert np.all(promised > mechanism)
    assert np.all(promised < 8 * mechanism)


def test_without_noise_to_tell_apart_there_is_nothing_to_tell():
    assert float(GaussianDP(0.0).power(0.05)) == pytest.approx(0.05, rel=1e-14)
    assert float(GaussianDP(0.0).delta(0.0)) == 0.0


@given(st.lists(st.floats(0.0, 1e6), min_size=1, max_size=5))
def test_the_root_of_the_sum_of_squares_is_rounded_up(mus):
    total = gaussian_composition(*map(GaussianDP, mus)).promise.mu
    exact = sum(Fraction(mu) ** 2 for mu in mus)
    assert Fraction(total) ** 2 >= exact
    # The next double but one below is not enough, or the excess is a few units in the last place.
    nearly = Fraction(float(np.nextafter(np.nextafter(total, 0.0), 0.0)))
    assert nearly**2 <= exact or Fraction(total) ** 2 <= exact * (1 + Fraction(1, 2**48))


def test_groups_and_copies():
    assert GaussianDP(0.5).group(3) == GaussianDP(1.5)
    assert GaussianDP(0.5).added_up(4) == GaussianDP(1.0)
    assert GaussianDP(1e-200).added_up(4).mu == pytest.approx(2e-200, rel=1e-15)
