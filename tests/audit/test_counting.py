"""Counts of tables agree with formulas and with each other, and what would cost too much is refused."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from math import comb

import numpy as np
import pytest
from every_table import drawn

from whit.audit import Between, Equation, Knowledge, Publication, Suppressed, left, number_left, system_of, two_way
from whit.audit.component import Component, taken_apart
from whit.audit.counting import Count
from whit.audit.one_free import number_on_a_line
from whit.audit.rectangle import number_of_rectangle, products

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


def component_of(publication):
    """The largest component; the withheld total of all is one by itself."""
    return max(taken_apart(system_of(publication)).components, key=lambda each: len(each.cells))


@pytest.mark.parametrize("seed", range(60))
def test_rectangles_in_two_halves_are_counted_as_everything_else_is(seed):
    pick = random.Random(seed)
    height, width = pick.randint(2, 4), pick.randint(2, 4)
    truth = [[pick.randint(0, 3) for _ in range(width)] for _ in range(height)]
    rows, columns = [sum(row) for row in truth], [sum(column) for column in zip(*truth, strict=True)]
    if 0 in rows + columns:
        rows, columns = [row + width for row in rows], [column + height for column in columns]
    component = component_of(two_way([[X] * width] * height, rows=rows, columns=columns))
    for least in (0, pick.randint(-2, 1)):
        limits = tuple((least, sum(rows) + 40) for _ in component.cells)
        assert number_of_rectangle(component, limits) == Count(component, limits).number()


def one_by_one(rows, columns, least):
    """How many tables of two rows have these margins and no cell below the least one, one after the other."""
    most = max(rows[0] - least * (len(columns) - 1), least)
    firsts = [row for row in product(range(least, most + 1), repeat=len(columns)) if sum(row) == rows[0]]
    return sum(all(all_of - cell >= least for all_of, cell in zip(columns, row, strict=True)) for row in firsts)


@pytest.mark.parametrize("least", [-2, -1, 0, 1])
@pytest.mark.parametrize(
    ("rows", "columns"), [((3, 4), (2, 2, 3)), ((0, 0), (1, -1, 0)), ((3, 5), (4, 4)), ((5, 7), (4, 4, 4))]
)
def test_rectangles_whose_cells_may_be_negative_or_must_be_positive_are_counted_one_by_one(rows, columns, least):
    """Cells were once counted from 0 on, whatever the least was: 8 tables where 21 are left."""
    publication = two_way([[X] * len(columns)] * len(rows), rows=rows, columns=columns)
    number = one_by_one(rows, columns, least)
    assert number_left(system_of(publication, Knowledge(least=least))) == number


def test_hair_and_eye_colour_has_the_known_number_of_tables():
    """Diaconis and Gangolli (1995) and others give 1,225,914,276,768,514 for these margins."""
    known = two_way([[X] * 4] * 4, rows=[220, 215, 93, 64], columns=[108, 286, 71, 127])
    assert left(known).number == 1_225_914_276_768_514


def test_large_rectangles_have_the_number_of_a_line_of_arithmetic():
    """Three numbers from 0 to h that add up to 3h/2 fill a hexagon; four up to h that add up to 2h by signs."""
    h = 10**6
    three = component_of(two_way([[X] * 2] * 3, rows=[h, h, h], columns=[3 * h // 2] * 2))
    assert number_of_rectangle(three, tuple((0, h) for _ in three.cells)) == 3 * h * h // 4 + 3 * h // 2 + 1
    four = component_of(two_way([[X] * 4] * 2, rows=[4000, 4000], columns=[2000] * 4))
    signs = sum((-1) ** j * comb(4, j) * comb(4000 - j * 2001 + 3, 3) for j in range(2))
    assert number_of_rectangle(four, tuple((0, 4000) for _ in four.cells)) == signs


def test_a_sum_of_products_beyond_machine_numbers_is_exact():
    first = np.array([2**40, 2**41, 3], dtype=np.int64)
    assert products(first, first) == 2**80 + 2**82 + 9
    assert products(first[2:], first[2:]) == 9


def test_margins_beyond_machine_numbers_are_left_to_others():
    huge = 10**12
    component = component_of(two_way([[X] * 3] * 3, rows=[huge] * 3, columns=[huge] * 3))
    assert number_of_rectangle(component, tuple((0, huge) for _ in component.cells)) is None


@pytest.mark.parametrize("change", ["a withheld cell less", "a cell of at most 1", "a cell counted twice"])
def test_what_is_no_whole_rectangle_is_left_to_others(change):
    cells = [[X, X, X], [X, X, X], [X, X, X]]
    if change == "a withheld cell less":
        cells[0] = [1, X, X]
    component = component_of(two_way(cells, rows=[4, 4, 4], columns=[4, 4, 4]))
    limits = [(0, 4)] * len(component.cells)
    if change == "a cell of at most 1":
        limits[0] = (0, 1)
    if change == "a cell counted twice":
        doubled = ({place: 2 * times for place, times in component.terms[0].items()}, *component.terms[1:])
        component = replace(component, terms=doubled)
    assert number_of_rectangle(component, tuple(limits)) is None
