"""A recommendation is told with its parameter on the safe side, what decided it, and what then happens."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import pytest
from parsed_texts import check_number, rest_of, without
from readability import grade

from whit.guarantees import ApproxDP, PureDP
from whit.mechanisms import Gaussian, Geometric, Laplace
from whit.policy import Recommendation, limits, profiles, recommend
from whit.telling.words import Explanation, explain

ASKED: dict[str, Callable[[], Recommendation]] = {
    "difference": lambda: recommend(limits.difference(0.2), Gaussian, releases=12, failure=0.01),
    "both sides": lambda: recommend(limits.difference(0.2), Gaussian, releases=3, failure=0.01, sides=2),
    "posterior": lambda: recommend(limits.posterior(0.3, prior=0.1), PureDP),
    "ratio": lambda: recommend(limits.ratio(2.5), PureDP),
    "power": lambda: recommend(limits.power(0.1, level=0.05), Laplace),
    "advantage": lambda: recommend(limits.advantage(0.1), Gaussian),
    "predictive value": lambda: recommend(limits.predictive_value(0.5, prior=0.1, level=0.05), Gaussian),
    "profile": lambda: recommend(profiles.capped(relative=3.0, absolute=0.25, value=1.0), PureDP),
    "noise of a profile": lambda: recommend(profiles.constant(3.0), Geometric),
    "promise": lambda: recommend(ApproxDP(1.0, 1e-6), Gaussian, releases=12),
    "after others": lambda: recommend(profiles.constant(3.0), PureDP, spent=[PureDP(0.25)]),
}


@cache
def found_by(name: str) -> Recommendation:
    return ASKED[name]()


@cache
def told(name: str, audience: str = "public") -> Explanation:
    return explain(found_by(name), audience)


each = pytest.mark.parametrize("name", ASKED)


@each
@pytest.mark.parametrize("audience", ["public", "officer"])
def test_every_number_has_its_finding_and_is_on_the_safe_side(name, audience):
    found = found_by(name)
    explanation = told(name, audience)
    for said in explanation.numbers:
        check_number(said)
    quoted = [" ".join(found.notices), repr(found.verdict.requirement)]
    assert re.findall(r"\d+", without(rest_of(explanation), filter(None, quoted))) == []


@each
def test_the_public_text_is_plain(name):
    text = told(name).text
    assert grade(text) <= 9.0
    assert not re.search(r"\b(epsilon|delta|sigma|scale|rho|mu)\b", text)


@each
def test_the_parameter_is_told_on_the_side_of_more_noise(name):
    found = found_by(name)
    said = told(name, "officer").numbers[0]
    assert said.value <= float(found.parameter) if found.family.rising else said.value >= float(found.parameter)
    assert said.value == pytest.approx(float(found.parameter), rel=1e-3)


def test_the_parameter_comes_first_for_an_officer():
    text = told("difference", "officer").text
    assert text.startswith("Use sigma = 11.948, and no less, for each of 12 releases.")
    assert "The deciding limit: the posterior exceeds the prior by at most 20 percentage points." in text


def test_the_limit_is_told_to_everybody():
    text = told("difference").text
    assert "rises by at most 20 out of 100. The limit is for all 12 results together." in text


def test_earlier_releases_are_in_the_numbers():
    # 0.25 spent and 0.2993 new: from even odds to e^0.5493 / (1 + e^0.5493) = 63.4 %.
    text = told("after others").text
    assert "Earlier results count as well." in text
    assert "at most 64 out of 100" in text


def test_an_adversary_with_ever_smaller_belief_is_not_called_zero():
    assert "next to nothing" in told("after others", "officer").text


def test_where_everything_is_allowed_no_number_is_invented():
    free = recommend(limits.posterior(1.0, prior=0.5), PureDP)
    assert free.unlimited
    assert explain(free).numbers == explain(free, "officer").numbers == ()
    assert "Any epsilon is within the limit" in explain(free, "officer").text


def test_the_technical_text_has_all_that_was_found():
    found = found_by("profile")
    text = explain(found, "technical").text
    for finding in (found.parameter, *found.findings, *found.comparisons):
        assert finding.quantity.name[1:] in text
    assert "parameter-by-inversion" in text


def test_a_limit_on_both_sides_is_told_on_both():
    officer, public = told("both sides", "officer").text, told("both sides").text
    assert "Evidence against the truth is limited" in officer
    assert "lead them too far away from the truth" in public
    assert "Afterwards, they think it is between 30 out of 100 and 70 out of 100." in public
    # tanh(t / 4) = 0.2 at the loss t that just keeps to it: from even odds to at most e^t / (1 + e^t) = 0.6923...
    assert re.search(r"is between 30\.8 % and 69\.3 %|is between 30\.7 % and 69\.3 %", officer)
    for name in ("difference", "power"):
        assert "Evidence against" not in told(name, "officer").text
