"""Large components, a part at a time: the cells around one move, and all others stay as they are in a table at hand.

A solver proposes tables and multipliers. A table counts if every equation comes out in whole numbers, and multipliers
count for what their sum proves in whole numbers; so a solver that errs costs time, and nothing else.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from whit.audit.component import Component
from whit.audit.propagation import Shuttle
from whit.audit.seen import Seen
from whit.numerics import Program, Solver

Array: TypeAlias = NDArray[np.float64]

SIZES = (300, 1_000, 2_500)
"""How many cells move at once; more, where fewer do not lead on."""

TARGET = 20.0
"""What the cell in the middle is worth in a sweep, beside 1 for every other."""

ALONE = 10_000.0
"""What it is worth when it is the one that is asked about."""

PATIENCE = 40
"""So many parts may lead nearly nowhere before larger ones are tried."""

WORTH = 60
"""So many ends they must meet together to be worth going on."""

NEAREST = 5
"""One in so many cells of a part is near enough to its middle to be settled in it."""

SCALES = (1, 2, 12, 27_720)
"""What multipliers may be whole over."""

NEARLY = 1e-6
"""How far a proposal may be from a whole number to be taken for it."""


class Neighbourhoods:
    """The search in one large component, from its first table and the ends that single equations give."""

    def __init__(self, component: Component, shuttle: Shuttle, seen: Seen) -> None:
        self.rows = shuttle.rows
        self.right = component.right
        self.shuttle = shuttle
        self.seen = seen
        self.users: list[dict[int, int]] = [{} for _ in component.cells]
        for row, terms in enumerate(self.rows):
            for place, times in terms:
                self.users[place][row] = times
        self.lows = np.array([-math.inf if low is None else low for low, _ in shuttle.ends], float)
        self.highs = np.array([math.inf if high is None else high for _, high in shuttle.ends], float)
        self.pick = random.Random(1)
        # What was found of ends that single equations leave open, and in how many sizes of parts each was tried.
        self.limits: dict[tuple[int, bool], Limit] = {}
        self.levels: dict[tuple[int, bool], int] = {}
        self.sizes = SIZES[1:] if len(self.users) > SIZES[-1] else (len(self.users),)

    def is_met(self, place: int, *, up: bool) -> bool:
        """Whether some table that was seen is as far as single equations let a cell go."""
        return self.seen.last(place, up=up)[0] == self.shuttle.ends[place][up]

    def sweep(self) -> None:
        """Move one part of the first table after the other towards ends that no table has met, while that leads on."""
        for size in (each for each in SIZES if each < len(self.users)):
            gains: list[int] = []
            for place in self.shuffled():
                if self.wish(place):
                    cells = self.around(place, size)
                    before = self.number_met(cells)
                    self.move(cells, [self.wish(each) for each in cells], TARGET)
                    gains.append(self.number_met(cells) - before)
                    if len(gains) >= PATIENCE and sum(gains[-PATIENCE:]) < WORTH:
                        break

    def shuffled(self) -> list[int]:
        """All cells, in a random order."""
        return self.pick.sample(range(len(self.users)), len(self.users))

    def is_settled(self, place: int, *, up: bool) -> bool:
        """Whether some table that was seen is as far as single equations, or a limit that was found, let a cell go."""
        found = self.limits.get((place, up))
        return self.is_met(place, up=up) or (found is not None and found.value == self.seen.last(place, up=up)[0])

    def settle_around(self, place: int, level: int) -> None:
        """Look for tables and limits that meet, for a cell and those near it that were tried in smaller parts only.

        The programs of a part go on from one end to the next, which costs a tenth of a part for each.
        """
        part = self.part(place, self.sizes[level])
        near = part.cells if part is self.everything else part.cells[: len(part.cells) // NEAREST]
        for end in ((each, up) for each in near for up in (False, True)):
            if self.levels.get(end, 0) == level and not self.is_settled(end[0], up=end[1]):
                self.levels[end] = level + 1
                self.settle_in(part, end[0], up=end[1])

    def settle_in(self, part: Part, place: int, *, up: bool) -> None:
        """Look for a table in which a cell goes as far as it can, and a limit if that is not as far as is known."""
        self.shift(part, place, up=up)
        if not self.is_settled(place, up=up):
            found, before = self.limit(part, place, up=up), self.limits.get((place, up))
            if found is not None and (before is None or (found.value < before.value) == up):
                self.limits[place, up] = found

    def part(self, place: int, size: int) -> Part:
        """The cells around a cell: all of them if that is not too many."""
        return self.everything if size >= len(self.users) else Part(self, self.around(place, size))

    @cached_property
    def everything(self) -> Part:
        """The whole component."""
        return Part(self, range(len(self.users)))

    def number_met(self, cells: Sequence[int]) -> int:
        """How many ends of some cells are met."""
        return sum(self.is_met(place, up=up) for place in cells for up in (False, True))

    def wish(self, place: int) -> int:
        """Where a cell should go: 1 for up, -1 for down, 0 if both its ends are met."""
        down, up = (not self.is_met(place, up=each) for each in (False, True))
        if down and up:
            return self.pick.choice((-1, 1))
        return int(up) - int(down)

    def around(self, place: int, size: int) -> list[int]:
        """The cells nearest to a cell, itself first, by the equations that they share."""
        found = {place: None}
        for each in (queue := [place]):
            for row in self.pick.sample([*self.users[each]], len(self.users[each])):
                for other, _ in self.rows[row]:
                    if other not in found and len(found) < size:
                        found[other] = None
                        queue.append(other)
            if len(found) >= size:
                break
        return list(found)

    def move(self, cells: Sequence[int], wishes: Sequence[int], first: float) -> None:
        """Ask for a whole table in which some cells go where they should, the first above all, and no other moves."""
        costs = np.array(wishes, float)
        costs[0] *= first
        start = np.array([self.seen.first[place] for place in cells], float)
        found = Solver(self.inside(cells), whole=True).best(costs, start)
        if found is not None and is_whole(found.point):
            self.take({place: round(value) for place, value in zip(cells, found.point.tolist(), strict=True)})

    def inside(self, cells: Sequence[int]) -> Program:
        """The program in which some cells move and no other does."""
        at = {place: number for number, place in enumerate(cells)}
        numbers = dict.fromkeys(row for place in cells for row in self.users[place])
        rows = [[(at[place], times) for place, times in self.rows[row] if place in at] for row in numbers]
        right = [sum(times * self.seen.first[cells[number]] for number, times in row) for row in rows]
        return Program(self.lows[list(cells)], self.highs[list(cells)], rows, np.array(right, float))

    def take(self, values: dict[int, int]) -> None:
        """See another table, if it is one: the ends and the equations of every cell that changed are looked at."""
        first = self.seen.first
        changed = {place: value for place, value in values.items() if value != first[place]}
        drift: dict[int, int] = {}
        for place, value in changed.items():
            low, high = self.shuttle.ends[place]
            if (low is not None and value < low) or (high is not None and value > high):
                return
            for row, times in self.users[place].items():
                drift[row] = drift.get(row, 0) + times * (value - first[place])
        if changed and not any(drift.values()):
            self.seen.add_changed(changed)

    def last(self, place: int, *, up: bool) -> Limit | None:
        """How far a cell can go at most, after a search for tables that take it there; None if no end was found."""
        while not self.is_settled(place, up=up) and (level := self.levels.get((place, up), 0)) < len(self.sizes):
            self.settle_around(place, level)
        if not self.is_settled(place, up=up):
            own = self.part(place, self.sizes[-1])
            self.settle_in(own, place, up=up)
            if not self.is_settled(place, up=up):
                self.push(own, place, up=up)
        found = [self.by_single_equations(place, up=up), self.limits.get((place, up))]
        known = [each for each in found if each is not None]
        return (min if up else max)(known, key=lambda each: each.value, default=None)

    def push(self, part: Part, place: int, *, up: bool) -> None:
        """Ask for a whole table in which a cell goes as far as it can, and others where they should."""
        cells = [place, *(each for each in part.cells if each != place)]
        self.move(cells, [1 if up else -1, *(self.wish(each) for each in cells[1:])], ALONE)

    def shift(self, part: Part, place: int, *, up: bool) -> None:
        """Take a cell as far as it goes, and move others no more than that needs.

        Small moves tend to be whole. Where they are not, whole numbers are sought among the cells that moved.
        """
        size, at = len(part.cells), part.cells.index(place)
        costs = np.full(2 * size, -1.0)
        costs[[at, at + size]] = (ALONE, -ALONE) if up else (-ALONE, ALONE)
        found = part.shifts.best(costs)
        if found is None:
            return
        steps = dict(zip(part.cells, (found.point[:size] - found.point[size:]).tolist(), strict=True))
        moved = [place, *(each for each, step in steps.items() if each != place and abs(step) > NEARLY)]
        if is_whole(np.array([*steps.values()])):
            self.take({each: self.seen.first[each] + round(steps[each]) for each in moved})
        else:
            self.move(moved, [1 if up else -1] + [0] * (len(moved) - 1), 1.0)

    def by_single_equations(self, place: int, *, up: bool) -> Limit | None:
        """How far single equations let a cell go."""
        end, reason = self.shuttle.ends[place][up], self.shuttle.reason(place, up=up)
        return None if end is None or reason is None else Limit(end, reason)

    def limit(self, part: Part, place: int, *, up: bool) -> Limit | None:
        """How far a cell can go, by the equations of the cells of a part and their ends."""
        costs = np.zeros(len(part.near))
        costs[part.cells.index(place)] = 1.0 if up else -1.0
        found = part.limits.best(costs)
        if found is None:
            return None
        scale = next((each for each in SCALES if is_whole(found.multipliers * each)), SCALES[-1])
        proposed = np.rint(found.multipliers * scale).tolist()
        return self.proved(place, scale if up else -scale, dict(zip(part.rows, map(int, proposed), strict=True)))

    def proved(self, place: int, times: int, multipliers: dict[int, int]) -> Limit | None:
        """What a sum of equations proves of a multiple of a cell, in whole numbers; None if that is nothing.

        The multiple is the sum of the right sides and of a rest, which is at most what the ends of its cells allow.
        """
        rest, total = {place: times}, 0
        for row, often in multipliers.items():
            total += often * self.right[row]
            for other, each in self.rows[row] if often else ():
                rest[other] = rest.get(other, 0) - often * each
        for other, each in rest.items():
            end = self.shuttle.ends[other][each > 0]
            if each and end is None:
                return None
            total += each * (end or 0)
        behind = self.shuttle.reasons(rest)
        if behind is None:
            return None
        summed = {row: multipliers.get(row, 0) + behind.get(row, 0) for row in {**multipliers, **behind}}
        value = total // times if times > 0 else -(total // -times)
        return Limit(value, {row: each for row, each in summed.items() if each})


class Part:
    """Some cells of a component, and the programs about them, which go on where the last question ended.

    cells   that may move
    rows    the equations that have one of them
    near    the cells of these equations, the first of which are those that may move
    """

    def __init__(self, search: Neighbourhoods, cells: Sequence[int]) -> None:
        self.search = search
        self.cells = cells
        self.rows = [*dict.fromkeys(row for place in cells for row in search.users[place])]
        self.near = [*dict.fromkeys(chain(cells, (place for row in self.rows for place, _ in search.rows[row])))]

    @cached_property
    def limits(self) -> Solver:
        """All cells nearby may move within their ends."""
        search = self.search
        at = {place: number for number, place in enumerate(self.near)}
        rows = [[(at[place], times) for place, times in search.rows[row]] for row in self.rows]
        right = np.array([search.right[row] for row in self.rows], float)
        return Solver(Program(search.lows[self.near], search.highs[self.near], rows, right))

    @cached_property
    def shifts(self) -> Solver:
        """How far each cell of the part goes up from the first table, and then how far each goes down."""
        inside, size = self.search.inside(self.cells), len(self.cells)
        first = np.array([self.search.seen.first[place] for place in self.cells], float)
        rows = [[*row, *((place + size, -times) for place, times in row)] for row in inside.rows]
        most = np.concatenate([inside.highs - first, first - inside.lows])
        return Solver(Program(np.zeros(2 * size), most, rows, np.zeros(len(rows))))


class Limit(NamedTuple):
    """How far a cell can go at most, and the multipliers of the equations that show it."""

    value: int
    multipliers: dict[int, int]


def is_whole(numbers: Array) -> bool:
    """Whether all numbers are nearly whole."""
    return bool(np.max(np.abs(numbers - np.rint(numbers)), initial=0.0) < NEARLY)
