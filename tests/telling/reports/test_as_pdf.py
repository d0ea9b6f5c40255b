"""Reports as PDF."""

from __future__ import annotations

import pytest

from whit.assessment import assess
from whit.errors import InvalidInput
from whit.guarantees import PureDP
from whit.setting import Adversary
from whit.telling.reports import report
from whit.telling.reports.document import Document, Paragraph, Section
from whit.telling.reports.formats import as_pdf


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


def test_a_letter_that_no_font_has_is_named_in_a_sentence():
    with pytest.raises(InvalidInput, match="letters that the fonts of the PDF have; got 漢"):
        as_pdf(document("漢字"))


def test_nothing_is_left_of_a_report_that_cannot_be_set(tmp_path):
    for name in ("x" * 300 + ".pdf", ".pdf"):
        with pytest.raises(InvalidInput, match="the file of a report must"):
            report(assess(PureDP(1.0), Adversary(prior=0.5)), tmp_path / name)
    assert list(tmp_path.iterdir()) == []
