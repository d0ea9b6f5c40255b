"""Thirty promises and mechanisms, from none of the risk to nearly all of it, each with a fair chance of failure."""

from __future__ import annotations

from functools import cache

from whit.assessment import Assessment, assess
from whit.curves import Promise
from whit.guarantees import (
    ApproxDP,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from whit.mechanisms import Gaussian, Geometric, Laplace, PoissonSubsampled, RandomizedResponse
from whit.setting import Adversary, Neighbours, Sensitivity

REPLACE, LOCAL = Neighbours.REPLACE, Neighbours.LOCAL

PROMISES: dict[str, tuple[Promise, float, float]] = {
    # name: promise, prior, failure
    "pure, epsilon 0": (PureDP(0.0), 0.5, 0.0),
    "pure, epsilon 1e-12": (PureDP(1e-12), 0.5, 0.0),
    "pure, epsilon 0.01": (PureDP(0.01), 0.5, 0.0),
    "pure, epsilon 0.1": (PureDP(0.1), 0.3, 0.0),
    "pure, epsilon 0.5": (PureDP(0.5), 0.01, 0.0),
    "pure, epsilon 1": (PureDP(1.0), 0.5, 0.0),
    "pure, epsilon 1, tiny prior": (PureDP(1.0), 1e-15, 0.0),
    "pure, epsilon 2, odd prior": (PureDP(2.0), 1 / 3, 0.0),
    "pure, epsilon 5": (PureDP(5.0), 0.5, 0.0),
    "pure, epsilon 17.14": (PureDP(17.14), 0.5, 0.0),
    "pure, epsilon 710": (PureDP(710.0), 0.5, 0.0),
    "pure, replace": (PureDP(1.5, neighbours=REPLACE), 0.125, 0.0),
    "pure, local": (PureDP(0.7, neighbours=LOCAL), 0.5, 0.0),
    "pure, prior 1": (PureDP(1.0), 1.0, 0.0),
    "approximate": (ApproxDP(1.0, 1e-6), 0.5, 0.01),
    "approximate, tiny delta": (ApproxDP(0.3, 1e-300), 0.2, 1e-6),
    "approximate, large delta": (ApproxDP(1.0, 0.3), 0.5, 0.01),
    "approximate, replace": (ApproxDP(2.0, 1e-8, neighbours=REPLACE), 0.05, 0.001),
    "approximate, nothing promised": (ApproxDP(1.0, 1.0), 0.5, 0.01),
    "probabilistic": (ProbabilisticDP(1.0, 1e-3), 0.5, 0.01),
    "pbdp": (ProbabilisticallyBoundedDP(1.0, 0.01), 0.5, 0.05),
    "zero-concentrated": (ZeroConcentratedDP(0.07), 0.5, 0.01),
    "zero-concentrated, census": (ZeroConcentratedDP(2.56, neighbours=REPLACE), 0.5, 0.01),
    "Renyi": (RenyiDP({2.0: 0.1, 32.0: 1.6}), 0.5, 0.01),
    "Gaussian DP": (GaussianDP(1.0), 0.5, 0.05),
    "Gaussian noise": (Gaussian(sigma=2.0), 0.5, 0.01),
    "Gaussian noise, a year": (Gaussian(sigma=10.634).times(12), 0.5, 0.01),
    "Laplace noise": (Laplace(scale=2.0, sensitivity=Sensitivity.count()), 0.1, 0.0),
    "geometric noise": (Geometric(epsilon=1.2), 0.5, 0.0),
    "randomized response": (RandomizedResponse(1.0), 0.5, 0.0),
    "subsampled": (PoissonSubsampled(Laplace(scale=1.0), rate=0.1), 0.5, 0.0),
}


@cache
def assessed(name: str) -> Assessment:
    """Every question, put to one of the promises; once."""
    promised, prior, failure = PROMISES[name]
    return assess(promised, Adversary(prior=prior), failure=failure)
