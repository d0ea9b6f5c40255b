"""The tables of a component that were seen, and how far each cell went in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whit.audit.certificate import Values
from whit.audit.publication import Cell


class Seen:
    """The least and the largest value of each cell in the tables seen so far, and a table that has it.

    A table is kept as what it has instead of the values of the first one, and only if some cell went further in it.
    """

    def __init__(self, first: tuple[int, ...], cells: tuple[Cell, ...]) -> None:
        self.first = first
        self.cells = cells
        same = Values({})
        self._values = ([*first], [*first])
        self._tables = ([same] * len(first), [same] * len(first))

    def add(self, table: Sequence[int]) -> Values:
        """See one more table."""
        pairs = enumerate(zip(table, self.first, strict=True))
        return self.add_changed({place: value for place, (value, before) in pairs if value != before})

    def add_changed(self, changed: Mapping[int, int]) -> Values:
        """See one more table, by the places in which it has something else than the first one."""
        instead = Values({self.cells[place]: value for place, value in changed.items()})
        for up in (False, True):
            best, tables = self._values[up], self._tables[up]
            for place, value in changed.items():
                if value > best[place] if up else value < best[place]:
                    best[place], tables[place] = value, instead
        return instead

    def last(self, place: int, *, up: bool) -> tuple[int, Values]:
        """How far a cell went, and what the table in which it did has instead."""
        return self._values[up][place], self._tables[up][place]
