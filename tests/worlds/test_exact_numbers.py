"""Numbers come in without rounding and go out with their rounding as slack."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from whit.errors import InvalidInput, NotImplied
from whit.theory import Direction, Quantity, Unit
from whit.worlds.exact import distribution, finding, probability, rational

CHANCE = Quantity("chance", Unit.PROBABILITY)
RATIO = Quantity("ratio", Unit.NUMBER)


@pytest.mark.parametrize("value", [0.1, np.float64(0.1), Fraction(0.1)])
def test_a_double_is_taken_to_the_last_bit(value: object) -> None:
    assert rational("x", value, "w") == Fraction(3602879701896397, 36028797018963968)


@pytest.mark.parametrize("value", [np.int64(3), 3, Fraction(3), np.float32(3)])
def test_whole_numbers_and_fractions_are_taken_as_they_are(value: object) -> None:
    assert rational("x", value, "w") == 3


@pytest.mark.parametrize("value", [math.nan, math.inf, "0.5", None, True, [0.5], 1j])
def test_what_is_no_finite_number_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput, match="x must be a finite number"):
        rational("x", value, "w")


@pytest.mark.parametrize("value", [-1e-300, 1.0000000000000002, Fraction(11, 10)])
def test_what_is_no_probability_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput, match=r"x must be a probability in \[0, 1\]"):
        probability("x", value, "w")


def test_probabilities_are_brought_to_sum_one_without_rounding() -> None:
    found = distribution("x", [0.1, 0.2, 0.7], "w")
    total = Fraction(0.1) + Fraction(0.2) + Fraction(0.7)
    assert total != 1
    assert found == (Fraction(0.1) / total, Fraction(0.2) / total, Fraction(0.7) / total)
    assert sum(found) == 1


@pytest.mark.parametrize("values", [[], [0.5, 0.4], [-0.5, 1.5], [0.5, 0.5 + 1e-8], "ab", 0.5])
def test_what_is_no_distribution_is_refused(values: object) -> None:
    with pytest.raises(InvalidInput, match="x must be a list of probabilities with sum 1|x must be a finite number"):
        distribution("x", values, "w")


@pytest.mark.parametrize(
    "value",
    [
        Fraction(1, 3),
        Fraction(2, 3),
        1 - Fraction(1, 10**40),
        Fraction(1, 10**310),
        Fraction(1, 10**400),
        Fraction(1, 7**99),
    ],
)
def test_the_bounds_around_an_exact_number_hold_it(value: Fraction) -> None:
    found = finding(CHANCE, value, Direction.EXACTLY, {}, "exact-posterior")
    assert Fraction(float(found.lower)) <= value <= Fraction(float(found.upper))
    assert float(found.upper) == math.nextafter(float(found.lower), 1.0)
    assert float(value) in (found.lower, found.upper)
    assert float(found) == found.upper
    assert found.basis.slack > 0


@pytest.mark.parametrize("value", [Fraction(0), Fraction(1), Fraction(3, 8)])
def test_a_number_that_is_a_double_has_no_slack(value: Fraction) -> None:
    found = finding(CHANCE, value, Direction.EXACTLY, {}, "exact-posterior")
    assert (float(found), found.basis.slack) == (value, 0.0)


def test_an_upper_bound_is_never_below_and_never_above_one() -> None:
    for value in (Fraction(1, 3), Fraction(2, 3), 1 - Fraction(1, 10**40)):
        assert value <= Fraction(float(finding(CHANCE, value, Direction.AT_MOST, {}, "exact-test"))) <= 1


def test_what_does_not_fit_a_double_is_refused_with_a_way_out() -> None:
    with pytest.raises(NotImplied, match=r"ratio does not fit a double; got about 10\^\d+. Ask .exact"):
        finding(RATIO, Fraction(10**400), Direction.EXACTLY, {}, "exact-posterior")
    assert float(finding(RATIO, math.inf, Direction.EXACTLY, {}, "exact-posterior")) == math.inf
