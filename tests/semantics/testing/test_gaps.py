"""The profile that a bound on the power implies: above every Gaussian of the promise, below the usual conversion."""

from __future__ import annotations

import numpy as np
import pytest

from whit.curves import GaussianLoss
from whit.guarantees import PureDP, ZeroConcentratedDP
from whit.guarantees.renyi_orders import Concentrated
from whit.semantics.testing.powers import level, log_profile


@pytest.mark.parametrize("rho", [1e-4, 0.02, 0.5])
def test_the_profile_under_concentration_is_between_the_gaussian_and_the_conversion(rho: float) -> None:
    promise, t = ZeroConcentratedDP(rho), np.array([0.0, 0.1, 1.0])
    found = log_profile(promise, promise.curve(), t, np.zeros(3)).upper
    assert np.all(found >= GaussianLoss(np.sqrt(2 * rho)).log_delta(t).lower)
    assert np.all(found <= promise.curve().face.log_delta(t).upper)
    by_orders, _ = Concentrated(rho).log_conversion(np.array(0.0))
    assert found[0] < float(by_orders) - 0.05


def test_other_promises_are_asked_for_their_profile_alone() -> None:
    promise, t = PureDP(1.0), np.array([0.0, 0.5])
    found = log_profile(promise, promise.curve(), t, np.zeros(2))
    assert found.upper == pytest.approx(promise.curve().face.log_delta(t).upper, rel=1e-14)


@pytest.mark.parametrize("rho", [0.1, 1e4])
def test_the_largest_losses_that_priors_ask_for_are_no_trouble(rho: float) -> None:
    promise, t = ZeroConcentratedDP(rho), np.array([700.0, 710.0, 745.0, np.inf])
    found = log_profile(promise, promise.curve(), t, np.zeros(4)).upper
    assert np.all(found >= GaussianLoss(np.sqrt(2 * rho)).log_delta(t).lower)
    assert np.all(found <= promise.curve().face.log_delta(t).upper)


def test_a_level_next_to_the_power_is_no_crossed_bracket() -> None:
    """The levels at three powers a hair apart are rounded each by itself: none of them need be the largest."""
    for rho in (2.88962837449219e-06, 1e-7, 3e-5):
        found = level(ZeroConcentratedDP(rho), 0.5)
        assert 0.49 < float(found) < 0.5
