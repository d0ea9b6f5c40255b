"""What is accepted, in the words of options; and the sentence that says what to use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from whit.curves import Promise, promise_name
from whit.policy.limit import written
from whit.policy.profiles import RiskProfile

if TYPE_CHECKING:
    from whit.policy.recommendation import Recommendation


def stated(requirement: Any) -> str:
    """What states something acceptable, as an option has it.

    >>> from whit.policy import limits
    >>> stated(limits.power(0.1, level=0.05))
    'power=0.1, level=0.05'
    """
    if isinstance(requirement, Promise):
        return promise_name(requirement)
    tree = requirement.to_dict()
    if isinstance(requirement, RiskProfile) and "table" in tree:
        tree["table"] = f"{len(tree['table'])} points"
    known = ", ".join(f"{name}={written(value)}" for name, value in tree.items())
    return known or type(requirement).__name__


def requirements(one_or_more: object) -> tuple[Any, ...]:
    """What is accepted, one by one."""
    return one_or_more if isinstance(one_or_more, tuple) else (one_or_more,)


def met(several: Sequence[Any]) -> str:
    """All that is met, each with what it is."""
    return " and ".join(f"{_kind(each)} {stated(each)}" for each in several)


def opening(found: Recommendation, written_as: str, what: str) -> str:
    """The answer in one sentence: the parameter, in how many releases, and what they meet with it.

    Args:
        found: the recommendation.
        written_as: the parameter as it is to be used, rounded to the safe side.
        what: what they meet.
    """
    if found.unlimited:
        return f"Any {found.family.parameter} meets {what}."
    several = found.family.releases > 1
    spent = " together with what is spent," if found.spent else ""
    each = f" in each of {found.family.releases:,} releases" if several else ""
    who = f"{spent} {'they' if several else 'the release'} then {'meet' if several else 'meets'}"
    exception = found.parameter.basis.exception
    return f"Use {found.family.parameter} {written_as}{each}:{who} {what}{f', {exception}' if exception else ''}."


def _kind(requirement: Any) -> str:
    if isinstance(requirement, Promise):
        return "the total"
    return "the profile" if isinstance(requirement, RiskProfile) else "the limit"
