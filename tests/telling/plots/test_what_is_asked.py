"""A picture says what it is asked of, in its caption and in words: releases, failure, prior, who knows what.

The expected words are written by hand, in each language.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any, NamedTuple

import pytest

from whit.assessment import assess
from whit.guarantees import PureDP
from whit.ledger import Ledger, course_of
from whit.mechanisms import Gaussian, Geometric, Laplace, RandomizedResponse
from whit.plans import census_2020, expose
from whit.policy import frontier, limits, profiles
from whit.semantics import membership, testing
from whit.setting import Adversary, Knowledge, Sensitivity, When
from whit.telling import plots
from whit.telling.catalogue import deployments

NOISE = Gaussian(8.0).times(12)
KNOWS = Knowledge.EVERYONE_ELSE
PROFILE = profiles.capped(relative=3.0, absolute=0.25, inclusion=0.05)
LIMIT = limits.posterior(0.3, prior=0.1, knows=KNOWS, when=When.EVER)
SOME = {
    "in each of 12 releases": {"de": "in jeder von 12 Veröffentlichungen", "fr": "dans chacune des 12 publications"},
    "all 12 releases together": {"de": "aller 12 Veröffentlichungen zusammen", "fr": "des 12 publications ensemble"},
    "that of one release": {"de": "das einer Veröffentlichung", "fr": "celui d’une seule publication"},
    "of all releases together": {"de": "aller Veröffentlichungen zusammen", "fr": "toutes les publications ensemble"},
    "releases that count": {"de": "gezählte Veröffentlichungen", "fr": "publications comptées"},
    "except with probability 1 %": {"de": "außer mit Wahrscheinlichkeit 1 %", "fr": "sauf avec une probabilité de 1 %"},
    "prior is 10 %": {"de": "A-priori-Wahrscheinlichkeit ist 10 %", "fr": "probabilité a priori est de 10 %"},
    "prior of 10 %": {"de": "A-priori-Wahrscheinlichkeit von 10 %", "fr": "probabilité a priori de 10 %"},
    "records of everyone else": {"de": "Datensätze aller anderen", "fr": "enregistrements de tous les autres"},
    "at every moment": {"de": "zu jedem Zeitpunkt", "fr": "à tout moment"},
    "up to 3 people": {"de": "bis zu 3 Personen", "fr": "jusqu’à 3 personnes"},
    "Falls of the belief": {"de": "Sinken der Überzeugung", "fr": "baisses de la croyance"},
    "changes the exact answer by at most 4": {
        "de": "ändert die genaue Antwort um höchstens 4",
        "fr": "change la réponse exacte d’au plus 4",
    },
    "Earlier releases": {"de": "Frühere Veröffentlichungen", "fr": "publications antérieures"},
    "false-positive rate of 5 %": {"de": "5 % Fehlalarmen", "fr": "fausses alertes est de 5 %"},
    "Inclusion is 0.05": {"de": "in den Daten zu sein, ist 0,05", "fr": "d’être dans les données est 0,05"},
}
"""What a picture may have to say, and the same in other languages."""


class Asked(NamedTuple):
    """A kind of picture, how one is drawn, and what it must say."""

    kind: Callable[..., plots.Picture]
    draw: Callable[[str], plots.Picture]
    says: tuple[str, ...]


def steps(*kinds: Any, **asked: Any) -> list[Any]:
    return [frontier([LIMIT], kind, releases=12, failure=0.01, **asked)[0] for kind in kinds]


def course(folder: Any) -> Any:
    with Ledger.create(folder / "office.ledger", actor="ada") as ledger:
        ledger.declare("people")
        ledger.open("a", "people", limits=[limits.posterior(0.3, prior=0.1)], failure="0.01", books=["zcdp"])
        ledger.reserve("a", PureDP(0.01), what="x")
        return course_of(ledger.store, "a")


BELIEFS = {"failure": 0.01, "knows": KNOWS, "when": When.EVER}
EVERY = (
    Asked(
        plots.posterior_against_prior,
        lambda code: plots.posterior_against_prior(NOISE.block(3), mark=0.1, **BELIEFS, language=code),
        ("in each of 12 releases", "except with probability 1 %", "records of everyone else", "at every moment"),
    ),
    Asked(
        plots.posterior_against_prior,
        lambda code: plots.posterior_against_prior(
            {"a": NOISE.block(3), "b": NOISE.block(3)}, **BELIEFS, language=code
        ),
        ("in each of 12 releases", "up to 3 people"),
    ),
    Asked(
        plots.posterior_law,
        lambda code: plots.posterior_law({"ours": NOISE}, 0.1, language=code),
        ("in each of 12 releases", "prior of 10 %", "records of everyone else"),
    ),
    Asked(
        plots.level_and_power,
        lambda code: plots.level_and_power({"ours": NOISE, "theirs": Gaussian(1.0)}, language=code),
        ("in each of 12 releases", "records of everyone else"),
    ),
    Asked(
        plots.profile_curve,
        lambda code: plots.profile_curve({"ours": NOISE}, language=code),
        ("in each of 12 releases",),
    ),
    Asked(plots.loss_curve, lambda code: plots.loss_curve(NOISE, language=code), ("in each of 12 releases",)),
    Asked(
        plots.risk_over_releases,
        lambda code: plots.risk_over_releases(
            Gaussian(8.0), membership.PosteriorFrom(0.1), [1, 12], sides=2, **BELIEFS, language=code
        ),
        (
            *("prior of 10 %", "except with probability 1 %", "records of everyone else", "at every moment"),
            "Falls of the belief",
        ),
    ),
    Asked(
        plots.accuracy_against_risk,
        lambda code: plots.accuracy_against_risk(
            steps(Gaussian, sensitivity=Sensitivity(add_remove=4, replace=4), spent=[PureDP(0.01)]), language=code
        ),
        (
            *("all 12 releases together", "except with probability 1 %", "prior is 10 %", "records of everyone else"),
            *("at every moment", "changes the exact answer by at most 4", "Earlier releases"),
        ),
    ),
    Asked(
        plots.accuracy_against_risk,
        lambda code: plots.accuracy_against_risk(
            frontier([limits.difference(0.2, block=3)], Laplace, sides=2), language=code
        ),
        ("that of one release", "up to 3 people", "Falls of the belief"),
    ),
    Asked(
        plots.families_side_by_side,
        lambda code: plots.families_side_by_side(steps(Gaussian, Geometric), language=code),
        (
            *("all 12 releases together", "except with probability 1 %", "prior is 10 %", "records of everyone else"),
            "at every moment",
        ),
    ),
    Asked(
        plots.icon_arrays,
        lambda code: plots.plot(assess(NOISE, Adversary(prior=0.1, knows=KNOWS), failure=0.01), language=code),
        ("in each of 12 releases", "records of everyone else"),
    ),
    Asked(
        plots.profile_and_epsilon,
        lambda code: plots.profile_and_epsilon(PROFILE, language=code),
        ("of all releases together", "Inclusion is 0.05"),
    ),
    Asked(
        plots.profile_map,
        lambda code: plots.profile_map(profiles.constant(3.0), cells=3, language=code),
        ("of all releases together",),
    ),
    Asked(
        plots.power_by_unit,
        lambda code: plots.power_by_unit(deployments()[:2], language=code),
        ("false-positive rate of 5 %", "records of everyone else"),
    ),
)
BY_THEIR_OWN = {plots.plot, plots.panels, plots.account_over_time, plots.budget_by_query}
"""One that chooses among the others, one whose words are the caller's, and two with tests below."""


