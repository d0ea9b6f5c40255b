"""Reports speak from one file for each language: complete, without numbers of its own, and with nothing unused."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from string import Formatter

import pytest
from offenders import check_all

from whit.errors import InvalidInput
from whit.policy import limits
from whit.setting import Knowledge, Neighbours, When
from whit.telling.reports import document_of, wording
from whit.telling.reports.hazards import KEYS, hazards_of
from whit.telling.reports.sentences import in_words
from whit.telling.reports.wording import FOLDER, report_languages, words_of
from whit.telling.words import Audience, languages
from whit.telling.words.language import sentences_in
from whit.theory import Verifier

SOURCES = "\n".join(path.read_text("utf-8") for path in Path(FOLDER).parent.glob("*.py"))
ENGLISH = sentences_in(FOLDER, "en")


def gaps(template: str) -> set[str]:
    return {gap for _, gap, _, _ in Formatter().parse(template) if gap is not None}


def differences(one: dict[str, str], other: dict[str, str]) -> list[str]:
    """Keys that only one of two languages has, or that have other gaps."""
    return sorted(key for key in one | other if gaps(one.get(key, "{?}")) != gaps(other.get(key, "{?}")))


@pytest.mark.parametrize("code", report_languages())
def test_every_language_has_the_keys_and_gaps_of_english(code):
    assert differences(sentences_in(FOLDER, code), ENGLISH) == []


def test_a_missing_key_and_a_missing_gap_are_found():
    without_key = {key: text for key, text in ENGLISH.items() if key != "sheet.except"}
    without_gap = {**ENGLISH, "sheet.except": "except sometimes"}
    assert differences(without_key, ENGLISH) == differences(without_gap, ENGLISH) == ["sheet.except"]


@pytest.mark.parametrize("code", report_languages())
def test_tables_have_as_many_columns_in_every_language(code):
    other = sentences_in(FOLDER, code)
    for key, text in ENGLISH.items():
        assert other[key].count("|") == text.count("|"), key


def test_reports_speak_no_language_that_the_texts_in_them_do_not():
    assert set(report_languages()) <= set(languages())


def numbers(template: str) -> list[str]:
    return re.findall(r"\d+", template)


def test_no_sentence_holds_a_number_of_its_own():
    check_all({key: text for key, text in ENGLISH.items() if key != "decider.close"}, numbers)


BY_KIND = {
    "neighbours": Neighbours,
    "related": Neighbours,
    "as_stated": Neighbours,
    "knows": Knowledge,
    "whose": Knowledge,
    "verifier": Verifier,
    "who_checks": Verifier,
}
"""The tables that have a sentence for each kind of a thing."""


@pytest.mark.parametrize("table", BY_KIND)
def test_every_kind_has_its_sentence(table):
    kinds = {each.name.lower() for each in BY_KIND[table]}
    assert {key.partition(".")[2] for key in ENGLISH if key.startswith(f"{table}.")} == kinds


def unused(keys: Iterable[str], sources: str) -> list[str]:
    """Keys that the sources do not name: neither whole, nor by a part from which they make it."""
    names = {name.lower() for name in re.findall(r"[\w.-]+", sources)}
    names |= {each.value for kinds in (Audience, Verifier) for each in kinds}
    by_kind = (*BY_KIND, "hazard", "parameter")
    return [key for key in keys if key.partition(".")[0] not in by_kind and not _named(key, names)]


def _named(key: str, names: set[str]) -> bool:
    table, _, last = key.partition(".")
    pieces = {last, *(last.removesuffix(end) for end in ("_one", "_two", "_room", "_unit", "_header", "_at", "_from"))}
    made = pieces | {last.removeprefix(start) for start in ("instead_", "noise_", "check_")}
    return key in names or (bool(made & names) and any(name.startswith(f"{table}.") for name in names))


def test_every_sentence_is_used_and_an_unused_one_is_found():
    assert unused(ENGLISH, SOURCES) == []
    assert unused(["summary.nowhere"], SOURCES) == ["summary.nowhere"]


def test_the_checklist_has_a_title_and_a_question_for_each_key():
    for code in report_languages():
        assert tuple(each.key for each in hazards_of(words_of(code))) == KEYS


def test_spaces_around_an_empty_gap_go_with_it():
    words = words_of("en")
    assert words("decider.belief", prior="10 %", knows="") == "The limit is about an adversary with a prior of 10 %."
    said = words("beside.posterior", most="at most 5 %", whose=words("whose.any_belief"), limit="6 %", **{"except": ""})
    assert said == "The posterior is at most 5 %, whatever the adversary believes about the others; the limit is 6 %."


def test_numbers_are_written_in_the_manner_of_the_language(tmp_path, monkeypatch):
    spoken = words_of("en").language
    commas = {**spoken.templates, "numbers.decimal": ",", "numbers.thousands": "\N{NO-BREAK SPACE}"}
    words = wording.Words(type(spoken)("xx", commas))
    assert words.percent(0.125) == "12,5 %"
    assert words.count(20_000) == "20\N{NO-BREAK SPACE}000"
    assert words.given_number(1.5) == "1,5"


def test_a_language_that_is_not_there_is_refused_in_a_sentence():
    with pytest.raises(InvalidInput, match="language must be one that the sentences are written in"):
        document_of(None, date=None, language="tlh")  # type: ignore[arg-type]


@pytest.mark.parametrize("code", report_languages())
def test_limits_that_differ_only_in_whom_they_are_about_are_told_apart(code):
    of, words = {"limit": 0.3, "prior": 0.1}, words_of(code)
    several = [
        limits.posterior(**of),
        limits.posterior(**of, knows=Knowledge.EVERYONE_ELSE),
        limits.posterior(**of, when=When.EVER),
        limits.posterior(**of, block=4),
    ]
    said = [in_words(each, words) for each in several]
    assert len(set(said)) == 4
    assert all(each.startswith(said[0]) for each in said)
