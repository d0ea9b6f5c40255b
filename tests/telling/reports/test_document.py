"""The model refuses what no format could show, and all formats say the same."""

from __future__ import annotations

import datetime
import html
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from whit.errors import InvalidInput
from whit.spec import Given, Release, promise_of, read_release
from whit.telling.reports import Document, Figure, Listing, Paragraph, Points, Remark, Section, Table, document_of
from whit.telling.reports.document import shown, unbroken
from whit.telling.reports.formats import as_html, as_json, as_markdown, as_pdf
from whit.telling.reports.word import as_word

DEMO = Path(__file__).parents[3] / "demo" / "release.toml"

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10"/></svg>'
NASTY = 'a <b> & "quotes" | pipe * star _ line # hash $x$ @y [z] \\n `tick` </script>'
SECTIONS = (
    Section(
        "First",
        (
            Remark("A remark."),
            Paragraph(NASTY),
            Points(("one", NASTY)),
            Table("A caption", ("Left", "Right"), (("cell one", NASTY), ("cell two", "x")), (1, 2)),
            Figure("A figure caption", "What the figure shows", SVG),
        ),
        (Section("Inside", (Listing("key = 1\n# not a heading\n"),)),),
    ),
)
DOCUMENT = Document("A title", "A subtitle", (("Unit", "person"),), SECTIONS, "2026-01-31", "9.9.9", ({"value": 1.5},))
ALT = "What the figure shows"
TEXTS = ("A title", "A subtitle", "A remark.", NASTY, "A caption", "cell two", "A figure caption", ALT)


def plain(markdown: str) -> str:
    return re.sub(r"\\(.)", r"\1", markdown)


@pytest.mark.parametrize("text", TEXTS)
def test_html_says_it(text):
    assert text in html.unescape(as_html(DOCUMENT))


@pytest.mark.parametrize("text", TEXTS)
def test_json_says_it(text):
    assert json.dumps(text, ensure_ascii=False)[1:-1] in as_json(DOCUMENT)


@pytest.mark.parametrize("text", [text for text in TEXTS if text != NASTY])
def test_markdown_says_it(text):
    assert text in plain(as_markdown(DOCUMENT, "x")[0])


def test_markdown_keeps_special_signs_as_they_are():
    text = as_markdown(DOCUMENT, "x")[0]
    assert r"a \<b\> \& " in text
    assert r"\| pipe \* star \_ line \# hash" in text


def test_markdown_names_its_pictures_and_gives_them_along():
    text, pictures = as_markdown(DOCUMENT, "my report")
    assert pictures == {"my report-1.svg": SVG}
    assert "![What the figure shows](<my report-1.svg>)" in text


def test_json_is_the_tree_of_the_document():
    assert json.loads(as_json(DOCUMENT)) == DOCUMENT.tree()


def test_html_needs_no_network_and_runs_nothing():
    text = as_html(DOCUMENT)
    assert "<script" not in text
    assert not re.findall(r'(?:src|href)="(?!data:|#)', text)


def test_html_has_a_language_a_title_and_an_alternative_for_each_picture():
    text = as_html(DOCUMENT)
    assert '<html lang="en">' in text
    assert "<title>A title: A subtitle</title>" in text
    assert all('alt="' in tag for tag in re.findall(r"<img[^>]*>", text))


def test_date_and_version_are_on_the_page_in_every_format():
    for text in (as_html(DOCUMENT), as_markdown(DOCUMENT, "x")[0], as_json(DOCUMENT)):
        assert "2026-01-31" in text
        assert "9.9.9" in text


def test_pdf_is_tagged_and_names_its_language_and_title():
    pdf = as_pdf(DOCUMENT)
    assert pdf.startswith(b"%PDF-")
    assert b"<pdfuaid:part>1</pdfuaid:part>" in pdf
    assert b"/StructTreeRoot" in pdf
    assert b"/Lang(en-GB)" in pdf
    assert b"A title: A subtitle" in pdf
    assert b"(What the figure shows)" in pdf


