"""The tables [profile.*] and [limit.*]: what the publisher accepts, and whether the release keeps to it."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, TypeAlias

from whit.errors import Incompatible, InvalidInput, NotImplied, TooCostly, Unreachable
from whit.policy import ProfileBinding, Recommendation, limits, profile_room, profiles, recommend
from whit.policy.profiles import RiskProfile
from whit.telling.reports.accepted_risks import beside, decider, risk_of
from whit.telling.reports.accepted_words import in_words
from whit.telling.reports.entries import Entry
from whit.telling.reports.sentences import capital
from whit.telling.reports.stated import Stated
from whit.theory import Direction, Finding, Unit, number_text

Limit: TypeAlias = limits.Limit

# Makers of profiles and limits by the name of their table, with the keys that they need and those that they take.
_PROFILES: dict[str, tuple[Callable[..., RiskProfile], tuple[str, ...], tuple[str, ...]]] = {
    "constant": (profiles.constant, ("relative",), ()),
    "capped": (profiles.capped, ("relative", "absolute"), ("inclusion", "value")),
    "box": (profiles.box, ("relative",), ("inclusion", "value")),
    "difference": (profiles.difference, ("change",), ()),
    "absolute_cap": (profiles.absolute_cap, ("absolute",), ("inclusion", "value")),
}
_LIMITS: dict[str, tuple[Callable[..., Limit], tuple[str, ...], tuple[str, ...]]] = {
    "posterior": (limits.posterior, ("limit", "prior"), ()),
    "ratio": (limits.ratio, ("limit",), ("prior",)),
    "difference": (limits.difference, ("limit",), ("prior",)),
    "power": (limits.power, ("limit", "level"), ()),
    "advantage": (limits.advantage, ("limit",), ()),
    "predictive_value": (limits.predictive_value, ("limit", "prior", "level"), ()),
}
_FIRST = ("relative", "change", "limit")
_RANGED = ("box", "absolute_cap")


class Kept(Enum):
    """Whether the release keeps to something; the value is the word for it."""

    YES = "keeps to it"
    NO = "may exceed it"
    OPEN = "cannot be shown to keep to it"


@dataclass(frozen=True)
class Accepted:
    """What the publisher accepts: risk profiles and limits by their names; there may be none."""

    profiles: tuple[tuple[str, RiskProfile], ...]
    limits: tuple[tuple[str, Limit], ...]

    @property
    def profile(self) -> RiskProfile | None:
        """All profiles at once; nothing if there is none."""
        if len(self.profiles) < 2:
            return self.profiles[0][1] if self.profiles else None
        return profiles.strictest(dict(self.profiles))


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


def accepted(given_profiles: Entry, given_limits: Entry) -> Accepted:
    """What the two tables state."""
    given_profiles.only(tuple(_PROFILES))
    given_limits.only(tuple(_LIMITS))
    return Accepted(
        tuple((name, _made(given_profiles.table(name), *_PROFILES[name])) for name in given_profiles.values),
        tuple((name, _made(given_limits.table(name), *_LIMITS[name])) for name in given_limits.values),
    )


def _made(entry: Entry, make: Callable[..., Any], needed: tuple[str, ...], optional: tuple[str, ...]) -> Any:
    entry.only((*needed, *optional), needed=needed)
    given = dict(entry.values)
    name = str(entry.path[-1])
    first = [given.pop(key) for key in needed if key in _FIRST and name != "capped"]
    if name == "absolute_cap":
        first = [given.pop("absolute")]
    if name in _RANGED:
        given = {key: _range(entry, key) for key in given}
    with entry.named():
        return make(*first, **given)


def _range(entry: Entry, key: str) -> tuple[Any, Any]:
    ends = entry.values[key]
    if not isinstance(ends, list) or len(ends) != 2:
        raise InvalidInput(entry.place(key), "must be a range", ends, "Write both ends, such as [0.0, 0.5].")
    return ends[0], ends[1]


def verdicts(what: Accepted, stated: Stated, failure: float) -> tuple[Verdict, ...]:
    """Whether the release keeps to each thing that is accepted."""
    by_profile = [_by_profile(profile, stated, failure) for _, profile in what.profiles]
    return (*by_profile, *(_by_limit(limit, stated, failure) for _, limit in what.limits))


def _by_profile(profile: RiskProfile, stated: Stated, failure: float) -> Verdict:
    """A profile speaks about all adversaries: the release keeps to it if its parameter is on the safe side."""
    wanted = in_words(profile)
    try:
        found = recommend(profile, type(stated.one), releases=stated.releases, failure=failure, **_options(stated))
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
    verdict: Verdict, profile: RiskProfile, belief: tuple[float, float], stated: Stated, failure: float
) -> Verdict:
    """The verdict with the adversary who decides it."""
    who, risk = decider(profile, belief, stated, failure)
    return replace(verdict, reason=f"{verdict.reason} {who}", findings=(*verdict.findings, risk))


def _by_losses(profile: RiskProfile, stated: Stated, failure: float) -> Verdict:
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


def _options(stated: Stated) -> dict[str, Any]:
    return {name: value for name, value in stated.options.items() if value is not None}


def _side(found: Recommendation, stated: Stated) -> Kept:
    limit = float(found.parameter)
    safe = stated.parameter <= limit if found.family.rising else stated.parameter >= limit
    if not safe:
        return Kept.NO
    return Kept.YES if found.parameter.direction is not Direction.ABOUT else Kept.OPEN


def _compared(found: Recommendation, stated: Stated) -> str:
    """The parameter that the profile allows, beside the one of the release."""
    limit, each, ours = float(found.parameter), _each(stated), _ours(stated)
    if math.isinf(limit) or limit == 0.0:
        return f"It sets no limit to {found.family.parameter}; the release has {ours}{each}."
    return f"It allows {_bound(found)}{each}; the release has {ours}."


def _needed(found: Recommendation, stated: Stated, kept: Kept) -> str:
    """The parameter with which the release would keep to it, beside its own; nothing where it does already."""
    return "" if kept is not Kept.NO else f"it needs {_bound(found)}{_each(stated)}, and has {_ours(stated)}"


def _bound(found: Recommendation) -> str:
    bound = number_text(float(found.parameter), found.parameter.direction, Unit.NUMBER, digits=4)
    return f"{found.family.parameter} {'up to' if found.family.rising else 'from'} {bound}"


def _each(stated: Stated) -> str:
    return "" if stated.releases == 1 else f" in each of {stated.releases} releases"


def _ours(stated: Stated) -> str:
    return number_text(stated.parameter, Direction.EXACTLY, Unit.NUMBER, digits=15)


def _by_limit(limit: Limit, stated: Stated, failure: float) -> Verdict:
    wanted = in_words(limit)
    relation = stated.options.get("neighbours")
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


def _needed_for(limit: Limit, stated: Stated, failure: float) -> str:
    with suppress(Incompatible, InvalidInput, NotImplied, TooCostly, Unreachable):
        found = recommend(limit, type(stated.one), releases=stated.releases, failure=failure, **_options(stated))
        return _needed(found, stated, Kept.NO)
    return ""
