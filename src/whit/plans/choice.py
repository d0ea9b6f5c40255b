"""The least noise with which a whole plan meets the limit of each concern.

Either all noise grows by one factor, or only that of the queries that a concern is exposed to. The answer is checked
forwards: with the noise that is returned, every limit is seen to be kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from whit.display import steps
from whit.errors import InvalidInput, Unreachable
from whit.guarantees import ZeroConcentratedDP
from whit.numerics import furthest, round_up
from whit.plans.changes import scaled, with_noise_by_kind
from whit.plans.concern import Concern
from whit.plans.exposure import Exposure, expose
from whit.plans.plan import Plan
from whit.policy import check, limits, profiles, recommend
from whit.theory import Answer, Basis, Direction, Finding, Quantity, Unit

NOISE = Quantity("smallest factor on the noise that meets every limit", Unit.NUMBER, certain=True)

MOST = 1e6
"""The largest factor that is looked for, and how many times smaller the smallest is than 1."""

CLOSE = 1e-4
"""How close the answer lies above a factor that is not enough."""

_DIGITS = 9
_HAIR = 1e-9
_REQUIREMENT = "Pass a limit such as limits.difference(0.2), or a profile such as profiles.constant(3.0)."

Requirement = limits.Limit | profiles.RiskProfile
Requirements = Mapping[Concern, Requirement]


@dataclass(frozen=True, repr=False)
class PlanRecommendation(Answer):
    """A plan that meets the limit of every concern.

    Attributes:
        plan: the plan with its new noise.
        factor: the largest factor on the noise of a query.
        factors: the factor that each concern asks for by itself.
        binding: the concern that asks for most.
    """

    plan: Plan
    factor: Finding
    factors: tuple[tuple[Concern, Finding], ...]
    binding: Concern

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The factor that counts first, then that of each concern."""
        return (self.factor, *(factor for _, factor in self.factors))

    def __str__(self) -> str:
        return f"{self.factor}; decided by {self.binding}"


def recommend_scale(plan: Plan, wanted: Requirements, *, failure: float = 0.0, sides: int = 1) -> PlanRecommendation:
    """The plan with its noise multiplied by one factor, the smallest that meets the limit of every concern.

    Args:
        plan: the plan.
        wanted: for each concern a limit on one risk, or a risk profile; a profile is checked by rho alone.
        failure: the probability over the noise that the requirement is not met; 0 if it must always be met.
        sides: for limits: 1 to bound rises of the belief, 2 to bound drops as well.

    >>> from whit.plans import census_2020
    >>> from whit.policy import limits
    >>> wanted = {census_2020.SCENARIOS["A"]: limits.power(0.1, level=0.05)}
    >>> print(recommend_scale(census_2020.plan(), wanted).factor)
    smallest factor on the noise that meets every limit is at most 1.3
    """
    factors = _factors(plan, wanted, failure, sides)
    return _recommendation(scaled(plan, max(map(_fraction, factors.values()))), factors)


def recommend_shares(plan: Plan, wanted: Requirements, *, failure: float = 0.0, sides: int = 1) -> PlanRecommendation:
    """The plan with more noise in those queries only to which a concern is exposed that is not yet kept.

    Each query gets the largest factor that a concern exposed to it asks for, and no less noise than it had. What is
    saved is left in the budgets; the arguments are those of recommend_scale.
    """
    factors = _factors(plan, wanted, failure, sides)
    by_kind = [Fraction(1)] * len(plan.table.kinds)
    for concern, factor in factors.items():
        for queries in expose(plan, concern).affected:
            by_kind[queries.place] = max(by_kind[queries.place], _fraction(factor))
    changed = with_noise_by_kind(plan, by_kind)
    for concern, limit in wanted.items():
        if not _keeps(expose(changed, concern), limit, failure, sides):
            raise _unreachable(concern)
    return _recommendation(changed, factors)


def _recommendation(plan: Plan, factors: Mapping[Concern, Finding]) -> PlanRecommendation:
    binding = max(factors, key=lambda each: float(factors[each]))
    return PlanRecommendation(plan, factors[binding], tuple(factors.items()), binding)