def test_every_format_is_the_same_each_time():
    assert as_pdf(DOCUMENT) == as_pdf(DOCUMENT)
    assert as_html(DOCUMENT) == as_html(DOCUMENT)


def test_a_ragged_table_is_refused():
    with pytest.raises(InvalidInput, match="a table must be rectangular"):
        Table("t", ("a", "b"), (("1",),), (1, 1))


def test_a_figure_without_a_text_that_stands_for_it_is_refused():
    with pytest.raises(InvalidInput, match="must have a text that stands for it"):
        Figure("caption", " ", SVG)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("at most 12.6 % of 5 %", "at most 12.6\u00a0% of 5\u00a0%"),
        ("percent is % here", "percent is % here"),
        ("1.24e-7 is no percentage", "1.24e-7 is no percentage"),
    ],
)
def test_only_the_space_between_a_number_and_its_percent_sign_is_held(text, said):
    assert unbroken(text) == said


HOSTILE = {
    "address": "see https://example.org/a?b=c&d=e, or mailto:x@example.org",
    "marks": "a\ufeffb \u202ec",
    "controls": "a\x00\x01\x08\x1b[31m\x7f\x9fb\ufffe\uffff",
    "letters": "x" * 100_000,
    "words": "word " * 20_000,
    "long address": "https://example.org/" + "x" * 100_000,
    "fences": "```\n</code><script>alert(1)</script>\n```\n~~~\n````",
    "lines": "a\n\n# b\n| c |\n---\n- d\n1. e\r\n=====",
}


def release(text: str) -> Release:
    known = read_release(DEMO)
    series = promise_of(Given({"epsilon": 1}))
    askers = (replace(known.askers[0], name=text, fact=text),)
    texts = dict.fromkeys(("name", "publisher", "description", "readers"), text)
    hazards = {"trust": text}
    return replace(
        known,
        **texts,
        askers=askers,
        series=series,
        promises=(series,),
        hazards=hazards,
        unprotected=(text,),
        text=text,
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_of_a_user_breaks_a_report_in_any_format(name):
    document = document_of(release(HOSTILE[name]), date=datetime.date(2026, 1, 31), appendix=True)
    assert as_pdf(document).startswith(b"%PDF")
    assert as_word(document).startswith(b"PK")
    assert "<script" not in as_html(document)
    json.loads(as_json(document))
    markdown, _ = as_markdown(document, "x")
    assert list(unfenced(markdown)) == []


def unfenced(markdown: str) -> Iterator[str]:
    """Tags, and headings that no section has, outside of listings: as CommonMark reads the text."""
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        if token.type == "html_block":
            yield token.content
        for inner in token.children or ():
            if inner.type == "html_inline":
                yield inner.content


def test_a_tag_in_markdown_would_be_found():
    assert list(unfenced("```toml\n```\n\n<script>x</script>\n"))
    assert not list(unfenced("```toml\n<script>x</script>\n```\n"))


def test_a_listing_stays_one_listing_whatever_is_in_it():
    for text in HOSTILE.values():
        alone = replace(DOCUMENT, sections=(Section("One", (Listing(text),)),))
        tokens = MarkdownIt("commonmark").parse(as_markdown(alone, "x")[0])
        [fence] = [token for token in tokens if token.type == "fence"]
        assert fence.content.rstrip() == shown(text).rstrip().replace("\r\n", "\n")


def test_letters_that_no_page_shows_are_marked_and_json_keeps_them():
    bad = "a\x00b\ufeffc"
    alone = replace(DOCUMENT, sections=(Section("One", (Paragraph(bad),)),))
    assert "a\ufffdb\ufffdc" in as_html(alone)
    assert json.loads(as_json(alone))["sections"][0]["blocks"][0]["paragraph"] == bad
