"""A cap on the posterior or a limit on the relative risk, whichever allows more: small priors may grow more."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from whit.errors import require
from whit.numerics import probability
from whit.policy.profiles.profile import (
    Array,
    ClosedForm,
    Domain,
    RiskProfile,
    epsilon_at,
    fixed,
    prior_up,
    quotient_down,
    relative_limit,
    tight,
    void,
)

_CAP = "Use the posterior up to which small priors may grow, such as 0.25; 0 leaves the relative risk alone."


@dataclass(frozen=True)
class Capped(RiskProfile):
    """The larger of absolute/(pq) and relative; inclusion or value may be fixed."""

    relative: float
    absolute: float
    inclusion: float | None = None
    value: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "relative", relative_limit("relative", self.relative))
        object.__setattr__(self, "absolute", probability("absolute", self.absolute, _CAP))
        rule = "must be below 1, since a posterior of 1 is certainty"
        require(self.absolute < 1.0, name="absolute", rule=rule, value=self.absolute, way_out=_CAP)
        Domain(fixed("inclusion", self.inclusion), fixed("value", self.value))

    @property
    def domain(self) -> Domain:
        """All adversaries, or those with the belief that is fixed."""
        return Domain(fixed("inclusion", self.inclusion), fixed("value", self.value))

    def _limit(self, p: Array, q: Array) -> Array:
        return np.maximum(quotient_down(self.absolute, prior_up(p, q)), self.relative)

    def _lower_bound(self, p_low: Array, p_high: Array, q_low: Array, q_high: Array) -> Array:
        return self._limit(p_high, q_high)

    def closed_form(self) -> ClosedForm:
        """Where the cap and the ratio meet, or at the largest belief: the epsilon of the cap falls, then it turns."""
        found = [(self._epsilon(p, q), p, q) for p, q in self._candidates()]
        epsilon, p, q = min(found, key=lambda each: each[0])
        return ClosedForm(epsilon, (float(p), float(q)), self._theorem)

    def notices(self) -> tuple[str, ...]:
        """Where the limit is void, or hardly leaves room."""
        return (*void(self.relative, self.domain), *tight(self.closed_form()))

    def _candidates(self) -> list[tuple[Fraction, Fraction]]:
        """The adversaries of whom one decides."""
        meet, one = Fraction(self.absolute) / Fraction(self.relative), Fraction(1)
        if self.inclusion is not None and self.value is not None:
            return [(Fraction(self.inclusion), Fraction(self.value))]
        if self.inclusion is not None:
            p = Fraction(self.inclusion)
            return [(p, min(one, meet / p))]
        if self.value is not None:
            q = Fraction(self.value)
            return [(one, q), (min(one, meet / q), q)]
        return [(one, meet)]

    def _epsilon(self, p: Fraction, q: Fraction) -> float:
        """The largest epsilon at an adversary, without rounding the limit; a prior of 0 is where the cap is 0."""
        relative, prior = Fraction(self.relative), p * q
        limit = max(Fraction(self.absolute) / prior, relative) if prior > 0 else relative
        return epsilon_at(limit, p, q)

    @property
    def _theorem(self) -> str:
        if self.inclusion is not None:
            return "profile-value-free" if self.value is None else "disclosure-largest-epsilon"
        return "profile-both-free" if self.value is None else "profile-inclusion-free"


def capped(*, relative: float, absolute: float, inclusion: float | None = None, value: float | None = None) -> Capped:
    """The posterior is at most `absolute`, or the relative risk at most `relative` (KR24, equations 15, 16 and 33).

    Args:
        relative: the largest relative risk, for larger priors.
        absolute: the posterior up to which smaller priors may grow whatever their ratio.
        inclusion: speak only about adversaries with this probability that the person is in the data.
        value: speak only about adversaries with this probability of the sensitive value.

    >>> round(capped(relative=3.0, absolute=0.25, value=1.0).closed_form().epsilon, 6)
    1.299283
    """
    return Capped(relative, absolute, inclusion, value)
