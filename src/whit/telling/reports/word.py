"""A document for word processors: headings, tables with header rows, pictures with the text that stands for them."""

from __future__ import annotations

import datetime
import io
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
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

_BESIDE: Final = 92
"""How wide the column is that stands beside the picture of the decision sheet, in millimetres."""

_LINE: Final = "B0B0B0"
"""The colour of the lines between the rows of a table."""

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
    said = labels(document)
    page.about(document, said["footer"], said["page"])
    page.text(tree["title"], style="Title")
    if tree["sheet"] is not None:
        page.text(tree["sheet"]["title"], bold=True)
    page.text(f"{tree['subtitle']}. {said['made']}", size=_SMALL)
    page.table("", None, tree["facts"], (1, 4))
    if tree["sheet"] is not None:
        _sheet(page, tree["sheet"])
    for place, section in enumerate(tree["sections"]):
        _section(page, section, 1, new_page=place == 0 and tree["sheet"] is not None)
    return page.bytes()


def _sheet(page: _Page, sheet: dict[str, Any]) -> None:
    """The sheet, whose picture stands beside the text: so it is one page."""
    page.stamp(**sheet["stamp"])
    figure = {"title": "", "blocks": sheet["figure"], "parts": []}
    left, right = page.columns((_BESIDE, _WIDTH - _BESIDE)) if sheet["figure"] else (page.file, page.file)
    with page.within(left, _BESIDE if sheet["figure"] else _WIDTH):
        for section in sheet["beside"]:
            _section(page, section, 2)
    with page.within(right, _WIDTH - _BESIDE):
        _section(page, figure, 2)
    for section in sheet["below"]:
        _section(page, section, 2)


def _section(page: _Page, section: dict[str, Any], depth: int, *, new_page: bool = False) -> None:
    if section["title"]:
        page.text(section["title"], style=f"Heading {depth}").paragraph_format.page_break_before = new_page or None
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
            page.table("", content["header"], [[role, *empty] for role in content["roles"]], (2, 3, 3, 2), boxed=True)
        case "figure":
            page.picture(content["caption"], content["alt"], content["svg"])


