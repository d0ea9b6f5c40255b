"""Chances are told out of one number, on the safe side, and never as none or all."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.telling.words.language import language_of
from whit.telling.words.numbers import TOTALS, End, Start, alone, end_text, smallest_total, start_text
from whit.theory import Basis, Direction, Finding, Quantity, Unit

WORDS = language_of("en")
CHANCE = Quantity("chance", Unit.PROBABILITY)
probabilities = st.floats(min_value=0.0, max_value=1.0)


def finding(value: float, direction: Direction = Direction.AT_MOST) -> Finding:
    return Finding(CHANCE, value, direction, {}, Basis.of("neyman-pearson"))


def told(value: float, total: int, direction: Direction = Direction.AT_MOST) -> str:
    return end_text(End(finding(value, direction), value), total, WORDS).text


def parsed(text: str) -> tuple[int, int]:
    """The count and the total of a chance, read from its text."""
    count, total = re.findall(r"([0-9,]+) out of ([0-9,]+)", text)[0]
    return int(count.replace(",", "")), int(total.replace(",", ""))


@given(probabilities, probabilities)
def test_an_upper_bound_is_never_understated_and_off_by_less_than_one(start, end):
    total = smallest_total([start], [end])
    text = told(end, total)
    if "out of" not in text:
        assert end in (0.0, 1.0)
        return
    count, shown_total = parsed(text)
    assert shown_total == total
    assert 0 < count < total
    if "or more" in text:
        assert count / total < end
    else:
        assert count / total >= end
        assert Fraction(count - 1, total) < Fraction(end)


@given(probabilities, probabilities)
def test_a_start_is_never_overstated_so_that_the_step_is_not_understated(start, end):
    total = smallest_total([start], [end])
    text = start_text(Start(finding(end), "prior", start), total, WORDS).text
    if "out of" in text:
        count, shown_total = parsed(text)
        assert shown_total == total
        assert 0 < count < total
        assert count / total <= start
    else:
        assert start in (0.0, 1.0) or start * TOTALS[-1] < 1.0


@given(st.floats(min_value=1e-5, max_value=0.99), st.floats(min_value=1e-5, max_value=0.99))
def test_a_step_is_not_shown_more_than_twice_as_large_while_that_can_be_helped(one, other):
    start, end = sorted((one, other))
    total = smallest_total([start], [end])
    if total < 1_000_000 and end > start:
        low, high = math.floor(Fraction(str(start)) * total), math.ceil(Fraction(str(end)) * total)
        assert high - low <= 2 * (Fraction(str(end)) - Fraction(str(start))) * total


@pytest.mark.parametrize(
    ("start", "end", "total"),
    [
        (0.05, 0.1359, 100),  # epsilon 1
        (0.05, 0.0505, 1_000),  # epsilon 0.01: out of 100 it would look like a whole point
        (0.5, 0.9931, 1_000),  # out of 100 it would be all of them
        (0.2, 0.99993, 1_000),  # more than 999 of 1,000: a larger total says it no better
        (0.001, 0.0027, 1_000),
        (0.025, 0.06, 1_000),  # 25 out of 1,000, and not 2 out of 100
        (1 / 3, 0.5, 100),  # never exact: no use to go on
    ],
)
def test_the_smallest_total_that_shows_the_step_is_taken(start, end, total):
    assert smallest_total([start], [end]) == total


def test_all_but_certainty_is_said_in_words():
    assert told(1 - 1e-9, 1_000_000) == "possibly 999,999 out of 1,000,000 or more"
    assert told(1.0, 100) == "possibly all of them"


def test_directions_have_their_words_and_their_rounding():
    assert told(0.1234, 100) == "at most 13 out of 100"
    assert told(0.1234, 100, Direction.EXACTLY) == "at most 13 out of 100"
    assert told(0.1234, 100, Direction.ABOUT) == "about 13 out of 100"
    assert told(0.1234, 100, Direction.AT_LEAST) == "at least 12 out of 100"
    assert told(1e-9, 100, Direction.AT_LEAST) == "more than none"


@given(st.floats(min_value=1e-300, max_value=0.5))
def test_a_chance_of_failure_is_never_understated(chance):
    text = alone(finding(0.5), "failure", chance, WORDS).text
    count, total = parsed(text)
    assert count / total >= chance
    assert count > 0
