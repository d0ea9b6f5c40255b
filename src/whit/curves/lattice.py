"""Sums of discrete Gaussian noise: integer noise of probability proportional to e^{-k^2/2 sigma^2}, added up m times.

The sum of m of them is n with probability e^{-n^2/2m sigma^2} w(n mod m)/N^m: the part of k = (k_1, ..., k_m) along
(1, ..., 1) has length n/sqrt(m), and the rest of it runs over a shifted lattice that only knows n modulo m (theorem
discrete-gaussian-loss). So m weights and one norm N are all that is ever summed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from whit.curves.face import Array
from whit.numerics import ULP, count, finite_positive, log1mexp, logsumexp

# What lies beyond this many logs below the largest term is left out of a sum: less than a unit in the last place.
NEGLIGIBLE = 45.0
# Points are kept as long as their probability is above e^-745, the smallest double.
SMALLEST_LOG = 745.0
# From here on the weights are equal and N is sqrt(2 pi) sigma, but for e^{-pi^2 sigma^2} by Poisson's summation.
WIDE = 10.0


@dataclass(frozen=True)
class DiscreteGaussianSum:
    """The law of the sum of `terms` independent discrete Gaussians of parameter sigma.

    log_weights   log of w(n mod m)/N^m
    error         bound on the absolute error of each of them
    """

    sigma: float
    terms: int = 1
    log_weights: Array = field(init=False, repr=False, compare=False)
    error: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        way_out = "It is the scale of the noise, a number such as 10."
        object.__setattr__(self, "sigma", finite_positive("sigma", self.sigma, way_out))
        object.__setattr__(self, "terms", count("terms", self.terms, "Use the number of cells, such as 1."))
        log_weights, error = _weights(self.sigma, self.terms)
        log_weights.setflags(write=False)
        object.__setattr__(self, "log_weights", log_weights)
        object.__setattr__(self, "error", error)

    @property
    def variance_parameter(self) -> float:
        """m sigma^2, which is nearly the variance."""
        return self.terms * (self.sigma * self.sigma)

    @property
    def reach(self) -> int:
        """The last point that is kept on each side; what lies beyond it is below the smallest double."""
        return reach(self.sigma, self.terms)

    def log_beyond(self, last: int) -> float:
        """An upper bound on the log of the probability beyond a point, on one side: a geometric series."""
        first = last + 1.0
        exponent = first * first / (2 * self.variance_parameter)
        ratio = -(2 * first + 1) / (2 * self.variance_parameter)
        return float(-exponent * (1 - 8 * ULP) - log1mexp(ratio) + np.max(self.log_weights) + self.error + 16 * ULP)

    def log_masses(self, points: Array) -> Array:
        """Log of the probability of each whole number."""
        places = np.mod(points, self.terms).astype(np.int64)
        return np.asarray(self.log_weights[places] - points * points / (2 * self.variance_parameter))

    def mass_error(self, log_masses: Array) -> float:
        """Bound on the relative error of these probabilities."""
        return float(self.error + ULP * (8 + 4 * np.max(np.abs(log_masses), initial=0.0)))


def log_block_masses(centres: Array, width: int, variance: float) -> Array:
    """Log of the probability of so many whole numbers in a row about each centre, for a variance above 10^6.

    Within a block of half-width h the terms are e^{-c^2/2v} e^{-u^2/2v} cosh(cu/v), summed by the even moments of u up
    to the fourth. What is left out is relatively below that of block_error.
    """
    second = (width * width - 1.0) / 12
    fourth = (width * width - 1.0) * (3.0 * width * width - 7.0) / 240
    c2 = centres * centres / variance
    bent = second / variance * (c2 - 1) / 2 + fourth / variance**2 * (c2 * c2 / 24 - c2 / 4 + 1 / 8)
    return np.asarray(math.log(width) - c2 / 2 - 0.5 * math.log(2 * math.pi * variance) + np.log1p(bent))


def block_error(centres: Array, width: int, variance: float) -> float:
    """Bound on the relative error of the probabilities of blocks.

    The terms of sixth order are (u^2/v)^3 times a cubic in c^2/v that lies below (c^2/v + 30)^3/720; the higher ones
    together are smaller still.
    """
    farthest = float(np.max(np.abs(centres)))
    sixth = width * width / (4 * variance) * (farthest * farthest / variance + 30)
    return sixth**3 / 360 + ULP * (32 + 3 * farthest * farthest / variance)


def reach(sigma: float, terms: int) -> int:
    """How far from 0 the probabilities of a sum of so many terms are above the smallest double."""
    return max(1, math.ceil(sigma * math.sqrt(2 * SMALLEST_LOG * terms)))


def _weights(sigma: float, terms: int) -> tuple[Array, float]:
    """Log of w(n)/N^m for n = 0 to m - 1, one term more at a time, and a bound on the error."""
    if sigma >= WIDE:
        log_weight = -0.5 * math.log(2 * math.pi * terms * (sigma * sigma))
        return np.full(terms, log_weight), 16 * ULP * (1 + abs(log_weight))
    log_norm = float(_log_theta(0.0, np.zeros(1), 1.0, sigma))
    logs, error = np.array([-log_norm]), 32 * ULP * (1 + abs(log_norm))
    for size in range(1, terms):
        logs = np.array([_log_theta(size * n / (size + 1), logs, (size + 1) / size, sigma) for n in range(size + 1)])
        logs -= log_norm
        # One sum of positive terms, whose exponents are rounded four times each.
        error += ULP * (64 + 8 * float(np.max(np.abs(logs))) + 32 * abs(log_norm))
    return logs, error


def _log_theta(centre: float, log_weights: Array, factor: float, sigma: float) -> Array:
    """Log of the sum over all i of w(i mod m) e^{-factor (i - centre)^2/2 sigma^2}."""
    # The weights of different residues may differ by as much as the term at the nearest residue is small.
    spread = float(np.max(log_weights) - np.min(log_weights))
    width = sigma * math.sqrt(2 * (NEGLIGIBLE + spread) / factor) + len(log_weights) + 1.0
    points = np.arange(math.floor(centre - width), math.ceil(centre + width) + 1, dtype=np.float64)
    # A variance that is too small for a double leaves nothing but the centre, as this one does.
    exponents = -factor * (points - centre) ** 2 / (2 * max(sigma * sigma, 1e-300))
    return logsumexp(log_weights[np.mod(points, len(log_weights)).astype(np.int64)] + exponents)
