"""What other processes are handed comes out as it went in."""

from __future__ import annotations

import pickle

import pytest

from whit.guarantees import PureDP, RenyiDP, convert
from whit.plans import Presence, census_2020, expose

PLAN = census_2020.plan()
VALUES = {
    "RenyiDP": convert(PureDP(1.0), to=RenyiDP, orders=[2.0, 8.0]).result,
    "Budget": PLAN.budgets[0],
    "Plan": PLAN,
    "Exposure": expose(PLAN, Presence()),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_value_is_the_same_in_another_process(name):
    value = VALUES[name]
    again = pickle.loads(pickle.dumps(value))
    assert type(again) is type(value)
    assert repr(again) == repr(value)
    assert type(value).__name__ == name
