"""Trade-off functions through points: chords are what an adversary has at least."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pairs import Vectors, finite_pairs

from whit.curves import FinitePair, GaussianLoss, PowerTable, TradeOff
from whit.errors import InvalidInput

LEVELS = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=12)


@given(finite_pairs(), st.floats(-20.0, 0.0))
def test_the_vertices_of_a_finite_pair_give_its_power(vectors: Vectors, log_level: float) -> None:
    pair = FinitePair.of(*vectors)
    tradeoff = TradeOff(pair)
    between = np.interp(np.exp(log_level), tradeoff.levels, tradeoff.powers)
    np.testing.assert_allclose(between, np.exp(pair.log_power(log_level).mid), atol=1e-12)


@given(finite_pairs(), st.floats(-8.0, 8.0))
def test_the_vertices_of_a_finite_pair_give_its_profile(vectors: Vectors, epsilon: float) -> None:
    pair = FinitePair.of(*vectors)
    tradeoff = TradeOff(pair)
    largest = np.max(tradeoff.powers - np.exp(epsilon) * tradeoff.levels)
    np.testing.assert_allclose(largest, np.exp(pair.log_delta(epsilon).mid), atol=1e-12)


@given(st.floats(0.1, 4.0), LEVELS, st.floats(0.0, 1.0), st.floats(-6.0, 6.0))
def test_sampled_powers_are_a_lower_bound(mu: float, levels: list[float], level: float, epsilon: float) -> None:
    truth = GaussianLoss(mu)
    with np.errstate(divide="ignore"):
        sampled = TradeOff.through(np.array(levels), np.exp(truth.log_power(np.log(levels)).lower))
        assert sampled.log_power(np.log(level)).lower <= truth.log_power(np.log(level)).upper
    assert sampled.log_delta(epsilon).lower <= truth.log_delta(epsilon).upper
    assert sampled.reverse().log_delta(epsilon).lower <= truth.log_delta(epsilon).upper + 1e-14


def test_points_below_the_chord_of_others_are_dropped() -> None:
    hull = TradeOff.through(np.array([0.1, 0.2, 0.3]), np.array([0.5, 0.51, 0.8]))
    np.testing.assert_allclose(hull.levels, [0.0, 0.1, 0.3, 1.0], rtol=1e-15)
    np.testing.assert_allclose(hull.powers, [0.0, 0.5, 0.8, 1.0], rtol=1e-15)


def test_power_at_level_zero_is_infinite_loss() -> None:
    hull = TradeOff.through(np.array([0.0]), np.array([0.25]))
    np.testing.assert_allclose(np.exp(hull.log_delta(np.inf).mid), 0.25, rtol=1e-15)
    np.testing.assert_allclose(np.exp(hull.log_power(-np.inf).mid), 0.25, rtol=1e-15)


def test_the_reverse_is_the_inverse_function() -> None:
    """Level 0.1 and power 0.4 forwards is level 0.6 and power 0.9 backwards."""
    back = TradeOff.through(np.array([0.1]), np.array([0.4])).reverse()
    np.testing.assert_allclose(np.exp(back.log_power(np.log(0.6)).mid), 0.9, rtol=1e-15)


def test_points_that_no_test_has_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"levels must be .*; got .*Use false-positive rates"):
        TradeOff.through(np.array([1.5]), np.array([0.5]))
    with pytest.raises(InvalidInput, match=r"powers must be as many as the levels \(1\); got 2 values"):
        TradeOff.through(np.array([0.5]), np.array([0.5, 0.6]))


# Bounds on the power at some levels against random pairs that keep them


TABLED = st.lists(st.floats(0.001, 0.9), min_size=1, max_size=4)


@given(finite_pairs(), TABLED, st.floats(-30.0, -1e-9), st.floats(-4.0, 8.0))
def test_a_pair_that_keeps_the_table_keeps_all_that_it_implies(
    vectors: Vectors, levels: list[float], log_level: float, epsilon: float
) -> None:
    pair = FinitePair.of(*vectors)
    known = np.array(levels)
    powers = np.maximum(*(each.log_power(np.log(known)).exp().upper for each in (pair, pair.reverse())))
    table = PowerTable(known, np.minimum(powers, 1.0))
    for each in (pair, pair.reverse()):
        assert each.log_power(log_level).lower <= table.log_power(log_level).upper
        assert each.log_delta(epsilon).lower <= table.log_delta(epsilon).upper


def test_one_point_gives_the_two_lines() -> None:
    table = PowerTable(np.array([0.05]), np.array([0.2]))
    power = np.exp(table.log_power(np.log([0.01, 0.05, 0.1])).mid)
    np.testing.assert_allclose(power, [1 - 0.8 * 0.99 / 0.95, 0.2, 0.4], rtol=1e-13)


def test_the_reflection_bounds_large_levels() -> None:
    """Power 0.2 at level 0.05 in both orders: a level of 0.8 has at most the power 0.95."""
    table = PowerTable(np.array([0.05]), np.array([0.2]))
    assert float(np.exp(table.log_power(np.log(0.8)).mid)) == pytest.approx(0.95, rel=1e-13)
    assert table.reverse() is table


def test_a_bound_of_one_says_nothing() -> None:
    assert float(PowerTable(np.array([0.05]), np.array([1.0])).log_power(np.log(0.01)).mid) == 0.0


def test_tables_that_are_none_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"powers must be at least the levels, which guessing has"):
        PowerTable(np.array([0.2]), np.array([0.1]))
    with pytest.raises(InvalidInput, match=r"levels must lie in \(0, 1\)"):
        PowerTable(np.array([0.0]), np.array([0.1]))
    with pytest.raises(InvalidInput, match=r"powers must be as many as the levels \(1\); got 2 values"):
        PowerTable(np.array([0.1]), np.array([0.2, 0.3]))


@pytest.mark.parametrize("level", [1e-300, 3e-200, 1e-30])
@pytest.mark.parametrize("more", [1e-4, 0.37, 3.0])
def test_the_line_through_a_point_of_tiny_level_is_held(level, more):
    """Its slope is a ratio: logs of size 690 that cancel would leave an error of a hundred units."""
    power = level * (1 + more)
    asked = np.log([0.01, 0.1, 0.15])  # below 0.2, where the line from (1, 1) takes over at the latest
    found = PowerTable(np.array([level]), np.array([power])).log_power(asked)
    with mpmath.workdps(60):
        truth = [mpmath.log(mpmath.mpf(power) / mpmath.mpf(level)) + mpmath.mpf(x) for x in asked]
    assert all(low <= true <= high for low, true, high in zip(found.lower, truth, found.upper, strict=True))


@pytest.mark.parametrize("levels", [[0.5, 1.0], [0.0, 0.5]])
def test_one_level_at_an_end_is_enough_for_a_refusal(levels):
    with pytest.raises(InvalidInput, match=r"levels must lie in \(0, 1\)"):
        PowerTable(np.array(levels), np.array([0.6, 1.0]))
