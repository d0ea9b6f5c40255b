"""What to look at first: one plan beside another, one concern beside another, and the queries that cost one most."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from whit.display import Row, Several, steps
from whit.errors import require, require_kind
from whit.numerics import nearest_up
from whit.plans.amounts import cell_rho, rho_theorems
from whit.plans.concern import About, Concern, Place, Settled
from whit.plans.exposure import RHO, RHO_KEYS, Affected, Exposure, cells_of, expose
from whit.plans.noise import Exposed
from whit.plans.plan import Plan
from whit.plans.shown import comparison_cells, comparison_rows, cost_cells, cost_rows, rows_html
from whit.theory import Basis, Direction, Finding, Quantity, Tree, Unit

SHARE = Quantity("share of rho that bears on the concern", Unit.PROBABILITY)

Question = Callable[[Exposed], Finding]
"""Anything that can be asked of a mechanism, such as its power at a level."""


@dataclass(frozen=True)
class Comparison:
    """Two plans as somebody with one concern meets them."""

    concern: Concern
    first: Exposure
    second: Exposure

    @property
    def rhos(self) -> tuple[Finding, Finding]:
        """The rho of each."""
        return self.first.rho, self.second.rho

    def to_rows(self) -> list[Row]:
        """One row: the rho of each plan."""
        return comparison_rows(self)

    def cells(self) -> dict[str, str]:
        """One row of texts: the concern, and its rho in each plan."""
        return comparison_cells(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return rows_html(self.cells())

    def ask(self, question: Question) -> tuple[Finding, Finding]:
        """Put one question to both plans."""
        return question(self.first.release), question(self.second.release)


def compare(first: Plan, second: Plan, concerns: Sequence[Concern]) -> Several[Comparison]:
    """Both plans, concern by concern.

    >>> from whit.plans import census_2020, scaled
    >>> from whit.semantics import testing
    >>> census = census_2020.plan()
    >>> [both] = compare(census, scaled(census, 2), [census_2020.SCENARIOS["A"]])
    >>> for power in both.ask(lambda release: testing.power(release, 0.05)):
    ...     print(power)
    power of the best test is 12.1 % (rounded up)
    power of the best test is 7.95 % (rounded up)
    """
    asked = steps(concerns, "concern", len(concerns))
    return Several(Comparison(each, expose(first, each), expose(second, each)) for each in asked)


def all_pairs(plan: Plan, place: Place | None = None) -> tuple[About, ...]:
    """A concern for every two attributes of the plan, at a place that is no secret unless another one is given."""
    where = Settled() if place is None else place
    return tuple(About(pair, where) for pair in combinations(plan.attributes, 2))


def exact_rhos(plan: Plan, concerns: Sequence[Concern]) -> tuple[Fraction, ...]:
    """The sum of the rhos for each concern, without rounding."""
    weights = [
        count * cell_rho(kind.law, plan.spread(kind), kind.cells.change) if plan.share(kind) > 0 else Fraction(0)
        for kind, count in zip(plan.table.kinds, plan.table.counts, strict=True)
    ]
    whole = math.lcm(*(weight.denominator for weight in weights))
    numerators = np.array([int(weight * whole) for weight in weights], dtype=object)
    totals = _cells(plan, concerns) @ numerators
    return tuple(Fraction(int(total), whole) for total in totals)


def rhos(plan: Plan, concerns: Sequence[Concern]) -> Finding:
    """The sum of the rhos for each of many concerns; the sums are exact, and rounded up at the end.

    >>> from whit.plans import census_2020
    >>> print(rhos(census_2020.plan(), list(census_2020.SCENARIOS.values())))
    rho of the queries that bear on the concern is at most 1.38 (the largest of 8 values)
    """
    require(len(concerns) > 0, name="concerns", rule="must be at least one", value=concerns, way_out="Name one.")
    values = np.array([nearest_up(total) for total in exact_rhos(plan, concerns)])
    named: list[Tree] = [str(each) for each in concerns]
    inputs: dict[str, Tree] = {"plan": plan.name, "concerns": named, "linked": plan.linked.name}
    other = rho_theorems(kind.law for kind in plan.table.kinds)
    return Finding(RHO, values, Direction.AT_MOST, inputs, Basis.of(*RHO_KEYS, *other))


def _cells(plan: Plan, concerns: Sequence[Concern]) -> NDArray[np.object_]:
    """How many cells of a query of each kind may differ, for each concern: whole numbers of any size."""
    changes = [concern.change(plan) for concern in concerns]
    rows = [[cells_of(plan, kind, change)[0] for kind in plan.table.kinds] for change in changes]
    return np.array(rows, dtype=object)


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

    def to_rows(self) -> list[Row]:
        """One row: the queries, their rho, their share, and what is left without them."""
        return cost_rows(self)

    def cells(self) -> dict[str, str]:
        """The same as one row of texts."""
        return cost_cells(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return rows_html(self.cells())

    def __str__(self) -> str:
        return f"{self.queries.names} at {self.queries.kind.level}: {self.share}"


def costs(exposure: Exposure) -> Several[Cost]:
    """What each kind of query costs a concern, the most costly first.

    >>> from whit.plans import census_2020, expose
    >>> print(costs(expose(census_2020.plan(), census_2020.SCENARIOS["C"]))[0])
    HHGQ x VOTINGAGE x HISPANIC x CENRACE at Custom Block Group:
    share of rho that bears on the concern is at most 24.4 %
    """
    require_kind(Exposure, exposure, name="exposure", way_out="Pass what expose(plan, concern) found.")
    total = exposure.exact_rho
    ordered = sorted(exposure.affected, key=lambda each: -each.rho)
    return Several(_cost(exposure, each, total) for each in ordered)


def _cost(exposure: Exposure, queries: Affected, total: Fraction) -> Cost:
    inputs = {**exposure.inputs, "names": queries.names, "level": queries.kind.level}
    basis = Basis.of(*exposure.rho.basis.theorems)

    def at_most(quantity: Quantity, value: Fraction) -> Finding:
        return Finding(quantity, nearest_up(value), Direction.AT_MOST, inputs, basis)

    rho = queries.rho
    whole = Finding(SHARE, 1.0, Direction.EXACTLY, inputs, basis)
    share = whole if rho == total else at_most(SHARE, rho / total)
    return Cost(queries, at_most(RHO, rho), share, at_most(RHO, total - rho))
