"""Large components, a part at a time: what the solver proposes is what an exact search finds, and is proved."""

from __future__ import annotations

import random

import pytest
import z3
from every_table import drawn

from whit.audit import Exact, Hierarchy, Suppressed, left, search, table
from whit.audit.component import taken_apart
from whit.audit.neighbourhood import Neighbourhoods
from whit.audit.propagation import Shuttle
from whit.audit.search import Search
from whit.audit.system import system_of


def three_way(seed: int, size: int = 3):
    """A table of three dimensions with its margins, about half of whose inner cells are withheld."""
    pick = random.Random(seed)
    dimensions = [Hierarchy.flat([f"{name}{each}" for each in range(size)], total=name) for name in "abc"]
    inner = {
        (a, b, c): pick.randint(0, 4)
        for a in dimensions[0].codes[1:]
        for b in dimensions[1].codes[1:]
        for c in dimensions[2].codes[1:]
    }
    cells = {}
    for a in dimensions[0].codes:
        for b in dimensions[1].codes:
            for c in dimensions[2].codes:
                fits = [
                    v
                    for cell, v in inner.items()
                    if all(code in (own, own[0]) for code, own in zip((a, b, c), cell, strict=True))
                ]
                cells[a, b, c] = sum(fits)
    withheld = {cell for cell in cells if all(len(code) > 1 for code in cell) and pick.random() < 0.8}
    return table(dimensions, {c: Suppressed() if c in withheld else Exact(v) for c, v in cells.items()}), cells


def by_z3(publication, cell, *, up):
    """The last value of a cell, by an oracle that knows nothing of the code under test."""
    asked = z3.Optimize()
    names = {each: z3.Int(str(each)) for each in publication.cells}
    asked.add([name >= 0 for name in names.values()])
    for each, statement in publication.statements:
        if isinstance(statement, Exact):
            asked.add(names[each] == statement.value)
    for equation in publication.equations:
        asked.add(z3.Sum([times * names[each] for each, times in equation.terms.items()]) == equation.right)
    (asked.maximize if up else asked.minimize)(names[cell])
    assert asked.check() == z3.sat
    return asked.model()[names[cell]].as_long()


@pytest.mark.parametrize("seed", range(6))
def test_ends_are_those_of_z3_with_the_solver_and_without(seed, monkeypatch):
    publication, truth = three_way(seed)
    exact = left(publication)
    monkeypatch.setattr(search, "LARGE", 1)
    proposed, unaided = left(publication, start=truth), left(publication)
    cells = random.Random(seed).sample(exact.open_cells, 4)
    for cell in cells:
        ends = by_z3(publication, cell, up=False), by_z3(publication, cell, up=True)
        assert (exact.interval(cell).least, exact.interval(cell).most) == ends
        found = proposed.interval(cell)
        assert found.limits[0] <= ends[0] <= found.least <= truth[cell] <= found.most <= ends[1] <= found.limits[1]
        assert found.is_exact
        proposed.verify(cell)
        assert (unaided.interval(cell).least, unaided.interval(cell).most) == ends
        unaided.verify(cell)


@pytest.mark.parametrize("largest", [1, 3])
@pytest.mark.parametrize("seed", range(30))
def test_tables_and_limits_enclose_what_every_table_says(seed, largest, monkeypatch):
    monkeypatch.setattr(search, "LARGE", 1)
    case = drawn(seed, largest=largest)
    tables = list(case.every_table())
    found = left(case.publication, case.knowledge)
    for cell in case.truth:
        values = {each[cell] for each in tables}
        shown = found.interval(cell)
        assert shown.limits[0] <= min(values) <= shown.least <= shown.most <= max(values) <= shown.limits[1]
        assert {shown.least, shown.most} <= values
    found.verify()


def neighbourhoods(seed: int):
    publication, truth = three_way(seed)
    component = max(taken_apart(system_of(publication)).components, key=lambda each: len(each.cells))
    searched = Search(component)
    searched.begin({cell: truth[cell] for cell in component.cells})
    return Neighbourhoods(component, Shuttle(component), searched.seen)


def test_a_table_that_does_not_add_up_is_not_taken():
    near = neighbourhoods(1)
    for place in range(len(near.users)):
        near.take({place: near.seen.first[place] + 1})
    assert all(near.seen.last(place, up=True)[0] == near.seen.first[place] for place in range(len(near.users)))


@pytest.mark.parametrize("seed", range(4))
def test_multipliers_prove_no_more_than_is_true_however_wrong_they_are(seed):
    near, pick = neighbourhoods(seed), random.Random(seed)
    for _ in range(200):
        place, times = pick.randrange(len(near.users)), pick.choice([-3, -2, -1, 1, 2, 3])
        limit = near.proved(place, times, {row: pick.randint(-2, 2) for row in range(len(near.rows))})
        if limit is not None:
            value = near.seen.first[place]
            assert value <= limit.value if times > 0 else value >= limit.value
