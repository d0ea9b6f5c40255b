"""What a text says is what the findings say: for thirty promises and three audiences, read back and compared."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from parsed_texts import check_number, rest_of, without
from readability import grade
from told_promises import PROMISES, assessed

from whit.assessment import Unanswered
from whit.errors import InvalidInput
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP, compose, convert
from whit.mechanisms import Geometric, Laplace
from whit.policy import frontier, profiles
from whit.semantics import membership, testing
from whit.setting import Neighbours, UnitOfPrivacy
from whit.telling.words import Audience, change_texts, explain
from whit.theory import ASSUMPTIONS, REFERENCES, THEOREMS, Finding

AUDIENCES = [each.value for each in Audience]
GREEK = re.compile(r"[\u0370-\u03ff]|\b(alpha|beta|delta|epsilon|lambda|mu|rho|sigma)\b", flags=re.IGNORECASE)
ABBREVIATION = re.compile(r"\b[A-Z]{2,}\b|\b(e\.g|i\.e|etc|vs|approx|prob|max|min)\b\.?|[%=^<>_]")

NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")

each_promise = pytest.mark.parametrize("name", PROMISES)


def test_there_are_thirty_promises():
    assert len(PROMISES) >= 30


@each_promise
@pytest.mark.parametrize("audience", AUDIENCES)
def test_every_number_in_the_text_is_on_the_safe_side_of_its_finding(name, audience):
    explanation = explain(assessed(name), audience)
    for said in explanation.numbers:
        check_number(said)
    assert explanation.numbers or name.startswith("pure, prior 1")


@each_promise
@pytest.mark.parametrize("audience", ["public", "officer"])
def test_no_number_stands_in_the_text_without_its_finding(name, audience):
    assert re.findall(r"\d+", rest_of(explain(assessed(name), audience))) == []


@each_promise
def test_in_the_technical_text_other_numbers_are_quoted(name):
    assessment = assessed(name)
    quoted = [repr(PROMISES[name][0]), *(answer.reason for _, answer in assessment if isinstance(answer, Unanswered))]
    quoted += [text for entry in THEOREMS.values() for text in (entry.title, entry.locator, entry.corrected)]
    quoted += [reference.short for reference in REFERENCES.values()]
    quoted += [" ".join(entry.exact.split()) for entry in ASSUMPTIONS.values()]
    quoted += [text for found in assessment.findings for text in change_texts(found)]
    text = without(rest_of(explain(assessment, "technical")), filter(None, quoted))
    promise = re.search(r"^Promise or mechanism: .*?\.(?=\s)", text)
    own = promise[0] if promise else ""  # the promise in words, with the numbers that it has in code
    assert {float(each) for each in NUMBER.findall(own)} <= {float(each) for each in NUMBER.findall(quoted[0])} | {1.0}
    assert re.findall(r"\d+", text.removeprefix(own)) == []


@each_promise
def test_the_numbers_are_those_of_the_assessment(name):
    assessment = assessed(name)
    values = {answer.quantity.name for _, answer in assessment if isinstance(answer, Finding)}
    for audience in AUDIENCES:
        told = {said.finding.quantity.name for said in explain(assessment, audience).numbers}
        worst = {
            f"worst prior of a {fact} fact for the {measure}"
            for fact in ("true", "false")
            for measure in ("ratio", "increase")
        }
        assert told <= values | worst


@each_promise
def test_the_public_text_reads_at_grade_nine_or_below(name):
    assert grade(explain(assessed(name)).text) <= 9.0


@each_promise
def test_the_public_text_has_no_abbreviation_and_no_greek(name):
    text = explain(assessed(name)).text
    assert text.isascii()
    assert not GREEK.search(text)
    assert not ABBREVIATION.search(text)


@each_promise
def test_the_public_text_never_says_none_or_all_out_of_so_many(name):
    text = explain(assessed(name)).text
    for count, total in re.findall(r"([\d,]+) out of ([\d,]+)", text):
        assert 0 < int(count.replace(",", "")) < int(total.replace(",", ""))


@each_promise
def test_with_and_without_are_told_out_of_the_same_number(name):
    for paragraph in explain(assessed(name)).paragraphs[1:3]:
        pair = re.findall(r"out of ([\d,]+)", paragraph.partition("There is an exception")[0])
        assert len(set(pair)) <= 1


@each_promise
def test_the_public_text_begins_with_the_gist_and_ends_with_what_is_not_covered(name):
    first, *_, last = explain(assessed(name)).paragraphs
    assert re.match(r"(At worst|By our estimate|Nothing in the promise)", first)
    assert "This does not cover what can be learnt about everyone like you." in last


@each_promise
def test_sentences_are_whole(name):
    for audience in AUDIENCES:
        text = explain(assessed(name), audience).text
        assert "  " not in text
        assert "{" not in text.replace(repr(PROMISES[name][0]), "")
        assert " ." not in text
        assert ".." not in without(
            text, (answer.reason for _, answer in assessed(name) if isinstance(answer, Unanswered))
        )


def test_the_words_find_what_they_look_for():
    assert GREEK.search("The epsilon is 1.")
    assert GREEK.search("\u03b5")
    assert ABBREVIATION.search("DP is used.")
    assert ABBREVIATION.search("It is 5 %.")


def test_an_understated_number_is_found():
    said = explain(PureDP(1.0)).numbers[1]
    wrong = type(said)("at most 13 out of 100", 0.13, said.finding)
    with pytest.raises(AssertionError, match="13 out of 100"):
        check_number(wrong)


# e * 5 % = 13.59 %, and e / (1 + e) = 73.11 %.
def test_the_odds_of_epsilon_one_are_those_worked_out_by_hand():
    text = explain(PureDP(1.0)).text
    assert "if you do not take part, 5 out of 100 possible results" in text
    assert "If you take part, at most 14 out of 100 would." in text
    assert "is 50 out of 100. Afterwards, they think it is at most 74 out of 100." in text


def test_a_promise_and_its_assessment_are_told_alike():
    assert explain(PureDP(1.0)).text == explain(assessed("pure, epsilon 1")).text
    assert explain(ApproxDP(1.0, 1e-6)).text == explain(assessed("approximate")).text


def test_the_text_is_the_same_on_every_run():
    code = (
        "from whit.guarantees import ApproxDP\nfrom whit.telling.words import explain\n"
        "print('\\n'.join(explain(ApproxDP(1.0, 1e-6), who).text for who in ('public', 'officer', 'technical')))"
    )
    source = str(Path(__file__).parents[3] / "src")
    texts = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": source}
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        texts.add(run.stdout)
    assert len(texts) == 1
    assert "Theorems:" in texts.pop()


@pytest.mark.parametrize("audience", ["lay", "", None, 3, ["public"]])
def test_a_wrong_audience_is_a_sentence(audience):
    with pytest.raises(InvalidInput, match=r"audience must be .* Use one of \['public', 'officer', 'technical'\]\."):
        explain(PureDP(1.0), audience)


@pytest.mark.parametrize("language", ["tlh", "", None, "../en"])
def test_a_wrong_language_is_a_sentence(language):
    with pytest.raises(InvalidInput, match=r"language must be .* Use one of 'de', 'en', 'fr'\."):
        explain(PureDP(1.0), language=language)


@pytest.mark.parametrize("x", [1.0, "PureDP(1.0)", None, [PureDP(1.0)]])
def test_what_cannot_be_explained_is_a_sentence(x):
    with pytest.raises(InvalidInput, match="what is explained must be a result of whit"):
        explain(x)


@pytest.mark.parametrize("name", ["pure, epsilon 1", "approximate", "zero-concentrated, census", "randomized response"])
@pytest.mark.parametrize("audience", AUDIENCES)
def test_each_answer_by_itself_is_told_on_the_safe_side(name, audience):
    for _, answer in assessed(name):
        explanation = explain(answer, audience)
        for said in explanation.numbers:
            check_number(said)
        if audience != "technical":
            assert re.findall(r"\d+", rest_of(explanation)) == []
        if audience == "public":
            assert grade(explanation.text) <= 9.0
            assert not GREEK.search(explanation.text)
            assert not ABBREVIATION.search(explanation.text)


def test_a_chance_of_failure_is_told_with_each_answer_that_has_one():
    for _, answer in assessed("approximate"):
        for finding in [answer] if hasattr(answer, "basis") else []:
            said = "There is an exception: in at most 1 out of 100 cases" in explain(finding).text
            assert said == bool(finding.basis.failures)


def test_both_sides_are_told_between_two_chances():
    text = explain(membership.posterior(PureDP(0.1), 0.5, sides=2)).text
    assert "between 47 out of 100 and 53 out of 100" in text


def test_of_many_values_the_worst_is_told_with_what_it_started_from():
    finding = membership.posterior(PureDP(1.0), [0.1, 0.2])
    assert "is 20 out of 100. Afterwards, they think it is at most 41 out of 100." in explain(finding).text
    assert "This is the worst of 2 cases." in explain(finding).text
    assert "This is the largest of 2 values." in explain(finding, "officer").text


def test_what_the_relation_protects_is_told():
    assert "if you are in the data" in explain(assessed("pure, epsilon 1")).text
    assert "With your true record" in explain(assessed("pure, replace")).text
    assert "Your answer is changed by chance" in explain(assessed("pure, local")).text


def test_a_bare_curve_is_told_without_a_relation():
    assert "Suppose that, without your data, 5 out of 100" in explain(Laplace(2.0).curve()).text


def test_a_question_without_an_answer_says_so_to_each():
    unanswered = assessed("approximate, large delta").posterior
    assert isinstance(unanswered, Unanswered)
    assert "no answer" in explain(unanswered).paragraphs[0]
    assert "no answer" in explain(unanswered, "officer").text
    assert unanswered.reason in explain(unanswered, "technical").text


def test_compositions_and_conversions_are_told_with_their_theorems():
    both = compose(ZeroConcentratedDP(0.1), ZeroConcentratedDP(0.2))
    assert both.theorem in explain(both, "technical").text
    assert "counted together" in explain(both).text
    found = convert(ZeroConcentratedDP(0.1, neighbours=Neighbours.REPLACE), to=ApproxDP, delta=1e-6)
    text = explain(found, "technical").text
    assert "Conversions used:" in text
    assert all(edge.theorem in text for edge in found.path)


@pytest.mark.parametrize("audience", ["public", "officer", "technical"])
def test_a_number_of_releases_is_told_by_its_count(audience):
    found = membership.releases_until(PureDP(0.1), membership.PosteriorFrom(0.5), 0.6)
    assert explain(found, audience).text == explain(found.count, audience).text
    assert "at least 4" in explain(found, "officer").text  # 4 times 0.1 is below log(0.6 / 0.4) = 0.405...


def test_a_change_of_the_unit_is_told_by_what_is_promised_then():
    day, person = UnitOfPrivacy("day"), UnitOfPrivacy("person")
    change = membership.by_group(PureDP(0.1), small=day, large=person, at_most=7)
    assert explain(change).text == explain(PureDP(change.after.stated_epsilon)).text
    assert set(change.basis.theorems) <= set(re.findall(r"^([a-z-]+): ", explain(change, "technical").text, re.M))


def test_a_step_of_a_frontier_is_told_by_its_recommendation():
    (step,) = frontier([profiles.constant(3.0)], Geometric)
    assert explain(step, "officer").text == explain(step.recommendation, "officer").text


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("audience", AUDIENCES)
@pytest.mark.parametrize("question", [membership.posterior, testing.power])
@pytest.mark.parametrize("epsilon", [1.0, 12.0, 60.0])
def test_a_bound_in_a_sentence_has_one_verb(epsilon, question, audience, language):
    """The words of a table, such as may exceed 99.9 %, are no object of a sentence, and are English."""
    text = explain(question(PureDP(epsilon), 0.1), audience, language=language).text
    assert not re.search(r"may (exceed 99|be 100)", text)
