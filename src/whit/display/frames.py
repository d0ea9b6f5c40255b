"""Rows of plain values as a data frame. Neither pandas nor polars is needed before somebody asks for one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from whit.errors import missing_extra, unknown_name

Row = Mapping[str, object]
"""The cells of one row by the name of their column: texts, numbers, truth values, or None."""

LIBRARIES = ("pandas", "polars")
"""The libraries that a frame can be made by."""


def frame(rows: Sequence[Row], library: str = "pandas") -> Any:
    """The rows as a data frame; a cell that a row does not have is empty, and a column of empty cells is left out.

    Args:
        rows: the rows; columns come in the order in which they are first named.
        library: "pandas" or "polars".
    """
    if library not in LIBRARIES:
        raise unknown_name("a library of data frames", library, LIBRARIES, parameter="library")
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: [row.get(name) for row in rows] for name in names}
    filled = {name: column for name, column in columns.items() if any(each is not None for each in column)}
    return (_pandas() if library == "pandas" else _polars()).DataFrame(filled)


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as missing:
        instead = 'Ask for to_frame("polars"), or read to_rows().'
        raise missing_extra("pandas", "notebooks", purpose="to make a data frame", instead=instead) from missing
    return pandas


def _polars() -> Any:
    try:
        import polars
    except ImportError as missing:
        instead = 'Ask for to_frame("pandas"), or read to_rows().'
        raise missing_extra("polars", "notebooks", purpose="to make its data frame", instead=instead) from missing
    return polars
