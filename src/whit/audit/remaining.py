"""What is left after a publication: the values that a cell can still have, and the proof of every word of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from whit.audit.certificate import (
    Certificate,
    Combination,
    Counted,
    Impossible,
    Possible,
    Unlimited,
    Values,
    equations_used,
)
from whit.audit.component import Component, Parts, taken_apart
from whit.audit.counting import number_of
from whit.audit.derivation import Derivation, derivation
from whit.audit.knowledge import OUTSIDER, Knowledge
from whit.audit.proof_document import proved
from whit.audit.publication import Cell, Publication, cell_text, untrue
from whit.audit.sampling import DRAWS, SampledNumber, about_number
from whit.audit.search import Endless, Last, Point, Search
from whit.audit.shown import interval_html, left_html, left_rows
from whit.audit.statement import Ends, Exact
from whit.audit.system import System, system_of
from whit.audit.verifying import Verifier, ends_text, refused
from whit.display import Row, frame
from whit.errors import Incompatible, NotImplied, TooCostly, WhitError

MOST_VALUES = 10_000
"""The most values of a cell that are looked at one by one."""


NOTHING_NEEDED = Combination({})
"""The proof of what the ends of a cell say by themselves."""

NO_CHANGE = Values({})
"""What the first table has instead of itself."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The least and the largest value that a cell has in any table that is left; None where there is no last one.

    least, most   both are attained; between them there may be values that no table has
    limits        what no table exceeds: the same, unless the search ended before tables and limits met
    """

    cell: Cell
    least: int | None
    most: int | None
    limits: Ends

    def __init__(self, cell: Cell, least: int | None, most: int | None, limits: Ends | None = None) -> None:
        for name, value in (("cell", cell), ("least", least), ("most", most)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "limits", (least, most) if limits is None else limits)

    @property
    def is_exact(self) -> bool:
        """Whether the limits are attained."""
        return self.limits == (self.least, self.most)

    @property
    def determined(self) -> bool:
        """Whether one value is left: then everybody who reads the publication knows it."""
        return self.limits[0] is not None and self.limits[0] == self.limits[1]

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return interval_html(self)

    def __str__(self) -> str:
        said = f"exactly {self.least}" if self.determined else f"in {ends_text(self.least, self.most)}"
        beyond = "" if self.is_exact else f", or further out, but in {ends_text(*self.limits)}"
        return f"{cell_text(self.cell)} is {said}{beyond}"


def left(publication: Publication, knowledge: Knowledge = OUTSIDER, *, start: Mapping[Cell, int] | None = None) -> Left:
    """What is left for somebody who reads a publication; one that contradicts itself is refused.

    start   a table that is left, if somebody has one; certificates contain most of it, so one that was made from
            withheld cells makes them confidential

    >>> from whit.audit import two_way
    >>> found = left(two_way([[None, None], [None, None]], rows=[3, 7], columns=[4, 6]))
    >>> print(found.interval(("1", "1")), "in", found.number, "tables")
    1 × 1 is in 0 to 3 in 4 tables
    """
    found = Left(publication, knowledge, start)
    if found.contradiction is not None:
        used = _in_numbers(publication, equations_used(found.contradiction.proof))
        told = "; ".join(used) or ", ".join(map(cell_text, found.system.valueless))
        way_out = "These contradict each other: correct one of them, or state what is rounded as rounded."
        raise Incompatible("the publication", "must leave at least one table", told, way_out)
    return found


def _in_numbers(publication: Publication, names: Iterable[str]) -> Iterator[str]:
    """Equations by name; of one that published values alone contradict, with these values."""
    values = {cell: statement.value for cell, statement in publication.statements if isinstance(statement, Exact)}
    equations = {each.name: each for each in publication.equations}
    for name in names:
        said = untrue(equations[name], values) if name in equations else ""
        yield f"{name} (in units of the last digit, {said})" if said else name


def contradiction(publication: Publication, knowledge: Knowledge = OUTSIDER) -> Impossible | None:
    """The proof that a publication contradicts itself, or what its reader knows; None if some table is left."""
    return Left(publication, knowledge).contradiction


class Left:
    """What is left after a publication, for somebody with some knowledge; made by `left`."""

    def __init__(self, publication: Publication, knowledge: Knowledge, start: Mapping[Cell, int] | None = None) -> None:
        self.publication = publication
        self.knowledge = knowledge
        self._given = start
        self.system: System = system_of(publication, knowledge)
        self._ends: dict[tuple[Cell, bool], Last | Endless] = {}

    @cached_property
    def _parts(self) -> Parts | Impossible:
        return taken_apart(self.system)

    @cached_property
    def _searches(self) -> tuple[Search, ...]:
        return () if isinstance(self._parts, Impossible) else tuple(map(Search, self._parts.components))

    @cached_property
    def _start(self) -> Values | Impossible:
        """One table that is left, or why there is none."""
        if isinstance(self._parts, Impossible):
            return self._parts
        if self._given is not None:
            return self._checked(self._given)
        # In the order of the cells, in which a table is read more quickly.
        table = dict.fromkeys(self.system.ends, 0)
        table.update(self._parts.fixed)
        for search in self._searches:
            found = search.first()
            if not isinstance(found, dict):
                return Impossible(None, None, None, found)
            table.update(found)
        return Values(table)

    def _checked(self, start: Mapping[Cell, int]) -> Values:
        """The table that was given, if it is left; what is wrong with it is not said, as it may be confidential."""
        try:
            self._verifier.check_table(start)
        except WhitError:
            way_out = "Give a value for every cell, or none, and state what is rounded as rounded."
            raise Incompatible("the given table", "must be one that is left", "one that is not", way_out) from None
        return Values({cell: start[cell] for cell in self.system.ends})

    @cached_property
    def _home(self) -> dict[Cell, Search]:
        for search in self._searches:
            search.begin({cell: self.table[cell] for cell in search.component.cells})
        return {cell: search for search in self._searches for cell in search.component.cells}

    @property
    def open_cells(self) -> tuple[Cell, ...]:
        """The cells that the statements alone leave more than one value."""
        return tuple(cell for cell, (low, high) in self.system.ends.items() if low is None or low != high)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return left_html(self)

    def to_rows(self) -> list[Row]:
        """A row for each cell that the statements alone leave more than one value."""
        return left_rows(self)

    def to_frame(self, library: str = "pandas") -> Any:
        """The rows as a data frame of pandas or polars."""
        return frame(self.to_rows(), library)

    @property
    def components(self) -> tuple[Component, ...]:
        """The parts of the system that have nothing to do with each other."""
        return tuple(search.component for search in self._searches)

    def component_of(self, cell: Cell) -> Component | None:
        """The part that a cell is in; None if it has one value by the statements alone."""
        search = self._home.get(self.system.known(cell))
        return None if search is None else search.component

    @property
    def contradiction(self) -> Impossible | None:
        """Why no table is left, if none is."""
        return self._start if isinstance(self._start, Impossible) else None

    @cached_property
    def table(self) -> Values:
        """One table that is left, found without looking at the data."""
        return Values({}) if isinstance(self._start, Impossible) else self._start

    def interval(self, cell: Cell) -> Interval:
        """The least and the largest value that is left for a cell."""
        ends = [self._end(self.system.known(cell), up=up) for up in (False, True)]
        least, most = (each.value if isinstance(each, Last) else None for each in ends)
        low, high = (each.limit if isinstance(each, Last) else None for each in ends)
        return Interval(cell, least, most, (low, high))

    def _end(self, cell: Cell, *, up: bool) -> Last | Endless:
        """The last value of a cell in one direction, with what proves it."""
        if (cell, up) not in self._ends:
            self._ends[cell, up] = self._found_end(cell, up=up)
        return self._ends[cell, up]

    def _found_end(self, cell: Cell, *, up: bool) -> Last | Endless:
        search = self._home.get(cell)
        if search is None:
            return Last(self.table[cell], NO_CHANGE, NOTHING_NEEDED, self.table[cell])
        return search.last(cell, up=up)

    def certificates(self, cell: Cell) -> tuple[Certificate, ...]:
        """The proof of an interval: of each end a table that attains it, and why no table goes beyond.

        Where there is no last value, a change that can be made for ever stands for both.
        """
        return tuple(each for up in (False, True) for each in self._proof_of_end(self.system.known(cell), up))

    def _proof_of_end(self, cell: Cell, up: bool) -> Iterator[Certificate]:
        end = self._end(cell, up=up)
        if isinstance(end, Endless):
            yield Unlimited(cell, up, self.table, end.change)
            return
        yield Possible(self.table, end.instead)
        low, high = (end.limit + 1, None) if up else (None, end.limit - 1)
        yield Impossible(cell, low, high, end.proof)

    def _different(self, point: Point) -> Point:
        """What a table has instead of the values of the shared one."""
        return {cell: value for cell, value in point.items() if self.table[cell] != value}

    def allows(self, cell: Cell, value: int) -> Possible | Impossible:
        """A table in which the cell has the value, or why there is none."""
        search = self._home.get(self.system.known(cell))
        if search is None:
            same = self.table[cell] == value
            return Possible(self.table) if same else Impossible(cell, value, value, NOTHING_NEEDED)
        found = search.within(cell, value, value)
        return (
            Possible(self.table, self._different(found))
            if isinstance(found, dict)
            else Impossible(cell, value, value, found)
        )

    def values(self, cell: Cell) -> tuple[int, ...]:
        """Every value that is left for a cell; there may be holes between the first and the last."""
        found = self.interval(cell)
        if found.least is None or found.most is None:
            way_out = "Ask for the interval, or state what is known of the largest value."
            raise NotImplied(f"the values of {cell_text(cell)}", "must have an end to be listed", str(found), way_out)
        if found.most - found.least >= MOST_VALUES:
            raise TooCostly(
                f"the values of {cell_text(cell)}", f"must be at most {MOST_VALUES}", str(found), "Use the interval."
            )
        inside = range(found.least, found.most + 1)
        return tuple(value for value in inside if isinstance(self.allows(cell, value), Possible))

    @cached_property
    def determined(self) -> tuple[Interval, ...]:
        """The cells that were not published exactly, and have one value left all the same."""
        return tuple(found for found in map(self.interval, self._home) if found.determined)

    @cached_property
    def number(self) -> int:
        """How many tables are left, exactly."""
        number = 1
        for search in self._searches:
            number *= number_of(search.component)
        return number

    def about_number(self, *, draws: int = DRAWS, seed: int = 1) -> SampledNumber:
        """About how many tables are left, where a count would take too long; an estimate, which decides nothing.

        draws   how many tables are filled at random, in each component that is too large to count
        seed    by which the draws can be repeated
        """
        return about_number(self.components, draws=draws, seed=seed)

    @property
    def counted(self) -> Counted:
        """The number of tables, as something to be verified."""
        return Counted(self.number)

    def because(self, cell: Cell) -> tuple[str, ...]:
        """The equations by which the ends of a cell are what they are, each once."""
        ends = [self._end(self.system.known(cell), up=up) for up in (False, True)]
        used = (name for end in ends if isinstance(end, Last) for name in equations_used(end.proof))
        return tuple(dict.fromkeys(used))

    def derivations(self, cell: Cell) -> tuple[Derivation, ...]:
        """The sums of published numbers that give the ends of a cell, where a single sum gives them."""
        proofs = [each for each in self.certificates(cell) if isinstance(each, Impossible)]
        found = (derivation(self.system, each) for each in proofs)
        return tuple(each for each in found if each is not None)

    def why(self, cell: Cell) -> str:
        """What is left for a cell, in one sentence with its reasons."""
        sums = self.derivations(cell)
        alone = [each for each in sums if each.assumes_nothing and each.divisor == 1]
        if alone:
            return f"{self.interval(cell)}: {alone[0]}."
        told = [f"at {'most' if each.upper else 'least'} {each.value}: {each}" for each in sums]
        if told:
            return f"{self.interval(cell)}; {'; '.join(told)}."
        reasons = "; ".join(self.because(cell))
        return f"{self.interval(cell)}, by {reasons}." if reasons else f"{self.interval(cell)}, as stated."

    @cached_property
    def _verifier(self) -> Verifier:
        return Verifier(self.publication, self.knowledge)

    def verify(self, *cells: Cell) -> None:
        """Check in whole numbers that certificates prove the intervals of cells; of all open cells if none is named.

        The search is not trusted. Many cells at once are quicker than one after the other.
        """
        self._verifier.check_all(chain.from_iterable(map(self._matched, cells or self.open_cells)))

    def _matched(self, cell: Cell) -> tuple[Certificate, ...]:
        """The certificates of a cell, if they are about what is shown."""
        found, shown = self.certificates(cell), self.interval(cell)
        attained, limits = proved(cell, found)
        if (attained, limits) != ((shown.least, shown.most), shown.limits):
            said = str(Interval(cell, *attained, limits))
            raise refused("what the certificates prove", f"must be that {shown}", said)
        return found
