"""The risks in words, for whoever decides: what stands behind the summary."""

from __future__ import annotations

from whit.telling.explain import Audience, explain
from whit.telling.reports.cases import Worked
from whit.telling.reports.document import Paragraph, Section
from whit.telling.reports.sentences import capital

_OPENING = "Each number below is the most that the promise lets happen, unless the text says otherwise."


def words(work: Worked) -> Section:
    """The officer's text in full: what differs, adversary by adversary, and then what is the same for all of them."""
    said = {case.asker.name: explain(case.assessment, Audience.OFFICER).paragraphs for case in work.cases}
    first, *others = said.values()
    common = tuple(text for text in first if others and all(text in each for each in others))
    parts = [_part(capital(name), [text for text in each if text not in common]) for name, each in said.items()]
    if common:
        parts.append(_part("For all of them", common))
    return Section("The risks in words", (Paragraph(_OPENING),), tuple(parts))


def _part(title: str, texts: list[str] | tuple[str, ...]) -> Section:
    return Section(title, tuple(Paragraph(text) for text in texts))
