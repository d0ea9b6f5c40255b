"""Many concerns at once: the rho of each, as one table of exact sums."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from whit.errors import require
from whit.plans.affected import cells_of
from whit.plans.concern import About, Concern, Place, Settled
from whit.plans.exact import nearest_up
from whit.plans.exposure import RHO
from whit.plans.law import by_variance, cell_rho
from whit.plans.plan import Plan
from whit.theory import Basis, Direction, Finding, Tree


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
    rho of the queries that the concern is exposed to is at most 1.38 (the largest of 8 values)
    """
    require(len(concerns) > 0, name="concerns", rule="must be at least one", value=concerns, way_out="Name one.")
    values = np.array([nearest_up(total) for total in exact_rhos(plan, concerns)])
    named: list[Tree] = [str(each) for each in concerns]
    inputs: dict[str, Tree] = {"plan": plan.name, "concerns": named, "linked": plan.linked.name}
    keys = ("concern-to-queries", "noise-of-a-share", "zcdp-composition")
    other = () if all(by_variance(kind.law) for kind in plan.table.kinds) else ("pure-to-zcdp",)
    return Finding(RHO, values, Direction.AT_MOST, inputs, Basis.of(*keys, *other))


def _cells(plan: Plan, concerns: Sequence[Concern]) -> NDArray[np.object_]:
    """How many cells of a query of each kind may differ, for each concern: whole numbers of any size."""
    changes = [concern.change(plan) for concern in concerns]
    rows = [[cells_of(plan, kind, change)[0] for kind in plan.table.kinds] for change in changes]
    return np.array(rows, dtype=object)
