"""The risk after each number of releases."""

from __future__ import annotations

import mpmath
import pytest

from whit.errors import Incompatible, InvalidInput
from whit.guarantees import PureDP, ZeroConcentratedDP
from whit.guarantees.composition import AdvancedComposition
from whit.policy import limits, profiles
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


@pytest.mark.parametrize(
    ("stated", "number"),
    [
        (limits.posterior(0.3, prior=0.1), "30 %"),
        (limits.ratio(2.5), "25 %"),
        ([limits.difference(0.4), limits.posterior(0.3, prior=0.1)], "30 %"),
        (profiles.constant(3.0), "30 %"),
    ],
)
def test_the_least_that_limits_and_profiles_allow_from_the_prior_is_a_line(stated, number):
    picture = risk_over_releases(PureDP(0.1), membership.PosteriorFrom(0.1), [1, 2, 5], limit=stated)
    assert f"Dashed: the limit {number}." in picture.alt
    assert "not shown" not in picture.alt


@pytest.mark.parametrize("stated", [limits.posterior(0.3, prior=0.2), limits.power(0.2, level=0.05)])
def test_a_limit_about_something_else_is_said_to_be_left_out(stated):
    picture = risk_over_releases(PureDP(0.1), membership.PosteriorFrom(0.1), [1, 2, 5], limit=[stated])
    assert "Dashed" not in picture.alt
    assert "A limit about anything else is not shown" in picture.alt


TWO = {"yearly": PureDP(0.5), "monthly": PureDP(0.1)}


def test_releases_of_several_kinds_have_a_line_of_what_they_come_to_together_and_one_each():
    counts, most = [1, 2, 3, 7, 12], {"yearly": 3, "monthly": 13}
    picture = risk_over_releases(TWO, membership.PosteriorFrom(0.1), counts, most=most)
    columns = {name.rpartition(": ")[2]: column for name, column in picture.table.items()}
    assert list(columns) == ["releases", "all together", "yearly alone", "monthly alone"]
    for at, both, yearly, monthly in picture.table.rows():
        for found, epsilon in ((both, 0.5 * min(at, 3) + 0.1 * at), (yearly, 0.5 * min(at, 3)), (monthly, 0.1 * at)):
            truth = 1 / (1 + 9 * mpmath.exp(-epsilon))
            assert truth * (1 - mpmath.mpf("1e-12")) <= found <= truth * (1 + mpmath.mpf("1e-12"))
    for text in (picture.caption, picture.alt):
        assert "yearly: epsilon = 0.5, in each of 3 releases; monthly: epsilon = 0.1, in each of 13 releases" in text
        assert "The line “all together” is what they come to." in text
    german = risk_over_releases(TWO, membership.PosteriorFrom(0.1), counts, most=most, language="de")
    assert "yearly: epsilon = 0,5, in jeder von 3 Veröffentlichungen" in german.caption
    assert "alle zusammen: nach 1 höchstens 16,9\u00a0%" in german.alt


def test_people_who_depend_on_each_other_do_so_in_all_releases():
    several, most = {name: each.block(2) for name, each in TWO.items()}, {"yearly": 1, "monthly": 2}
    picture = risk_over_releases(several, membership.PosteriorFrom(0.1), [1, 2], most=most)
    _, last = picture.table["posterior probability of the truth at most: all together"]
    # One person comes or goes, and the record of the other, which depends on it, is replaced: three times the epsilon.
    assert last == pytest.approx(float(1 / (1 + 9 * mpmath.exp(-3 * (0.5 + 0.2)))), rel=1e-12)
    assert "up to 2 people" in picture.caption


def test_where_lines_could_not_be_told_apart_only_all_together_is_drawn():
    several = {f"table {n}": PureDP(0.01 * n) for n in range(1, 8)}
    picture = risk_over_releases(several, membership.PosteriorFrom(0.1), [1, 2], most=dict.fromkeys(several, 2))
    assert len(picture.table) == 2


def test_the_numbers_of_releases_are_those_of_the_lines_and_their_own_rule():
    risk = membership.PosteriorFrom(0.1)
    with pytest.raises(InvalidInput, match="most must have the number of releases of each line, by its name"):
        risk_over_releases(TWO, risk, [1, 2], most={"yearly": 3})
    with pytest.raises(InvalidInput, match="most must be a whole number"):
        risk_over_releases(TWO, risk, [1, 2], most={"yearly": 0, "monthly": 1})
    with pytest.raises(Incompatible, match="rule must not be given with the number of releases of each"):
        risk_over_releases(TWO, risk, [1, 2], most={"yearly": 1, "monthly": 1}, rule=AdvancedComposition(delta=1e-6))
