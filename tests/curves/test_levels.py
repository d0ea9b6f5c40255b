"""Levels and crossings by searching, against the closed forms of the Gaussian."""

from __future__ import annotations

from functools import cache

import mpmath
import numpy as np
import pytest

from whit.curves import (
    ComposedLoss,
    FinitePair,
    GaussianLoss,
    contour,
    searched_crossing,
    searched_level,
    self_composed,
)
from whit.curves.levels import log_crossing_by_profile, log_level_by_profile
from whit.mechanisms import DiscreteGaussian

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


# Levels and pbdp of a composition by its profile, against the exact enumeration of the same noise


# The enumerated noise is cut at 20 deviations, and its probabilities are rounded.
CLOSE = 1e-9


@cache
def both_ways() -> tuple[FinitePair, ComposedLoss]:
    """Three releases of discrete Gaussian noise of deviation 2 on a count, term by term and by the transform."""
    x = np.arange(-40, 42)
    first, second = np.exp(-(x**2) / 8), np.exp(-((x - 1) ** 2) / 8)
    face = DiscreteGaussian(2.0).times(3).curve().face
    assert isinstance(face, ComposedLoss)
    return self_composed(FinitePair.of(first / first.sum(), second / second.sum()), 3), face


@pytest.mark.parametrize("power", [1e-6, 0.03, 0.5, 0.97, 1.0])
def test_the_level_is_that_of_the_enumeration(power: float) -> None:
    pair, face = both_ways()
    wanted = np.array(np.log(power))
    exact, found = pair.log_level(wanted), face.log_level(wanted)
    assert found.lower <= exact.upper + CLOSE
    assert exact.lower - CLOSE <= found.upper
    assert found.upper - found.lower <= 1e-4
    assert log_level_by_profile(face, wanted).lower <= found.upper


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_the_crossing_is_that_of_the_enumeration(epsilon: float) -> None:
    pair, face = both_ways()
    exact, found = pair.log_crossing(np.array(epsilon)), log_crossing_by_profile(face, np.array(epsilon))
    assert found.lower <= exact.upper + CLOSE
    assert exact.lower - CLOSE <= found.upper
    assert found.upper - found.lower <= 1e-2


def test_the_ends_are_those_of_guessing() -> None:
    _, face = both_ways()
    assert log_level_by_profile(face, np.array([-np.inf])).upper[0] == -np.inf
    ends = log_crossing_by_profile(face, np.array([0.0, -1.0]))
    assert ends.lower.tolist() == ends.upper.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("mu", [2.0, 2.6, 4.0, 7.0, 10.0])
def test_the_level_of_a_middling_power_is_found_where_the_estimate_leads_astray(mu: float) -> None:
    face, exact = ComposedLoss(contour.Composition({contour.GaussianKind(mu / 2): 4})), GaussianLoss(mu)
    powers = np.log(np.linspace(0.02, 0.98, 25))
    found, truth = face.log_level(powers), exact.log_level(powers)
    assert np.all(found.lower <= truth.upper)
    assert np.all(truth.lower <= found.upper)
    assert np.max(found.upper - found.lower) < 2e-5
