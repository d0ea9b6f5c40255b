"""The case that decides about a release: the box, the text and the picture of a sheet all take it from here.

A limit is about an adversary of its own: with a prior, and with some knowledge of the others. It is about an adversary
of the file only if they have the same belief, the same knowledge, the same moment and the same block. A bound for any
belief about the others is larger than one for somebody who knows them, and must not stand for both.
"""

from __future__ import annotations

from typing import Any

from whit.policy import Verdict, limits
from whit.policy.profiles import RiskProfile
from whit.setting import Adversary
from whit.telling.reports.cases import AnsweredRelease, Case


def decided_case(work: AnsweredRelease) -> Case | None:
    """The adversary of the file whom the limit that decides is about; None if the file has nobody like that."""
    decisive = work.decisive
    if decisive is None or not isinstance(decisive.verdict.requirement, limits.LossLimit):
        return None
    who = decisive.verdict.adversary
    return next((case for case in work.cases if who is not None and _alike(case.asker.adversary, who)), None)


def deciding_posterior(case: Case, work: AnsweredRelease) -> Verdict | None:
    """The verdict whose number is the posterior of this adversary; None if the verdict is about something else."""
    decisive = work.decisive
    if decisive is None or decided_case(work) is not case:
        return None
    verdict = decisive.verdict
    known = isinstance(verdict.requirement, limits.PosteriorLimit) and verdict.number is not None
    return verdict if known else None


def drawn_first(work: AnsweredRelease) -> tuple[RiskProfile | limits.Limit, ...]:
    """What may be shaded in the picture: what decides first, then the profiles together, then the limits."""
    accepted, decisive = work.request.requirements, work.decisive
    first: Any = None if decisive is None else decisive.verdict.requirement
    if isinstance(first, RiskProfile):
        first = accepted.profile
    rest = [*([] if accepted.profile is None else [accepted.profile]), *(limit for _, limit in accepted.limits)]
    return (*([] if first is None else [first]), *(each for each in rest if each is not first))


def _alike(one: Adversary, other: Adversary) -> bool:
    """Whether two adversaries ask the same question; a guess at the record is another one."""
    names = ("inclusion", "value", "knows", "when", "block")
    return all(getattr(one, name) == getattr(other, name) for name in names)
