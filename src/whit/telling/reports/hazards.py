"""The checklist of hazards: what can undo a promise, as questions to whoever releases, and the answers they give."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from whit.spec import Release
from whit.telling.reports.document import Paragraph, Section, Table


@dataclass(frozen=True)
class Hazard:
    """One question of the checklist.

    Attributes:
        key: its name in a file.
        group: the part of the work that it belongs to.
        title: a few words for it.
        question: what has to be answered.
        by_file: the part of a report's file that answers it; empty if none does.
    """

    key: str
    group: str
    title: str
    question: str
    by_file: str


def _read() -> tuple[Hazard, ...]:
    text = files(__package__).joinpath("hazards.toml").read_text(encoding="utf-8")
    return tuple(Hazard(key, **row) for key, row in tomllib.loads(text).items())


HAZARDS = _read()
"""The questions, in order."""

KEYS = tuple(each.key for each in HAZARDS)
"""Their names."""

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
