"""Gaussian noise: the one kind whose transform is an exponential of a polynomial."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from whit.curves.contour.composition import Kind
from whit.curves.contour.floating import UNIT, Complex, Real
from whit.numerics import finite_positive


@dataclass(frozen=True)
class GaussianKind(Kind):
    """Two normal laws whose means lie mu standard deviations apart."""

    symmetric: ClassVar[bool] = True

    mu: float

    def __post_init__(self) -> None:
        finite_positive("mu", self.mu, "It is the shift divided by the standard deviation of the noise.")

    def log_mgf(self, s: Complex) -> Complex:
        """mu^2 s (s + 1) / 2, exactly."""
        return (0.5 * self.gaussian_variance) * (s * (s + 1))

    def growth(self, s: Complex, log_mgf: Complex) -> Real:
        """Two complex operations, and mu^2 that carries up to 6 UNIT when it is a merged sum."""
        return 6 * UNIT * self.gaussian_variance * np.abs(s) * np.abs(s + 1)

    def log_abs_bound(self, c: float, start: Real, stop: Real, copies: int) -> Real:
        """The modulus falls in |t|, so the start of each interval is its worst point."""
        return -0.5 * self.gaussian_variance * start * start

    @property
    def gaussian_variance(self) -> float:
        """All of the loss."""
        return self.mu * self.mu

    @classmethod
    def merged(cls, counts: Mapping[Kind, int]) -> Mapping[Kind, int]:
        """Gaussians compose to one Gaussian: their mu^2 add up."""
        total = math.fsum(count * kind.gaussian_variance for kind, count in counts.items())
        return {GaussianKind(math.sqrt(total)): 1}
