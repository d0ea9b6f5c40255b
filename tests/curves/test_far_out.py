"""Epsilons in the hundreds by Chernoff's bound, against closed forms, mpmath and the integral."""

from __future__ import annotations

import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest

from whit.curves import ComposedLoss, GaussianLoss, contour
from whit.curves.contour import profile
from whit.curves.far_out import HOPELESS, epsilon_by_chernoff, hopeless, profile_by_chernoff


def composed_loss(kind: contour.Kind, copies: int = 1) -> ComposedLoss:
    return ComposedLoss(contour.Composition({kind: copies}))


@pytest.mark.parametrize("mu", [0.1, 1.0, 7.0, 40.0])
@pytest.mark.parametrize("delta", [0.1, 1e-6, 1e-30])
def test_an_epsilon_by_chernoff_is_above_the_closed_form_and_near_it(mu, delta):
    found = epsilon_by_chernoff(composed_loss(contour.GaussianKind(mu)), math.log(delta))
    exact = float(GaussianLoss(mu).epsilon([math.log(delta)]).mid[0])
    assert exact <= found <= exact + mu * (1.0 + math.sqrt(2.0))


@pytest.mark.parametrize("mu", [1.0, 7.0, 40.0])
def test_a_profile_by_chernoff_is_above_the_closed_form_and_near_it(mu):
    epsilons = mu * mu / 2 + mu * np.array([1.0, 3.0, 10.0])
    found = profile_by_chernoff(contour.Composition({contour.GaussianKind(mu): 1}), epsilons)
    exact = GaussianLoss(mu).log_delta(epsilons).mid
    assert np.all((exact <= found.upper) & (found.upper <= exact + 5.0))
    assert np.all(found.lower <= exact)


@pytest.mark.parametrize(("sigma", "rate"), [(0.02, 0.1), (0.03, 1e-4)])
def test_one_release_on_a_sample_is_below_what_chernoff_says_of_it(sigma, rate):
    """A loss above t is an outcome above x: delta is (1 - q - e^t) Q[X > x] + q Q[X > x - 1]."""
    kind, epsilons = contour.SubsampledGaussianKind(sigma, rate), np.array([505.0, 550.0, 650.0])
    assert np.all(hopeless(composed_loss(kind), epsilons))
    found = composed_loss(kind).log_delta(epsilons)
    with mpmath.workdps(400):
        for at, upper, lower in zip(epsilons, found.upper, found.lower, strict=True):
            q, s, t = mpmath.mpf(rate), mpmath.mpf(sigma), mpmath.mpf(float(at))
            x = s**2 * mpmath.log((mpmath.e**t - 1 + q) / q) + mpmath.mpf(1) / 2
            tail = [mpmath.erfc(place / (s * mpmath.sqrt(2))) / 2 for place in (x, x - 1)]
            exact = (1 - q - mpmath.e**t) * tail[0] + q * tail[1]
            assert lower <= mpmath.log(exact) <= upper


def test_epsilons_on_a_sample_are_no_smaller_than_by_the_integral():
    """A loss that is strict takes the integral, however dear."""
    loss = composed_loss(contour.SubsampledGaussianKind(0.4, 0.5), 600)
    wanted = np.log([1e-3, 1e-9])
    quick, closely = loss.epsilon(wanted), replace(loss, strict=True, relative_width=1e-3).epsilon(wanted)
    assert np.all(closely.lower > HOPELESS)
    assert np.all((closely.lower <= quick.upper) & (quick.upper <= 1.1 * closely.upper))
    assert np.all(quick.lower <= closely.upper)


def test_an_epsilon_far_out_takes_no_integral(monkeypatch):
    monkeypatch.setattr(profile, "invert", None)
    loss = composed_loss(contour.SubsampledGaussianKind(0.1, 0.1), 1000)
    found = loss.epsilon(np.log([1e-6]))
    assert HOPELESS < found.upper[0] < math.inf
    assert loss.log_delta(found.upper).upper[0] <= math.log(1e-6) + 1e-9


def test_where_no_line_is_affordable_few_are_tried(monkeypatch):
    tried = []

    def refused(line, table):
        tried.append(line.tilt)
        raise contour.TooManyNodes(1e9)

    monkeypatch.setattr(profile, "invert", refused)
    epsilons = np.linspace(0.0, 30.0, 2000)
    found = composed_loss(contour.SubsampledGaussianKind(1.0, 0.1), 50).log_delta(epsilons)
    assert 0 < len(set(tried)) <= 6
    assert np.all(np.isneginf(found.lower[1:]) & np.isfinite(found.upper[1:]))
