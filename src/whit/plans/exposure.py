"""What a plan promises to somebody with a concern: the queries, and the guarantee that they leave together."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from whit.errors import NotImplied
from whit.guarantees import PureDP, ZeroConcentratedDP
from whit.mechanisms import DiscreteGaussian, Gaussian, Mechanism
from whit.numerics import ULP
from whit.plans.affected import Affected, every_query
from whit.plans.concern import Concern
from whit.plans.exact import nearest_up
from whit.plans.exposed import Exposed
from whit.plans.lattice import can_be_listed
from whit.plans.law import by_variance, cell_noise
from whit.plans.plan import Plan, Unprotected
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding, Quantity, Tree, Unit

RHO = Quantity("rho of the queries that the concern is exposed to", Unit.NUMBER)

_RHO_KEYS = ("concern-to-queries", "noise-of-a-share", "zcdp-composition")


@dataclass(frozen=True)
class Exposure:
    """A plan as somebody with a concern meets it.

    Put any question to `release`, which is exact, or to `zcdp`, which is what rho alone proves; `continuous` is what
    it would be with Gaussian noise of the same variance, and `pure` the epsilon of Laplace and geometric noise.

    Attributes:
        plan: the plan.
        concern: what is to be kept.
        queries: all queries of the plan, kind by kind, touched or not, and why.
    """

    plan: Plan
    concern: Concern
    queries: tuple[Affected, ...]

    @property
    def neighbours(self) -> Neighbours:
        """The relation between the datasets that the concern compares."""
        return self.concern.change(self.plan).neighbours

    @property
    def affected(self) -> tuple[Affected, ...]:
        """The queries that the concern is exposed to."""
        return tuple(each for each in self.queries if each.touched)

    @property
    def untouched(self) -> tuple[Affected, ...]:
        """The queries that tell nothing about the concern."""
        return tuple(each for each in self.queries if not each.touched)

    @property
    def number(self) -> int:
        """How many queries the concern is exposed to."""
        return sum(each.times for each in self.affected)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why, for each kind that the concern is exposed to: a sentence."""
        return tuple(each.reason for each in self.affected)

    @property
    def unprotected(self) -> tuple[Unprotected, ...]:
        """What is published without noise: the guarantee compares datasets that agree on it."""
        return self.plan.unprotected

    @property
    def reading(self) -> str:
        """How linked units were read: a sentence."""
        return self.plan.linked.value

    @cached_property
    def exact_rho(self) -> Fraction:
        """The sum of the rhos without rounding."""
        return sum((each.rho for each in self.affected), Fraction(0))

    @property
    def rho(self) -> Finding:
        """The sum of the rhos; exact for Gaussian noise, an upper bound if there is other noise."""
        if all(by_variance(each.kind.law) for each in self.affected):
            nearest = float(self.exact_rho)
            basis = Basis(theorems=_RHO_KEYS, slack=0.0 if Fraction(nearest) == self.exact_rho else ULP)
            return Finding(RHO, nearest, Direction.EXACTLY, self.inputs, basis)
        basis = Basis.of(*_RHO_KEYS, "pure-to-zcdp")
        return Finding(RHO, nearest_up(self.exact_rho), Direction.AT_MOST, self.inputs, basis)

    @property
    def zcdp(self) -> ZeroConcentratedDP:
        """What the sum of the rhos promises, whatever the noise."""
        return ZeroConcentratedDP(nearest_up(self.exact_rho), neighbours=self.neighbours)

    @property
    def pure(self) -> PureDP:
        """The sum of the epsilons of Laplace and geometric noise; refused if there is Gaussian noise."""
        if any(by_variance(each.kind.law) for each in self.affected):
            way_out = "Ask for zcdp or release, or for epsilon at a delta."
            raise NotImplied("an epsilon that always holds", "does not follow from Gaussian noise", self.plan, way_out)
        each_cell = (each.times * each.cells * each.kind.cells.change / each.spread for each in self.affected)
        return PureDP(nearest_up(sum(each_cell, Fraction(0))), neighbours=self.neighbours)

    @cached_property
    def release(self) -> Exposed:
        """The noise of every cell that may differ, composed exactly."""
        return self.composed()

    def composed(self, *, relative_width: float = 1e-6) -> Exposed:
        """The composed release, to another width of the bracket."""
        return self._of_laws(relative_width, continuous=False)

    @cached_property
    def continuous(self) -> Exposed:
        """What it would be if discrete Gaussian noise were Gaussian of the same variance. An idea, not a bound."""
        return self._of_laws(1e-6, continuous=True)

    def _of_laws(self, relative_width: float, *, continuous: bool) -> Exposed:
        cells: Counter[Mechanism] = Counter()
        for each in self.affected:
            law = Gaussian if continuous and each.kind.law is DiscreteGaussian else each.kind.law
            cells[cell_noise(law, each.spread, each.kind.cells.change)] += each.times * each.cells
        said = ", as if continuous" if continuous else ""
        title = f"{self.plan.name}, {self.concern}, Linked.{self.plan.linked.name}{said}"
        groups = () if continuous else self._groups
        return Exposed(tuple(cells.items()), title, self.neighbours, relative_width, groups)

    @property
    def _groups(self) -> tuple[tuple[Fraction, int], ...]:
        """The variances, if all cells have discrete Gaussian noise and change by 1, and their losses few sums."""
        groups: Counter[Fraction] = Counter()
        for each in self.affected:
            if each.kind.law is not DiscreteGaussian or each.kind.cells.change != 1:
                return ()
            groups[each.spread] += each.times * each.cells
        return tuple(groups.items()) if groups.total() > 1 and can_be_listed(groups) else ()

    @property
    def inputs(self) -> dict[str, Tree]:
        """What a finding about the exposure echoes."""
        return {
            "plan": self.plan.name,
            "unit": self.plan.unit.name,
            "concern": str(self.concern),
            "linked": self.plan.linked.name,
            "queries": self.number,
        }


def expose(plan: Plan, concern: Concern) -> Exposure:
    """The plan as somebody with this concern meets it.

    >>> from whit.plans import census_2020
    >>> print(expose(census_2020.plan(), census_2020.SCENARIOS["A"]).release.power(0.05))
    power of the best test is 12.1 % (rounded up)
    """
    return Exposure(plan, concern, every_query(plan, concern))
