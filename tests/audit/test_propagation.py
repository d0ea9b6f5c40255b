"""Ends by one equation at a time are true, and are those of a linear program for a single equation."""

from __future__ import annotations

import pytest
from every_table import drawn

from whit.audit import Equation, Exact, Publication, adds_up, left, system_of
from whit.audit.component import taken_apart
from whit.audit.propagation import propagated


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
