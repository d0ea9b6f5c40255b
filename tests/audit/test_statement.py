"""A statement leaves exactly the values of which an office may say it."""

from __future__ import annotations

import pytest
from every_table import agrees

from whit.audit import Between, Exact, Halves, Rounded, RoundedEitherWay, Suppressed, TopCoded

STATEMENTS = [
    Exact(7),
    *(Rounded(10, base) for base in (1, 5)),
    *(Rounded(12, base, halves) for base in (2, 4, 6) for halves in Halves),
    *(RoundedEitherWay(12, base) for base in (1, 2, 3, 4)),
    Between(3, 9),
    Between(None, 9),
    TopCoded(9),
    Suppressed(Between(1, 4)),
    Suppressed(),
]


@pytest.mark.parametrize("statement", STATEMENTS, ids=repr)
def test_the_ends_are_those_of_the_values_that_lead_to_the_statement(statement):
    for value in range(-5, 40):
        assert statement.leaves(value) == agrees(statement, value)


@pytest.mark.parametrize("value", [1.0, "1", True, None])
def test_only_whole_numbers_are_values(value):
    with pytest.raises(ValueError, match="value must be a whole number; got .*Count in a unit"):
        Exact(value)


def test_a_rounded_value_is_a_multiple_and_says_where_halves_go():
    with pytest.raises(ValueError, match="value must be a multiple of the base 5; got 12"):
        Rounded(12, 5)
    with pytest.raises(ValueError, match="halves must be given for an even base; got None"):
        Rounded(10, 10)
    with pytest.raises(ValueError, match="base must be at least 1; got 0"):
        RoundedEitherWay(0, 0)


def test_a_range_is_in_order():
    with pytest.raises(ValueError, match="low must be at most high; got \\(4, 1\\)"):
        Between(4, 1)
    with pytest.raises(ValueError, match="tells must be what the rule tells; got 3"):
        Suppressed(3)
