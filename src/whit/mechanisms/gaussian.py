"""Gaussian noise, of the same standard deviation in each cell."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, GaussianLoss, LossDistribution, identical
from whit.mechanisms.mechanism import EXACT_ANSWER, NOISE_DEVIATION, NOISE_ERROR
from whit.mechanisms.noise import AdditiveNoise
from whit.mechanisms.rational import square_root
from whit.numerics import ULP, down, finite_positive, normal, probability_array, real_array
from whit.setting import Neighbours, Parameter
from whit.theory import Basis, Finding


@dataclass(frozen=True, repr=False)
class Gaussian(AdditiveNoise):
    """Gaussian noise of standard deviation sigma, added to each cell.

    >>> print(Gaussian(1.0).delta(1.0))
    delta is 0.127 (rounded up)
    """

    parameter: ClassVar[Parameter] = Parameter(
        "sigma",
        "gaussian",
        "SIGMA",
        "Gaussian noise with this standard deviation.",
        rising=False,
        bounded=False,
        # Rounded down: too little noise is on the safe side.
        keeps=(("rho", lambda rho: float(down(1 / math.sqrt(2 * rho), 2))), ("mu", lambda mu: float(down(1 / mu, 2)))),
    )

    sigma: float

    def __post_init__(self) -> None:
        """Refuse a sigma that is not a positive number."""
        super().__post_init__()
        way_out = "It is the standard deviation of the noise, a number such as 10."
        self._keep(sigma=finite_positive("sigma", self.sigma, way_out))

    @property
    def basis(self) -> Basis:
        """The closed form of the profile."""
        return Basis.of("gaussian-profile")

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        squares = sum((Fraction(change) ** 2 for change in self.sensitivity.changes(neighbours)), Fraction(0))
        return GaussianLoss(square_root(squares / Fraction(self.sigma) ** 2)) if squares else identical()

    def standard_deviation(self) -> Finding:
        """Sigma."""
        return self._about_noise(NOISE_DEVIATION, self.sigma, "gaussian-noise")

    def error_quantile(self, probability: ArrayLike) -> Finding:
        """The smallest b with P[|noise| <= b] >= probability."""
        chances = probability_array("probability", probability, "Use a number such as 0.95.")
        errors, slack = normal_errors(chances)
        values = self.sigma * errors
        return self._about_noise(NOISE_ERROR, values, "gaussian-noise", slack=slack, inputs={"probability": chances})

    def probability_of_exact_answer(self) -> Finding:
        """Zero: the noise has a density."""
        return self._about_noise(EXACT_ANSWER, 0.0, "gaussian-noise")

    def noise_tail(self, thresholds: ArrayLike) -> Finding:
        """P[noise >= x], by the normal law."""
        x = real_array("thresholds", thresholds, "Use a number such as 1.")
        scaled = x / self.sigma
        # The argument is rounded once; beyond z the log of the tail moves by z times as much.
        largest = float(np.max(np.abs(scaled[np.isfinite(scaled)]), initial=0.0))
        slack = normal.TAIL_ERROR + 2 * ULP * (1 + largest * largest)
        return self._about_tail(normal.sf(scaled), x, "gaussian-noise", slack)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> Array:
        """Noise for simulation. Not for release: noise made of floating-point numbers gives the data away."""
        return rng.normal(scale=self.sigma, size=size)


def normal_errors(chances: Array) -> tuple[Array, float]:
    """The z with P[|N(0, 1)| <= z] = chance, and a bound on the relative error."""
    with np.errstate(divide="ignore"):
        log_half = np.log1p(-chances) - np.log(2.0)
    # Near 0 the log of 1/2 - chance/2 has lost the chance; there z is the density's inverse times the chance.
    small = chances < 1e-4
    near = np.sqrt(np.pi / 2) * chances * (1 + np.pi * chances**2 / 12 * (1 + 7 * np.pi * chances**2 / 40))
    errors = np.where(small, near, -normal.quantile_of_log(np.where(small, np.log(0.25), log_half)))
    return errors, float(normal.QUANTILE_ERROR * (2 + np.max(1 / errors[~small], initial=1.0)))
