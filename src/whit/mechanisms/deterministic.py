"""No noise at all: the exact answer is published."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, FinitePair, LossDistribution, identical
from whit.mechanisms.mechanism import EXACT_ANSWER, NOISE_DEVIATION, NOISE_ERROR, NOISE_TAIL
from whit.mechanisms.noise import AdditiveNoise
from whit.numerics import probability_array, real_array
from whit.setting import Neighbours
from whit.theory import Basis, Finding


@dataclass(frozen=True, repr=False)
class Deterministic(AdditiveNoise):
    """An exact answer: the loss is 0 if no neighbour has another answer, and infinite if one has.

    >>> from whit.setting import Sensitivity
    >>> total = Deterministic(sensitivity=Sensitivity(add_remove=1, replace=0))
    >>> print(total.delta(0.0, neighbours=Neighbours.REPLACE))
    delta is exactly 0
    """

    @property
    def basis(self) -> Basis:
        """The definition of the loss."""
        return Basis.of("finite-loss")

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        return surely_infinite() if self.sensitivity.changes(neighbours) else identical()

    def standard_deviation(self) -> Finding:
        """Zero: there is no noise."""
        return self._about_noise(NOISE_DEVIATION, 0.0, "finite-loss")

    def error_quantile(self, probability: ArrayLike) -> Finding:
        """Zero: there is no noise."""
        chances = probability_array("probability", probability, "Use a number such as 0.95.")
        return self._about_noise(NOISE_ERROR, np.zeros(chances.shape), "finite-loss", inputs={"probability": chances})

    def probability_of_exact_answer(self) -> Finding:
        """One: there is no noise."""
        return self._about_noise(EXACT_ANSWER, 1.0, "finite-loss")

    def noise_tail(self, thresholds: ArrayLike) -> Finding:
        """One up to the threshold 0, and zero above it."""
        x = real_array("thresholds", thresholds, "Use a number such as 1.")
        return self._about_noise(NOISE_TAIL, np.where(x <= 0, 1.0, 0.0), "finite-loss", inputs={"thresholds": x})

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> Array:
        """Zeros, the noise that there is none of."""
        return np.zeros(size)


def surely_infinite() -> FinitePair:
    """The pair of two distributions with no outcome in common."""
    return FinitePair(np.zeros(0), np.zeros(0), log_infinity=0.0, log_missing=0.0)
