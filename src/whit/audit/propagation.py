"""Ends that follow from one equation at a time, over and over: the shuttle.

If all but one of the cells of an equation have ends, so has the last. This proves less than a linear program and costs
next to nothing. Ends that it gives are true; they need not be attained. Every end remembers the equation that it came
from, and so can be written as one sum of equations, which is a proof like any other.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

from whit.audit.component import Component
from whit.audit.statement import Ends

MOST_ROUNDS = 50
"""How often each equation is looked at, on average; ends that only creep towards each other are left where they are."""

LONGEST_SUM = 20_000
"""The most steps that are put together to one sum of equations."""


class Step(NamedTuple):
    """An end that followed from one equation.

    place, up   the cell, and whether the end is its upper one
    row         by which equation
    since       how many steps there were when the equation was read: only those can be behind it
    """

    place: int
    up: bool
    row: int
    since: int


def propagated(component: Component) -> list[Ends] | None:
    """Narrower ends of the cells, or None if some cell has no value left."""
    shuttle = Shuttle(component)
    return None if shuttle.stuck is not None else shuttle.ends


class Shuttle:
    """The ends of the cells of a component as far as single equations narrow them, and how they came about.

    ends    of each cell
    stuck   a cell that has no value left, if there is one
    """

    def __init__(self, component: Component) -> None:
        self.rows = [list(terms.items()) for terms in component.terms]
        self.right = component.right
        self.ends: list[Ends] = list(component.ends)
        self.stuck: int | None = None
        self._steps: list[Step] = []
        self._of_end: dict[tuple[int, bool], list[int]] = {}
        self._run(component)

    def _run(self, component: Component) -> None:
        users: list[list[int]] = [[] for _ in self.ends]
        for row, terms in enumerate(component.terms):
            for place in terms:
                users[place].append(row)
        waiting = deque(range(len(self.rows)))
        queued = [True] * len(self.rows)
        for _ in range(MOST_ROUNDS * len(self.rows)):
            if not waiting or self.stuck is not None:
                return
            row = waiting.popleft()
            queued[row] = False
            for place in self._narrow(row):
                for user in users[place]:
                    if not queued[user]:
                        queued[user] = True
                        waiting.append(user)

    def _narrow(self, row: int) -> list[int]:
        """Narrow the ends of the cells of one equation; which cells changed."""
        # What the multiples of the cells add at least and at most, and how many of them have no such end.
        least = most = no_least = no_most = 0
        parts = []
        for place, times in self.rows[row]:
            low, high = self.ends[place]
            bottom, top = (low, high) if times > 0 else (high, low)
            parts.append((place, times, bottom, top))
            if bottom is None:
                no_least += 1
            else:
                least += times * bottom
            if top is None:
                no_most += 1
            else:
                most += times * top
        right, changed, since = self.right[row], [], len(self._steps)
        for place, times, bottom, top in parts:
            own_least, own_most = (None if end is None else times * end for end in (bottom, top))
            # The largest multiple is what the least of the others leave, and the other way round.
            largest = None if no_least - (own_least is None) else right - least + (own_least or 0)
            smallest = None if no_most - (own_most is None) else right - most + (own_most or 0)
            if self._set(place, quotient(times, smallest, largest), row, since):
                changed.append(place)
        return changed

    def _set(self, place: int, found: Ends, row: int, since: int) -> bool:
        """Take over ends that are narrower; whether there are any."""
        (low, high), (new_low, new_high) = self.ends[place], found
        lower = new_low is not None and (low is None or new_low > low)
        upper = new_high is not None and (high is None or new_high < high)
        if not lower and not upper:
            return False
        for up in (False,) * lower + (True,) * upper:
            self._of_end.setdefault((place, up), []).append(len(self._steps))
            self._steps.append(Step(place, up, row, since))
        low, high = new_low if lower else low, new_high if upper else high
        self.ends[place] = (low, high)
        if low is not None and high is not None and low > high:
            self.stuck = place
        return True

    def reason(self, place: int, *, up: bool) -> dict[int, int] | None:
        """The multipliers of the equations that give an end of a cell; None if it is not one sum of equations."""
        return self.reasons({place: 1 if up else -1})

    def reasons(self, terms: Mapping[int, int]) -> dict[int, int] | None:
        """The multipliers of the equations behind the largest value of a sum of cells within their ends."""
        last = {place: self._of_end.get((place, times > 0), []) for place, times in terms.items() if times}
        return self._sum({steps[-1]: abs(terms[place]) for place, steps in last.items() if steps})

    def contradiction(self) -> dict[int, int] | None:
        """The multipliers of the equations that leave no value to some cell; None if they are not one sum."""
        if self.stuck is None:
            return None
        both = [steps[-1] for up in (False, True) if (steps := self._of_end.get((self.stuck, up)))]
        return self._sum(dict.fromkeys(both, 1))

    def _sum(self, weights: dict[int, int]) -> dict[int, int] | None:
        """The sum of equations behind some steps, each so many times.

        From the last step to the first: a step is its equation, less the ends of the other cells, which stand for the
        steps that gave them before. A step that divided by a coefficient was rounded, and is no sum.
        """
        newest = [-step for step in weights]
        heapq.heapify(newest)
        multipliers: dict[int, int] = {}
        for _ in range(LONGEST_SUM):
            if not newest:
                return {row: times for row, times in multipliers.items() if times}
            number = -heapq.heappop(newest)
            step, weight = self._steps[number], weights.pop(number)
            sign = dict(self.rows[step.row])[step.place]
            if abs(sign) != 1:
                return None
            often = sign * (weight if step.up else -weight)
            multipliers[step.row] = multipliers.get(step.row, 0) + often
            for place, times in self.rows[step.row]:
                earlier = None if place == step.place else self._before(step.since, place, up=often * times < 0)
                if earlier is not None:
                    if earlier not in weights:
                        heapq.heappush(newest, -earlier)
                    weights[earlier] = weights.get(earlier, 0) + abs(often * times)
        return None

    def _before(self, since: int, place: int, *, up: bool) -> int | None:
        """The step that had given an end of a cell at a time; None if the end was a stated one."""
        steps = self._of_end.get((place, up), [])
        at = bisect_left(steps, since)
        return steps[at - 1] if at else None


def quotient(times: int, smallest: int | None, largest: int | None) -> Ends:
    """The ends of a cell, from those of its multiple."""
    if times < 0:
        times, smallest, largest = (
            -times,
            None if largest is None else -largest,
            None if smallest is None else -smallest,
        )
    return (None if smallest is None else -(-smallest // times)), (None if largest is None else largest // times)
