"""The posterior against the prior: what is drawn is what is known."""

from __future__ import annotations

import math

import mpmath
import pytest
from drawn_texts import drawn_texts

from whit.errors import Incompatible, InvalidInput, NotImplied
from whit.guarantees import ApproxDP, GaussianDP, PureDP
from whit.policy import limits, profiles
from whit.semantics import membership
from whit.setting import Knowledge
from whit.telling.plots import NO_LIMIT, posterior_against_prior
from whit.telling.plots.style import SHADE


def rows(picture) -> list[dict]:
    return [row for rows in picture.chart.to_dict()["datasets"].values() for row in rows]


def line(picture, name: str) -> list[dict]:
    return [row for row in rows(picture) if row.get("series") == name]


def test_the_line_of_pure_dp_is_bayes_rule_at_the_largest_odds():
    drawn = line(posterior_against_prior(PureDP(1.0)), "epsilon = 1")
    assert len(drawn) == 201
    for row in drawn:
        p = mpmath.mpf(row["prior"])
        truth = p * mpmath.e / (1 - p + p * mpmath.e)
        assert row["posterior"] >= truth
        assert row["posterior"] <= truth * (1 + mpmath.mpf("1e-13"))


def test_what_is_drawn_is_the_table_and_the_finding():
    priors = [0.01, 0.25, 0.5, 0.99]
    picture = posterior_against_prior({"known noise": GaussianDP(1.0)}, failure=0.01, priors=priors)
    found = membership.posterior(GaussianDP(1.0), priors, failure=0.01)
    assert [row["posterior"] for row in line(picture, "known noise")] == found.value.tolist()
    assert picture.table["posterior at most: known noise"] == tuple(found.value)
    assert picture.table["prior"] == tuple(priors)


def test_both_sides_are_drawn_where_both_are_asked_for():
    picture = posterior_against_prior({"x": PureDP(1.0)}, sides=2, priors=[0.25, 0.75])
    below, above = picture.table["posterior at least: x"], picture.table["posterior at most: x"]
    assert sorted(row["posterior"] for row in line(picture, "x")) == sorted([*below, *above])
    assert below[0] == pytest.approx(1 - above[1], rel=1e-12)


@pytest.mark.parametrize(
    ("allowed", "expected"),
    [
        (profiles.capped(relative=3.0, absolute=0.25, value=1.0), [0.25, 0.6, 1.0]),
        (profiles.capped(relative=3.0, absolute=0.25, inclusion=1.0), [0.25, 0.6, 1.0]),
        (limits.difference(0.25), [0.3, 0.45, 0.75]),
        (limits.ratio(2.0), [0.1, 0.4, 1.0]),
    ],
)
def test_what_is_allowed_is_shaded_and_never_too_much(allowed, expected):
    picture = posterior_against_prior(PureDP(1.0), allowed=allowed, priors=[0.05, 0.2, 0.5])
    shaded = [row["allowed"] for row in rows(picture) if "allowed" in row]
    assert shaded == pytest.approx(expected, rel=1e-12)
    assert all(found <= truth * (1 + 1e-15) for found, truth in zip(shaded, expected, strict=True))


def test_a_limit_at_one_prior_is_one_point():
    picture = posterior_against_prior(PureDP(1.0), allowed=limits.posterior(0.9, prior=0.5))
    assert {"prior": 0.5, "posterior": 0.9} in rows(picture)
    assert "allowed: from 50 % to 90 %" in picture.alt.lower()


def test_the_description_says_the_numbers_on_the_safe_side():
    alt = posterior_against_prior(PureDP(1.0)).alt
    assert "from 10 % to at most 23.2 %, from 50 % to at most 73.2 %, from 90 % to at most 96.1 %" in alt
    assert "Blue line: the most that somebody can believe afterwards. " in alt


def test_colours_are_those_of_okabe_and_ito():
    text = posterior_against_prior({"a": PureDP(1.0), "b": PureDP(0.5)}).chart.to_json()
    assert "#0072B2" in text
    assert "#D55E00" in text
    assert not any(colour in text.lower() for colour in ('"red"', '"green"', "#ff0000", "#00ff00"))


def test_what_cannot_be_drawn_is_refused_in_a_sentence():
    with pytest.raises(NotImplied, match="failure"):
        posterior_against_prior(ApproxDP(1.0, 1e-6))
    with pytest.raises(InvalidInput, match="promised must be a promise, a mechanism or a curve"):
        posterior_against_prior("epsilon = 1")
    with pytest.raises(InvalidInput, match="promised must be a promise"):
        posterior_against_prior({})
    with pytest.raises(InvalidInput, match="the lines of a picture must be at most 7"):
        posterior_against_prior({f"line {n}": PureDP(1.0) for n in range(8)})
    with pytest.raises(InvalidInput, match="priors must be at least two numbers from 0 to 1"):
        posterior_against_prior(PureDP(1.0), priors=[])
    with pytest.raises(InvalidInput, match="priors must be at least two numbers from 0 to 1"):
        posterior_against_prior(PureDP(1.0), priors=[0.5, 1.5])
    with pytest.raises(Incompatible, match="must be a risk profile, or a limit on posterior"):
        posterior_against_prior(PureDP(1.0), allowed=limits.power(0.5, level=0.05))
    with pytest.raises(InvalidInput, match="the name of a line must be a text"):
        posterior_against_prior({" ": PureDP(1.0)})


