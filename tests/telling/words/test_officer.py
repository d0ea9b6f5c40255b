"""The text for those who decide: the bottom line first, and everything that must hold, by who can see to it."""

from __future__ import annotations

import pytest
from told_promises import PROMISES, assessed

from whit.assessment import assess
from whit.guarantees import PureDP
from whit.mechanisms import Gaussian
from whit.semantics import membership
from whit.setting import Adversary, Knowledge, Sensitivity
from whit.telling.words import explain, languages
from whit.telling.words.language import language_of
from whit.theory import Verifier, assumption

ABOUT_FAILURE = "belief-is-right"


def test_the_bottom_line_comes_first():
    first = explain(assessed("approximate"), "officer").paragraphs[0]
    assert first.startswith("From a prior of 50 %, the posterior of the truth is at most 73.2 %.")
    over = "the noise of the release and the data as the adversary expects them"
    assert f"This holds except with probability 1 % over {over}." in first
    assert first.endswith(
        "An adversary who accepts a false-positive rate of 5 % finds at most 13.6 % of the true cases (power)."
    )


def test_why_a_disclosure_is_more_probable_than_the_belief_above_is_said_where_it_is():
    why = "This exceeds the posterior above, which is that of an adversary who knows the records of everyone else"
    noisy = assess(Gaussian(5.0), Adversary(prior=0.1, knows=Knowledge.EVERYONE_ELSE), failure=0.01)
    assert float(noisy.absolute_risk) > float(noisy.posterior)
    assert explain(noisy, "officer").text.count(why) == 1
    assert why not in explain(assess(PureDP(1.0), Adversary(prior=0.1)), "officer").text
    assert why not in explain(noisy.absolute_risk, "officer").text


def test_what_always_holds_is_said_to():
    assert "This holds for every outcome of the noise." in explain(assessed("pure, epsilon 1"), "officer").paragraphs[0]


@pytest.mark.parametrize("name", PROMISES)
def test_every_assumption_is_told_in_plain_words(name):
    text = explain(assessed(name), "officer").text
    findings = [answer for _, answer in assessed(name) if hasattr(answer, "basis")]
    for key in {key for finding in findings for key in finding.basis.assumptions} - {ABOUT_FAILURE}:
        assert assumption(key).plain in text


@pytest.mark.parametrize("name", PROMISES)
def test_the_assumption_about_the_failure_probability_is_told_only_where_something_may_fail(name):
    found = [each for _, answer in assessed(name) for each in answer.findings]
    assumed = [each for each in found if ABOUT_FAILURE in each.basis.assumptions]
    fails = any(each.basis.failures or "failure" not in each.inputs for each in assumed)
    assert (assumption(ABOUT_FAILURE).plain in explain(assessed(name), "officer").text) == fails


def test_assumptions_stand_with_those_who_can_see_to_them():
    paragraphs = explain(assess(Gaussian(2.0), Adversary(prior=0.5), failure=0.001), "officer").paragraphs
    for begins, who in (("Those who hold", Verifier.CURATOR), ("Those who run", Verifier.SOFTWARE)):
        [paragraph] = [each for each in paragraphs if each.startswith(begins)]
        keys = [key for key in ("unit-as-stated", "noise-as-modelled") if assumption(key).plain in paragraph]
        assert [assumption(key).verifier for key in keys] == [who]


def test_questions_without_an_answer_are_named():
    text = explain(assessed("zero-concentrated, census"), "officer").text
    assert "no answer to these questions: relative risk of disclosure, probability of disclosure." in text


def test_what_is_not_limited_is_not_given_a_number():
    text = explain(membership.odds(PureDP(800.0), 0.5), "officer").text
    assert text.startswith("Posterior odds of the truth: not limited by anything that is proved.")


def test_a_quantity_without_a_sentence_of_its_own_is_told_by_its_name():
    assert explain(PureDP(1.0).delta(0.5), "officer").text.startswith("Delta: at most ")


def test_two_assumptions_that_exclude_each_other_say_which_answers_need_them():
    text = explain(assess(PureDP(1.0), Adversary(prior=0.1, knows=Knowledge.EVERYONE_ELSE)), "officer").text
    knows, believes = (assumption(key).plain for key in ("knows-all-but-one-fact", "others-do-not-depend-on-person"))
    needed = "posterior, ratio of posterior to prior, increase from prior to posterior, posterior odds, worst prior"
    assert f"{knows} (Needed for: {needed}, expected posterior.)" in text
    assert f"{believes} (Needed for: relative risk of disclosure, probability of disclosure.)" in text


