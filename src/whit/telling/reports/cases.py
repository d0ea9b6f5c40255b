"""Everything that was worked out about a release: the answers about each adversary, and the verdicts of policy."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from whit.assessment import Assessment, people_beyond
from whit.errors import WhitError
from whit.ledger import Outlook, planned_outlook, planned_refusal
from whit.policy import Outcome, Recommendation, Verdict, worst_of
from whit.policy.tables import Audited, audited
from whit.spec import (
    Asker,
    Questions,
    Raised,
    Release,
    Requirements,
    Series,
    assess_series,
    check_series,
    raised_quickly,
    remedies_of,
)
from whit.telling.reports.document import clipped
from whit.telling.reports.facts import NAME
from whit.telling.reports.sentences import OUTCOMES, in_words
from whit.telling.reports.wording import Words, words_of
from whit.telling.words import change_texts
from whit.theory import Basis, Finding, Named, assumed_keys, named_noises


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
    words: Words
    outlook: Outlook | None = None
    audit: Audited | None = None

    @property
    def outcome(self) -> str:
        """The key of the verdict on all of the release: the worst of noise, bare table and account."""
        beside = [self.audit.outcome] if self.audit is not None and self.has_failing_table else []
        beside += [Outcome.BROKEN] if self.has_no_room else []
        return OUTCOMES[worst_of([*beside, *(each.outcome for each in self.rulings)])] if beside else self.noisy_outcome

    @property
    def has_failing_table(self) -> bool:
        """Whether a table without noise is there, and not within its limits."""
        return self.audit is not None and not self.audit.is_kept

    @property
    def has_no_room(self) -> bool:
        """Whether the account that it is to be charged to has no room for it."""
        return self.outlook is not None and self.outlook.refusal is not None

    def room_for(self, then: Series | None) -> Outcome:
        """Whether the account that the file names has room for releases; not shown where they are not known.

        Without an account there is room.
        """
        if self.request.ledger is None:
            return Outcome.KEPT
        with suppress(WhitError):
            if then is not None:
                refusal = planned_refusal(self.request.ledger, self.request.unit, then.together)
                return Outcome.KEPT if refusal is None else Outcome.BROKEN
        return Outcome.OPEN

    @property
    def noisy_outcome(self) -> str:
        """The key of the verdict on all limits of what is published with noise: the worst of them."""
        if not self.rulings:
            return "no_limit"
        return OUTCOMES[Verdict.of_all([each.verdict for each in self.rulings]).outcome]

    @property
    def decisive(self) -> Ruling | None:
        """The ruling that decides: of the worst ones the first."""
        return next((each for each in self.rulings if OUTCOMES[each.outcome] == self.noisy_outcome), None)

    @property
    def basis(self) -> Basis:
        """All that the numbers of the report rest on, the catalogue's left out."""
        keys = [key for _, _, found in self.findings() for key in found.basis.theorems]
        return Basis.of(*dict.fromkeys(keys))

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Keys of the assumptions that at least one of these numbers needs."""
        needed = {key for _, _, found in self.findings() for key in assumed_keys(found)}
        return tuple(key for key in self.basis.assumptions if key in needed)

    @cached_property
    def remedies(self) -> Mapping[int, Recommendation]:
        """For each of a few promises by its place, the parameter that would do if the others stay."""
        if self.noisy_outcome != OUTCOMES[Outcome.BROKEN]:
            return {}
        return remedies_of(self.request.promises, self.request.requirements, self.request.questions)

    @cached_property
    def raised(self) -> Raised | None:
        """Several promises with more noise in all by one factor; with less, where they are within every limit."""
        if self.noisy_outcome not in (OUTCOMES[Outcome.BROKEN], OUTCOMES[Outcome.KEPT]):
            return None
        return raised_quickly(self.request.promises, self.request.requirements, self.request.questions)

    @property
    def changes(self) -> tuple[str, ...]:
        """What must hold of the sensitivity of the noise that these numbers are about, in sentences."""
        return tuple(dict.fromkeys(text for _, _, found in self.findings() for text in self.changes_of(found)))

    def changes_of(self, found: Finding) -> tuple[str, ...]:
        """The same of one number; of several promises, each sentence names its own."""
        return change_texts(found, self.words.language, self._named)

    @cached_property
    def _named(self) -> Named:
        """The noise of each of several promises, and what the report calls the promise."""
        return named_noises(
            [
                (clipped(each.name, NAME) or self.words("fact.unnamed", number=self.words.count(place)), each.together)
                for place, each in enumerate(self.request.promises, start=1)
            ]
        )

    def findings(self) -> Iterator[tuple[str, str, Finding]]:
        """Every number: who asked, what, and the finding."""
        for case in self.cases:
            for question, answer in case.assessment:
                yield from ((case.asker.name, question, found) for found in answer.findings)
                counted = [each for found in answer.findings for each in people_beyond(found)]
                yield from ((case.asker.name, f"{question}, people beyond it", found) for found in counted)
        for ruling in self.rulings:
            what = in_words(ruling.verdict.requirement, self.words)
            yield from (("publisher", what, found) for found in ruling.findings)
        if self.outlook is not None:
            yield from _of_ledger(self.outlook)

    def archived(self) -> tuple[Mapping[str, Any], ...]:
        """Every number as a plain tree."""
        return tuple(
            {"asked_by": who, "question": what, **json.loads(found.to_json())} for who, what, found in self.findings()
        )


def answer_release(request: Release, *, language: str = "en") -> AnsweredRelease:
    """All answers about a release, and the words to say them in."""
    words = words_of(language)
    series, questions = request.series, request.questions
    # First: a ledger that cannot be read is quickly found out.
    outlook = None if request.ledger is None else planned_outlook(request.ledger, request.unit, series.together)
    cases = tuple(Case(asker, assess_series(series, asker, questions)) for asker in request.askers)
    ruled = rulings(request.requirements, series, questions)
    audit = None if request.table is None else audited(request.table.task)
    return AnsweredRelease(request, cases, ruled, words, outlook, audit)


def _of_ledger(found: Outlook) -> Iterator[tuple[str, str, Finding]]:
    """Every risk of the section: the account, the limit, and the finding."""
    for each in found.accounts:
        who = f"account {each.now.account.name}"
        moments = (("so far", each.now.limits), ("with this release", each.then))
        known = [(f"{limit.limit}, {when}", limit.risk) for when, several in moments for limit in several]
        yield from ((who, what, risk) for what, risk in known if risk is not None)


@dataclass(frozen=True)
class Ruling:
    """A verdict of policy on one thing that is accepted of a release."""

    verdict: Verdict
    series: Series

    @property
    def outcome(self) -> Outcome:
        """Whether the release is within the limit."""
        return self.verdict.outcome

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The numbers behind it."""
        remedy = self.verdict.remedy
        return (*self.verdict.findings, *(() if remedy is None else (remedy.parameter,)))


def rulings(what: Requirements, series: Series, questions: Questions) -> tuple[Ruling, ...]:
    """Whether the release is within each limit."""
    if not what:
        return ()
    return tuple(Ruling(each, series) for each in check_series(series, what, questions, remedy=True).parts)
