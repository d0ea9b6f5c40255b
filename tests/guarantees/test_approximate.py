"""Approximate differential privacy: closed forms, the worst pair, and groups of records."""

from __future__ import annotations

import math

import numpy as np
import pytest
import referee
from hypothesis import given
from hypothesis import strategies as st
from pairs import finite_pairs, random_pair

from whit.curves import FinitePair
from whit.guarantees import ApproxDP


def worst(epsilon: float, delta: float) -> tuple[list[float], list[float]]:
    truth = (1 - delta) / (1 + math.exp(-epsilon))
    p = [delta, 0.0, truth, 1 - delta - truth]
    return p, [p[1], p[0], p[3], p[2]]


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.01), (2.0, 0.2), (0.0, 0.1)])
@pytest.mark.parametrize("level", [0.0, 0.01, 0.3, 0.9])
def test_power_is_that_of_the_worst_pair(epsilon, delta, level):
    expected = float(referee.power(*worst(epsilon, delta), level))
    assert float(ApproxDP(epsilon, delta).power(level)) == pytest.approx(expected, rel=1e-11)


def test_power_is_delta_plus_e_to_the_epsilon_times_the_level():
    assert float(ApproxDP(1.0, 1e-5).power(0.05)) == pytest.approx(1e-5 + 0.05 * math.e, rel=1e-14)


@given(finite_pairs(), st.floats(0.0, 2.0))
def test_the_promise_that_a_pair_keeps_bounds_all_of_its_answers(pair, epsilon):
    both = [FinitePair.of(*pair), FinitePair.of(*pair[::-1])]
    delta = min(1.0, max(float(np.exp(each.log_delta(epsilon).upper)) for each in both))
    promise = ApproxDP(epsilon, delta)
    for each in both:
        for t in (0.0, 0.3, 1.0, 4.0):
            assert np.exp(each.log_delta(t).lower) <= float(promise.delta(t)) * (1 + 1e-12) + 1e-300
            assert np.exp(each.log_tail(t).lower) <= float(promise.tail(t)) * (1 + 1e-12) + 1e-300
        for level in (0.01, 0.4):
            assert np.exp(each.log_power(np.log(level)).lower) <= float(promise.power(level)) * (1 + 1e-12)


def test_the_tail_is_the_smaller_of_two_bounds():
    # delta / (1 - e^(eps - t)) far out, (e^eps - 1 + delta) / (e^eps - e^-t) where that exceeds it
    assert float(ApproxDP(1.0, 1e-5).tail(3.0)) == pytest.approx(1e-5 / -math.expm1(-2.0), rel=1e-13)
    near = (math.expm1(0.1) + 0.3) / (math.exp(0.1) - math.exp(-0.5))
    assert near == pytest.approx(0.8126, abs=5e-5)
    assert float(ApproxDP(0.1, 0.3).tail(0.5)) == pytest.approx(near, rel=1e-13)


@pytest.mark.parametrize("epsilon", [0.0, 1.0, 710.0])
def test_with_delta_zero_no_loss_exceeds_epsilon(epsilon):
    t = np.array([epsilon, epsilon + 1e-9, epsilon + 5.0])
    assert ApproxDP(epsilon, 0.0).tail(t).value.tolist() == [0.0, 0.0, 0.0]
    assert float(ApproxDP(1.0, 0.0).tail(0.999)) > 1 / (1 + math.exp(-1.0))  # what randomized response has there


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("epsilon", [0.0, 0.2, 1.0])
def test_a_group_of_two_is_two_steps(seed, epsilon):
    """Three datasets in a row, of which neighbours keep the promise: the ends keep that of the group."""
    rng = np.random.default_rng(seed)
    rows = [*random_pair(rng, 3), random_pair(rng, 3)[0]]
    steps = [(rows[0], rows[1]), (rows[1], rows[0]), (rows[1], rows[2]), (rows[2], rows[1])]
    delta = min(1.0, max(float(np.exp(FinitePair.of(*step).log_delta(epsilon).upper)) for step in steps))
    promise = ApproxDP(epsilon, delta).group(2)
    reached = float(np.exp(FinitePair.of(rows[0], rows[2]).log_delta(promise.stated_epsilon).lower))
    assert reached <= promise.stated_delta * (1 + 1e-9) + 1e-15


def test_the_delta_of_a_group():
    assert ApproxDP(1.0, 1e-6).group(3).stated_delta == pytest.approx(1e-6 * (1 + math.e + math.e**2), rel=1e-13)
    assert ApproxDP(0.0, 1e-6).group(3).stated_delta == pytest.approx(3e-6, rel=1e-15)
    assert ApproxDP(710.0, 1e-6).group(3) == ApproxDP(2130.0, 1.0)


def test_where_delta_is_one_nothing_is_promised():
    nothing = ApproxDP(0.0, 1.0)
    assert float(nothing.power(0.0)) == 1.0
    assert float(nothing.delta(100.0)) == 1.0
    assert float(nothing.tail(100.0)) == 1.0


@pytest.mark.parametrize("epsilon", [1e8, 1e20, 1e308])
def test_an_epsilon_beyond_all_measure_still_has_its_delta(epsilon):
    promise = ApproxDP(epsilon, 1e-6)
    assert float(promise.delta(1.0).upper) == 1.0
    assert 1e-6 <= float(promise.delta(math.nextafter(epsilon, math.inf)).upper) <= 1.0
    assert float(promise.power(0.05).upper) == 1.0
