"""Directed rounding, against exact rational arithmetic."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import InvalidInput
from whit.numerics import ULP, add_down, add_up, down, round_down, round_up, up

FINITE = st.floats(allow_nan=False, allow_infinity=False)
LARGEST = float(np.finfo(float).max)


def test_ulp_is_half_the_gap_above_one():
    assert math.ulp(1.0) / 2 == ULP


@given(FINITE, st.integers(1, 5))
def test_up_and_down_move_by_so_many_doubles(x, ulps):
    above = below = x
    for _ in range(ulps):
        above, below = math.nextafter(above, math.inf), math.nextafter(below, -math.inf)
    assert up(x, ulps) == above
    assert down(x, ulps) == below


def test_the_double_above_the_largest_is_infinity_and_infinities_stay_on_their_side():
    assert up([LARGEST, math.inf]).tolist() == [math.inf, math.inf]
    assert down([math.inf, -math.inf]).tolist() == [LARGEST, -math.inf]


@given(FINITE, FINITE)
def test_directed_sums_are_the_two_doubles_around_the_exact_sum(a, b):
    exact = Fraction(a) + Fraction(b)
    below, above = float(add_down(a, b)), float(add_up(a, b))
    assert below <= exact <= above
    assert below == above == exact or above == math.nextafter(below, math.inf)


@pytest.mark.parametrize(
    ("a", "b", "below", "above"),
    [
        (LARGEST, LARGEST, LARGEST, math.inf),
        (-LARGEST, -LARGEST, -math.inf, -LARGEST),
        (math.inf, -1.0, math.inf, math.inf),
        (-math.inf, 1.0, -math.inf, -math.inf),
        (1.0, 5e-324, 1.0, 1.0 + 2.0**-52),
    ],
)
def test_directed_sums_at_the_extremes(a, b, below, above):
    assert (float(add_down(a, b)), float(add_up(a, b))) == (below, above)


def test_directed_sums_broadcast():
    assert add_up(np.zeros((3, 1)), np.ones(2)).shape == (3, 2)
    assert add_down(1.0, 2.0).shape == ()


@given(FINITE, st.integers(1, 17))
def test_decimals_surround_the_number_and_are_one_step_apart(x, digits):
    below, above = round_down(x, digits), round_up(x, digits)
    assert below <= Decimal(x) <= above
    assert max(len(below.as_tuple().digits), len(above.as_tuple().digits)) <= digits
    if below != above:
        step = Fraction(10) ** min(below.as_tuple().exponent, above.as_tuple().exponent)
        assert Fraction(above) - Fraction(below) == step


@pytest.mark.parametrize(
    ("x", "digits", "below", "above"),
    [
        (0.12516, 3, "0.125", "0.126"),
        (0.125, 3, "0.125", "0.125"),
        (-0.12516, 3, "-0.126", "-0.125"),
        (0.9999, 3, "0.999", "1.00"),
        (123456.0, 2, "1.2E+5", "1.3E+5"),
        (0.0, 3, "0", "0"),
        (math.inf, 3, "Infinity", "Infinity"),
        (Decimal("12.51601"), 5, "12.516", "12.517"),
    ],
)
def test_known_decimals(x, digits, below, above):
    assert (round_down(x, digits), round_up(x, digits)) == (Decimal(below), Decimal(above))


def test_the_double_next_to_a_decimal_is_not_taken_for_it():
    assert round_up(0.1, 3) == Decimal("0.101")  # the double 0.1 lies above the decimal 0.1
    assert round_down(0.3, 3) == Decimal("0.299")  # the double 0.3 lies below the decimal 0.3


def test_nan_has_no_decimal():
    with pytest.raises(InvalidInput, match="x must be a number; got nan"):
        round_up(math.nan, 3)
