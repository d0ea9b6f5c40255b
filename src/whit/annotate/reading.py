"""How DuckDB reads a file, and that each of its columns is there once: the second of two gets another name there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from whit.annotate.columns import require_once

READERS = {
    ".parquet": "read_parquet({file}{rows})",
    ".csv": "read_csv({file}, sample_size = -1{rows})",
    ".tsv": "read_csv({file}, sample_size = -1, delim = '\\t'{rows})",
}
"""How a file is read, by its ending; a CSV is read whole once before its types are settled."""

_NUMBERED = {".parquet": ", file_row_number = true, filename = true"}
_DIALECT = {"Delimiter": "delim", "Quote": "quote", "Escape": "escape", "Comment": "comment", "SkipRows": "skip"}
_NO_SIGN = "(empty)"


def ending(file: str) -> str:
    """The ending of a file, in small letters."""
    return Path(file).suffix.lower()


def rows_of(file: str) -> str:
    """The query of the rows of a file, or of several by a pattern."""
    return f"FROM {_reader(file)}"


def numbered_rows(file: str) -> str:
    """The same with the name of the file and the number of the row beside each row, counted from 0."""
    rows = f"FROM {_reader(file, _NUMBERED.get(ending(file), ', filename = true'))}"
    number = "row_number() OVER (PARTITION BY filename) - 1"
    return rows if ending(file) in _NUMBERED else f"SELECT *, {number} AS file_row_number {rows}"


def _reader(file: str, rows: str = "") -> str:
    return READERS[ending(file)].format(file=sql_text(file), rows=rows)


def require_columns_once(base: Any, file: str) -> None:
    """Refuse a file, or one of several, with two columns of one name."""
    heads = _parquet_heads if ending(file) == ".parquet" else _csv_heads
    for path, names in heads(base, file):
        require_once(names, of=Path(path).name)


def _parquet_heads(base: Any, file: str) -> Iterator[tuple[str, list[str]]]:
    """The outer columns of each file; those inside of a column follow it."""
    query = f"SELECT file_name, name, coalesce(num_children, 0) FROM parquet_schema({sql_text(file)})"
    found: dict[str, list[str]] = {}
    inside: dict[str, int] = {}
    for path, name, children in base.execute(query).fetchall():
        if path not in found:  # the root
            found[path], inside[path] = [], 0
        elif inside[path]:
            inside[path] += children - 1
        else:
            found[path].append(name)
            inside[path] = children
    yield from found.items()


def _csv_heads(base: Any, file: str) -> Iterator[tuple[str, list[str]]]:
    """The first line of each file in which DuckDB may have given a column another name."""
    tabs = ", delim = '\\t'" if ending(file) == ".tsv" else ""
    for (path,) in base.execute(f"FROM glob({sql_text(file)})").fetchall():
        told = base.execute(f"FROM sniff_csv({sql_text(path)}{tabs})")
        [values] = told.fetchall()
        dialect = dict(zip([column[0] for column in told.description], values, strict=True))
        names = {column["name"].lower() for column in dialect["Columns"]}
        if dialect["HasHeader"] and any(_before_the_number(name) in names for name in names):
            yield path, _first_line(base, path, dialect)


def _before_the_number(name: str) -> str:
    """What a name was before DuckDB put a number behind it, if it did."""
    head, _, number = name.rpartition("_")
    return head if number.isdigit() else ""


def _first_line(base: Any, path: str, dialect: dict[str, Any]) -> list[str]:
    """The names as they are written."""
    told = {option: dialect[name] for name, option in _DIALECT.items()}
    signs = {option: "" if sign == _NO_SIGN else sign for option, sign in told.items()}
    options = ", ".join(f"{each} = {sql_text(sign) if isinstance(sign, str) else sign}" for each, sign in signs.items())
    query = f"FROM read_csv({sql_text(path)}, header = false, all_varchar = true, {options}) LIMIT 1"
    [names] = base.execute(query).fetchall()
    return [name or "" for name in names]


def sql_name(column: str) -> str:
    """A name in SQL."""
    return '"' + column.replace('"', '""') + '"'


def sql_text(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"