def test_a_range_of_priors_has_the_axis_to_itself():
    picture = posterior_against_prior(PureDP(1.0), priors=[0.0, 0.01, 0.02])
    (x,) = {tuple(part["encoding"]["x"]["scale"]["domain"]) for part in picture.drawing["layer"] if _has_scale(part)}
    assert x == (0.0, 0.02)
    (y,) = {tuple(part["encoding"]["y"]["scale"]["domain"]) for part in picture.drawing["layer"] if _has_scale(part)}
    top = 0.02 * math.e / (0.02 * math.e + 0.98)
    assert top < y[1] < 2 * top
    assert "from 1 % to" in picture.alt


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (limits.difference(0.25), [1.0, 0.35, 0.45, 1.0]),
        (limits.difference(0.25, prior=0.1), [1.0, 0.35, 0.45, 1.0]),
        (limits.ratio(2.0), [1.0, 0.2, 0.4, 1.0]),
        (limits.posterior(0.3, prior=0.2), [1.0, 0.3, 0.3, 1.0]),
    ],
)
def test_a_limit_on_a_range_of_priors_holds_there_also_where_its_ends_are_not_drawn(limit, expected):
    picture = posterior_against_prior(PureDP(1.0), allowed=limit, within=(0.1, 0.2), priors=[0.05, 0.5])
    assert picture.table["prior"] == (0.05, 0.1, 0.2, 0.5)
    found = picture.table["posterior allowed"]
    assert found == pytest.approx(expected, rel=1e-12)
    assert all(each <= truth * (1 + 1e-15) for each, truth in zip(found, expected, strict=True))
    assert NO_LIMIT in picture.chart.to_json()


def test_a_range_of_priors_that_is_not_drawn_limits_nothing():
    picture = posterior_against_prior(PureDP(1.0), allowed=limits.ratio(2.0), within=(0.1, 0.2), priors=[0.5, 0.6])
    assert set(picture.table["posterior allowed"]) == {1.0}
    assert "Nothing is limited here." in picture.alt


def test_a_range_of_priors_needs_a_limit():
    with pytest.raises(Incompatible, match="within must come with a limit on posterior, ratio or difference"):
        posterior_against_prior(PureDP(1.0), within=(0.1, 0.2))
    with pytest.raises(InvalidInput, match="within must be at least two numbers from 0 to 1"):
        posterior_against_prior(PureDP(1.0), allowed=limits.ratio(2.0), within=(0.1, 1.2))


def _has_scale(part):
    return "scale" in part["encoding"]["x"]


def test_where_there_is_no_limit_it_is_grey():
    box = profiles.box(1.6, inclusion=(0.1, 0.6), value=(1.0, 1.0))
    picture = posterior_against_prior(PureDP(0.6), allowed=box)
    bands = [part for part in picture.drawing["layer"] if part["mark"]["type"] == "area"]
    shelves = [(part["mark"]["color"], picture.drawing["datasets"][part["data"]["name"]]) for part in bands]
    ends = [(colour, band[0]["prior"], band[-1]["prior"]) for colour, band in shelves]
    assert ends == [(NO_LIMIT, 0.0, 0.1), (SHADE, 0.1, 0.6), (NO_LIMIT, 0.6, 1.0)]
    assert {row["allowed"] for colour, band in shelves if colour == NO_LIMIT for row in band} == {1.0}
    assert "Grey: no limit." in " ".join(picture.drawing["title"]["subtitle"])


def test_the_allowed_point_has_its_words_beside_it_and_not_on_the_axis():
    picture = posterior_against_prior(PureDP(2.0), allowed=limits.posterior(0.3, prior=0.1))
    (box, *_) = [each for each in drawn_texts(picture.svg()) if each.text == "limit 30 %"]
    (title,) = [each for each in drawn_texts(picture.svg()) if "(posterior)" in each.text]
    assert box.corners[:, 0].min() > title.corners[:, 0].max()


def test_a_picture_says_what_the_adversary_knows():
    said = "The adversary knows the records of everyone else."
    known = posterior_against_prior(PureDP(1.0), knows=Knowledge.EVERYONE_ELSE)
    assert said in known.alt
    assert said not in posterior_against_prior(PureDP(1.0)).alt
