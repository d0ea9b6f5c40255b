"""The text for those who check: every theorem with its key, title and reference, every assumption with its verifier."""

from __future__ import annotations

import pytest
from told_promises import PROMISES, assessed

from whit.assessment import assess, promise_name
from whit.guarantees import PureDP
from whit.guarantees.conversions import EDGES
from whit.mechanisms import Gaussian, PoissonSubsampled
from whit.policy import profiles, recommend
from whit.setting import Adversary
from whit.telling.words import explain, languages
from whit.telling.words.language import language_of
from whit.telling.words.promises import in_parts
from whit.theory import assumption, reference, theorem


def bases(name: str) -> list[str]:
    findings = [answer for _, answer in assessed(name) if hasattr(answer, "basis")]
    return list(dict.fromkeys(key for finding in findings for key in finding.basis.theorems))


@pytest.mark.parametrize("name", PROMISES)
def test_every_theorem_is_cited(name):
    text = explain(assessed(name), "technical").text
    for key in bases(name):
        entry = theorem(key)
        cited = f"{key}: {entry.title}. {reference(entry.reference).short}, {entry.locator}."
        assert cited in text
        assert entry.corrected in text


@pytest.mark.parametrize("name", PROMISES)
def test_every_assumption_stands_under_who_must_verify_it(name):
    headings = {"curator": "Curator of the data:", "software": "Software that adds", "modelling": "Whoever chose"}
    paragraphs = explain(assessed(name), "technical").paragraphs
    fails = any(each.basis.failures for _, answer in assessed(name) for each in answer.findings)
    left_out = set() if fails else {"belief-is-right"}  # what always holds needs no belief to be right
    for key in {key for name_of in bases(name) for key in theorem(name_of).assumptions} - left_out:
        [paragraph] = [each for each in paragraphs if f"({key}; needed by " in each]
        assert paragraph.startswith(headings[assumption(key).verifier.value])
        needing = paragraph.partition(f"({key}; needed by ")[2].partition(")")[0].split(", ")
        assert {name_of for name_of in bases(name) if key in theorem(name_of).assumptions} <= set(needing)


def test_the_conversion_that_was_used_is_named():
    used = explain(assessed("zero-concentrated"), "technical").text.partition("Conversions used: ")[2].split("\n")[0]
    assert "zcdp-tails (Tails from zero-concentrated differential privacy)" in used
    assert "zcdp-tails" in {edge.theorem for edge in EDGES}


def test_where_none_was_used_it_is_said():
    text = explain(assessed("Gaussian noise").power, "technical").text
    assert "No conversion was used" in text


def test_inputs_failure_and_keys_stand_with_the_number():
    paragraphs = explain(assessed("approximate"), "technical").paragraphs
    [posterior] = [each for each in paragraphs if each.startswith("Posterior probability of the truth:")]
    assert "Given: prior = 0.5; failure = 0.01; sides = 1." in posterior
    over = "the noise of the release and the data as the adversary expects them"
    assert f"Failure probability over {over}: at most 1 %." in posterior
    assert posterior.endswith(
        "Rests on: dominating-randomized-response, tail-from-profile, beliefs-when-the-rest-is-random."
    )


def test_questions_without_an_answer_say_why():
    assessment = assessed("approximate, large delta")
    text = explain(assessment, "technical").text
    assert all(each.reason in text for each in assessment.unanswered.values())


def test_two_numbers_of_one_name_are_both_told():
    found = recommend(profiles.capped(relative=3.0, absolute=0.25, value=0.5), PureDP)
    losses = [each for each in found.findings if each.quantity.name.startswith("privacy loss")]
    text = explain(found, "technical").text
    assert len({float(each) for each in losses}) == 2
    for each in losses:
        assert f"{float(each):.5g}"[:5] in text


def test_a_promise_is_in_words_and_not_in_python():
    sampled = PoissonSubsampled(Gaussian(1.0), 0.01).times(10)
    said = explain(assess(sampled, Adversary(prior=0.1), failure=0.01), "technical").paragraphs[0]
    words = "Gaussian noise, sigma = 1, on a sample at rate 0.01, in each of 10 releases"
    assert said.startswith(f"Promise or mechanism: {words}.")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", PROMISES)
def test_a_promise_is_called_as_everywhere(name, language):
    promise = PROMISES[name][0]
    called = in_parts(promise_name(promise), language_of(language))
    assert called is not None
    assert f": {called}" in explain(assessed(name), "technical", language=language).paragraphs[0]


@pytest.mark.parametrize(
    ("language", "called"),
    [
        ("en", "Promise or mechanism: Gaussian noise, sigma = 0.8, on a sample at rate 0.004."),
        ("de", "Zusage oder Verfahren: gaußsches Rauschen, sigma = 0,8, auf einer Stichprobe mit der Rate 0,004."),
        ("fr", "bruit gaussien, sigma = 0,8, sur un échantillon au taux de 0,004."),
    ],
)
def test_a_mechanism_by_itself_is_called_so_too(language, called):
    sampled = PoissonSubsampled(Gaussian(0.8), 0.004)
    assert called in explain(sampled, "technical", language=language).paragraphs[0]


def test_a_prior_that_the_ratio_grows_towards_is_not_reached():
    said = explain(assess(PureDP(1.0), Adversary(prior=0.1)), "technical").text.replace("\N{NO-BREAK SPACE}", " ")
    assert "Worst prior of a true fact for the ratio: close to 0 %." in said
    assert "Worst prior of a false fact for the ratio: close to 100 %." in said
    assert "exactly 0 %" not in said
