"""Reports as PDF."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
import typst

from whit.assessment import assess
from whit.errors import InvalidInput
from whit.guarantees import PureDP
from whit.setting import Adversary
from whit.telling.reports import report
from whit.telling.reports.appendix import assumptions_of, theorems_of
from whit.telling.reports.document import Document, Paragraph, Section, Table
from whit.telling.reports.formats import as_html, as_json, as_markdown, as_pdf
from whit.telling.reports.wording import words_of
from whit.theory import THEOREMS, Basis, Prose

EN = words_of("en")


def document(text: str) -> Document:
    return Document(
        title="Counts",
        subtitle="What may be learnt",
        date="2026-01-31",
        version="0",
        facts=(),
        sections=(Section("One", (Paragraph(text),)),),
        findings=(),
    )


def test_letters_of_many_languages_are_set():
    assert as_pdf(document("Ünïcødé Žluťoučký ελληνικά русский ✓")).startswith(b"%PDF")


@pytest.mark.parametrize("text", ["https://example.org/x", "www.example.org", "\ufeffCounts", "a\u200db", "\u202eabc"])
def test_an_address_and_letters_without_a_shape_are_set_wherever_they_stand(text):
    made = replace(document(text), title=text, subtitle=text, facts=((text, text),))
    table = Table(text, (text, "b"), ((text, text),), (1, 1))
    sections = (*made.sections, Section(text, (table,)))
    assert as_pdf(replace(made, sections=sections)).startswith(b"%PDF")


def everything() -> Document:
    whole = Basis.of(*THEOREMS)
    return replace(document(""), sections=(theorems_of(whole, EN), assumptions_of(whole, EN, whole.assumptions)))


def test_every_formula_of_the_registry_is_set_on_pages_that_every_reader_can_use():
    assert as_pdf(everything()).startswith(b"%PDF")


def test_every_formula_of_the_registry_is_set_in_the_browser_and_none_in_plain_text():
    texts = [entry.statement for entry in THEOREMS.values()]
    formulas = sum(len(text.parts) > 1 or text.source.startswith("$") for text in texts)
    html = as_html(everything())
    assert html.count("<math ") > formulas > 100
    for plain in (as_markdown(everything(), "r")[0], as_json(everything())):
        assert "<math" not in plain
        assert "Φ(μ/2 - t/μ)" in plain


def test_a_dollar_sign_of_a_user_is_a_dollar_sign():
    told = as_html(document("It costs $5, or $6 for <two>."))
    assert "It costs $5, or $6 for &lt;two&gt;." in told
    assert "<math" not in told


def test_a_text_with_a_formula_is_escaped_where_it_is_text():
    table = Table("c", ("a", "b"), (("<b>", Prose("<i> $a < b$")),), (1, 1))
    told = as_html(replace(document(""), sections=(Section("One", (table,)),)))
    assert "&lt;b&gt;" in told
    assert "&lt;i&gt; <math" in told


def test_a_letter_that_no_font_has_is_named_in_a_sentence():
    with pytest.raises(InvalidInput, match="letters that the fonts of the PDF have; got 漢"):
        as_pdf(document("漢字"))


def parts(element: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """An element of a PDF as a screen reader walks through it, and all elements inside it."""
    yield element
    inside = element.get("/K")
    for each in inside if isinstance(inside, pikepdf.Array) else [inside]:
        if isinstance(each, pikepdf.Dictionary) and "/S" in each:
            yield from parts(each)


def tables_without_headings(pdf: bytes) -> int:
    """How many tables have cells whose column has no name."""
    with pikepdf.open(BytesIO(pdf)) as opened:
        tables = [each for each in parts(opened.Root.StructTreeRoot) if each.get("/S") == "/Table"]
        assert tables
        return sum(all(each.get("/S") != "/TH" for each in parts(table)) for table in tables)


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_every_table_has_headings_for_a_screen_reader(language, tmp_path):
    """The facts at the head stood in a table of their own, without a row of headings."""
    source = (Path(__file__).parents[3] / "demo" / "release.toml").read_text(encoding="utf-8")
    spoken = source.replace("[release]\n", f'[release]\nlanguage = "{language}"\n', 1)
    (tmp_path / "r.toml").write_text(spoken, encoding="utf-8")
    made = report(tmp_path / "r.toml", tmp_path / "r.pdf")
    assert tables_without_headings(made.read_bytes()) == 0


def test_a_table_without_headings_is_found():
    text = "#table(columns: 2, table.header[a][b], [1], [2])\n#table(columns: 2, [1], [2])"
    assert tables_without_headings(typst.compile(text.encode())) == 1


def test_nothing_is_left_of_a_report_that_cannot_be_set(tmp_path):
    for name in ("x" * 300 + ".pdf", ".pdf"):
        with pytest.raises(InvalidInput, match="the file of a report must"):
            report(assess(PureDP(1.0), Adversary(prior=0.5)), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def stand_ins(pdf: bytes) -> list[str]:
    """The letters that a reader copies in place of what is drawn, such as those without a width."""
    with pikepdf.open(BytesIO(pdf)) as file:
        marks = [
            each.operands[1]
            for page in file.pages
            for each in pikepdf.parse_content_stream(page)
            if str(each.operator) == "BDC"
        ]
        return [
            str(mark.ActualText) for mark in marks if isinstance(mark, pikepdf.Dictionary) and "/ActualText" in mark
        ]


def test_a_hash_that_is_copied_has_its_letters_alone():
    """A head of the ledger is compared letter by letter, and held two letters that nobody sees."""
    head = "b3a75f95ac425246051e6574fd75dd385db9697a4afefffd1741efd0c0f14ff9"
    assert stand_ins(as_pdf(document(f"The ledger has six events. The hash of the last one is {head}. Keep it."))) == []


def test_a_long_word_breaks_at_letters_that_nobody_sees():
    """Or the test above finds nothing because it sees nothing."""
    assert "".join(stand_ins(as_pdf(document("no" * 32)))).count("\u200b") == 2
