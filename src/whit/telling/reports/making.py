"""The documents: that of a release, section by section, and the shorter one of a result that is there already."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from whit.assessment import Assessment
from whit.errors import InvalidInput, require
from whit.plans import Exposure, Plan, PlanRecommendation
from whit.policy import Recommendation
from whit.setting import UnitOfPrivacy
from whit.spec import Asker, Release
from whit.telling.reports.appendix import answers_table, assumptions_of, numbered, theorems_of
from whit.telling.reports.appendix import appendix as appendices
from whit.telling.reports.audit import audit_section
from whit.telling.reports.cases import AnsweredRelease, answer_release
from whit.telling.reports.comparison import comparison
from whit.telling.reports.document import Document, Paragraph, Section, clipped, shown
from whit.telling.reports.facts import facts
from whit.telling.reports.hazards import checklist
from whit.telling.reports.ledger import ledger_section, room
from whit.telling.reports.main_part import people, summary, words_section
from whit.telling.reports.sheet import sheet as decision_sheet
from whit.telling.reports.wording import ENGLISH, words_of
from whit.telling.words import Audience, Explanation, explain
from whit.theory import Basis, Finding, assumed_keys
from whit.version import VERSION

_LETTERS: Final = {"name": 200, "publisher": 120, "description": 2_000, "readers": 300}
"""So many letters of each text of a file are printed; the file in the appendix has all of them."""

_LONGEST: Final = 1_500
"""The same for each answer to the checklist, and each thing that is published without noise."""

_ASKED: Final = {"name": 120, "fact": 250}
_UNIT: Final = {"name": 120, "period": 120}


def document_of(
    request: Release, *, date: datetime.date, sheet: bool = False, appendix: bool = False, language: str | None = None
) -> Document:
    """The document that answers a request: its decision sheet, and the report.

    Args:
        request: the release.
        date: the date on the document.
        sheet: the decision sheet alone.
        appendix: with every answer, assumption and theorem, the sources, and the file itself.
        language: the language of its sentences; that of the release if none is named.
    """
    way_out = "Leave one of them out: the sheet is one page, and appendices come after the report."
    both = sheet and appendix
    require(not both, name="sheet", rule="goes without appendix", value="both", way_out=way_out)
    spoken = language or request.language or ENGLISH
    words = words_of(spoken)
    work = answer_release(_printable(request), language=spoken)
    ledger = () if work.outlook is None else ((words("fact.ledger"), room(work.outlook, words)),)
    return Document(
        title=work.request.name,
        subtitle=words("document.subtitle"),
        facts=(*facts(work.request, words), *ledger),
        sections=() if sheet else _sections(work, appendix=appendix),
        date=date.isoformat(),
        version=VERSION,
        findings=work.archived(),
        sheet=decision_sheet(work),
        language=spoken,
    )


def _sections(work: AnsweredRelease, *, appendix: bool) -> tuple[Section, ...]:
    """The report after the sheet, and its appendices if they are wanted."""
    body = (
        summary(work),
        people(work),
        words_section(work),
        *audit_section(work),
        *ledger_section(work),
        comparison(work),
        checklist(work),
    )
    return (*body, *appendices(work)) if appendix else body


def _printable(request: Release) -> Release:
    """The request with texts that fit on pages."""
    return replace(
        request,
        **_within(request, _LETTERS),  # type: ignore[arg-type]
        unprotected=tuple(_clean(each, _LONGEST) for each in request.unprotected),
        askers=tuple(replace(each, **_within(each, _ASKED)) for each in request.askers),  # type: ignore[arg-type]
        hazards={key: _clean(text, _LONGEST) for key, text in request.hazards.items()},
        unit=UnitOfPrivacy(**_within(request.unit, _UNIT)),
    )


def _within(told: Release | Asker | UnitOfPrivacy, letters: Mapping[str, int]) -> dict[str, str]:
    return {name: _clean(getattr(told, name), most) for name, most in letters.items()}


def _clean(text: str, most: int) -> str:
    """A text that can be drawn and printed: without letters that no page shows, and not too long."""
    return clipped(shown(text), most)


Plain: TypeAlias = Assessment | Recommendation | Exposure | Plan | PlanRecommendation
"""What a shorter report can be made of."""

_TITLES: Final = {
    Assessment: "assessment",
    Recommendation: "recommendation",
    Exposure: "exposure",
    Plan: "plan",
    PlanRecommendation: "plan_recommendation",
}
_WAY_OUT = "Pass the path of a TOML file, a plan, or what assess, recommend or expose returned."


def plain_document(source: Plain, *, date: datetime.date, language: str = "en") -> Document:
    """The document about one result."""
    words = words_of(language)
    title = next((title for kind, title in _TITLES.items() if isinstance(source, kind)), "")
    if not title:
        raise InvalidInput("the source of a report", "must be a file or a result", source, _WAY_OUT)
    said = {words(f"result.{who.value}"): explain(source, who, language=language) for who in Audience}
    texts = tuple(Section(heading, tuple(map(Paragraph, each.paragraphs))) for heading, each in said.items())
    found = _findings(source, said.values())
    basis = Basis.of(*dict.fromkeys(key for _, each in found for key in each.basis.theorems))
    needed = dict.fromkeys(key for _, each in found for key in assumed_keys(each))
    answers = source if isinstance(source, Assessment) else found
    table = answers_table(words("result.caption"), answers, numbered(basis), words)
    numbers = Section(words("result.every_number"), (table,))
    return Document(
        title=words(f"result.{title}"),
        subtitle=words("document.one_result"),
        facts=((words("fact.numbers"), words("fact.counted", number=words.count(len(found)))),),
        sections=(*texts, numbers, assumptions_of(basis, words, needed), theorems_of(basis, words)),
        date=date.isoformat(),
        version=VERSION,
        findings=tuple({"question": name, **json.loads(each.to_json())} for name, each in found),
        language=language,
    )


def _findings(source: Plain, said: Iterable[Explanation]) -> tuple[tuple[str, Finding], ...]:
    if isinstance(source, Assessment):
        return tuple((name, found) for name, answer in source for found in answer.findings)
    if isinstance(source, Recommendation):
        known = (source.parameter, *source.findings, *source.comparisons)
        return tuple((each.quantity.name, each) for each in known)
    numbers = dict.fromkeys(number.finding for each in said for number in each.numbers)
    return tuple((each.quantity.name, each) for each in numbers)
