"""The search for tables and proofs in one component: a linear program first, and two cases where it is not whole.

Whatever is found here is a proposal. It is verified in whole numbers elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from whit.audit.certificate import Combination, Proof, Remainder, Split
from whit.audit.component import Component
from whit.audit.publication import Cell
from whit.audit.simplex import Simplex
from whit.audit.statement import Ends
from whit.audit.system import narrowed
from whit.errors import TooCostly

MOST_SPLITS = 5_000
"""The most cases that a search goes through."""

DEEPEST = 200
"""The most cases inside each other."""

Point = dict[Cell, int]


@dataclass(frozen=True)
class Last:
    """The last value of a cell in one direction, a table that has it, and why there is none beyond."""

    value: int
    point: Point
    proof: Proof


@dataclass(frozen=True)
class Endless:
    """A change that moves a cell on for ever."""

    change: Point


class Search:
    """Tables and proofs for one component, by one linear program that is kept."""

    def __init__(self, component: Component) -> None:
        self.component = component
        self.place = {cell: number for number, cell in enumerate(component.cells)}
        self.program = Simplex(component.ends, tuple(zip(component.terms, component.right, strict=True)))
        self.splits = 0

    def anywhere(self) -> Point | Proof:
        """A table of the component, or why there is none."""
        self.splits = 0
        return self.settled(0)

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

    def last(self, cell: Cell, start: Point, *, up: bool) -> Last | Endless:
        """How far the value of a cell goes, given some table of the component."""
        place, program = self.place[cell], self.program
        program.reach()
        change = program.push(place, up=up)
        if change is not None:
            return Endless({self.component.cells[each]: step for each, step in change.items()})
        end = program.value[place]
        proof = Combination(self.named(program.multipliers(place)) if place in program.rows else {})
        if self.broken() is None:
            return Last(int(end), self.point(), proof)
        return self.whole_last(cell, start, Last(math.floor(end) if up else math.ceil(end), start, proof), up=up)

    def whole_last(self, cell: Cell, start: Point, limit: Last, *, up: bool) -> Last:
        """The last value that a whole table has, by halving what lies between one that is left and the limit."""
        best, beyond, proof = start, limit.value, limit.proof
        tried = limit.value
        while best[cell] != beyond:
            found = self.within(cell, tried if up else None, None if up else tried)
            if isinstance(found, dict):
                best = found
            else:
                beyond, proof = (tried - 1 if up else tried + 1), found
            tried = (best[cell] + beyond + (1 if up else 0)) // 2
        return Last(best[cell], best, proof)
