"""A limit on posterior minus prior."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from whit.errors import require
from whit.numerics import ULP, add_down, probability
from whit.policy.profiles.profile import (
    Array,
    ClosedForm,
    Domain,
    RiskProfile,
    epsilon_at,
    prior_up,
    quotient_down,
    tight,
)

_CHANGE = "Use the largest rise that is acceptable, such as 0.1."


@dataclass(frozen=True)
class Difference(RiskProfile):
    """Posterior minus prior is at most a number, for every adversary: a relative risk of 1 + change/(pq)."""

    change: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "change", probability("the difference", self.change, _CHANGE))
        rule = "must be below 1, since no posterior exceeds its prior by more"
        require(self.change < 1.0, name="the difference", rule=rule, value=self.change, way_out=_CHANGE)

    @property
    def domain(self) -> Domain:
        """Every adversary."""
        return Domain()

    def _limit(self, p: Array, q: Array) -> Array:
        return np.maximum(add_down(1.0, quotient_down(self.change, prior_up(p, q))), 1.0)

    def _lower_bound(self, p_low: Array, p_high: Array, q_low: Array, q_high: Array) -> Array:
        return self._limit(p_high, q_high)

    def closed_form(self) -> ClosedForm:
        """An adversary decides who knows that the person is in the data and believes the value with (1 - change)/2."""
        change = Fraction(self.change)
        q = (1 - change) / 2
        return ClosedForm(epsilon_at(1 + change / q, Fraction(1), q), (1.0, float(q)), "profile-difference")

    def notices(self) -> tuple[str, ...]:
        """Where the difference is void, or hardly leaves room."""
        end = 1.0 - self.change
        said = f"Where the prior is {end:.3g} or more, a difference of {self.change:.3g} allows certainty."
        return (said, *tight(self.closed_form())) if end < 1.0 - ULP else tight(self.closed_form())


def difference(change: float) -> Difference:
    """Posterior minus prior is at most this much for every adversary (KR24, equation 28).

    >>> round(difference(0.2).closed_form().epsilon, 6)
    0.405465
    """
    return Difference(change)
