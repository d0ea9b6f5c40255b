"""The risks in words, for whoever decides: what stands behind the summary."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields, replace

from whit.assessment import Assessment, Unasked
from whit.setting import Knowledge
from whit.telling.explain import Audience, explain
from whit.telling.reports.cases import Case, Worked
from whit.telling.reports.document import Paragraph, Points, Section
from whit.telling.reports.figures import people_figure
from whit.telling.reports.sentences import capital

_OPENING = "Each number below is the most that the promise lets happen, unless the text says otherwise."
_ALL = "For all of them"
_OF_ALL = ("power", "advantage", "total_variation", "posterior_ratio")
"""The questions that no prior enters."""

_OF_EACH = tuple(each.name for each in fields(Assessment) if each.name not in (*_OF_ALL, "worst_prior"))
_ENDS = re.compile(r"(?<=[.]) ")
_ELSEWHERE = Unasked("it is told elsewhere")


def words(work: Worked) -> Section:
    """The officer's text in full: what differs, adversary by adversary, and then what is the same for all of them."""
    if len(work.cases) == 1:
        parts = [_part(work.cases[0].asker.name, _said(work.cases[0].assessment))]
    else:
        parts = [_part(case.asker.name, _numbers(_only(case.assessment, _OF_EACH))) for case in work.cases]
        common = _only(_widest(work.cases).assessment, _OF_ALL)
        parts.append(_part(_ALL, [*_numbers(common), *_merged(_said(case.assessment) for case in work.cases)]))
    return Section("The risks in words", (Paragraph(_OPENING),), tuple(parts))


def _widest(cases: tuple[Case, ...]) -> Case:
    """The one whose answers hold for all: an adversary who may believe anything may also know everyone else."""
    return next((case for case in cases if case.asker.adversary.knows is Knowledge.ANY_BELIEF), cases[0])


def _only(assessment: Assessment, names: tuple[str, ...]) -> Assessment:
    left_out = [each.name for each in fields(Assessment) if each.name not in names]
    return replace(assessment, **dict.fromkeys(left_out, _ELSEWHERE))


def _said(assessment: Assessment) -> tuple[str, ...]:
    return explain(assessment, Audience.OFFICER).paragraphs


def _numbers(assessment: Assessment) -> list[str]:
    """The paragraphs that give answers."""
    return [text for text in _said(assessment) if _has_number(text)]


def _has_number(text: str) -> bool:
    return any(sign.isdigit() for sign in text)


def _merged(several: Iterable[tuple[str, ...]]) -> list[str]:
    """The paragraphs without numbers, each once; where they list sentences after a colon, all of them together."""
    lists: dict[str, dict[str, None]] = {}
    for text in (text for each in several for text in each if not _has_number(text)):
        head, _, rest = text.partition(": ")
        lists.setdefault(head, {}).update(dict.fromkeys(_ENDS.split(rest) if rest else ()))
    return [f"{head}: {' '.join(sentences)}" if sentences else head for head, sentences in lists.items()]


def _part(title: str, texts: Iterable[str]) -> Section:
    return Section(capital(title), tuple(Paragraph(text) for text in texts))


_BEFORE = 2
"""The paragraphs that the picture shows: the gist, and the results with the person and without."""

_ALWAYS = (
    "This does not cover what can be learnt about everyone like you. If the results show that smokers fall ill more "
    "often, then that is so for smokers who took no part as well."
)


def people(work: Worked) -> Section:
    """The section that may be read out to the people in the data."""
    request = work.request
    said = explain(work.cases[0].assessment, "public").paragraphs
    about = f"Suppose that {work.cases[0].asker.name} wonders whether {work.cases[0].asker.fact}."
    number = request.series.releases
    many = "" if number == 1 else f" What follows is about all {number} releases together."
    return Section(
        "For the people in the data",
        (
            Paragraph(f"{about}{many}"),
            *(Paragraph(text) for text in said[:_BEFORE]),
            *people_figure(work.cases[0], request.questions.level),
            *(Paragraph(text) for text in said[_BEFORE:]),
        ),
        (Section("What is not protected", (Points(_unprotected(work)),)),),
    )


def _unprotected(work: Worked) -> tuple[str, ...]:
    unit = work.request.unit
    exact = tuple(f"Published as it is, without noise: {each.rstrip('.')}." for each in work.request.unprotected)
    beyond = f"Whatever goes beyond one {unit.name} within {unit.period} is protected less than this report says."
    return (*exact, beyond, _ALWAYS)