class _Page:
    """A file of the library with the few things that a report needs."""

    def __init__(self, docx: ModuleType) -> None:
        self.docx = docx
        self.file = docx.Document()
        self.place: Any = self.file
        self.width: float = _WIDTH
        section, length = self.file.sections[0], docx.shared.Mm
        section.page_width, section.page_height = length(210), length(297)
        for side in ("left", "right", "top", "bottom"):
            setattr(section, f"{side}_margin", length(_MARGIN))
        normal = self.file.styles["Normal"]
        normal.font.name, normal.font.size = "Arial", docx.shared.Pt(10)
        normal.paragraph_format.space_after = docx.shared.Pt(4)
        for name, size in (("Title", 16), ("Heading 1", 14), ("Heading 2", 11), ("Heading 3", 10)):
            style = self.file.styles[name]
            style.font.name, style.font.size, style.font.color.rgb = "Arial", docx.shared.Pt(size), None
            fonts = style.element.rPr.rFonts
            for key in [key for key in fonts.attrib if key.endswith("Theme")]:  # which comes before the name
                del fonts.attrib[key]
            style.paragraph_format.space_before = docx.shared.Pt(0 if name == "Title" else 6)
            style.paragraph_format.space_after = docx.shared.Pt(3)

    @contextmanager
    def within(self, place: Any, width: float) -> Iterator[None]:
        """Whatever comes next goes into a cell, or to the end of the file."""
        before, self.place, self.width = (self.place, self.width), place, width
        yield
        if place is not self.file and len(place.paragraphs) > 1:
            place._element.remove(place.paragraphs[0]._p)  # the empty one that every cell begins with
        self.place, self.width = before

    def columns(self, widths: tuple[float, ...]) -> tuple[Any, ...]:
        """Places side by side without a line between them."""
        made = self.file.add_table(rows=1, cols=len(widths))
        self._lay_out(made, widths)
        return tuple(made.rows[0].cells)

    def about(self, document: Document, footer: str, page: str) -> None:
        """What the file says of itself, and its footer with the number of the page."""
        day = datetime.datetime.fromisoformat(document.date)
        known = self.file.core_properties
        known.title, known.subject, known.author = document.title[:200], document.subtitle, f"whit {document.version}"
        known.created = known.modified = day
        known.language, known.comments, known.last_modified_by = document.language, "", ""
        line = self.file.sections[0].footer.paragraphs[0]
        line.paragraph_format.tab_stops.add_tab_stop(
            self.docx.shared.Mm(_WIDTH), self.docx.enum.text.WD_TAB_ALIGNMENT.RIGHT
        )
        line.style.paragraph_format.tab_stops.clear_all()
        before, between, after = re.split(r"\{page\}|\{pages\}", page)
        for text, field in ((f"{footer}\t{before}", "PAGE"), (between, "NUMPAGES"), (after, "")):
            line.add_run(text).font.size = self.docx.shared.Pt(_SMALL)
            if field:
                line._p.append(self._number(field))
        language = self._element("w:lang", {"w:val": document.language})
        self.file.styles["Normal"].element.get_or_add_rPr().append(language)

    def text(self, text: str, *, style: str = "Normal", bold: bool = False, size: int = 0, font: str = "") -> Any:
        """A paragraph."""
        paragraph = self.place.add_paragraph(style=style)
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

    def table(self, caption: str, header: Any, rows: Any, widths: Any, *, boxed: bool = False) -> None:
        """Rows of texts, with a header that is repeated on each page if there is one; in boxes to write in, or not."""
        if caption:
            self.text(caption, bold=True, size=_SMALL).paragraph_format.keep_with_next = True
        lines = [*([header] if header else []), *rows]
        made = self.place.add_table(len(lines), len(widths))
        made.style = self.file.styles["Table Grid"]
        self._lay_out(made, [self.width * width / sum(widths) for width in widths])
        if not boxed:
            self._rule(made)
        for place, (row, line) in enumerate(zip(made.rows, lines, strict=True)):
            is_header = bool(header) and place == 0
            if is_header:
                row._tr.get_or_add_trPr().append(self._element("w:tblHeader", {}))
            row._tr.get_or_add_trPr().append(self._element("w:cantSplit", {}))
            if boxed and not is_header:
                row.height = self.docx.shared.Mm(9)
            for column, (cell, text) in enumerate(zip(row.cells, line, strict=True)):
                self._fill(cell, str(text), bold=is_header or (header is None and column == 0))
        if self.place is self.file:  # a cell has such a line already
            self.text("")
        last = self.place.paragraphs[-1]
        last.paragraph_format.space_after = self.docx.shared.Pt(0)
        last.paragraph_format.line_spacing = self.docx.shared.Pt(6)

    def _fill(self, cell: Any, text: str, *, bold: bool) -> None:
        paragraph = cell.paragraphs[0]
        run = paragraph.add_run(text)
        run.font.size, run.bold = self.docx.shared.Pt(_SMALL), bold
        paragraph.paragraph_format.space_before = paragraph.paragraph_format.space_after = self.docx.shared.Pt(1)

    def _lay_out(self, table: Any, widths: Any) -> None:
        """Give the columns their widths, by the grid as well as by each cell: programs read one or the other."""
        table.autofit = False
        for column, width in zip(table.columns, widths, strict=True):
            column.width = self.docx.shared.Mm(width)
            for cell in column.cells:
                cell.width = self.docx.shared.Mm(width)

    def _rule(self, table: Any) -> None:
        """Lines between the rows, and no boxes."""
        borders = self._element("w:tblBorders", {})
        for side in ("top", "left", "bottom", "right", "insideH", "insideV"):
            drawn = {"w:val": "single", "w:sz": "4", "w:space": "0", "w:color": _LINE}
            borders.append(self._element(f"w:{side}", drawn if side in ("bottom", "insideH") else {"w:val": "nil"}))
        table._tbl.tblPr.append(borders)

    def _number(self, name: str) -> Any:
        """The number of the page, or how many there are, which the word processor fills in."""
        field, run, text = (self._element(each, {}) for each in ("w:fldSimple", "w:r", "w:t"))
        field.set(self.docx.oxml.ns.qn("w:instr"), name)
        text.text = "1"
        size = self._element("w:rPr", {})
        size.append(self._element("w:sz", {"w:val": str(2 * _SMALL)}))
        run.extend([size, text])
        field.append(run)
        return field

    def picture(self, caption: str, alt: str, svg: str) -> None:
        """A picture with the text that stands for it."""
        paragraph = self.place.add_paragraph()
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
