"""One plan beside another, concern by concern."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from whit.errors import require
from whit.plans.amounts import by_variance, cell_rho
from whit.plans.concern import About, Concern, Place, Settled
from whit.plans.exact import nearest_up
from whit.plans.exposed import Exposed
from whit.plans.exposure import RHO, Exposure, cells_of, expose
from whit.plans.plan import Plan
from whit.theory import Basis, Direction, Finding, Tree

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

    def asked(self, question: Question) -> tuple[Finding, Finding]:
        """Put one question to both plans."""
        return question(self.first.release), question(self.second.release)


def compare(first: Plan, second: Plan, concerns: Sequence[Concern]) -> tuple[Comparison, ...]:
    """Both plans, concern by concern.

    >>> from whit.plans import census_2020, scaled
    >>> from whit.semantics import testing
    >>> census = census_2020.plan()
    >>> [both] = compare(census, scaled(census, 2), [census_2020.SCENARIOS["A"]])
    >>> for power in both.asked(lambda release: testing.power(release, 0.05)):
    ...     print(power)
    power of the best test is 12.1 % (rounded up)
    power of the best test is 7.95 % (rounded up)
    """
    return tuple(Comparison(each, expose(first, each), expose(second, each)) for each in concerns)


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
