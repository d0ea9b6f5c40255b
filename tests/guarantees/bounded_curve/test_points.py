"""The curve of pbdp of the Gaussian in closed form, and of pairs that can give themselves away."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from whit.curves import Curve, FinitePair, GaussianLoss
from whit.guarantees.bounded_curve import bounded_delta, bounded_epsilon
from whit.theory import Interval


@pytest.mark.parametrize("mu", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("delta", [0.001, 0.1, 0.7])
def test_the_epsilon_of_a_gaussian(mu, delta):
    """The level of a test of power delta is Phi(Phi^-1(delta) - mu)."""
    quantile = mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(delta) - 1)
    expected = float(mpmath.log(delta / mpmath.ncdf(quantile - mu)))
    found = bounded_epsilon(Curve.exact(GaussianLoss(mu)), delta)
    assert isinstance(found, Interval)
    assert float(found.mid) == pytest.approx(expected, rel=1e-12)
    assert float(bounded_delta(Curve.exact(GaussianLoss(mu)), float(found.mid)).mid) == pytest.approx(delta, rel=1e-9)


def test_where_a_test_of_level_zero_has_the_power_epsilon_is_infinite():
    curve = Curve.exact(FinitePair.of([0.1, 0.5, 0.4, 0.0], [0.0, 0.4, 0.5, 0.1]))
    assert float(bounded_epsilon(curve, 0.05)) == np.inf
    assert float(bounded_epsilon(curve, 0.1)) == np.inf
    # Power 0.6 is reached with the second outcome, at level 0.4.
    assert float(bounded_epsilon(curve, 0.6).mid) == pytest.approx(np.log(0.6 / 0.4), rel=1e-12)


def test_an_epsilon_that_no_test_reaches_needs_the_infinite_mass_alone():
    curve = Curve.exact(FinitePair.of([0.1, 0.5, 0.4, 0.0], [0.0, 0.4, 0.5, 0.1]))
    # The line e^5 l meets the edge 0.1 + 1.25 l.
    assert float(bounded_delta(curve, 5.0).mid) == pytest.approx(0.1 / (1 - 1.25 * np.exp(-5.0)), rel=1e-12)
    assert float(bounded_delta(curve, 800.0).mid) == pytest.approx(0.1, rel=1e-12)
    assert float(bounded_delta(curve, 0.0)) == 1.0
