"""Tables 2 and 6, the second against an exact count of all losses."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest

from whit.mechanisms import DiscreteGaussian, Gaussian
from whit.papers import kaa22_census
from whit.semantics import testing

POINTS = 2**19
HALF = POINTS // 2

# Table 5, column Block: in 4097ths, one number for each query about persons.
BLOCK = [5] * 6 + [9] + [21] * 2 + [71] + [3945]
STEP = Fraction("2.56") * Fraction(165, 4099) / 4097
HOUSING = Fraction("0.07") * Fraction(99, 820)


def noise(variance: float) -> tuple[np.ndarray, np.ndarray]:
    k = np.arange(-int(14 * variance**0.5) - 2, int(14 * variance**0.5) + 3)
    weights = np.exp(-k * k / (2 * variance))
    return k, weights / weights.sum()


def person_losses() -> tuple[np.ndarray, np.ndarray]:
    """All losses of the 22 cells about persons are multiples of one step: their law, by products of transforms."""
    transform = np.ones(POINTS // 2 + 1)
    for share, queries in Counter(BLOCK).items():
        k, weights = noise(float(1 / (share * STEP)))
        on_circle = np.zeros(POINTS)
        np.add.at(on_circle, (share * k) % POINTS, weights)
        transform *= np.fft.rfft(on_circle).real ** (2 * queries)
    masses = np.maximum(np.roll(np.fft.irfft(transform, POINTS), HALF), 0.0)
    return float(STEP) * (np.arange(-HALF, HALF) + sum(BLOCK)), masses


def exact_power(level: float) -> float:
    """The lowest of the lines D(t) + e^t level, at every loss that is possible near the threshold.

    The threshold is near that for Gaussian noise of the same variance, mu z - mu^2/2.
    """
    mu = float(2 * (sum(BLOCK) * STEP + HOUSING)) ** 0.5
    near = mu * NormalDist().inv_cdf(1 - level) - mu * mu / 2
    losses, masses = person_losses()
    _, weights = noise(float(1 / HOUSING))
    both = np.convolve(weights, weights)
    shifts = float(HOUSING) * (np.arange(len(both)) - len(both) // 2 + 1)
    above = [np.append(np.cumsum(each[::-1])[::-1], 0.0) for each in (masses, masses * np.exp(-losses))]

    def line(t: float) -> float:
        i = np.searchsorted(losses, t - shifts, side="right")
        return float(np.sum(both * (above[0][i] - np.exp(t - shifts) * above[1][i])) + np.exp(t) * level)

    likely = shifts[both > 1e-18]
    knots = np.unique(np.concatenate([losses[np.abs(losses + each - near) < 3e-5] + each for each in likely]))
    return min(map(line, knots))


@pytest.mark.parametrize("level", [0.05, 0.10])
def test_the_power_at_block_level_is_between_the_bounds_though_it_is_not_the_gaussian_one(level):
    """The losses of one block lie on a lattice of step 2.5e-5, which moves the power by 1e-11 from the Gaussian one."""
    truth = exact_power(level)
    i = [0.01, 0.05, 0.10].index(level)
    row = kaa22_census.table_6()
    assert row.discrete.lower[i] <= truth <= row.discrete.upper[i]
    assert row.discrete.upper[i] - row.discrete.lower[i] < 1e-10
    assert 5e-12 < row.gaussian.value[i] - truth < 5e-11


def test_the_discrete_noise_of_all_queries_is_as_gaussian_noise_and_that_of_one_count_is_not():
    """A page said of one count that the numbers differ in the tenth digit, which is so of all queries together."""
    row = kaa22_census.table_2()
    assert np.all(np.abs(row.discrete.value - row.gaussian.value) < 1e-9)
    sigma = math.sqrt(1 / (2 * 2.56))
    discrete, gaussian = (float(testing.power(kind(sigma), 0.05)) for kind in (DiscreteGaussian, Gaussian))
    assert 0.713 < discrete < 0.714
    assert 0.731 < gaussian < 0.732


def test_the_bound_by_rho_is_above_the_power():
    for row in (kaa22_census.table_2(), kaa22_census.table_6()):
        assert np.all(row.bound.upper > row.discrete.upper)
        assert row.levels == (0.01, 0.05, 0.10)
