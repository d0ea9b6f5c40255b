"""Every erratum that the code refers to is on a page, and every entry of a page can be checked."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest
from offenders import check_all

from whit import theory

ROOT = Path(__file__).parents[2]
PAPERS = {"000": "kszjy25", "001": "ks14", "002": "kr24", "003": "bbrr26", "004": "kaa22"}
PAGES = {number: ROOT / "docs" / "errata" / f"{name}.md" for number, name in PAPERS.items()}

ENTRY = re.compile(r"^### (\d{3}\.\d+) (.+)$", flags=re.MULTILINE)
NUMBER = re.compile(r"(?<![\d.])00[0-4]\.\d{1,2}(?![\d.])")
NOTHING = "nothing to compute"
WITHHELD = "002." + "9"
"""Rests on what somebody remembers of a paper that none of the five prints; not to be published."""


@cache
def entries(number: str) -> dict[str, str]:
    """The entries of a page, each with its text up to the next heading."""
    text = PAGES[number].read_text(encoding="utf-8")
    found = list(ENTRY.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    return {match[1]: text[match.end() : end] for match, end in zip(found, ends, strict=True)}


@cache
def all_entries() -> dict[str, str]:
    return {name: text for number in PAPERS for name, text in entries(number).items()}


def cases() -> list[tuple[str, str]]:
    """Each case of a paper that names an erratum, with the erratum."""
    files = sorted((ROOT / "src" / "whit" / "papers" / "cases").glob("*.json"))
    listed = [case for file in files for case in json.loads(file.read_text(encoding="utf-8"))]
    return [(case["id"], case["errata"]) for case in listed if case["errata"]]


def errata_fields() -> list[tuple[str, str]]:
    """What the data of tests, and theorems, say in fields called errata or corrected."""
    found = []
    for path in sorted((ROOT / "tests").rglob("*.json")) + sorted((ROOT / "src").rglob("*.toml")):
        text = path.read_text(encoding="utf-8")
        fields = re.findall(r'"?(?:errata|corrected)"?\s*[:=]\s*("""(?:.|\n)*?"""|"[^"]*")', text)
        found += [(path.name, number) for field in fields for number in NUMBER.findall(field)]
    return found


def texts() -> list[Path]:
    kinds = (".md", ".py", ".toml", ".json", ".bib", ".csv", ".ipynb", ".txt", ".html")
    folders = (ROOT / "docs", ROOT / "src")
    return [path for folder in folders for path in folder.rglob("*") if path.suffix in kinds and path.is_file()]


@pytest.mark.parametrize("number", PAPERS)
def test_each_paper_has_its_page_and_the_numbers_are_its_own(number: str) -> None:
    names = list(entries(number))
    assert names
    assert all(name.startswith(number) for name in names)
    places = [int(name.partition(".")[2]) for name in names]
    assert places == sorted(set(places))


def test_there_are_cases_that_name_an_erratum() -> None:
    assert len(cases()) > 100


def without_entry(numbers: str) -> list[str]:
    """The errata in a list that have no heading on a page."""
    return [number for number in re.split(r"[,;\s]+", numbers.strip()) if number not in all_entries()]


def test_every_erratum_of_a_case_has_its_entry() -> None:
    check_all(dict(cases()), without_entry)


def test_an_erratum_without_an_entry_is_found() -> None:
    assert without_entry(f"{next(iter(all_entries()))}, 001.99; 009.1") == ["001.99", "009.1"]


def test_every_number_in_a_field_of_errata_has_its_entry() -> None:
    known = all_entries()
    assert [(name, number) for name, number in errata_fields() if number not in known] == []


def faults(text: str) -> list[str]:
    """What an entry lacks: its kind, or a check that can fail."""
    wrong = "Wrong number|Wrong statement|Slip in a proof|Typographical"
    kinds = f"{wrong}|Missing (?:condition|convention)|Boundary case|Remark"
    blocks = re.findall(r"^```python\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    right = {
        "a kind": re.match(rf"\s*\*(?:{kinds})", text) is not None,
        "a check": bool(blocks) or NOTHING in text,
        "a check that can fail": all("assert" in block or ">>>" in block for block in blocks),
    }
    return [part for part, is_right in right.items() if not is_right]


def test_every_entry_says_what_kind_it_is_and_can_be_checked() -> None:
    check_all(all_entries(), faults)


def test_an_entry_without_a_kind_or_without_a_check_is_found() -> None:
    assert faults("\n*Remark.*\n```python\nassert True\n```\n") == []
    assert faults("Remark: words.") == ["a kind", "a check"]
    assert faults("*Remark.*\n```python\n1 + 1\n```\n") == ["a check that can fail"]


@pytest.mark.parametrize("number", PAPERS)
def test_every_entry_is_in_the_table_of_its_page(number: str) -> None:
    text = PAGES[number].read_text(encoding="utf-8")
    assert re.findall(r"^\| \[(\d{3}\.\d+)\]", text, flags=re.MULTILINE) == list(entries(number))


@pytest.mark.parametrize("number", PAPERS)
def test_every_page_says_how_to_object(number: str) -> None:
    assert "open an issue" in " ".join(PAGES[number].read_text(encoding="utf-8").split())


def test_numbers_that_pages_refer_to_exist() -> None:
    known = all_entries()
    pages = [path for path in texts() if path.suffix == ".md"]
    named = {
        (path.name, number)
        for path in pages
        for number in re.findall(r"\[(00[0-4]\.\d{1,2})\]", path.read_text(encoding="utf-8"))
    }
    assert {pair for pair in named if pair[1] not in known} == set()


def test_the_withheld_note_is_nowhere() -> None:
    pattern = re.compile(rf"(?<![\d.]){re.escape(WITHHELD)}(?!\d)")
    assert [path.name for path in texts() if pattern.search(path.read_text(encoding="utf-8"))] == []


def test_a_withheld_number_would_be_found() -> None:
    pattern = re.compile(rf"(?<![\d.]){re.escape(WITHHELD)}(?!\d)")
    assert pattern.search(f"see {WITHHELD}.")
    assert not pattern.search("0.002.95 and 1002.9")


def test_the_theorems_that_the_pages_name_are_in_the_registry() -> None:
    pages = [*PAGES.values(), ROOT / "docs" / "what-is-new.md"]
    named = {key for page in pages for key in re.findall(r"whit\s+theorem\s+([a-z][a-z-]+)", page.read_text("utf-8"))}
    table = re.findall(r"^\|.*\| ([^|]*`[^|]*) \|$", pages[-1].read_text("utf-8"), flags=re.MULTILINE)
    named |= {key for cell in table for key in re.findall(r"`([a-z-]+)`", cell)}
    assert len(named) > 15
    for key in sorted(named):
        assert theory.theorem(key).key == key
