"""Estimates of many equal releases: near the closed form of the Gaussian, and none where losses reach too far."""

from __future__ import annotations

import numpy as np
import pytest

from whit.curves import GaussianLoss, LaplaceLoss, estimated, estimated_sum


@pytest.mark.parametrize(("mu", "copies"), [(0.1, 100), (0.02, 2500), (1.0, 1), (0.001, 10**6)])
def test_many_gaussians_are_about_one(mu, copies):
    found, exact = estimated(GaussianLoss(mu), copies), GaussianLoss(mu * copies**0.5)
    epsilons = np.array([0.0, 0.5, 1.0, 3.0])
    np.testing.assert_allclose(found.log_delta(epsilons).mid, exact.log_delta(epsilons).mid, atol=0.05)
    assert np.all(found.log_delta(epsilons).mid >= exact.log_delta(epsilons).mid - 1e-6)
    levels = np.log([0.01, 0.1])
    np.testing.assert_allclose(found.log_power(levels).mid, exact.log_power(levels).mid, atol=0.01)


def test_one_release_is_nearly_itself():
    found, exact = estimated(LaplaceLoss(0.5), 1), LaplaceLoss(0.5)
    np.testing.assert_allclose(found.log_delta([0.1, 0.3]).mid, exact.log_delta([0.1, 0.3]).mid, atol=1e-3)


def test_gaussians_of_two_kinds_are_about_one():
    found, exact = estimated_sum([(GaussianLoss(0.1), 64), (GaussianLoss(0.6), 1)]), GaussianLoss(1.0)
    epsilons = np.array([0.0, 0.5, 1.0, 3.0])
    np.testing.assert_allclose(found.log_delta(epsilons).mid, exact.log_delta(epsilons).mid, atol=0.05)


def test_there_is_no_estimate_where_losses_reach_too_far():
    assert estimated(GaussianLoss(5.0), 10) is None
