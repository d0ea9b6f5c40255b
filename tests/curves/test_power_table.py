"""Bounds on the power at some levels against random pairs that keep them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pairs import Vectors, finite_pairs

from whit.curves import FinitePair, PowerTable
from whit.errors import InvalidInput

LEVELS = st.lists(st.floats(0.001, 0.9), min_size=1, max_size=4)


@given(finite_pairs(), LEVELS, st.floats(-30.0, -1e-9), st.floats(-4.0, 8.0))
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
    with pytest.raises(InvalidInput, match=r"powers must be as many as the levels, of which there are 1; got 2 values"):
        PowerTable(np.array([0.1]), np.array([0.2, 0.3]))
