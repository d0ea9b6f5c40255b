"""Sums of fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stopwatch import at_most

from whit.numerics import exact_sum


@given(st.lists(st.fractions(), max_size=20))
def test_the_sum_is_that_of_one_after_the_other(fractions):
    assert exact_sum(fractions) == sum(fractions, Fraction(0))


@pytest.mark.parametrize("number", [0, 1, 2, 3, 20_000])
def test_a_sum_of_differences_leaves_its_ends(number):
    with at_most(seconds=5):
        found = exact_sum(Fraction(1, n * (n + 1)) for n in range(1, number + 1))
    assert found == 1 - Fraction(1, number + 1)


def test_many_denominators_without_a_common_divisor_take_no_minutes():
    with at_most(seconds=5):
        found = exact_sum(Fraction(1, 1_000 + n) for n in range(20_000))
    assert float(found) == pytest.approx(sum(1.0 / (1_000 + n) for n in range(20_000)))
