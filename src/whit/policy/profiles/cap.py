"""A cap on the posterior, whatever the prior was."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from whit.errors import require
from whit.numerics import open_probability
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

_CAP = "Use a posterior such as 0.25."


@dataclass(frozen=True)
class AbsoluteCap(RiskProfile):
    """The posterior is at most a number, for adversaries whose prior is below it."""

    absolute: float
    speaks_about: Domain

    def __post_init__(self) -> None:
        object.__setattr__(self, "absolute", open_probability("absolute", self.absolute, _CAP))
        p, q = self.speaks_about.inclusion[1], self.speaks_about.value[1]
        place = f"a cap of {self.absolute!r} at inclusion {p!r} and value {q!r}, where the prior is {p * q!r}"
        require(
            Fraction(p) * Fraction(q) < Fraction(self.absolute),
            name="absolute",
            rule="must be above every prior that the profile speaks about",
            value=place,
            way_out="Raise the cap, lower the largest inclusion or value, or use capped(relative=..., absolute=...).",
        )

    @property
    def domain(self) -> Domain:
        """The adversaries who are to stay below the cap."""
        return self.speaks_about

    def _limit(self, p: Array, q: Array) -> Array:
        return quotient_down(self.absolute, prior_up(p, q))

    def _lower_bound(self, p_low: Array, p_high: Array, q_low: Array, q_high: Array) -> Array:
        return self._limit(p_high, q_high)

    def closed_form(self) -> ClosedForm:
        """The largest beliefs decide."""
        p, q = self.domain.inclusion[1], self.domain.value[1]
        limit = Fraction(self.absolute) / (Fraction(p) * Fraction(q))
        return ClosedForm(epsilon_at(limit, Fraction(p), Fraction(q)), (p, q), "profile-absolute")

    def notices(self) -> tuple[str, ...]:
        """Whether the cap is hardly above the largest prior."""
        return tight(self.closed_form())


def absolute_cap(
    absolute: float, *, inclusion: tuple[float, float] = (0.0, 1.0), value: tuple[float, float] = (0.0, 1.0)
) -> AbsoluteCap:
    """The posterior is at most `absolute` for adversaries with beliefs in two ranges, whose priors must be below it.

    >>> round(absolute_cap(0.25, inclusion=(0.0, 0.05)).closed_form().epsilon, 6)
    1.845827
    """
    return AbsoluteCap(absolute, Domain(inclusion, value))
