"""Numbers that were given are shown as they were given, and no other number is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.telling.reports.wording import words_of

given_number = words_of("en").given_number


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.25 / (0.05 * 0.2), "25"), (3.0, "3"), (0.3 / 0.1, "3"), (1.2345, "1.2345"), (24.999, "24.999"), (0.0, "0")],
)
def test_the_shortest_decimal_within_rounding_is_shown(number, text):
    assert given_number(number) == text


@given(st.floats(1.0, 1e5))
def test_what_is_no_short_decimal_is_rounded_down(number):
    assert float(given_number(number)) <= number * (1 + 1e-12)
