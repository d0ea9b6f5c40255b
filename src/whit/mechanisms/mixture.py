"""Gaussian noise where it is random by how much a record changes the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from whit.curves import GaussianLoss, GaussianMixtureLoss, LossDistribution, identical
from whit.errors import require
from whit.mechanisms.details import Detail, Written
from whit.mechanisms.mechanism import Mechanism
from whit.numerics import finite_positive, probability_vector, real_array
from whit.setting import Neighbours, Parameter
from whit.theory import Basis


@dataclass(frozen=True)
class MixtureOfGaussians(Mechanism):
    """Gaussian noise of standard deviation sigma on an answer that a record changes by a random amount.

    sigma            of the noise
    sensitivities    the amounts, each at least 0: the norms, if the answer is a vector
    probabilities    with which one of them is drawn, apart from the noise and from all other draws

    Neighbours differ by one added or removed record. A Poisson sample has the amounts 0 and 1; a record that is sampled
    twice, each time with chance 1/10, has 0, 1 and 2 with chances 0.81, 0.18 and 0.01.

    >>> print(MixtureOfGaussians(1.0, [0.0, 1.0, 2.0], [0.81, 0.18, 0.01]).times(100).epsilon(1e-6))
    epsilon is 18.3 (rounded up)
    """

    parameter: ClassVar[Parameter] = Parameter(
        "sigma",
        "gaussian_mixture",
        "SIGMA",
        "Gaussian noise with this standard deviation, where a record changes the answer by a random amount.",
        rising=False,
        bounded=False,
    )
    details = (
        Detail("sensitivities", "LIST", "The random amounts: 0 1 2.", Written.NUMBERS, "amounts", needed=True),
        Detail("probabilities", "LIST", "The chance of each amount: 0.81 0.18 0.01.", Written.NUMBERS, "chances", True),
    )

    sigma: float
    sensitivities: Sequence[float]
    probabilities: Sequence[float]

    def __post_init__(self) -> None:
        """Refuse what is no law of amounts."""
        self._keep(sigma=finite_positive("sigma", self.sigma, "It is the standard deviation of the noise."))
        way_out = "Pass amounts such as [0, 1, 2] and their probabilities, such as [0.81, 0.18, 0.01]."
        amounts = real_array("sensitivities", self.sensitivities, way_out)
        chances = probability_vector("probabilities", self.probabilities, way_out)
        good = amounts.shape == chances.shape and bool(np.all(np.isfinite(amounts) & (amounts >= 0)))
        rule = "must be at least 0, one for each probability"
        require(good, name="sensitivities", rule=rule, value=self.sensitivities, way_out=way_out)
        self._keep(sensitivities=tuple(amounts.tolist()), probabilities=tuple(chances.tolist()))

    basis = Basis.of("gaussian-profile", "gaussian-mixture")
    """The profile of the mixture."""

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """Adding or removing a record."""
        return (Neighbours.ADD_REMOVE,)

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        means = [float(Fraction(each) / Fraction(self.sigma)) for each in self.sensitivities]
        likely = {mean for mean, chance in zip(means, self.probabilities, strict=True) if chance > 0}
        if max(likely) == 0.0:
            return identical()
        return (
            GaussianLoss(max(likely))
            if len(likely) == 1
            else GaussianMixtureLoss(tuple(means), tuple(self.probabilities))
        )

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[Any]:
        """Noise for simulation. Not for release: noise made of floating-point numbers gives the data away."""
        return rng.normal(scale=self.sigma, size=size)
