"""Plans with something else about them still add up."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_plans import plans, small_plan

from whit.errors import InvalidInput, UnknownKey
from whit.plans import About, Kind, Linked, Plan, Query, Rho, WholeRecord, census_2020, expose, moved, scaled, without
from whit.plans.changes import redivided, with_noise_by_kind
from whit.setting import PERSON


def test_a_query_that_is_left_out_leaves_its_share_unspent():
    smaller = without(small_plan(), ["total"], levels=["Town"])
    assert len(smaller.table) == len(small_plan().table) - 1
    assert dict(smaller.budget("people").left) == {"Town": Fraction(1, 4)}
    everywhere = without(small_plan(), "total")
    assert dict(everywhere.budget("people").left) == {"Region": Fraction(1, 3), "Town": Fraction(1, 4)}


def test_the_rest_of_the_plan_stays_as_it_was():
    before, after = (expose(plan, About(["age"])) for plan in (small_plan(), without(small_plan(), ["total", "sex"])))
    assert before.exact_rho == after.exact_rho


@settings(max_examples=30)
@given(plans(), st.fractions(min_value="1/9", max_value=9, max_denominator=20))
def test_so_many_times_the_noise_is_rho_over_the_square(plan, factor):
    before, after = (expose(each, WholeRecord()).exact_rho for each in (plan, scaled(plan, factor)))
    assert after * factor**2 == before


def test_a_share_can_be_moved_from_one_query_to_another():
    changed = moved(small_plan(), "1/8", level="Town", giver="job", taker="sex")
    assert expose(changed, WholeRecord()).exact_rho == expose(small_plan(), WholeRecord()).exact_rho
    for name, by in (("job", -1), ("sex", 1)):
        before, after = (expose(plan, About([name])).exact_rho for plan in (small_plan(), changed))
        # An eighth of the half of the budget of 1/2 that towns have.
        assert after - before == by * Fraction(1, 32)


def test_a_budget_can_be_divided_in_another_way():
    changed = redivided(small_plan(), "people", {"Country": 0, "Region": "1/2", "Town": "1/2"})
    assert expose(changed, About(["age"])).exact_rho == Fraction(1, 2) * Fraction(1, 2) * Fraction(2, 3)


def test_noise_by_kind_changes_the_share_of_that_kind_only():
    plan = small_plan(Linked.UNTOUCHED)
    factors = [Fraction(2) if kind.attributes == ("job",) else Fraction(1) for kind in plan.table.kinds]
    changed = with_noise_by_kind(plan, factors)
    assert expose(changed, About(["job"])).exact_rho == expose(plan, About(["job"])).exact_rho / 4
    assert expose(changed, About(["sex"])).exact_rho == expose(plan, About(["sex"])).exact_rho
    assert changed.budget("people").left["Town"] == Fraction(1, 2) * Fraction(3, 4)


def test_own_amounts_are_scaled_too():
    plan = Plan.of([Query("age", Kind(("age",), "Town", Rho(1)))], name="x", levels=["Town"], unit=PERSON)
    assert with_noise_by_kind(plan, [Fraction(3)]) == scaled(plan, 3)
    assert scaled(plan, 3).table.kinds[0].parameter == Rho("1/9")


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        (lambda plan: without(plan, ["agee"]), UnknownKey, "a query must be in the plan; got agee"),
        (lambda plan: without(plan, set(plan.table.names)), InvalidInput, "a plan must keep a query; got none"),
        (lambda plan: scaled(plan, 0), InvalidInput, "noise must be above 0"),
        (
            lambda plan: moved(plan, "3/4", level="Town", giver="job", taker="sex"),
            InvalidInput,
            "share must leave query",
        ),
        (lambda plan: moved(plan, "1/4", level="Town", giver="job", taker="occupied"), InvalidInput, "one budget"),
        (lambda plan: moved(plan, "1/4", level="Town", giver="age", taker="sex"), UnknownKey, "got age at Town"),
        (lambda plan: redivided(plan, "cats", {}), InvalidInput, "a budget must be one of the plan's; got cats"),
    ],
)
def test_a_change_that_cannot_be_is_refused(change, error, said):
    with pytest.raises(error, match=said):
        change(small_plan())


def test_a_share_of_an_own_amount_cannot_be_moved():
    kinds = [Kind((name,), "Town", Rho(1)) for name in ("a", "b")]
    plan = Plan.of([Query(k.attributes[0], k) for k in kinds], name="x", levels=["Town"], unit=PERSON)
    with pytest.raises(InvalidInput, match="query a must have a share of a budget"):
        moved(plan, "1/2", level="Town", giver="a", taker="b")


def test_a_plan_without_some_queries_has_no_empty_kinds():
    plan = census_2020.plan()
    names = {plan.table.names[row - 1] for row in plan.table.rows(0)}
    left = without(plan, sorted(names))
    assert min(left.table.counts) > 0
    assert len(left.table.kinds) < len(plan.table.kinds)
