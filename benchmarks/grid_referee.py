"""Training with noisy gradients on a fine grid of losses: a referee that shares no code with whit, and no bound either.

The law of the loss of one step is taken from the normal law, cell by cell, put on the middle of each cell and moved so
that its mean is right; one transform composes the steps. A grid of twice the step moves a delta of 1e-6 by two parts in
100,000, and the sigma that belongs to it by a tenth of that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

Array = NDArray[np.float64]

STEP = 2e-5
PLACES = 2**20
# The share of a sigma that the grid is good to.
GOOD_TO = 1e-5


@dataclass(frozen=True)
class Loss:
    """Losses in rising order, and how likely they are where P is true."""

    losses: Array
    masses: Array

    def delta(self, epsilon: float) -> float:
        """The mean of what is left above epsilon."""
        return float(np.sum(self.masses * np.maximum(-np.expm1(epsilon - self.losses), 0.0)))

    def power(self, level: float) -> float:
        """The power of the test that rejects the largest losses."""
        null = np.cumsum((self.masses * np.exp(-self.losses))[::-1])
        return float(np.interp(level, null, np.cumsum(self.masses[::-1])))


@cache
def trained(sigma: float, rate: float, steps: int, *, removed: bool) -> Loss:
    """All steps, where a record is removed or where one is added."""
    edges = STEP * (np.arange(PLACES + 1) - PLACES / 2 - 0.5)
    one, mean = _one(edges, sigma, rate, removed=removed)
    centres = (edges[:-1] + edges[1:]) / 2
    shift = mean - float(one @ centres)
    masses = np.fft.irfft(np.fft.rfft(np.fft.ifftshift(one)) ** steps, PLACES)
    return Loss(centres + steps * shift, np.maximum(np.fft.fftshift(masses), 0.0))


def _one(edges: Array, sigma: float, rate: float, *, removed: bool) -> tuple[Array, float]:
    """The masses of the losses of one step between the edges, and the mean loss by an integral over the outcomes."""
    sign = 1.0 if removed else -1.0
    inner = 1 + np.expm1(sign * edges) / rate
    with np.errstate(divide="ignore"):
        places = np.where(inner > 0, sigma**2 * np.log(np.maximum(inner, 1e-300)) + 0.5, -np.inf)
    plain, moved = ndtr(places / sigma), ndtr((places - 1) / sigma)
    law = (1 - rate) * plain + rate * moved if removed else plain
    outcomes = np.linspace(-12 * sigma, 1 + 12 * sigma, 400_001)
    density = np.exp(-(outcomes**2) / (2 * sigma**2)) / (sigma * math.sqrt(2 * math.pi))
    ratio = 1 + rate * np.expm1((2 * outcomes - 1) / (2 * sigma**2))
    truth = density * ratio if removed else density
    mean = float(np.trapezoid(truth * sign * np.log(ratio), outcomes))
    return np.abs(np.diff(law)), mean


def delta(sigma: float, rate: float, steps: int, epsilon: float) -> float:
    """The delta of training, the worse of both orders."""
    return max(trained(sigma, rate, steps, removed=each).delta(epsilon) for each in (True, False))


def power(sigma: float, rate: float, steps: int, level: float) -> float:
    """The power of the best test of training, the worse of both orders."""
    return max(trained(sigma, rate, steps, removed=each).power(level) for each in (True, False))
