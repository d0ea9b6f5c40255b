"""The section with the checklist of hazards and the answers that the publisher gives."""

from __future__ import annotations

from collections.abc import Mapping

from whit.spec import Release
from whit.telling.reports.document import Paragraph, Section, Table
from whit.telling.reports.hazards import HAZARDS, Hazard

OPEN = "Not answered yet."

_INTRODUCTION = (
    "A promise holds only as far as everything around it does. These questions follow NIST SP 800-226, Guidelines for "
    "Evaluating Differential Privacy Guarantees (March 2025), in our own words. The answers are the publisher's; whit "
    "cannot check them. Having answered them is no proof of conformity."
)


def checklist(request: Release) -> Section:
    """The questions group by group, each with its answer."""
    groups = tuple(dict.fromkeys(each.group for each in HAZARDS))
    tables = tuple(_table(group, request) for group in groups)
    return Section("Hazards", (Paragraph(_INTRODUCTION), *tables))


def open_questions(answers: Mapping[str, str]) -> int:
    """How many questions have no answer and none in the rest of the file."""
    return sum(1 for each in HAZARDS if each.key not in answers and not each.by_file)


def _table(group: str, request: Release) -> Table:
    rows = tuple((each.title, each.question, _answer(each, request)) for each in HAZARDS if each.group == group)
    return Table(group, ("Hazard", "Question", "Answer"), rows, (3, 5, 5))


def _answer(hazard: Hazard, request: Release) -> str:
    own = request.hazards.get(hazard.key, "")
    return " ".join(text for text in (_from_file(hazard, request), own) if text) or OPEN


def _from_file(hazard: Hazard, request: Release) -> str:
    """What the rest of the file says to it."""
    if hazard.by_file == "promise":
        return f"Stated: {request.series.words}. {request.series.neighbours.value}"
    if hazard.by_file == "unit":
        return request.protected
    if hazard.by_file == "unprotected":
        listed = "; ".join(request.unprotected)
        return f"Published without noise: {listed}." if listed else "Nothing is listed."
    return ""
