"""Sums and products of parameters are never below the exact ones, and next to them."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stopwatch import at_most

from whit.guarantees.guarantee import group_delta_up, product_up, root_of_squares_up, sum_up

numbers = st.floats(0.0, 1e10)


@given(st.integers(1, 10**7), numbers)
def test_products_are_rounded_up(count, value):
    found = product_up(count, value)
    assert Fraction(found) >= count * Fraction(value)
    assert found == 0.0 or Fraction(math.nextafter(found, 0.0)) < count * Fraction(value)


@given(st.lists(numbers, max_size=6))
def test_sums_are_rounded_up(values):
    found, exact = sum_up(values), sum(map(Fraction, values))
    assert Fraction(found) >= exact
    assert found == 0.0 or Fraction(math.nextafter(found, 0.0)) < exact


def test_a_product_beyond_the_doubles_is_infinite():
    assert product_up(10, 1e308) == math.inf


@given(st.integers(2, 50), st.floats(1e-6, 5.0), st.floats(1e-300, 1e-3))
def test_the_delta_of_a_group_is_rounded_up(size, epsilon, delta):
    exact = delta * mpmath.expm1(size * mpmath.mpf(epsilon)) / mpmath.expm1(epsilon)
    found = group_delta_up(size, epsilon, delta)
    assert found >= min(1, exact)
    assert found <= min(1, exact) * (1 + 1e-11)


@pytest.mark.parametrize(("size", "epsilon", "delta"), [(1, 3.0, 0.25), (7, 3.0, 0.0)])
def test_one_record_or_no_delta_stay_as_they_are(size, epsilon, delta):
    assert group_delta_up(size, epsilon, delta) == delta


@given(st.floats(1e-100, 1e10), st.integers(1, 9), st.floats(1e-100, 1e10), st.integers(1, 9))
def test_equal_numbers_are_summed_by_their_count_as_one_by_one(first, often, second, seldom):
    listed = [first] * often + [second] * seldom
    exact = sum(map(Fraction, listed))
    assert Fraction(math.nextafter(sum_up(listed), -math.inf)) < exact <= Fraction(sum_up(listed))
    root, squares = root_of_squares_up(listed), sum(Fraction(value) ** 2 for value in listed)
    assert Fraction(root) ** 2 >= squares
    assert Fraction(root) ** 2 <= squares * (1 + Fraction(1, 2**50))


def test_a_million_numbers_are_summed_in_a_moment():
    with at_most(seconds=1.5):
        assert sum_up([0.0093] * 1_000_000) == product_up(1_000_000, 0.0093)
        assert root_of_squares_up([0.25] * 1_000_000) == 250.0
