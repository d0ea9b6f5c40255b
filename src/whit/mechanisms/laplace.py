"""Laplace noise: density e^{-|x|/scale} / 2 scale."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, LaplaceLoss, LossDistribution
from whit.mechanisms.mechanism import NOISE_DEVIATION
from whit.mechanisms.noise import CellwiseNoise, surely_infinite
from whit.numerics import ULP, doubles_around, down, finite_nonnegative, real_array
from whit.setting import Parameter
from whit.theory import Basis, Direction, Finding

SLACK = 8 * ULP


@dataclass(frozen=True, repr=False)
class Laplace(CellwiseNoise):
    """Laplace noise of the given scale, added to each cell.

    >>> print(Laplace(2.0).delta(0.25))
    delta is 0.118 (rounded up)
    >>> print(Laplace(2.0).standard_deviation())
    standard deviation of the noise is 2.83 (rounded up)
    """

    both_sides_grow = True

    parameter: ClassVar[Parameter] = Parameter(
        "scale",
        "laplace",
        "SCALE",
        "Laplace noise with this scale.",
        rising=False,
        bounded=True,
        keeps=(("epsilon", lambda epsilon: float(down(1 / epsilon, 2))),),  # too little noise is on the safe side
    )

    scale: float

    def __post_init__(self) -> None:
        """Refuse a scale that is negative or no number."""
        super().__post_init__()
        way_out = "Use the sensitivity divided by the epsilon that is wanted, such as 2."
        self._keep(scale=finite_nonnegative("scale", self.scale, way_out))

    @property
    def has_noise(self) -> bool:
        """Whether the scale is above 0."""
        return self.scale > 0

    noise_theorem: ClassVar[str] = "laplace-noise"
    basis = Basis.of("laplace-profile")
    """The closed form of the profile."""

    def _cell_loss(self, change: float) -> LossDistribution:
        if not self.has_noise:
            return surely_infinite()
        exact = Fraction(change) / Fraction(self.scale)
        below, epsilon = doubles_around(exact)
        return LaplaceLoss(epsilon, epsilon - below)

    def standard_deviation(self) -> Finding:
        """The square root of 2, times the scale."""
        return self._about_noise(NOISE_DEVIATION, math.sqrt(2.0) * self.scale, slack=SLACK)

    def _errors(self, chances: Array) -> tuple[Array, float, Direction]:
        """-scale log(1 - chance)."""
        with np.errstate(divide="ignore"):
            return -self.scale * np.log1p(-chances), SLACK, Direction.EXACTLY

    def noise_tail(self, thresholds: ArrayLike) -> Finding:
        """P[noise >= x] = e^{-x/scale}/2 for x >= 0."""
        x = real_array("thresholds", thresholds, "Use a number such as 1.")
        if not self.has_noise:
            return self._no_tail(x)
        half = np.exp(-np.abs(x) / self.scale) / 2
        # An argument rounded to one unit moves its exponential by that many units.
        slack = SLACK + 2 * ULP * float(np.max(np.abs(x[np.isfinite(x)]), initial=0.0)) / self.scale
        return self._about_tail(np.where(x >= 0, half, 1 - half), x, slack)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> Array:
        """Noise for simulation. Not for release: noise made of floating-point numbers gives the data away."""
        return rng.laplace(scale=self.scale, size=size)
