"""Tables hold the probabilities of a mechanism exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest

from whit.errors import InvalidInput
from whit.mechanisms import Finite, Gaussian, Kernel
from whit.persuasion import Table, smallest_delta
from whit.persuasion.relative import table_of


def test_a_kernel_and_a_pair_become_the_same_table():
    p, q = [0.75, 0.25], [0.5, 0.5]
    assert table_of(Kernel([p, q], [(0, 1)])) == table_of(Finite(p, q)) == Table([p, q], [(0, 1)])


def test_rows_are_exact_and_add_up_to_one():
    table = Table([[0.1] * 10, [Fraction(1, 10)] * 10])
    assert table.rows[0] == table.rows[1]


def test_neighbours_come_in_both_orders():
    assert set(Table([[1], [1]], [(0, 1)]).neighbours()) == {(0, 1), (1, 0)}


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Table([]), "the rows of a table must be a list"),
        (lambda: Table(3), "the rows of a table must be a list"),
        (lambda: Table([[0.5, 0.5], [1.0]]), "the rows of a table must have one length"),
        (lambda: Table([[0.5, 0.6]]), "row 0 of the table must be a list of probabilities"),
        (lambda: Table([[1], [1]], [(0, 2)]), "edges must be pairs of different datasets"),
        (lambda: Table([[1], [1]], [(0,)]), "edges must be pairs of different datasets"),
        (lambda: Table([[1], [1]], [5]), "edges must be pairs of different datasets"),
        (lambda: smallest_delta(Table([[1], [1]]), 1.0), "edges must name a pair of neighbours"),
        (lambda: smallest_delta(Gaussian(1.0), 1.0), "mechanism must have finitely many outcomes"),
    ],
)
def test_what_is_no_table_is_refused(build, message):
    with pytest.raises(InvalidInput, match=message):
        build()


def test_edges_are_a_list():
    with pytest.raises(InvalidInput, match="edges must be a list of pairs"):
        Table([[0.5, 0.5], [0.5, 0.5]], edges=3)
