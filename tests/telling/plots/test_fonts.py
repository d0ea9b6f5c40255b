"""The font comes along: in every form of a picture, under a name and a licence that allow it."""

from __future__ import annotations

import base64
import re

import pytest
from browser import needs_a_browser, opened
from drawn_texts import FONTS, advance
from fontTools.ttLib import TTFont

from whit.guarantees import PureDP
from whit.telling.plots import Picture, posterior_against_prior
from whit.telling.plots.fonts import FAMILY, faces

STYLES = ("Regular", "Bold")


@pytest.fixture(scope="module")
def picture() -> Picture:
    return posterior_against_prior({"one": PureDP(1.0), "more": PureDP(3.0)}, priors=[0.0, 0.1, 0.5, 1.0])


@pytest.mark.parametrize("style", STYLES)
def test_the_font_has_the_letters_of_the_words(style):
    letters = TTFont(FONTS / f"WhitSans-{style}.ttf").getBestCmap()
    for text in ("azAZ09%.,;:()[]+-=<>/|'\"", "äöüßÄÖÜéèêçñłőżåøæœ", "αβγδεμρσφΔΣΩ", "−≤≥≈≠∞√…–—’“”„«»€\u00a0\u202f□"):
        missing = [letter for letter in text if ord(letter) not in letters]
        assert missing in ([], ["\u202f"])  # a narrow space may come from elsewhere


@pytest.mark.parametrize("style", STYLES)
def test_the_font_has_a_name_of_its_own_as_its_licence_asks(style):
    font = TTFont(FONTS / f"WhitSans-{style}.ttf")
    names = {number: font["name"].getDebugName(number) for number in (1, 3, 4, 6, 13)}
    assert names[1] == FAMILY
    assert not any("Liberation" in str(names[number]) for number in (1, 3, 4, 6))
    assert "SIL Open Font License" in str(names[13])
    licence = (FONTS / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert "Reserved Font Name Liberation" in licence


@pytest.mark.parametrize("style", STYLES)
def test_widths_add_up_since_the_font_has_no_kerning(style):
    tables = set(TTFont(FONTS / f"WhitSans-{style}.ttf").keys())
    assert not tables & {"kern", "GPOS", "GSUB"}


def test_a_drawing_and_a_page_carry_the_font(picture):
    for text in (picture.svg(), picture.html()):
        found = re.findall(r"font-family:'Whit Sans';font-weight:(\d+);src:url\(data:font/woff2;base64,([^)]+)\)", text)
        assert [weight for weight, _ in found] == ["400", "700"]
        assert all(base64.b64decode(content).startswith(b"wOF2") for _, content in found)
    assert all(family.startswith(FAMILY) for family in re.findall(r'font-family="([^"]+)"', picture.svg()))
    assert b"WhitSans" in picture.pdf()


@needs_a_browser
def test_a_browser_takes_the_font_and_agrees_about_widths(tmp_path):
    texts = ("What an adversary may come to believe", "except with probability 1 %")
    spans = "".join(f"<span style=\"font: 200px '{FAMILY}'\">{text}</span><br>" for text in texts)
    ask = "[...document.querySelectorAll('span')].map(e => e.getBoundingClientRect().width).join()"
    script = f"Promise.all([...document.fonts].map(f => f.load())).then(() => document.title = {ask})"
    page = tmp_path / "font.html"
    style = f"<style>{faces()}</style><body style='white-space: nowrap; width: 9000px'>"
    page.write_text(f"<meta charset=utf-8>{style}{spans}<script>{script}</script>")
    found = re.search("<title>(.*)</title>", opened(page).elements)
    assert found is not None
    for text, measured in zip(texts, found[1].split(","), strict=True):
        assert float(measured) == pytest.approx(advance(text, 200.0), rel=2e-3)
