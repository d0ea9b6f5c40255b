"""Requirements like a given one, stricter and looser, to see what each would cost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from whit.policy import limits, profiles
from whit.policy.recommendation import Requirement

SHARES = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
"""How many times the room above a release that says nothing."""

_NUMBERS: dict[type, tuple[str, str | float, bool]] = {
    limits.PosteriorLimit: ("posterior", "prior", True),
    limits.RatioLimit: ("ratio", 1.0, False),
    limits.DifferenceLimit: ("difference", 0.0, True),
    limits.PowerLimit: ("power", "level", True),
    limits.AdvantageLimit: ("advantage", 0.0, True),
    limits.PredictiveValueLimit: ("predictive_value", "prior", True),
    limits.SuccessLimit: ("success", "baseline", True),
    profiles.Flat: ("relative", 1.0, False),
}
"""The number that is accepted, that of a release that says nothing, and whether it stays below 1."""


def stated_number(requirement: object) -> float | None:
    """The number that a requirement accepts; None where it is not one number.

    >>> stated_number(limits.difference(0.2))
    0.2
    """
    known = _NUMBERS.get(type(requirement))
    return None if known is None else float(getattr(requirement, known[0]))


def around(requirement: Requirement) -> list[Requirement]:
    """The same with less room and with more, from strict to loose; itself alone where it is not one number.

    >>> [each.difference for each in around(limits.difference(0.2))]
    [0.05, 0.1, 0.15, 0.2, 0.3, 0.4]
    """
    accepted = stated_number(requirement)
    if accepted is None:
        return [requirement]
    name, nothing, is_share = _NUMBERS[type(requirement)]
    floor = float(getattr(requirement, nothing)) if isinstance(nothing, str) else nothing
    moved = {share: float(f"{floor + share * (accepted - floor):.12g}") for share in SHARES} | {1.0: accepted}
    known: Any = requirement
    return [replace(known, **{name: number}) for number in moved.values() if number < 1.0 or not is_share]
