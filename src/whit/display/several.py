"""Several values of one kind that a notebook shows as one table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeVar

from whit.display.frames import Row, Tabular
from whit.display.html import block, table


class Tabled(Protocol):
    """What can be a row of a table."""

    def to_rows(self) -> list[Row]:
        """The value as rows of plain values by column."""

    def cells(self) -> Mapping[str, str]:
        """The value as one row of texts by column."""


Item_co = TypeVar("Item_co", bound=Tabled, covariant=True)


class Several(tuple[Item_co, ...], Tabular):
    """A tuple that a notebook shows as a table, with a row for each item."""

    __slots__ = ()

    def to_rows(self) -> list[Row]:
        """The rows of all items."""
        return [row for each in self for row in each.to_rows()]

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        rows = [each.cells() for each in self]
        head = list(dict.fromkeys(name for row in rows for name in row))
        return block(table(head, [[row.get(name, "") for name in head] for row in rows]) if rows else "Nothing.")
