"""The audit of a publication without noise: every withheld cell, every reader, every limit, each with its proof."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from whit.audit import OUTSIDER, Cell, Certificate, Exact, Interval, Knowledge, Left, Publication, left
from whit.errors import require
from whit.policy.tables.cell_limits import CellLimit, ValuesLeft
from whit.policy.verdict import Outcome, worst_of

OUTSIDER_NAME = "an outsider"
"""The name of the reader who knows nothing but what is published, where a file names nobody."""


@dataclass(frozen=True)
class Reader:
    """Somebody who reads the publication: a name for sentences, and what they know."""

    name: str
    knowledge: Knowledge = OUTSIDER

    def has(self, cell: Cell) -> bool:
        """Whether they know the cell beforehand, as their own: then nothing is disclosed to them."""
        return (cell, Exact) in ((known, type(statement)) for known, statement in self.knowledge.facts)


@dataclass(frozen=True)
class Task:
    """What is to be audited.

    publication   what is published
    readers       who reads it
    limits        what must be left for every cell that is not published exactly
    own           further limits of single cells
    spared        cells that were withheld only to protect others: nothing need be left for them
    truth         the true value of every cell, as a first table that is left; None to have one searched
    """

    publication: Publication
    readers: tuple[Reader, ...] = (Reader(OUTSIDER_NAME),)
    limits: tuple[CellLimit, ...] = (ValuesLeft(2),)
    own: Mapping[Cell, tuple[CellLimit, ...]] = field(default_factory=dict)
    spared: frozenset[Cell] = frozenset()
    truth: Mapping[Cell, int] | None = field(default=None, repr=False)

    @cached_property
    def asked(self) -> tuple[Cell, ...]:
        """The cells that are not published exactly."""
        exact = {cell for cell, statement in self.publication.statements if isinstance(statement, Exact)}
        return tuple(cell for cell in self.publication.cells if cell not in exact)

    def limits_of(self, cell: Cell) -> tuple[CellLimit, ...]:
        """What must be left for a cell."""
        return () if cell in self.spared else (*self.limits, *self.own.get(cell, ()))

    def publishing(self, publication: Publication) -> Task:
        """The same with another publication about the same cells, and no true table."""
        return replace(self, publication=publication, truth=None)


@dataclass(frozen=True)
class CellFound:
    """What one reader concludes about one cell.

    cell       which
    by         who reads
    interval   what is left, proved
    judged     each limit, and whether so much is left
    through    the equations by which the ends are what they are
    why        all of it in one sentence, with the sum that gives the value where there is one
    """

    cell: Cell
    by: str
    interval: Interval
    judged: tuple[tuple[CellLimit, Outcome], ...]
    through: tuple[str, ...]
    why: str

    @property
    def required(self) -> tuple[str, ...]:
        """What must be left, in words."""
        return tuple(limit.required for limit, _ in self.judged)

    @property
    def broken(self) -> tuple[str, ...]:
        """The part of it that is not left."""
        return tuple(limit.required for limit, found in self.judged if found is Outcome.BROKEN)

    @property
    def unshown(self) -> tuple[str, ...]:
        """The part of it that is neither proved nor disproved."""
        return tuple(limit.required for limit, found in self.judged if found is Outcome.OPEN)

    @property
    def outcome(self) -> Outcome:
        """Whether everything is left that must be."""
        return worst_of(found for _, found in self.judged)

    @property
    def is_kept(self) -> bool:
        """Whether everything is proved to be left that must be."""
        return self.outcome is Outcome.KEPT

    @property
    def status(self) -> str:
        """How it stands in one or two words."""
        if self.interval.determined:
            return "disclosed" if self.broken else "determined"
        if self.broken:
            return "too narrow"
        return "not shown" if self.unshown else "protected" if self.required else "open"


class Audited:
    """The outcome of an audit; every interval in it was verified in whole numbers."""

    def __init__(self, task: Task) -> None:
        way_out = "Name an outsider."
        require(bool(task.readers), name="readers", rule="must be somebody", value=task.readers, way_out=way_out)
        self.task = task
        self.left: dict[str, Left] = {
            reader.name: left(task.publication, reader.knowledge, start=task.truth) for reader in task.readers
        }

    @cached_property
    def found(self) -> tuple[CellFound, ...]:
        """What each reader concludes about each cell that is not published exactly."""
        asked = {each.name: [cell for cell in self.task.asked if not each.has(cell)] for each in self.task.readers}
        for name, cells in asked.items():
            self.left[name].verify(*cells)
        return tuple(self._found(name, cell) for name, cells in asked.items() for cell in cells)

    def _found(self, name: str, cell: Cell) -> CellFound:
        found, limits = self.left[name], self.task.limits_of(cell)
        judged = tuple((each, each.outcome(found, cell)) for each in limits)
        return CellFound(cell, name, found.interval(cell), judged, found.because(cell), found.why(cell))

    @property
    def failing(self) -> tuple[CellFound, ...]:
        """Where less is left than must be."""
        return tuple(each for each in self.found if each.outcome is Outcome.BROKEN)

    @property
    def unshown(self) -> tuple[CellFound, ...]:
        """Where the search ended before it could prove either."""
        return tuple(each for each in self.found if each.outcome is Outcome.OPEN)

    @cached_property
    def outcome(self) -> Outcome:
        """Whether every limit is kept for every reader; every command and every report decides by this."""
        return worst_of(each.outcome for each in self.found)

    @property
    def is_kept(self) -> bool:
        """Whether every limit is proved to be kept for every reader."""
        return self.outcome is Outcome.KEPT

    def certificates(self) -> Iterator[tuple[str, Cell, Certificate]]:
        """The proof of every interval: who reads, the cell, and what can be verified."""
        for name, found in self.left.items():
            for cell in self.task.asked:
                yield from ((name, cell, each) for each in found.certificates(cell))

    @property
    def headline(self) -> str:
        """The outcome in one sentence."""
        cells = len(self.task.asked)
        failing, unshown = self.failing_cells, self.unshown_cells
        if not failing and not unshown:
            return f"All {cells} cells that are not published exactly are within their limits."
        said = []
        if failing:
            known = self.known_cells
            told = f", and {known} of them {'is' if known == 1 else 'are'} known exactly" if known else ""
            said.append(f"{failing} of {cells} cells that are not published exactly {_fail(failing)}{told}.")
        if unshown:
            its = "it is within its limit" if unshown == 1 else "they are within their limits"
            said.append(f"For {unshown} of {cells} cells whit can prove neither that {its}, nor the contrary.")
        return " ".join(said)

    @property
    def failing_cells(self) -> int:
        """How many cells have less left than they must for some reader."""
        return len({each.cell for each in self.failing})

    @property
    def known_cells(self) -> int:
        """How many of these have one value left."""
        return len({each.cell for each in self.failing if each.interval.determined})

    @property
    def unshown_cells(self) -> int:
        """How many further cells are not shown."""
        return len({each.cell for each in self.unshown} - {each.cell for each in self.failing})


def _fail(number: int) -> str:
    return "exceeds its limit" if number == 1 else "exceed their limits"


def audited(task: Task) -> Audited:
    """Audit a publication: what is left of each cell for each reader, and whether that is enough."""
    return Audited(task)
