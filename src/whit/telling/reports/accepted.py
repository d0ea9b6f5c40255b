"""The tables [profile.*] and [limit.*]: what the publisher accepts, and whether the release keeps to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from whit.errors import InvalidInput
from whit.policy import Outcome, Recommendation, Verdict, check, limits, profiles
from whit.policy.profiles import RiskProfile
from whit.telling.reports.accepted_words import beside, decider, in_words
from whit.telling.reports.entries import Entry
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


def rulings(what: Accepted, stated: Stated, failure: float) -> tuple[Ruling, ...]:
    """Whether the release keeps to each thing that is accepted."""
    wanted: list[tuple[str, RiskProfile | Limit]] = [*what.profiles, *what.limits]
    return tuple(_ruling(each, stated, failure) for _, each in wanted)


def _ruling(wanted: RiskProfile | Limit, stated: Stated, failure: float) -> Ruling:
    relation = stated.options.get("neighbours")
    found = check(stated.one, wanted, releases=stated.releases, failure=failure, neighbours=relation, remedy=True)
    reason = _by_profile(found, stated) if isinstance(wanted, RiskProfile) else beside(found)
    needed = ""
    if found.outcome is Outcome.BROKEN and found.remedy is not None:
        needed = f"it needs {_bound(found.remedy)}{_each(stated)}, and has {_ours(stated)}"
    return Ruling(found, in_words(wanted), reason, needed)


def _by_profile(found: Verdict, stated: Stated) -> str:
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


def _each(stated: Stated) -> str:
    return "" if stated.releases == 1 else f" in each of {stated.releases} releases"


def _ours(stated: Stated) -> str:
    return number_text(stated.parameter, Direction.EXACTLY, Unit.NUMBER, digits=15)
