"""Reports for word processors: whole, the same each time, and readable by those who do not see."""

from __future__ import annotations

import io
import math
import re
import zipfile
from dataclasses import replace

import docx

from whit.telling.reports import (
    Document,
    Figure,
    Listing,
    Paragraph,
    Points,
    Remark,
    Section,
    Sheet,
    Signatures,
    Stamp,
    Table,
)
from whit.telling.reports.word import as_word

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10"/></svg>'
NASTY = 'a <b> & "quotes" </w:t> | pipe \\n'
TEXTS = ("A title", "A subtitle", "A remark.", NASTY, "A caption", "cell two", "A figure caption", "key = 1")
BLOCKS = (
    Remark("A remark."),
    Paragraph(NASTY),
    Points(("one", "two")),
    Table("A caption", ("Left", "Right"), (("cell one", NASTY), ("cell two", "x")), (1, 2)),
    Figure("A figure caption", "What the figure shows", SVG),
    Listing("key = 1"),
)
DOCUMENT = Document("A title", "A subtitle", (("a", "b"),), (Section("First", BLOCKS),), "2026-01-31", "9.9.9", ())


def text_of(written: bytes) -> str:
    """Every paragraph, also in tables, as another reader of the format finds it."""
    return "\n".join(
        "".join(each.text or "" for each in paragraph.iter("{*}t"))
        for paragraph in docx.Document(io.BytesIO(written)).element.body.iter("{*}p")
    )


def test_it_says_what_the_others_say():
    written = as_word(DOCUMENT)
    assert all(text in text_of(written) for text in TEXTS)


def test_a_picture_has_a_text_that_stands_for_it_and_a_table_a_header_that_is_repeated():
    with zipfile.ZipFile(io.BytesIO(as_word(DOCUMENT))) as parts:
        page = parts.read("word/document.xml").decode()
    assert re.findall(r'<wp:docPr [^>]*descr="([^"]*)"', page) == ["What the figure shows"]
    assert page.count("<w:tblHeader/>") == 1


def test_it_names_its_title_its_language_and_its_date():
    known = docx.Document(io.BytesIO(as_word(DOCUMENT))).core_properties
    assert (known.title, known.language, known.author) == ("A title", "en", "whit 9.9.9")
    assert known.created.date().isoformat() == "2026-01-31"


def test_the_same_document_gives_the_same_bytes():
    assert as_word(DOCUMENT) == as_word(DOCUMENT)


def test_the_sheet_has_its_picture_beside_its_text_and_the_report_begins_a_page():
    """A break after the sheet would make an empty page where the sheet is just full."""
    figure = Figure("A caption", "What it shows", SVG)
    beside = Section("Who", (Paragraph("Somebody."),))
    sheet = Sheet("Decision sheet", Stamp("allowed", "✓", "Allowed", "By far."), (beside,), (figure,), ())
    body = docx.Document(io.BytesIO(as_word(replace(DOCUMENT, sheet=sheet)))).element.body
    sides = [table for table in body.iter("{*}tbl") if list(table.iter("{*}drawing"))]
    [(left, right)] = [list(row.iter("{*}tc")) for table in sides for row in table.iter("{*}tr")]
    assert "Somebody." in "".join(each.text or "" for each in left.iter("{*}t"))
    assert list(right.iter("{*}drawing"))
    assert not list(body.iter("{*}br"))
    [first] = [each for each in body.iter("{*}p") if list(each.iter("{*}pageBreakBefore"))]
    assert "".join(each.text or "" for each in first.iter("{*}t")) == "First"


def test_the_footer_counts_pages():
    with zipfile.ZipFile(io.BytesIO(as_word(DOCUMENT))) as parts:
        [footer] = [parts.read(name).decode() for name in parts.namelist() if "footer" in name]
    assert re.findall(r'w:instr="(\w+)"', footer) == ["PAGE", "NUMPAGES"]


def test_every_program_finds_the_widths_of_columns_where_it_looks_for_them():
    """One reads them from the grid of a table and another from its cells."""
    for table in docx.Document(io.BytesIO(as_word(DOCUMENT))).tables:
        grid = [column.width for column in table.columns]
        assert all([cell.width for cell in row.cells] == grid for row in table.rows)
    shares = docx.Document(io.BytesIO(as_word(DOCUMENT))).tables[-1].columns
    assert math.isclose(shares[1].width, 2 * shares[0].width, rel_tol=0.01)


def test_headings_have_the_font_of_the_text():
    """A font of the theme would come before the one that is named."""
    styles = docx.Document(io.BytesIO(as_word(DOCUMENT))).styles
    for name in ("Title", "Heading 1", "Heading 2", "Heading 3"):
        assert not [key for key in styles[name].element.rPr.rFonts.attrib if key.endswith("Theme")]


def test_the_sheet_has_its_verdict_in_a_box_and_a_place_for_names():
    stamp = Stamp("not_allowed", "✗", "Not allowed", "By far.")
    place = Section("Decision", (Signatures(("Yes", "No"), ("", "Name", "Signature", "Date"), ("Decided by",)),))
    written = as_word(replace(DOCUMENT, sheet=Sheet("Decision sheet", stamp, (), (), (place,))))
    assert "✗ Not allowed. By far." in text_of(written)
    assert "☐ Yes   ☐ No" in text_of(written)
    with zipfile.ZipFile(io.BytesIO(written)) as parts:
        page = parts.read("word/document.xml").decode()
    assert '<w:shd w:val="clear" w:color="auto" w:fill="FCEDE1"/>' in page
    assert page.count('w:val="double"') == 4
