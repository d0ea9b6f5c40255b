"""A budget is divided without a rest, or it is refused."""

from __future__ import annotations

import pytest

from whit.errors import InvalidInput
from whit.plans import Budget, Rho


def test_a_budget_that_is_not_divided_has_one_pot():
    budget = Budget("people", Rho(1))
    assert dict(budget.pots) == {"all": 1}
    assert budget.pot("Town") == "all"


def test_a_divided_budget_has_a_pot_for_each_level():
    budget = Budget("people", Rho(1), {"Country": "1/3", "Town": "2/3"})
    assert budget.pot("Town") == "Town"
    assert sum(budget.pots.values()) == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"levels": {"Town": "0.9"}}, "budget people, column levels must have shares that add up to 1; got 9/10"),
        ({"levels": {"Town": "2"}}, r"column levels, Town must be in \[0, 1\]; got 2"),
        ({"levels": ["Town"]}, "column levels must give a share for each level"),
        ({"left": {"Town": "0.1"}}, "column left must name a part of it; got Town. Use one of all"),
        ({"amount": 1}, "the amount of budget people must be an amount; got 1"),
        ({"name": ""}, "the name of a budget must be a text"),
    ],
)
def test_a_budget_that_does_not_add_up_is_refused(given, said):
    with pytest.raises(InvalidInput, match=said):
        Budget(**{"name": "people", "amount": Rho(1), **given})
