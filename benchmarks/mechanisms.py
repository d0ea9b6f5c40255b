"""What is released, in words that all tools understand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Gaussian:
    """Gaussian noise; mu is sensitivity over standard deviation."""

    mu: float

    def nudged(self, factor: float) -> Gaussian:
        """The same with a parameter that is a little different."""
        return Gaussian(self.mu * factor)


@dataclass(frozen=True)
class Laplace:
    """Laplace noise; epsilon is sensitivity over scale."""

    epsilon: float

    def nudged(self, factor: float) -> Laplace:
        """The same with a parameter that is a little different."""
        return Laplace(self.epsilon * factor)


@dataclass(frozen=True)
class DiscreteGaussian:
    """Discrete Gaussian noise on one count that changes by 1."""

    sigma: float

    def nudged(self, factor: float) -> DiscreteGaussian:
        """The same with a parameter that is a little different."""
        return DiscreteGaussian(self.sigma * factor)


@dataclass(frozen=True)
class RandomizedResponse:
    """The truth of a yes-or-no question, with odds of e^epsilon."""

    epsilon: float

    def nudged(self, factor: float) -> RandomizedResponse:
        """The same with a parameter that is a little different."""
        return RandomizedResponse(self.epsilon * factor)


@dataclass(frozen=True)
class SubsampledGaussian:
    """One step of DP-SGD: Gaussian noise of sigma times the sensitivity, on a Poisson sample."""

    sigma: float
    rate: float

    def nudged(self, factor: float) -> SubsampledGaussian:
        """The same with a parameter that is a little different."""
        return SubsampledGaussian(self.sigma * factor, self.rate)


Mechanism: TypeAlias = Gaussian | Laplace | DiscreteGaussian | RandomizedResponse | SubsampledGaussian
Parts: TypeAlias = Mapping[Mechanism, int]

# A parameter moves by this much between two runs: too little to matter, enough that nothing remembered can be reused.
NUDGE = 1e-9


def nudged(parts: Parts, run: int) -> Parts:
    """The composition for the given run; run 0 has the parameters as they are."""
    return {mechanism.nudged(1 + NUDGE * run) if run else mechanism: number for mechanism, number in parts.items()}
