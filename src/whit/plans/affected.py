"""Which queries a concern is exposed to, and why: how many cells of each may differ between the two datasets."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from whit.plans.concern import Change, Concern
from whit.plans.law import cell_rho
from whit.plans.linked import Linked
from whit.plans.plan import Plan
from whit.plans.query import Kind
from whit.setting import Neighbours


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


Cells = tuple[int, str]


def cells_of(plan: Plan, kind: Kind, change: Change) -> Cells:
    """How many cells of a query may differ, and why: half a sentence."""
    if plan.own(kind):
        return _own(kind, change)
    return _linked(plan.linked, kind, change)


def _own(kind: Kind, change: Change) -> Cells:
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


def _linked(reading: Linked, kind: Kind, change: Change) -> Cells:
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