def _factors(plan: Plan, wanted: Requirements, failure: float, sides: int) -> dict[Concern, Finding]:
    """The factor on all noise that each concern asks for by itself."""
    given: object = wanted
    if not isinstance(given, Mapping) or not given:
        raise InvalidInput("the requirement", "must give a limit for each concern", wanted, _REQUIREMENT)
    for limit in wanted.values():
        known: object = limit
        if not isinstance(known, limits.Limit | profiles.RiskProfile):
            raise InvalidInput("the requirement", "must be a limit or a risk profile", limit, _REQUIREMENT)
    asked = steps(wanted.items(), "concern", len(wanted))
    return {concern: _factor(plan, concern, limit, failure, sides) for concern, limit in asked}


def _factor(plan: Plan, concern: Concern, limit: Requirement, failure: float, sides: int) -> Finding:
    """The factor for one concern, on the safe side, seen to be enough."""
    exposure = expose(plan, concern)

    def keeps(factor: float) -> bool:
        return _keeps(_scaled(exposure, factor), limit, failure, sides)

    first = _first(exposure, limit, failure, sides)
    if first is None:
        raise _unreachable(concern)
    found = _checked(first, keeps, concern)
    inputs = {**exposure.inputs, "limit": limit.to_dict(), "failure": failure, "sides": sides}
    basis = Basis.of("parameter-by-inversion", *exposure.release.basis.theorems)
    return Finding(NOISE, found, Direction.AT_MOST, inputs, basis)


def _keeps(exposure: Exposure, limit: Requirement, failure: float, sides: int) -> bool:
    """Whether the concern is proved to meet the requirement; a risk profile is asked about rho alone."""
    if isinstance(limit, profiles.RiskProfile):
        return check(exposure.zcdp, limit, failure=failure).kept
    return check(exposure.release, limit, failure=failure, sides=sides, neighbours=exposure.neighbours).kept


def _first(exposure: Exposure, limit: Requirement, failure: float, sides: int) -> float | None:
    """A factor that is nearly right and soon found: by rho, or with Gaussian noise instead of discrete Gaussian."""
    if isinstance(limit, profiles.RiskProfile):
        allowed = recommend(limit, ZeroConcentratedDP, failure=failure, neighbours=exposure.neighbours).parameter
        return math.sqrt(float(exposure.exact_rho) / float(allowed))

    keeps, relation = limit.keeps, exposure.neighbours

    def nearly(factor: float) -> bool:
        return keeps(_scaled(exposure, factor).continuous, failure=failure, sides=sides, neighbours=relation)

    return furthest(lambda factor: 1.0 if nearly(factor) else -1.0, nearly, rising=False, precision=_HAIR, reach=MOST)


def _scaled(exposure: Exposure, factor: float) -> Exposure:
    return expose(scaled(exposure.plan, Fraction(factor)), exposure.concern)


def _checked(first: float, keeps: Callable[[float], bool], concern: Concern) -> float:
    """The factor to a few digits, rounded up, and raised by a hair and then by more as long as it does not keep."""
    broken, factor, hair = 0.0, _to_digits(max(first, 1 / MOST)), _HAIR
    while not keeps(factor):
        if factor > 2 * MOST:
            raise _unreachable(concern)
        broken, factor, hair = factor, _to_digits(factor * (1 + hair)), min(10 * hair, 1.0)
    return factor if broken == 0.0 else _narrowed(broken, factor, keeps)


def _narrowed(broken: float, kept: float, keeps: Callable[[float], bool]) -> float:
    """A factor that keeps, close above one that does not."""
    while kept - broken > CLOSE * kept:
        middle = _to_digits((broken + kept) / 2)
        broken, kept = (broken, middle) if keeps(middle) else (middle, kept)
    return kept


def _to_digits(factor: float) -> float:
    return float(round_up(factor, _DIGITS))


def _fraction(factor: Finding) -> Fraction:
    return Fraction(float(factor))


def _unreachable(concern: Concern) -> Unreachable:
    rule = "must have a value with which the plan meets the requirement"
    ways = "Allow more, or allow a chance of failure such as failure=0.01."
    return Unreachable("the factor on the noise", rule, f"none for {concern}", ways)
