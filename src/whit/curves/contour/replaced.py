"""Gaussian noise on a Poisson sample with a replaced record: P = (1 - q) N(0) + q N(1), Q = (1 - q) N(0) + q N(-1).

With u(x) = 1 - q + q e^{(2x - 1) / 2 sigma^2} the densities are phi_sigma(x) u(x) and phi_sigma(x) u(-x). The loss is
Z(x) = U(x) - U(-x) with U = log u, the loss of a removed record, and with k = c + 1 the transform is M(c + it) =
integral of f(x) e^{itZ(x)}, f = phi_sigma u(x)^k u(-x)^{-c}. The pair is its own mirror image, so that it is symmetric.
What is proved of noise on a sample (see subsampled) holds with these changes, where p(x) = q e^{(2x - 1) / 2 sigma^2} /
u(x) is the mean change of a removed record given the outcome, v = p (1 - p) its variance and S(x) = p(x) + p(-x):

*Quadrature.* On the line Im x = beta sigma^2 the angle of u(x) lies between 0 and beta and that of u(-x) between -beta
and 0, and each has at least cos(beta/2) times the modulus on the real line. Hence
N <= M(c) exp(beta^2 sigma^2 / 2 + 2 |t| beta) cos(beta/2)^{-max(-k, 0) - max(c, 0)}.

*Cut.* (log f)' = (-x + k p(x) + c p(-x)) / sigma^2, with both p between 0 and 1: f rises left of min(k, 0) + min(c, 0)
and falls right of max(k, 0) + max(c, 0).

*Decay.* Z' = S / sigma^2 is positive, and sigma^2 S' = v(x) - v(-x), so with g = f / Z'

    sigma^2 (log g)' = -x + k p(x) + c p(-x) - (v(x) - v(-x)) / S ,    and the last part is at most 1, since v <= p.

One place further left or right than f, g is monotone as well. In between, in cells of width h, the variation is at most
h times the largest |g'|, and |(log g)''| is at most (1 + ((|k| + |c|) / 4 + 2) / sigma^2) / sigma^2: sigma^2 p' = v <=
1/4, and sigma^2 ((v(x) - v(-x)) / S)' = (w(x) + w(-x)) / S - (v(x) - v(-x))^2 / S^2 with the third central moment w,
where |w| <= v <= p.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from whit.curves.contour.floating import UNIT, Real
from whit.curves.contour.subsampled import GRID, RandomChangeKind, SubsampledGaussianKind


@dataclass(frozen=True)
class ReplacedGaussianKind(RandomChangeKind):
    """Gaussian noise on a Poisson sample, for a replaced record; sigma is the noise multiplier of a removed one."""

    symmetric: ClassVar[bool] = True

    sigma: float
    rate: float

    def __post_init__(self) -> None:
        _ = self.removed  # refuses what is no noise or no rate

    @cached_property
    def removed(self) -> SubsampledGaussianKind:
        """The same noise for a removed record."""
        return SubsampledGaussianKind(self.sigma, self.rate)

    def loss(self, x: Real) -> Real:
        """Z(x)."""
        return self.removed.loss(x) - self.removed.loss(-x)

    def loss_error(self, x: Real, losses: Real) -> Real:
        """That of both parts, and of their difference."""
        parts = [self.removed.loss_error(at, self.removed.loss(at)) for at in (x, -x)]
        return parts[0] + parts[1] + UNIT * np.abs(losses)

    def log_law(self, x: Real, losses: Real) -> Real:
        """Log of phi_sigma(x) u(x)."""
        return self.log_density(x) + self.removed.loss(x)

    def exponents(self, c: float) -> tuple[float, ...]:
        """Those of u(x) and of u(-x)."""
        return (c + 1, -c)

    def between(self, c: float) -> tuple[float, float]:
        """As derived above."""
        return min(c + 1, 0.0) + min(c, 0.0), max(c + 1, 0.0) + max(c, 0.0)

    def decay(self, c: float) -> float:
        """By cells, as derived above."""
        return _decay(self, c)


@lru_cache(maxsize=1024)
def _decay(kind: ReplacedGaussianKind, c: float) -> float:
    k, variance = c + 1, kind.sigma**2
    low, high = kind.between(c)
    width = (high - low + 2) / GRID
    x = np.asarray(low - 1 + width * (np.arange(GRID) + 0.5), dtype=np.float64)
    sides = (x, -x)
    losses = [kind.removed.loss(each) for each in sides]
    log_means = [math.log(kind.rate) + (each - 0.5) / variance - loss for each, loss in zip(sides, losses, strict=True)]
    log_sum = np.logaddexp(*log_means)
    means = [np.exp(np.minimum(each, 0.0)) for each in log_means]
    shares = [np.exp(each - log_sum) * (1 - mean) for each, mean in zip(log_means, means, strict=True)]
    log_f = kind.log_density(x) + k * losses[0] - c * losses[1]
    log_g = log_f - log_sum + math.log(variance) - kind.tilted(c, 0.0).log_scale
    bend = (1 + ((abs(k) + abs(c)) / 4 + 2) / variance) / variance
    exact = -x + k * means[0] + c * means[1] - (shares[0] - shares[1])
    slope = np.abs(exact) / variance + bend * width / 2 + 1e-9 / variance
    # Within half a cell log g moves by at most its largest slope there.
    peaks = np.exp(np.minimum(log_g + slope * width / 2, 600.0))
    # Outside of the cells g is monotone, and falls to 0 from its ends.
    return float(np.sum(peaks * slope) * width + peaks[0] + peaks[-1]) * (1 + 1e-6)
