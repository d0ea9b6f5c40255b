"""The summary: what is released, what each adversary may come to believe, and whether that is accepted."""

from __future__ import annotations

import math

from whit.policy import Outcome, Verdict
from whit.policy.profiles import RiskProfile
from whit.setting import Adversary
from whit.telling.explain import explain
from whit.telling.reports.cases import Case, Worked
from whit.telling.reports.checklist import open_questions
from whit.telling.reports.document import Block, Paragraph, Points, Remark, Section, Table
from whit.telling.reports.figures import belief_figure
from whit.telling.reports.sentences import capital, given_number, lowered, percent, top
from whit.theory import ASSUMPTIONS, Verifier

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


def summary(work: Worked, *, short: bool = False) -> Section:
    """The first section, for whoever decides; a short report has no appendix to point to."""
    request = work.request
    described = [Paragraph(text) for text in (request.description, _readers(request.readers)) if text]
    gist = _gist(explain(work.cases[0].assessment, "officer").paragraphs)
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


def _gist(paragraphs: tuple[str, ...]) -> str:
    """The first paragraph with a number in it."""
    return next((text for text in paragraphs if any(sign.isdigit() for sign in text)), paragraphs[0])


def overall(work: Worked) -> str:
    """The verdict on all that is accepted together."""
    if not work.rulings:
        return _SILENT
    whole = Verdict.of_all([each.verdict for each in work.rulings])
    return _OVERALL[whole.outcome].format(publisher=work.request.publisher)


def _readers(readers: str) -> str:
    return f"Who will see it: {readers.rstrip('.')}." if readers else ""


def _believed(work: Worked) -> Table:
    """From which belief to which, for each adversary."""
    profile = work.request.requirements.profile
    header = ["Adversary", "What they would like to know", "Before", "After, at most", "Times, at most"]
    rows = [_row(case) for case in work.cases]
    if profile is not None:
        header.append("Times, accepted")
        for row, case in zip(rows, work.cases, strict=True):
            row.append(_limit(profile, case.asker.adversary))
    failure = work.request.questions.failure
    chance = f", but for a chance of {percent(failure)} over the noise" if failure else ""
    caption = f"How probable the fact is for each adversary, by what they know of the others, before and after{chance}"
    widths = (3, 5, 2, 2, 2, 2)[: len(header)]
    return Table(caption, tuple(header), tuple(tuple(row) for row in rows), widths)


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


def _accepted(work: Worked) -> tuple[Block, ...]:
    """What is accepted, and whether the release keeps to it."""
    if not work.rulings:
        return ()
    rows = tuple((each.wanted, f"The release {_WORDS[each.outcome]}.", each.reason) for each in work.rulings)
    header = ("What is accepted", "Verdict", "Why")
    return (Table(f"What {work.request.publisher} accepts", header, rows, (5, 3, 5)),)


def _to_do(work: Worked, where: str) -> tuple[str, ...]:
    """What somebody has to see to."""
    assumed = [key for key in work.basis.assumptions if ASSUMPTIONS[key].verifier is not Verifier.MODELLING]
    first = f"Check the {len(assumed)} assumptions that only the curator or the software team can check ({where})."
    left = open_questions(work.request.hazards)
    second = "The checklist of hazards has no open question."
    if left:
        second = f"Answer the {left} open questions of the checklist of hazards."
    third = "Say what is published without noise." if not work.request.unprotected else ""
    return tuple(text for text in (*_not_kept(work), first, second, third) if text)


def _not_kept(work: Worked) -> tuple[str, ...]:
    """What is not kept to, and what would be needed; the first thing to see to."""
    return tuple(
        f"{_NOT_KEPT[each.outcome]}: {lowered(each.wanted).rstrip('.')}{f' ({each.needed})' if each.needed else ''}."
        for each in work.rulings
        if each.outcome in _NOT_KEPT
    )
