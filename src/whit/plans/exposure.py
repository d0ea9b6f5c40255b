"""What a plan promises to somebody with a concern: the queries, and the guarantee that they leave together."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from whit.display import Row, Tabular
from whit.errors import InvalidInput, NotImplied, require_kind
from whit.guarantees import PureDP, ZeroConcentratedDP
from whit.mechanisms import DiscreteGaussian, Gaussian, Mechanism
from whit.numerics import ULP, exact_sum, nearest_up
from whit.plans.amounts import LARGEST_RHO, about, by_variance, cell_noise, cell_rho, rho_theorems
from whit.plans.concern import Change, Concern
from whit.plans.noise import Exposed, can_be_listed
from whit.plans.plan import Plan, Unprotected
from whit.plans.query import Kind, Linked
from whit.plans.shown import exposure_html, exposure_rows
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding, Quantity, Tree, Unit


@dataclass(frozen=True)
class Affected:
    """Queries of one kind: how many cells of each may differ, and the sentence that says why, or why none does.

    Attributes:
        place: the place of the kind in the table of the plan.
        names: the names of the queries, the first few of them.
        kind: their kind.
        times: how many there are.
        cells: how many cells of each may differ; 0 if the concern does not touch them.
        spread: the noise of each cell, its variance or its scale; 0 if the query is not asked.
        reason: why.
    """

    place: int
    names: str
    kind: Kind
    times: int
    cells: int
    spread: Fraction
    reason: str

    @property
    def touched(self) -> bool:
        """Whether the queries may differ."""
        return self.cells > 0

    @property
    def rho(self) -> Fraction:
        """The rho of all of them together."""
        return self.times * self.cells * self.rho_of_cell if self.touched else Fraction(0)

    @property
    def rho_of_cell(self) -> Fraction:
        """The rho of one cell that differs."""
        return cell_rho(self.kind.law, self.spread, self.kind.cells.change)


def every_query(plan: Plan, concern: Concern) -> tuple[Affected, ...]:
    """All queries of a plan, kind by kind: touched by the concern or not, and why."""
    change, table = concern.change(plan), plan.table
    found = []
    for place, (kind, times) in enumerate(zip(table.kinds, table.counts, strict=True)):
        names = table.names_of(place)
        spread = plan.spread(kind)
        cells, why = cells_of(plan, kind, change) if spread > 0 else (0, "is not asked.")
        found.append(Affected(place, names, kind, times, cells, spread, f"{names} at {kind.level} {why}"))
    return tuple(found)


def affected(plan: Plan, concern: Concern) -> tuple[Affected, ...]:
    """The queries that a concern is exposed to, kind by kind, with the reason."""
    return tuple(each for each in every_query(plan, concern) if each.touched)


def cells_of(plan: Plan, kind: Kind, change: Change) -> tuple[int, str]:
    """How many cells of a query may differ, and why: half a sentence."""
    return _own(kind, change) if plan.own(kind) else _linked(plan.linked, kind, change)


def _own(kind: Kind, change: Change) -> tuple[int, str]:
    """A query that counts records of the protected unit."""
    cells = kind.cells
    if change.neighbours is Neighbours.ADD_REMOVE:
        return cells.add_remove, f"counts the record or does not: {_so_many(cells.add_remove)} of one place."
    if kind.level in change.moved:
        return cells.moved, f"may count the record in another place: {_so_many(cells.moved)}, half of them in each."
    shared = [name for name in kind.attributes if name in change.attributes]
    if shared and cells.replace:
        return cells.replace, f"depends on {', '.join(shared)}: {_so_many(cells.replace)} of one place."
    if kind.attributes:
        return 0, "depends on no attribute of the concern, and the place is the same at this level."
    return 0, "counts all records, whatever their attributes, and the place is the same at this level."


def _linked(reading: Linked, kind: Kind, change: Change) -> tuple[int, str]:
    """A query that counts records of a unit linked to the protected one, by the reading of the plan."""
    per_record = kind.cells.replace
    shared = [name for name in kind.attributes if name in change.attributes]
    records = _linked_records(reading, kind.level, change, bool(shared))
    unit = f"one {kind.counts}" if records == 1 else f"{records} records of a {kind.counts}"
    if records == 0:
        return 0, f"counts each {kind.counts}, and none changes: {reading.value}"
    if shared and not change.moved:
        return per_record, f"depends on {', '.join(shared)} of a {kind.counts}: {_so_many(per_record)}."
    return records * per_record, f"counts {unit} otherwise, {_so_many(records * per_record)}: {reading.value}"


def _linked_records(reading: Linked, level: str, change: Change, own_attribute: bool) -> int:
    """How many records of a linked unit change."""
    if change.neighbours is Neighbours.ADD_REMOVE:
        return max(reading.records_of_presence, int(own_attribute))
    if level in change.moved:
        return max(reading.records_where_moved, int(own_attribute))
    everywhere = change.everything and reading is Linked.AS_THE_PERSON
    elsewhere = 1 if everywhere else (reading.records_elsewhere if change.moved else 0)
    return max(elsewhere, int(own_attribute))


def _so_many(cells: int) -> str:
    return f"{cells} cell{'s' if cells != 1 else ''}"


RHO = Quantity("rho of the queries that bear on the concern", Unit.NUMBER)

RHO_KEYS = ("concern-to-queries", "noise-of-a-share", "zcdp-composition")


@dataclass(frozen=True)
class Exposure(Tabular):
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

    @property
    def depends_on_reading(self) -> bool:
        """Whether the reading matters: the plan counts linked units, and more than attributes may be another."""
        change = self.concern.change(self.plan)
        attributes_alone = change.neighbours is Neighbours.REPLACE and not change.moved and not change.everything
        return not attributes_alone and any(not self.plan.own(each.kind) for each in self.queries)

    @cached_property
    def exact_rho(self) -> Fraction:
        """The sum of the rhos without rounding; refused if no double holds it."""
        total = exact_sum(each.rho for each in self.affected)
        if total > LARGEST_RHO:
            way_out = "So little noise hides nothing: use more, or a smaller change."
            raise InvalidInput("rho of the queries", "must be at most 1e300", about(total), way_out)
        return total

    @property
    def rho(self) -> Finding:
        """The sum of the rhos; exact for Gaussian noise, an upper bound if there is other noise."""
        nearest, keys = float(self.exact_rho), rho_theorems(each.kind.law for each in self.affected)
        exactly = Fraction(nearest) == self.exact_rho
        # Below the smallest normal double the nearest one may be far off, such as 0.
        if not keys and (exactly or nearest >= sys.float_info.min):
            basis = Basis(theorems=RHO_KEYS, slack=0.0 if exactly else ULP)
            return Finding(RHO, nearest, Direction.EXACTLY, self.inputs, basis)
        basis = Basis.of(*RHO_KEYS, *keys)
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
        return PureDP(nearest_up(exact_sum(each_cell)), neighbours=self.neighbours)

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
        suffix = ", as if continuous" if continuous else ""
        reading = self.plan.linked.name.lower().replace("_", " ")
        title = f"{self.plan.name}, {self.concern}, linked records {reading}{suffix}"
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

    def to_rows(self) -> list[Row]:
        """A row for each kind of query, touched or not: its cells, its rho, its share of all, and why."""
        return exposure_rows(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: the rho, and the queries that the concern is exposed to."""
        return exposure_html(self)

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
    """The queries of the plan whose answers this concern can change, and the guarantee that they leave.

    >>> from whit.plans import census_2020
    >>> print(expose(census_2020.plan(), census_2020.SCENARIOS["A"]).release.power(0.05))
    power of the best test is 12.1 % (rounded up)
    """
    require_kind(Plan, plan, name="plan", way_out="Pass a plan such as census_2020.plan().")
    require_kind(Concern, concern, name="concern", way_out='Pass a concern such as census_2020.SCENARIOS["A"].')
    return Exposure(plan, concern, every_query(plan, concern))
