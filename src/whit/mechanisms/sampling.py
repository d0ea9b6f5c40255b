"""Releases from a sample of the records: the sample as it is, or noise on a Poisson sample."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whit.curves import FinitePair, GaussianLoss, LaplaceLoss, LossDistribution, SubsampledLoss
from whit.errors import NotImplied, require
from whit.mechanisms.gaussian import Gaussian
from whit.mechanisms.laplace import Laplace
from whit.mechanisms.mechanism import Mechanism
from whit.mechanisms.noise import drawn, surely_infinite
from whit.numerics import ULP, count, probability
from whit.setting import Neighbours
from whit.theory import Basis, Finding


@dataclass(frozen=True)
class SimpleRandomSample(Mechanism):
    """A simple random sample without replacement, published as it is: the loss is infinite for whoever is drawn.

    size         how many records are drawn
    population   how many there are; under add/remove, in the larger of the two datasets

    >>> print(SimpleRandomSample(size=10, population=990).delta(5.0, neighbours=Neighbours.REPLACE))
    delta is 0.0102 (rounded up)
    """

    all_or_nothing = True

    size: int
    population: int

    def __post_init__(self) -> None:
        """Refuse numbers that are not whole, and a sample larger than the population."""
        way_out = "Give the number of records drawn and the number there are, such as 100 of 10000."
        self._keep(size=count("size", self.size, way_out), population=count("population", self.population, way_out))
        rule = f"must be at most the population, {self.population}"
        require(self.size <= self.population, name="size", rule=rule, value=self.size, way_out=way_out)

    basis = Basis.of("sample-loss")
    """The loss of a published sample."""

    def _loss(self, neighbours: Neighbours) -> FinitePair:
        """Whoever is not drawn leaves the sample of the others, which is all that the smaller dataset can give."""
        if self.size == self.population:
            return surely_infinite()
        drawn_chance, rest = math.log(self.size / self.population), self._log_rest()
        error = 8 * ULP * (1 + abs(drawn_chance))
        if neighbours is Neighbours.ADD_REMOVE:
            return FinitePair(np.array([rest]), np.array([rest]), drawn_chance, -np.inf, error, 4 * ULP * -rest)
        return FinitePair(np.zeros(1), np.array([rest]), drawn_chance, drawn_chance, error)

    def _log_rest(self) -> float:
        """Log of the probability of not being drawn, with all its digits whether that is rare or common."""
        if 2 * self.size <= self.population:
            return math.log1p(-self.size / self.population)
        return math.log((self.population - self.size) / self.population)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[np.int64]:
        """Samples as positions of records, along the last axis, for simulation; not for release."""
        shape = drawn(size)
        everybody = np.broadcast_to(np.arange(self.population), (*shape, self.population))
        return rng.permuted(everybody, axis=-1)[..., : self.size]


@dataclass(frozen=True)
class PoissonSubsampled(Mechanism):
    """Gaussian or Laplace noise on a Poisson sample, as in training with noisy gradients (DP-SGD).

    Neighbours differ by one added or removed record. With rate q, removing someone compares (1 - q) N(0) + q N(1) with
    N(0); adding someone compares them the other way round, which is the backward orientation.

    >>> print(PoissonSubsampled(Gaussian(1.0), 0.01).times(1000).power(0.01))
    power of the best test is 2.92 % (rounded up)
    """

    mechanism: Mechanism
    rate: float

    def __post_init__(self) -> None:
        """Refuse a mechanism whose subsampled loss is not known, and a rate that is no probability."""
        require(
            isinstance(self.mechanism, Gaussian | Laplace),
            name="mechanism",
            rule="must be Gaussian or Laplace",
            value=self.mechanism,
            way_out="Pass Gaussian(sigma) or Laplace(scale).",
        )
        rate = probability("rate", self.rate, "It is the probability that a record is sampled, such as 0.01.")
        require(rate > 0, name="rate", rule="must be above 0", value=rate, way_out="At rate 0 nothing is released.")
        self._keep(rate=rate)

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """Adding or removing a record."""
        return (Neighbours.ADD_REMOVE,)

    @property
    def basis(self) -> Basis:
        """What the mechanism rests on, subsampling, and how its transform is computed."""
        return self.mechanism.basis | Basis.of("poisson-subsampling", "subsampled-transform")

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        base = self.mechanism.loss(neighbours)
        if self.rate == 1:
            return base
        if not isinstance(base, GaussianLoss | LaplaceLoss):
            rule = "is only known for one cell"
            raise NotImplied("the loss of subsampled Laplace noise", rule, base, "Use Gaussian noise instead.")
        return SubsampledLoss(base, self.rate)

    def standard_deviation(self) -> Finding:
        """The standard deviation of the noise itself, without what the choice of the sample adds."""
        return self.mechanism.standard_deviation()

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[Any]:
        """Refused: what comes out depends on the data. Draw the sample, then the noise of the mechanism."""
        way_out = "Use mechanism.sample for the noise."
        raise NotImplied("noise alone", "does not describe a release on a sample", self, way_out)
