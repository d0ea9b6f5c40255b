"""The queries of a plan as CSV: one row for each query, attributes apart by semicolons."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

import numpy as np

from whit.errors import InvalidInput
from whit.plans.files.columns import COLUMNS, columns_of, named, require_columns
from whit.plans.files.columns import kind_of as kind_of_columns
from whit.plans.plan import Plan
from whit.plans.query import Kind
from whit.plans.table import Table
from whit.setting import UnitOfPrivacy

_APART = ";"


def plan_from_csv(
    text: str, *, name: str, unit: UnitOfPrivacy, levels: list[str] | tuple[str, ...], **head: Any
) -> Plan:
    """The plan whose queries are in this CSV text; what is not in a table is given by name, as for Plan.of.

    >>> from whit.setting import PERSON
    >>> text = "name,attributes,level,sigma" + chr(10) + "sex by age,sex;age,County,10"
    >>> plan_from_csv(text, name="a table", unit=PERSON, levels=["County"])
    <a table: 1 queries of 1 kinds>
    """
    return Plan.of(_table(text), name=name, unit=unit, levels=levels, **head)


def to_csv(plan: Plan) -> str:
    """The queries of a plan as CSV text; plan_from_csv reads it back."""
    columns = [columns_of(kind) for kind in plan.table.kinds]
    used = [column for column in COLUMNS if column == "name" or any(column in each for each in columns)]
    cells = [[_written(each.get(column, "")) for column in used[1:]] for each in columns]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(used)
    writer.writerows(
        [name, *cells[place]] for name, place in zip(plan.table.names, plan.table.kind_of.tolist(), strict=True)
    )
    return out.getvalue()


def _written(value: object) -> str:
    return _APART.join(value) if isinstance(value, list) else str(value)


def _table(text: str) -> Table:
    """The queries of the rows; a row that differs from an earlier one in nothing but its name has its kind."""
    rows = _rows(text)
    head = [column.strip() for column in next(rows, [])]
    require_columns("the head of the table", dict.fromkeys(head, "given"), COLUMNS, ("name", "level"))
    first = head.index("name")
    known: dict[tuple[str, ...], int] = {}
    kinds: dict[Kind, int] = {}
    names: list[str] = []
    kind_of: list[int] = []
    for number, row in enumerate(rows, start=1):
        name = row[first].strip() if len(row) == len(head) else ""
        key = (*row[:first], *row[first + 1 :])
        if name == "" or key not in known:
            kind = _kind(number, head, row)
            known[key] = kinds.setdefault(kind, len(kinds))
        names.append(name)
        kind_of.append(known[key])
    return Table(tuple(kinds), tuple(names), np.array(kind_of, dtype=np.intp))


def _rows(text: str) -> Iterator[list[str]]:
    """The rows that are not empty; the mark at the beginning that some spreadsheets write is left out."""
    try:
        yield from (row for row in csv.reader(io.StringIO(text.removeprefix("\ufeff")), strict=True) if row)
    except csv.Error as wrong:
        raise InvalidInput("the table", "must be CSV", str(wrong), "Check quotes and separators.") from wrong


def _kind(number: int, head: list[str], row: list[str]) -> Kind:
    """The kind of a row; refuses one without a name, or with more or fewer cells than the head."""
    if len(row) != len(head):
        way_out = "Give every column a cell, if need be an empty one."
        raise InvalidInput(f"row {number}", f"must have {len(head)} cells", f"{len(row)} cells", way_out)
    cells = {column: cell.strip() for column, cell in zip(head, row, strict=True)}
    place = f"row {number} ({cells['name']})"
    given: dict[str, object] = {column: cell for column, cell in cells.items() if cell}
    require_columns(place, given, COLUMNS, ("name", "level"))
    listed = str(given.pop("attributes", "")).split(_APART)
    given["attributes"] = [name.strip() for name in listed if name.strip()]
    with named(place):
        return kind_of_columns(given)
