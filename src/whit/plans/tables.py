"""A plan from plain tables, as files have them, and back: its head, its budgets, its queries, what is not protected.

A query may have one `level`, or `shares` that name a share for each level. Where the queries are rows of one table of
texts, the attributes of each stand in one cell, apart by semicolons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from whit.errors import InvalidInput
from whit.plans.amounts import AMOUNTS
from whit.plans.budget import Budget
from whit.plans.plan import Plan, Unprotected
from whit.plans.query import Kind, Linked, Query
from whit.plans.rows import COLUMNS, amount_of, columns_of, kind_of, named, require_columns
from whit.plans.table import Table
from whit.setting import Neighbours, UnitOfPrivacy

_HEAD = ("name", "unit", "period", "neighbours", "levels", "single", "linked", "source")
_TABLES = ("budget", "query", "unprotected")
_NEIGHBOURS = {"add_remove": Neighbours.ADD_REMOVE, "replace": Neighbours.REPLACE}

_APART = ";"

Tables = Mapping[str, Any]


def plan_of(given: Tables, queries: Table | None = None) -> Plan:
    """The plan of tables; its queries may come from elsewhere.

    Args:
        given: the head by name, and lists of the tables budget, query and unprotected.
        queries: the queries, if they are not among the tables.
    """
    with named("the head of the plan"):
        require_columns(given, (*_HEAD, *_TABLES), ("name", "unit", "neighbours", "levels"))
        head = {
            "name": given["name"],
            "unit": UnitOfPrivacy(given["unit"], *([given["period"]] if "period" in given else [])),
            "neighbours": _one_of("neighbours", given["neighbours"], _NEIGHBOURS),
            "levels": given["levels"],
            "single": given.get("single", []),
            "linked": _one_of("linked", given.get("linked", Linked.WORST.name), Linked.__members__),
            "source": given.get("source", ""),
        }
    head["budgets"] = [_budget(number, row) for number, row in _rows(given, "budget")]
    head["unprotected"] = [_unprotected(number, row) for number, row in _rows(given, "unprotected")]
    listed: Iterable[Query] = (each for number, row in _rows(given, "query") for each in _queries(number, row))
    return Plan.of(listed if queries is None else queries, **head)


def tables_of(plan: Plan) -> dict[str, Any]:
    """The tables of a plan; plan_of reads them back."""
    head: dict[str, Any] = {"name": plan.name, "unit": plan.unit.name, "period": plan.unit.period}
    head |= {"neighbours": plan.neighbours.name.lower(), "levels": list(plan.levels), "single": list(plan.single)}
    head |= {"linked": plan.linked.name, "source": plan.source, "budget": [_of_budget(each) for each in plan.budgets]}
    head["unprotected"] = [{"name": each.name, "reason": each.reason} for each in plan.unprotected]
    kinds = [columns_of(kind) for kind in plan.table.kinds]
    rows = zip(plan.table.names, plan.table.kind_of.tolist(), strict=True)
    return {**head, "query": [{"name": name, **kinds[place]} for name, place in rows]}


def queries_of(rows: Iterator[list[str]]) -> Table:
    """The queries of rows of texts, the first of which names the columns.

    A row that differs from an earlier one in nothing but its name has its kind.
    """
    head = [column.strip() for column in next(rows, [])]
    with named("the head of the table"):
        require_columns(dict.fromkeys(head, "given"), COLUMNS, ("name", "level"))
        for column in head:
            if head.count(column) > 1:
                raise InvalidInput(
                    column, "must be there once", f"{head.count(column)} of them", "Leave out the others."
                )
    first = head.index("name")
    known: dict[tuple[str, ...], int] = {}
    kinds: dict[Kind, int] = {}
    names: list[str] = []
    kind_of_row: list[int] = []
    for number, row in enumerate(rows, start=1):
        name = row[first].strip() if len(row) == len(head) else ""
        key = (*row[:first], *row[first + 1 :])
        if name == "" or key not in known:
            known[key] = kinds.setdefault(_kind(number, head, row), len(kinds))
        names.append(name)
        kind_of_row.append(known[key])
    return Table(tuple(kinds), tuple(names), np.array(kind_of_row, dtype=np.intp))


def rows_of(plan: Plan) -> Iterator[list[str]]:
    """The queries of a plan as rows of texts; queries_of reads them back."""
    columns = [columns_of(kind) for kind in plan.table.kinds]
    used = [column for column in COLUMNS if column == "name" or any(column in each for each in columns)]
    cells = [[_cell(each.get(column, "")) for column in used[1:]] for each in columns]
    yield used
    yield from ([name, *cells[at]] for name, at in zip(plan.table.names, plan.table.kind_of.tolist(), strict=True))


def _cell(value: object) -> str:
    return _APART.join(value) if isinstance(value, list) else str(value)


def _kind(number: int, head: list[str], row: list[str]) -> Kind:
    """The kind of a row; refuses one without a name, or with more or fewer cells than the head."""
    if len(row) != len(head):
        way_out = "Give every column a cell, if need be an empty one."
        raise InvalidInput(f"row {number}", f"must have {len(head)} cells", f"{len(row)} cells", way_out)
    cells = {column: cell.strip() for column, cell in zip(head, row, strict=True)}
    given: dict[str, object] = {column: cell for column, cell in cells.items() if cell}
    with named(f"row {number} ({cells['name']})"):
        require_columns(given, COLUMNS, ("name", "level"))
        listed = str(given.pop("attributes", "")).split(_APART)
        return kind_of({**given, "attributes": [name.strip() for name in listed if name.strip()]})


def _rows(given: Tables, table: str) -> Iterator[tuple[int, dict[str, Any]]]:
    rows = given.get(table, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        way_out = f"Write [[{table}]]."
        raise InvalidInput(f"the plan, column {table}", "must be a list of tables", rows, way_out, parameter=table)
    yield from enumerate(rows, start=1)


def _one_of(name: str, word: object, words: Mapping[str, Any]) -> Any:
    known = {each.lower(): value for each, value in words.items()}
    plain = word.strip().lower().replace("-", "_") if isinstance(word, str) else ""
    if plain not in known:
        raise InvalidInput(name, "must be one of the words for it", repr(word), f"Use one of {', '.join(words)}.")
    return known[plain]


def _budget(number: int, row: dict[str, Any]) -> Budget:
    with named(f"budget {number} ({row.get('name', 'without a name')})", f"budget.{number - 1}"):
        require_columns(row, ("name", "levels", "left", *AMOUNTS), ("name",))
        amount = amount_of(row)
    return Budget(str(row["name"]), amount, row.get("levels", {}), row.get("left", {}))


def _of_budget(budget: Budget) -> dict[str, Any]:
    found: dict[str, Any] = {"name": budget.name, budget.amount.word: str(budget.amount.value)}
    for part, shares in (("levels", budget.levels), ("left", budget.left)):
        found |= {part: {level: str(share) for level, share in shares.items()}} if shares else {}
    return found


def _unprotected(number: int, row: dict[str, Any]) -> Unprotected:
    with named(f"unprotected {number}", f"unprotected.{number - 1}"):
        require_columns(row, ("name", "reason"), ("name", "reason"))
    return Unprotected(str(row["name"]), str(row["reason"]))


def _queries(number: int, row: dict[str, Any]) -> Iterator[Query]:
    """The queries of one table: one, or one for each level that has a share."""
    shares = row.get("shares")
    rest = {column: value for column, value in row.items() if column != "shares"}
    with named(f"row {number} ({row.get('name', 'without a name')})", f"query.{number - 1}"):
        require_columns(rest, COLUMNS, ("name", "level") if shares is None else ("name",))
        for each in _levels(shares, rest):
            yield Query(row["name"], kind_of({**rest, **each}))


def _levels(shares: object, rest: Tables) -> list[dict[str, object]]:
    if shares is None:
        return [{}]
    if not isinstance(shares, dict) or not shares or "share" in rest or "level" in rest:
        way_out = "Write shares = {State = '1/2'}, without share and level."
        raise InvalidInput("shares", "must give a share for each level", shares, way_out)
    return [{"level": level, "share": share} for level, share in shares.items()]
