"""Numbers on a grid of decimals: never on the wrong side, never further than the next one."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.annotate import RiskColumns, rounded_down, rounded_up, whole_rounded_up
from whit.errors import InvalidInput

ORDINARY = st.floats(min_value=1e-300, max_value=1e300)
DIGITS = st.integers(1, 4)


def neighbours(value: float, digits: int) -> list[float]:
    """The doubles of the decimals around a value, by the decimal module, and of those one further on each side."""
    found = []
    for rounding in (ROUND_FLOOR, ROUND_CEILING):
        context = Context(prec=digits, rounding=rounding)
        middle = context.plus(Decimal(value))
        found += [context.next_minus(middle), middle, context.next_plus(middle)]
    return sorted({float(each) for each in found})


@given(ORDINARY, DIGITS)
def test_the_number_above_is_the_smallest_of_the_grid_that_is_not_below(value, digits):
    assert rounded_up([value], digits)[0] == min(each for each in neighbours(value, digits) if each >= value)


@given(ORDINARY, DIGITS)
def test_the_number_below_is_the_largest_of_the_grid_that_is_not_above(value, digits):
    assert rounded_down([value], digits)[0] == max(each for each in neighbours(value, digits) if each <= value)


@given(st.integers(1, 10**6), st.integers(-200, 200), DIGITS)
def test_a_number_of_the_grid_stays(mantissa, power, digits):
    value = float(f"{mantissa % 10**digits or 1}e{power}")
    assert rounded_up([value], digits)[0] == value == rounded_down([value], digits)[0]


@given(st.floats(), DIGITS)
def test_every_double_stays_or_moves_to_its_side(value, digits):
    up, down = rounded_up([value], digits)[0], rounded_down([value], digits)[0]
    if math.isnan(value):
        assert math.isnan(up)
        assert math.isnan(down)
    else:
        assert down <= value <= up
        assert value > 0 or up == value == down


@given(st.integers(0, 2**63 - 1), DIGITS)
def test_a_whole_number_goes_up_to_so_many_digits(value, digits):
    unit = 10 ** max(0, len(str(value)) - digits)
    exact = -(-value // unit) * unit
    found = int(whole_rounded_up([value], digits)[0])
    assert found == exact or (found == value and value > 2**63 - 1 - unit)


def test_an_array_is_rounded_number_by_number():
    values = np.exp(np.random.default_rng(7).normal(-3.0, 4.0, 2000))
    assert rounded_up(values, 3).tolist() == [float(rounded_up([each], 3)[0]) for each in values]


@pytest.mark.parametrize("digits", [-1, 7, 2.0, True])
def test_other_digits_are_refused(digits):
    with pytest.raises(InvalidInput, match="digits must be a whole number from 0 to 6"):
        RiskColumns(digits=digits)
