"""Several profiles at once, such as one for each group of people or each kind of adversary: the strictest wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import require
from whit.policy.profiles.profile import Array, ClosedForm, Domain, RiskProfile, beliefs

_MEMBERS = 'Pass profiles by name, such as {"patients": constant(2.0), "staff": constant(4.0)}.'


@dataclass(frozen=True)
class Strictest(RiskProfile):
    """Profiles by name; for each adversary the smallest of their limits holds."""

    members: tuple[tuple[str, RiskProfile], ...]

    def __post_init__(self) -> None:
        pairs: object = self.members
        paired = isinstance(pairs, tuple) and all(isinstance(each, tuple) and len(each) == 2 for each in pairs)
        require(paired, name="members", rule="must be profiles by name", value=pairs, way_out=_MEMBERS)
        names: list[object] = [name for name, _ in self.members]
        good = len(names) > 0 and all(isinstance(name, str) and name.strip() for name in names)
        require(good, name="members", rule="must be profiles by name", value=names, way_out=_MEMBERS)
        for name, profile in self.members:
            known = isinstance(profile, RiskProfile)
            require(known, name=f"the profile {name!r}", rule="must be a risk profile", value=profile, way_out=_MEMBERS)

    @property
    def domain(self) -> Domain:
        """The smallest box that holds the domains of all."""
        domains = [profile.domain for _, profile in self.members]
        p, q = ([each.inclusion for each in domains], [each.value for each in domains])
        ranges = [(min(low for low, _ in ends), max(high for _, high in ends)) for ends in (p, q)]
        return Domain(*ranges)

    @property
    def proved(self) -> bool:
        """Whether every member is."""
        return all(profile.proved for _, profile in self.members)

    def _limit(self, p: Array, q: Array) -> Array:
        return np.asarray(np.min([profile.limit(p, q) for _, profile in self.members], axis=0))

    def _lower_bound(self, p_low: Array, p_high: Array, q_low: Array, q_high: Array) -> Array:
        bounds = [profile.lower_bound(p_low, p_high, q_low, q_high) for _, profile in self.members]
        return np.asarray(np.min(bounds, axis=0))

    def which(self, inclusion: ArrayLike, value: ArrayLike) -> NDArray[Any]:
        """The name of the profile that is strictest for each adversary, the first of equals; empty where none speaks.

        >>> from whit.policy.profiles import box, constant
        >>> both = strictest({"everybody": constant(3.0), "certain": box(2.0, inclusion=(1.0, 1.0))})
        >>> print(both.which([0.5, 1.0], 0.1))
        ['everybody' 'certain']
        """
        p, q = beliefs(inclusion, value)
        limits = np.stack([profile.limit(p, q) for _, profile in self.members])
        names = np.array([name for name, _ in self.members])[np.argmin(limits, axis=0)]
        return np.where(np.isfinite(limits.min(axis=0)), names, "")

    def binding_member(self) -> str | None:
        """The name of the profile that decides the largest epsilon, if all have a closed form."""
        found = self._closed_forms()
        return min(found, key=lambda each: each[1].epsilon)[0] if len(found) == len(self.members) else None

    def closed_form(self) -> ClosedForm | None:
        """The smallest of the members' epsilons, if all have a closed form."""
        found = self._closed_forms()
        return (
            min((each for _, each in found), key=lambda each: each.epsilon) if len(found) == len(self.members) else None
        )

    def notices(self) -> tuple[str, ...]:
        """Those of the members, each with its name."""
        return tuple(f"{name}: {said}" for name, profile in self.members for said in profile.notices())

    def _closed_forms(self) -> list[tuple[str, ClosedForm]]:
        forms = [(name, profile.closed_form()) for name, profile in self.members]
        return [(name, form) for name, form in forms if form is not None]


def strictest(members: Mapping[str, RiskProfile]) -> Strictest:
    """All these profiles at once: the smallest limit holds, and the result can say whose it is.

    >>> from whit.policy.profiles import constant, difference
    >>> both = strictest({"ratio": constant(2.0), "difference": difference(0.2)})
    >>> both.binding_member()
    'ratio'
    """
    require(
        isinstance(members, Mapping), name="members", rule="must be profiles by name", value=members, way_out=_MEMBERS
    )
    return Strictest(tuple(members.items()))
