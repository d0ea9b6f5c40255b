"""Tables and hierarchies have the equations of their totals, and no others."""

from __future__ import annotations

import pytest

from whit.audit import (
    Between,
    Equation,
    Exact,
    Hierarchy,
    Publication,
    Suppressed,
    inner,
    left,
    table,
    together,
    two_way,
)

AGES = Hierarchy({"all": ("young", "old"), "old": ("65 to 79", "80 or over")})
SEXES = Hierarchy.flat(("women", "men"))


def test_every_total_of_every_line_has_an_equation():
    names = {each.name for each in table([AGES, SEXES], {}).equations}
    by_age = {f"all × {sex} = young × {sex} + old × {sex}" for sex in SEXES.codes}
    by_age |= {f"old × {sex} = 65 to 79 × {sex} + 80 or over × {sex}" for sex in SEXES.codes}
    assert names == by_age | {f"{age} × all = {age} × women + {age} × men" for age in AGES.codes}


def test_a_cell_deep_in_a_hierarchy_is_worked_out():
    known = {("all", "all"): 20, ("young", "all"): 5, ("65 to 79", "women"): 4, ("65 to 79", "men"): 3}
    found = left(table([AGES, SEXES], {cell: Exact(value) for cell, value in known.items()}))
    assert str(found.interval(("80 or over", "all"))) == "80 or over × all is exactly 8"
    assert str(found.interval(("80 or over", "men"))) == "80 or over × men is in 0 to 8"


def test_two_way_is_the_table_of_two_flat_hierarchies():
    printed = two_way([[1, None], [Between(1, 4), 2]], rows=[3, None], columns=[2, 4], total=6)
    said = dict(printed.statements)
    assert (said[inner(1, 1)], said[inner(1, 2)], said[inner(2, 1)]) == (Exact(1), Suppressed(), Between(1, 4))
    assert (said["all", "all"], said["1", "all"], said["all", "2"]) == (Exact(6), Exact(3), Exact(4))


def test_a_table_of_another_shape_is_refused():
    with pytest.raises(ValueError, match="cells must have 2 rows of 2; got"):
        two_way([[1, 2]], rows=[3, 4], columns=[1, 2])
    with pytest.raises(ValueError, match="published must be about cells of the table; got \\('x', 'all'\\)"):
        table([AGES, SEXES], {("x", "all"): Exact(1)})
    with pytest.raises(ValueError, match="the parts of all must be different codes"):
        Hierarchy.flat(("women", "women"))


def test_a_long_total_has_a_short_name():
    long = table([Hierarchy.flat([f"c{number}" for number in range(40)])], {})
    assert [each.name for each in long.equations] == ["all = c0 + ... + c39 (40 parts)"]


def test_equations_of_one_name_must_agree():
    with pytest.raises(ValueError, match="equations must have different names; got \\['sum'\\]"):
        Publication({}, [Equation("sum", {"a": 1}), Equation("sum", {"b": 1})])
    with pytest.raises(ValueError, match="equations of one name must be the same; got sum"):
        together(Publication({}, [Equation("sum", {"a": 1})]), Publication({}, [Equation("sum", {"b": 1})]))


def test_what_is_no_cell_and_what_is_no_statement_is_refused():
    with pytest.raises(ValueError, match="a cell must be a name or a tuple of codes; got 3"):
        Publication([(3, Exact(1))])
    with pytest.raises(ValueError, match="what is said must be a Statement about a; got 3"):
        Publication({"a": 3})
    with pytest.raises(LookupError, match="No cell has the name b"):
        left(Publication({"a": Exact(1)})).interval("b")
