"""A document for word processors: headings, tables with header rows, pictures with the text that stands for them."""

from __future__ import annotations

import datetime
import io
import zipfile
from types import ModuleType
from typing import Any, Final

from whit.errors import missing_extra
from whit.telling.plots.picture import png_of
from whit.telling.reports.colours import COLOURS
from whit.telling.reports.document import Document
from whit.telling.reports.formats import labels

_MARGIN: Final = 18
_WIDTH: Final = 210 - 2 * _MARGIN
"""How wide a line is, in millimetres."""

_PICTURE: Final = 75
"""How wide a picture is at most, in millimetres."""

_SMALL: Final = 9
_BOX = "☐"
_FIRST_DAY: Final = (1980, 1, 1, 0, 0, 0)
"""The date that each part of the archive gets, so that the same document gives the same bytes."""


def word_library() -> ModuleType:
    """The library that writes such documents; an error that names it where it is not installed."""
    try:
        import docx
    except ImportError as missing:
        instead = "Write the report as .html, .md or .json; or install it."
        raise missing_extra("docx", "reports", purpose="for reports in Word", instead=instead) from missing
    return docx


def as_word(document: Document) -> bytes:
    """The document as a file for word processors."""
    tree, page = document.printed(), _Page(word_library())
    page.about(document, labels(document)["footer"])
    page.text(tree["title"], style="Title")
    page.text(f"{tree['subtitle']}. {labels(document)['made']}", size=_SMALL)
    page.table("", None, tree["facts"], (1, 4))
    if tree["sheet"] is not None:
        _sheet(page, tree["sheet"])
        if tree["sections"]:
            page.file.add_page_break()
    for section in tree["sections"]:
        _section(page, section, 1)
    return page.bytes()


def _sheet(page: _Page, sheet: dict[str, Any]) -> None:
    page.stamp(**sheet["stamp"])
    for section in (*sheet["beside"], {"title": "", "blocks": sheet["figure"], "parts": []}, *sheet["below"]):
        _section(page, section, 2)


def _section(page: _Page, section: dict[str, Any], depth: int) -> None:
    if section["title"]:
        page.text(section["title"], style=f"Heading {depth}")
    for block in section["blocks"]:
        ((name, content),) = block.items()
        _block(page, name, content)
    for part in section["parts"]:
        _section(page, part, depth + 1)


def _block(page: _Page, name: str, content: Any) -> None:
    match name:
        case "paragraph":
            page.text(content)
        case "points":
            for item in content:
                page.text(item, style="List Bullet")
        case "remark":
            page.text(content, bold=True)
        case "stamp":
            page.stamp(**content)
        case "listing":
            page.text(content, size=8, font="Courier New")
        case "table":
            page.table(content["caption"], content["header"], content["rows"], content["widths"])
        case "signatures":
            page.text("   ".join(f"{_BOX} {choice}" for choice in content["choices"]))
            empty = [""] * (len(content["header"]) - 1)
            page.table("", content["header"], [[role, *empty] for role in content["roles"]], (2, 3, 3, 2), tall=True)
        case "figure":
            page.picture(**content)


