"""Linear programs in whole numbers: points within ends that satisfy equations, and the sums that rule them out.

The general simplex of Dutertre and de Moura: every equation is a further variable that is tied to one value, ends may
be changed at any time, and a row that cannot be met gives the multipliers that prove it. All arithmetic is exact. Rows
are whole numbers over a denominator; by Bland's rule, the smallest variable first, no search goes round in circles.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from whit.audit.statement import Ends

Number: TypeAlias = int | Fraction
Row: TypeAlias = dict[int, int]


class Simplex:
    """Variables 0 to n - 1 within their ends, and the equations between them as variables from n on.

    A variable is dependent, with a row that says what it is made of, or free to sit at one of its ends.
    """

    def __init__(self, ends: Sequence[Ends], equations: Sequence[tuple[Mapping[int, int], int]]) -> None:
        self.size = len(ends)
        self.ends: list[Ends] = [*ends, *((right, right) for _, right in equations)]
        self.value: list[Number] = [resting_place(each) for each in ends]
        self.rows: dict[int, Row] = {}
        self.denominator: dict[int, int] = {}
        self.columns: dict[int, set[int]] = {free: set() for free in range(self.size)}
        for place, (terms, _) in enumerate(equations, start=self.size):
            self.rows[place], self.denominator[place] = dict(terms), 1
            self.value.append(sum(times * self.value[free] for free, times in terms.items()))
            for free in terms:
                self.columns[free].add(place)

    def restrict(self, variable: int, ends: Ends) -> None:
        """Give a variable other ends."""
        self.ends[variable] = ends
        low, high = ends
        if variable in self.rows:
            return
        if low is not None and self.value[variable] < low:
            self.move(variable, low - self.value[variable])
        elif high is not None and self.value[variable] > high:
            self.move(variable, high - self.value[variable])

    def move(self, free: int, step: Number) -> None:
        """Move a free variable, and with it all that depend on it."""
        self.value[free] = ratio(self.value[free] + step, 1)
        for place in self.columns[free]:
            moved = self.value[place] * self.denominator[place] + self.rows[place][free] * step
            self.value[place] = ratio(moved, self.denominator[place])

    def reach(self) -> dict[int, int] | None:
        """Move to a point within all ends, or give the multipliers of the equations that show that there is none."""
        while True:
            astray = min((place for place in self.rows if self.lack(place)), default=None)
            if astray is None:
                return None
            up = self.lack(astray) > 0
            helpful = [free for free, times in self.rows[astray].items() if self.can_move(free, (times > 0) == up)]
            if not helpful:
                return self.multipliers(astray)
            free = min(helpful)
            step = ratio(self.lack(astray) * self.denominator[astray], self.rows[astray][free])
            self.move(free, step)
            self.exchange(astray, free)

    def lack(self, variable: int) -> Number:
        """How far a variable must move to be within its ends."""
        (low, high), value = self.ends[variable], self.value[variable]
        if low is not None and value < low:
            return low - value
        return high - value if high is not None and value > high else 0

    def can_move(self, free: int, up: bool) -> bool:
        """Whether a free variable is not yet at its end."""
        low, high = self.ends[free]
        end = high if up else low
        return end is None or (self.value[free] < end if up else self.value[free] > end)

    def multipliers(self, place: int) -> dict[int, int]:
        """The equations that a row is made of, each with its multiplier."""
        row = {**self.rows[place], place: -self.denominator[place]}
        return {variable - self.size: times for variable, times in sorted(row.items()) if variable >= self.size}

    def exchange(self, place: int, free: int) -> None:
        """Make a dependent variable free, and the free one dependent on it."""
        row, denominator = self.rows.pop(place), self.denominator.pop(place)
        pivot = row.pop(free)
        sign = 1 if pivot > 0 else -1
        solved = {other: -sign * times for other, times in row.items()}
        solved[place] = sign * denominator
        below = abs(pivot)
        for other in row:
            self.columns[other].discard(place)
        users = self.columns.pop(free) - {place}
        self.columns[place] = set()
        self.install(free, solved, below)
        for user in users:
            self.substitute(user, free, solved, below)

    def install(self, place: int, row: Row, denominator: int) -> None:
        """Keep a row in lowest terms."""
        common = math.gcd(denominator, *row.values()) if denominator > 1 else 1
        self.rows[place] = {other: times // common for other, times in row.items()} if common > 1 else row
        self.denominator[place] = denominator // common
        for other in row:
            self.columns[other].add(place)

    def substitute(self, user: int, free: int, solved: Row, below: int) -> None:
        """Put the new row of a variable into a row that uses it."""
        row = self.rows[user]
        times = row.pop(free)
        if below != 1:
            row = {other: below * each for other, each in row.items()}
        for other, each in solved.items():
            total = row.get(other, 0) + times * each
            if total:
                row[other] = total
            elif other in row:
                del row[other]
                self.columns[other].discard(user)
        self.install(user, row, self.denominator[user] * below)

    def push(self, variable: int, *, up: bool) -> dict[int, int] | None:
        """Move a variable as far as it goes, from a point within all ends.

        What comes back is the change that can be made for ever, if there is one; else nothing: the value is the last.
        """
        while True:
            free = self.improving(variable, up)
            if free is None:
                return None
            rises = up if free == variable else (self.rows[variable][free] > 0) == up
            length, place = self.room(free, rises)
            if length is None:
                return self.change(free, rises)
            self.move(free, length if rises else -length)
            if place != free:
                self.exchange(place, free)

    def improving(self, variable: int, up: bool) -> int | None:
        """The first free variable whose move takes the variable further, if there is one."""
        if variable not in self.rows:
            return variable if self.can_move(variable, up) else None
        row = self.rows[variable]
        return min((free for free, times in row.items() if self.can_move(free, (times > 0) == up)), default=None)

    def room(self, free: int, rises: bool) -> tuple[Number | None, int]:
        """How far a free variable can move, and the first variable that then is at its end; None if for ever."""
        last = self.ends[free][1 if rises else 0]
        best: Number | None = None if last is None else distance(last, self.value[free])
        place = free
        for user in self.columns[free]:
            times = self.rows[user][free]
            end = self.ends[user][1 if (times > 0) == rises else 0]
            if end is None:
                continue
            length = ratio(distance(end, self.value[user]) * self.denominator[user], abs(times))
            if best is None or length < best or (length == best and user < place):
                best, place = length, user
        return best, place

    def change(self, free: int, rises: bool) -> dict[int, int]:
        """The move of a free variable and all that depend on it, as whole numbers."""
        users = self.columns[free]
        scale = math.lcm(*(self.denominator[user] for user in users)) * (1 if rises else -1)
        moved = {user: scale * self.rows[user][free] // self.denominator[user] for user in users}
        return {variable: step for variable, step in {**moved, free: scale}.items() if variable < self.size}


def distance(first: Number, second: Number) -> Number:
    """How far two numbers are from each other."""
    return first - second if first >= second else second - first


def resting_place(ends: Ends) -> int:
    """Where a free variable begins."""
    low, high = ends
    return low if low is not None else high if high is not None else 0


def ratio(above: Number, below: int) -> Number:
    """An exact quotient, as a whole number if it is one.

    >>> ratio(6, 3), ratio(1, 2)
    (2, Fraction(1, 2))
    """
    if isinstance(above, int) and above % below == 0:
        return above // below
    found = Fraction(above, below)
    return found.numerator if found.denominator == 1 else found
