"""What promises are called in a picture."""

from __future__ import annotations

import pytest

from whit.guarantees import ApproxDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, compose
from whit.telling.plots.answers import promise_name


@pytest.mark.parametrize(
    ("promised", "name"),
    [
        (PureDP(1.0), "epsilon 1"),
        (ApproxDP(0.5, 1e-6), "epsilon 0.5, delta 1e-6"),
        (ZeroConcentratedDP(2.56), "rho 2.56"),
        (RenyiDP({2.0: 0.1}), "RenyiDP(orders={2.0: 0.1})"),
        (Gaussian(2.0), "Gaussian, sigma 2"),
        (DiscreteGaussian(2.0), "Discrete Gaussian, sigma 2"),
        (Geometric(1.0), "Geometric, epsilon 1"),
        (Laplace(2.0).times(10), "10 times Laplace, scale 2"),
        (compose(Gaussian(2.0), Laplace(1.0)), "Gaussian, sigma 2 and Laplace, scale 1"),
        (PureDP(1.0).curve(), "a curve"),
    ],
)
def test_a_promise_is_named_by_its_parameters(promised, name):
    assert promise_name(promised) == name
