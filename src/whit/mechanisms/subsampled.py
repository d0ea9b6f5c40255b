"""A mechanism on a Poisson sample of the records: each record is in with the same probability, independently."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whit.curves import GaussianLoss, LaplaceLoss, LossDistribution, SubsampledLoss
from whit.errors import NotImplied, require
from whit.mechanisms.gaussian import Gaussian
from whit.mechanisms.laplace import Laplace
from whit.mechanisms.mechanism import Mechanism
from whit.numerics import probability
from whit.setting import Neighbours
from whit.theory import Basis


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

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[Any]:
        """Refused: what comes out depends on the data. Draw the sample, then the noise of the mechanism."""
        way_out = "Use mechanism.sample for the noise."
        raise NotImplied("noise alone", "does not describe a release on a sample", self, way_out)
