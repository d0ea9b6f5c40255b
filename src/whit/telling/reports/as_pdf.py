"""A document as PDF, tagged for screen readers (PDF/UA)."""

from __future__ import annotations

import json
import re
from importlib.resources import as_file, files
from types import ModuleType
from typing import Final

from whit.errors import InvalidInput, MissingExtra
from whit.telling.reports.document import Document

_NO_LETTER = re.compile(r'the text `"(.+?)"` could not be displayed with font')

STANDARD: Final = "ua-1"
"""PDF/UA-1: a picture without a text that stands for it is refused."""


def as_pdf(document: Document) -> bytes:
    """The document as PDF."""
    typst = typesetter()
    try:
        with as_file(files(__package__)) as folder:
            pdf: bytes = typst.compile(
                str(folder / "templates" / "report.typ"),
                root=str(folder),
                ignore_system_fonts=True,
                sys_inputs={"report": json.dumps(document.printed(), ensure_ascii=False)},
                pdf_standards=[STANDARD],
                timestamp=0,
            )
    except typst.TypstError as wrong:
        letter = _NO_LETTER.search(str(wrong))
        if letter is None:
            raise
        rule = "must be written in letters that the fonts of the PDF have"
        raise InvalidInput("a text of the report", rule, letter[1], "Write the report as .html instead.") from wrong
    return pdf


def typesetter() -> ModuleType:
    """The library that sets pages; an error that names it where it is not installed."""
    try:
        import typst
    except ImportError as missing:
        way_out = "Install it with: pip install 'whit[reports]'; or write the report as .html, .md or .json."
        raise MissingExtra("typst", "must be installed for reports in PDF", "no such library", way_out) from missing
    return typst
