"""Levels and pbdp of a composition by its profile, against the exact enumeration of the same noise."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from whit.curves import ComposedLoss, FinitePair, GaussianLoss, contour, self_composed
from whit.curves.levels import log_crossing_by_profile, log_level_by_profile
from whit.mechanisms import DiscreteGaussian

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
