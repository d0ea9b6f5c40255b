"""Whether a release keeps to what its publisher accepts."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, TypeAlias

from whit.errors import Incompatible, InvalidInput, NotImplied, TooCostly, Unreachable
from whit.policy import ProfileBinding, Recommendation, limits, profile_room, recommend
from whit.policy.profiles import RiskProfile
from whit.spec import Requirements, Series
from whit.telling.reports.accepted_risks import beside, decider, risk_of
from whit.telling.reports.accepted_words import in_words
from whit.telling.reports.sentences import capital
from whit.theory import Direction, Finding, Unit, number_text

Limit: TypeAlias = limits.Limit


class Kept(Enum):
    """Whether the release keeps to something; the value is the word for it."""

    YES = "keeps to it"
    NO = "may exceed it"
    OPEN = "cannot be shown to keep to it"


@dataclass(frozen=True)
class Verdict:
    """Whether the release keeps to one thing that is accepted.

    Attributes:
        wanted: what is accepted, in words.
        kept: whether the release keeps to it.
        reason: the sentence that says why.
        findings: the numbers behind it.
        needed: what the release would need to keep to it, such as a parameter; empty if it does, or nothing is known.
    """

    wanted: str
    kept: Kept
    reason: str
    findings: tuple[Finding, ...]
    needed: str = ""


def verdicts(what: Requirements, stated: Series, failure: float) -> tuple[Verdict, ...]:
    """Whether the release keeps to each thing that is accepted."""
    by_profile = [_by_profile(profile, stated, failure) for _, profile in what.profiles]
    return (*by_profile, *(_by_limit(limit, stated, failure) for _, limit in what.limits))


def _by_profile(profile: RiskProfile, stated: Series, failure: float) -> Verdict:
    """A profile speaks about all adversaries: the release keeps to it if its parameter is on the safe side."""
    wanted = in_words(profile)
    try:
        found = recommend(profile, type(stated.one), failure=failure, **_options(stated))
    except Unreachable:
        return Verdict(wanted, Kept.OPEN, "No parameter of this kind of release is proved to keep to it.", ())
    except (Incompatible, InvalidInput, TooCostly):
        return _by_losses(profile, stated, failure)
    except NotImplied as refusal:
        return Verdict(wanted, Kept.OPEN, f"No answer for every adversary: {refusal.name} {refusal.rule}.", ())
    kept = _side(found, stated)
    verdict = Verdict(wanted, kept, _compared(found, stated), (found.parameter,), _needed(found, stated, kept))
    decides = next((each for each in found.binding if isinstance(each, ProfileBinding)), None)
    if kept is Kept.YES or decides is None:
        return verdict
    return _decided(verdict, profile, (decides.inclusion, decides.value), stated, failure)


def _decided(
    verdict: Verdict, profile: RiskProfile, belief: tuple[float, float], stated: Series, failure: float
) -> Verdict:
    """The verdict with the adversary who decides it."""
    who, risk = decider(profile, belief, stated, failure)
    return replace(verdict, reason=f"{verdict.reason} {who}", findings=(*verdict.findings, risk))


def _by_losses(profile: RiskProfile, stated: Series, failure: float) -> Verdict:
    """A release without a family, such as randomized response: by what is proved of its losses."""
    wanted = in_words(profile)
    try:
        found = profile_room(profile, stated.together, failure=failure)
    except (Incompatible, NotImplied, TooCostly) as refusal:
        return Verdict(wanted, Kept.OPEN, f"No answer for every adversary: {refusal.name} {refusal.rule}.", ())
    if found.kept:
        return Verdict(wanted, Kept.YES, f"{capital(str(found.room))}.", (found.room,))
    verdict = Verdict(wanted, Kept.OPEN, "No bound is proved for the release that keeps to it.", (found.room,))
    return _decided(verdict, profile, (found.inclusion, found.value), stated, failure)


def _options(stated: Series) -> dict[str, Any]:
    return {name: value for name, value in stated.search.items() if value is not None}


def _side(found: Recommendation, stated: Series) -> Kept:
    limit = float(found.parameter)
    own = _parameter(stated)
    safe = own <= limit if found.family.rising else own >= limit
    if not safe:
        return Kept.NO
    return Kept.YES if found.parameter.direction is not Direction.ABOUT else Kept.OPEN


def _parameter(stated: Series) -> float:
    """The number that the release is stated by."""
    known, name = vars(stated.one), type(stated.one).parameter.name
    return float(known[f"stated_{name}" if f"stated_{name}" in known else name])


def _compared(found: Recommendation, stated: Series) -> str:
    """The parameter that the profile allows, beside the one of the release."""
    limit, each, ours = float(found.parameter), _each(stated), _ours(stated)
    if math.isinf(limit) or limit == 0.0:
        return f"It sets no limit to {found.family.parameter}; the release has {ours}{each}."
    return f"It allows {_bound(found)}{each}; the release has {ours}."


def _needed(found: Recommendation, stated: Series, kept: Kept) -> str:
    """The parameter with which the release would keep to it, beside its own; nothing where it does already."""
    return "" if kept is not Kept.NO else f"it needs {_bound(found)}{_each(stated)}, and has {_ours(stated)}"


def _bound(found: Recommendation) -> str:
    bound = number_text(float(found.parameter), found.parameter.direction, Unit.NUMBER, digits=4)
    return f"{found.family.parameter} {'up to' if found.family.rising else 'from'} {bound}"


def _each(stated: Series) -> str:
    return "" if stated.releases == 1 else f" in each of {stated.releases} releases"


def _ours(stated: Series) -> str:
    return number_text(_parameter(stated), Direction.EXACTLY, Unit.NUMBER, digits=15)


def _by_limit(limit: Limit, stated: Series, failure: float) -> Verdict:
    wanted = in_words(limit)
    relation = stated.relation
    try:
        room = limit.headroom(stated.together, failure=failure, neighbours=relation)
    except (Incompatible, NotImplied, TooCostly) as refusal:
        return Verdict(wanted, Kept.OPEN, f"No answer: {refusal.name} {refusal.rule}.", ())
    left = float(room)
    if math.isinf(left) and left < 0.0:
        reason = "No bound is proved that always holds. Allow a chance of failure in [questions]."
        return Verdict(wanted, Kept.OPEN, reason, ())
    risk = risk_of(limit, stated, failure)
    reason, findings = beside(limit, risk), (risk, room)
    if left >= 0.0:
        return Verdict(wanted, Kept.YES, reason, findings)
    return Verdict(wanted, Kept.NO, reason, findings, _needed_for(limit, stated, failure))


def _needed_for(limit: Limit, stated: Series, failure: float) -> str:
    with suppress(Incompatible, InvalidInput, NotImplied, TooCostly, Unreachable):
        found = recommend(limit, type(stated.one), failure=failure, **_options(stated))
        return _needed(found, stated, Kept.NO)
    return ""
