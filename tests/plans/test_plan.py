"""A plan is valid once built; what does not fit is named by row and column."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from small_plans import LEVELS, small_plan

from whit.errors import InvalidInput
from whit.plans import Cells, Kind, Plan, Query, Rho, Sigma
from whit.plans.changes import redivided
from whit.setting import PERSON, Neighbours

AGE = Query("age", Kind(("age",), "Town", Rho("1/2")))


def test_the_noise_follows_from_the_budget_the_level_and_the_share():
    """age by sex at Region: rho = 1/2 * 3/10 * 2/3 = 1/10, so sigma^2 = 2 / (2 rho) = 10."""
    plan = small_plan()
    assert plan.spread(plan.table.kinds[2]) == 10


def test_under_adding_and_removing_one_cell_changes_and_half_the_variance_will_do():
    plans = [
        Plan.of([AGE], name="x", levels=LEVELS, unit=PERSON, neighbours=each)
        for each in (Neighbours.REPLACE, Neighbours.ADD_REMOVE)
    ]
    assert [plan.spread(AGE.kind) for plan in plans] == [2, 1]


def test_sigma_is_the_noise_whatever_the_cells():
    for cells in (Cells(), Cells(add_remove=5, replace=3)):
        kind = Kind(("age",), "Town", Sigma(3), cells=cells)
        assert Plan.of([Query("age", kind)], name="x", levels=LEVELS, unit=PERSON).spread(kind) == 9


def test_a_linked_unit_is_stated_for_one_record_of_it():
    """occupied at Town: rho = 1/10 * 1/2, two cells: sigma^2 = 20."""
    plan = small_plan()
    assert plan.spread(plan.table.kinds[-1]) == 20


def test_the_attributes_are_those_of_the_protected_unit():
    assert small_plan().attributes == ("age", "sex", "job")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"unit": None}, "the plan, column unit must be stated; got None"),
        ({"neighbours": Neighbours.LOCAL}, "the plan, column neighbours must be adding and removing, or replacing"),
        ({"levels": "Town"}, "the plan, column levels must be a list"),
        ({"levels": ["Town", "Town"]}, "the plan, column levels must name each once; got 'Town'"),
        ({"levels": []}, "the plan, column levels must name one"),
        ({"single": [float("nan")]}, "the plan, column single must be one of the plan's; got nan. Use one of"),
        ({"single": ["Twon"]}, "the plan, column single must be one of the plan's; got 'Twon'. Did you mean 'Town'"),
        ({"linked": "WORST"}, "the plan, column linked must be one of Linked"),
        ({"budgets": [1]}, "the plan, column budgets must be budgets; got 1"),
        ({"name": ""}, "the name of a plan must be a text"),
    ],
)
def test_a_head_that_cannot_be_is_refused(given, said):
    with pytest.raises(InvalidInput, match=said):
        Plan.of([AGE], **{"name": "x", "levels": LEVELS, "unit": PERSON, **given})


def test_a_budget_that_is_not_there_is_refused_by_name():
    with pytest.raises(InvalidInput, match="a budget must be one of the plan's; got animals. Use one of people, homes"):
        small_plan().budget("animals")


def test_plans_are_values():
    assert small_plan() == small_plan()
    assert hash(small_plan()) == hash(small_plan())
    assert small_plan() != replace(small_plan(), name="another")
    assert Fraction(1) not in {small_plan()}


def test_a_share_of_nothing_is_not_asked():
    nothing = redivided(small_plan(), "people", {"Country": 0, "Region": "1/2", "Town": "1/2"})
    for plan, share in ((small_plan(), Fraction(1, 5)), (nothing, Fraction(0))):
        assert plan.share(plan.table.kinds[0]) == share
    assert nothing.spread(nothing.table.kinds[0]) == 0
