"""Many concerns at once are the concerns one by one."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from small_plans import LEVELS, plans, small_plan
from stopwatch import at_most

from whit.errors import InvalidInput
from whit.plans import About, Anywhere, Kind, Plan, Presence, Query, Rho, WholeRecord, Within, all_pairs, expose, rhos
from whit.plans.comparison import exact_rhos
from whit.setting import PERSON


@settings(max_examples=30)
@given(plans())
def test_the_sums_are_those_of_each_concern(plan):
    concerns = [*all_pairs(plan), *all_pairs(plan, Within("Town", "Region")), WholeRecord(), Presence()]
    assert exact_rhos(plan, concerns) == tuple(expose(plan, each).exact_rho for each in concerns)


def test_every_two_attributes_are_a_pair():
    assert [each.attributes for each in all_pairs(small_plan())] == [("age", "sex"), ("age", "job"), ("sex", "job")]
    assert all(each.place == Anywhere() for each in all_pairs(small_plan(), Anywhere()))


def test_the_numbers_are_upper_bounds_next_to_the_exact_sums():
    concerns = all_pairs(small_plan())
    found, exact = rhos(small_plan(), concerns), exact_rhos(small_plan(), concerns)
    assert all(Fraction(value) >= truth for value, truth in zip(found.value.tolist(), exact, strict=True))
    assert found.value == pytest.approx([float(each) for each in exact], rel=1e-15)


def test_all_pairs_of_forty_attributes_take_seconds():
    names = [f"attribute {i}" for i in range(40)]
    queries = [Query(f"{a} by {b}", Kind((a, b), "Town", Rho("1/1000"))) for a in names for b in names if a < b]
    plan = Plan.of(queries, name="wide", levels=LEVELS, unit=PERSON)
    with at_most(seconds=10):
        found = rhos(plan, all_pairs(plan))
    # Each attribute is in 39 queries, and one of them has both.
    assert found.value.shape == (780,)
    assert np.all(np.abs(found.value - 0.077) < 1e-15)


def test_no_concern_is_refused():
    with pytest.raises(InvalidInput, match="concerns must be at least one"):
        rhos(small_plan(), [])


def test_a_concern_is_named_in_the_inputs():
    assert rhos(small_plan(), [About(["age"])]).inputs["concerns"] == ["age"]