def test_an_assumption_that_every_answer_needs_stands_as_it_is():
    text = explain(assess(PureDP(1.0), Adversary(prior=0.1)), "officer").text
    assert f"{assumption('neighbours-as-stated').plain} One person adds" in text


def test_the_expected_number_of_people_stands_beside_the_chance():
    found = assess(Gaussian(2.0), Adversary(prior=0.5), failure=0.001, population=123_456)
    said = "Of 123,456 people, the expected number for whom it fails is at most 124."
    assert said in explain(found, "officer").paragraphs[0]
    assert said not in explain(assess(Gaussian(2.0), Adversary(prior=0.5), failure=0.001), "officer").text
    assert (
        "Expected number of people beyond the bound, of 123,456 people: at most 124."
        in explain(found, "technical").text
    )
    assert "On average, that is at most 124 of 123,456 people." in explain(found, "public").text


def test_the_success_of_a_guess_is_told_to_everybody():
    found = assess(PureDP(1.0), Adversary(prior=0.5, baseline=0.01))
    officer = (
        "A guess about the record is right with probability 1 % without the release. With the release, it is right "
    )
    assert f"{officer}with probability at most 2.72 %." in explain(found, "officer").text
    public = "Say they try to guess something in your record, and are right 1 out of 100 times without the result. "
    assert f"{public}With the result, they are right at most 3 out of 100 times." in explain(found, "public").text
    assert "Probability that a guess about the record is right: at most 2.71829 %." in explain(found, "technical").text


@pytest.mark.parametrize(
    ("inclusion", "fact", "asked"),
    [
        (0.05, "", "The fact in question is that the person is in the data and has the value."),
        (1.0, "", "The fact in question is that the person, who is known to be in the data, has the value."),
        (1.0, "a client is ill", "The fact in question is that a client is ill."),
    ],
)
def test_the_fact_is_what_the_adversary_asks(inclusion, fact, asked):
    said = explain(assess(PureDP(1.0), Adversary(inclusion=inclusion, value=0.2)), "officer", fact=fact).paragraphs
    assert asked in said


def test_the_fact_of_a_single_question_is_that_of_its_test():
    said = explain(assess(PureDP(1.0), Adversary(prior=0.2)), "officer").paragraphs
    assert "The fact in question is that the person is in the data, or that they are not." in said


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(("promise", "failure"), [(PureDP(12.0), 0.0), (Gaussian(0.2), 0.01)])
def test_that_a_belief_possibly_exceeds_nearly_everything_is_no_bound_that_holds(promise, failure, language):
    """It said: possibly more than 99.9 %, at most ten times the prior. This holds for every outcome of the noise."""
    words = language_of(language)
    held = [words.say("officer.always").text, words.templates["officer.failure"].partition("{")[0]]
    found = assess(promise, Adversary(prior=0.1), failure=failure, questions=("posterior", "ratio", "difference"))
    [said, *_] = explain(found, "officer", language=language).paragraphs
    assert not any(each in said for each in held)
    assert words.say("officer.more.ratio", value="").text[:8] not in said
    assert (words.templates["officer.failure_asked"].partition("{")[0] in said) == (failure > 0.0)


def test_what_is_bounded_beside_it_still_holds_always():
    text = explain(assess(PureDP(12.0), Adversary(prior=0.1)), "officer").text
    assert "times what it would be without the record. This holds for every outcome of the noise." in text


@pytest.mark.parametrize("audience", ["officer", "technical"])
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "One record changes the exact answer by at most 2.5."),
        ("de", "Ein Datensatz ändert die genaue Antwort um höchstens 2,5."),
        ("fr", "Un enregistrement change la réponse exacte d’au plus 2,5."),
    ],
)
def test_what_one_record_changes_is_among_what_must_hold(language, said, audience):
    release = Gaussian(4.0, sensitivity=Sensitivity(add_remove=2.5, replace=2.5))
    text = explain(assess(release, Adversary(prior=0.1), failure=0.01), audience, language=language)
    assert text.text.count(said) == 1
    if audience == "officer":
        assert [each.value for each in text.numbers if each.part == "change"] == [2.5]


def test_where_no_noise_is_stated_nothing_is_said_of_what_one_record_changes():
    assert "changes the exact answer" not in explain(assess(PureDP(1.0), Adversary(prior=0.1)), "officer").text
