"""Risk against accuracy."""

from __future__ import annotations

import pytest

from whit.errors import InvalidInput
from whit.mechanisms import Geometric
from whit.policy import frontier, profiles
from whit.telling.plots import accuracy_against_risk


def test_the_dots_are_those_of_the_paper():
    steps = frontier([profiles.capped(relative=r, absolute=0.25, value=1.0) for r in (1.5, 3.0, 6.0)], Geometric)
    picture = accuracy_against_risk(steps)
    rows = [row for rows in picture.chart.to_dict()["datasets"].values() for row in rows if "series" in row]
    # KR24, Table 1: limits of 1.5, 3 and 6 cost standard deviations of 2.74, 1.02 and 0.59.
    assert [(round(row["noise"], 2), round(row["risk"], 6)) for row in rows[:3]] == [(2.74, 1.5), (1.02, 3), (0.59, 6)]
    assert picture.table["standard deviation of the noise"] == tuple(row["noise"] for row in rows[:3])
    assert [round(number, 2) for number in picture.table["parameter"]] == [0.51, 1.30, 2.04]
    assert "epsilon 1.29: standard deviation at most 1.02, relative risk at most 3" in picture.alt


@pytest.mark.parametrize("steps", [[], None, [1.0]])
def test_what_is_no_frontier_is_refused(steps):
    with pytest.raises(InvalidInput, match=r"steps must be what policy.frontier found"):
        accuracy_against_risk(steps)
