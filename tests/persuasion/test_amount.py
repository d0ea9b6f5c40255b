"""Amounts are compared and bracketed as exact arithmetic says."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.persuasion.amount import ZERO, Amount

fractions = st.fractions(min_value=Fraction(1, 10**6), max_value=10**6)


def value(amount: Amount) -> mpmath.mpf:
    """The amount in mpmath."""
    as_mp = lambda x: mpmath.mpf(x.numerator) / x.denominator  # noqa: E731
    roots = mpmath.sqrt(as_mp(amount.plus_root)) - mpmath.sqrt(as_mp(amount.minus_root))
    return as_mp(amount.rational) + mpmath.log(as_mp(amount.log_of)) + roots


@given(st.fractions(min_value=-5, max_value=5), fractions, fractions, fractions)
def test_a_bracket_holds_the_amount_between_neighbouring_doubles(rational, log_of, plus, minus):
    amount = Amount(rational, log_of, plus, minus)
    lower, upper = amount.bracket()
    assert mpmath.mpf(lower) <= value(amount) <= mpmath.mpf(upper)
    assert upper <= math.nextafter(math.nextafter(lower, math.inf), math.inf)


@given(fractions, fractions)
def test_a_logarithm_is_never_equal_to_a_double(first, second):
    gain = Amount(log_of=first / second)
    near = float(mpmath.log(mpmath.mpf((first / second).numerator) / (first / second).denominator))
    for limit in (near, math.nextafter(near, -math.inf), math.nextafter(near, math.inf)):
        assert gain.exceeds(limit) == bool(value(gain) > limit)


def test_equal_rationals_do_not_exceed_each_other():
    assert not Amount(Fraction(1, 4)).exceeds(0.25)
    assert Amount(Fraction(1, 4) + Fraction(1, 10**60)).exceeds(0.25)
    assert not Amount(log_of=Fraction(1)).exceeds(0.0)


def test_equal_square_roots_do_not_exceed_their_difference():
    assert not Amount(plus_root=Fraction(9, 25), minus_root=Fraction(1, 100)).exceeds(0.5)


@pytest.mark.parametrize(("first", "second", "sign"), [(1, 1, 0), (1, 0, 1), (0, 1, -1), (0, -1, 1), (-1, -1, 0)])
def test_infinities_cancel_only_against_their_own_kind(first, second, sign):
    assert Amount(sign=first).minus(Amount(sign=second)).sign == sign


def test_an_infinite_amount_exceeds_every_number_but_infinity():
    assert Amount(sign=1).exceeds(1e308)
    assert not Amount(sign=1).exceeds(math.inf)
    assert not Amount(sign=-1).exceeds(-1e308)
    assert not Amount(Fraction(10)).exceeds(math.inf)


def test_the_largest_is_found_among_different_kinds():
    amounts = [ZERO, Amount(log_of=Fraction(2)), Amount(Fraction(69, 100)), Amount(sign=-1)]
    assert max(amounts) == Amount(log_of=Fraction(2))
    assert max([*amounts, Amount(sign=1)]).sign == 1
