"""Reports in German and French are complete and have the numbers of the English one, in the manner of the language."""

from __future__ import annotations

import datetime
import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from english_words import english_words
from offenders import check_all
from parsed_texts import MANNERS, NARROW, NO_BREAK

from whit.assessment import assess
from whit.errors import InvalidInput
from whit.guarantees import PureDP
from whit.setting import Adversary
from whit.telling.reports import report
from whit.telling.reports.wording import report_languages, words_of
from whit.theory import Direction, Unit

DEMO = Path(__file__).parents[3] / "demo" / "release.toml"
DATE = datetime.date(2026, 1, 31)
OTHERS = [code for code in report_languages() if code != "en"]
each_language = pytest.mark.parametrize("code", OTHERS)


def gaps(template: str) -> set[str]:
    return {gap for _, gap, _, _ in Formatter().parse(template) if gap is not None}


def templates(code: str) -> dict[str, str]:
    return dict(words_of(code).language.templates)


def test_reports_are_written_in_the_languages_of_explain():
    assert set(report_languages()) == set(MANNERS)


@each_language
def test_no_key_and_no_gap_is_missing_or_extra(code):
    ours, english = templates(code), templates("en")
    assert ours.keys() ^ english.keys() == set()
    assert [key for key in english if gaps(ours[key]) != gaps(english[key])] == []


@each_language
def test_the_names_of_columns_are_as_many_as_in_english(code):
    assert [key for key, text in templates("en").items() if text.count("|") != templates(code)[key].count("|")] == []


@each_language
def test_no_sentence_has_an_english_word(code):
    check_all(templates(code), lambda text: english_words(re.sub(r"\{\w+\}", "", text)))


def test_french_spaces_do_not_break():
    check_all(templates("fr"), lambda text: re.findall(r"[ ][%:;?!»]|«[^\u00a0]", text))


@cache
def written(folder: Path, code: str) -> str:
    """The report of the demonstration as Markdown, with the descriptions of its pictures and not the names of files."""
    out = report(DEMO, folder / f"{code}.md", date=DATE, language=code)
    return re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"\1", out.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("reports")


def numbers(text: str, code: str) -> Counter[float]:
    """The numbers of a text as a reader of the language takes them."""
    manner = MANNERS[code]
    own = re.sub(r"\d{4}-\d\d-\d\d|\d\d[./]\d\d[./]\d{4}|whit [\d.]+\w*", " ", text)
    decimal, thousands = re.escape(manner.decimal), re.escape(manner.thousands)
    found = re.findall(rf"\d{{1,3}}(?:{thousands}\d{{3}})+(?!\d)|\d+(?:{decimal}\d+)?", own)
    return Counter(float(manner.plain(each)) for each in found)


@each_language
def test_a_report_has_the_numbers_of_the_english_one(folder, code):
    assert numbers(written(folder, code), code) == numbers(written(folder, "en"), "en")


def test_a_changed_number_is_found():
    assert numbers(f"1{NARROW}234 und 5,6{NO_BREAK}%", "de") == numbers("1,234 and 5.6 %", "en")
    assert numbers(f"5,7{NO_BREAK}%", "de") != numbers("5.6 %", "en")


def texts(tree: object) -> list[str]:
    """Every text in a file, as it is and with a capital letter."""
    if isinstance(tree, str):
        text = " ".join(tree.split()).rstrip(".")
        return [text, f"{text[:1].upper()}{text[1:]}", f"{text[:1].lower()}{text[1:]}"]
    branches = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return [text for each in branches for text in texts(each)]


def without_statements(text: str) -> str:
    """A report without the rows of a table whose header says that they are in English: statements of theorems."""
    header = r"^\|[^|\n]*\|[^|\n]*\((?:englisch|en anglais)\) \|\n"
    left, found = re.subn(rf"{header}(?:\|.*(?:\n|$))+", "", text, flags=re.MULTILINE)
    assert found == 1
    return left


@each_language
def test_only_what_the_file_says_and_statements_of_theorems_are_in_english(folder, code):
    own = without_statements(written(folder, code))
    catalogue = re.findall(r"^\| [^|]*US Census Bureau.*$", own, flags=re.MULTILINE)
    said = texts(tomllib.loads(DEMO.read_text(encoding="utf-8")))
    for quoted in sorted({*said, *catalogue}, key=len, reverse=True):
        own = own.replace(quoted, " ") if quoted else own
    assert english_words(own) == []


def test_verdicts_have_their_words():
    said = {
        code: [words_of(code)(f"verdict.{key}") for key in ("allowed", "not_allowed", "not_shown")] for code in MANNERS
    }
    assert said == {
        "en": ["Allowed", "Not allowed", "Not shown"],
        "de": ["Zulässig", "Nicht zulässig", "Nicht gezeigt"],
        "fr": ["Admissible", "Non admissible", "Non démontré"],
    }


@pytest.mark.parametrize(
    ("code", "points", "percent"), [("de", "12,5", "12,5"), ("fr", "12,5", "12,5"), ("en", "12.5", "12.5")]
)
def test_points_are_percent_without_the_sign(code, points, percent):
    words = words_of(code)
    assert words.points(0.125) == points
    assert words.percent(0.125) == f"{percent}{' ' if code == 'en' else NO_BREAK}%"
    assert words.number(1e-9, Direction.AT_MOST, Unit.NUMBER).startswith("1")


def with_language(tmp_path: Path, code: str) -> Path:
    text = DEMO.read_text(encoding="utf-8").replace("[release]\n", f'[release]\nlanguage = "{code}"\n', 1)
    file = tmp_path / "release.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_file_names_the_language_and_the_caller_may_name_another(tmp_path):
    file = with_language(tmp_path, "de")
    german = report(file, tmp_path / "a.md", date=DATE, sheet=True).read_text(encoding="utf-8")
    french = report(file, tmp_path / "b.md", date=DATE, sheet=True, language="fr").read_text(encoding="utf-8")
    assert "## Entscheidungsblatt" in german
    assert "## Fiche de décision" in french


def test_a_language_that_is_not_there_is_a_sentence(tmp_path):
    with pytest.raises(InvalidInput, match=r"language must be .* got tlh\. Use one of 'de', 'en', 'fr'\."):
        report(with_language(tmp_path, "tlh"), tmp_path / "a.md", date=DATE)


@each_language
@pytest.mark.parametrize("ending", ["html", "json"])
def test_a_page_says_its_language(tmp_path, code, ending):
    out = report(assess(PureDP(1.0), Adversary(prior=0.1)), tmp_path / f"a.{ending}", date=DATE, language=code)
    text = out.read_text(encoding="utf-8")
    assert (f'lang="{code}"' if ending == "html" else f'"language": "{code}"') in text
