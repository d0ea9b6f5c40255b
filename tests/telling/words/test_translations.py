"""German and French say what English says: the same numbers on the safe side, complete, and without an English word."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from english_words import english_words
from hypothesis import given, settings
from hypothesis import strategies as st
from offenders import check_all
from parsed_texts import MANNERS, NARROW, NO_BREAK, check_number, read, rest_of, without
from told_promises import PROMISES, assessed

import whit
from whit.assessment import Unanswered, assess
from whit.curves import Promise
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, Laplace
from whit.plans import Linked
from whit.policy import limits, profiles, recommend
from whit.semantics.membership.bounds import FACTS, OF_A_CURVE
from whit.setting import Adversary, Neighbours
from whit.telling.words import explain, languages
from whit.telling.words.language import Passage, Said, language_of
from whit.telling.words.numbers import End, Start, alone, amount, end_text, smallest_total, start_text
from whit.theory import ASSUMPTIONS, REFERENCES, THEOREMS, Basis, Direction, Finding, Quantity, Unit

OTHERS = [code for code in languages() if code != "en"]
AUDIENCES = ["public", "officer", "technical"]
BASIS = Basis.of("neyman-pearson")

each_language = pytest.mark.parametrize("code", OTHERS)


def test_german_and_french_are_there():
    assert set(languages()) >= {"de", "en", "fr"}
    assert set(MANNERS) == set(languages())


# ---- numbers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "english", "said"),
    [
        ("de", "13.6 %", f"13,6{NO_BREAK}%"),
        ("de", "1,234,567", f"1{NARROW}234{NARROW}567"),
        ("de", "1.3e-07", f"1,3{NO_BREAK}·{NO_BREAK}10⁻⁷"),
        ("de", "-0.25", "\u22120,25"),
        ("fr", "13.6 %", f"13,6{NO_BREAK}%"),
        ("fr", "1,234,567", f"1{NARROW}234{NARROW}567"),
        ("fr", "2e12", f"2{NO_BREAK}·{NO_BREAK}10¹²"),
    ],
)
def test_numbers_are_written_in_the_manner_of_the_language(code, english, said):
    assert language_of(code).digits(english) == said


@given(
    code=st.sampled_from(languages()),
    value=st.floats(min_value=1e-300, max_value=1e300),
    direction=st.sampled_from(list(Direction)),
)
def test_a_number_of_any_size_reads_back_in_its_language_on_the_safe_side(code, value, direction):
    found = Finding(Quantity("ratio", Unit.NUMBER), value, direction, {}, BASIS)
    check_number(amount(found, language_of(code)).numbers[0], code)


@given(
    code=st.sampled_from(languages()),
    value=st.floats(min_value=0.0, max_value=1.0, exclude_max=True),
    direction=st.sampled_from(list(Direction)),
    points=st.booleans(),
    digits=st.sampled_from([3, 6]),
)
def test_a_probability_reads_back_in_its_language_on_the_safe_side(code, value, direction, points, digits):
    found = Finding(Quantity("chance", Unit.PROBABILITY), value, direction, {}, BASIS)
    check_number(amount(found, language_of(code), digits, points=points).numbers[0], code)


@given(code=st.sampled_from(languages()), start=st.floats(0.0, 1.0), end=st.floats(0.0, 1.0))
def test_a_chance_reads_back_in_its_language_on_the_safe_side(code, start, end):
    words = language_of(code)
    found = Finding(Quantity("chance", Unit.PROBABILITY), end, Direction.AT_MOST, {"prior": start}, BASIS)
    total = smallest_total([start], [end])
    said = start_text(Start(found, "inputs.prior", start), total, words).numbers
    said += end_text(End(found, end), total, words).numbers
    said += alone(found, "value", end, words).numbers if 0.0 < end < 1.0 else ()
    for number in said:
        check_number(number, code)


def test_an_understated_number_is_found_in_every_language():
    found = Finding(Quantity("chance", Unit.PROBABILITY), 0.1366, Direction.AT_MOST, {}, BASIS)
    for code, text in (("de", f"13,6{NO_BREAK}%"), ("fr", "13 sur 100")):
        with pytest.raises(AssertionError, match="13"):
            check_number(Said(text, read(text, code), found), code)


def test_a_number_in_another_manner_does_not_read_as_itself():
    assert read(f"1{NARROW}234,5", "de") == 1234.5
    with pytest.raises(ValueError, match="could not convert"):
        read("1.234,5 %", "de")


@each_language
@pytest.mark.parametrize("audience", AUDIENCES)
@pytest.mark.parametrize("name", PROMISES)
def test_every_number_in_a_text_is_on_the_safe_side(code, audience, name):
    explanation = explain(assessed(name), audience, language=code)
    for said in explanation.numbers:
        check_number(said, code)
    if audience != "technical":
        assert re.findall(r"\d+", rest_of(explanation)) == []


@given(code=st.sampled_from(languages()), value=st.floats(1e-4, 0.99), data=st.data())
def test_a_number_stands_in_every_sentence_as_it_was_put_there(code, value, data):
    words = language_of(code)
    templates = {key: text for key, text in words.templates.items() if "{" in text}
    key = data.draw(st.sampled_from(sorted(templates)))
    found = Finding(Quantity("chance", Unit.PROBABILITY), value, Direction.AT_MOST, {}, BASIS)
    number = amount(found, words)
    gaps = re.findall(r"\{(\w+)\}", templates[key])
    said = words.say(key, **dict.fromkeys(gaps, number))
    assert len(said.numbers) == len(gaps)
    assert said.text.count(number.text) >= len(gaps)
    assert re.findall(r"\d", said.text.replace(number.text, "")) == []


def promises() -> st.SearchStrategy[Promise]:
    positive = st.floats(0.01, 8.0)
    return st.one_of(
        positive.map(PureDP),
        positive.map(lambda epsilon: PureDP(epsilon, neighbours=Neighbours.REPLACE)),
        positive.map(lambda epsilon: PureDP(epsilon, neighbours=Neighbours.LOCAL)),
        st.builds(ApproxDP, positive, st.sampled_from([1e-9, 1e-6, 1e-3])),
        positive.map(ZeroConcentratedDP),
        positive.map(Gaussian),
        positive.map(Laplace),
    )


@settings(max_examples=25, deadline=None)
@given(
    promise=promises(),
    prior=st.floats(0.0, 1.0),
    failure=st.sampled_from([0.0, 1e-6, 0.01]),
    population=st.sampled_from([None, 1, 2, 12_345]),
)
def test_all_languages_say_the_same_numbers(promise, prior, failure, population):
    found = assess(promise, Adversary(prior=prior), failure=failure, population=population)
    for audience in AUDIENCES:
        said = {code: explain(found, audience, language=code).numbers for code in languages()}
        told = [Counter((each.value, each.part, each.finding.quantity.name) for each in said[code]) for code in said]
        assert all(each == told[0] for each in told)
        for code, numbers in said.items():
            for number in numbers:
                check_number(number, code)


# ---- words --------------------------------------------------------------------------------------------------------


def test_english_words_are_found_and_quotations_are_not():
    assert english_words("Das frühere Ergebnis is the same.") == ["is", "the"]
    assert english_words("Der Grund: „it is the same“.") == []


@each_language
def test_no_sentence_has_an_english_word(code):
    check_all(language_of(code).templates, lambda text: english_words(re.sub(r"\{\w+\}", "", text)))


@each_language
def test_no_name_has_an_english_word(code):
    names = {
        f"{table}.{key}": text for table, entries in language_of(code).names.items() for key, text in entries.items()
    }
    check_all(names, english_words)


@each_language
@pytest.mark.parametrize("audience", AUDIENCES)
@pytest.mark.parametrize("name", PROMISES)
def test_no_text_has_an_english_word(code, audience, name):
    text = explain(assessed(name), audience, language=code).text
    quoted = [repr(PROMISES[name][0]), *THEOREMS, *ASSUMPTIONS]
    quoted += [entry.locator for entry in THEOREMS.values()]
    quoted += [reference.short for reference in REFERENCES.values()]
    assert english_words(without(text, filter(None, quoted))) == []


@each_language
@pytest.mark.parametrize("audience", AUDIENCES)
def test_a_recommendation_has_no_english_word_of_its_own(code, audience):
    for found in (
        recommend(limits.difference(0.2), Gaussian, releases=12, failure=0.01),
        recommend(limits.posterior(0.3, prior=0.1), PureDP),
        recommend(profiles.constant(3.0), PureDP, spent=[PureDP(0.25)]),
    ):
        explanation = explain(found, audience, language=code)
        quoted = [*THEOREMS, *ASSUMPTIONS, *(entry.locator for entry in THEOREMS.values())]
        quoted += [reference.short for reference in REFERENCES.values()]
        assert english_words(without(explanation.text, filter(None, quoted))) == []
        for said in explanation.numbers:
            check_number(said, code)


@cache
def quantities() -> frozenset[str]:
    """The names of all quantities in the sources, apart from those that are put together."""
    found = set()
    sources = (path.read_text(encoding="utf-8") for path in Path(whit.__file__).parent.rglob("*.py"))
    for source in sources:
        for node in ast.walk(ast.parse(source)) if "Quantity(" in source else ():
            called = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Quantity"
            if called and node.args and isinstance(node.args[0], ast.Constant):
                found.add(str(node.args[0].value))
    return frozenset(found)


EXPECTED = {
    "neighbours": {each.name for each in Neighbours},
    "linked": {each.name for each in Linked},
    "fact": {*FACTS.values(), OF_A_CURVE},
    "plain": set(ASSUMPTIONS),
    "exact": set(ASSUMPTIONS),
    "theorem": set(THEOREMS),
}


@each_language
@pytest.mark.parametrize("table", EXPECTED)
def test_every_name_is_translated_and_no_other(code, table):
    assert set(language_of(code).names[table]) ^ EXPECTED[table] == set()


@each_language
def test_every_quantity_has_a_name(code):
    names = language_of(code).names["quantity"]
    parameters = {
        f"{extreme} {name} that meets the limit"
        for extreme, name in product(("largest", "smallest"), ("epsilon", "rho", "mu", "rate", "sigma", "scale"))
    }
    assert quantities() - set(names) == set()
    assert set(names) - quantities() <= parameters


def test_quantities_are_found_in_the_sources():
    assert "posterior probability of the truth" in quantities()
    assert len(quantities()) > 90


@each_language
def test_formulas_are_those_of_the_english_text(code):
    exact = language_of(code).names["exact"]
    for key, entry in ASSUMPTIONS.items():
        formulas = re.findall(r"\$[^$]+\$", entry.exact.source)
        assert Counter(re.findall(r"\$[^$]+\$", exact[key])) == Counter(formulas), key


def test_french_spaces_do_not_break():
    templates = {**language_of("fr").templates}
    templates |= {f"{t}.{k}": text for t, names in language_of("fr").names.items() for k, text in names.items()}
    check_all(
        templates, lambda text: re.findall(r"[^\s\u00a0\u202f$][:;?!»](?![/\w])|[ ][%:;?!»]|«[^\u00a0]|\w'\w", text)
    )


def test_a_space_that_breaks_is_found():
    assert re.findall(r"[ ][%:;?!»]", "Le résultat : 5 %")


# ---- plural, elision, environment ---------------------------------------------------------------------------------


def people(code: str, number: float) -> str:
    return language_of(code).say_number("belief.beyond", number, number="1", population=f"{number:g}").text


def test_one_person_and_two_people():
    assert "von 1 Person." in people("de", 1)
    assert "von 2 Personen." in people("de", 2)
    assert "von 0 Personen." in people("de", 0)
    assert "sur 1 personne." in people("fr", 1)
    assert "sur 0 personne." in people("fr", 0)
    assert "sur 2 personnes." in people("fr", 2)
    assert "of 1 person." in people("en", 1)


def test_a_vowel_takes_the_elision_in_french_and_a_number_does_not():
    words = language_of("fr")
    assert words.say("officer.more.ratio", value="au plus 2").text.endswith("d’au plus 2.")
    assert words.say("officer.more.ratio", value="2").text.endswith("de 2.")
    assert words.say("officer.more.ratio", value=Passage("environ 2")).text.endswith("d’environ 2.")


def test_the_language_is_never_taken_from_the_environment(monkeypatch):
    for name in ("LANG", "LC_ALL", "LANGUAGE"):
        monkeypatch.setenv(name, "de_DE.UTF-8")
    assert explain(PureDP(1.0)).text.startswith("At worst, taking part")


# e * 5 % = 13.59 %, and e / (1 + e) = 73.11 %.
@pytest.mark.parametrize(
    ("code", "public", "officer"),
    [
        ("de", "Wenn Sie teilnehmen, wären es höchstens 14 von 100.", f"der Wahrheit höchstens 73,2{NO_BREAK}%."),
        ("fr", "Si vous participez, cette part est d’au plus 14 sur 100.", f"est d’au plus 73,2{NO_BREAK}%."),
    ],
)
def test_the_odds_of_epsilon_one_are_those_worked_out_by_hand(code, public, officer):
    assert public in explain(PureDP(1.0), language=code).text
    assert officer in explain(PureDP(1.0), "officer", language=code).text


@each_language
def test_a_reason_that_is_in_english_is_quoted(code):
    unanswered = assessed("approximate, large delta").posterior
    assert isinstance(unanswered, Unanswered)
    marks = {"de": ("„", "“"), "fr": (f"«{NO_BREAK}", f"{NO_BREAK}»")}[code]
    assert unanswered.reason.join(marks) in explain(unanswered, "technical", language=code).text
