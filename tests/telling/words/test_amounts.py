"""Numbers for officers keep their direction and are rounded to the safe side."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.telling.words.language import language_of
from whit.telling.words.numbers import amount, given_amount, read_back, upper
from whit.theory import Basis, Direction, Failure, Finding, Quantity, Randomness, Unit

WORDS = language_of("en")
RATIO = Quantity("ratio", Unit.NUMBER)
BASIS = Basis.of("neyman-pearson")


def finding(value: float, direction: Direction, basis: Basis = BASIS) -> Finding:
    return Finding(RATIO, value, direction, {}, basis)


@pytest.mark.parametrize(
    ("direction", "said"),
    [
        (Direction.AT_MOST, "at most 1.24"),
        (Direction.AT_LEAST, "at least 1.23"),
        (Direction.ABOUT, "about 1.24"),
        (Direction.EXACTLY, "1.24 (rounded up)"),
    ],
)
def test_a_number_is_told_with_its_direction(direction, said):
    assert amount(finding(1.2345, direction), WORDS).text == said


def test_a_number_that_is_shown_in_full_is_exact():
    assert amount(finding(1.5, Direction.EXACTLY), WORDS).text == "exactly 1.5"


def test_an_exact_number_with_rounding_error_is_not_called_exact():
    assert amount(finding(1.5, Direction.EXACTLY, Basis(("neyman-pearson",), slack=1e-15)), WORDS).text != "exactly 1.5"


def test_an_interval_is_told_by_its_upper_end():
    exact = Finding(RATIO, 1.2347, Direction.EXACTLY, {}, BASIS, 1.2)
    assert amount(exact, WORDS).text == "1.24 (rounded up)"


def test_a_bound_on_both_sides_is_told_by_both_ends():
    both = Finding(RATIO, 1.2347, Direction.AT_MOST, {}, BASIS, 0.81)
    assert amount(both, WORDS).text == "between 0.81 and 1.24"


def test_what_has_no_bound_is_not_told_as_a_number():
    assert amount(finding(math.inf, Direction.AT_MOST), WORDS).numbers == ()


@given(st.floats(min_value=1e-12, max_value=1e12))
def test_an_upper_bound_read_back_is_never_below_its_finding(value):
    said = amount(finding(value, Direction.AT_MOST), WORDS).numbers[0]
    assert said.value >= value
    assert read_back(said.text) == said.value


def test_what_was_given_is_repeated_or_called_about():
    known = finding(1.0, Direction.AT_MOST)
    assert given_amount(known, "prior", 0.125, WORDS).text == "12.5 %"
    assert given_amount(known, "prior", 1 / 3, WORDS).text == "about 33.3333 %"


def test_a_chance_of_failure_is_rounded_up():
    assert upper(0.012345, Unit.PROBABILITY, finding(1.0, Direction.AT_MOST), "failure", WORDS).text == "1.24 %"


def test_chances_over_different_randomness_are_told_apart():
    from whit.telling.words.officer import failure as told

    both = (Failure(0.01, Randomness.MECHANISM), Failure(0.02, Randomness.SIMULATION))
    text = told(finding(1.0, Direction.AT_MOST, Basis(("neyman-pearson",), failures=both)), WORDS).text
    assert "1 % over the noise of the release" in text
    assert "2 % over the draws of a simulation" in text


CHANCE = Quantity("chance", Unit.PROBABILITY)


@pytest.mark.parametrize(
    ("value", "direction", "said"),
    [
        (0.9999, Direction.AT_MOST, "possibly more than 99.9 %"),
        (0.9999, Direction.ABOUT, "possibly more than 99.9 %"),
        (0.9999, Direction.EXACTLY, "more than 99.9 %"),
        (0.99999, Direction.AT_LEAST, "more than 99.9 %"),
        (0.999, Direction.AT_MOST, "at most 99.9 %"),
        (1.0, Direction.AT_MOST, "possibly 100 % (nothing is ruled out)"),
        (1.0, Direction.EXACTLY, "exactly 100 %"),
    ],
)
def test_all_but_certainty_is_said_without_digits_and_certainty_never_alone(value, direction, said):
    assert amount(Finding(CHANCE, value, direction, {}, BASIS), WORDS).text == said


def test_both_ends_are_said_without_digits_where_the_upper_one_is_all_but_certain():
    ends = [Finding(CHANCE, high, Direction.AT_MOST, {}, BASIS, 0.25) for high in (0.9995, 1.0)]
    assert [amount(each, WORDS).text for each in ends] == [
        "at least 25 % and possibly more than 99.9 %",
        "at least 25 %, and nothing above is ruled out",
    ]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.1334, "at most 13.4 percentage points"),
        (0.01, "at most 1 percentage point"),
        (-0.2336, "at most -23.3 percentage points"),
        (1e-9, "at most 1e-9"),
    ],
)
def test_a_difference_of_probabilities_is_said_in_percentage_points(value, said):
    assert amount(finding(value, Direction.AT_MOST), WORDS, points=True).text == said
