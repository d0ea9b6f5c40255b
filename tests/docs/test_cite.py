"""The page on how to cite whit says the same as CITATION.cff, and what whit is has one wording everywhere."""

from __future__ import annotations

import re
import tomllib

import pytest
from _generate.places import ROOT

import whit

PAGE = (ROOT / "docs" / "project" / "cite.md").read_text("utf-8")
CITATION = (ROOT / "CITATION.cff").read_text("utf-8")


def field(name: str) -> str:
    return re.search(rf'^{name}: "?(.+?)"?$', CITATION, flags=re.MULTILINE)[1]  # type: ignore[index]


def entry(name: str) -> str:
    return re.search(rf"^  {name} += {{+(.+?)}}+,?$", PAGE, flags=re.MULTILINE)[1]  # type: ignore[index]


def test_the_entry_is_that_of_the_file():
    assert (entry("title"), entry("version")) == (field("title"), field("version"))
    assert entry("year") == field("date-released")[:4]
    assert f'name: "{entry("author")}"' in CITATION


TAGLINE = "what a differentially private release can tell an adversary"


def described() -> str:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["description"]


@pytest.mark.parametrize(
    "text",
    [
        (ROOT / "README.md").read_text("utf-8"),
        (ROOT / "docs" / "index.md").read_text("utf-8"),
        entry("title"),
        described(),
        str(whit.__doc__),
    ],
    ids=["README.md", "docs/index.md", "title", "description", "docstring"],
)
def test_what_whit_is_has_one_wording(text):
    assert TAGLINE in " ".join(text.split())[:1000].lower()
