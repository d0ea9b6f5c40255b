"""Levels and crossings by searching, against the closed forms of the Gaussian."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from whit.curves import FinitePair, GaussianLoss, searched_crossing, searched_level

ASYMMETRIC = FinitePair.of([0.1, 0.5, 0.4, 0.0], [0.0, 0.4, 0.5, 0.1])


@pytest.mark.parametrize("mu", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("power", [1e-9, 0.001, 0.1, 0.7, 0.999])
def test_the_level_of_a_gaussian_is_found(mu, power):
    """The level of a test of this power is Phi(Phi^-1(power) - mu)."""
    quantile = mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(power) - 1)
    truth = mpmath.log(mpmath.ncdf(quantile - mu))
    found = searched_level(GaussianLoss(mu), np.array([np.log(power)]))
    # The log of the power is rounded, and moves the level by as much.
    assert float(found.lower[0]) - 1e-12 <= truth <= float(found.upper[0]) + 1e-12
    assert found.upper[0] - found.lower[0] < 1e-9


@pytest.mark.parametrize("face", [GaussianLoss(1.0), ASYMMETRIC], ids=["density", "atoms"])
def test_the_level_of_a_crossing_is_on_the_line(face):
    epsilons = np.array([0.2, 0.5, 1.5])
    powers = searched_crossing(face, epsilons)
    levels = searched_level(face, powers.mid)
    np.testing.assert_allclose(levels.mid + epsilons, powers.mid, atol=1e-9)


def test_a_power_that_level_zero_reaches_has_level_zero():
    assert searched_level(ASYMMETRIC, np.log([0.05])).upper[0] == -np.inf
    # Power 0.6 is reached with the second outcome, at level 0.4.
    np.testing.assert_allclose(searched_level(ASYMMETRIC, np.log([0.6])).mid, np.log(0.4), rtol=1e-12)


def test_where_no_level_meets_the_line_the_power_is_that_of_level_zero():
    np.testing.assert_allclose(searched_crossing(ASYMMETRIC, np.array([800.0])).mid, np.log(0.1), rtol=1e-12)
