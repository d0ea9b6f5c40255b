"""Texts that can be drawn: no word of a user breaks or aborts a picture."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from whit.guarantees import PureDP
from whit.telling.plots import Panel, Picture, icon_arrays, panels, posterior_against_prior
from whit.telling.plots.answers import Columns
from whit.telling.plots.fonts import width
from whit.telling.plots.panel import Axis
from whit.telling.plots.texts import LONGEST_TEXT, cleaned, fitted, shortened, text_lines

REFUSED = [0x00, 0x01, 0x08, 0x07, 0x1B, 0x7F, 0x9B, 0xD800, 0xDFFF, 0xFDD0, 0xFEFF, 0xFFFE, 0xFFFF, 0x1FFFF, 0x10FFFE]
TURNED = [0x202A, 0x202E, 0x2066, 0x2069, 0x200E, 0x200F]
ODD = {
    "a control": "a\x00b\x08c\x1b[31md\x07",
    "no letter": "a\ufffeb\uffffc\ufeffd",
    "half a letter": "a\ud800b",
    "turned": "a\u202eb",
    "an address": "https://example.org/?a=1&b=<script>",
    "a fence": "```\n</style></svg><script>alert(1)</script>\n```",
    "an expression": "datum.value + '${1}' {{7*7}} #{x} \\x41",
    "emoji": "👩\u200d👩\u200d👧 😀",
    "right to left": "שלום عليكم",
    "marks": "a" + "\u0301" * 500,
    "long": "W" * 100_000,
    "many words": "long name " * 10_000,
}


@pytest.mark.parametrize("code", REFUSED + TURNED)
def test_letters_that_files_refuse_become_a_box(code):
    assert cleaned(f"a{chr(code)}b") == "a□b"


def test_every_letter_that_is_left_is_one_that_xml_takes():
    # Every code: the rule of XML 1.0, section 2.2, and the letters that turn the direction of others.
    allowed = re.compile("[\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
    for code in range(0x110000):
        found = cleaned(chr(code))
        assert allowed.fullmatch(found), hex(code)
        assert found == chr(code) or found in ("□", " ")


def test_letters_of_languages_stay():
    text = "Ä ß é ł ς Ж 中文 שלום ﷺ 1\u202f000\u00a0% e\u0301 👩\u200d👧"
    assert cleaned(text) == text


@pytest.fixture(scope="module", params=ODD)
def odd(request) -> Picture:
    text = ODD[request.param]
    return posterior_against_prior({text: PureDP(1.0), text + " ": PureDP(2.0)}, priors=[0.0, 0.5, 1.0])


def test_odd_names_are_drawn_in_every_form(odd):
    root = ElementTree.fromstring(odd.svg())
    assert float(root.attrib["width"]) < 1_000
    assert odd.png(scale=0.5).startswith(b"\x89PNG")
    assert odd.pdf().startswith(b"%PDF-")
    page = odd.html()
    assert page.count("</script>") == 2
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", page[page.rindex("</script>") :])
    assert not re.search("[\x00-\x1f\x7f\x9b\u202e\ud800-\udfff]", odd.alt + odd.title)


def test_two_names_that_look_alike_are_both_drawn(odd):
    assert len(odd.table) == 3


def test_odd_words_of_titles_and_sentences_are_drawn():
    for text in ODD.values():
        icons = icon_arrays(0.05, 0.1, believer=text, belief=text, what=text, of=text)
        assert float(ElementTree.fromstring(icons.svg()).attrib["width"]) < 1_000
        line = {text: ([0.0, 1.0], [0.0, 1.0])}
        shown = panels([Panel(text, Axis(text, 0, 1), Axis(text, 0, 1), line)] * 2, title=text, caption=text)
        assert float(ElementTree.fromstring(shown.svg()).attrib["height"]) < 2_000
        assert len(shown.alt) <= LONGEST_TEXT


def test_a_changed_chart_with_odd_words_does_not_abort():
    picture = posterior_against_prior(PureDP(1.0), priors=[0.0, 1.0])
    spec = {**picture.drawing, "title": "a\x00b\x1b"}
    assert "a□b□" in Picture(spec, "title", "alt", picture.table).svg()


def test_words_in_a_table_are_clean_too():
    assert Columns({"a": ["x\x1by"]})["a"] == ("x□y",)


@pytest.mark.parametrize("room", [40.0, 130.0, 520.0])
def test_lines_fit_their_room_and_lose_no_word(room):
    text = "Hits are at most the line at each rate of false alarms, except with probability 1 %. WWWWWWWWWW"
    lines = text_lines(text, room, 13.0, most=99)
    assert all(width(line, 13.0) <= room for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert not any(line.startswith("%") for line in lines)


def test_too_many_lines_end_with_a_sign():
    lines = text_lines("word " * 200, 100.0, 13.0, most=3)
    assert len(lines) == 3
    assert lines[-1].endswith("…")
    assert width(lines[-1], 13.0) <= 100.0


def test_what_is_too_long_is_cut():
    assert shortened("x" * 100, 10) == "x" * 9 + "…"
    assert fitted("short", 100.0, 12.0) == "short"
    assert width(fitted("W" * 100, 100.0, 12.0), 12.0) <= 100.0
