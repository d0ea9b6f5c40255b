"""Which query costs a concern most."""

from __future__ import annotations

from fractions import Fraction

import pytest
from small_plans import small_plan

from whit.plans import About, Linked, WholeRecord, census_2020, costs, expose, without
from whit.spec import plan_from_toml


def test_the_costs_add_up_and_the_largest_comes_first():
    exposure = expose(small_plan(), WholeRecord())
    found = costs(exposure)
    sizes = [float(each.rho) for each in found]
    assert sizes == sorted(sizes, reverse=True)
    assert sum(sizes) == pytest.approx(float(exposure.exact_rho), rel=1e-14)
    assert sum(float(each.share) for each in found) == pytest.approx(1.0, rel=1e-14)


def test_what_is_left_without_a_query_is_what_the_plan_without_it_costs():
    plan = small_plan(Linked.UNTOUCHED)
    for each in costs(expose(plan, About(["age"]))):
        smaller = without(plan, [each.queries.names], levels=[each.queries.kind.level])
        assert float(each.without) >= expose(smaller, About(["age"])).exact_rho
        assert float(each.without) == pytest.approx(float(expose(smaller, About(["age"])).exact_rho), rel=1e-14)


def test_the_detailed_query_in_block_groups_costs_race_most():
    """By hand, from Tables 3 to 5: 2.56 * 1256/4099 * 1288/4099 of 1.0103."""
    first = costs(expose(census_2020.plan(), census_2020.SCENARIOS["C"]))[0]
    exact = Fraction("2.56") * Fraction(1256, 4099) * Fraction(1288, 4099)
    assert first.queries.names == "HHGQ x VOTINGAGE x HISPANIC x CENRACE"
    assert first.queries.kind.level == "Custom Block Group"
    assert float(first.rho) == pytest.approx(float(exact), rel=1e-14)
    assert "24.4 %" in str(first)


def test_the_only_query_that_bears_on_a_concern_has_all_of_its_rho():
    head = 'name = "a"\nunit = "person"\nneighbours = "add-remove"\nlevels = ["all"]\n'
    query = '[[query]]\nname = "q"\nattributes = ["age"]\nlevel = "all"\nrho = "1/3"\n'
    [cost] = costs(expose(plan_from_toml(head + query, "the plan"), About(["age"])))
    assert str(cost.share) == "share of rho that bears on the concern is exactly 100 %"
