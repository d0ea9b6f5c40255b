"""The ends of a finding: which side of the truth is known, and what is said of both."""

from __future__ import annotations

import copy
import math
import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import Incompatible, InvalidInput, NotImplied
from whit.numerics import Bracket
from whit.theory import Basis, Direction, Finding, Quantity, Unit

AT_MOST, AT_LEAST, EXACTLY, ABOUT = Direction
POWER = Quantity("power", Unit.PROBABILITY)
EPSILON = Quantity("epsilon", Unit.NUMBER)
ALLOWANCE = Quantity("largest epsilon that meets the limit", Unit.NUMBER, less_is_worse=True)
BASIS = Basis(("neyman-pearson",), slack=1e-15, truncation=1e-20)

two = st.lists(st.floats(allow_nan=False), min_size=2, max_size=2).map(sorted)


def finding(value, direction=AT_MOST, quantity=POWER, *, other_end=None, basis=BASIS) -> Finding:
    return Finding(quantity, value, direction, {"level": 0.05}, basis, other_end)


def between(lower=0.25, upper=0.75, quantity=POWER, direction=AT_MOST) -> Finding:
    """A finding with two ends, of which the direction says which one is the value."""
    value, other = (lower, upper) if direction is AT_LEAST else (upper, lower)
    return finding(value, direction, quantity, other_end=other)


# Which sides are known


@pytest.mark.parametrize(
    ("direction", "lower", "upper"), [(AT_MOST, None, 0.5), (AT_LEAST, 0.5, None), (ABOUT, None, None)]
)
def test_a_side_that_is_not_known_is_not_invented(direction, lower, upper):
    asked = finding(0.5, direction)
    assert (asked.lower, asked.value, asked.upper) == (lower, 0.5, upper)
    assert asked.other_end is None
    assert not asked.is_two_sided


@pytest.mark.parametrize("direction", [AT_LEAST, ABOUT])
def test_an_upper_bound_that_is_not_known_is_refused(direction):
    message = f"power is not known above; got a finding that it is {direction.value} 50 %. Ask for a side that is known"
    with pytest.raises(NotImplied, match=message):
        finding(0.5, direction).upper_bound()


def test_an_upper_bound_that_is_known_is_the_upper_end():
    assert finding(0.5).upper_bound() == 0.5
    assert between(direction=AT_LEAST).upper_bound() == 0.75
    assert finding(0.5, EXACTLY, basis=Basis.of("cells")).upper_bound() == 0.5


@pytest.mark.parametrize("direction", [AT_MOST, AT_LEAST])
def test_two_ends_are_two_ends_in_either_direction(direction):
    made = between(direction=direction)
    assert (made.lower, made.upper) == (0.25, 0.75)
    assert made.value == (0.75 if direction is AT_MOST else 0.25)
    assert made.is_two_sided
    assert (made.quantity, dict(made.inputs), made.basis) == (POWER, {"level": 0.05}, BASIS)


def test_the_value_of_a_bound_stands_alone_if_asked_to():
    assert between().bound == finding(0.75)
    assert between(direction=AT_LEAST).bound == finding(0.25, AT_LEAST)
    assert finding(0.5).bound == finding(0.5)
    assert finding(0.5, ABOUT).bound == finding(0.5, ABOUT)


def test_the_lower_end_stands_alone_if_asked_to():
    assert between().below == between(direction=AT_LEAST).below == finding(0.25, AT_LEAST)
    assert finding(0.5).below == finding(0.5)
    assert finding(0.5, ABOUT).below == finding(0.5, ABOUT)


@pytest.mark.parametrize("quantity", [EPSILON, ALLOWANCE], ids=["risk", "allowance"])
def test_the_value_of_an_exact_finding_is_its_safe_end(quantity):
    rounded = Basis(("cells",), slack=1e-3)
    exact = finding(0.5, EXACTLY, quantity, basis=rounded)
    assert exact.lower < 0.5 < exact.upper
    assert exact.value == (exact.lower if quantity is ALLOWANCE else exact.upper)
    safe = AT_LEAST if quantity is ALLOWANCE else AT_MOST
    assert exact.bound == finding(exact.value, safe, quantity, basis=rounded)
    assert exact.below == finding(exact.lower, AT_LEAST, quantity, basis=rounded)
    assert not exact.is_two_sided


