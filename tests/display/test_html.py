"""Pieces of HTML: escaped, well-formed, readable on light and on dark pages."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shown_pages import Page, contrast, palettes

from whit.display import Markup, Mood, badge, block, code, folded, heading, joined, paragraph, points, table

SCRIPT = "<script>alert('&')</script>"


def everything(text: str) -> str:
    """A block in which the text stands in every place that takes one."""
    return block(
        heading(text),
        text,
        paragraph(text, faint=True),
        paragraph(joined([text, code(text), badge(Mood.OPEN, text)], text)),
        points([text, text]),
        table([text], [[text]], text),
        table([], [[text, text]]),
        folded(text, paragraph(text)),
    )


def test_text_is_never_markup():
    page = Page(everything(SCRIPT))
    assert "script" not in page.tags
    assert "".join(page.texts["li"]) == SCRIPT * 2
    assert "".join(page.texts["caption"]) == SCRIPT


def test_markup_is_taken_as_it_is():
    assert paragraph(Markup("<b>x</b>")) == "<p><b>x</b></p>"
    assert paragraph("<b>x</b>") != "<p><b>x</b></p>"


@given(st.text(alphabet=st.characters(exclude_categories=()), min_size=1, max_size=20))
def test_any_text_makes_a_page_that_parses(text):
    page = everything(text)
    page.encode()  # no half of a pair is left
    ElementTree.fromstring(page)
    assert Page(page).tags.count("p") == 5


@pytest.mark.parametrize(("text", "said"), [("a\x00b", "a\\x00b"), ("\x1b[31m", "\\x1b[31m"), ("\ud800", "\\ud800")])
def test_signs_that_no_page_can_hold_are_spelled_out(text, said):
    assert paragraph(text) == f"<p>{said}</p>"


def test_a_number_and_its_unit_stay_on_one_line():
    assert paragraph("at most 12.6 % of 5") == "<p>at most 12.6\xa0% of 5</p>"


def test_empty_parts_leave_no_trace():
    assert points([]) == ""
    assert folded("more") == ""
    assert block("", points([])).endswith("</style></div>")


def test_a_table_says_what_its_heads_are_for():
    cells = ElementTree.fromstring(table(["a"], [["1"]]))
    assert [cell.get("scope") for cell in cells.iter("th")] == ["col"]
    named = ElementTree.fromstring(table([], [["a", "1"]]))
    assert [cell.get("scope") for cell in named.iter("th")] == ["row"]


@pytest.mark.parametrize("mood", Mood)
def test_a_badge_differs_by_its_sign_and_not_by_colour_alone(mood):
    others = [each for each in Mood if each is not mood]
    text = "".join(ElementTree.fromstring(badge(mood, "word")).itertext())
    assert text not in ["".join(ElementTree.fromstring(badge(each, "word")).itertext()) for each in others]


def test_text_has_contrast_on_light_and_on_dark_pages():
    [style] = Page(block("x")).texts["style"]
    found = list(palettes(style))
    assert len(found) == 4  # light by default and by the page, dark by the system and by the page
    for colours in found:
        pairs = [(name, name.removesuffix("ink") + "paper") for name in colours if name.endswith("ink")]
        assert len(pairs) == 4
        for ink, paper in [*pairs, ("faint", "paper")]:
            assert contrast(colours[ink], colours[paper]) >= 4.5, (ink, colours)


def test_light_pages_are_light_and_dark_pages_are_dark():
    [style] = Page(block("x")).texts["style"]
    light, dark, on_light, on_dark = palettes(style)
    assert light == on_light
    assert dark == on_dark
    assert contrast(light["paper"], "#ffffff") < 1.2
    assert contrast(dark["paper"], "#000000") < 1.2


def test_too_little_contrast_would_be_found():
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=1e-3)  # as WCAG's own example has it
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)


def test_every_colour_that_a_rule_names_is_set():
    [style] = Page(block("x")).texts["style"]
    used = set(re.findall(r"var\(--whit-([\w-]+)\)", style))
    for colours in palettes(style):
        assert used == set(colours)
