"""Ends by one equation at a time are true, and are those of a linear program for a single equation."""

from __future__ import annotations

import pytest
from every_table import drawn

from whit.audit import (
    Combination,
    Equation,
    Exact,
    Impossible,
    Publication,
    adds_up,
    contradiction,
    left,
    system_of,
    verify,
)
from whit.audit.component import taken_apart
from whit.audit.propagation import Shuttle, propagated


@pytest.mark.parametrize("seed", range(80))
def test_no_table_that_is_left_is_outside_the_ends(seed):
    case = drawn(seed, largest=3)
    tables = list(case.every_table())
    for component in taken_apart(system_of(case.publication, case.knowledge)).components:
        ends = propagated(component)
        assert ends is not None
        for cell, (low, high) in zip(component.cells, ends, strict=True):
            assert all((low is None or low <= t[cell]) and (high is None or t[cell] <= high) for t in tables)


@pytest.mark.parametrize("right", range(8))
def test_one_equation_gives_the_ends_of_its_cells(right):
    alone = Publication({}, [Equation("sum", {"a": 1, "b": 2}, right)])
    (component,) = taken_apart(system_of(alone)).components
    pairs = [(right - 2 * b, b) for b in range(right + 1) if right - 2 * b >= 0]
    assert propagated(component) == [(min(each), max(each)) for each in zip(*pairs, strict=True)]


def test_ends_that_creep_for_ever_are_left_where_they_are():
    # a = b + c and b = a + c leave c = 0 only; ends of a and b have no last value to stop at.
    circle = Publication({}, [adds_up("a", "bc"), adds_up("b", "ac")])
    (component,) = taken_apart(system_of(circle)).components
    assert propagated(component) is not None
    assert left(circle).values("c") == (0,)


def test_an_equation_that_cannot_come_out_is_found():
    broken = Publication({"T": Exact(5), "a": Exact(6)}, [adds_up("T", "ab")])
    (component,) = taken_apart(system_of(broken)).components
    assert propagated(component) is None


@pytest.mark.parametrize("seed", range(80))
def test_every_end_has_a_sum_of_equations_that_proves_it(seed):
    case = drawn(seed, largest=3)
    proved = 0
    for component in taken_apart(system_of(case.publication, case.knowledge)).components:
        shuttle = Shuttle(component)
        for place, cell in enumerate(component.cells):
            for up, end in zip((False, True), shuttle.ends[place], strict=True):
                reason = shuttle.reason(place, up=up)
                if end is None or reason is None:
                    continue
                proof = Combination({component.names[row]: times for row, times in reason.items()})
                low, high = (end + 1, None) if up else (None, end - 1)
                verify(case.publication, Impossible(cell, low, high, proof), case.knowledge)
                proved += 1
    assert proved


def test_a_contradiction_of_single_equations_names_them():
    broken = Publication(
        {"T": Exact(5), "a": Exact(6), "U": Exact(9)},
        [adds_up("T", "ab", name="first"), adds_up("U", "cd", name="second")],
    )
    found = contradiction(broken)
    assert dict(found.proof.multipliers).keys() == {"first"}
    verify(broken, found)
