"""Findings of every kind have a sentence, their own or that of their unit."""

from __future__ import annotations

import re

import pytest
from parsed_texts import check_number, rest_of
from readability import grade

from whit.assessment import QUESTIONS, assess
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, Geometric, Laplace
from whit.policy import Target, crossing, limits, naive_epsilon
from whit.semantics import membership, testing
from whit.setting import Adversary
from whit.telling.words import explain
from whit.telling.words.language import language_of
from whit.telling.words.subject import key_of

WEEK = ZeroConcentratedDP(0.07)
FINDINGS = {
    "largest ratio": membership.largest_ratio(WEEK, failure=0.01),
    "largest difference": membership.largest_difference(WEEK, failure=0.01),
    "odds ratio": membership.odds_ratio(PureDP(1.0)),
    "both sides of a ratio": membership.ratio(WEEK, 0.3, failure=0.01, sides=2),
    "both sides of a difference": membership.difference(WEEK, 0.3, failure=0.01, sides=2),
    "releases": membership.releases_until(
        ZeroConcentratedDP(0.01), membership.PosteriorFrom(0.5), 0.9, failure=0.01
    ).count,
    "deviation": Laplace(2.0).standard_deviation(),
    "crossing": crossing(Geometric(1.0), count=26, target=Target(6.0, per=1000, of=4012)),
    "delta": Gaussian(1.0).delta([0.5, 1.0]),
    "epsilon": ApproxDP(1.0, 1e-6).epsilon(1e-5),
    "no epsilon": ApproxDP(1.0, 1e-6).epsilon(0.0),
    "log of a power": Gaussian(1.0).log_power(-2000.0),
    "tail": ApproxDP(1.0, 1e-6).tail(1.2),
    "level": testing.level(PureDP(1.0), 0.5),
    "naive epsilon": naive_epsilon(3.0),
    "allowed loss": limits.difference(0.2).allowed_loss(),
    "law of the posterior": membership.distribution(Gaussian(1.0), prior=0.5).quantile([0.1, 0.5]),
    "many priors": membership.posterior(PureDP(1.0), [k / 2000 for k in range(1, 2000)]),
}


@pytest.mark.parametrize("name", FINDINGS)
@pytest.mark.parametrize("audience", ["public", "officer", "technical"])
def test_a_finding_of_any_kind_is_told_on_the_safe_side(name, audience):
    explanation = explain(FINDINGS[name], audience)
    for said in explanation.numbers:
        check_number(said)
    if audience != "technical":
        assert re.findall(r"\d+", rest_of(explanation)) == []
    if audience == "public":
        assert grade(explanation.text) <= 9.0
        assert not re.search(r"\b(delta|epsilon|rho|mu|sigma)\b", explanation.text)


def test_every_question_has_a_sentence_for_officers():
    asked = {*QUESTIONS, "largest_ratio", "largest_difference", "odds_ratio", "releases", "deviation", "crossing"}
    assert {key for key in asked if not language_of("en").has(f"officer.one.{key}")} == set()


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_answer_has_the_key_of_its_question(name):
    one = assess(PureDP(1.0), Adversary(prior=0.1, baseline=0.1))
    two = assess(PureDP(1.0), Adversary(prior=0.1, baseline=0.1), sides=2)
    for answers in (one, two):
        found = getattr(answers, name).worst
        assert found is not None
        assert (found.quantity.key, key_of(found)) == (name, name)


def test_a_quantity_without_sentences_of_its_own_goes_by_another():
    assert key_of(naive_epsilon(3.0)) == "other"
    assert key_of(membership.worst_prior(PureDP(1.0)).ratio.when_true) == "other"
    assert key_of(membership.posterior(PureDP(1.0), 0.5)) == "posterior"


def test_a_limit_on_releases_says_when_it_is_not_kept():
    assert "in at most 1 out of 100 cases, the limit may be exceeded" in explain(FINDINGS["releases"]).text