class _Page:
    """A file of the library with the few things that a report needs."""

    def __init__(self, docx: ModuleType) -> None:
        self.docx = docx
        self.file = docx.Document()
        section, length = self.file.sections[0], docx.shared.Mm
        section.page_width, section.page_height = length(210), length(297)
        for side in ("left", "right", "top", "bottom"):
            setattr(section, f"{side}_margin", length(_MARGIN))
        normal = self.file.styles["Normal"]
        normal.font.name, normal.font.size = "Arial", docx.shared.Pt(10)
        normal.paragraph_format.space_after = docx.shared.Pt(4)
        for name, size in (("Title", 18), ("Heading 1", 14), ("Heading 2", 11), ("Heading 3", 10)):
            style = self.file.styles[name]
            style.font.name, style.font.size, style.font.color.rgb = "Arial", docx.shared.Pt(size), None
            style.paragraph_format.space_before = docx.shared.Pt(0 if name == "Title" else 8)
            style.paragraph_format.space_after = docx.shared.Pt(3)

    def about(self, document: Document, footer: str) -> None:
        """What the file says of itself, and its footer."""
        day = datetime.datetime.fromisoformat(document.date)
        known = self.file.core_properties
        known.title, known.subject, known.author = document.title[:200], document.subtitle, f"whit {document.version}"
        known.created = known.modified = day
        known.language, known.comments, known.last_modified_by = document.language, "", ""
        self.file.sections[0].footer.paragraphs[0].text = footer
        language = self._element("w:lang", {"w:val": document.language})
        self.file.styles["Normal"].element.get_or_add_rPr().append(language)

    def text(self, text: str, *, style: str = "Normal", bold: bool = False, size: int = 0, font: str = "") -> Any:
        """A paragraph."""
        paragraph = self.file.add_paragraph(style=style)
        run = paragraph.add_run(str(text))
        run.bold = bold or None
        if size:
            run.font.size = self.docx.shared.Pt(size)
        if font:
            run.font.name = font
        return paragraph

    def stamp(self, outcome: str, sign: str, word: str, text: str) -> None:
        """The verdict in a box: told by its word, its sign and its colour."""
        colour = COLOURS[outcome]
        paragraph = self.file.add_paragraph()
        head = paragraph.add_run(f"{sign} {word}. ")
        head.bold, head.font.size = True, self.docx.shared.Pt(14)
        paragraph.add_run(text)
        box = self._element("w:pBdr", {})
        for side in ("top", "left", "bottom", "right"):
            border = {"w:val": colour.border, "w:sz": "18", "w:space": "4", "w:color": colour.line[1:]}
            box.append(self._element(f"w:{side}", border))
        known = paragraph._p.get_or_add_pPr()
        known.append(box)
        known.append(self._element("w:shd", {"w:val": "clear", "w:color": "auto", "w:fill": colour.fill[1:]}))

    def table(self, caption: str, header: Any, rows: Any, widths: Any, *, tall: bool = False) -> None:
        """Rows of texts, with a header that is repeated on each page if there is one."""
        if caption:
            self.text(caption, bold=True, size=_SMALL).paragraph_format.keep_with_next = True
        lines = [*([header] if header else []), *rows]
        made = self.file.add_table(rows=len(lines), cols=len(widths), style="Table Grid")
        made.autofit = False
        for place, (row, line) in enumerate(zip(made.rows, lines, strict=True)):
            is_header = bool(header) and place == 0
            if is_header:
                row._tr.get_or_add_trPr().append(self._element("w:tblHeader", {}))
            if tall and not is_header:
                row.height = self.docx.shared.Mm(9)
            for column, (cell, text, width) in enumerate(zip(row.cells, line, widths, strict=True)):
                cell.width = self.docx.shared.Mm(_WIDTH * width / sum(widths))
                run = cell.paragraphs[0].add_run(str(text))
                run.font.size, run.bold = self.docx.shared.Pt(_SMALL), is_header or (header is None and column == 0)
                cell.paragraphs[0].paragraph_format.space_after = self.docx.shared.Pt(1)
        self.text("").paragraph_format.space_after = self.docx.shared.Pt(0)

    def picture(self, caption: str, alt: str, svg: str) -> None:
        """A picture with the text that stands for it."""
        paragraph = self.file.add_paragraph()
        paragraph.paragraph_format.keep_with_next = True
        shape = paragraph.add_run().add_picture(io.BytesIO(png_of(svg)), width=self.docx.shared.Mm(_PICTURE))
        shape._inline.docPr.set("descr", alt)
        self.text(caption, size=_SMALL)

    def bytes(self) -> bytes:
        """The file; the same document gives the same bytes."""
        written, steady = io.BytesIO(), io.BytesIO()
        self.file.save(written)
        with zipfile.ZipFile(written) as parts, zipfile.ZipFile(steady, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in parts.namelist():
                archive.writestr(zipfile.ZipInfo(name, _FIRST_DAY), parts.read(name), zipfile.ZIP_DEFLATED)
        return steady.getvalue()

    def _element(self, name: str, attributes: dict[str, str]) -> Any:
        element = self.docx.oxml.OxmlElement(name)
        for key, value in attributes.items():
            element.set(self.docx.oxml.ns.qn(key), value)
        return element
