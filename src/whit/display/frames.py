"""Rows of plain values as a data frame, an Arrow table or CSV. No library is needed before one is asked for."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from io import BytesIO, StringIO
from typing import Any

from whit.errors import missing_extra, unknown_name

Row = Mapping[str, object]
"""The cells of one row by the name of their column: texts, numbers, truth values, or None."""

LIBRARIES = ("pandas", "polars", "pyarrow")
"""The libraries that a frame can be made by."""


def frame(rows: Sequence[Row], library: str = "pandas") -> Any:
    """The rows as a data frame; a cell that a row does not have is empty, and a column of empty cells is left out.

    Args:
        rows: the rows; columns come in the order in which they are first named.
        library: "pandas", "polars" or "pyarrow"; the last makes an Arrow table.
    """
    if library not in LIBRARIES:
        raise unknown_name("a library of data frames", library, LIBRARIES, parameter="library")
    filled = _filled(rows)
    if library == "pyarrow":
        return pyarrow(instead='Ask for to_frame("pandas"), or read to_rows().').table(filled)
    return (_pandas() if library == "pandas" else polars()).DataFrame(filled)


def csv_text(rows: Sequence[Row]) -> str:
    """The rows as CSV with a head; a cell that a row does not have is empty, and numbers keep every bit.

    >>> print(csv_text([{"name": "a", "value": 0.1}, {"name": "b"}]), end="")
    name,value
    a,0.1
    b,
    """
    filled, text = _filled(rows), StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(filled)
    writer.writerows(zip(*filled.values(), strict=True))
    return text.getvalue()


def _filled(rows: Sequence[Row]) -> dict[str, list[object]]:
    """The columns in the order in which they are first named, without those that are empty."""
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: [row.get(name) for row in rows] for name in names}
    return {name: column for name, column in columns.items() if any(each is not None for each in column)}


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as missing:
        instead = 'Ask for to_frame("polars"), or read to_rows().'
        raise missing_extra("pandas", "notebooks", purpose="to make a data frame", instead=instead) from missing
    return pandas


def polars() -> Any:
    """The library polars, or a sentence that says how to install it."""
    try:
        import polars
    except ImportError as missing:
        instead = 'Ask for to_frame("pandas"), or read to_rows().'
        raise missing_extra("polars", "notebooks", purpose="to make its data frame", instead=instead) from missing
    return polars


def pyarrow(*, purpose: str = "to make an Arrow table", instead: str = "") -> Any:
    """The library pyarrow, or a sentence that says how to install it."""
    try:
        import pyarrow
    except ImportError as missing:
        raise missing_extra("pyarrow", "tables", purpose=purpose, instead=instead) from missing
    return pyarrow


def parquet_file(content: bytes) -> Any:
    """A Parquet file of pyarrow, opened and not yet read: its metadata say how many rows it has.

    What is no Parquet is an OSError or a ValueError, as pyarrow raises it.
    """
    pyarrow(purpose="to read Parquet", instead="Save the table as CSV.")
    from pyarrow.parquet import ParquetFile

    return ParquetFile(BytesIO(content))


class Tabular:
    """A value that is rows of plain values by column."""

    __slots__ = ()

    def to_rows(self) -> Sequence[Row]:
        """The value as rows of plain values by column."""
        raise NotImplementedError

    def to_frame(self, library: str = "pandas") -> Any:
        """The rows as a data frame of "pandas" or "polars", or as an Arrow table of "pyarrow"."""
        return frame(self.to_rows(), library)

    def to_csv(self) -> str:
        """The rows as CSV with a head; numbers keep every bit."""
        return csv_text(self.to_rows())
