"""The formulas behind the verdict: what the promise says of the loss, and the bound that decides."""

from __future__ import annotations

from typing import Final

from whit.telling.reports.cases import AnsweredRelease
from whit.telling.reports.document import Section, Table
from whit.telling.reports.wording import Words
from whit.theory import Finding, Formula, Prose, Theorem, theorem

_NAME: Final = 6
"""A formula with no more letters than this is the name of something, and states nothing."""


def formulas(work: AnsweredRelease) -> tuple[Section, ...]:
    """The first and the last formula on the way from the promise to the number that decides; none without one."""
    words, number = work.words, _decisive(work)
    stated = [] if number is None else [each for each in map(theorem, number.basis.theorems) if _stated(each)]
    ends = dict.fromkeys(each.key for each in (*stated[:1], *stated[-1:]))
    rows = tuple((_title(theorem(key), words), _statement(theorem(key))) for key in ends)
    table = Table(words("words.formulas_caption"), words.names("words.formulas_header"), rows, (3, 8))
    return (Section(words("words.formulas"), (table,)),) if rows else ()


def _decisive(work: AnsweredRelease) -> Finding | None:
    """The number that is compared with the limit that decides; the posterior of the first adversary without a limit."""
    found = None if work.decisive is None else work.decisive.verdict.number
    return work.cases[0].assessment.posterior.worst if found is None else found


def _stated(entry: Theorem) -> list[Formula]:
    """The formulas of a theorem that state something."""
    return [each for each in entry.statement.parts if isinstance(each, Formula) and len(each.plain) > _NAME]


def _title(entry: Theorem, words: Words) -> str:
    return words.language.name("theorem", entry.key, entry.title)


def _statement(entry: Theorem) -> Prose:
    """What the theorem says, in the language of the registry; in other languages the header says which that is."""
    return Prose(" ".join(entry.statement.source.split()))
