"""Whether a release keeps to what its publisher accepts: the verdicts of policy, in the words of a report."""

from __future__ import annotations

from dataclasses import dataclass

from whit.policy import Outcome, Recommendation, Verdict, check, limits
from whit.policy.profiles import RiskProfile
from whit.spec import Requirements, Series
from whit.telling.reports.accepted_words import beside, decider, in_words
from whit.theory import Direction, Finding, Unit, number_text


@dataclass(frozen=True)
class Ruling:
    """A verdict of policy, in the words of a report.

    Attributes:
        verdict: whether the release keeps to one thing that is accepted.
        wanted: what is accepted, in words.
        reason: the sentence that says why.
        needed: what the release would need to keep to it, such as a parameter; empty if it does, or nothing is known.
    """

    verdict: Verdict
    wanted: str
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


def rulings(what: Requirements, stated: Series, failure: float) -> tuple[Ruling, ...]:
    """Whether the release keeps to each thing that is accepted."""
    required: list[tuple[str, RiskProfile | limits.Limit]] = [*what.profiles, *what.limits]
    return tuple(_ruling(each, stated, failure) for _, each in required)


def _ruling(wanted: RiskProfile | limits.Limit, stated: Series, failure: float) -> Ruling:
    k, relation = stated.releases, stated.relation
    found = check(stated.one, wanted, releases=k, failure=failure, neighbours=relation, remedy=True)
    reason = _by_profile(found, stated) if isinstance(wanted, RiskProfile) else beside(found)
    needed = ""
    if found.outcome is Outcome.BROKEN and found.remedy is not None:
        needed = f"it needs {_bound(found.remedy)}{_each(stated)}, and has {_ours(stated)}"
    return Ruling(found, in_words(wanted), reason, needed)


def _by_profile(found: Verdict, stated: Series) -> str:
    """The parameter that a profile allows beside the one of the release; if it is not kept, also who decides."""
    who = "" if found.kept else decider(found)
    if found.remedy is None or found.number is None:
        return found.reason
    if found.remedy.unlimited:
        return f"It sets no limit to {found.remedy.family.parameter}; the release has {_ours(stated)}{_each(stated)}."
    return f"It allows {_bound(found.remedy)}{_each(stated)}; the release has {_ours(stated)}.{who}"


def _bound(found: Recommendation) -> str:
    """The parameter that keeps to it; of noise that is not monotone it is said that more may not."""
    bound = number_text(float(found.parameter), found.parameter.direction, Unit.NUMBER, digits=4)
    if not found.family.steady:
        return f"{found.family.parameter} {bound}, but not every larger one,"
    return f"{found.family.parameter} {'up to' if found.family.rising else 'from'} {bound}"


def _each(stated: Series) -> str:
    return "" if stated.releases == 1 else f" in each of {stated.releases} releases"


def _ours(stated: Series) -> str:
    """The number that the release is stated by."""
    known, name = vars(stated.one), type(stated.one).parameter.name
    own = float(known[f"stated_{name}" if f"stated_{name}" in known else name])
    return number_text(own, Direction.EXACTLY, Unit.NUMBER, digits=15)
