"""The queries that a concern is exposed to, against counts of every dataset that it compares."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from small_plans import small_plan

from whit.plans import (
    About,
    Affected,
    Anywhere,
    Concern,
    Linked,
    Presence,
    Settled,
    WholeRecord,
    Within,
    affected,
    every_query,
)

REGION = {"a": "north", "b": "north", "c": "south", "d": "south"}
VALUES = {"age": (0, 1, 2), "sex": (0, 1), "job": (0, 1)}
RECORDS = list(product(REGION, *VALUES.values()))
NAMES = ("age", "sex", "job")


def cell(record, attributes, level) -> tuple:
    """The cell of a table in which a record is counted."""
    town, *values = record
    place = {"Country": "all", "Region": REGION[town], "Town": town}[level]
    return (place, *(dict(zip(NAMES, values, strict=True))[name] for name in attributes))


def differing(old, new, attributes, level) -> int:
    """How many cells differ if one record takes the place of another: two, unless both are in one cell."""
    return 0 if cell(old, attributes, level) == cell(new, attributes, level) else 2


def compared(attributes, place) -> list[tuple]:
    """The pairs of records that the concern compares."""
    near = {
        Settled(): lambda old, new: old == new,
        Within("Town", "Region"): lambda old, new: REGION[old] == REGION[new],
        Anywhere(): lambda *_: True,
    }[place]
    same = [i for i, name in enumerate(NAMES, start=1) if name not in attributes]
    return [
        (old, new)
        for old, new in product(RECORDS, repeat=2)
        if near(old[0], new[0]) and all(old[i] == new[i] for i in same)
    ]


CONCERNS = [
    (attributes, place)
    for size in range(4)
    for attributes in combinations(NAMES, size)
    for place in (Settled(), Within("Town", "Region"), Anywhere())
    if attributes or place != Settled()
]


@pytest.mark.parametrize(("attributes", "place"), CONCERNS)
def test_as_many_cells_are_counted_as_the_worst_change_touches(attributes, place):
    pairs = compared(attributes, place)
    for each in every_query(small_plan(), About(attributes, place)):
        if each.kind.counts == "":
            worst = max(differing(old, new, each.kind.attributes, each.kind.level) for old, new in pairs)
            assert each.cells == worst, each.reason


def homes(reading_pairs, level) -> int:
    """The most cells of a table of occupied and empty homes that differ, over what may happen to two homes."""
    most = 0
    for old, new, changes in reading_pairs:
        cells: dict[tuple, int] = {}
        for town, change in zip((old, new), changes, strict=True):
            place = {"Region": REGION[town], "Town": town}[level]
            for occupied, sign in ((True, 1), (False, -1)):
                cells[place, occupied] = cells.get((place, occupied), 0) + sign * change
        most = max(most, sum(abs(number) for number in cells.values()))
    return most


# What may happen to the home that is left and to the home that is entered: emptied -1, filled +1, nothing 0.
HAPPENS = {
    Linked.EMPTIED_AND_FILLED: [(-1, 1)],
    Linked.EMPTIED_OR_FILLED: [(-1, 0), (0, 1)],
    Linked.WORST: [(-1, 1), (-1, 0), (0, 1), (0, 0)],
    Linked.UNTOUCHED: [(0, 0)],
}


@pytest.mark.parametrize("reading", HAPPENS)
@pytest.mark.parametrize("place", [Within("Town", "Region"), Anywhere()])
def test_homes_that_a_move_empties_or_fills_are_counted_by_the_reading(reading, place):
    moves = {(old[0], new[0]) for old, new in compared((), place) if old[0] != new[0]}
    pairs = [(old, new, changes) for old, new in moves for changes in HAPPENS[reading]]
    for each in every_query(small_plan(reading), About(place=place)):
        if each.kind.counts == "home":
            assert each.cells == homes(pairs, each.kind.level), each.reason


def test_homes_do_not_change_with_an_attribute_of_a_person():
    for reading in Linked:
        found = affected(small_plan(reading), About(["age"]))
        assert {each.kind.counts for each in found} == {""}


def test_a_concern_about_the_home_itself_touches_its_queries():
    found = affected(small_plan(Linked.UNTOUCHED), About(["occupied"]))
    assert [each.cells for each in found] == [2, 2]
    assert "depends on occupied of a home" in found[0].reason


def test_presence_touches_every_query_once():
    for reading, homes_touched in ((Linked.WORST, 2), (Linked.UNTOUCHED, 0)):
        for each in every_query(small_plan(reading), Presence()):
            assert each.cells == (1 if each.kind.counts == "" else homes_touched)


def test_the_reasons_are_sentences_that_name_the_query():
    reasons = {(each.names, each.kind.level): each.reason for each in every_query(small_plan(), About(["age"]))}
    assert reasons["age by sex", "Region"] == "age by sex at Region depends on age: 2 cells of one place."
    assert reasons["total", "Town"].startswith("total at Town counts all records, whatever their attributes")
    assert reasons["sex", "Town"].startswith("sex at Town depends on no attribute of the concern")
    moved = {
        (e.names, e.kind.level): e.reason for e in every_query(small_plan(), About(place=Within("Town", "Region")))
    }
    assert "may count the record in another place" in moved["total", "Town"]
    assert moved["occupied", "Town"].endswith(Linked.WORST.value)


@pytest.mark.parametrize("wider", [WholeRecord(), About(("age", "sex"), Anywhere())])
def test_a_wider_concern_is_exposed_to_no_fewer_cells(wider: Concern):
    narrow = every_query(small_plan(), About(["sex"], Within("Town", "Region")))
    wide = every_query(small_plan(), wider)
    assert all(isinstance(each, Affected) for each in wide)
    assert all(one.cells <= other.cells for one, other in zip(narrow, wide, strict=True))
