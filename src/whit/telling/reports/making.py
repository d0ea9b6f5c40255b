"""A document from a request, section by section."""

from __future__ import annotations

import datetime

from whit.spec import Release
from whit.telling.reports.cases import Worked, worked
from whit.telling.reports.checklist import checklist
from whit.telling.reports.document import Document
from whit.telling.reports.section_appendix import appendix
from whit.telling.reports.section_comparison import comparison
from whit.telling.reports.section_summary import overall, summary
from whit.telling.reports.section_words import people, words
from whit.version import VERSION

SUBTITLE = "What an adversary may learn from this release"


def document_of(request: Release, *, date: datetime.date, short: bool = False) -> Document:
    """The document that answers a request; a short one has no appendices."""
    work = worked(request)
    body = (summary(work, short=short), people(work), words(work), comparison(request), checklist(request))
    return Document(
        title=request.name,
        subtitle=SUBTITLE,
        facts=_facts(work),
        sections=body if short else (*body, *appendix(work)),
        date=date.isoformat(),
        version=VERSION,
        findings=work.archived(),
    )


def _facts(work: Worked) -> tuple[tuple[str, str], ...]:
    request = work.request
    return (
        ("Publisher", request.publisher),
        ("Unit of protection", request.protected),
        ("Promise", f"{request.series.words}. {request.series.neighbours.value}"),
        ("Verdict", overall(work)),
    )
