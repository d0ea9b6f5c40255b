"""Means and medians of cells: what they leave is what every dataset in order leaves."""

from __future__ import annotations

import statistics
from fractions import Fraction
from itertools import combinations_with_replacement

import pytest

from whit.audit import Between, Mean, Publication, adds_up, in_order, left, median, together
from whit.errors import InvalidInput

FIVE = ("smallest", "second", "middle", "fourth", "largest")


@pytest.mark.parametrize("number", range(1, 9))
@pytest.mark.parametrize("value", ["0", "3", "2.5", "36.7", "-1.25"])
def test_a_mean_leaves_every_sum_that_is_printed_like_it(value, number):
    half = Fraction(1, 2 * 10 ** len(value.partition(".")[2]))
    expected = [s for s in range(-400, 401) if abs(Fraction(s, number) - Fraction(value)) <= half]
    low, high = Mean(value, number).ends
    assert list(range(low, high + 1)) == expected


def test_a_mean_a_median_and_both_ends_leave_sixteen_datasets():
    printed = {"sum": Mean("45.0", 5), "smallest": Between(20, 20), "largest": Between(90, 90)}
    said = together(median(FIVE, "35"), Publication(printed, [adds_up("sum", FIVE)]))
    found = left(said)
    assert found.number == 16
    assert found.values("second") == tuple(range(20, 36))
    assert found.values("fourth") == tuple(range(45, 61))


def test_the_median_of_an_even_number_is_half_of_two_cells():
    four = FIVE[:4]
    every = [each for each in combinations_with_replacement(range(7), 4) if statistics.median(each) == 2.5]
    found = left(together(median(four, "2.5"), Publication(dict.fromkeys(four, Between(0, 6)))))
    assert found.number == len(every)
    for place, cell in enumerate(four):
        assert found.values(cell) == tuple(sorted({each[place] for each in every}))


def test_cells_in_order_leave_no_table_out_of_order():
    found = left(together(in_order("abc"), Publication(dict.fromkeys("abc", Between(0, 3)))))
    assert found.number == len(list(combinations_with_replacement(range(4), 3)))


def test_a_mean_in_words_is_refused():
    with pytest.raises(InvalidInput, match="a printed number must be a text of digits; got about 3"):
        Mean("about 3", 2)
