"""The gallery shows every picture that whit draws, each with the line that draws it."""

from __future__ import annotations

import ast
import re
from typing import Any

import pytest
from _generate.pictures import GALLERY, IMPORTS, Shown, drawn, picture_pages

from whit.telling import plots

SMALL = (Shown("one", "What is [shown].", "posterior_against_prior(PureDP(1.0), priors=[0, 1])"),)


def test_a_picture_stands_below_the_line_that_draws_it():
    pages = picture_pages(SMALL)
    assert list(pages) == ["gallery/pictures.md", "gallery/picture-one.svg"]
    page = pages["gallery/pictures.md"]
    assert IMPORTS in page
    assert "## What is \\[shown\\]" in page
    assert page.index(SMALL[0].line) < page.index("```{image} picture-one.svg")
    assert re.search(r":alt: \"Line chart\. What an adversary may come to believe\.", page)
    assert pages["gallery/picture-one.svg"].startswith("<svg")


def test_a_line_that_draws_nothing_stops_the_page():
    with pytest.raises(TypeError, match="the line of one draws no picture: 2"):
        drawn(Shown("one", "", "1 + 1"))


def test_every_kind_of_picture_is_in_the_gallery():
    called = {
        node.func.id
        for shown in GALLERY
        for node in ast.walk(ast.parse(shown.line))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    kinds = {name for name in plots.__all__ if name[0].islower()}
    # An account needs a ledger on disk; the other two make a picture that is drawn already explorable in a browser.
    assert kinds - called == {"account_over_time", "explorable", "library_script"}


def test_no_name_is_twice_and_every_line_fits_a_page():
    names: list[Any] = [shown.name for shown in GALLERY]
    assert len(set(names)) == len(names)
    assert all(len(line) <= 120 for shown in GALLERY for line in shown.line.splitlines())
