"""The page on how to cite whit says the same as CITATION.cff."""

from __future__ import annotations

import re

from _generate.places import ROOT

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
