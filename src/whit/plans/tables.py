"""A plan from plain tables, as files have them, and back: its head, its budgets, its queries, what is not protected.

A query may have one `level`, or `shares` that name a share for each level. Where the queries are rows of one table of
texts, the attributes of each stand in one cell, apart by semicolons. Whatever is wrong is named by its row and column.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from whit.errors import Incompatible, InvalidInput
from whit.mechanisms import DiscreteGaussian
from whit.plans.amounts import AMOUNTS, LAWS, Amount, Law, fraction
from whit.plans.plan import Budget, Plan, Unprotected, unknown_name
from whit.plans.query import Cells, Kind, Linked, Query, Share, Table
from whit.setting import Neighbours, UnitOfPrivacy

# How many cells a record touches where a table does not say it.
_USUAL = {"add_remove": Cells().add_remove, "replace": Cells().replace, "change": str(Cells().change)}

# The columns of a table of queries; those left empty have their usual values.
_COLUMNS = ("name", "attributes", "level", "counts", "mechanism", "budget", "share", *AMOUNTS, *_USUAL)

_PARAMETER = "Give budget and share, or one of rho, mu, sigma and epsilon."
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
    with _named("the head of the plan"):
        _require_columns(given, (*_HEAD, *_TABLES), ("name", "unit", "neighbours", "levels"))
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
    named = [{"name": each.name, "reason": each.reason, "file": each.file} for each in plan.unprotected]
    head["unprotected"] = [{key: value for key, value in each.items() if value} for each in named]
    kinds = [_columns_of(kind) for kind in plan.table.kinds]
    return {**head, "query": [{"name": name, **kinds[place]} for name, place in plan.table.entries()]}


def queries_of(rows: Iterator[list[str]]) -> Table:
    """The queries of rows of texts, the first of which names the columns, with hyphens and capitals or without.

    A row that differs from an earlier one in nothing but its name has its kind.
    """
    head = [_plain(column) for column in next(rows, [])]
    with _named("the head of the table"):
        _require_columns(dict.fromkeys(head, "given"), _COLUMNS, ("name", "level"))
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
    columns = [_columns_of(kind) for kind in plan.table.kinds]
    used = [column for column in _COLUMNS if column == "name" or any(column in each for each in columns)]
    cells = [[_cell(each.get(column, "")) for column in used[1:]] for each in columns]
    yield used
    yield from ([name, *cells[place]] for name, place in plan.table.entries())


def _cell(value: object) -> str:
    return _APART.join(value) if isinstance(value, list) else str(value)


def _kind(number: int, head: list[str], row: list[str]) -> Kind:
    """The kind of a row; refuses one without a name, or with more or fewer cells than the head."""
    if len(row) != len(head):
        way_out = "Give every column a cell, if need be an empty one."
        raise InvalidInput(f"row {number}", f"must have {len(head)} cells", f"{len(row)} cells", way_out)
    cells = {column: cell.strip() for column, cell in zip(head, row, strict=True)}
    given: dict[str, object] = {column: cell for column, cell in cells.items() if cell}
    with _named(f"row {number} ({cells['name']})"):
        _require_columns(given, _COLUMNS, ("name", "level"))
        listed = str(given.pop("attributes", "")).split(_APART)
        return _kind_of({**given, "attributes": [name.strip() for name in listed if name.strip()]})


def _rows(given: Tables, table: str) -> Iterator[tuple[int, dict[str, Any]]]:
    rows = given.get(table, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        way_out = f"Write [[{table}]]."
        raise InvalidInput(f"the plan, column {table}", "must be a list of tables", rows, way_out, parameter=table)
    yield from enumerate(rows, start=1)


def _one_of(name: str, word: object, words: Mapping[str, Any]) -> Any:
    known = {each.lower(): value for each, value in words.items()}
    if _plain(word) not in known:
        raise InvalidInput(name, "must be one of the words for it", repr(word), f"Use one of {', '.join(words)}.")
    return known[_plain(word)]


def _plain(word: object) -> str:
    """A word without regard to capitals and hyphens; nothing for what is no text."""
    return word.strip().lower().replace("-", "_") if isinstance(word, str) else ""


def _budget(number: int, row: dict[str, Any]) -> Budget:
    with _named(f"budget {number} ({row.get('name', 'without a name')})", f"budget.{number - 1}"):
        _require_columns(row, ("name", "levels", "left", *AMOUNTS), ("name",))
        amount = _amount_of(row)
    return Budget(str(row["name"]), amount, row.get("levels", {}), row.get("left", {}))


def _of_budget(budget: Budget) -> dict[str, Any]:
    found: dict[str, Any] = {"name": budget.name, budget.amount.word: str(budget.amount.value)}
    for part, shares in (("levels", budget.levels), ("left", budget.left)):
        found |= {part: {level: str(share) for level, share in shares.items()}} if shares else {}
    return found


def _unprotected(number: int, row: dict[str, Any]) -> Unprotected:
    with _named(f"unprotected {number}", f"unprotected.{number - 1}"):
        _require_columns(row, ("name", "reason", "file"), ("name", "reason"))
    return Unprotected(str(row["name"]), str(row["reason"]), file=str(row.get("file", "")))


def _queries(number: int, row: dict[str, Any]) -> Iterator[Query]:
    """The queries of one table: one, or one for each level that has a share."""
    shares = row.get("shares")
    rest = {column: value for column, value in row.items() if column != "shares"}
    with _named(f"row {number} ({row.get('name', 'without a name')})", f"query.{number - 1}"):
        _require_columns(rest, _COLUMNS, ("name", "level") if shares is None else ("name",))
        for each in _levels(shares, rest):
            yield Query(row["name"], _kind_of({**rest, **each}))


def _levels(shares: object, rest: Tables) -> list[dict[str, object]]:
    if shares is None:
        return [{}]
    if not isinstance(shares, dict) or not shares or "share" in rest or "level" in rest:
        way_out = "Write shares = {State = '1/2'}, without share and level."
        raise InvalidInput("shares", "must give a share for each level", shares, way_out)
    return [{"level": level, "share": share} for level, share in shares.items()]


@contextmanager
def _named(place: str, path: str = "") -> Iterator[None]:
    """Put the place, such as "row 3 (age)", before the name of what is wrong; the name is that of the column.

    The path, such as "query.2", leads to the row in the tables of a file: an error then knows its parameter by it.
    """
    try:
        yield
    except (InvalidInput, Incompatible) as wrong:
        parameter = f"{path}.{wrong.parameter}" if wrong.parameter else path
        raise type(wrong)(
            f"{place}, column {wrong.name}", wrong.rule, wrong.value, wrong.way_out, parameter=parameter.lstrip(".")
        ) from wrong


def _require_columns(given: Mapping[str, object], known: tuple[str, ...], needed: tuple[str, ...]) -> None:
    """Refuse columns that nobody knows, and the lack of one that is needed."""
    for column in given:
        if column not in known:
            way_out = unknown_name("a column", str(column), known).way_out
            raise InvalidInput(str(column), "is not known", str(column), way_out)
    for column in needed:
        if given.get(column) in (None, ""):
            raise InvalidInput(column, "must be given", "nothing", f"State {column} there.")


def _kind_of(given: Mapping[str, object]) -> Kind:
    """The kind of a query whose columns hold this; the columns attributes and level are already there."""
    return Kind(
        attributes=given.get("attributes", ()),  # type: ignore[arg-type]
        level=given.get("level"),  # type: ignore[arg-type]
        parameter=_parameter(given),
        law=_law(given.get("mechanism", DiscreteGaussian.parameter.word)),
        cells=_cells(given),
        counts=given.get("counts", ""),  # type: ignore[arg-type]
    )


def _columns_of(kind: Kind) -> dict[str, object]:
    """What the columns of a query of this kind hold, except its name."""
    found: dict[str, object] = {"attributes": list(kind.attributes), "level": kind.level}
    found |= {} if kind.counts == "" else {"counts": kind.counts}
    found |= {} if kind.law is DiscreteGaussian else {"mechanism": kind.law.parameter.option}
    if isinstance(kind.parameter, Share):
        found |= {"budget": kind.parameter.budget, "share": str(kind.parameter.share)}
    else:
        found |= {kind.parameter.word: str(kind.parameter.value)}
    cells = {"add_remove": kind.cells.add_remove, "replace": kind.cells.replace, "change": str(kind.cells.change)}
    return found | {column: value for column, value in cells.items() if value != _USUAL[column]}


def _amount_of(given: Mapping[str, object]) -> Amount:
    """The one amount among rho, mu, sigma and epsilon."""
    words = [word for word in AMOUNTS if word in given]
    if len(words) != 1:
        raise InvalidInput("parameter", "must be given once", ", ".join(words) or "nothing", _PARAMETER)
    return AMOUNTS[words[0]](given[words[0]])


def _parameter(given: Mapping[str, object]) -> Amount | Share:
    shared, own = "share" in given or "budget" in given, any(word in given for word in AMOUNTS)
    if shared and own:
        raise InvalidInput("parameter", "must be given once", "a share and an amount", _PARAMETER)
    if not shared:
        return _amount_of(given)
    for column in ("budget", "share"):
        if column not in given:
            raise InvalidInput(column, "must be given", "nothing", _PARAMETER)
    return Share(str(given["budget"]), given["share"])


def _law(name: object) -> Law:
    if _plain(name) not in LAWS:
        listed = ", ".join(law.parameter.option for law in LAWS.values())
        raise InvalidInput("mechanism", "must be a law of noise", name, f"Use one of {listed}.")
    return LAWS[_plain(name)]


def _cells(given: Mapping[str, object]) -> Cells:
    value = {**_USUAL, **given}
    whole = {column: _whole(column, value[column]) for column in ("add_remove", "replace")}
    return Cells(**whole, change=fraction("change", value["change"], "Use a number such as 1."))


def _whole(column: str, value: object) -> int:
    way_out = "Use a whole number of cells, such as 2."
    number = fraction(column, value, way_out)
    if number.denominator != 1:
        raise InvalidInput(column, "must be a whole number", str(number), way_out)
    return int(number)
