"""How many tables are left, exactly: component by component, cell by cell, by what each equation still has to reach."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from whit.audit.certificate import Impossible
from whit.audit.component import Component, taken_apart
from whit.audit.one_free import number_on_a_line
from whit.audit.propagation import propagated
from whit.audit.publication import cell_text
from whit.audit.rectangle import number_of_rectangle
from whit.audit.statement import Ends
from whit.audit.system import System
from whit.errors import NotImplied, TooCostly

MOST_STATES = 1_000_000
"""The most ways to go on that a count of one component keeps."""

Weigh: TypeAlias = Callable[[int, int], Fraction]
"""The weight of a value of the cell at a place."""


def number_left(system: System) -> int:
    """How many tables are left in a system; a number of any size."""
    parts = taken_apart(system)
    return 0 if isinstance(parts, Impossible) else math.prod(number_of(each) for each in parts.components)


def number_of(component: Component, *, most_states: int = MOST_STATES) -> int:
    """How many tables a component has."""
    limits = limits_of(component)
    if limits is None:
        return 0
    if not component.terms:
        return math.prod(high - low + 1 for low, high in limits)
    number = number_on_a_line(component, limits)
    if number is None:
        number = number_of_rectangle(component, limits)
    return int(Count(component, limits, most_states=most_states).number()) if number is None else number


def limits_of(component: Component) -> tuple[tuple[int, int], ...] | None:
    """Both ends of each cell, as far as single equations narrow them; None if some cell has no value left."""
    ends = propagated(component)
    return None if ends is None else tuple(finite(component, place, each) for place, each in enumerate(ends))


def weighted_number(component: Component, limits: tuple[tuple[int, int], ...], weigh: Weigh) -> Fraction:
    """The sum over all tables of a component of the products of the weights of their cells."""
    if component.terms:
        return Fraction(Count(component, limits, weigh).number())
    sums = [sum(weigh(place, value) for value in range(low, high + 1)) for place, (low, high) in enumerate(limits)]
    return math.prod(map(Fraction, sums), start=Fraction(1))


def finite(component: Component, place: int, ends: Ends) -> tuple[int, int]:
    """Both ends of a cell, without which tables cannot be counted."""
    low, high = ends
    if low is None or high is None:
        way_out = "State what is known of its least and its largest value."
        raise NotImplied(cell_text(component.cells[place]), "must have two ends to count tables", ends, way_out)
    return low, high


class Count:
    """The count of one component: ways to fill the first cells, by what is then left of each right side."""

    def __init__(
        self,
        component: Component,
        limits: tuple[tuple[int, int], ...],
        weigh: Weigh | None = None,
        *,
        most_states: int = MOST_STATES,
    ) -> None:
        self.limits = limits
        self.most_states = most_states
        self.weigh = weigh
        self.right = component.right
        self.order = filling_order(component)
        self.users: dict[int, dict[int, int]] = {place: {} for place in self.order}
        for row, terms in enumerate(component.terms):
            for place, times in terms.items():
                self.users[place][row] = times
        self.reach = self.later_reach(component)

    def later_reach(self, component: Component) -> list[list[tuple[int, int]]]:
        """For each step, the least and the largest sum that the later cells add to each equation."""
        reach = [(0, 0)] * len(component.terms)
        steps = [list(reach)]
        for place in reversed(self.order):
            low, high = self.limits[place]
            for row, times in self.users[place].items():
                ends = sorted((times * low, times * high))
                reach[row] = (reach[row][0] + ends[0], reach[row][1] + ends[1])
            steps.append(list(reach))
        return steps[::-1]

    def number(self) -> int | Fraction:
        """All ways to fill all cells, each with its weight if cells have weights."""
        states: dict[tuple[int, ...], int | Fraction] = {self.right: 1}
        for step, place in enumerate(self.order):
            following: dict[tuple[int, ...], int | Fraction] = {}
            for state, ways in states.items():
                self.fill(state, ways, place, self.reach[step + 1], following)
            states = following
        return sum(states.values())

    def fill(
        self,
        state: tuple[int, ...],
        ways: int | Fraction,
        place: int,
        later: list[tuple[int, int]],
        following: dict[tuple[int, ...], int | Fraction],
    ) -> None:
        """Every value of one cell with which each equation can still come out."""
        low, high = self.range_of(state, place, later)
        if (states := high - low + 1 + len(following)) > self.most_states:
            way_out = "Ask for intervals, which need no count, or for about_number, which draws tables at random."
            raise TooCostly("a count", f"must keep at most {self.most_states} states", states, way_out)
        rest = list(state)
        users = self.users[place]
        for value in range(low, high + 1):
            for row, times in users.items():
                rest[row] = state[row] - times * value
            key = tuple(rest)
            following[key] = following.get(key, 0) + (ways if self.weigh is None else ways * self.weigh(place, value))

    def range_of(self, state: tuple[int, ...], place: int, later: list[tuple[int, int]]) -> tuple[int, int]:
        """The values of a cell that leave each of its equations within reach of the later cells."""
        low, high = self.limits[place]
        for row, times in self.users[place].items():
            first, last = state[row] - later[row][1], state[row] - later[row][0]
            if times < 0:
                first, last = -last, -first
            low, high = max(low, -(-first // abs(times))), min(high, last // abs(times))
        return low, high


def filling_order(component: Component) -> list[int]:
    """The cells in an order that closes equations early: always one of the equation with the fewest cells to come."""
    waiting: dict[int, set[int]] = {row: set(terms) for row, terms in enumerate(component.terms)}
    begun: set[int] = set()
    order: list[int] = []
    while waiting:
        row = min(waiting, key=lambda each: (each not in begun, len(waiting[each]), each))
        for place in sorted(waiting[row]):
            order.append(place)
            begun |= drop(waiting, place)
    return order


def drop(waiting: dict[int, set[int]], place: int) -> set[int]:
    """Take a cell out of the equations that wait for it; which these are."""
    touched = {row for row, cells in waiting.items() if place in cells}
    for row in touched:
        waiting[row] = waiting[row] - {place}
        if not waiting[row]:
            del waiting[row]
    return touched
