"""A first table, or a contradiction, of a large component: what a solver proposes counts if whole numbers say so."""

from __future__ import annotations

import random

import pytest
from every_table import drawn

from whit.audit import (
    Between,
    Equation,
    Exact,
    Hierarchy,
    Publication,
    Suppressed,
    contradiction,
    left,
    search,
    table,
    verify,
)
from whit.audit.component import taken_apart
from whit.audit.first_table import contradicts, fits, proposed_contradiction, proposed_table
from whit.audit.search import Search
from whit.audit.system import system_of

# Rows add up to 9, and columns to 10; single equations leave every cell 0 to 3.
LINES = {f"row {i}": ([f"{i}{j}" for j in range(3)], 3) for i in range(3)} | {
    f"column {j}": ([f"{i}{j}" for i in range(3)], 3 + (j == 2)) for j in range(3)
}
SQUARE = Publication({}, [Equation(name, dict.fromkeys(cells, 1), right) for name, (cells, right) in LINES.items()])
PARITY = Publication({}, [Equation(name, dict.fromkeys(name, 1), 1) for name in ("ab", "bc", "ac")])


def component_of(publication: Publication):
    return max(taken_apart(system_of(publication)).components, key=lambda each: len(each.cells))


def random_table(seed: int, *, size: int = 6, off: int = 0):
    """A two-way table with hierarchies in which a third is withheld, and one published total is off by so much."""
    pick = random.Random(seed)
    dimensions = [Hierarchy.flat([f"{name}{each}" for each in range(size)], total=name) for name in "ab"]
    inner = {(a, b): pick.randint(0, 9) for a in dimensions[0].codes[1:] for b in dimensions[1].codes[1:]}
    truth = {
        (a, b): sum(v for (c, d), v in inner.items() if a in (c, "a") and b in (d, "b"))
        for a in dimensions[0].codes
        for b in dimensions[1].codes
    }
    withheld = {cell for cell in inner if pick.random() < 0.6}
    truth["a", f"b{pick.randrange(size)}"] += off
    return table(dimensions, {cell: Suppressed() if cell in withheld else Exact(v) for cell, v in truth.items()})


@pytest.mark.parametrize("seed", range(20))
def test_a_publication_is_refused_by_proposals_just_where_it_is_by_exact_search(seed, monkeypatch):
    case = drawn(seed, largest=2)
    total = next(iter(case.sums))
    wrong = Publication({**dict(case.publication.statements), total: Exact(case.truth[total] + seed % 3 - 1)})
    both = Publication(wrong.statements, case.publication.equations)
    exact = contradiction(both, case.knowledge)
    monkeypatch.setattr(search, "LARGE", 1)
    proposed = contradiction(both, case.knowledge)
    assert (exact is None) == (proposed is None)
    if proposed is not None:
        verify(both, proposed, case.knowledge)


@pytest.mark.parametrize("seed", range(8))
def test_a_total_that_is_off_is_refused_with_equations_that_are_verified(seed, monkeypatch):
    monkeypatch.setattr(search, "LARGE", 1)
    assert contradiction(random_table(seed)) is None
    # The row totals no longer add up to what the column totals do.
    wrong = random_table(seed, off=1)
    found = contradiction(wrong)
    assert found is not None
    assert found.proof.multipliers
    verify(wrong, found)
    with pytest.raises(ValueError, match="must leave at least one table; got .*These contradict each other"):
        left(wrong)


def test_all_equations_that_contradict_each_other_are_named(monkeypatch):
    assert Search(component_of(SQUARE)).shuttle.contradiction() is None
    assert proposed_table(component_of(SQUARE)) is None
    monkeypatch.setattr(search, "LARGE", 1)
    found = contradiction(SQUARE)
    assert {*found.proof.multipliers} == {*LINES}
    verify(SQUARE, found)
    with pytest.raises(ValueError, match="got row 0; row 1; row 2; column 0; column 1; column 2. These contradict"):
        left(SQUARE)


def test_fractions_are_no_table_and_no_contradiction():
    assert proposed_table(component_of(PARITY)) is None
    assert proposed_contradiction(component_of(PARITY)) is None


def test_what_whole_numbers_do_not_bear_out_is_not_taken():
    component = component_of(random_table(3))
    good = proposed_table(component)
    assert good is not None
    assert fits(component, good)
    for place in range(len(good)):
        for step in (-1, 1):
            assert not fits(component, [value + step * (at == place) for at, value in enumerate(good)])
    pick = random.Random(3)
    for _ in range(300):
        assert not contradicts(component, {row: pick.randint(-2, 2) for row in range(len(component.right))})


def test_a_table_with_a_cell_beyond_its_ends_is_not_taken():
    pair = component_of(Publication({"b": Between(0, 2)}, [Equation("sum", {"a": 1, "b": 1}, 3)]))
    tables = [{"a": 3 - value, "b": value} for value in range(-1, 5)]
    assert [each["b"] for each in tables if fits(pair, [each[cell] for cell in pair.cells])] == [0, 1, 2]


@pytest.mark.parametrize(("right", "no_table"), [(3, False), (4, True), (0, False), (-1, True)])
def test_a_sum_is_out_of_reach_only_beyond_the_ends(right, no_table):
    ends = {"a": Between(0, 1), "b": Between(0, 2)}
    pair = component_of(Publication(ends, [Equation("sum", {"a": 1, "b": 1}, right)]))
    assert [contradicts(pair, {0: times}) for times in (1, -1, 3)] == [no_table] * 3


def test_a_large_component_without_table_or_contradiction_is_refused_with_a_way_out(monkeypatch):
    monkeypatch.setattr(search, "LARGE", 1)
    monkeypatch.setattr(search, "TOO_LARGE", 1)
    with pytest.raises(Exception, match="a first table must be found in a component of 3 cells; got none. Give one"):
        left(PARITY)
