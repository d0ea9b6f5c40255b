"""Pure differential privacy: power and tails in closed form, against brute force and the mechanism that has them."""

from __future__ import annotations

import math

import numpy as np
import pytest
import referee
from hypothesis import given
from hypothesis import strategies as st

from whit.guarantees import Guarantee, PureDP
from whit.setting import Neighbours


def response(epsilon: float) -> tuple[list[float], list[float]]:
    """Randomized response, the worst mechanism of the promise."""
    truth = 1 / (1 + math.exp(-epsilon))
    return [truth, 1 - truth], [1 - truth, truth]


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 2.0, 8.0])
@pytest.mark.parametrize("level", [0.001, 0.05, 0.3, 0.8])
def test_power_is_that_of_randomized_response(epsilon, level):
    expected = float(referee.power(*response(epsilon), level))
    assert float(PureDP(epsilon).power(level)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 2.0, 8.0])
@pytest.mark.parametrize("t", [0.0, 0.005, 0.4, 1.9])
def test_the_profile_is_that_of_randomized_response(epsilon, t):
    expected = float(referee.delta(*response(epsilon), t))
    assert float(PureDP(epsilon).delta(t)) == pytest.approx(expected, rel=1e-10, abs=1e-15)


def test_the_loss_never_exceeds_epsilon():
    assert np.array_equal(PureDP(1.0).tail([1.0, 1.5, 800.0]).value, np.zeros(3))
    assert np.array_equal(PureDP(1.0).lower_tail([1.0, 1.5]).value, np.zeros(2))


@given(st.floats(0.05, 5.0), st.floats(-0.95, 0.95))
def test_the_tail_below_epsilon_is_reached_by_some_mechanism(epsilon, share):
    """Two outcomes, of loss epsilon' slightly above t and of loss -epsilon, have nearly the promised tail."""
    t = share * epsilon
    expected = math.expm1(epsilon) / (math.exp(epsilon) - math.exp(-t))
    assert float(PureDP(epsilon).tail(t)) == pytest.approx(min(1.0, expected), rel=1e-10)
    if t > 0:
        upper, lower = math.exp(t), math.exp(-epsilon)  # likelihood ratios of the two outcomes
        q = (1 - lower) / (upper - lower)
        assert q * upper == pytest.approx(expected, rel=1e-10)


def test_composition_and_groups_multiply():
    assert PureDP(0.1).added_up(3).stated_epsilon == pytest.approx(0.3, rel=1e-15)
    assert PureDP(0.1).added_up(3).stated_epsilon >= 3 * 0.1
    assert PureDP(0.25).group(4) == PureDP(1.0)
    assert PureDP(0.25).under(Neighbours.REPLACE) == PureDP(0.5, neighbours=Neighbours.REPLACE)
    assert PureDP(1e-6).added_up(10**6).stated_epsilon == pytest.approx(1.0, rel=1e-12)


def test_pbdp_needs_no_delta_from_epsilon_on():
    found = PureDP(1.0).bounded_delta([0.5, 1.0, 2.0]).value
    # Below epsilon: the power at which randomized response gains e^0.5, (1 - e^-1) / (1 - e^-1.5).
    assert found[0] == pytest.approx(-math.expm1(-1.0) / -math.expm1(-1.5), rel=1e-12)
    assert np.array_equal(found[1:], [0.0, 0.0])
    assert PureDP(1.0).bounded_epsilon([0.1, 0.7]).value == pytest.approx([1.0, 1.0], rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 1.3, 710.0])
def test_at_delta_zero_the_stated_epsilon_is_the_answer_of_the_curve(epsilon):
    promise = PureDP(epsilon)
    by_the_curve = Guarantee.epsilon(promise, [0.0, 0.0])
    assert promise.epsilon([0.0, 0.0]) == by_the_curve
    assert float(promise.epsilon(0.0)) == epsilon


@pytest.mark.parametrize("epsilon", [1e8, 1e100, 1e308])
def test_an_epsilon_beyond_all_measure_promises_nothing_and_says_so(epsilon):
    assert float(PureDP(epsilon).delta(1.0).upper) == 1.0
    assert float(PureDP(epsilon).power(0.05).upper) == 1.0
    assert 0.0 <= float(PureDP(epsilon).tail(1.0).upper) <= 1.0
