"""A document as PDF, tagged for screen readers (PDF/UA)."""

from __future__ import annotations

import json
from importlib.resources import as_file, files
from typing import Final

from whit.errors import MissingExtra
from whit.telling.reports.document import Document

STANDARD: Final = "ua-1"
"""PDF/UA-1: a picture without a text that stands for it is refused."""


def as_pdf(document: Document) -> bytes:
    """The document as PDF."""
    try:
        import typst
    except ImportError as missing:
        way_out = "Install it with pip install whit[reports], or write the report as .html, .md or .json."
        raise MissingExtra("typst", "must be installed for reports in PDF", "no such library", way_out) from missing
    tree = document.tree()
    del tree["findings"]  # they are for programs
    with as_file(files(__package__)) as folder:
        return typst.compile(
            str(folder / "templates" / "report.typ"),
            root=str(folder),
            ignore_system_fonts=True,
            sys_inputs={"report": json.dumps(tree, ensure_ascii=False)},
            pdf_standards=[STANDARD],
            timestamp=0,
        )
