"""Bounds at inputs where careless rounding would put them on the wrong side of the truth."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from whit.curves import (
    ChordProfile,
    Curve,
    FinitePair,
    GaussianLoss,
    LaplaceLoss,
    Orientation,
    composed,
    from_deltas,
    from_largest_powers,
    posterior_tail,
)
from whit.guarantees import FDP, ApproxDP, GaussianDP, ProbabilisticallyBoundedDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Geometric, Laplace, Mixture


@pytest.mark.parametrize(("level", "power"), [(1.8352119642974757e-15, 1.3021688112850812e-14), (1e-6, 1e-4)])
def test_a_reflected_point_keeps_the_digits_that_were_given(level: float, power: float) -> None:
    """Randomized response with e^epsilon = power/level keeps the table; at 1/2 its power is 1 - level/(2 power)."""
    truth = 1 - Fraction(level) / (2 * Fraction(power))
    assert Fraction(float(from_largest_powers([level], [power]).power(0.5))) >= truth


@pytest.mark.parametrize("promise", [PureDP(1.0), GaussianDP(1.0), ZeroConcentratedDP(1.0)])
def test_below_epsilon_zero_every_delta_is_reached(promise: PureDP) -> None:
    assert float(promise.bounded_delta(-1.0)) == 1.0


def test_a_profile_is_not_exact_where_its_last_point_is_rounding() -> None:
    """The largest loss is log 2, which no double is: delta at the nearest double below is about 1e-17, not 0."""
    curve = Curve.exact(FinitePair.of([0.5, 0.5], [0.25, 0.75])).as_profile()
    truth = mpmath.mpf(1) / 2 - mpmath.exp(mpmath.mpf(math.log(2))) / 4
    assert truth > 0
    assert mpmath.mpf(float(curve.delta(math.log(2)))) >= truth
    assert mpmath.mpf(float(curve.epsilon(0.0))) >= mpmath.log(2)


def test_the_logits_of_a_prior_near_one_are_rounded_outwards() -> None:
    """The threshold lies one unit below the atom of the loss, which holds one half."""
    loss, threshold, prior = 0.3046659240798343, 0.9999462456113452, 0.9999271012063017
    odds = mpmath.mpf(threshold) / (1 - mpmath.mpf(threshold)) * (1 - mpmath.mpf(prior)) / mpmath.mpf(prior)
    assert mpmath.exp(mpmath.mpf(loss)) > odds
    assert float(posterior_tail(Curve.exact(LaplaceLoss(loss)), threshold, prior=prior)) >= 0.5


def test_the_log_of_a_tiny_level_is_rounded_outwards() -> None:
    level = 1.979770543435963e-224
    truth = mpmath.exp(512) * mpmath.mpf(level)
    found = Laplace(1 / 512.0).power(level)
    assert mpmath.mpf(float(found.lower)) <= truth <= mpmath.mpf(float(found.upper))


def test_the_log_of_a_tiny_level_is_rounded_up_for_promises() -> None:
    level = 8.062395441735376e-262
    truth = mpmath.exp(600) * mpmath.mpf(level)
    assert mpmath.mpf(float(ProbabilisticallyBoundedDP(600.0, 0.001).power(level))) >= truth
    level = 3.7811799744644034e-262
    truth = mpmath.mpf(1e-300) + mpmath.exp(600) * mpmath.mpf(level)
    assert mpmath.mpf(float(from_deltas([600.0], [1e-300]).power(level))) >= truth


def test_the_far_side_is_rounded_up() -> None:
    delta = 1.9840934620783556e-06
    bound = mpmath.mpf(delta) / (1 - mpmath.exp(1 - mpmath.mpf(600))) * mpmath.exp(-600)
    assert mpmath.mpf(float(ApproxDP(1.0, delta).lower_tail(600.0))) >= bound


def test_the_profile_below_epsilon_zero_is_at_least_what_every_pair_has() -> None:
    epsilon = -0.00014847404109288571
    assert mpmath.mpf(float(ZeroConcentratedDP(1e-12).delta(epsilon))) >= 1 - mpmath.exp(mpmath.mpf(epsilon))


@pytest.mark.parametrize("mu", [2.7e-162, 1e155])
def test_squares_of_extreme_scales_neither_vanish_nor_overflow(mu: float) -> None:
    both = composed([Curve.exact(GaussianLoss(mu))] * 2).face
    assert isinstance(both, GaussianLoss)
    assert both.mu == pytest.approx(mu * math.sqrt(2), rel=1e-15)


def test_the_power_of_one_is_reached_at_level_one() -> None:
    """Only at epsilon 0 has a test of power 1 no larger odds than 1."""
    for promise in (ProbabilisticallyBoundedDP(1.0, 0.3), FDP(ChordProfile.of([1.0], [1e-3]))):
        assert float(promise.bounded_epsilon(1.0)) >= 0.0


def test_weights_that_miss_one_are_covered() -> None:
    """What is drawn is each weight's share of the sum."""
    weights = [0.5, 0.4999999991]
    parts = [float(Geometric(each).delta(0.5)) for each in (1.0, 2.0)]
    truth = np.dot(weights, parts) / sum(weights)
    found = Mixture([Geometric(1.0), Geometric(2.0)], weights).delta(0.5)
    assert found.lower <= truth <= found.upper


@pytest.mark.parametrize("level", [1e-30, 1e-300])
def test_tiny_levels_of_short_compositions_pass_without_a_warning(level: float) -> None:
    """No loss exceeds 2, so the power is at most e^2 times the level; the bracket of a short composition is wide."""
    found = Laplace(1.0).times(2).power(level)
    assert level <= float(found.upper) <= math.exp(2) * level * (1 + 1e-3)


def test_a_promise_asked_at_its_own_delta_answers_with_its_own_epsilon() -> None:
    assert float(ApproxDP(1.0, 1e-6).epsilon(1e-6)) == pytest.approx(1.0, rel=1e-12)
    assert float(ApproxDP(1.0, 1e-6).bounded_epsilon(0.01)) == pytest.approx(1 - math.log1p(-1e-4), rel=1e-9)


def test_a_pair_rebuilt_from_an_upper_bound_reaches_its_knots_with_its_infinite_mass():
    """The shortfall at a knot is a share of all mass, the infinite one included: it fell short by 1e-13."""
    exact = Curve.exact(FinitePair.of([0.0, 1.0, 0.0], [24 / 29, 1 - 24 / 29, 0.0]))
    upper = exact.as_profile([1.0, 0.001953125])
    for way in (upper.as_tradeoff(), upper.as_tradeoff().as_profile()):
        found = way.delta(0.0, orientation=Orientation.FORWARD)
        assert float(found) >= float(exact.delta(0.0, orientation=Orientation.FORWARD).lower)
