"""Many certificates at once, in machine numbers.

What is accepted here holds: a sum is made in machine numbers only if it cannot leave their range. What is not accepted
may hold all the same; it is looked at one by one, in whole numbers of any size.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from whit.audit.certificate import Combination, Impossible
from whit.audit.knowledge import Knowledge
from whit.audit.publication import Cell, Publication, Said

Whole: TypeAlias = NDArray[np.int64]
Yes: TypeAlias = NDArray[np.bool_]

LARGEST = 2**62
"""No number here is as large, and no sum; so two of them can be added."""


class AtOnce:
    """What was published and is known, as arrays; cells and equations go by their places.

    What is no machine number is an OverflowError, and a name that is not known a KeyError.
    """

    def __init__(self, publication: Publication, knowledge: Knowledge) -> None:
        terms = [each.terms for each in publication.equations]
        stated = [cell for cell, _ in publication.statements]
        named = [*chain.from_iterable(terms)]
        self.place = {cell: number for number, cell in enumerate(dict.fromkeys(stated))}
        self.row = {each.name: number for number, each in enumerate(publication.equations)}
        self._known = Identities(self.place)
        lengths = machine([*map(len, terms)])
        self.rows = np.repeat(np.arange(len(lengths)), lengths)
        try:
            self.places = self.places_of(named)
        except KeyError:  # cells that no statement is about come last
            self.place |= {cell: number for number, cell in enumerate(dict.fromkeys([*stated, *named]))}
            self._known = Identities(self.place)
            self.places = self.places_of(named)
        self.times = machine([*chain.from_iterable(each.values() for each in terms)])
        self.right = machine([each.right for each in publication.equations])
        self.ends = self.ends_of((*publication.statements, *knowledge.facts), knowledge.least)
        # Cells with one value go to the right sides.
        low, high = self.ends
        fixed = low.there & high.there & (low.end == high.end)
        known, free = fixed[self.places], ~fixed[self.places]
        moved = products(self.times[known], low.end[self.places[known]])
        self.rest = self.right - added(self.rows[known], moved).spread(len(self.right))
        small(self.rest)
        self.of_row = Lists(self.rows[free], self.places[free], self.times[free], len(self.row))
        self.of_cell = Lists(self.places[free], self.rows[free], self.times[free], len(self.place))

    def ends_of(self, said: Sequence[Said], least: int | None) -> Bounds:
        """What all statements about each cell leave together, none of it below the least value of any cell."""
        places = self.places_of([cell for cell, _ in said])
        lows, highs = [], []
        for _, statement in said:
            low, high = statement.ends
            lows.append(low)
            highs.append(high)
        number = len(self.place)
        end, there = sides([least])
        floor = Side(np.repeat(end, number), np.repeat(there, number))
        return Bounds(
            narrower(floor, of_each(number, places, sides(lows), np.maximum), np.maximum),
            of_each(number, places, sides(highs), np.minimum),
        )

    def places_of(self, cells: Sequence[Cell]) -> Whole:
        """The places of cells; those that are the very objects of the publication are found without reading them."""
        places, known = self._known.places_of(cells)
        for number in np.flatnonzero(~known).tolist():
            places[number] = self.place[cells[number]]
        return places

    def table(self, table: Mapping[Cell, int]) -> Whole | None:
        """The values of a table by the places of its cells, if it is shown to be one that is left."""
        ordered = in_order(table, self.place)
        if not ordered and table.keys() != self.place.keys():
            return None
        values = machine([*table.values()] if ordered else [table[cell] for cell in self.place])
        found = added(self.rows, products(self.times, values[self.places])).spread(len(self.right))
        fits = self.ends.has(np.arange(len(values)), values).all() and (found == self.right).all()
        return values if fits else None

    def changed(self, values: Whole, changes: Sequence[Mapping[Cell, int]]) -> Yes:
        """Which of several changes lead from a table that is left to another: no equation drifts."""
        lengths = machine([*map(len, changes)])
        owners = np.repeat(np.arange(len(changes)), lengths)
        places = self.places_of([*chain.from_iterable(changes)])
        new = machine([*chain.from_iterable(each.values() for each in changes)])
        which, rows, times = self.of_cell.of(places)
        drift = added(owners[which] * len(self.row) + rows, products(times, (new - values[places])[which]))
        good = np.ones(len(changes), np.bool_)
        good[owners[~self.ends.has(places, new)]] = False
        good[drift.keys[drift.totals != 0] // max(len(self.row), 1)] = False
        return good

    def contradicted(self, claims: Sequence[Impossible]) -> Yes:
        """Which claims about a cell hold, since the ends leave it no value or a sum of equations is out of reach."""
        sums = [each.proof.multipliers for each in claims if isinstance(each.proof, Combination)]
        owners = np.repeat(np.arange(len(claims)), machine([*map(len, sums)]))
        rows = np.fromiter(map(self.row.__getitem__, chain.from_iterable(sums)), np.int64, len(owners))
        often = machine([*chain.from_iterable(each.values() for each in sums)])
        which, places, times = self.of_row.of(rows)
        cells = self.places_of([each.cell for each in claims if each.cell is not None])
        told = self.ends.told(cells, sides([each.low for each in claims]), sides([each.high for each in claims]))
        size = len(self.place)
        terms = added(owners[which] * size + places, products(often[which], times))
        right = added(owners, products(often, self.rest[rows])).spread(len(claims))
        least, most = self.reach(terms, cells, told)
        return told.empty | (least.there & (right < least.end)) | (most.there & (right > most.end))

    def reach(self, terms: Sums, cells: Whole, told: Bounds) -> Bounds:
        """The least and the largest value of several sums of cells, in each of which one cell has ends of its own."""
        owners, places = np.divmod(terms.keys, max(len(self.place), 1))
        own = cells[owners] == places
        ends = [
            Side(*(np.where(own, a[owners], b[places]) for a, b in zip(*both, strict=True)))
            for both in zip(told, self.ends, strict=True)
        ]
        rising, falling = terms.totals > 0, terms.totals < 0
        found = []
        for low, high in (ends, ends[::-1]):
            there = np.ones(len(cells), np.bool_)
            there[owners[(rising & ~low.there) | (falling & ~high.there)]] = False
            parts = products(terms.totals, np.where(rising, low.end, high.end))
            found.append(Side(added(owners, parts).spread(len(cells)), there))
        return Bounds(*found)


class Identities:
    """Cells by where they are in memory: what many share is found a hundred thousand at a time, and never read."""

    def __init__(self, cells: Collection[Cell]) -> None:
        own = addresses(cells)
        self._order = np.argsort(own)
        self._own = own[self._order]

    def places_of(self, cells: Collection[Cell]) -> tuple[Whole, Yes]:
        """The place of each cell, and whether it is one of those that are known; the place means nothing if not."""
        asked = addresses(cells)
        at = np.minimum(np.searchsorted(self._own, asked), max(len(self._own) - 1, 0))
        if not len(self._own):
            return at, np.zeros(len(asked), np.bool_)
        return self._order[at], self._own[at] == asked


class Side(NamedTuple):
    """One end of each of several cells, and whether it is there; 0 where it is not."""

    end: Whole
    there: Yes


class Bounds(NamedTuple):
    """Both ends of each of several cells."""

    low: Side
    high: Side

    @property
    def empty(self) -> Yes:
        """Which of them leave no value."""
        low, high = self
        return low.there & high.there & (low.end > high.end)

    def has(self, places: Whole, values: Whole) -> Yes:
        """Whether values are within the ends of their cells."""
        low, high = self
        return ~((low.there[places] & (values < low.end[places])) | (high.there[places] & (values > high.end[places])))

    def told(self, places: Whole, low: Side, high: Side) -> Bounds:
        """The ends of some cells together with further ones."""
        lows, highs = (Side(side.end[places], side.there[places]) for side in self)
        return Bounds(narrower(lows, low, np.maximum), narrower(highs, high, np.minimum))


def narrower(first: Side, second: Side, both: np.ufunc) -> Side:
    """What two ends of each cell leave together."""
    one = np.where(first.there, first.end, second.end)
    return Side(np.where(first.there & second.there, both(first.end, second.end), one), first.there | second.there)


def of_each(number: int, places: Whole, ends: Side, both: np.ufunc) -> Side:
    """One end of each of so many cells, from ends that stand at places; a cell may have several."""
    nothing = LARGEST if both is np.minimum else -LARGEST
    found = np.full(number, nothing, np.int64)
    both.at(found, places[ends.there], ends.end[ends.there])
    there = found != nothing
    return Side(np.where(there, found, 0), there)


def in_order(table: Mapping[Cell, int], cells: Mapping[Cell, int]) -> bool:
    """Whether a table has these very cells in this order."""
    return len(table) == len(cells) and all(map(operator.is_, table, cells))


class Lists:
    """For each owner, its members and their coefficients."""

    def __init__(self, owners: Whole, members: Whole, times: Whole, number: int) -> None:
        order = np.argsort(owners, kind="stable")
        self.members, self.times = members[order], times[order]
        self.lengths = np.bincount(owners, minlength=number)
        self.starts = np.cumsum(self.lengths) - self.lengths

    def of(self, owners: Whole) -> tuple[Whole, Whole, Whole]:
        """The members of several owners: at which of these, which members, and their coefficients."""
        lengths = self.lengths[owners]
        which = np.repeat(np.arange(len(owners)), lengths)
        at = np.arange(len(which)) + (self.starts[owners] - (np.cumsum(lengths) - lengths))[which]
        return which, self.members[at], self.times[at]


class Sums(NamedTuple):
    """Sums by their keys, in order."""

    keys: Whole
    totals: Whole

    def spread(self, number: int) -> Whole:
        """The sum of every key below a number, 0 where there is none."""
        found = np.zeros(number, np.int64)
        found[self.keys] = self.totals
        return found


def added(keys: Whole, parts: Whole) -> Sums:
    """The sum of the parts of each key."""
    order = np.argsort(keys, kind="stable")
    keys, parts = keys[order], parts[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    most = int(np.diff(starts, append=len(keys)).max(initial=0))
    fits(most * largest(parts))
    return Sums(keys[starts], np.add.reduceat(parts, starts) if len(parts) else parts)


def products(first: Whole, second: Whole) -> Whole:
    """The product of each pair."""
    fits(largest(first) * largest(second))
    return first * second


def addresses(cells: Collection[Cell]) -> Whole:
    """Where each of some objects is, all of which are kept meanwhile."""
    return np.fromiter(map(id, cells), np.int64, len(cells))


def sides(ends: Sequence[int | None]) -> Side:
    """One end of each of several cells, as arrays."""
    return Side(
        machine([0 if each is None else each for each in ends]), np.array([each is not None for each in ends], np.bool_)
    )


def machine(numbers: list[int]) -> Whole:
    """Whole numbers as machine numbers; others are refused, since nothing is ever rounded."""
    fits(0 if set(map(type, numbers)) <= {int} else LARGEST)
    found = np.fromiter(numbers, np.int64, len(numbers))
    small(found)
    return found


def small(numbers: Whole) -> None:
    """Refuse numbers that are too large."""
    fits(largest(numbers))


def largest(numbers: Whole) -> int:
    """The largest of some numbers, without their signs."""
    return max(int(numbers.max(initial=0)), -int(numbers.min(initial=0)))


def fits(number: int) -> None:
    """Refuse a number, or the largest that a sum can be, if it is too large."""
    if number >= LARGEST:
        raise OverflowError(number)
