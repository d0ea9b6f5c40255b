"""What the grid asks about: each guarantee and each mechanism, one example of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import whit
from whit.guarantees import Guarantee

RECORDS = 5
"""The records of the total that linear releases publish."""


@dataclass(frozen=True)
class Subject:
    """What the questions are put to.

    Attributes:
        group: the kind of promise.
        name: its name.
        example: how the one that is asked is written.
        promised: the one that is asked.
    """

    group: str
    name: str
    example: str
    promised: Any


@dataclass(frozen=True)
class Totals:
    """The exact total of a few records, believed to be independent and normal."""

    records: int = RECORDS


def subjects() -> tuple[Subject, ...]:
    """All guarantees and mechanisms, one example of each."""
    return tuple(_guarantees()) + tuple(_mechanisms()) + tuple(_several())


def _guarantees() -> Iterator[Subject]:
    def halves(level: float) -> float:
        return max(0.0, 1.0 - 2.0 * level)

    examples: dict[str, tuple[str, Guarantee]] = {
        "pure": ("PureDP(1.0)", whit.PureDP(1.0)),
        "approximate": ("ApproxDP(1.0, 1e-6)", whit.ApproxDP(1.0, 1e-6)),
        "probabilistic": ("ProbabilisticDP(1.0, 1e-6)", whit.ProbabilisticDP(1.0, 1e-6)),
        "zero-concentrated": ("ZeroConcentratedDP(0.1)", whit.ZeroConcentratedDP(0.1)),
        "Rényi": ("RenyiDP({2.0: 0.2, 8.0: 0.8})", whit.RenyiDP({2.0: 0.2, 8.0: 0.8})),
        "Gaussian": ("GaussianDP(1.0)", whit.GaussianDP(1.0)),
        "bounded range": ("BoundedRange(1.0)", whit.BoundedRange(1.0)),
        "trade-off function": ("FDP(lambda level: max(0, 1 - 2 * level))", whit.FDP(halves)),
        "probabilistically bounded": (
            "ProbabilisticallyBoundedDP(1.0, 1e-6)",
            whit.ProbabilisticallyBoundedDP(1.0, 1e-6),
        ),
        "semantic": ("SemanticPrivacy(0.1, 1e-6)", whit.SemanticPrivacy(0.1, 1e-6)),
    }
    return (Subject("guarantee", name, text, promise) for name, (text, promise) in examples.items())


def _mechanisms() -> Iterator[Subject]:
    examples: dict[str, tuple[str, Any]] = {
        "randomized response": ("RandomizedResponse(1.0)", whit.RandomizedResponse(1.0)),
        "unary encoding": ("UnaryEncoding(1.0)", whit.UnaryEncoding(1.0)),
        "RAPPOR": ("Rappor(0.5, p=0.5, q=0.75, hashes=2)", whit.Rappor(0.5, p=0.5, q=0.75, hashes=2)),
        "shuffled reports": (
            "Shuffled(RandomizedResponse(1.0), 10000)",
            whit.Shuffled(whit.RandomizedResponse(1.0), 10000),
        ),
        "geometric noise": ("Geometric(1.0)", whit.Geometric(1.0)),
        "Laplace noise": ("Laplace(1.0)", whit.Laplace(1.0)),
        "staircase noise": ("Staircase(1.0)", whit.Staircase(1.0)),
        "Tulap noise": ("Tulap(1.0, 1e-6)", whit.Tulap(1.0, 1e-6)),
        "Gaussian noise": ("Gaussian(2.0)", whit.Gaussian(2.0)),
        "discrete Gaussian noise": ("DiscreteGaussian(2.0)", whit.DiscreteGaussian(2.0)),
        "correlated Gaussian noise": (
            "CorrelatedGaussian([[4.0, 1.0], [1.0, 2.0]], add_remove=[[1, 0], [0, 1]], replace=[[1, -1]])",
            whit.CorrelatedGaussian([[4.0, 1.0], [1.0, 2.0]], add_remove=[[1, 0], [0, 1]], replace=[[1, -1]]),
        ),
        "a mixture of Gaussians": (
            "MixtureOfGaussians(2.0, [0.0, 1.0, 2.0], [0.81, 0.18, 0.01])",
            whit.MixtureOfGaussians(2.0, [0.0, 1.0, 2.0], [0.81, 0.18, 0.01]),
        ),
        "matrix mechanism": (
            "MatrixMechanism(2.0, [[1.0, 0.0], [0.5, 1.0]], Epochs(2))",
            whit.MatrixMechanism(2.0, [[1.0, 0.0], [0.5, 1.0]], whit.Epochs(2)),
        ),
        "Toeplitz mechanism": (
            "ToeplitzMechanism(2.0, [1.0, 0.5], 1000, Separated(by=100, at_most=4))",
            whit.ToeplitzMechanism(2.0, [1.0, 0.5], 1000, whit.Separated(by=100, at_most=4)),
        ),
        "square root of running sums": ("SquareRootMechanism(4.0, 1000)", whit.SquareRootMechanism(4.0, 1000)),
        "tree aggregation": ("TreeAggregation(4.0, 1000)", whit.TreeAggregation(4.0, 1000)),
        "a published sample": (
            "SimpleRandomSample(size=10, population=1000)",
            whit.SimpleRandomSample(size=10, population=1000),
        ),
        "finitely many outcomes": (
            "Finite([0.5, 0.3, 0.2], [0.4, 0.3, 0.3])",
            whit.Finite([0.5, 0.3, 0.2], [0.4, 0.3, 0.3]),
        ),
        "noise on a Poisson sample": (
            "PoissonSubsampled(Gaussian(2.0), 0.1)",
            whit.PoissonSubsampled(whit.Gaussian(2.0), 0.1),
        ),
        "noise on a sample, several records": (
            "PoissonSubsampled(Gaussian(2.0), 0.1, records=3)",
            whit.PoissonSubsampled(whit.Gaussian(2.0), 0.1, records=3),
        ),
        "noise on a sample that is cut": (
            "TruncatedPoissonSample(Gaussian(2.0), 0.1, largest=20, population=100)",
            whit.TruncatedPoissonSample(whit.Gaussian(2.0), 0.1, largest=20, population=100),
        ),
        "noise on a sample of fixed size": (
            "SampledWithoutReplacement(Gaussian(2.0), size=10, population=100)",
            whit.SampledWithoutReplacement(whit.Gaussian(2.0), size=10, population=100),
        ),
        "exponential mechanism": ("ExponentialMechanism(1.0)", whit.ExponentialMechanism(1.0)),
        "permute-and-flip": ("PermuteAndFlip(1.0)", whit.PermuteAndFlip(1.0)),
        "report noisy max": ("ReportNoisyMax(1.0)", whit.ReportNoisyMax(1.0)),
        "sparse vector technique": ("SparseVector(1.0)", whit.SparseVector(1.0)),
        "best of several runs": ("BestOfRuns(PureDP(0.1), mean=10.0)", whit.BestOfRuns(whit.PureDP(0.1), mean=10.0)),
        "keys above a threshold": (
            "ThresholdedNoise(Laplace(1.0), threshold=15.0)",
            whit.ThresholdedNoise(whit.Laplace(1.0), threshold=15.0),
        ),
        "partition selection": ("PartitionSelection(1.0, 1e-5)", whit.PartitionSelection(1.0, 1e-5)),
        "an exact total": ("linear_release([[1, 1, 1, 1, 1]], [1, 1, 1, 1, 1])", Totals()),
    }
    return (Subject("mechanism", name, text, mechanism) for name, (text, mechanism) in examples.items())


def _several() -> Iterator[Subject]:
    examples: dict[str, tuple[str, Any]] = {
        "ten pure promises": ("PureDP(0.1).times(10)", whit.PureDP(0.1).times(10)),
        "ten approximate promises": ("ApproxDP(0.1, 1e-7).times(10)", whit.ApproxDP(0.1, 1e-7).times(10)),
        "ten times Gaussian noise": ("Gaussian(2.0).times(10)", whit.Gaussian(2.0).times(10)),
        "ten times Laplace noise": ("Laplace(5.0).times(10)", whit.Laplace(5.0).times(10)),
        "Gaussian and Laplace noise": (
            "compose(Gaussian(2.0), Laplace(2.0))",
            whit.compose(whit.Gaussian(2.0), whit.Laplace(2.0)),
        ),
    }
    return (Subject("several releases", name, text, promise) for name, (text, promise) in examples.items())
