"""A plan is told by what it leaves of a concern, and by what it does not protect."""

from __future__ import annotations

import re
from functools import cache

import pytest
from parsed_texts import check_number, rest_of, without
from readability import grade

from whit.plans import (
    About,
    Budget,
    Exposure,
    Kind,
    Plan,
    PlanRecommendation,
    Presence,
    Query,
    Rho,
    Share,
    Unprotected,
    WholeRecord,
    Within,
    expose,
    recommend_scale,
)
from whit.policy import limits
from whit.setting import PERSON
from whit.telling.words import explain

AGE = Query("age by sex", Kind(("age", "sex"), "County", Share("people", "2/3")))
TOTAL = Query("total", Kind((), "Country", Share("people", "1/3")))
PLAN = Plan.of(
    [TOTAL, AGE],
    name="a small census",
    levels=["Country", "County"],
    unit=PERSON,
    budgets=[Budget("people", Rho("0.5"))],
    unprotected=(Unprotected("the total of the country", "It is published as counted."),),
)
EXPLAINED: dict[str, Plan | Exposure | PlanRecommendation] = {
    "plan": PLAN,
    "age": expose(PLAN, About(["age"])),
    "place": expose(PLAN, About([], Within("County", "Country"))),
    "whole record": expose(PLAN, WholeRecord()),
    "presence": expose(PLAN, Presence()),
}


@cache
def explained(name: str) -> Plan | Exposure | PlanRecommendation:
    """One of the things above; the noise is chosen once, when it is first needed."""
    if name == "chosen":
        return recommend_scale(PLAN, {About(["age"]): limits.power(0.1, level=0.05)})
    return EXPLAINED[name]


each = pytest.mark.parametrize("name", [*EXPLAINED, "chosen"])


@each
@pytest.mark.parametrize("audience", ["public", "officer", "technical"])
def test_every_number_has_its_finding_and_is_on_the_safe_side(name, audience):
    explanation = explain(explained(name), audience)
    assert explanation.numbers
    for said in explanation.numbers:
        check_number(said)
    if audience != "technical":
        assert re.findall(r"\d+", without(rest_of(explanation), [])) == []


@each
def test_the_public_text_is_plain_and_says_what_is_not_protected(name):
    text = explain(explained(name)).text
    assert grade(text) <= 9.0
    assert "are not protected: the total of the country." in text


def test_the_concern_is_named():
    assert "You want this kept private: age." in explain(EXPLAINED["age"]).text
    assert "Concern: age." in explain(EXPLAINED["age"], "officer").text


def test_the_noise_of_a_plan_is_known():
    assert "The distribution of the noise is known" in explain(PLAN, "officer").text


def test_the_limit_that_was_asked_for_is_seen_to_be_kept():
    # 5 out of 100 false alarms, and at most 10 out of 100 hits, as the limit says.
    assert "With your true record, at most 10 out of 100 would." in explain(explained("chosen")).text


def test_a_plan_by_itself_is_told_by_the_concern_that_takes_the_most():
    assert (
        explain(PLAN).text
        == explain(EXPLAINED["whole record" if PLAN.neighbours.name == "REPLACE" else "presence"]).text
    )
