"""The risk after each number of releases."""

from __future__ import annotations

import mpmath
import pytest

from whit.errors import InvalidInput
from whit.guarantees import PureDP, ZeroConcentratedDP
from whit.guarantees.composition import AdvancedComposition
from whit.semantics import membership
from whit.setting import Neighbours
from whit.telling.plots import risk_over_releases


def line(picture, name: str) -> list[dict]:
    datasets = picture.chart.to_dict()["datasets"].values()
    return [row for rows in datasets for row in rows if row.get("series") == name]


def test_epsilons_add_up_along_the_line():
    counts = [1, 10, 27, 28]
    picture = risk_over_releases({"x": PureDP(0.05)}, membership.PosteriorFrom(0.5), counts, limit=0.8)
    drawn = line(picture, "x")
    for row in drawn:
        truth = 1 / (1 + mpmath.exp(-mpmath.mpf(0.05) * row["releases"]))
        assert truth <= row["risk"] <= truth * (1 + mpmath.mpf("1e-12"))
    # KSZJY25, section 4.2: the bound first exceeds 80 % after 28 queries.
    assert drawn[2]["risk"] <= 0.8 < drawn[3]["risk"]
    assert picture.table["releases"] == tuple(counts)


def test_what_is_drawn_is_the_finding():
    risk, counts = membership.DifferenceAtAnyPrior(), [1, 7, 30, 365]
    picture = risk_over_releases({"x": ZeroConcentratedDP(0.01)}, risk, counts, failure=0.01, sides=2)
    found = membership.risk_over_releases(ZeroConcentratedDP(0.01), risk, counts, failure=0.01, sides=2)
    assert [row["risk"] for row in line(picture, "x")] == found.value.tolist()
    assert "except with probability 1 %" in picture.alt


def test_the_limit_is_a_line_with_its_number():
    picture = risk_over_releases(PureDP(0.05), membership.RatioAtAnyPrior(), [1, 30], limit=2.0)
    text = picture.chart.to_json()
    assert "limit 2" in text
    assert [1.0, 2.0] in [[row.get("releases"), row.get("risk")] for row in next(_references(picture))]


def _references(picture):
    return (rows for rows in picture.chart.to_dict()["datasets"].values() if rows[0].get("risk") == 2.0)


@pytest.mark.parametrize("counts", [[], [3], [3, 3]])
def test_fewer_than_two_numbers_of_releases_are_refused(counts):
    with pytest.raises(InvalidInput, match="counts must be at least two numbers of releases"):
        risk_over_releases(PureDP(0.05), membership.PosteriorFrom(0.5), counts)


def test_what_is_no_number_of_releases_is_refused():
    with pytest.raises(InvalidInput, match="counts"):
        risk_over_releases(PureDP(0.05), membership.PosteriorFrom(0.5), [0.5, 1.5])


def test_the_caption_names_what_the_numbers_depend_on():
    asked = {"failure": 0.01, "sides": 2, "neighbours": Neighbours.REPLACE}
    told = risk_over_releases(PureDP(0.05), membership.PosteriorFrom(0.2), [1, 7], **asked)
    shown = " ".join(told.chart.to_dict()["title"]["subtitle"])
    assert "20\u00a0%" in shown  # a number stays with its unit
    shown = shown.replace("\u00a0", " ")
    for said in ("from a prior of 20 %", "except with probability 1 %", "Falls of the belief", "one record replaced"):
        assert said in shown
        assert said in told.alt
    advanced = AdvancedComposition(delta=1e-6)
    ruled = risk_over_releases(PureDP(0.05), membership.PosteriorFrom(0.2), [1, 7], failure=0.01, rule=advanced)
    assert "Releases add up by advanced composition." in ruled.alt


def test_the_limit_is_said_in_words_too():
    picture = risk_over_releases(PureDP(0.5), membership.PosteriorFrom(0.1), [1, 2, 3], limit=0.3)
    assert "Dashed: the limit 30 %." in picture.alt
    with pytest.raises(InvalidInput, match="limit"):
        risk_over_releases(PureDP(0.5), membership.PosteriorFrom(0.1), [1, 2, 3], limit=float("nan"))