# The ends of an exact number


def test_an_exact_finding_has_every_side():
    exact = finding(0.5, EXACTLY, basis=Basis.of("cells"))
    assert exact.lower == exact.value == exact.upper == 0.5


@pytest.mark.parametrize("value", [0.3, -7.0, 1e-300, 5e-324, 1e300, 1.7e308])
@pytest.mark.parametrize("slack", [1e-16, 1e-9, 0.1])
def test_the_sides_of_an_exact_finding_are_its_slack_away(value, slack):
    exact = finding([value, -value], EXACTLY, EPSILON, basis=Basis(("cells",), slack=slack))
    # Worked out in rational numbers; the rounding of the move itself may cost two doubles on each side.
    for number, lower, upper in zip([value, -value], exact.lower, exact.upper, strict=True):
        true, away = Fraction(number), abs(Fraction(number)) * Fraction(slack)
        assert lower <= true - away
        assert upper >= true + away
        if math.isfinite(upper) and math.isfinite(lower):
            doubles = Fraction(2 * math.ulp(upper) + 2 * math.ulp(lower))
            assert Fraction(upper) - true <= away + doubles
            assert true - Fraction(lower) <= away + doubles


def test_zero_and_infinity_are_not_widened():
    exact = finding([0.0, math.inf, -math.inf], EXACTLY, EPSILON, basis=Basis(("cells",), slack=0.1))
    for end in (exact.lower, exact.value, exact.upper):
        assert np.array_equal(end, [0.0, math.inf, -math.inf])


def test_a_widened_probability_stays_one():
    exact = finding([1.0, 0.0], EXACTLY, basis=Basis(("cells",), slack=0.1))
    assert np.array_equal(exact.upper, [1.0, 0.0])
    assert np.array_equal(exact.lower, [0.9, 0.0]) or exact.lower[0] == np.nextafter(0.9, 0.0)


def test_an_exact_finding_that_knows_both_ends_is_not_widened():
    exact = finding(0.75, EXACTLY, other_end=0.25)
    assert (exact.lower, exact.value, exact.upper) == (0.25, 0.75, 0.75)
    assert replace(exact, basis=BASIS | Basis.of("cells")).lower == 0.25


# Sentences and arithmetic


@pytest.mark.parametrize(
    ("ends", "sentence"),
    [
        ((0.25, 0.75), "power is between 25 % and 75 %"),
        ((0.12516, 0.12517), "power is 12.6 % (rounded up)"),
        ((0.5, 0.5), "power is exactly 50 %"),
        (([0.1, 0.6], [0.9, 0.8]), "power is between 10 % and 90 % (the largest of 2 values)"),
    ],
)
def test_two_ends_are_a_sentence(ends, sentence):
    assert str(between(*ends)) == sentence
    assert repr(between(*ends)) == f"<Finding: {sentence}>"


def test_as_a_float_two_ends_are_their_value():
    assert float(between()) == 0.75
    assert float(between(direction=AT_LEAST)) == 0.25


def test_ends_of_many_numbers_are_no_float():
    with pytest.raises(InvalidInput, match="must hold one number to become a float; got 2 numbers"):
        float(between([0.1, 0.2], [0.4, 0.4]))


def test_arithmetic_is_refused():
    with pytest.raises(Incompatible, match="arithmetic or comparison with a finding is refused"):
        between() + 1.0
    with pytest.raises(Incompatible, match="got power is between 25 % and 75 %. Write float"):
        _ = np.ones(2) < between()


# What two ends may be


@pytest.mark.parametrize("direction", [AT_MOST, AT_LEAST, EXACTLY])
@pytest.mark.parametrize("ends", [(0.4, 0.3), ([0.1, 0.5], [0.2, 0.4])])
def test_crossed_ends_are_refused(ends, direction):
    message = "power must have its lower end at or below its upper end.*Widen the bounds by the error"
    with pytest.raises(InvalidInput, match=message):
        between(ends[0], ends[1], direction=direction)


@pytest.mark.parametrize("ends", [(0.1, [0.2, 0.3]), ([0.1, 0.2], 0.4), ([0.1], [[0.2]])], ids=str)
def test_ends_of_different_shapes_are_refused(ends):
    with pytest.raises(InvalidInput, match="power must have .* both of one shape"):
        between(*ends)


