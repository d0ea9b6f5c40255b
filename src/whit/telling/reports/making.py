"""The documents: that of a release, section by section, and the shorter one of a result that is there already."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable
from typing import TypeAlias

from whit.assessment import Assessment
from whit.errors import InvalidInput
from whit.plans import Exposure, Plan, PlanRecommendation
from whit.policy import Recommendation
from whit.spec import Release
from whit.telling.explain import Explanation, explain
from whit.telling.reports.appendix import answers_table, appendix, assumptions_of, numbered, theorems_of
from whit.telling.reports.cases import answer_release
from whit.telling.reports.comparison import comparison
from whit.telling.reports.document import Document, Paragraph, Section
from whit.telling.reports.hazards import checklist
from whit.telling.reports.ledger import ledger_section, room
from whit.telling.reports.main_part import overall, people, summary, words
from whit.theory import Basis, Finding
from whit.version import VERSION

SUBTITLE = "What an adversary may learn from this release"


def document_of(request: Release, *, date: datetime.date, short: bool = False) -> Document:
    """The document that answers a request; a short one has no appendices."""
    work = answer_release(request)
    account = () if work.outlook is None else (ledger_section(work.outlook, request),)
    body = (summary(work, short=short), people(work), words(work), *account, comparison(request), checklist(request))
    return Document(
        title=request.name,
        subtitle=SUBTITLE,
        facts=(
            ("Publisher", request.publisher),
            ("Unit of protection", request.protected),
            ("Promise", f"{request.series.words}. {request.series.neighbours.value}"),
            ("Verdict", overall(work)),
            *(() if work.outlook is None else (("Ledger", room(work.outlook)),)),
        ),
        sections=body if short else (*body, *appendix(work)),
        date=date.isoformat(),
        version=VERSION,
        findings=work.archived(),
    )


Plain: TypeAlias = Assessment | Recommendation | Exposure | Plan | PlanRecommendation
"""What a shorter report can be made of."""

_TITLES = {
    Assessment: "What an adversary may learn",
    Recommendation: "The parameter that keeps to what is accepted",
    Exposure: "What a plan leaves somebody with a concern",
    Plan: "What a plan leaves of one record",
    PlanRecommendation: "The noise with which a plan keeps to what is accepted",
}
_AUDIENCES = (("For the people in the data", "public"), ("For the officer", "officer"), ("In detail", "technical"))
_WAY_OUT = "Pass the path of a TOML file, a plan, or what assess, recommend or expose returned."


def plain_document(source: Plain, *, date: datetime.date) -> Document:
    """The document about one result."""
    title = next((title for kind, title in _TITLES.items() if isinstance(source, kind)), "")
    if not title:
        raise InvalidInput("the source of a report", "must be a file or a result", source, _WAY_OUT)
    said = {heading: explain(source, audience) for heading, audience in _AUDIENCES}
    texts = tuple(Section(heading, tuple(map(Paragraph, each.paragraphs))) for heading, each in said.items())
    found = _findings(source, said.values())
    basis = Basis.of(*dict.fromkeys(key for _, each in found for key in each.basis.theorems))
    answers = source if isinstance(source, Assessment) else found
    table = answers_table("Every number, with what it rests on", answers, numbered(basis))
    return Document(
        title=title,
        subtitle="A report on one result",
        facts=(("Numbers", f"{len(found)}, each with the theorems that it follows from"),),
        sections=(*texts, Section("All numbers", (table,)), assumptions_of(basis), theorems_of(basis)),
        date=date.isoformat(),
        version=VERSION,
        findings=tuple({"question": name, **json.loads(each.to_json())} for name, each in found),
    )


def _findings(source: Plain, said: Iterable[Explanation]) -> tuple[tuple[str, Finding], ...]:
    if isinstance(source, Assessment):
        return tuple((name, found) for name, answer in source for found in answer.findings)
    if isinstance(source, Recommendation):
        known = (source.parameter, *source.findings, *source.comparisons)
        return tuple((each.quantity.name, each) for each in known)
    numbers = dict.fromkeys(number.finding for each in said for number in each.numbers)
    return tuple((each.quantity.name, each) for each in numbers)
