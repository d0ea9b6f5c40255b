"""Rows of published tables in files: CSV with a value and a flag, SDMX-CSV, and the .tab files of tau-ARGUS."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from whit.errors import InvalidInput, shown
from whit.notations import require_columns_once
from whit.spec.hierarchy_file import Description

VALUES = ("value", "obs_value", "count", "n", "freq", "frequency", "obs")
"""Names of the column with the values where nobody says which it is, in small letters."""

FLAGS = ("flag", "conf_status", "obs_conf", "status", "flags")
"""Names of the column with the flags; SDMX has the second, and the European Central Bank the third."""

CANNOT_EXIST = "M"
"""The mark of SDMX in OBS_STATUS for a cell about nobody, such as married children: every reader knows that it is 0."""

MOST_CELLS = 2_000_000
"""The most rows of one file."""

_NOT_CODES = ("structure", "structure_id", "structure_name", "action", "dataflow")
_MARKS = re.compile(r"[:.xXcC*-]*|n/?a|NA", flags=re.ASCII)
_HEADER = "Give the table a first line with the names of its columns, one of them value."


@dataclass(frozen=True)
class Row:
    """One cell as it stands in a file: its codes, its value as a text (empty if withheld), its flag, and its line."""

    codes: tuple[str, ...]
    value: str
    flag: str
    line: int


@dataclass(frozen=True)
class Rows:
    """The cells of a file.

    file         its name
    dimensions   the names of the columns with codes
    rows         one for each cell
    is_sdmx      whether the flags are those of SDMX
    """

    file: str
    dimensions: tuple[str, ...]
    rows: tuple[Row, ...]
    is_sdmx: bool = False

    def codes(self, place: int) -> list[str]:
        """Every code of a column."""
        return list(dict.fromkeys(row.codes[place] for row in self.rows))

    def without_constant(self) -> Rows:
        """The same without columns that have one code only, which tell nothing."""
        kept = [place for place in range(len(self.dimensions)) if len(self.codes(place)) > 1]
        rows = tuple(Row(tuple(row.codes[at] for at in kept), row.value, row.flag, row.line) for row in self.rows)
        return Rows(self.file, tuple(self.dimensions[at] for at in kept), rows, self.is_sdmx)


def rows_of_csv(text: str, file: str, said: Mapping[str, str | Sequence[str]] | None = None) -> Rows:
    """The cells of a CSV file with a header; several columns of codes, one of values, perhaps one of flags.

    said   the names of columns: dimensions, value and flag, where a file names them
    """
    said = said or {}
    lines = _lines(text, file, _separator(text))
    head = next((line for _, line in lines), [])
    require_columns_once(head, f"the first line of {file}")
    names = {name.strip().lower(): place for place, name in enumerate(head)}
    value = _column(names, file, "value", str(said.get("value", "")), VALUES)
    flag = _column(names, file, "flag", str(said.get("flag", "")), FLAGS)
    if value is None:
        raise InvalidInput(f"the first line of {file}", "must name a column of values", _named(head), _HEADER)
    is_sdmx = head[value].strip().lower() == "obs_value"
    codes = _code_columns(head, file, said.get("dimensions", ()), (value, flag), is_sdmx)
    status = names.get("obs_status") if is_sdmx else None
    rows = tuple(
        Row(
            tuple(line[at].strip() for at in codes),
            value_text(line[value]) or ("0" if status is not None and line[status].strip() == CANNOT_EXIST else ""),
            "" if flag is None else line[flag].strip(),
            n,
        )
        for n, line in lines
    )
    return _once(Rows(file, tuple(head[at].strip() for at in codes), tuple(rows), is_sdmx))


def rows_of_tab(text: str, file: str, description: Description) -> Rows:
    """The cells of a .tab file, as an .rda file describes it; a mark other than that of safe cells withholds."""
    columns = description.columns
    codes = [at for at, column in enumerate(columns) if column.role == "code"]
    require_columns_once([columns[at].name for at in codes], f"the description of {file}")
    value = next(at for at, column in enumerate(columns) if column.role == "value")
    status = next((at for at, column in enumerate(columns) if column.role == "status"), None)
    rows = []
    for number, line in _lines(text, file, description.separator, width=len(columns)):
        marked = "" if status is None else line[status].strip().lower()
        flag = "" if marked in ("", *description.safe) else marked
        rows.append(Row(tuple(line[at].strip() for at in codes), value_text(line[value]), flag, number))
    return _once(Rows(file, tuple(columns[at].name for at in codes), tuple(rows)))


def _named(head: Sequence[str]) -> str:
    """The names of columns as a message has them."""
    return shown(", ".join(head)) or "nothing"


def value_text(text: str) -> str:
    """A value without blanks and without the signs that stand for a withheld one.

    >>> value_text(" 1 234 "), value_text(":c"), value_text("..")
    ('1234', '', '')
    """
    found = re.sub(r"[\s\u00a0\u202f']", "", text)
    return "" if _MARKS.fullmatch(found) else found


def _separator(text: str) -> str:
    """The sign between columns: whichever of three is most frequent in the first line."""
    first = text.split("\n", 1)[0]
    return max((",", ";", "\t"), key=first.count)


def _lines(text: str, file: str, separator: str, *, width: int = 0) -> Iterator[tuple[int, list[str]]]:
    """The lines that are not empty, each with its number; all of them have as many entries as the first."""
    try:
        for at, line in enumerate(csv.reader(text.splitlines(), delimiter=separator, strict=True), start=1):
            if not any(entry.strip() for entry in line):
                continue
            width = width or len(line)
            if len(line) != width:
                rule, way_out = f"must have {width} entries, as the first line has", "Complete the line."
                raise InvalidInput(f"{file}, line {at}:", rule, len(line), way_out)
            if at > MOST_CELLS:
                raise InvalidInput(file, f"must have at most {MOST_CELLS} lines", "more", "Audit its parts.")
            yield at, line
    except csv.Error as wrong:
        raise InvalidInput(file, f"must be a table of entries ({wrong})", "something else", _HEADER) from wrong


def _column(names: Mapping[str, int], file: str, what: str, said: str, usual: Sequence[str]) -> int | None:
    """The place of a column: the one that is named, else one with a usual name."""
    if said:
        if said.lower() not in names:
            raise InvalidInput(f"the {what} column of {file}", "must be one of its columns", said, _HEADER)
        return names[said.lower()]
    return next((names[name] for name in usual if name in names), None)


def _code_columns(
    head: Sequence[str], file: str, said: str | Sequence[str], others: Sequence[int | None], is_sdmx: bool
) -> list[int]:
    """The places of the columns with codes: those that are named, else all others; in SDMX those before the value."""
    plain = [name.strip().lower() for name in head]
    if said:
        missing = [name for name in said if name.lower() not in plain]
        if missing:
            raise InvalidInput(f"a dimension of {file}", "must be one of its columns", missing[0], _HEADER)
        return [plain.index(name.lower()) for name in said]
    last = plain.index("obs_value") if is_sdmx else len(plain)
    found = [at for at in range(last) if at not in others and not (is_sdmx and plain[at] in _NOT_CODES)]
    if not found:
        raise InvalidInput(f"the first line of {file}", "must name a column of codes", shown(", ".join(head)), _HEADER)
    return found


def _once(rows: Rows) -> Rows:
    """The rows, if no cell is there twice and there is at least one."""
    seen: dict[tuple[str, ...], int] = {}
    for row in rows.rows:
        if row.codes in seen:
            rule = f"must be about another cell than line {seen[row.codes]}"
            raise InvalidInput(f"{rows.file}, line {row.line}:", rule, " × ".join(row.codes), "Keep one of them.")
        seen[row.codes] = row.line
    if not rows.rows:
        raise InvalidInput(rows.file, "must have cells", "none", _HEADER)
    return rows
