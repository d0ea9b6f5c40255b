"""Which query costs a concern most, and what would be left without it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from whit.plans.exact import nearest_up
from whit.plans.exposure import RHO, Affected, Exposure
from whit.theory import Basis, Direction, Finding, Quantity, Unit

SHARE = Quantity("share of the rho that the concern is exposed to", Unit.PROBABILITY)


@dataclass(frozen=True)
class Cost:
    """What queries of one kind cost a concern.

    Attributes:
        queries: the queries, and why they cost anything.
        rho: what they cost.
        share: their share of all that the concern is exposed to.
        without: what the concern would be exposed to if they were left out.
    """

    queries: Affected
    rho: Finding
    share: Finding
    without: Finding

    def __str__(self) -> str:
        return f"{self.queries.names} at {self.queries.kind.level}: {self.share}"


def costs(exposure: Exposure) -> tuple[Cost, ...]:
    """What each kind of query costs a concern, the most costly first.

    >>> from whit.plans import census_2020, expose
    >>> print(costs(expose(census_2020.plan(), census_2020.SCENARIOS["C"]))[0])
    HHGQ x VOTINGAGE x HISPANIC x CENRACE at Custom Block Group:
    share of the rho that the concern is exposed to is at most 24.4 %
    """
    total = exposure.exact_rho
    ordered = sorted(exposure.affected, key=lambda each: -each.rho)
    return tuple(_cost(exposure, each, total) for each in ordered)


def _cost(exposure: Exposure, queries: Affected, total: Fraction) -> Cost:
    inputs = {**exposure.inputs, "names": queries.names, "level": queries.kind.level}
    basis = exposure.rho.basis

    def told(quantity: Quantity, value: Fraction) -> Finding:
        return Finding(quantity, nearest_up(value), Direction.AT_MOST, inputs, Basis.of(*basis.theorems))

    rho = queries.rho
    return Cost(queries, told(RHO, rho), told(SHARE, rho / total), told(RHO, total - rho))