def test_ends_are_read_only():
    made = between([0.1, 0.2], [0.3, 0.4])
    with pytest.raises(ValueError, match="read-only"):
        made.lower[0] = 0.0


@pytest.mark.parametrize("end", [math.nan, "0.1", [], -0.1, 1.5], ids=repr)
def test_an_end_is_a_number_that_its_unit_allows(end):
    with pytest.raises(InvalidInput, match="power must "):
        finding(0.5, other_end=end)


def test_an_estimate_has_no_ends():
    with pytest.raises(
        InvalidInput, match=r"an estimate must not have ends; neither is known; got 0\.25\. Leave them out"
    ):
        finding(0.5, ABOUT, other_end=0.25)


@pytest.mark.parametrize("part", ["quantity", "basis"])
def test_a_finding_is_about_a_quantity_and_rests_on_a_basis(part):
    with pytest.raises(InvalidInput, match=f"the {part} of a finding must be a .*; got power. Use whit.theory"):
        replace(finding(0.5), **{part: "power"})


# Of a bracket


@pytest.mark.parametrize("quantity", [EPSILON, ALLOWANCE], ids=["risk", "allowance"])
@pytest.mark.parametrize(
    ("direction", "value", "lower", "upper"),
    [(AT_MOST, 0.75, None, 0.75), (AT_LEAST, 0.25, 0.25, None), (ABOUT, 0.375, None, None)],
)
def test_a_bracket_gives_the_end_of_its_direction(quantity, direction, value, lower, upper):
    made = Finding.of_bracket(quantity, Bracket(0.25, 0.375, 0.75), direction, {"level": 0.05}, BASIS)
    assert made == finding(value, direction, quantity)
    assert (made.lower, made.upper) == (lower, upper)


@pytest.mark.parametrize(("quantity", "value"), [(EPSILON, 0.75), (ALLOWANCE, 0.25)], ids=["risk", "allowance"])
def test_an_exact_bracket_keeps_both_ends_and_is_read_by_the_safe_one(quantity, value):
    made = Finding.of_bracket(quantity, Bracket(0.25, 0.375, 0.75), EXACTLY, {"level": 0.05}, BASIS)
    assert (made.lower, made.value, made.upper) == (0.25, value, 0.75)
    assert not made.is_two_sided


def test_a_bracket_is_cut_at_what_its_unit_allows():
    wide = Bracket(np.array([-0.25, 0.75]), np.array([-0.125, 1.125]), np.array([0.5, 1.25]))
    ends = {each: Finding.of_bracket(POWER, wide, each, {}, BASIS).value.tolist() for each in Direction}
    assert ends == {AT_MOST: [0.5, 1.0], AT_LEAST: [0.0, 0.75], EXACTLY: [0.5, 1.0], ABOUT: [0.0, 1.0]}
    assert Finding.of_bracket(POWER, wide, EXACTLY, {}, BASIS).lower.tolist() == [0.0, 0.75]


# There and back


@given(two, st.sampled_from([EPSILON, ALLOWANCE]), st.sampled_from([AT_MOST, AT_LEAST]))
def test_json_reads_back_to_equal_ends(ends, quantity, direction):
    original = between(ends[0], ends[1], quantity=quantity, direction=direction)
    assert Finding.from_json(original.to_json()) == original


@given(two, st.sampled_from([EPSILON, ALLOWANCE]))
def test_json_of_an_exact_number_keeps_both_ends(ends, quantity):
    original = Finding.of_bracket(quantity, Bracket(ends[0], ends[0], ends[1]), EXACTLY, {}, BASIS)
    again = Finding.from_json(original.to_json())
    assert again == original
    assert [again.lower, again.upper] == ends


def test_json_of_an_array_reads_back_too():
    original = between([[0.1, 0.2]], [[0.5, 1.0]])
    assert Finding.from_json(original.to_json()) == original


def test_a_copy_is_equal_and_has_the_same_hash():
    original = between()
    for again in (pickle.loads(pickle.dumps(original)), copy.deepcopy(original)):
        assert again == original
        assert hash(again) == hash(original)
