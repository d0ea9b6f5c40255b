"""Fractions as they are written, and the doubles next to them."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import InvalidInput
from whit.numerics import nearest_up, square_root
from whit.plans.amounts import checked_share, fraction, positive

fractions = st.fractions(min_value=Fraction(1, 10**9), max_value=10**9)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("447/4099", Fraction(447, 4099)),
        ("2.56", Fraction(64, 25)),
        (2.56, Fraction(64, 25)),
        (Decimal("0.07"), Fraction(7, 100)),
        (" 1e-3 ", Fraction(1, 1000)),
        (3, Fraction(3)),
    ],
)
def test_a_number_is_what_is_written(written, value):
    assert fraction("rho", written, "") == value


@pytest.mark.parametrize("wrong", ["", "one", "1/0", "nan", "inf", math.nan, math.inf, None, True, [], "1e999999999"])
def test_what_is_no_number_is_refused_by_name(wrong):
    with pytest.raises(InvalidInput, match="rho must be a number or a fraction"):
        fraction("rho", wrong, "Use 1.")


@given(fractions)
def test_a_fraction_survives_its_text(number):
    assert fraction("x", str(number), "") == number


@given(fractions)
def test_the_double_above_is_the_nearest_that_is_not_below(number):
    above = nearest_up(number)
    assert Fraction(above) >= number
    assert Fraction(math.nextafter(above, -math.inf)) < number


@given(fractions)
def test_the_root_is_the_nearest_double(square):
    exact = mpmath.sqrt(mpmath.mpf(square.numerator) / square.denominator)
    assert abs(mpmath.mpf(square_root(square)) - exact) <= 0.5000001 * math.ulp(square_root(square))


@pytest.mark.parametrize(
    ("check", "wrong", "said"),
    [
        (positive, "0", "above 0; got 0"),
        (positive, "-1/3", "above 0; got -1/3"),
        (checked_share, "1.1", "in \\[0, 1\\]; got 11/10"),
        (positive, "1e-200", "between 1e-120 and 1e120"),
        (checked_share, "-0.1", "in \\[0, 1\\]"),
    ],
)
def test_numbers_outside_of_their_range_are_refused(check, wrong, said):
    with pytest.raises(InvalidInput, match=f"x must (be|lie) .*{said}"):
        check("x", wrong, "Correct it.")
