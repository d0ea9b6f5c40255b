"""Profiles with a formula for epsilon: one limit for all, a cap on the posterior, a limit on its rise, cap or ratio."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from whit.errors import require
from whit.numerics import ULP, add_down, open_probability, probability
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

_CAP = "Use a posterior such as 0.25."
_CHANGE = "Use the largest rise that is acceptable, such as 0.1."
_SMALL_PRIORS = "Use the posterior up to which small priors may grow, such as 0.25; 0 leaves the relative risk alone."


class Falling(RiskProfile):
    """A profile whose limit never rises with a belief: on a box it is least where both are largest."""

    def _lower_bound(self, p_low: Array, p_high: Array, q_low: Array, q_high: Array) -> Array:
        return self._limit(p_high, q_high)


@dataclass(frozen=True)
class Flat(Falling):
    """One limit on the relative risk, within a domain."""

    relative: float
    speaks_about: Domain = field(default_factory=Domain)

    def __post_init__(self) -> None:
        object.__setattr__(self, "relative", relative_limit("relative", self.relative))

    @property
    def domain(self) -> Domain:
        """The box."""
        return self.speaks_about

    def to_dict(self) -> dict[str, Any]:
        """The names and values that state it in options and files."""
        return {"relative": self.relative, **self.speaks_about.to_dict()}

    def _limit(self, p: Array, q: Array) -> Array:
        return np.full(np.shape(p), self.relative)

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


@dataclass(frozen=True)
class AbsoluteCap(Falling):
    """The posterior is at most a number, for adversaries whose prior is below it."""

    absolute: float
    speaks_about: Domain

    def __post_init__(self) -> None:
        object.__setattr__(self, "absolute", open_probability("absolute", self.absolute, _CAP))
        p, q = self.speaks_about.inclusion[1], self.speaks_about.value[1]
        place = f"a cap of {self.absolute:g} at inclusion {p:g} and value {q:g}, where the prior is {p * q:g}"
        require(
            Fraction(p) * Fraction(q) < Fraction(self.absolute),
            name="absolute",
            rule="must be above every prior that the profile speaks about",
            value=place,
            way_out="Raise the cap, lower the largest inclusion or value, or allow a relative risk as well.",
        )

    @property
    def domain(self) -> Domain:
        """The adversaries who are to stay below the cap."""
        return self.speaks_about

    def to_dict(self) -> dict[str, Any]:
        """The names and values that state it in options and files."""
        return {"absolute": self.absolute, **self.speaks_about.to_dict()}

    def _limit(self, p: Array, q: Array) -> Array:
        return quotient_down(self.absolute, prior_up(p, q))

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


@dataclass(frozen=True)
class Difference(Falling):
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

    def to_dict(self) -> dict[str, Any]:
        """The names and values that state it in options and files."""
        return {"difference": self.change}

    def _limit(self, p: Array, q: Array) -> Array:
        return np.maximum(add_down(1.0, quotient_down(self.change, prior_up(p, q))), 1.0)

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


@dataclass(frozen=True)
class Capped(Falling):
    """The larger of absolute/(pq) and relative; inclusion or value may be fixed."""

    relative: float
    absolute: float
    inclusion: float | None = None
    value: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "relative", relative_limit("relative", self.relative))
        object.__setattr__(self, "absolute", probability("absolute", self.absolute, _SMALL_PRIORS))
        rule = "must be below 1, since a posterior of 1 is certainty"
        require(self.absolute < 1.0, name="absolute", rule=rule, value=self.absolute, way_out=_SMALL_PRIORS)
        Domain(fixed("inclusion", self.inclusion), fixed("value", self.value))

    @property
    def domain(self) -> Domain:
        """All adversaries, or those with the belief that is fixed."""
        return Domain(fixed("inclusion", self.inclusion), fixed("value", self.value))

    def to_dict(self) -> dict[str, Any]:
        """The names and values that state it in options and files."""
        known = {"inclusion": self.inclusion, "value": self.value}
        fixed_at = {name: belief for name, belief in known.items() if belief is not None}
        return {"relative": self.relative, "absolute": self.absolute, **fixed_at}

    def _limit(self, p: Array, q: Array) -> Array:
        return np.maximum(quotient_down(self.absolute, prior_up(p, q)), self.relative)

    def closed_form(self) -> ClosedForm:
        """Where the cap and the ratio meet, or at the largest belief: the epsilon of the cap falls, then it turns."""
        found = [(self._epsilon(p, q), p, q) for p, q in self._candidates()]
        epsilon, p, q = min(found, key=lambda each: each[0])
        return ClosedForm(epsilon, (float(p), float(q)), self._theorem)

    def notices(self) -> tuple[str, ...]:
        """Where the limit is void, or hardly leaves room."""
        return (*void(self.relative, self.domain), *tight(self.closed_form()))

    def _candidates(self) -> list[tuple[Fraction, Fraction]]:
        """The adversaries; one of them decides."""
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
