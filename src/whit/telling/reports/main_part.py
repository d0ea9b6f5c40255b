"""The main part of a report: the summary for whoever decides, the section for the people in the data, all in words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import fields, replace

from whit.assessment import Assessment, Unasked
from whit.policy import Outcome, Verdict
from whit.policy.profiles import RiskProfile
from whit.setting import Adversary, Knowledge
from whit.telling.explain import Audience, explain
from whit.telling.reports.cases import AnsweredRelease, Case
from whit.telling.reports.document import Block, Paragraph, Points, Remark, Section, Table
from whit.telling.reports.figures import belief_figure, people_figure
from whit.telling.reports.hazards import open_questions
from whit.telling.reports.ledger import room
from whit.telling.reports.sentences import capital, given_number, lowered, percent, top
from whit.theory import ASSUMPTIONS, Failure, Verifier

_OVERALL = {
    Outcome.KEPT: "The release keeps to everything that {publisher} accepts.",
    Outcome.BROKEN: "The release may exceed what {publisher} accepts.",
    Outcome.OPEN: "It cannot be shown that the release keeps to what {publisher} accepts.",
}
_WORDS = {
    Outcome.KEPT: "keeps to it",
    Outcome.BROKEN: "may exceed it",
    Outcome.OPEN: "cannot be shown to keep to it",
}
_NOT_KEPT = {
    Outcome.BROKEN: "The release does not keep to this",
    Outcome.OPEN: "It is not shown that the release keeps to this",
}
_EVERYBODY = (
    "The risk profile judges how many times as probable the fact becomes, for every adversary and not only for these: "
    "somebody else may decide."
)
_SILENT = "Nothing is stated about which risk is accepted. This report gives the risks and no verdict."


def summary(work: AnsweredRelease, *, short: bool = False) -> Section:
    """The first section, for whoever decides; a short report has no appendix to point to."""
    request = work.request
    readers = f"Who will see it: {request.readers.rstrip('.')}." if request.readers else ""
    described = [Paragraph(text) for text in (request.description, readers) if text]
    said = explain(work.cases[0].assessment, Audience.OFFICER).paragraphs
    gist = next(filter(_has_number, said), said[0])
    return Section(
        "Summary for the officer",
        (
            Remark(overall(work)),
            *described,
            _believed(work),
            *((Paragraph(_EVERYBODY),) if request.requirements.profiles else ()),
            *_accepted(work),
            Paragraph(f"In words, for {work.cases[0].asker.name}: {lowered(gist)}"),
            Paragraph("Before this goes out:"),
            Points(_to_do(work, "in the whole report" if short else "appendix")),
            *belief_figure(request.series, request.requirements, request.questions.failure),
        ),
    )


def overall(work: AnsweredRelease) -> str:
    """The verdict on all that is accepted together."""
    if not work.rulings:
        return _SILENT
    whole = Verdict.of_all([each.verdict for each in work.rulings])
    return _OVERALL[whole.outcome].format(publisher=work.request.publisher)


def _believed(work: AnsweredRelease) -> Table:
    """From which belief to which, for each adversary."""
    profile = work.request.requirements.profile
    header = ["Adversary", "What they would like to know", "Before", "After, at most", "Times, at most"]
    rows = [_row(case) for case in work.cases]
    if profile is not None:
        header.append("Times, accepted")
        for row, case in zip(rows, work.cases, strict=True):
            row.append(_limit(profile, case.asker.adversary))
    failure = work.request.questions.failure
    over = " or over ".join(dict.fromkeys(each.over.value for case in work.cases for each in _failures(case)))
    chance = f", but for a chance of {percent(failure)} over {over}" if over else ""
    caption = f"How probable the fact is for each adversary, by what they know of the others, before and after{chance}"
    widths = (3, 5, 2, 2, 2, 2)[: len(header)]
    return Table(caption, tuple(header), tuple(tuple(row) for row in rows), widths)


def _failures(case: Case) -> tuple[Failure, ...]:
    """The chances with which the numbers of the table may be false."""
    found = (case.assessment.posterior.worst, case.assessment.ratio.worst)
    return tuple(failure for each in found if each is not None for failure in each.basis.failures)


def _row(case: Case) -> list[str]:
    asker = case.asker
    return [
        capital(asker.name),
        capital(asker.fact),
        percent(asker.adversary.prior),
        top(case.assessment.posterior),
        top(case.assessment.ratio),
    ]


def _limit(profile: RiskProfile, adversary: Adversary) -> str:
    """What the profile accepts of an adversary; of one who excludes the fact it says nothing."""
    limit = float(profile.limit(adversary.inclusion, adversary.value)) if adversary.prior > 0.0 else math.inf
    return "no limit" if math.isinf(limit) else given_number(limit)


def _accepted(work: AnsweredRelease) -> tuple[Block, ...]:
    """What is accepted, and whether the release keeps to it."""
    if not work.rulings:
        return ()
    rows = tuple((each.requirement, f"The release {_WORDS[each.outcome]}.", each.reason) for each in work.rulings)
    header = ("What is accepted", "Verdict", "Why")
    return (Table(f"What {work.request.publisher} accepts", header, rows, (5, 3, 5)),)


def _to_do(work: AnsweredRelease, where: str) -> tuple[str, ...]:
    """What somebody has to see to."""
    assumed = [key for key in work.basis.assumptions if ASSUMPTIONS[key].verifier is not Verifier.MODELLING]
    first = f"Check the {len(assumed)} assumptions that only the curator or the software team can check ({where})."
    left = open_questions(work.request.hazards)
    second = "The checklist of hazards has no open question."
    if left:
        second = f"Answer the {left} open questions of the checklist of hazards."
    third = "Say what is published without noise." if not work.request.unprotected else ""
    return tuple(text for text in (*_not_kept(work), *_booked(work), first, second, third) if text)


def _booked(work: AnsweredRelease) -> tuple[str, ...]:
    """What is to be done about the ledger, if the file names one."""
    if work.outlook is None:
        return ()
    fits = work.outlook.refusal is None
    return ("Reserve room for the release in the ledger, before it is made." if fits else room(work.outlook),)


def _not_kept(work: AnsweredRelease) -> tuple[str, ...]:
    """What is not kept to, and what would be needed; the first thing to see to."""
    found = []
    for each in (ruling for ruling in work.rulings if ruling.outcome in _NOT_KEPT):
        needed = f" ({each.needed})" if each.needed else ""
        found.append(f"{_NOT_KEPT[each.outcome]}: {lowered(each.requirement).rstrip('.')}{needed}.")
    return tuple(found)


_OPENING = "Each number below is the most that the promise lets happen, unless the text says otherwise."
_ALL = "For all of them"
_OF_ALL = ("power", "advantage", "total_variation", "posterior_ratio")
"""The questions that no prior enters."""

_OF_EACH = tuple(each.name for each in fields(Assessment) if each.name not in (*_OF_ALL, "worst_prior"))
_ENDS = re.compile(r"(?<=[.]) ")
_ELSEWHERE = Unasked("it is told elsewhere")


def words(work: AnsweredRelease) -> Section:
    """The officer's text in full: what differs, adversary by adversary, and then what is the same for all of them."""
    if len(work.cases) == 1:
        parts = [_part(work.cases[0].asker.name, _officer_text(work.cases[0].assessment))]
    else:
        parts = [_part(case.asker.name, _numbers(_only(case.assessment, _OF_EACH))) for case in work.cases]
        common = _only(_widest(work.cases).assessment, _OF_ALL)
        parts.append(_part(_ALL, [*_numbers(common), *_merged(_officer_text(case.assessment) for case in work.cases)]))
    return Section("The risks in words", (Paragraph(_OPENING),), tuple(parts))


def _widest(cases: tuple[Case, ...]) -> Case:
    """The one whose answers hold for all: an adversary who may believe anything may also know everyone else."""
    return next((case for case in cases if case.asker.adversary.knows is Knowledge.ANY_BELIEF), cases[0])


def _only(assessment: Assessment, names: tuple[str, ...]) -> Assessment:
    left_out = [each.name for each in fields(Assessment) if each.name not in names]
    return replace(assessment, **dict.fromkeys(left_out, _ELSEWHERE))


def _officer_text(assessment: Assessment) -> tuple[str, ...]:
    return explain(assessment, Audience.OFFICER).paragraphs


def _numbers(assessment: Assessment) -> list[str]:
    """The paragraphs that give answers."""
    return list(filter(_has_number, _officer_text(assessment)))


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


def people(work: AnsweredRelease) -> Section:
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


def _unprotected(work: AnsweredRelease) -> tuple[str, ...]:
    unit = work.request.unit
    exact = tuple(f"Published as it is, without noise: {each.rstrip('.')}." for each in work.request.unprotected)
    beyond = f"Whatever goes beyond one {unit.name} within {unit.period} is protected less than this report says."
    return (*exact, beyond, _ALWAYS)
