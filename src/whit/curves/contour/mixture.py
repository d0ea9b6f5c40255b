"""Gaussian noise where the change is random: P = mixture of N(u_i, sigma^2) with weights p_i against Q = N(0, sigma^2).

The changes u_i are at least 0 and the largest is 1. The loss is Z(x) = log sum p_i e^{(u_i x - u_i^2/2) / sigma^2}.
What is proved of noise on a sample (see subsampled) holds with the mean change given the outcome, p(x) = sum of p_i u_i
e^{...} / sum of p_i e^{...}, in place of p:

*Quadrature.* On the line Im x = beta sigma^2 the terms of the sum have angles u_i beta between 0 and beta, so that
their sum has at least cos(beta/2) times the modulus of their sizes, and an angle between 0 and beta.

*Cut.* (log f)' = (-x + k p(x)) / sigma^2, with p between 0 and 1.

*Decay.* Z' = p / sigma^2, and p' = v / sigma^2 with v the variance of the change given the outcome, so with g = f / Z'

    sigma^2 (log g)' = -x + k p - v/p ,    and v <= p (1 - p), so that v/p lies between 0 and 1.

Left of min(k, 0) - 1 it is positive, right of max(k, 0) negative: there g is monotone. In between, in cells of width h,
the variation is at most h times the largest |g'|, and |(log g)''| is at most (1 + (|k| / 4 + 2) / sigma^2) / sigma^2:
sigma^2 p' = v <= 1/4, and sigma^2 (v/p)' = w/p - v^2/p^2 with the third central moment w, where |w| <= v <= p.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from whit.curves.contour.floating import UNIT, Real
from whit.curves.contour.subsampled import GRID, LARGE, RandomChangeKind
from whit.numerics import finite_positive


@dataclass(frozen=True)
class GaussianMixtureKind(RandomChangeKind):
    """Gaussian noise where the change is random; sigma is the standard deviation over the largest change.

    changes   from 0 to 1, rising, the last one 1
    weights   their probabilities
    """

    sigma: float
    changes: tuple[float, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        finite_positive("sigma", self.sigma, "It is the standard deviation divided by the largest change.")

    def _exponents(self, x: Real) -> Real:
        u = np.array(self.changes)
        return np.asarray((np.multiply.outer(x, u) - u * u / 2) / self.sigma**2)

    def loss(self, x: Real) -> Real:
        """Z(x), by e^y - 1 where nothing overflows: small losses keep their digits."""
        exponents = self._exponents(x)
        top = np.maximum(np.max(exponents, axis=-1), 0.0)
        small = np.log1p(np.maximum(np.expm1(np.minimum(exponents, LARGE)) @ np.array(self.weights), -1 + UNIT))
        large = top + np.log(np.maximum(np.exp(exponents - top[..., None]) @ np.array(self.weights), 1e-300))
        return np.asarray(np.where((top < LARGE) & (small > -0.5), small, large))

    def loss_error(self, x: Real, losses: Real) -> Real:
        """Each exponent is wrong by some UNIT of its parts, given as doubles, and counts by its share in the sum."""
        exponents, weights, u = self._exponents(x), np.array(self.weights), np.array(self.changes)
        parts = 16 * UNIT * (np.abs(np.multiply.outer(x, u)) + u * u / 2) / self.sigma**2
        top = np.maximum(np.max(exponents, axis=-1), 0.0)
        with np.errstate(under="ignore"):
            shares = weights * np.exp(np.minimum(exponents - losses[..., None], 50.0))
            terms = (
                weights * np.abs(np.expm1(np.minimum(exponents, LARGE))) * np.exp(-np.maximum(losses, -1.0))[..., None]
            )
        own = np.where((top < LARGE) & (losses > -0.5), np.sum(terms, axis=-1), 1 + top)
        units = (16 + len(u)) * UNIT
        return np.asarray(2 * np.sum(shares * parts, axis=-1) + units * (own + np.abs(losses)))

    def decay(self, c: float) -> float:
        """By cells, as derived above."""
        return _decay(self, c)

    @property
    def loss_range(self) -> tuple[float, float]:
        """From the log of the chance of no change upwards, if there is one."""
        lowest = math.log(self.weights[0]) * (1 + 64 * UNIT) - 64 * UNIT if self.changes[0] == 0.0 else -math.inf
        return lowest, math.inf


@lru_cache(maxsize=1024)
def _decay(kind: GaussianMixtureKind, c: float) -> float:
    k, variance = c + 1, kind.sigma**2
    low, high = min(k, 0.0) - 1, max(k, 0.0) + 1
    width = (high - low) / GRID
    x = np.asarray(low + width * (np.arange(GRID) + 0.5), dtype=np.float64)
    u, loss, moving = np.array(kind.changes), kind.loss(x), np.array(kind.changes) > 0
    # The changes above 0, relative to the likeliest of them: their mean may be too small for a double.
    exponents = kind._exponents(x)[:, moving]
    top = exponents.max(axis=1)
    first, second = (np.exp(exponents - top[:, None]) @ (np.array(kind.weights) * u**power)[moving] for power in (1, 2))
    log_mean = top + np.log(first) - loss
    mean = np.exp(np.minimum(log_mean, 0.0))
    log_g = kind.log_density(x) + k * loss - log_mean + math.log(variance) - kind.tilted(c, 0.0).log_scale
    bend = (1 + (abs(k) / 4 + 2) / variance) / variance
    slope = np.abs(-x + k * mean - (second / first - mean)) / variance + bend * width / 2 + 1e-9 / variance
    # Within half a cell log g moves by at most its largest slope there.
    peaks = np.exp(np.minimum(log_g + slope * width / 2, 600.0))
    # Outside of the cells g is monotone, and falls to 0 from its ends.
    return float(np.sum(peaks * slope) * width + peaks[0] + peaks[-1]) * (1 + 1e-6)
