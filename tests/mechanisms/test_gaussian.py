"""Gaussian noise: mu from the sensitivity, and the error of the noise."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from ends import middle
from hypothesis import given, settings
from hypothesis import strategies as st

from whit.curves import FinitePair, GaussianLoss
from whit.errors import InvalidInput
from whit.mechanisms import Gaussian
from whit.setting import Neighbours, Sensitivity


@settings(max_examples=60)
@given(st.floats(1e-6, 1e6), st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=5))
def test_mu_is_the_double_nearest_to_length_over_sigma(sigma: float, changes: list[float]) -> None:
    loss = Gaussian(sigma, sensitivity=Sensitivity(add_remove=changes, replace=changes)).loss()
    assert isinstance(loss, GaussianLoss)
    exact = mpmath.sqrt(mpmath.fsum(mpmath.mpf(c) ** 2 for c in changes)) / mpmath.mpf(sigma)
    assert abs(mpmath.mpf(loss.mu) / exact - 1) <= mpmath.mpf(2) ** -53


@pytest.mark.parametrize("t", [-0.5, 0.0, 0.3, 2.0])
def test_delta_is_the_integral_of_the_positive_part(t: float) -> None:
    mechanism = Gaussian(2.0, sensitivity=Sensitivity(add_remove=3, replace=3))

    def gap(y: mpmath.mpf) -> mpmath.mpf:
        return max(mpmath.npdf(y, 3, 2) - mpmath.exp(mpmath.mpf(t)) * mpmath.npdf(y, 0, 2), mpmath.mpf(0))

    crossing = mpmath.mpf(t) * 4 / 3 + mpmath.mpf(3) / 2
    truth = mpmath.quad(gap, [crossing, crossing + 4, crossing + 12, mpmath.inf])
    assert float(middle(mechanism.delta(t))) == pytest.approx(float(truth), rel=1e-12)


def test_a_histogram_changes_one_cell_or_two() -> None:
    histogram = Gaussian(1.0, sensitivity=Sensitivity.histogram())
    assert histogram.loss(Neighbours.ADD_REMOVE) == GaussianLoss(1.0)
    assert histogram.loss(Neighbours.REPLACE) == GaussianLoss(math.sqrt(2), rounded=True)
    nothing = Gaussian(1.0, sensitivity=Sensitivity(add_remove=1, replace=0)).loss(Neighbours.REPLACE)
    assert isinstance(nothing, FinitePair)


def test_the_error_follows_the_normal_law() -> None:
    mechanism = Gaussian(2.0)
    assert float(mechanism.standard_deviation()) == 2.0
    chances = np.array([0.0, 1e-12, 9.9e-5, 1.1e-4, 0.5, 0.95, 1 - 1e-13, 1.0])
    quantiles = mechanism.error_quantile(chances)
    errors = middle(quantiles)
    assert errors[0] == 0.0
    assert errors[-1] == np.inf
    for chance, error in zip(chances[1:-1], errors[1:-1], strict=True):
        inside = mpmath.erf(mpmath.mpf(error) / 2 / mpmath.sqrt(2))
        outside = mpmath.erfc(mpmath.mpf(error) / 2 / mpmath.sqrt(2))
        assert float(inside) == pytest.approx(chance, rel=1e-11)
        assert float(outside) == pytest.approx(1 - chance, rel=1e-11)
    assert float(middle(mechanism.noise_tail(3.92))) == pytest.approx(
        float(mpmath.erfc(1.96 / mpmath.sqrt(2)) / 2), rel=1e-13
    )
    assert float(mechanism.probability_of_exact_answer()) == 0.0


def test_what_is_no_sigma_is_refused() -> None:
    with pytest.raises(InvalidInput, match="sigma must be a finite number of at least 0; got inf. It is the stand"):
        Gaussian(math.inf)
    with pytest.raises(InvalidInput, match=r"probability must be a probability in \[0, 1\].*; got 1.5. Use a number"):
        Gaussian(1.0).error_quantile(1.5)
