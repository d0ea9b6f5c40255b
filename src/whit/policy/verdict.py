"""Whether a release meets a requirement, as one value: the outcome, the number and the limit, who decides, why."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from whit.display import Row
from whit.errors import WhitError
from whit.policy.shown import verdict_html, verdict_rows
from whit.setting import Adversary
from whit.theory import Answer, Finding, echo

if TYPE_CHECKING:
    from whit.policy.recommendation import Recommendation

FREE = "Certainty is allowed, so nothing is limited."
"""The reason where there is no limit."""

CLOSE = 1e-9
"""A belief below this one is shown as close to 0."""


class Outcome(Enum):
    """Whether a release meets a requirement; the value is the word that people read.

    KEPT (Allowed): the upper end of the risk, as its school reports it for the release itself, is at most the limit.
    For a risk profile this is proved for every adversary that the profile covers.

    BROKEN (Not allowed): the best bound on the risk is finite and above the limit; or the risk is known to have no
    bound, because the loss of a mechanism that is known exactly exceeds every bound. This means that more than the
    limit is not ruled out, not that the risk is larger: `Verdict.exceeds` says whether that is known too.

    OPEN (Not shown): whit can prove neither. The promise does not imply an answer, the answer costs too much or lies
    too close to the limit, or it is an estimate.
    """

    KEPT = "Allowed"
    BROKEN = "Not allowed"
    OPEN = "Not shown"

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"Outcome.{self.name}"


_WORST_FIRST = (Outcome.BROKEN, Outcome.OPEN, Outcome.KEPT)


def worst_of(outcomes: Iterable[Outcome]) -> Outcome:
    """The worst of several outcomes; KEPT if there is none.

    >>> worst_of([Outcome.KEPT, Outcome.OPEN])
    Outcome.OPEN
    """
    return min(outcomes, key=_WORST_FIRST.index, default=Outcome.KEPT)


@dataclass(frozen=True, repr=False)
class Verdict(Answer):
    """Whether a release meets a requirement, and what shows it; true as a condition only if the outcome is KEPT.

    Attributes:
        outcome: KEPT, BROKEN or OPEN.
        requirement: a risk profile, a limit, a promise, or several of them.
        reason: why, in one sentence.
        number: the risk that decides, on the safe side; none where there is no answer.
        limit: the largest number that is accepted; none where there is no limit.
        adversary: who decides; none where the number is not about one adversary. A belief next to 0 stands for the
            limit towards 0.
        decider: who or what decides, as a clause: an adversary of a profile, a limit, or a promise.
        losses: the bounds on the privacy loss that the number rests on.
        notices: sentences that should be read with it.
        cause: the error that says what would have an answer, where there is none.
        remedy: the parameter with which such a release meets the requirement, if it was asked for and there is one.
        parts: the verdicts on several requirements; the number and the reason are those of the worst of them.
    """

    outcome: Outcome
    requirement: object
    reason: str
    number: Finding | None = None
    limit: float | None = None
    adversary: Adversary | None = None
    decider: str = ""
    losses: tuple[Finding, ...] = ()
    notices: tuple[str, ...] = ()
    cause: WhitError | None = field(default=None, compare=False)
    remedy: Recommendation | None = None
    parts: tuple[Verdict, ...] = ()

    @classmethod
    def of_all(cls, parts: Sequence[Verdict]) -> Verdict:
        """The verdict on several requirements at once: the worst of theirs, and of equals the one with least room."""
        worst = min(parts, key=lambda part: (_WORST_FIRST.index(part.outcome), part.room))
        notices = tuple(dict.fromkeys(said for part in parts for said in part.notices))
        return replace(
            worst, requirement=tuple(each.requirement for each in parts), notices=notices, parts=tuple(parts)
        )

    @property
    def kept(self) -> bool:
        """Whether the outcome is KEPT."""
        return self.outcome is Outcome.KEPT

    @property
    def room(self) -> float:
        """How far the number lies below the limit, as a share of it; below 0 if above, infinite without a limit."""
        if self.number is None or self.limit is None or math.isinf(self.limit):
            return math.inf
        return (self.limit - float(self.number)) / self.limit if self.limit > 0.0 else -float(self.number)

    @property
    def exceeds(self) -> bool:
        """Whether the risk itself is known to be above the limit; of several, whether one that is not met is so."""
        if self.parts:
            return any(part.exceeds for part in self.parts)
        if self.outcome is not Outcome.BROKEN or self.number is None or self.limit is None:
            return False
        return self.number.lower is not None and float(self.number.below) > self.limit

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All numbers: the one that decides first, then those that it rests on."""
        if self.parts:
            return tuple(found for part in self.parts for found in part.findings)
        return (*(() if self.number is None else (self.number,)), *self.losses)

    @property
    def worst(self) -> Finding | None:
        """The number that decides."""
        return self.number

    def to_dict(self) -> dict[str, Any]:
        """The verdict as a plain tree."""
        who = self.adversary
        return {
            "outcome": self.outcome.name,
            "requirement": echo(self.requirement),
            "number": None if self.number is None else self.number.to_dict(),
            "limit": self.limit,
            "adversary": None if who is None else who.to_dict(),
            "decider": self.decider,
            "reason": self.reason,
            "notices": list(self.notices),
            "remedy": None if self.remedy is None else self.remedy.to_dict(),
            "parts": [part.to_dict() for part in self.parts],
        }

    def to_rows(self) -> list[Row]:
        """A row for each requirement: the outcome, the number that decides, and the limit."""
        return verdict_rows(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: allowed, not allowed or not shown, and why."""
        return verdict_html(self)

    def __bool__(self) -> bool:
        return self.kept

    def __str__(self) -> str:
        return f"{self.outcome.value}. {self.reason}"


def belief_text(belief: float) -> str:
    """A belief in few digits; one next to 0 in words.

    >>> belief_text(0.05), belief_text(1e-18)
    ('0.05', 'close to 0')
    """
    return f"{belief:.4g}" if belief > CLOSE else "close to 0"


def beliefs_text(adversary: Adversary) -> str:
    """The beliefs of an adversary, in words."""
    return f"inclusion {belief_text(adversary.inclusion)} and value {belief_text(adversary.value)}"
