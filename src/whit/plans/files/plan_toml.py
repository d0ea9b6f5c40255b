"""A whole plan as TOML: its head, its budgets, its queries, and what is not protected.

A query may have one `level`, or `shares` that name a share for each level. The queries may also stand in a CSV file
beside the plan, named by `queries`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path

from whit.errors import InvalidInput
from whit.plans.amounts import AMOUNTS
from whit.plans.budget import Budget
from whit.plans.exact import shown
from whit.plans.files.columns import COLUMNS, amount_of, columns_of, kind_of, named, require_columns
from whit.plans.files.table_csv import plan_from_csv
from whit.plans.plan import Plan, Unprotected
from whit.plans.query import Linked, Query
from whit.setting import Neighbours, UnitOfPrivacy

_HEAD = ("name", "unit", "period", "neighbours", "levels", "single", "linked", "source", "queries")
_TABLES = ("budget", "query", "unprotected")
_NEIGHBOURS = {"add_remove": Neighbours.ADD_REMOVE, "replace": Neighbours.REPLACE}

Tables = Mapping[str, object]


def load(path: str | Path) -> Plan:
    """The plan in a TOML file; its queries may be in a CSV file beside it."""
    file = Path(path)
    return plan_from_toml(_text(file), beside=file.parent)


def plan_from_toml(text: str, *, beside: Path | None = None) -> Plan:
    """The plan in this TOML text.

    Args:
        text: the plan.
        beside: the folder of the CSV file that `queries` names, if it names one.
    """
    try:
        given = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as wrong:
        raise InvalidInput("the plan", "must be TOML", str(wrong), "Correct the line.") from wrong
    place = "the head of the plan"
    require_columns(place, given, (*_HEAD, *_TABLES), ("name", "unit", "neighbours", "levels"))
    with named(place):
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
    if "queries" in given:
        return plan_from_csv(_beside(given, beside), **head)
    return Plan.of((each for n, row in _rows(given, "query") for each in _queries(n, row)), **head)


def to_toml(plan: Plan) -> str:
    """The plan as TOML text; plan_from_toml reads it back."""
    head: dict[str, object] = {"name": plan.name, "unit": plan.unit.name, "period": plan.unit.period}
    head |= {"neighbours": plan.neighbours.name.lower(), "levels": list(plan.levels), "single": list(plan.single)}
    head |= {"linked": plan.linked.name, "source": plan.source}
    blocks = [_lines(head)]
    blocks += [f"[[budget]]\n{_lines(_of_budget(each))}" for each in plan.budgets]
    blocks += [f"[[unprotected]]\n{_lines({'name': each.name, 'reason': each.reason})}" for each in plan.unprotected]
    kinds = [_lines(columns_of(kind)) for kind in plan.table.kinds]
    rows = zip(plan.table.names, plan.table.kind_of.tolist(), strict=True)
    blocks += [f"[[query]]\n{_lines({'name': name})}{kinds[place]}" for name, place in rows]
    return "\n".join(blocks)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        why = getattr(wrong, "strerror", None) or "it is not text in UTF-8"
        way_out = f"It cannot, because: {why}."
        raise InvalidInput("the file of a plan", "must be text that can be read", str(file), way_out) from wrong


def _beside(given: Tables, folder: Path | None) -> str:
    name = given["queries"]
    if folder is None or not isinstance(name, str) or "query" in given:
        way_out = "Use load(path), give the name of a CSV file, and leave out [[query]]."
        raise InvalidInput("the head of the plan, column queries", "must name a file beside the plan", name, way_out)
    return _text(folder / name)


def _rows(given: Tables, table: str) -> Iterator[tuple[int, dict[str, object]]]:
    rows = given.get(table, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InvalidInput(f"the plan, column {table}", "must be a list of tables", table, f"Write [[{table}]].")
    yield from enumerate(rows, start=1)


def _one_of(name: str, word: object, words: Mapping[str, object]) -> object:
    if not isinstance(word, str) or word not in words:
        raise InvalidInput(name, "must be one of the words for it", repr(word), f"Use one of {', '.join(words)}.")
    return words[word]


def _budget(number: int, row: dict[str, object]) -> Budget:
    place = f"budget {number} ({row.get('name', 'without a name')})"
    require_columns(place, row, ("name", "levels", "left", *AMOUNTS), ("name",))
    with named(place):
        amount = amount_of(row)
    return Budget(str(row["name"]), amount, row.get("levels", {}), row.get("left", {}))  # type: ignore[arg-type]


def _of_budget(budget: Budget) -> dict[str, object]:
    found: dict[str, object] = {"name": budget.name, budget.amount.word: shown(budget.amount.value)}
    for part, shares in (("levels", budget.levels), ("left", budget.left)):
        found |= {part: {level: shown(share) for level, share in shares.items()}} if shares else {}
    return found


def _unprotected(number: int, row: dict[str, object]) -> Unprotected:
    place = f"unprotected {number}"
    require_columns(place, row, ("name", "reason"), ("name", "reason"))
    return Unprotected(str(row["name"]), str(row["reason"]))


def _queries(number: int, row: dict[str, object]) -> Iterator[Query]:
    """The queries of one table: one, or one for each level that has a share."""
    place = f"row {number} ({row.get('name', 'without a name')})"
    shares = row.get("shares")
    if shares is None:
        require_columns(place, row, COLUMNS, ("name", "level"))
    else:
        require_columns(place, row, (*COLUMNS, "shares"), ("name",))
    rest = {column: value for column, value in row.items() if column != "shares"}
    with named(place):
        for each in _levels(shares, rest):
            yield Query(row["name"], kind_of({**rest, **each}))  # type: ignore[arg-type]


def _levels(shares: object, rest: Tables) -> list[dict[str, object]]:
    if shares is None:
        return [{}]
    if not isinstance(shares, dict) or not shares or "share" in rest or "level" in rest:
        way_out = "Write shares = {State = '1/2'}, without share and level."
        raise InvalidInput("shares", "must give a share for each level", shares, way_out)
    return [{"level": level, "share": share} for level, share in shares.items()]


def _lines(values: Mapping[str, object]) -> str:
    return "".join(f"{name} = {_written(value)}\n" for name, value in values.items())


def _written(value: object) -> str:
    """A value as TOML; a JSON text is one, but for the one character that TOML does not take as it is."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_written(name)} = {_written(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_written, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
