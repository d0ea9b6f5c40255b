"""The search for tables and proofs in one component.

Single equations come first: where a table that was seen is as far as they let a cell go, nothing else is needed. Then
comes a linear program, and two cases where it is not whole.

Whatever is found here is a proposal. It is verified in whole numbers elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from whit.audit.certificate import Combination, Proof, Remainder, Split, Values
from whit.audit.component import Component
from whit.audit.first_table import proposed_contradiction, proposed_table
from whit.audit.neighbourhood import Neighbourhoods
from whit.audit.propagation import Shuttle
from whit.audit.publication import Cell
from whit.audit.seen import Seen
from whit.audit.simplex import Simplex
from whit.audit.statement import Ends
from whit.audit.system import narrowed
from whit.errors import TooCostly
from whit.numerics import solver_is_there

MOST_SPLITS = 5_000
"""The most cases that a search goes through."""

DEEPEST = 200
"""The most cases inside each other."""

LARGE = 150
"""So many cells are too many for a linear program in exact fractions, if there is another."""

TOO_LARGE = 400
"""With so many cells it is not even tried."""

Point = dict[Cell, int]


@dataclass(frozen=True, slots=True)
class Last:
    """The last value of a cell in one direction, and why there is none beyond.

    value     that value
    instead   what a table that has it has instead of the values of the first table; ends share these
    proof     why no table goes beyond the limit
    limit     the value, or one further out if the search ended before both met
    """

    value: int
    instead: Values
    proof: Proof
    limit: int


@dataclass(frozen=True)
class Endless:
    """A change that moves a cell on for ever."""

    change: Point


class Search:
    """Tables and proofs for one component, by single equations and by one linear program that is kept."""

    def __init__(self, component: Component) -> None:
        self.component = component
        self.place = {cell: number for number, cell in enumerate(component.cells)}
        self.splits = 0
        self._settled = 0

    @cached_property
    def program(self) -> Simplex:
        """The linear program."""
        equations = tuple(zip(self.component.terms, self.component.right, strict=True))
        return Simplex(self.component.ends, equations)

    @cached_property
    def shuttle(self) -> Shuttle:
        """What single equations say."""
        return Shuttle(self.component)

    def anywhere(self) -> Point | Proof:
        """A table of the component, or why there is none."""
        self.splits = 0
        return self.settled(0)

    def first(self) -> Point | Proof:
        """A table of the component, or why there is none; a contradiction that single equations show comes first."""
        conflict = self.shuttle.contradiction()
        if conflict is not None:
            return Combination(self.named(conflict))
        return self.anywhere() if not self.is_large else self.proposed_first()

    @property
    def is_large(self) -> bool:
        """Whether there are too many cells for exact fractions, and there is something else."""
        return len(self.component.cells) >= LARGE and solver_is_there()

    def proposed_first(self) -> Point | Proof:
        """A table of a large component as a solver finds it, or why there is none."""
        table = proposed_table(self.component)
        if table is not None:
            return dict(zip(self.component.cells, table, strict=True))
        conflict = proposed_contradiction(self.component)
        if conflict is not None:
            return Combination(self.named(conflict))
        if len(self.place) < TOO_LARGE:
            return self.anywhere()
        way_out = "Give one that is left as start, if you have it, or audit fewer linked tables at once."
        raise TooCostly("a first table", f"must be found in a component of {len(self.place)} cells", "none", way_out)

    def within(self, cell: Cell, low: int | None, high: int | None) -> Point | Proof:
        """A table whose cell lies between two ends, or why there is none."""
        place = self.place[cell]
        both = narrowed(self.component.ends[place], (low, high))
        if both[0] is not None and both[1] is not None and both[0] > both[1]:
            return Combination({})
        with self.told(place, both):
            return self.anywhere()

    @contextmanager
    def told(self, place: int, ends: Ends) -> Iterator[None]:
        """For a while, other ends for one cell."""
        before = self.program.ends[place]
        self.program.restrict(place, ends)
        try:
            yield
        finally:
            self.program.restrict(place, before)

    def settled(self, depth: int) -> Point | Proof:
        """A whole table within the ends of the program, or why there is none."""
        conflict = self.program.reach()
        if conflict is not None:
            return Combination(self.named(conflict))
        place = self.broken()
        if place is None:
            return self.point()
        return self.remainder() or self.divided(place, depth)

    def broken(self) -> int | None:
        """The first cell whose value is not whole."""
        values = self.program.value
        return next((place for place in range(self.program.size) if isinstance(values[place], Fraction)), None)

    def point(self) -> Point:
        """The point of the program, all of whose values are whole."""
        return {cell: int(self.program.value[place]) for cell, place in self.place.items()}

    def named(self, multipliers: dict[int, int]) -> dict[str, int]:
        """Multipliers by the names of their equations."""
        return {self.component.names[place]: times for place, times in multipliers.items()}

    def remainder(self) -> Remainder | None:
        """A row whose right side has a remainder that whole values cannot have, if there is one.

        It is a row of a cell that is not whole, in which only cells with one value, and equations, are not multiples.
        """
        program = self.program
        for place in range(program.size):
            if not isinstance(program.value[place], Fraction):
                continue
            below = program.denominator[place]
            rest = [free for free, times in program.rows[place].items() if free < program.size and times % below]
            if all(program.ends[free][0] == program.ends[free][1] is not None for free in rest):
                return Remainder(below, self.named(program.multipliers(place)))
        return None

    def divided(self, place: int, depth: int) -> Point | Proof:
        """The two cases beside a value that is not whole."""
        self.splits += 1
        if self.splits > MOST_SPLITS or depth > DEEPEST:
            way_out = "Publish fewer linked totals in one audit, or state narrower ends for the cells."
            raise TooCostly("the search", f"must end within {MOST_SPLITS} cases", self.splits, way_out)
        at = math.floor(self.program.value[place])
        ends, found = self.program.ends[place], []
        for half in ((None, at), (at + 1, None)):
            with self.told(place, narrowed(ends, half)):
                case = self.settled(depth + 1)
            if isinstance(case, dict):
                return case
            found.append(case)
        return Split(self.component.cells[place], at, *found)

    def begin(self, start: Point) -> None:
        """Take one table of the component as the first; those found later are known by what they have instead."""
        self.seen = Seen(tuple(start[cell] for cell in self.component.cells), self.component.cells)

    def last(self, cell: Cell, *, up: bool) -> Last | Endless:
        """How far the value of a cell goes, given a first table of the component."""
        place = self.place[cell]
        if self.near is not None:
            found = self.met(place, up=up) or self.searched(self.near, place, up=up)
        else:
            found = self.met(place, up=up) or self.pushed(place, up=up)
        self._settled += 1
        if self._settled >= 2 * len(self.component.cells):
            self.forget()
        return found

    def forget(self) -> None:
        """Let go of what the search needs and its results do not; who asks for more makes it again."""
        for name in ("program", "shuttle", "near"):
            self.__dict__.pop(name, None)

    @cached_property
    def near(self) -> Neighbourhoods | None:
        """The search a part at a time, for components that are too large for exact fractions."""
        if not self.is_large:
            return None
        found = Neighbourhoods(self.component, self.shuttle, self.seen)
        found.sweep()
        return found

    def searched(self, near: Neighbourhoods, place: int, *, up: bool) -> Last | Endless:
        """The last value of a cell that was seen, and a limit that may lie beyond; exactly where none was found."""
        limit = near.last(place, up=up)
        if limit is None:
            return self.pushed(place, up=up)
        return Last(*self.seen.last(place, up=up), Combination(self.named(limit.multipliers)), limit.value)

    def met(self, place: int, *, up: bool) -> Last | None:
        """The last value of a cell, if single equations let it go no further than some table that was seen."""
        value, instead = self.seen.last(place, up=up)
        if self.shuttle.ends[place][up] != value:
            return None
        reason = self.shuttle.reason(place, up=up)
        return None if reason is None else Last(value, instead, Combination(self.named(reason)), value)

    def pushed(self, place: int, *, up: bool) -> Last | Endless:
        """The last value of a cell by the linear program."""
        program = self.program
        program.reach()
        change = program.push(place, up=up)
        if change is not None:
            return Endless({self.component.cells[each]: step for each, step in change.items()})
        end = program.value[place]
        proof = Combination(self.named(program.multipliers(place)) if place in program.rows else {})
        if self.broken() is None:
            table = self.seen.add([int(each) for each in program.value[: program.size]])
            return Last(int(end), table, proof, int(end))
        return self.whole_last(place, math.floor(end) if up else math.ceil(end), proof, up=up)

    def whole_last(self, place: int, beyond: int, proof: Proof, *, up: bool) -> Last:
        """The last value that a whole table has, by halving what lies between one that is left and the limit."""
        cell = self.component.cells[place]
        best, instead = self.seen.last(place, up=up)
        tried = beyond
        while best != beyond:
            found = self.within(cell, tried if up else None, None if up else tried)
            if isinstance(found, dict):
                best, instead = found[cell], self.seen.add([found[each] for each in self.component.cells])
            else:
                beyond, proof = (tried - 1 if up else tried + 1), found
            tried = (best + beyond + (1 if up else 0)) // 2
        return Last(best, instead, proof, best)
