"""What does not fit together in a plan, in a sentence with its row and column."""

from __future__ import annotations

import pytest
from small_plans import LEVELS

from whit.errors import Incompatible, InvalidInput
from whit.plans import Budget, Cells, Epsilon, Kind, Plan, Query, Rho, Share
from whit.setting import HOUSEHOLD, PERSON


def build(*kinds: Kind, **head):
    queries = [Query(f"q{number}", kind) for number, kind in enumerate(kinds, start=1)]
    return Plan.of(queries, **{"name": "x", "levels": LEVELS, "unit": PERSON, **head})


def test_a_misspelt_level_is_named_with_its_row_and_what_was_meant():
    with pytest.raises(
        InvalidInput, match=r"row 2 \(q2\), column level must be one of .*'Regoin'. Did you mean 'Region'"
    ):
        build(Kind((), "Town", Rho(1)), Kind((), "Regoin", Rho(1)))


def test_shares_over_one_are_named_with_their_rows():
    budget = Budget("people", Rho(1))
    said = "rows 1, 3, column share, budget people at all must add up to 1; got 11/10 = 1.1. They are over 1"
    with pytest.raises(InvalidInput, match=said):
        build(
            Kind((), "Town", Share("people", "6/10")),
            Kind((), "Town", Rho(1)),
            Kind((), "Region", Share("people", "1/2")),
            budgets=[budget],
        )


def test_shares_under_one_are_named_too_unless_the_rest_is_stated_as_left():
    kind = Kind((), "Town", Share("people", "9/10"))
    with pytest.raises(InvalidInput, match="rows 1, column share, budget people at all must add up to 1; got 9/10"):
        build(kind, budgets=[Budget("people", Rho(1))])
    assert len(build(kind, budgets=[Budget("people", Rho(1), left={"all": "1/10"})]).table) == 1


def test_a_level_that_has_a_share_but_no_query_is_found():
    budget = Budget("people", Rho(1), {"Town": "1/2", "Region": "1/2"})
    with pytest.raises(InvalidInput, match="rows none, column share, budget people at Region must add up to 1; got 0"):
        build(Kind((), "Town", Share("people", 1)), budgets=[budget])


def test_a_budget_that_is_not_there_is_named_with_its_row():
    with pytest.raises(
        InvalidInput, match=r"row 1 \(q1\), column budget must be one of .*'poeple'. Did you mean 'people'"
    ):
        build(Kind((), "Town", Share("poeple", 1)), budgets=[Budget("people", Rho(1))])


def test_a_budget_of_another_noise_is_named_with_its_row():
    with pytest.raises(Incompatible, match=r"row 1 \(q1\), column budget must be of the noise of the query"):
        build(Kind((), "Town", Share("people", 1)), budgets=[Budget("people", Epsilon(1))])


def test_a_level_without_a_share_in_the_budget_is_named_with_its_row():
    with pytest.raises(Incompatible, match=r"row 1 \(q1\), column level must have a share in budget people; got Town"):
        build(Kind((), "Town", Share("people", 1)), budgets=[Budget("people", Rho(1), {"Region": 1})])


def test_a_budget_with_an_unknown_level_is_refused():
    with pytest.raises(InvalidInput, match="budget people, column levels must be one of the plan's; got 'Twn'"):
        build(Kind((), "Town", Rho(1)), budgets=[Budget("people", Rho(1), {"Twn": 1})])


def test_two_budgets_of_one_name_are_refused():
    with pytest.raises(InvalidInput, match="column budgets must name each once; got 'people'"):
        build(Kind((), "Town", Rho(1)), budgets=[Budget("people", Rho(1))] * 2)


def test_a_linked_unit_must_say_how_many_cells_its_record_touches():
    with pytest.raises(InvalidInput, match=r"row 1 \(q1\), column replace must be above 0; got 0"):
        build(Kind((), "Town", Rho(1), counts="home", cells=Cells(replace=0)))


def test_the_protected_unit_misspelt_is_not_taken_for_another_one():
    with pytest.raises(InvalidInput, match=r"row 1 \(q1\), column counts must be another word .*Did you mean 'person'"):
        build(Kind((), "Town", Rho(1), counts="persn"))


def test_the_protected_unit_may_be_named():
    assert build(Kind((), "Town", Rho(1), counts="person"), unit=PERSON).own(Kind((), "Town", Rho(1)))
    household = build(Kind(("size",), "Town", Rho(1)), unit=HOUSEHOLD)
    assert household.attributes == ("size",)
