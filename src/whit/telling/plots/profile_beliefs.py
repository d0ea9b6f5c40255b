"""A risk profile at many beliefs: what it accepts, the epsilon that this allows, and the adversary who decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from whit.errors import InvalidInput
from whit.guarantees import PureDP
from whit.policy import recommend
from whit.policy.profiles import RiskProfile
from whit.semantics import disclosure
from whit.telling.plots.answers import Array, few, mapped, name_of_series
from whit.theory import Direction, Finding, Unit, number_text

_PROFILE = "Use profiles.capped(relative=3.0, absolute=0.25), or a mapping from names to profiles."


@dataclass(frozen=True)
class Decided:
    """The recommended epsilon and the adversary who decides it; a belief next to 0 stands for those towards it."""

    epsilon: Finding
    inclusion: float
    value: float
    limit: float

    def __str__(self) -> str:
        number = number_text(float(self.epsilon), Direction.AT_LEAST, Unit.NUMBER)
        word = "about" if self.epsilon.direction is Direction.ABOUT else "up to"
        who = f"inclusion {_belief(self.inclusion)} and value {_belief(self.value)}"
        return f"an epsilon of {word} {number} keeps to it, decided by an adversary with {who}"


def profiles_by_name(given: RiskProfile | Mapping[str, RiskProfile]) -> dict[str, RiskProfile]:
    """The profiles of a picture by name."""
    if isinstance(given, RiskProfile):
        return {"the profile": given}
    several = mapped(given)
    if not several or not all(isinstance(each, RiskProfile) for each in several.values()):
        raise InvalidInput("profile", "must be a risk profile, or a mapping from names to them", given, _PROFILE)
    return {name_of_series(name): each for name, each in few(several).items()}


def decided(profile: RiskProfile) -> Decided | None:
    """What pure differential privacy may spend under a profile, and who decides it; nothing if there is no limit."""
    found = recommend(profile, PureDP)
    who, limit = found.verdict.adversary, found.verdict.limit
    return None if who is None or limit is None else Decided(found.parameter, who.inclusion, who.value, limit)


def limits_at(profile: RiskProfile, inclusion: Array, value: Array) -> Array:
    """The largest relative risk that is accepted at each pair of beliefs."""
    return profile.limit(inclusion, value)


def epsilons_at(limits: Array, inclusion: Array, value: Array) -> Finding:
    """The largest epsilon that keeps to each limit; infinite where every one does."""
    return disclosure.largest_epsilon(np.asarray(limits), inclusion=inclusion, value=value)


def _belief(probability: float) -> str:
    return f"{probability:.4g}" if probability > 1e-9 else "close to 0"
