"""How DuckDB reads a file: each column once, and no number that becomes 0 or infinite.

DuckDB gives the second of two columns of one name another one, and reads 1e-400 as 0, which would be perfect privacy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from whit.notations import require_columns_once

READERS = {
    ".parquet": "read_parquet({file}{rows})",
    ".csv": "read_csv({file}, sample_size = -1{texts}{rows})",
    ".tsv": "read_csv({file}, sample_size = -1, delim = '\\t'{texts}{rows})",
}
"""How a file is read, by its ending; a CSV is read whole once before its types are settled."""

_NAMED = ", filename = true"
_NUMBERED = f", file_row_number = true{_NAMED}"
_ROW = "row_number() OVER (PARTITION BY filename) - 1"
_DIALECT = {"Delimiter": "delim", "Quote": "quote", "Escape": "escape", "Comment": "comment", "SkipRows": "skip"}
_NO_SIGN = "(empty)"


def ending(file: str) -> str:
    """The ending of a file, in small letters."""
    return Path(file).suffix.lower()


def rows_of(file: str, *, lost: Mapping[str, str] | None = None, numbered: bool = False) -> str:
    """The query of the rows of a file, or of several by a pattern.

    Args:
        file: the file.
        lost: columns of doubles in CSV, each with the name of a new one: the text of what was read as 0 or infinite.
        numbered: whether the name of the file and the number of the row, counted from 0, stand beside each row.
    """
    found = f"{_columns(lost or {})} FROM {_reader(file, lost or {}, numbered=numbered)}"
    own = not numbered or ending(file) == ".parquet"
    return found if own else f"SELECT *, {_ROW} AS file_row_number FROM ({found})"


def distinct(keys: Iterable[str], texts: Iterable[str], rows: str) -> str:
    """The query of the distinct keys among rows, each with a list of the texts that were read as one of its numbers."""
    named, lists = ", ".join(keys), "".join(f", list({text}) AS {text}" for text in texts)
    query = f"SELECT DISTINCT {', '.join([named, *texts])} FROM ({rows})"
    return f"SELECT {named}{lists} FROM ({query}) GROUP BY {named}" if lists else query


def _columns(lost: Mapping[str, str]) -> str:
    """The columns as they are read without their texts, and the texts."""
    numbers = {column: f"TRY_CAST({sql_name(column)} AS DOUBLE)" for column in lost}
    typed = ", ".join(f"{number} AS {sql_name(column)}" for column, number in numbers.items())
    texts = [
        f", CASE WHEN {number} = 0 OR isinf({number}) THEN {sql_name(column)} END AS {lost[column]}"
        for column, number in numbers.items()
    ]
    return f"SELECT * REPLACE ({typed}){''.join(texts)}" if lost else "SELECT *"


def _reader(file: str, texts: Iterable[str] = (), *, numbered: bool = False) -> str:
    types = ", ".join(f"{sql_text(column)}: 'VARCHAR'" for column in texts)
    rows = (_NUMBERED if ending(file) == ".parquet" else _NAMED) if numbered else ""
    return READERS[ending(file)].format(file=sql_text(file), texts=f", types = {{{types}}}" if types else "", rows=rows)


def require_heads(base: Any, file: str) -> None:
    """Refuse a file, or one of several, with two columns of one name."""
    heads = _parquet_heads if ending(file) == ".parquet" else _csv_heads
    for path, names in heads(base, file):
        require_columns_once(names, Path(path).name)


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
