"""Queries as columns: equal kinds are stored once, and nothing else changes."""

from __future__ import annotations

import numpy as np
import pytest
from stopwatch import at_most

from whit.errors import InvalidInput
from whit.plans import Kind, Query, Rho, Table

AGE, SEX = Kind(("age",), "State", Rho(1)), Kind(("sex",), "State", Rho(1))


def test_a_table_gives_back_its_queries_in_order():
    queries = [Query("a", AGE), Query("b", SEX), Query("c", Kind(("age",), "State", Rho("1")))]
    table = Table.of(queries)
    assert list(table) == queries
    assert table.kinds == (AGE, SEX)
    assert table.counts == (2, 1)
    assert table.rows(0) == [1, 3]
    assert table.names_of(0) == "a, c"


def test_tables_are_equal_if_their_queries_are_whatever_the_order_of_the_kinds():
    one = Table((AGE, SEX), ("a", "b"), np.array([0, 1]))
    other = Table((SEX, AGE), ("a", "b"), np.array([1, 0]))
    assert one == other
    assert hash(one) == hash(other)
    assert one != Table((AGE, SEX), ("a", "b"), np.array([1, 0]))
    assert one != Table((AGE, SEX), ("a", "c"), np.array([0, 1]))


def test_rows_of_some_kinds_can_be_kept():
    table = Table.of([Query("a", AGE), Query("b", SEX), Query("c", AGE)])
    assert list(table.only(table.kind_of == 0)) == [Query("a", AGE), Query("c", AGE)]
    assert table.only(table.kind_of == 0).kinds == (AGE,)


def test_a_table_cannot_be_changed_from_outside():
    places = np.array([0, 0])
    table = Table((AGE,), ("a", "b"), places)
    places[0] = 7
    assert table.counts == (2,)
    with pytest.raises(ValueError, match="read-only"):
        table.kind_of[0] = 1


def test_what_is_no_query_is_refused():
    with pytest.raises(InvalidInput, match="the queries of a plan must be queries; got age"):
        Table.of(["age"])
    with pytest.raises(InvalidInput, match="the queries of a plan must be at least one"):
        Table.of([])


def test_many_names_of_one_kind_are_cut_short():
    table = Table.of(Query(f"q{i}", AGE) for i in range(10))
    assert table.names_of(0) == "q0, q1, q2 and 7 more"


def test_a_million_queries_are_grouped_in_seconds():
    """By kind, not one by one: 100 kinds here, and a few seconds at most on a slow machine."""
    kinds = [Kind((f"attribute {i % 10}",), "State", Rho(i + 1)) for i in range(100)]
    with at_most(seconds=3):
        table = Table(tuple(kinds), tuple(map(str, range(10**6))), np.arange(10**6) % 100)
        assert table.counts == (10**4,) * 100
