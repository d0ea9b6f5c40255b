"""What promises are called on the command line, in reports and in pictures."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.curves import in_each, promise_name
from whit.guarantees import ApproxDP, GaussianDP, ProbabilisticDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.mechanisms import (
    BestOfRuns,
    DiscreteGaussian,
    Epochs,
    Gaussian,
    Geometric,
    Laplace,
    MatrixMechanism,
    MixtureOfGaussians,
    PoissonSubsampled,
    RandomizedResponse,
    Rappor,
    ReportNoisyMax,
    SampledWithoutReplacement,
    Shuffled,
    ThresholdedNoise,
    ToeplitzMechanism,
    TreeAggregation,
    UnaryEncoding,
    compose,
)
from whit.setting import Neighbours, Sensitivity


@pytest.mark.parametrize(
    ("promised", "name"),
    [
        (PureDP(1.0), "epsilon = 1"),
        (PureDP(18.480000000000004), "epsilon = 18.48"),
        (ApproxDP(0.5, 1e-6), "epsilon = 0.5, delta = 1e-6"),
        (ApproxDP(0.5, 1e-6, neighbours=Neighbours.REPLACE), "epsilon = 0.5, delta = 1e-6, one record replaced"),
        (ZeroConcentratedDP(2.56), "rho = 2.56"),
        (GaussianDP(1.0), "mu = 1"),
        (ProbabilisticDP(1.0, 0.001), "probabilistic DP, epsilon = 1, delta = 0.001, sides = 2"),
        (RenyiDP({2.0: 0.1, 8.0: 0.5}), "Renyi DP, 0.1 at 2, 0.5 at 8"),
        (Gaussian(2.0), "Gaussian noise, sigma = 2"),
        (DiscreteGaussian(2.0), "discrete Gaussian noise, sigma = 2"),
        (Geometric(1.0), "geometric noise, epsilon = 1"),
        (
            Laplace(2.0, sensitivity=Sensitivity.histogram()),
            "Laplace noise, scale = 2, sensitivity 1 (a replaced record changes 2 cells by 1)",
        ),
        (Laplace(2.0, sensitivity=Sensitivity(add_remove=3, replace=3)), "Laplace noise, scale = 2, sensitivity 3"),
        (RandomizedResponse(1.0), "randomized response, epsilon = 1, categories = 2"),
        (UnaryEncoding(1.0), "unary encoding, epsilon = 1, categories = 2"),
        (UnaryEncoding(1.0, symmetric=True), "unary encoding, epsilon = 1, symmetric, categories = 2"),
        (Rappor(0.5, p=0.5, q=0.75), "Rappor, f = 0.5, p = 0.5, q = 0.75, hashes = 1, reports = 1"),
        (
            Shuffled(RandomizedResponse(1.0), 100),
            "randomized response, epsilon = 1, categories = 2, shuffled among 100 people",
        ),
        (PoissonSubsampled(Gaussian(2.0), 0.1), "Gaussian noise, sigma = 2, on a sample at rate 0.1"),
        (
            SampledWithoutReplacement(Gaussian(2.0), size=10, population=100),
            "Gaussian noise, sigma = 2, on a sample of 10 out of 100",
        ),
        (
            ThresholdedNoise(Laplace(1.0), 15.0, keys=2),
            "Laplace noise, scale = 1, released from 15 on, keys = 2",
        ),
        (BestOfRuns(PureDP(0.1), mean=10.0), "epsilon = 0.1, the best of 10 runs on average, shape = geometric"),
        (
            BestOfRuns(PureDP(0.1), mean=10.0, shape=math.inf),
            "epsilon = 0.1, the best of 10 runs on average, shape = poisson",
        ),
        (TreeAggregation(2.0, 1600), "tree aggregation, sigma = 2, rounds = 1600"),
        (TreeAggregation(2.0, [4, 8], in_each_tree=True), "tree aggregation, sigma = 2, rounds = 4 8, in each tree"),
        (
            MatrixMechanism(2.0, [[1.0, 0.0], [0.5, 1.0]], Epochs(2)),
            "matrix mechanism, sigma = 2, strategy of 2 by 2, 2 epochs",
        ),
        (
            ToeplitzMechanism(2.0, [1.0, 0.5, 0.25, 0.125, 0.0625], 10),
            "Toeplitz mechanism, sigma = 2, 5 coefficients, rounds = 10, once",
        ),
        (
            MixtureOfGaussians(1.0, [0.0, 1.0], [0.5, 0.5]),
            "mixture of Gaussians, sigma = 1, amounts = 0 1, chances = 0.5 0.5",
        ),
        (Rappor(0.5, p=0.5, q=0.75, reports=None), "Rappor, f = 0.5, p = 0.5, q = 0.75, hashes = 1, reports = any"),
        (
            ReportNoisyMax(1.0, monotone=True, neighbours=Neighbours.REPLACE),
            "report noisy max, epsilon = 1, monotone, one record replaced",
        ),
        (Laplace(2.0).times(10), "Laplace noise, scale = 2, in each of 10 releases"),
        (compose(Gaussian(2.0), Laplace(1.0)), "Gaussian noise, sigma = 2 and Laplace noise, scale = 1"),
        (PureDP(1.0).curve(), "a curve"),
    ],
)
def test_a_promise_is_named_by_its_parameters(promised, name):
    assert promise_name(promised) == name


@given(st.floats(1e-9, 1e6))
def test_a_name_says_no_less_of_a_guarantee_and_no_more_of_noise_than_there_is(parameter):
    [epsilon], [sigma] = (
        re.findall(r"= ([-+.e\d]+)", promise_name(x)) for x in (PureDP(parameter), Gaussian(parameter))
    )
    # The double itself is named to 14 digits.
    assert float(epsilon) >= parameter * (1 - 1e-13)
    assert float(sigma) <= parameter * (1 + 1e-13)
    assert float(epsilon) == pytest.approx(parameter, rel=1e-5)
    assert float(sigma) == pytest.approx(parameter, rel=1e-5)


def test_one_release_is_not_counted():
    assert in_each("rho = 1", 1) == "rho = 1"
