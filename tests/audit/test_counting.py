"""Counts of tables agree with formulas and with each other, and what would cost too much is refused."""

from __future__ import annotations

from itertools import product
from math import comb

import pytest
from every_table import drawn

from whit.audit import Between, Equation, Publication, Suppressed, left, number_left, system_of, two_way
from whit.audit.component import Component, taken_apart
from whit.audit.counting import Count
from whit.audit.one_free import number_on_a_line

X = None


def limited(component: Component) -> tuple[tuple[int, int], ...]:
    return tuple((low or 0, 40 if high is None else high) for low, high in component.ends)


@pytest.mark.parametrize("total", [0, 1, 7, 40])
@pytest.mark.parametrize("cells", [2, 3, 5])
def test_a_sum_of_counts_has_as_many_tables_as_there_are_ways_to_share(cells, total):
    names = [f"c{number}" for number in range(cells)]
    shared = Publication({}, [Equation("sum", dict.fromkeys(names, 1), total)])
    assert left(shared).number == comb(total + cells - 1, cells - 1)


@pytest.mark.parametrize("rows", [(3, 3), (2, 5), (4, 1, 2)])
@pytest.mark.parametrize("columns", [(2, 4), (3, 3), (1, 1, 4)])
def test_tables_with_given_margins_are_counted_one_by_one(rows, columns):
    if sum(rows) != sum(columns):
        rows = (*rows[:-1], rows[-1] + sum(columns) - sum(rows))
    shape = [(i, j) for i in range(len(rows)) for j in range(len(columns))]
    counted = 0
    for values in product(*(range(min(rows[i], columns[j]) + 1) for i, j in shape)):
        table = dict(zip(shape, values, strict=True))
        by_row = all(sum(table[i, j] for j in range(len(columns))) == rows[i] for i in range(len(rows)))
        counted += by_row and all(sum(table[i, j] for i in range(len(rows))) == columns[j] for j in range(len(columns)))
    assert left(two_way([[X] * len(columns)] * len(rows), rows=rows, columns=columns)).number == counted


@pytest.mark.parametrize("seed", range(200))
def test_one_free_number_is_counted_as_everything_else_is(seed):
    case = drawn(seed, cells=4, largest=2)
    parts = taken_apart(system_of(case.publication, case.knowledge))
    for component in parts.components:
        limits = limited(component)
        number = number_on_a_line(component, limits)
        assert not component.terms or number in (None, Count(component, limits).number())


def test_some_random_components_have_one_free_number():
    systems = [system_of(case.publication, case.knowledge) for case in (drawn(seed, cells=4) for seed in range(50))]
    lines = [number_on_a_line(each, limited(each)) for system in systems for each in taken_apart(system).components]
    assert sum(number is not None and number > 1 for number in lines) >= 10


def test_a_cycle_of_large_cells_is_counted_without_going_through_them():
    large = 10**15
    cycle = two_way([[X, X], [X, X]], rows=[large, large], columns=[large, large])
    assert left(cycle).number == large + 1


def test_cells_without_equations_multiply():
    free = Publication({"a": Between(1, 4), "b": Suppressed(Between(0, 9))})
    assert number_left(system_of(free)) == 40


def test_a_count_that_needs_too_many_states_is_refused():
    wide = two_way([[X] * 6] * 6, rows=[1000] * 6, columns=[1000] * 6)
    with pytest.raises(Exception, match="a count must keep at most 1000000 states; got .*Ask for intervals"):
        _ = left(wide).number
