"""Zero-concentrated differential privacy: sound for Gaussian noise, and equal to closed forms where there are some."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whit.curves import GaussianLoss
from whit.guarantees import ZeroConcentratedDP
from whit.guarantees.renyi_orders import Concentrated


@settings(max_examples=20)
@given(st.floats(1e-3, 20.0))
def test_it_bounds_the_gaussian_pair_of_the_same_rho(rho):
    gauss, promise = GaussianLoss(math.sqrt(2 * rho)), ZeroConcentratedDP(rho)
    eps, levels = np.array([0.0, 0.5, 3.0, 20.0]), np.log([1e-9, 0.01, 0.3])
    assert np.all(gauss.log_delta(eps).lower <= promise.curve().face.log_delta(eps).upper)
    assert np.all(gauss.log_power(levels).lower <= promise.curve().face.log_power(levels).upper)
    assert np.all(np.exp(gauss.log_tail(eps).lower) <= promise.tail(eps).value)


@pytest.mark.parametrize(("rho", "epsilon"), [(0.01, 1.0), (0.5, 4.0), (2.63, 12.0), (1e-4, 0.1)])
def test_far_out_delta_is_next_to_the_best_conversion_over_all_orders(rho, epsilon):
    def conversion(alpha):
        exponent = (alpha - 1) * (alpha * rho - epsilon) + (alpha - 1) * mpmath.log1p(-1 / alpha)
        return mpmath.exp(exponent) / alpha

    start = (epsilon + rho) / (2 * rho)
    best = mpmath.findroot(lambda a: mpmath.diff(lambda x: mpmath.log(conversion(x)), a), start)
    # The joint range is less by 1 in so many.
    gain = mpmath.exp(-(best - 1) * best * rho)
    found = float(ZeroConcentratedDP(rho).delta(epsilon))
    assert float(conversion(best) * (1 - 2 * gain)) * (1 - 1e-11) <= found <= float(conversion(best)) * (1 + 1e-11)


@pytest.mark.parametrize("rho", [1e-12, 1e-3, 0.4, 7.0, 300.0])
@pytest.mark.parametrize("epsilon", [0.0, 1e-5, 0.3, 6.0, 310.0, 5000.0])
def test_no_order_converts_better_by_more_than_rounding(rho, epsilon):
    """The zero of the slope of the log in s = alpha - 1, by bisection of its logarithm in 60 digits."""
    with mpmath.workdps(60):
        r, e = mpmath.mpf(rho), mpmath.mpf(epsilon)
        low, high = mpmath.mpf(10) ** -400, mpmath.mpf(10) ** 30
        for _ in range(400):
            s = mpmath.sqrt(low * high)
            low, high = (s, high) if r * (1 + 2 * s) - e < mpmath.log1p(1 / s) else (low, s)
        truth = s * (r * (1 + s) - e - mpmath.log1p(1 / s)) - mpmath.log1p(s)
    found, _ = Concentrated(rho).log_conversion(np.array(epsilon))
    rounding = 1e-13 * (1 + s * (r * (1 + s) + e))
    assert abs(float(found) - truth) <= rounding
    # The joint range only makes it smaller.
    assert float(ZeroConcentratedDP(rho).curve().face.log_delta(epsilon).mid) <= min(truth, 0) + rounding


def test_it_is_never_worse_than_the_textbook_conversion():
    for rho in (0.01, 1.0, 10.0):
        for delta in (1e-10, 1e-6, 0.01):
            textbook = rho + 2 * math.sqrt(rho * math.log(1 / delta))
            assert float(ZeroConcentratedDP(rho).epsilon(delta)) < textbook


@pytest.mark.parametrize("t", [0.5, 2.63, 4.0, 40.0])
def test_tails(t):
    promise = ZeroConcentratedDP(2.63)
    assert float(promise.tail(t)) == pytest.approx(math.exp(-(max(t - 2.63, 0.0) ** 2) / (4 * 2.63)), rel=1e-13)
    far = math.exp(-((t + 2.63) ** 2) / (4 * 2.63)) if t > 2.63 else math.exp(-t)
    assert float(promise.lower_tail(t)) == pytest.approx(far, rel=1e-13)


def test_rho_adds_up_and_grows_with_the_square_of_a_group():
    assert ZeroConcentratedDP(0.25).added_up(4) == ZeroConcentratedDP(1.0)
    assert ZeroConcentratedDP(0.25).group(4) == ZeroConcentratedDP(4.0)


def test_power_times_a_level_meets_its_own_inverse():
    promise = ZeroConcentratedDP(2.63)
    eps = np.array([1.0, 4.0, 8.0])
    assert promise.bounded_epsilon(promise.bounded_delta(eps).value).value == pytest.approx(eps, rel=1e-10)
    crossing = promise.bounded_delta(eps).value
    assert promise.power(crossing * np.exp(-eps)).value == pytest.approx(crossing, rel=1e-10)
