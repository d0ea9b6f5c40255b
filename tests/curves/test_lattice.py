"""Sums of discrete Gaussians against convolution in 40 digits."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from whit.curves import DiscreteGaussianSum
from whit.curves.discrete_gaussian import block_error, log_block_masses
from whit.errors import InvalidInput


def masses(sigma: float, reach: int) -> dict[int, mpmath.mpf]:
    s = mpmath.mpf(sigma)
    raw = {k: mpmath.exp(-(mpmath.mpf(k) ** 2) / (2 * s * s)) for k in range(-reach, reach + 1)}
    total = mpmath.fsum(raw.values())
    return {k: v / total for k, v in raw.items()}


def convolved(a: dict[int, mpmath.mpf], b: dict[int, mpmath.mpf]) -> dict[int, mpmath.mpf]:
    out: dict[int, mpmath.mpf] = {}
    for i, p in a.items():
        for j, q in b.items():
            out[i + j] = out.get(i + j, mpmath.mpf(0)) + p * q
    return out


@pytest.mark.parametrize("sigma", [0.1, 0.4, 1.0, 3.3])
@pytest.mark.parametrize("terms", [1, 2, 3, 5])
def test_a_sum_has_the_probabilities_of_the_convolution(sigma: float, terms: int) -> None:
    reach = int(14 * sigma) + 3
    law = one = masses(sigma, reach)
    for _ in range(terms - 1):
        law = convolved(law, one)
    points = np.arange(-terms - 2, terms + 3, dtype=np.float64)
    known = DiscreteGaussianSum(sigma, terms)
    logs = known.log_masses(points)
    for n, log_mass in zip(points, logs, strict=True):
        truth = mpmath.log(law[int(n)])
        # What lies beyond 14 sigma is missing from the reference: less than e^-98 of the whole, more of the far ones.
        assert abs(mpmath.mpf(float(log_mass)) - truth) < known.mass_error(logs) + 1e-14
    assert known.mass_error(logs) < 1e-12 * (1 + 0.1 / sigma**2)


@pytest.mark.parametrize(("sigma", "terms"), [(0.05, 1), (0.7, 2), (5.0, 1), (30.0, 3)])
def test_what_lies_beyond_the_reach_is_bounded(sigma: float, terms: int) -> None:
    law = DiscreteGaussianSum(sigma, terms)
    beyond = np.arange(law.reach + 1, law.reach + 400, dtype=np.float64)
    logs = [mpmath.exp(mpmath.mpf(float(log))) for log in law.log_masses(beyond)]
    assert mpmath.log(mpmath.fsum(logs)) <= law.log_beyond(law.reach) < -700


@pytest.mark.parametrize(("sigma", "terms"), [(10.0, 1), (10.0, 2), (12.5, 3)])
def test_wide_noise_has_equal_weights(sigma: float, terms: int) -> None:
    """From sigma 10 on the closed form is used; summed over all whole numbers it gives 1."""
    points = np.arange(-DiscreteGaussianSum(sigma, terms).reach, DiscreteGaussianSum(sigma, terms).reach + 1.0)
    logs = DiscreteGaussianSum(sigma, terms).log_masses(points)
    assert math.fsum(np.exp(logs)) == pytest.approx(1.0, rel=1e-13)


@pytest.mark.parametrize(("centre", "width"), [(0.0, 7), (29999.5, 4), (380000.0, 9)])
def test_a_block_is_the_sum_of_its_points(centre: float, width: int) -> None:
    variance = 1e8
    points = [mpmath.mpf(centre) + u - mpmath.mpf(width - 1) / 2 for u in range(width)]
    truth = mpmath.fsum(mpmath.exp(-(x**2) / (2 * variance)) for x in points) / mpmath.sqrt(2 * mpmath.pi * variance)
    block = log_block_masses(np.array([centre]), width, variance)
    error = block_error(np.array([centre]), width, variance)
    assert float(abs(mpmath.mpf(float(block[0])) - mpmath.log(truth))) <= error < 1e-12


@pytest.mark.parametrize(
    ("sigma", "terms", "message"),
    [
        (0.0, 1, "sigma must be a finite number above 0; got 0.0. It is the scale of the noise"),
        (1.0, 0, "terms must be a whole number of at least 1; got 0. Use the number of cells"),
    ],
)
def test_what_is_no_sum_is_refused(sigma: float, terms: int, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        DiscreteGaussianSum(sigma, terms)
