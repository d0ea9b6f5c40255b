"""The same largest relative risk for everybody, or for everybody in a box of beliefs."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from whit.policy.profiles.profile import Array, ClosedForm, Domain, RiskProfile, epsilon_at, relative_limit, tight, void


@dataclass(frozen=True)
class Flat(RiskProfile):
    """One limit on the relative risk, within a domain."""

    relative: float
    speaks_about: Domain = field(default_factory=Domain)

    def __post_init__(self) -> None:
        object.__setattr__(self, "relative", relative_limit("relative", self.relative))

    @property
    def domain(self) -> Domain:
        """The box."""
        return self.speaks_about

    def _limit(self, p: Array, q: Array) -> Array:
        return np.full(np.shape(p), self.relative)

    def _lower_bound(self, p_low: Array, p_high: Array, q_low: Array, q_high: Array) -> Array:
        return np.full(np.shape(p_low), self.relative)

    def closed_form(self) -> ClosedForm:
        """The smallest value decides, with the smallest or the largest inclusion: epsilon is monotone in both."""
        r, q = Fraction(self.relative), Fraction(self.domain.value[0])
        found = [(epsilon_at(r, Fraction(p), q), p) for p in reversed(self.domain.inclusion)]
        epsilon, p = min(found, key=lambda each: each[0])
        everybody = self.domain == Domain()
        return ClosedForm(epsilon, (p, float(q)), "profile-constant" if everybody else "profile-box")

    def notices(self) -> tuple[str, ...]:
        """Where the limit is void, or hardly leaves room."""
        return (*void(self.relative, self.domain), *tight(self.closed_form()))


def constant(relative: float) -> Flat:
    """The relative risk is at most this much for every adversary (KR24, equation 14).

    >>> round(constant(3.0).closed_form().epsilon, 6)
    0.549306
    """
    return Flat(relative)


def box(
    relative: float, *, inclusion: tuple[float, float] = (0.0, 1.0), value: tuple[float, float] = (0.0, 1.0)
) -> Flat:
    """The relative risk is at most this much for adversaries with beliefs in two ranges (KR24, equation 25).

    >>> round(box(3.0, inclusion=(0.1, 0.6), value=(0.4, 0.7)).closed_form().epsilon, 6)
    1.142138
    """
    return Flat(relative, Domain(inclusion, value))
