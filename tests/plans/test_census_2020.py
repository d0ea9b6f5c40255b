"""The plan of the 2020 Census, as data."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

from whit.plans import Linked, Share, WholeRecord, census_2020, expose
from whit.setting import Neighbours

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "census.json"


def test_the_plan_has_twelve_queries_at_six_levels_and_asks_71_of_them():
    plan = census_2020.plan()
    assert len(plan.table) == 72
    assert len(set(plan.table.names)) == 12
    assert sum(plan.share(query.kind) > 0 for query in plan.table) == 71
    assert len(plan.levels) == 6
    assert plan.unit.name == "person"
    assert plan.neighbours is Neighbours.REPLACE


def test_what_is_published_without_noise_is_listed():
    names = {each.name for each in census_2020.plan().unprotected}
    assert names == {"state totals", "housing units", "group quarters"}


def test_the_tables_are_those_that_the_benchmarks_have_from_the_same_source():
    tables = json.loads(BENCHMARK.read_text(encoding="utf-8"))
    plan = census_2020.plan()
    for name, query in tables["query_shares"].items():
        found = [each.kind.parameter for each in plan.table if each.name == name]
        assert found == [Share("person", share) for share in query["shares"]]
    for unit, name in (("person", "person"), ("housing", "housing unit")):
        budget = plan.budget(name)
        assert budget.amount.value == Fraction(tables["rho"][unit])
        assert list(budget.levels.values()) == [Fraction(share) for share in tables["level_shares"][unit]]


def test_the_noise_of_a_query_has_the_variance_one_over_its_rho():
    plan = census_2020.plan()
    [kind] = [each.kind for each in plan.table if each.name == "TOTAL" and each.kind.level == "State"]
    assert plan.spread(kind) == 1 / (Fraction("2.56") * Fraction(1440, 4099) * Fraction(3773, 4097))


def test_the_whole_record_has_all_of_the_budget_by_the_printed_reading():
    assert expose(census_2020.plan(), WholeRecord()).exact_rho == Fraction("2.63")


def test_housing_units_that_are_emptied_and_filled_cost_more_than_the_budget():
    """By hand: persons 2.56, housing twice at every level but the US, where nobody can move to another place."""
    beyond_us = Fraction("0.07") * (1 - Fraction(1, 205))
    costs = {each: expose(census_2020.plan(each), WholeRecord()).exact_rho for each in Linked}
    assert costs[Linked.EMPTIED_AND_FILLED] == Fraction("2.56") + 2 * beyond_us
    assert costs[Linked.UNTOUCHED] == Fraction("2.56")
    assert max(costs.values()) == costs[Linked.WORST] == Fraction("2.63") + beyond_us


def test_scenario_a_depends_on_how_housing_units_are_read():
    """Errata: 0.1200 if a move empties one unit and fills another; all levels count if it only empties one."""
    block = Fraction("0.07") * Fraction(99, 820)
    persons = Fraction("2.56") * Fraction(165, 4099)
    costs = {each: expose(census_2020.plan(each), census_2020.SCENARIOS["A"]).exact_rho for each in Linked}
    assert costs[Linked.AS_THE_PERSON] == persons + block
    assert costs[Linked.EMPTIED_AND_FILLED] == persons + 2 * block
    assert round(float(costs[Linked.EMPTIED_AND_FILLED]), 4) == 0.12
    assert costs[Linked.EMPTIED_OR_FILLED] == persons + Fraction("0.07")
    assert costs[Linked.WORST] == persons + Fraction("0.07") + block
    assert costs[Linked.UNTOUCHED] == persons