@pytest.mark.parametrize("code", ["en", "de", "fr"])
@pytest.mark.parametrize("asked", EVERY, ids=lambda each: each.kind.__name__)
def test_every_kind_of_picture_says_what_it_is_asked_of(asked, code):
    picture = asked.draw(code)
    for text in asked.says:
        said = text if code == "en" else SOME[text][code]
        shown = picture.title + " " + picture.caption
        assert said in shown.replace("\u00a0", " ")
        assert said in picture.alt.replace("\u00a0", " ")


def test_no_kind_of_picture_is_left_out():
    every = [getattr(plots, name) for name in plots.__all__]
    drawing = {each for each in every if callable(each) and not isinstance(each, type)}
    kinds = {each for each in drawing if signature(each).return_annotation == "Picture"}
    assert kinds == {each.kind for each in EVERY} | BY_THEIR_OWN


@pytest.mark.parametrize("code", ["en", "de", "fr"])
def test_the_course_of_an_account_says_its_prior_its_failure_and_that_it_holds_at_every_moment(tmp_path, code):
    picture = plots.account_over_time(course(tmp_path), language=code)
    for text in ("prior is 10 %", "except with probability 1 %", "at every moment"):
        said = text if code == "en" else SOME[text][code]
        assert said in picture.caption.replace("\u00a0", " ")
        assert said in picture.alt.replace("\u00a0", " ")


def test_the_budget_of_a_plan_says_the_plan_the_concern_and_the_total():
    picture = plots.budget_by_query(expose(census_2020.plan(), census_2020.SCENARIOS["C"]), most=3)
    assert "2020" in picture.caption
    assert "concern: " in picture.caption
    assert "in all" in picture.caption


def test_a_name_that_says_it_already_is_not_repeated():
    text = "Gaussian noise, sigma = 8, in each of 12 releases"
    for name in (text, f"register: {text}"):
        assert plots.profile_curve({name: NOISE}).caption.count("12 releases") == 1


def test_nobody_else_matters_where_people_report_themselves():
    assert "everyone else" in plots.icon_arrays(0.05, testing.power(Laplace(1.0), 0.05)).caption
    assert "everyone else" not in plots.icon_arrays(0.05, testing.power(RandomizedResponse(1.0), 0.05)).caption
