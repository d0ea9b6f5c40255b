"""Directed rounding, against exact rational arithmetic."""

import math
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import InvalidInput
from whit.numerics import (
    ULP,
    add_down,
    add_up,
    doubles_around,
    down,
    reciprocal_up,
    round_down,
    round_up,
    square_root,
    times_down,
    times_up,
    up,
)

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


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_a_number_alone_is_rounded_as_it_is_among_others(a, b):
    for rounded in (add_down, add_up):
        alone, among = rounded(a, b), rounded([a, 0.5], [b, 0.25])
        assert alone.shape == ()
        assert alone.tobytes() == among[0].tobytes() or (math.isnan(alone) and math.isnan(among[0]))
    for rounded in (times_down, times_up):
        alone, among = rounded(abs(a), abs(b)), rounded([abs(a), 0.5], [abs(b), 0.25])
        assert alone.tobytes() == among[0].tobytes() or (math.isnan(alone) and math.isnan(among[0]))
    for moved in (up, down):
        assert moved(a, 3).tobytes() == moved([a, 0.5], 3)[0].tobytes()


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


NOT_NEGATIVE = st.floats(min_value=0.0, allow_nan=False, allow_infinity=False)
SHORT = st.integers(0, 4096).map(lambda n: n / 64.0)


@given(NOT_NEGATIVE | SHORT, NOT_NEGATIVE | SHORT)
def test_a_product_is_enclosed_and_away_from_the_ends_of_the_doubles_as_tightly_as_can_be(a, b):
    exact = Fraction(a) * Fraction(b)
    low, high = float(times_down(a, b)), float(times_up(a, b))
    assert Fraction(low) <= exact
    assert math.isinf(high) or exact <= Fraction(high)
    if Fraction(1, 2**899) < exact < 2**899 and max(a, b) < 2.0**899:
        assert high == low if exact == Fraction(low) else high == math.nextafter(low, math.inf)


@given(NOT_NEGATIVE | SHORT)
def test_a_reciprocal_is_not_below_the_truth_and_away_from_the_ends_as_tight_as_can_be(x):
    found = float(reciprocal_up(x))
    if x == 0.0:
        assert found == math.inf
        return
    assert math.isinf(found) or Fraction(found) * Fraction(x) >= 1
    if 2.0**-899 < x < 2.0**899:
        assert Fraction(math.nextafter(found, 0.0)) * Fraction(x) < 1


@pytest.mark.parametrize("x", [0.5, 0.1, 0.01, 0.2, 0.25, 0.05])
def test_the_reciprocal_of_a_round_number_is_round(x):
    assert float(reciprocal_up(x)) == round(1 / x)


def test_products_with_no_end_and_with_nothing_are_what_they_are():
    assert times_down(math.inf, 2.0) == times_up(math.inf, 0.5) == math.inf
    assert times_down(0.0, 1e300) == times_up(0.0, 1e300) == 0.0
    assert times_down(LARGEST, 2.0) == LARGEST
    assert times_up(LARGEST, 2.0) == math.inf


def test_the_doubles_around_a_fraction_hold_it_and_do_not_overflow() -> None:
    huge, third = Fraction(10) ** 400, Fraction(1, 3)
    assert doubles_around(huge) == (LARGEST, math.inf)
    assert doubles_around(-huge) == (-math.inf, -LARGEST)
    assert doubles_around(third)[0] < third < doubles_around(third)[1]
    assert doubles_around(Fraction(1, 4)) == (0.25, 0.25)


@pytest.mark.parametrize("power", [-600, -301, -300, -1, 0, 1, 7, 300, 601])
@pytest.mark.parametrize("digit", [1, 2, 3, 7])
def test_a_root_is_the_double_nearest_to_it_however_large_the_square_is(power, digit):
    with mpmath.workdps(400):
        truth = mpmath.sqrt(mpmath.mpf(digit) * mpmath.mpf(10) ** power)
        assert square_root(Fraction(digit) * Fraction(10) ** power) == float(truth)
