"""The numbers behind a picture, as columns of equal length."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import TypeAlias

import numpy as np

from whit.errors import InvalidInput, require

Cell: TypeAlias = float | int | str

_WAY_OUT = "Ask for at least one point, and for as many of each column."


class Columns(Mapping[str, tuple[Cell, ...]]):
    """A table by its columns, each with its name: a mapping from names to numbers.

    >>> table = Columns({"prior": [0.1, 0.5], "posterior at most": [0.232, 0.732]})
    >>> table["prior"]
    (0.1, 0.5)
    >>> print(table.csv(), end="")
    prior,posterior at most
    0.1,0.232
    0.5,0.732
    """

    def __init__(self, columns: Mapping[str, object]) -> None:
        self._columns = {name: _cells(column) for name, column in columns.items()}
        lengths = {len(column) for column in self._columns.values()}
        shown = ", ".join(f"{name}: {len(column)}" for name, column in self._columns.items())
        rule = "must have columns of one length, with at least one row"
        good = len(lengths) == 1 and lengths != {0}
        require(good, name="the table of a picture", rule=rule, value=shown or "no column", way_out=_WAY_OUT)

    def __getitem__(self, name: str) -> tuple[Cell, ...]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __hash__(self) -> int:
        return hash(tuple(self._columns.items()))

    def __repr__(self) -> str:
        return f"<Columns: {', '.join(self)}; {len(self.rows())} rows>"

    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows, each with a cell of every column."""
        return tuple(zip(*self._columns.values(), strict=True))

    def csv(self) -> str:
        """The table as text, with a line of names; numbers in all their digits, so that they can be read back."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self)
        writer.writerows(self.rows())
        return text.getvalue()


def _cells(column: object) -> tuple[Cell, ...]:
    """The cells of a column as plain numbers and words."""
    cells = np.ravel(np.asarray(column)).tolist()
    if all(isinstance(cell, float | int | str) for cell in cells):
        return tuple(cells)
    raise InvalidInput("a column of a table", "must hold numbers or words", column, "Use a list of numbers.")
