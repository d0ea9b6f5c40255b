"""Sums and products of parameters are never below the exact ones, and next to them."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.guarantees.guarantee import group_delta_up, product_up, sum_up

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
