"""Risk against accuracy."""

from __future__ import annotations

import pytest

from whit.errors import Incompatible, InvalidInput
from whit.mechanisms import Gaussian, Geometric, Laplace
from whit.policy import frontier, limits, profiles
from whit.setting import Knowledge
from whit.telling.plots import accuracy_against_risk, families_side_by_side


def test_the_dots_are_those_of_the_paper():
    steps = frontier([profiles.capped(relative=r, absolute=0.25, value=1.0) for r in (1.5, 3.0, 6.0)], Geometric)
    picture = accuracy_against_risk(steps)
    rows = [row for rows in picture.chart.to_dict()["datasets"].values() for row in rows if "series" in row]
    # KR24, Table 1: limits of 1.5, 3 and 6 cost standard deviations of 2.74, 1.02 and 0.59.
    assert [(round(row["noise"], 2), round(row["risk"], 6)) for row in rows[:3]] == [(2.74, 1.5), (1.02, 3), (0.59, 6)]
    assert picture.table["standard deviation of the noise"] == tuple(row["noise"] for row in rows[:3])
    assert [round(number, 2) for number in picture.table["parameter"]] == [0.51, 1.30, 2.04]
    assert "epsilon 1.2992: standard deviation at most 1.02, relative risk at most 3" in picture.alt


def test_limits_have_a_frontier_and_a_picture_as_well():
    wanted = [limits.ratio(factor, prior=0.01) for factor in (1.5, 2, 3, 4)]
    picture = accuracy_against_risk(frontier(wanted, Gaussian, releases=36, failure=0.01))
    risks = picture.table["ratio of posterior to prior of the truth at most"]
    assert [round(risk, 6) for risk in risks] == [1.5, 2.0, 3.0, 4.0]
    assert all(risk <= limit.ratio for risk, limit in zip(risks, wanted, strict=True))
    tests = accuracy_against_risk(frontier([limits.power(0.1, level=0.05), limits.power(0.2, level=0.05)], Gaussian))
    assert [round(risk, 6) for risk in tests.table["power of the best test at most"]] == [0.1, 0.2]


def test_requirements_about_different_risks_are_not_drawn_together():
    steps = frontier([limits.power(0.1, level=0.05), limits.advantage(0.2)], Gaussian)
    with pytest.raises(Incompatible, match="must be about one risk; got advantage of the best test and power"):
        accuracy_against_risk(steps)


@pytest.mark.parametrize("steps", [[], None, [1.0]])
def test_what_is_no_frontier_is_refused(steps):
    with pytest.raises(InvalidInput, match=r"steps must be the steps of a frontier"):
        accuracy_against_risk(steps)


@pytest.mark.parametrize(
    ("knowing", "said"),
    [
        ((Knowledge.ANY_BELIEF, Knowledge.ANY_BELIEF), "The prior is 10 %."),
        (
            (Knowledge.EVERYONE_ELSE, Knowledge.EVERYONE_ELSE),
            "The prior is 10 %. The adversary knows the records of everyone else.",
        ),
        (
            (Knowledge.ANY_BELIEF, Knowledge.EVERYONE_ELSE),
            "The prior is 10 %. Some of the limits are about an adversary who knows the records of everyone else.",
        ),
    ],
)
def test_it_says_whom_the_limits_are_about(knowing, said):
    wanted = [limits.posterior(most, prior=0.1, knows=knows) for most, knows in zip((0.2, 0.3), knowing, strict=True)]
    picture = accuracy_against_risk(frontier(wanted, Gaussian, failure=0.01))
    assert f"except with probability 1 %. The risk is that of one release. {said} One record" in picture.caption
    assert said in picture.alt
    both = frontier(wanted[1:], Gaussian, failure=0.01) + frontier(wanted[1:], Laplace, failure=0.01)
    knows = "The adversary knows the records of everyone else."
    assert (knows in families_side_by_side(both).alt) == (knowing[1] is Knowledge.EVERYONE_ELSE)
