"""Sentences live in one file for each language, and a number is written as the language writes it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from string import Formatter

import pytest
from offenders import check_all
from readability import grade

from whit.errors import InvalidInput, UnknownKey
from whit.guarantees import PureDP
from whit.telling.words import explain, language, languages
from whit.telling.words.language import FOLDER, Language, language_of

SOURCES = "\n".join(path.read_text(encoding="utf-8") for path in Path(FOLDER).parent.glob("*.py"))


def gaps(template: str) -> set[str]:
    return {gap for _, gap, _, _ in Formatter().parse(template) if gap is not None}


def differences(one: Language, other: Language) -> list[str]:
    """Keys that only one of two languages has, or that have other gaps."""
    keys = one.templates.keys() | other.templates.keys()
    return sorted(key for key in keys if gaps(one.templates.get(key, "{?}")) != gaps(other.templates.get(key, "{?}")))


@pytest.fixture
def swapped(tmp_path, monkeypatch):
    """A second language: English with the decimal comma."""
    text = Path(FOLDER, "en.toml").read_text(encoding="utf-8")
    changed = text.replace('decimal = "."', 'decimal = ","').replace('thousands = ","', 'thousands = "."')
    (tmp_path / "en.toml").write_text(text, encoding="utf-8")
    (tmp_path / "xx.toml").write_text(changed, encoding="utf-8")
    monkeypatch.setattr(language, "FOLDER", str(tmp_path))
    languages.cache_clear()
    language._read.cache_clear()
    yield
    languages.cache_clear()
    language._read.cache_clear()


def test_english_is_there():
    assert "en" in languages()


@pytest.mark.parametrize("code", languages())
def test_every_language_has_the_keys_and_gaps_of_english(code):
    assert differences(language_of(code), language_of("en")) == []


def test_a_missing_key_and_a_missing_gap_are_found():
    english = language_of("en")
    without_key = Language("xx", {key: text for key, text in english.templates.items() if key != "belief.after"})
    without_gap = Language("xx", {**english.templates, "belief.after": "Afterwards."})
    assert differences(without_key, english) == differences(without_gap, english) == ["belief.after"]


def test_a_new_language_is_a_new_file_and_writes_numbers_its_own_way(swapped):
    assert languages() == ("en", "xx")
    text = explain(PureDP(0.01), language="xx").text
    assert "50 out of 1.000" in text
    assert "50,3 %" in explain(PureDP(0.01), "officer", language="xx").text


def numbers(template: str) -> list[str]:
    return re.findall(r"\d+", template)


def test_no_template_holds_a_number_of_its_own():
    templates = language_of("en").templates
    check_all({key: text for key, text in templates.items() if not key.startswith("numbers.")}, numbers)


def test_a_number_in_a_template_is_found():
    assert numbers("{count} out of 100") == ["100"]


def test_every_table_of_sentences_is_used():
    with open(Path(FOLDER, "en.toml"), "rb") as file:
        tables = tomllib.load(file)
    assert [name for name in tables if not re.search(rf"[\"'{{]{name}\.|\"{name}\"|{name}\.", SOURCES)] == []


def test_a_sentence_that_is_not_there_is_told_by_its_key():
    with pytest.raises(UnknownKey, match="a sentence must be in the language 'en'; got belief.never"):
        language_of("en").say("belief.never")


@pytest.mark.parametrize("code", ["it", 3, None, "en.toml"])
def test_an_unknown_language_is_a_sentence(code):
    with pytest.raises(InvalidInput, match="language must be one that the sentences are written in"):
        language_of(code)


PUBLIC = ("lead.", "gist.", "who.", "test.", "belief.", "public.", "recommend.public.", "limit.public.", "plan.public.")


JARGON = re.compile(r"[^\x00-\x7f]|\b(?:alpha|delta|epsilon|mu|rho|sigma)\b|\b[A-Z]{2,}\b|[%=^<>_]", flags=re.ASCII)


def not_plain(template: str) -> list[str]:
    """What makes a sentence hard: signs, abbreviations and Greek, or its grade of reading."""
    text = re.sub(r"\{\w+\}", "a few", template)
    # A sentence alone may be a little harder than the text that it stands in.
    return JARGON.findall(text) + ([f"grade {grade(text):.1f}"] if grade(text) > 10.0 else [])


def test_every_sentence_for_everybody_is_plain_even_if_it_is_seldom_said():
    templates = language_of("en").templates
    check_all({key: text for key, text in templates.items() if key.startswith(PUBLIC)}, not_plain)


def test_a_sentence_that_is_not_plain_is_found():
    assert not_plain("At most {count} in a hundred.") == []
    assert not_plain("The DP loss is ε < mu.") == ["DP", "ε", "<", "mu"]
    assert not_plain("Probabilistic differential confidentiality necessitates considerable randomization.")
