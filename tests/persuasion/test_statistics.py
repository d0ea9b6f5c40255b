"""Statistics are the weighted sums that they say."""

from __future__ import annotations

import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.persuasion import LinearMap, Means, Together, Totals
from whit.persuasion.linear_model import PIECE, pieces

X = np.array([1.0, 2.0, 4.0, 8.0, 16.0])


def test_totals_add_up_the_records_of_each_cell():
    assert Totals([0, 0, 1, 1, 2], [1, 0, 0, -1, 1]).of(X).tolist() == [3.0, 12.0, 16.0, 6.0, 17.0]


def test_means_divide_by_the_number_of_records():
    assert Means([0, 0, 1, 1, -1]).of(X).tolist() == [1.5, 6.0]


def test_several_groups_are_one_release():
    both = Together(Totals([0, 0, 0, 0, 0]), LinearMap([[1, 0, 0, 0, -1]]))
    assert both.of(X).tolist() == [31.0, -15.0]
    assert both.number == 2


def test_pieces_cover_all_records_once():
    covered = np.concatenate([np.arange(part.start, part.stop) for part in pieces(2 * PIECE + 7)])
    assert covered.tolist() == list(range(2 * PIECE + 7))


def test_many_records_are_added_up_in_pieces():
    codes = np.arange(3 * PIECE) % 7
    assert Totals(codes).of(np.ones(3 * PIECE)).tolist() == np.bincount(codes).tolist()


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (Totals, "codes must name a table"),
        (lambda: Totals([0.5, 1.0]), "codes must be whole numbers"),
        (lambda: Totals([-1, -1]), "codes must be whole numbers from -1, with a cell in use"),
        (lambda: Totals([0, 1], [0]), "codes must be arrays of one length"),
        (lambda: LinearMap([[1.0, np.inf]]), "matrix must be a table of finite numbers"),
        (lambda: LinearMap([[1.0], [1.0, 2.0]]), "matrix must be"),
        (lambda: Together(Totals([0]), Totals([0, 1])), "groups must be about the same records"),
        (Together, "groups must be about the same records"),
    ],
)
def test_what_is_no_statistic_is_refused(build, message):
    with pytest.raises(InvalidInput, match=message):
        build()
