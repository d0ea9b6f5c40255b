"""The delta that Rényi divergences leave: never below the truth, never above the conversion, attained by coins."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pairs import random_pair

from whit.guarantees import RenyiDP, ZeroConcentratedDP
from whit.guarantees.tangents import Tangents


def divergence(alpha: float, p: np.ndarray, q: np.ndarray) -> float:
    """The Rényi divergence of finite laws without zeros, the larger of both orders."""
    logs = [alpha * np.log(a) + (1 - alpha) * np.log(b) for a, b in ((p, q), (q, p))]
    return max(float(np.logaddexp.reduce(each)) for each in logs) / (alpha - 1)


def delta(epsilon: float, p: np.ndarray, q: np.ndarray) -> float:
    return max(math.fsum(np.maximum(a - math.exp(epsilon) * b, 0.0)) for a, b in ((p, q), (q, p)))


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("size", [2, 5])
def test_no_pair_that_keeps_a_renyi_promise_exceeds_its_delta(seed, size):
    rng = np.random.default_rng(seed)
    p, q = random_pair(rng, size)
    mix = rng.choice([1.0, 0.3, 0.01])
    q = (1 - mix) * p + mix * q
    orders = rng.choice([1.1, 1.5, 2.0, 4.0, 16.0, 64.0], size=rng.integers(1, 4), replace=False)
    promise = RenyiDP({float(alpha): divergence(float(alpha), p, q) * (1 + 1e-12) for alpha in orders})
    for epsilon in (0.0, 0.01, 0.1, 0.5, 1.0, 3.0):
        assert delta(epsilon, p, q) <= float(promise.delta(epsilon)) * (1 + 1e-12) + 1e-15


@pytest.mark.parametrize("seed", range(20))
def test_no_pair_of_coins_that_is_zero_concentrated_exceeds_the_delta(seed):
    rng = np.random.default_rng(seed)
    y, level = rng.uniform(0.0, 1.0, size=2) ** rng.choice([1.0, 4.0])
    p, q = np.array([y, 1 - y]), np.array([level, 1 - level])
    # The largest divergence over alpha, found at many alphas and raised by what lies between them.
    alphas = 1 + np.geomspace(1e-4, 1e4, 4000)
    with mpmath.workdps(30):
        ratios = [_divergence(alpha, *pair) / alpha for alpha in alphas[::20] for pair in ((p, q), (q, p))]
    rho = float(max(ratios)) * 1.02
    for epsilon in (0.0, 0.1, 0.5, 1.0, 3.0):
        assert delta(epsilon, p, q) <= float(ZeroConcentratedDP(rho).delta(epsilon)) + 1e-14


def _divergence(alpha: float, p: np.ndarray, q: np.ndarray) -> mpmath.mpf:
    a = mpmath.mpf(alpha)
    return mpmath.log(sum(mpmath.mpf(x) ** a * mpmath.mpf(z) ** (1 - a) for x, z in zip(p, q, strict=True))) / (a - 1)


@pytest.mark.parametrize(("s", "r0", "r1"), [(1.0, 0.5, 2.0), (0.3, 0.1, 7.0), (12.0, 0.9, 1.2), (1.0, 0.999, 1.001)])
def test_a_pair_of_coins_attains_the_delta_of_one_order(s, r0, r1):
    """The ratios r0 and r1 and the level that makes both laws whole; epsilon where the tangents touch there."""
    with mpmath.workdps(40):
        a, b, k = mpmath.mpf(r0), mpmath.mpf(r1), mpmath.mpf(s)
        level = (1 - a) / (b - a)
        gamma = mpmath.log(level * b ** (1 + k) + (1 - level) * a ** (1 + k)) / k
        x = k / (1 + k) * (b ** (1 + k) - a ** (1 + k)) / (b**k - a**k)
        truth, epsilon = level * (b - x), mpmath.log(x)
    found = float(RenyiDP({1 + s: float(gamma) * (1 + 1e-15)}).delta(float(epsilon)))
    assert float(truth) * (1 - 1e-9) <= found
    assert found <= float(truth) * (1 + 2e-3)


@settings(max_examples=60, deadline=None)
@given(st.floats(1e-3, 1e3), st.floats(1e-8, 3.0), st.floats(0.0, 4.0), st.floats(-3.0, 1.0))
def test_tangents_are_what_fifty_digits_say(s, gamma, epsilon, exponent):
    w = 10.0**exponent + epsilon
    value, error = Tangents(*(np.asarray(x) for x in (s, gamma, epsilon))).log_delta(np.asarray(w))
    if not np.isfinite(value):
        return
    with mpmath.workdps(60):
        k, wide = mpmath.mpf(s), mpmath.mpf(w)
        shift = mpmath.log((1 - mpmath.exp(-(1 + k) * wide)) / (1 - mpmath.exp(-k * wide)))
        v = mpmath.mpf(epsilon) + mpmath.log1p(1 / k) - shift
        u = wide - v
        top = mpmath.exp(k * mpmath.mpf(gamma)) - (1 + k) * mpmath.exp(-k * u) + k * mpmath.exp(-(1 + k) * u)
        truth = mpmath.log(top) - mpmath.log1p(k) - k * v - mpmath.log(1 - mpmath.exp(-k * wide))
    assert float(truth) <= float(value + error) + 1e-300
    assert float(value) == pytest.approx(float(truth), abs=1e-9, rel=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.floats(-6.0, 1.0).map(lambda e: 10.0**e), st.floats(0.0, 6.0))
def test_the_delta_is_never_above_the_conversion(rho, multiple):
    """Canonne, Kamath and Steinke at many orders, written down here."""
    epsilon = multiple * math.sqrt(rho)
    s = np.geomspace(1e-7, 1e7, 20001)
    logs = s * (rho * (1 + s) - epsilon - np.log1p(1 / s)) - np.log1p(s)
    assert float(ZeroConcentratedDP(rho).delta(epsilon)) <= math.exp(min(float(np.min(logs)), 0.0)) * (1 + 1e-9)


def test_the_gain_is_large_where_the_divergence_is_small():
    """Of order 2 it is the chi-squared divergence c: (y - l)^2 / (l (1 - l)) <= c, so at epsilon 0 y - l is at most
    sqrt(c)/2; the conversion alone gives (1 + c)/4."""
    c = math.expm1(0.01)
    found = float(RenyiDP({2: 0.01}).delta(0.0))
    assert math.sqrt(c) / 2 <= found * (1 + 1e-12)
    assert found <= math.sqrt(c) / 2 * 1.001
    assert (1 + c) / 4 > 0.25


@pytest.mark.parametrize("exponent", [-4, -20, -30, -100, -300])
def test_a_tiny_rho_has_a_tiny_delta(exponent):
    """A Gaussian keeps the promise, with mu = sqrt(2 rho), and a tail of e^-(k^2/4) at k times the root of rho."""
    root = 10.0 ** (exponent / 2)
    promise = ZeroConcentratedDP(root * root)
    found = promise.log_delta([20 * root, 40 * root]).value
    assert np.all(found <= np.log(root) - np.array([100.0, 400.0]) + 1.0)
    mu = mpmath.mpf(root) * mpmath.sqrt(2)
    for epsilon, log_delta in zip((20 * root, 40 * root), found, strict=True):
        with mpmath.workdps(400):
            z = mpmath.mpf(epsilon)
            truth = mpmath.ncdf(mu / 2 - z / mu) - mpmath.exp(z) * mpmath.ncdf(-mu / 2 - z / mu)
            assert mpmath.log(truth) <= log_delta


def test_the_delta_that_opendp_finds_for_a_tiny_rho():
    """OpenDP: 2.6e-234 for rho 5e-30 and epsilon 1e-13; by -(epsilon - rho)^2 / (4 rho) it is e^-500 times 4e-17."""
    found = float(ZeroConcentratedDP(5e-30).delta(1e-13))
    assert found == pytest.approx(2.6e-234, rel=0.02)
