"""What is allowed, as the largest posterior at each prior."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch

import numpy as np

from whit.errors import Incompatible
from whit.numerics import add_down, down
from whit.policy import limits
from whit.policy.profiles import RiskProfile
from whit.telling.plots.answers import Array, chosen, percent

_SMALLEST = 1e-9
"""The belief that stands for those close to 0, about which a profile says nothing at 0 itself."""


@dataclass(frozen=True, eq=False)
class AllowedCurve:
    """The largest posterior that is allowed, at each prior."""

    posteriors: Array

    def words(self, at: Array) -> str:
        """What is allowed at some of the priors."""
        told = (f"from {percent(float(at[n]))} to {percent(float(self.posteriors[n]))}" for n in chosen(at, (0.1, 0.5)))
        return f"Allowed: {', '.join(told)}."


@dataclass(frozen=True)
class AllowedPoint:
    """The largest posterior that is allowed, at one prior."""

    prior: float
    posterior: float

    def words(self, at: Array) -> str:
        """What is allowed at the prior."""
        return f"Allowed: from {percent(self.prior)} to {percent(self.posterior)}."


@singledispatch
def allowed_posterior(allowed: object, at: Array) -> AllowedCurve | AllowedPoint:  # noqa: ARG001
    """What is allowed at each of the priors, rounded down."""
    rule = "must be a risk profile, or a limit on posterior, ratio or difference"
    way_out = "Use profiles.capped(relative=3.0, absolute=0.25) or limits.difference(0.2)."
    raise Incompatible("what is allowed in this picture", rule, allowed, way_out)


@allowed_posterior.register
def _(allowed: RiskProfile, at: Array) -> AllowedCurve:
    """The limit at the beliefs whose product is the prior: the belief that the profile leaves free, or inclusion."""
    domain, priors = allowed.domain, np.maximum(at, _SMALLEST)
    if domain.inclusion_fixed and not domain.value_fixed:
        inclusion, value = np.full_like(at, domain.inclusion[1]), priors / domain.inclusion[1]
    else:
        inclusion, value = priors / domain.value[1], np.full_like(at, domain.value[1])
    possible = (inclusion <= 1.0) & (value <= 1.0)
    limit = allowed.limit(np.where(possible, inclusion, 1.0), np.where(possible, value, 1.0))
    return AllowedCurve(np.where(possible, np.minimum(down(limit * priors), 1.0), 1.0))


@allowed_posterior.register
def _(allowed: limits.RatioLimit, at: Array) -> AllowedCurve | AllowedPoint:
    if allowed.prior is not None:
        return AllowedPoint(allowed.prior, min(1.0, float(down(allowed.ratio * allowed.prior))))
    return AllowedCurve(np.minimum(down(allowed.ratio * at), 1.0) * (at > 0.0))


@allowed_posterior.register
def _(allowed: limits.DifferenceLimit, at: Array) -> AllowedCurve | AllowedPoint:
    if allowed.prior is not None:
        return AllowedPoint(allowed.prior, min(1.0, float(add_down(allowed.prior, allowed.difference))))
    return AllowedCurve(np.minimum(add_down(at, allowed.difference), 1.0))


@allowed_posterior.register
def _(allowed: limits.PosteriorLimit, at: Array) -> AllowedPoint:  # noqa: ARG001
    return AllowedPoint(allowed.prior, allowed.posterior)
