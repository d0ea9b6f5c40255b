"""The advantage is the total variation distance: known in closed form for coins and Gaussians."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from whit.guarantees import ApproxDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, Laplace
from whit.semantics.testing import advantage, advantage_at, power
from whit.setting import Knowledge
from whit.theory import Direction


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 1.0, 710.0, 1e4])
def test_the_advantage_of_a_coin_is_a_hyperbolic_tangent(epsilon: float) -> None:
    found, exact = float(advantage(PureDP(epsilon))), mpmath.tanh(mpmath.mpf(epsilon) / 2)
    assert exact <= found <= exact * (1 + mpmath.mpf("1e-13"))


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.01), (0.0, 0.3), (2.0, 0.0)])
def test_the_advantage_of_approximate_differential_privacy(epsilon: float, delta: float) -> None:
    exact = (math.expm1(epsilon) + 2 * delta) / (math.exp(epsilon) + 1)
    assert float(advantage(ApproxDP(epsilon, delta))) == pytest.approx(exact, rel=1e-13)


def test_the_advantage_of_the_gaussian() -> None:
    exact = 2 * mpmath.ncdf(mpmath.mpf(1) / 4) - 1
    found = advantage(Gaussian(2.0))
    assert found.lower <= exact <= found.upper
    assert found.upper - found.lower < 1e-13


@pytest.mark.parametrize("rho", [1e-4, 0.01, 0.5])
def test_the_advantage_under_concentration_is_between_the_gaussian_and_pinsker(rho: float) -> None:
    """The Gaussian keeps the promise; Pinsker's inequality holds for the divergence of order 1."""
    found = float(advantage(ZeroConcentratedDP(rho)))
    assert found >= 2 * mpmath.ncdf(mpmath.sqrt(2 * mpmath.mpf(rho)) / 2) - 1
    assert found <= math.sqrt(rho / 2) * (1 + 1e-6)


def test_the_advantage_from_one_order_is_the_symmetric_coin_at_its_edge() -> None:
    """The coins within a divergence, both ways, are symmetric and convex: the best test has level 1 - power."""

    def divergence(y: mpmath.mpf) -> mpmath.mpf:
        return mpmath.log(y**2 / (1 - y) + (1 - y) ** 2 / y)

    edge = mpmath.findroot(lambda y: divergence(y) - mpmath.mpf("0.4"), 0.7)
    found = float(advantage(RenyiDP({2: 0.4})))
    assert 2 * edge - 1 <= found <= (2 * edge - 1) * (1 + mpmath.mpf("1e-6"))


def test_the_advantage_at_a_level_is_power_minus_level() -> None:
    levels = np.array([0.0, 0.05, 0.4, 1.0])
    found = advantage_at(Laplace(1.0), levels)
    assert found.value == pytest.approx(power(Laplace(1.0), levels).value - levels, abs=1e-15)
    assert np.all(found.upper <= float(advantage(Laplace(1.0)).upper))
    assert found.upper[[0, 3]].tolist() == [0.0, 0.0]


def test_when_everyone_else_is_random_it_is_an_upper_bound() -> None:
    assert advantage(Gaussian(1.0), knows=Knowledge.ANY_BELIEF).direction is Direction.AT_MOST
    assert advantage_at(Gaussian(1.0), 0.05, knows=Knowledge.ANY_BELIEF).direction is Direction.AT_MOST
