"""What one cell tells, by the law of its noise."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from whit.mechanisms import DiscreteGaussian, Gaussian, Laplace, Staircase
from whit.plans.amounts import LAWS, by_variance, cell_noise, cell_rho
from whit.setting import Neighbours


@pytest.mark.parametrize("law", LAWS.values())
def test_rho_bounds_every_renyi_divergence_of_the_cell(law):
    """By sums or integrals at high precision: D_a <= rho a, at the least order and at large ones."""
    spread, change = Fraction(2), Fraction(1)
    rho = cell_rho(law, spread, change)
    with mpmath.workdps(30):
        for order in (mpmath.mpf("1.01"), 2, 5, 20):
            assert renyi(law, order, mpmath.mpf(2), 1) <= mpmath.mpf(rho.numerator) / rho.denominator * order + 1e-20


def renyi(law: type, order, spread, change):
    exponent = (lambda x: x * x / (2 * spread)) if by_variance(law) else (lambda x: abs(x) / spread)
    if law is Staircase:  # of which half a step is the highest plateau
        g = 1 / (1 + mpmath.exp(1 / (2 * spread)))

        def exponent(x):
            return mpmath.floor(abs(x) + 1 - g) / spread

        cells = sorted({sign * (g + i) + s for i in range(120) for sign in (1, -1) for s in (0, change)})
        middles = [((a + b) / 2, b - a) for a, b in itertools.pairwise(cells)]

    def term(x):
        return mpmath.exp(-order * exponent(x - change) + (order - 1) * exponent(x))

    def weight(x):
        return mpmath.exp(-exponent(x))

    if law is Staircase:
        total, norm = (mpmath.fsum(each(x) * width for x, width in middles) for each in (term, weight))
    elif law.whole:
        total, norm = (mpmath.fsum(map(each, range(-300, 301))) for each in (term, weight))
    else:
        ends = [-300, 0, 1, 300] if not by_variance(law) else [-60, -20, 0, 20, 60]
        total, norm = (mpmath.quad(each, ends) for each in (term, weight))
    return mpmath.log(total / norm) / (order - 1)


@pytest.mark.parametrize("law", LAWS.values())
def test_the_cell_has_the_noise_that_was_asked_for(law):
    cell = cell_noise(law, Fraction(9, 4), Fraction(1))
    above = math.nextafter(4 / 9, math.inf)  # the double nearest to 4/9 is below it, which would be more noise
    parameter = {Gaussian: 1.5, DiscreteGaussian: 1.5, Laplace: 2.25}.get(law, above)
    fields = [getattr(cell, name, None) for name in ("sigma", "scale", "stated_epsilon")]
    assert parameter in fields
    for neighbours in (Neighbours.ADD_REMOVE, Neighbours.REPLACE):
        assert float(cell.delta(0.0, neighbours=neighbours)) == pytest.approx(distance(law), rel=1e-9)


def distance(law: type) -> float:
    """Total variation between the noise and the noise moved by 1."""
    if law is Staircase:  # the centres are 1 apart: what lies within half of that
        return 1 - 2 * float(Staircase(1 / 2.25).noise_tail(0.5))
    x = np.arange(-400, 401) if law.whole else (np.arange(-400_000, 400_000) + 0.5) / 5000
    density = np.exp(-x * x / 4.5) if by_variance(law) else np.exp(-np.abs(x) / 2.25)
    moved = np.exp(-((x - 1) ** 2) / 4.5) if by_variance(law) else np.exp(-np.abs(x - 1) / 2.25)
    return float(np.maximum(density - moved, 0).sum() / density.sum())
