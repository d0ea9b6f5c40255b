"""Divergences between two coins against 50 digits, and the extreme coins against the divergence itself."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whit.guarantees.coins import Within, log_moment, moment_error

mpmath.mp.dps = 50
logs = st.floats(-60.0, -1e-9)


def exact(s: float, log_p: float, log_q: float) -> mpmath.mpf:
    p, q = mpmath.exp(mpmath.mpf(log_p)), mpmath.exp(mpmath.mpf(log_q))
    if s == 0:
        return p * mpmath.log(p / q) + (1 - p) * mpmath.log((1 - p) / (1 - q))
    order = 1 + mpmath.mpf(s)
    return mpmath.log(p**order * q ** (1 - order) + (1 - p) ** order * (1 - q) ** (1 - order))


@settings(max_examples=200)
@given(st.sampled_from([0.0, 1e-7, 0.01, 0.5, 3.0, 100.0, 1e6]), logs, logs)
def test_the_error_of_the_moment_is_within_its_bound(s, log_p, log_q):
    coins = np.array(s), np.array(log_p), np.array(log_q)
    moment = log_moment(*coins)
    error = moment_error(*coins, moment)
    assert abs(mpmath.mpf(float(moment)) - exact(s, log_p, log_q)) <= float(error)


@pytest.mark.parametrize("to_level", [True, False])
@pytest.mark.parametrize(("s", "gamma"), [(0.0, 0.5), (1.0, 0.1), (9.0, 2.0)])
def test_extreme_coins_have_exactly_the_bound(s, gamma, to_level):
    within = Within(np.array(s), np.array(gamma), to_level)
    level = np.array(np.log(0.05))
    power = within.largest_power(level)
    pair = (float(power), float(level)) if to_level else (float(level), float(power))
    assert float(exact(s, *pair)) / (s or 1.0) == pytest.approx(gamma, rel=1e-9)
    assert float(within.smallest_level(power)) == pytest.approx(float(level), rel=1e-9)
    assert float(within.largest_on_ray(power - level)) == pytest.approx(float(power), rel=1e-9)


def test_certain_coins():
    sure, even = np.array(0.0), np.array(np.log(0.5))
    assert float(log_moment(np.array(1.0), sure, sure)) == 0.0
    assert float(log_moment(np.array(1.0), sure, even)) == pytest.approx(np.log(2.0), rel=1e-14)
    assert float(log_moment(np.array(1.0), even, sure)) == np.inf


def test_leniency_allows_more():
    strict, lenient = (Within(np.array(2.0), np.array(0.3), True, leniency) for leniency in (0.0, 1.0))
    level = np.array(np.log(1e-3))
    assert strict.largest_power(level) < lenient.largest_power(level)
    assert lenient.largest_power(level) == pytest.approx(strict.largest_power(level), rel=1e-12)


@settings(max_examples=100)
@given(st.floats(1e-3, 50.0), st.floats(1e-6, 5.0), logs, logs, st.booleans())
def test_a_search_ends_at_the_edge_wherever_it_starts(s, gamma, log_level, start, to_level):
    within = Within(np.array(s), np.array(gamma), to_level)
    level = np.array(log_level)
    power = within.largest_power(level)
    assert bool(within.holds(power, level))
    assert power == 0.0 or not within.holds(np.nextafter(power, np.inf), level)
    # Where rounding makes the divergence waver, several doubles are an edge.
    for near in (np.array(start), power):
        assert within.largest_power(level, near) == pytest.approx(float(power), rel=1e-9, abs=1e-15)


def test_many_searches_at_once_find_what_each_finds_alone():
    levels = np.log(np.linspace(0.001, 0.999, 3000))
    within = Within(np.array(2.0), np.array(0.7), True)
    together = within.largest_power(levels)
    alone = [float(within.largest_power(levels[i])) for i in range(0, 3000, 500)]
    assert together[::500] == pytest.approx(alone, rel=1e-12)
