"""Searches that try many points at once end where a search point by point ends."""

from __future__ import annotations

import numpy as np
import pytest

from whit.guarantees.at_once import first_true, last_true
from whit.numerics import largest_true, smallest_true


@pytest.mark.parametrize("size", [1, 40, 5000])
def test_they_find_what_bisection_finds(size: int) -> None:
    edges = np.random.default_rng(size).exponential(size=size)
    low, high = np.zeros(size), np.full(size, 1e300)
    assert np.array_equal(last_true(lambda x: x <= edges, low, high), largest_true(lambda x: x <= edges, low, high))
    assert np.array_equal(first_true(lambda x: x >= edges, low, high), smallest_true(lambda x: x >= edges, low, high))


@pytest.mark.parametrize("near", [0.0, 0.7, 0.700000001, 1e5])
def test_where_they_start_makes_no_difference(near: float) -> None:
    low, high, start = np.zeros(3), np.full(3, 1e6), np.full(3, near)
    edges = np.array([0.7, 1e-300, 1e6])
    assert np.array_equal(last_true(lambda x: x <= edges, low, high, start), edges)
    assert np.array_equal(-first_true(lambda x: x >= -edges, -high, -low, -start), edges)
