"""The checklist of hazards: what can undo a promise, as questions to whoever releases, and the answers they give."""

from __future__ import annotations

from dataclasses import dataclass

from whit.telling.reports.cases import AnsweredRelease
from whit.telling.reports.document import Paragraph, Section, Table
from whit.telling.reports.facts import neighbours, protected, stated
from whit.telling.reports.wording import Words, words_of


@dataclass(frozen=True)
class Hazard:
    """One question of the checklist.

    Attributes:
        key: its name in a file.
        title: a few words for it.
        question: what has to be answered.
        by_file: the part of a report's file that answers it; empty if none does.
    """

    key: str
    title: str
    question: str
    by_file: str


_BY_FILE = {"parameters-stated": "promise", "unit": "unit", "unprotected": "unprotected"}
"""The questions that a part of a report's file answers, and which part."""


def hazards_of(words: Words) -> tuple[Hazard, ...]:
    """The questions in a language, in order."""
    titled = (key for key in words.language.templates if key.startswith("hazard.") and key.endswith(".title"))
    keys = [key.split(".")[1] for key in titled]
    return tuple(
        Hazard(key, words(f"hazard.{key}.title"), words(f"hazard.{key}.question"), _BY_FILE.get(key, ""))
        for key in keys
    )


HAZARDS = hazards_of(words_of("en"))
"""The questions in English."""

KEYS = tuple(each.key for each in HAZARDS)
"""Their names."""

_STANDARD = {"number": "800-226", "year": "2025"}


def checklist(work: AnsweredRelease) -> Section:
    """The questions, each with its answer."""
    words = work.words
    said = ((each, _said(each, work) or words("hazards.open")) for each in hazards_of(words))
    rows = tuple((each.title, each.question, answer) for each, answer in said)
    table = Table(words("hazards.caption"), words.names("hazards.header"), rows, (4, 9, 9))
    return Section(words("hazards.title"), (Paragraph(words("hazards.introduction", **_STANDARD)), table))


def open_hazards(work: AnsweredRelease) -> tuple[Hazard, ...]:
    """The questions that have no answer and none in the rest of the file."""
    return tuple(each for each in hazards_of(work.words) if not _said(each, work))


def _said(hazard: Hazard, work: AnsweredRelease) -> str:
    """What the file says to a question; empty if nothing."""
    own = work.request.hazards.get(hazard.key, "")
    return " ".join(text for text in (_from_file(hazard, work), own) if text)


def _from_file(hazard: Hazard, work: AnsweredRelease) -> str:
    """What the rest of the file says to it."""
    request, words = work.request, work.words
    if hazard.by_file == "promise":
        return words("hazards.stated", promise=stated(request, words), neighbours=neighbours(request, words))
    if hazard.by_file == "unit":
        return protected(request, words)
    if hazard.by_file == "unprotected":
        listed = "; ".join((*request.unprotected, *([] if request.table is None else [request.table.name])))
        return words("hazards.unprotected", listed=listed) if listed else ""
    return ""
