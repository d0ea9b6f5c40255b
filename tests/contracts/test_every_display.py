"""Every value that a notebook shows: well-formed, with its sentence and its basis, and nothing in it is markup."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from shown_pages import read, words_of

from whit.assessment import Assessment, assess
from whit.assessment import compare as side_by_side
from whit.audit import Exact, Publication, Suppressed, adds_up, left
from whit.display import Several
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP, convert
from whit.mechanisms import DiscreteGaussian, Gaussian, Geometric
from whit.plans import (
    About,
    Budget,
    Kind,
    Plan,
    Query,
    Rho,
    Settled,
    Share,
    Unprotected,
    compare,
    costs,
    expose,
    recommend_scale,
    scaled,
)
from whit.policy import accuracy, check, frontier, limits, profiles, recommend
from whit.semantics import membership, testing
from whit.setting import PERSON, Adversary, Sensitivity
from whit.telling import explain
from whit.telling.catalogue import deployments
from whit.telling.catalogue import to_rows as catalogue_rows
from whit.theory import THEOREMS, Answer, Finding, assumption, theorem

NASTY = "<script>alert('x')</script>&\x00"
SAFE = NASTY.replace("\x00", "\\x00")
LIMIT = limits.posterior(0.3, prior=0.1)


@cache
def plan() -> Plan:
    kinds = [Kind((NASTY, "sex"), "County", Share(NASTY, "2/3")), Kind((), "Country", Share(NASTY, "1/3"))]
    queries = [Query(f"{NASTY} by sex", kinds[0]), Query("total", kinds[1])]
    return Plan.of(
        queries,
        name=NASTY,
        levels=["Country", "County"],
        unit=PERSON,
        budgets=[Budget(NASTY, Rho("0.5"))],
        unprotected=[Unprotected("total", NASTY)],
        source=NASTY,
    )


def nasty_table() -> Publication:
    said = {"total": Exact(3), NASTY: Suppressed(), "other": Suppressed()}
    return Publication(said, [adds_up("total", (NASTY, "other"))])


def concern() -> About:
    return About((NASTY,), Settled())


VALUES: dict[str, Callable[[], Any]] = {
    "a finding": lambda: membership.posterior(Gaussian(1.0), 0.1, failure=0.01),
    "an exact finding": lambda: testing.power(Gaussian(1.0), 0.05),
    "a finding of many values": lambda: membership.posterior(PureDP(1.0), np.linspace(0.1, 0.9, 17)),
    "a finding over two axes": lambda: testing.positive_predictive_value(PureDP(1.0), 0.05, [[0.1], [0.2]]),
    "an assessment": lambda: assess(Gaussian(1.0), Adversary(prior=0.1), failure=0.01),
    "an assessment with open questions": lambda: assess(ApproxDP(1.0, 1e-6), Adversary(prior=0.1)),
    "an assessment of several": lambda: assess([PureDP(1.0), PureDP(2.0)], [Adversary(prior=p) for p in (0.1, 0.2)]),
    "an assessment of nothing": lambda: assess(PureDP(1.0), questions=[]),
    "an answer of several findings": lambda: assess(PureDP(1.0)).worst_prior,
    "a question without an answer": lambda: assess(ApproxDP(1.0, 1e-6)).posterior,
    "allowed": lambda: check(PureDP(1.0), LIMIT),
    "not allowed": lambda: check(PureDP(2.0), LIMIT, remedy=True),
    "not shown": lambda: check(ApproxDP(1.0, 1e-6), LIMIT),
    "several requirements": lambda: check(PureDP(1.0), [LIMIT, profiles.constant(3.0)]),
    "a recommendation": lambda: recommend(profiles.constant(3.0), PureDP, releases=3),
    "a recommendation without limit": lambda: recommend(limits.posterior(1.0, prior=0.1), PureDP),
    "a recommendation that is not steady": lambda: recommend(LIMIT, DiscreteGaussian, failure=0.01),
    "a frontier": lambda: frontier([LIMIT, limits.posterior(0.5, prior=0.1)], Geometric),
    "a step of it": lambda: frontier([LIMIT], Geometric)[0],
    "an accuracy": lambda: accuracy(Geometric(1.0)),
    "an explanation": lambda: explain(assess(PureDP(1.0), Adversary(prior=0.1))),
    "a conversion": lambda: convert(ZeroConcentratedDP(0.02), to=ApproxDP, delta=1e-6),
    "a conversion to itself": lambda: convert(PureDP(1.0), to=PureDP),
    "a deployment": lambda: deployments()[0],
    "a theorem": lambda: theorem("tail-from-profile"),
    "a plan": plan,
    "an exposure": lambda: expose(plan(), concern()),
    "a comparison": lambda: compare(plan(), scaled(plan(), 2), [concern()])[0],
    "comparisons": lambda: compare(plan(), scaled(plan(), 2), [concern(), concern()]),
    "costs": lambda: costs(expose(plan(), concern())),
    "one cost": lambda: costs(expose(plan(), concern()))[0],
    "what is left": lambda: left(nasty_table()),
    "what is left of one cell": lambda: left(nasty_table()).interval(NASTY),
    "a recommended plan": lambda: recommend_scale(plan(), {concern(): limits.power(0.1, level=0.05)}),
}

WITHOUT_ROWS = {"what is left of one cell", "a theorem", "a conversion", "a conversion to itself", "a deployment"}


@cache
def made(name: str) -> Any:
    return VALUES[name]()


@pytest.mark.parametrize("name", VALUES)
def test_every_value_is_shown_as_a_page_that_parses(name):
    page = read(made(name))
    assert page.said
    assert "script" not in page.tags


@pytest.mark.parametrize("name", [name for name in VALUES if name not in WITHOUT_ROWS])
@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_every_value_is_a_frame_with_a_row_for_each_of_its_rows(name, library):
    value = made(name)
    if not hasattr(value, "to_frame"):  # one of several: they are a frame together
        value = Several((value,))
    assert len(value.to_frame(library)) == len(value.to_rows())


@pytest.mark.parametrize("name", [name for name in VALUES if isinstance(VALUES[name](), Answer)])
def test_an_answer_shows_what_each_of_its_numbers_rests_on(name):
    words = words_of(made(name))
    beside = ("relative risk of disclosure", "probability of disclosure after the release")  # no value was stated
    for finding in made(name).findings:
        if isinstance(made(name), Assessment) and finding.quantity.name in beside:
            continue
        for key in finding.basis.theorems:
            assert theorem(key).title in words
            assert key in words
        for key in finding.basis.assumptions:
            of_failure = key == "belief-is-right" and "failure" in finding.inputs and not finding.basis.failures
            assert (assumption(key).plain in words) or of_failure


@pytest.mark.parametrize("name", [name for name in VALUES if isinstance(VALUES[name](), Finding)])
def test_a_finding_shows_its_sentence(name):
    said = str(made(name))
    assert f"{said[:1].upper()}{said[1:]}." in words_of(made(name))


def test_a_finding_that_may_fail_says_with_which_probability():
    assert "Failure probability 1 %, over the noise of the release." in words_of(made("a finding"))
    assert "ailure probability" not in words_of(made("an exact finding"))


def test_many_values_are_shown_in_part_and_are_in_the_frame_in_full():
    found = made("a finding of many values")
    assert "These are the first 12 of 17 values" in words_of(found)
    rows = found.to_rows()
    assert [row["inputs.prior"] for row in rows] == np.linspace(0.1, 0.9, 17).tolist()
    assert [row["value"] for row in rows] == found.value.tolist()
    # From the definition: odds grow by e at most.
    for row in rows:
        prior = row["inputs.prior"]
        assert row["upper"] >= prior * np.e / (1 - prior + prior * np.e) * (1 - 1e-15)


def test_inputs_stand_beside_the_value_that_they_belong_to():
    both = membership.posterior(PureDP(1.0), np.array([[0.1], [0.2]]), failure=np.array([0.0, 0.01, 0.02]))
    rows = both.to_rows()
    assert [(row["axis 0"], row["axis 1"]) for row in rows] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert [row["inputs.prior"] for row in rows] == [0.1] * 3 + [0.2] * 3
    assert [row["inputs.failure"] for row in rows] == [0.0, 0.01, 0.02] * 2


def test_an_assessment_shows_every_question_and_says_why_some_are_open():
    found = made("an assessment with open questions")
    words = words_of(found)
    for name, answer in found:
        if name in ("absolute_risk", "relative_risk"):  # no value was stated
            continue
        assert name.replace("_", " ") in words
        assert answer.findings or answer.reason[1:] in words  # its first letter is a capital there
    rows = found.to_rows()
    assert {row["question"] for row in rows} == {name for name, _ in found}
    assert "Ask with failure=" in next(row["reason"] for row in rows if row["question"] == "posterior")


def test_an_assessment_says_which_answers_may_fail():
    found = assess(Gaussian(1.0), Adversary(prior=0.1), failure=0.01, questions=["ratio", "posterior", "power"])
    [said] = re.findall(r"Failure probability 1 %, over [^:]*: ([^.]*)\.", words_of(found))
    assert said == "posterior, ratio"


@pytest.mark.parametrize(
    ("name", "word", "sign"),
    [("allowed", "Allowed", "✓"), ("not allowed", "Not allowed", "✗"), ("not shown", "Not shown", "?")],
)
def test_a_verdict_has_one_of_three_words_and_its_reason(name, word, sign):
    words = words_of(made(name))
    assert words.startswith(f"{sign} {word} {made(name).reason}")
    assert made(name).to_rows()[0]["verdict"] == word


def test_a_verdict_that_is_open_says_what_would_have_an_answer():
    assert "Ask with failure=1e-05 or more." in words_of(made("not shown"))


def test_a_verdict_on_several_requirements_shows_each():
    words = words_of(made("several requirements"))
    for part in made("several requirements").parts:
        assert part.reason in words
    assert [row["outcome"] for row in made("several requirements").to_rows()] == ["KEPT", "BROKEN"]


def test_a_frontier_is_a_tuple_with_a_row_for_each_requirement():
    found = made("a frontier")
    assert isinstance(found, tuple)
    rows = found.to_rows()
    assert [row["epsilon"] for row in rows] == [float(step.recommendation.parameter) for step in found]
    assert [row["epsilon, direction"] for row in rows] == ["AT_LEAST"] * 2
    assert [row["standard deviation"] for row in rows] == [float(step.accuracy.deviation) for step in found]


def test_the_shares_of_an_exposure_are_not_below_the_exact_ones():
    exposure = made("an exposure")
    for row, each in zip(exposure.to_rows(), exposure.queries, strict=True):
        assert Fraction(row["rho"]) >= each.rho
        assert Fraction(row["share of rho"]) >= each.rho / exposure.exact_rho


@pytest.mark.parametrize("name", ["a plan", "an exposure", "a comparison", "comparisons", "costs", "one cost"])
def test_names_that_somebody_wrote_are_text(name):
    assert SAFE in read(made(name)).said
    assert SAFE in words_of(made(name))


CELLS = Sensitivity(add_remove=(1, 2, 4), replace=(1, 2, 4))
NOISY = Gaussian(10.0, sensitivity=CELLS)
TELLS = {
    "a finding": lambda: membership.posterior(NOISY, 0.1, failure=0.01),
    "an assessment": lambda: assess(NOISY, Adversary(prior=0.1), failure=0.01),
    "a recommendation": lambda: recommend(LIMIT, Gaussian, failure=0.01, sensitivity=CELLS),
    "its parameter": lambda: recommend(LIMIT, Gaussian, failure=0.01, sensitivity=CELLS).parameter,
    "a verdict": lambda: check(NOISY, LIMIT, failure=0.01),
    "a comparison": lambda: side_by_side([NOISY]),
    "a conversion": lambda: convert(NOISY, to=ApproxDP, delta=1e-6),
    "an explanation": lambda: explain(assess(NOISY, Adversary(prior=0.1), failure=0.01)),
}


@pytest.mark.parametrize("name", TELLS)
def test_what_must_hold_names_what_one_record_changes(name):
    _, _, listed = words_of(TELLS[name]()).partition("What must hold")
    assert "One record changes the exact answers by at most 1 + 2 + 4, each in one cell." in listed


def test_what_was_asked_is_in_the_words_of_the_command():
    _, _, asked = words_of(membership.posterior(NOISY.times(5), 0.1, failure=0.01)).partition("What was asked")
    assert "Gaussian, sensitivity = 1+2+4, sigma = 10, in each of 5 releases" in asked
    assert "add-remove" in asked
    assert "everyone-else" in asked
    assert not re.search("[A-Z]_[A-Z]|Composed|sides", asked)


def test_the_spread_of_noise_needs_no_word_on_what_a_record_changes():
    assert "One record" not in words_of(NOISY.standard_deviation())


def test_a_conversion_has_no_address_in_its_repr():
    said = repr(convert(NOISY.times(2), to=ApproxDP, delta=1e-6))
    assert said.startswith("<Conversion: Gaussian noise, sigma = 10, sensitivity 1+2+4, in each of 2 releases implies")
    assert " at 0x" not in said


def test_a_conversion_shows_each_of_its_steps():
    words = words_of(made("a conversion"))
    assert words.startswith("rho = 0.02 implies epsilon = 0.899935, delta = 1e-6.")
    for edge in made("a conversion").path:
        assert edge.theorem in words


def test_the_catalogue_has_a_row_for_each_release_with_what_its_source_states():
    rows = {row["key"]: row for row in catalogue_rows()}
    assert set(rows) == {each.key for each in deployments()}
    for each in deployments():
        stated = {name: rows[each.key][name] for name, _ in each.parameters}
        assert stated == {name: float(value) for name, value in each.parameters}


def test_the_whole_probability_never_stands_alone():
    found = assess(ApproxDP(1.0, 1e-6), Adversary(prior=0.1), questions=["absolute_risk"])
    assert "may be 100 % (nothing is ruled out)" in words_of(found)
    unlimited = assess(Gaussian(1.0), Adversary(prior=0.1), questions=["odds"])
    assert "oddsno known upper bound" in words_of(unlimited)
    several = membership.posterior(Gaussian(1.0), [0.1, 0.2], failure=0.0)
    assert words_of(several).count("nothing is ruled out") >= 2


@pytest.mark.parametrize("key", sorted(THEOREMS)[::9])
def test_a_theorem_shows_its_title_and_its_key(key):
    words = words_of(theorem(key))
    assert theorem(key).title in words
    assert key in words
