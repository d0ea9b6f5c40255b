"""Tables of releases: one row for each, with what it promises in the words of options and files.

A table is a CSV or Parquet file, or a live table of pyarrow, pandas or polars. A row has the words of one promise
(`epsilon`, `delta`, `rho`, `gaussian` and so on), and may have `what`, `date`, `population`, `unit` and `key` beside
them.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from whit.curves import Promise
from whit.display import parquet_file
from whit.errors import InvalidInput
from whit.exchange.learned import Learned, OpenPoint
from whit.spec import Given, Series, Source, promise_of, tabled, together_of

ABOUT = ("what", "date", "population", "unit", "key")
"""What a row may say beside its promise."""

MOST_ROWS = 100_000
"""A table of more releases is no record that somebody keeps by hand."""

MOST_BYTES = 100_000_000
"""The most that a Parquet file may hold when it is unpacked."""

_AT_ONCE = 16

_ROWS = "Write a line with the names of the columns, such as what,epsilon,delta, and one line for each release."


_EMPTY = "Write the number, or null if the row does not state one."


@dataclass(frozen=True)
class Row(Source):
    """One row of a table."""

    file: str
    number: int

    def key(self, key: str) -> str:
        """The name of a column."""
        return key

    def place(self, key: str) -> str:
        """File, row and column."""
        return f"{self.file}, row {self.number}: {key}"

    def about(self, name: str) -> str:
        """File and row, and the name."""
        return f"{self.file}, row {self.number}: {name}"


@dataclass(frozen=True)
class ListedRelease:
    """One release of a table.

    series   its promise, and how many releases the row stands for
    what     what was released, in words
    date, population, unit, key   what else the row says; empty where it says nothing
    """

    series: Series
    what: str = ""
    date: str = ""
    population: str = ""
    unit: str = ""
    key: str = ""

    @property
    def promise(self) -> Promise:
        """All releases of the row."""
        return self.series.together


def releases_of(table: Any, *, name: str = "the table") -> tuple[ListedRelease, ...]:
    """The releases of a table: its rows as mappings, or a live table of pyarrow, pandas or polars.

    >>> for each in releases_of([{"what": "May", "epsilon": 0.5}, {"what": "June", "rho": 0.1, "releases": 3}]):
    ...     print(each.what, each.series.words)
    May epsilon = 0.5
    June rho = 0.1, in each of 3 releases
    """
    rows = list(_rows(table, name))
    if not 0 < len(rows) <= MOST_ROWS:
        raise InvalidInput(name, f"must have 1 to {MOST_ROWS} rows", len(rows), _ROWS)
    return tuple(_release(row, Row(name, number)) for number, row in enumerate(rows, start=1))


def releases_in_csv(text: str, *, name: str = "the table") -> tuple[ListedRelease, ...]:
    """The releases of a CSV text."""
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as wrong:
        raise InvalidInput(name, "must be CSV", str(wrong), _ROWS) from wrong
    head, *rows = [[cell.strip() for cell in line] for line in lines if any(cell.strip() for cell in line)] or [[]]
    for number, row in enumerate(rows, start=1):
        if len(row) != len(head):
            rule = f"must have {len(head)} cells, as the first line has"
            raise InvalidInput(f"{name}, row {number}", rule, len(row), _ROWS)
    _require_names(head, name)
    return releases_of([dict(zip(head, row, strict=True)) for row in rows], name=name)


def releases_in_parquet(content: bytes, *, name: str = "the table") -> tuple[ListedRelease, ...]:
    """The releases of a Parquet file; one with too many rows is not read."""
    try:
        file = parquet_file(content)
        number = file.metadata.num_rows
        _require_names(file.schema_arrow.names, name)
        rows = _unpacked(file, name) if number <= MOST_ROWS else []
    except (OSError, ValueError) as wrong:
        if isinstance(wrong, InvalidInput):
            raise
        raise InvalidInput(name, "must be Parquet", "something else", "Write it again, or save it as CSV.") from wrong
    if number > MOST_ROWS:
        raise InvalidInput(name, f"must have 1 to {MOST_ROWS} rows", number, _ROWS)
    return releases_of(rows, name=name)


def _unpacked(file: Any, name: str) -> list[dict[str, object]]:
    """The rows of a Parquet file, a few at a time: a small file may stand for texts that no memory holds."""
    left = MOST_BYTES - sum(file.metadata.row_group(at).total_byte_size for at in range(file.metadata.num_row_groups))
    rows: list[dict[str, object]] = []
    for piece in file.iter_batches(batch_size=_AT_ONCE) if left >= 0 else ():
        left -= piece.nbytes
        if left < 0:
            break
        rows += piece.to_pylist()
    if left < 0:
        raise InvalidInput(name, f"must hold at most {MOST_BYTES:,} bytes", "more", "Shorten its texts.")
    return rows


def from_releases(table: Any, *, name: str = "the table") -> Learned:
    """What all releases of a table come to together."""
    listed = table if _is_listed(table) else releases_of(table, name=name)
    source = f"{len(listed)} {'release' if len(listed) == 1 else 'releases'} in {name}"
    points = (*(() if all(each.unit for each in listed) else (OpenPoint.UNIT,)), OpenPoint.ADAPTIVITY)
    together = together_of([each.series for each in listed])
    return Learned(together.together, source, points, together.named)


def is_table(value: object) -> bool:
    """Whether something is a live table of pyarrow, pandas or polars."""
    return any(hasattr(value, name) for name in ("to_pylist", "iter_rows", "itertuples")) and hasattr(value, "columns")


def _is_listed(table: object) -> bool:
    return isinstance(table, tuple) and all(isinstance(each, ListedRelease) for each in table)


def _require_names(names: Sequence[str], name: str) -> None:
    """Refuse a table in which two columns have one name: only one of them would count."""
    if len(set(names)) < len(names) or "" in names:
        raise InvalidInput(f"{name}: the names of the columns", "must all be there, and differ", list(names), _ROWS)


def _rows(table: Any, name: str) -> Iterable[Mapping[str, object]]:
    """The rows of a table by the names of its columns."""
    if is_table(table):
        _require_names([str(each) for each in getattr(table, "column_names", table.columns)], name)
    if hasattr(table, "to_pylist"):
        return list(table.to_pylist())
    if hasattr(table, "iter_rows"):
        return list(table.iter_rows(named=True))
    if hasattr(table, "itertuples"):
        names = [str(each) for each in table.columns]
        held = table.astype(object).where(table.notna(), None)  # pandas has nan where a cell is empty
        return [dict(zip(names, row, strict=True)) for row in held.itertuples(index=False, name=None)]
    if not isinstance(table, Sequence) or not all(isinstance(row, Mapping) for row in table):
        raise InvalidInput("the table", "must have rows with names", type(table).__name__, _ROWS)
    return table


def _release(row: Mapping[str, object], source: Row) -> ListedRelease:
    """One row; cells that are empty say nothing, and what is no number is not empty."""
    cells = {name: _plain(cell) for name, cell in row.items() if cell is not None}
    for name, cell in cells.items():
        if cell.is_nan() if isinstance(cell, Decimal) else isinstance(cell, float) and math.isnan(cell):
            raise InvalidInput(source.place(name), "must be a number, or empty", cell, _EMPTY)
    given = tabled({name: cell for name, cell in cells.items() if not isinstance(cell, str) or cell}, source)
    about = {name: str(given.values[name]) for name in ABOUT if name in given}
    promise = Given({name: value for name, value in given.values.items() if name not in ABOUT}, source)
    return ListedRelease(promise_of(promise), **about)


def _plain(cell: Any) -> object:
    """A cell without the types of the table's library."""
    return cell.item() if hasattr(cell, "item") else cell
