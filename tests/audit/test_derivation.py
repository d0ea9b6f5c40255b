"""The sum on paper gives the end that the certificate proves."""

from __future__ import annotations

import re

import pytest
from every_table import drawn

from whit.audit import Equation, Publication, left, two_way

X = None
LEAK = two_way(
    [[X, X, X, 8], [X, X, 9, 6], [12, 7, X, X], [9, 5, X, X]], rows=[42, 34, 39, 38], columns=[45, 30, 36, 42]
)


def test_a_determined_cell_is_a_sum_of_published_numbers_that_anybody_can_add():
    told = left(LEAK).why(("1", "3"))
    assert told.startswith("1 × 3 is exactly 11: ")
    sum_alone = re.sub(r"\([^)]*\)", "", told.partition(": ")[2]).rstrip(".")
    assert re.fullmatch(r"[\d +-]+", sum_alone)
    assert sum(int(sign + number) for sign, number in re.findall(r"([+-]?) ?(\d+)", sum_alone)) == 11


def test_an_end_says_which_cells_it_sets_to_their_own_ends():
    told = left(two_way([[X, X], [X, X]], rows=[3, 7], columns=[4, 6])).why(("1", "1"))
    assert told.startswith("1 × 1 is in 0 to 3; at most 3: ")
    assert "3 (1 × all), with 1 × 2 at 0" in told


def test_a_half_is_rounded_towards_the_inside():
    found = left(Publication({}, [Equation("twice", {"a": 2, "b": 1}, 7)]))
    upper = next(each for each in found.derivations("a") if each.upper)
    assert (upper.value, upper.divisor, str(upper)) == (3, 2, "(7) / 2, rounded down, with b at 0")


@pytest.mark.parametrize("seed", range(60))
def test_the_sum_is_the_end(seed):
    case = drawn(seed, largest=2)
    found = left(case.publication, case.knowledge)
    for cell in case.truth:
        interval = found.interval(cell)
        for each in found.derivations(cell):
            assert each.value == (interval.most if each.upper else interval.least)
