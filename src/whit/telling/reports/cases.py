"""Everything that was worked out about a release: the answers about each adversary, and the verdicts of policy."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from whit.assessment import Assessment, people_beyond
from whit.errors import require
from whit.ledger import Ledger, Outlook, outlook_of
from whit.policy import Outcome, Recommendation, Verdict, check, limits
from whit.policy.profiles import RiskProfile
from whit.spec import Asker, Release, Requirements, Series, assess_series
from whit.telling.reports.sentences import beside, decider, in_words
from whit.theory import Basis, Direction, Finding, Unit, number_text


@dataclass(frozen=True)
class Case:
    """One adversary and the answers about them."""

    asker: Asker
    assessment: Assessment


@dataclass(frozen=True)
class AnsweredRelease:
    """A release with all answers about it."""

    request: Release
    cases: tuple[Case, ...]
    rulings: tuple[Ruling, ...]
    outlook: Outlook | None = None

    @property
    def basis(self) -> Basis:
        """All that the numbers of the report rest on, the catalogue's left out."""
        keys = [key for _, _, found in self.findings() for key in found.basis.theorems]
        return Basis.of(*dict.fromkeys(keys))

    def findings(self) -> Iterator[tuple[str, str, Finding]]:
        """Every number: who asked, what, and the finding."""
        for case in self.cases:
            for question, answer in case.assessment:
                yield from ((case.asker.name, question, found) for found in answer.findings)
                counted = [each for found in answer.findings for each in people_beyond(found)]
                yield from ((case.asker.name, f"{question}, people beyond it", found) for found in counted)
        for ruling in self.rulings:
            yield from (("publisher", ruling.requirement, found) for found in ruling.findings)
        if self.outlook is not None:
            yield from _of_ledger(self.outlook)

    def archived(self) -> tuple[Mapping[str, Any], ...]:
        """Every number as a plain tree."""
        return tuple(
            {"asked_by": who, "question": what, **json.loads(found.to_json())} for who, what, found in self.findings()
        )


def answer_release(request: Release) -> AnsweredRelease:
    """All answers about a release."""
    series, questions = request.series, request.questions
    outlook = _outlook(request)  # first: a ledger that cannot be read is quickly found out
    cases = tuple(Case(asker, assess_series(series, asker, questions)) for asker in request.askers)
    return AnsweredRelease(request, cases, rulings(request.requirements, series, questions.failure), outlook)


def _outlook(request: Release) -> Outlook | None:
    """What the release would make of the account that its file names; None if it names none."""
    if request.ledger is None:
        return None
    with Ledger(request.ledger.where, actor="report") as ledger:
        unit = ledger.population(ledger.account(request.ledger.account).population).unit
        ours = f"one {request.unit.name} within {request.unit.period}"
        rule = f"must be that of the release, {ours}, or their risks cannot be added"
        theirs = f"one {unit.name} within {unit.period}"
        way_out = "Name an account with the same unit, or state the release by the unit of the account."
        name = f"the unit of account {request.ledger.account}"
        require(unit == request.unit, name=name, rule=rule, value=theirs, way_out=way_out)
        return outlook_of(ledger, request.ledger.account, request.series.together)


def _of_ledger(found: Outlook) -> Iterator[tuple[str, str, Finding]]:
    """Every risk of the section: the account, the limit, and the finding."""
    for each in found.accounts:
        who = f"account {each.now.account.name}"
        moments = (("so far", each.now.limits), ("with this release", each.then))
        known = [(f"{limit.limit}, {when}", limit.risk) for when, several in moments for limit in several]
        yield from ((who, what, risk) for what, risk in known if risk is not None)


@dataclass(frozen=True)
class Ruling:
    """A verdict of policy, in the words of a report.

    Attributes:
        verdict: whether the release keeps to one thing that is accepted.
        requirement: what is accepted, in words.
        reason: the sentence that says why.
        needed: what the release would need to keep to it, such as a parameter; empty if it does, or nothing is known.
    """

    verdict: Verdict
    requirement: str
    reason: str
    needed: str = ""

    @property
    def outcome(self) -> Outcome:
        """Whether the release keeps to it."""
        return self.verdict.outcome

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The numbers behind it."""
        remedy = self.verdict.remedy
        return (*self.verdict.findings, *(() if remedy is None else (remedy.parameter,)))


def rulings(what: Requirements, series: Series, failure: float) -> tuple[Ruling, ...]:
    """Whether the release keeps to each thing that is accepted."""
    required: list[tuple[str, RiskProfile | limits.Limit]] = [*what.profiles, *what.limits]
    return tuple(_ruling(each, series, failure) for _, each in required)


def _ruling(requirement: RiskProfile | limits.Limit, series: Series, failure: float) -> Ruling:
    k, relation = series.releases, series.relation
    found = check(series.one, requirement, releases=k, failure=failure, neighbours=relation, remedy=True)
    reason = _by_profile(found, series) if isinstance(requirement, RiskProfile) else beside(found)
    needed = ""
    if found.outcome is Outcome.BROKEN and found.remedy is not None:
        needed = f"it needs {_bound(found.remedy)}{_each(series)}, and has {_ours(series)}"
    return Ruling(found, in_words(requirement), reason, needed)


def _by_profile(found: Verdict, series: Series) -> str:
    """The parameter that a profile allows beside the one of the release; if it is not kept, also who decides."""
    who = "" if found.kept else decider(found)
    if found.remedy is None or found.number is None:
        return found.reason
    if found.remedy.unlimited:
        return f"It sets no limit to {found.remedy.family.parameter}; the release has {_ours(series)}{_each(series)}."
    return f"It allows {_bound(found.remedy)}{_each(series)}; the release has {_ours(series)}.{who}"


def _bound(found: Recommendation) -> str:
    """The parameter that keeps to it; of noise that is not monotone it is said that more may not."""
    bound = number_text(float(found.parameter), found.parameter.direction, Unit.NUMBER, digits=4)
    if not found.family.steady:
        return f"{found.family.parameter} {bound}, but not every larger one,"
    return f"{found.family.parameter} {'up to' if found.family.rising else 'from'} {bound}"


def _each(series: Series) -> str:
    return "" if series.releases == 1 else f" in each of {series.releases} releases"


def _ours(series: Series) -> str:
    """The number that the release is stated by."""
    known, name = vars(series.one), type(series.one).parameter.name
    own = float(known[f"stated_{name}" if f"stated_{name}" in known else name])
    return number_text(own, Direction.EXACTLY, Unit.NUMBER, digits=15)
