"""Whether the parts of a plan fit together; what does not is named by its row and column."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from difflib import get_close_matches
from fractions import Fraction

from whit.errors import Incompatible, InvalidInput, nearest, require
from whit.plans.budget import Budget
from whit.plans.exact import shown
from whit.plans.query import Kind, Share, require_fitting, require_words
from whit.plans.table import Table


def require_sound(
    unit: str, levels: Sequence[str], single: Sequence[str], budgets: Sequence[Budget], table: Table
) -> None:
    """Refuse a plan with levels or budgets that are not known, and with shares that do not add up."""
    _require_different("levels", levels)
    require(len(levels) > 0, name="the plan, column levels", rule="must name one", value=levels, way_out="Add one.")
    for level in single:
        _require_known("the plan, column single", level, levels)
    for budget in budgets:
        require(
            isinstance(budget, Budget),
            name="the plan, column budgets",
            rule="must be budgets",
            value=budget,
            way_out="Build them with Budget(name, amount).",
        )
        for level in budget.levels:
            _require_known(f"budget {budget.name}, column levels", level, levels)
    _require_different("budgets", [budget.name for budget in budgets])
    known = {budget.name: budget for budget in budgets}
    for place, kind in enumerate(table.kinds):
        _require_kind(table, place, kind, levels, known)
        if kind.counts not in ("", unit):
            _require_linked(table, place, kind, unit)
    for budget in budgets:
        _require_whole(budget, table)


def row_of(table: Table, place: int) -> str:
    """The first row of a kind, by its number and its name."""
    row = table.rows(place)[0]
    return f"row {row} ({table.names[row - 1]})"


def known_name(name: str, word: object, words: Sequence[str]) -> InvalidInput:
    """The error about a name that is not in a list, with the one that was meant."""
    near = nearest(word, words) if isinstance(word, str) else ()
    listed = ", ".join(words) or "none"
    way_out = f"Did you mean {near[0]!r}? Use one of {listed}." if near else f"Use one of {listed}."
    return InvalidInput(name, "must be one of the plan's", repr(word), way_out)


def _require_known(name: str, word: object, words: Sequence[str]) -> None:
    if word not in words:
        raise known_name(name, word, words)


def _require_different(column: str, names: Sequence[str]) -> None:
    for place, name in enumerate(names):
        require_words(f"the plan, column {column}", name)
        if name in names[:place]:
            raise InvalidInput(f"the plan, column {column}", "must name each once", repr(name), "Leave out one.")


def _require_kind(table: Table, place: int, kind: Kind, levels: Sequence[str], budgets: dict[str, Budget]) -> None:
    """Refuse a kind whose level or budget is not known, or whose budget is not of its noise."""
    if kind.level not in levels:
        raise known_name(f"{row_of(table, place)}, column level", kind.level, levels)
    if not isinstance(kind.parameter, Share):
        return
    budget = budgets.get(kind.parameter.budget)
    if budget is None:
        raise known_name(f"{row_of(table, place)}, column budget", kind.parameter.budget, list(budgets))
    if budget.pot(kind.level) not in budget.pots:
        name = f"{row_of(table, place)}, column level"
        way_out = f"Give {kind.level} a share in budget {budget.name}, or choose another budget."
        raise Incompatible(name, f"must have a share in budget {budget.name}", kind.level, way_out)
    try:
        require_fitting(budget.amount, kind.law)
    except Incompatible as wrong:
        name = f"{row_of(table, place)}, column budget"
        raise Incompatible(name, "must be of the noise of the query", repr(budget.amount), wrong.way_out) from wrong


def _require_linked(table: Table, place: int, kind: Kind, unit: str) -> None:
    """Refuse a linked unit that is the protected one misspelt, or whose record touches no cell."""
    if get_close_matches(kind.counts, [unit], cutoff=0.8):
        name, way_out = f"{row_of(table, place)}, column counts", f"Did you mean {unit!r}? Then leave it out."
        raise InvalidInput(name, "must be another word than the unit of privacy", repr(kind.counts), way_out)
    if kind.cells.replace == 0:
        way_out = f"Say how many cells change with one record of a {kind.counts}, such as replace=2."
        raise InvalidInput(f"{row_of(table, place)}, column replace", "must be above 0", 0, way_out)


def _require_whole(budget: Budget, table: Table) -> None:
    """Refuse shares that do not add up to 1, together with what is left, in some part of a budget."""
    totals: dict[str, Fraction] = defaultdict(Fraction)
    places: dict[str, list[int]] = defaultdict(list)
    for place, (kind, count) in enumerate(zip(table.kinds, table.counts, strict=True)):
        if isinstance(kind.parameter, Share) and kind.parameter.budget == budget.name:
            pot = budget.pot(kind.level)
            totals[pot] += count * kind.parameter.share
            places[pot].append(place)
    for pot, part in budget.pots.items():
        whole = totals[pot] + budget.left.get(pot, Fraction(0))
        if whole != 1 and part > 0:
            raise _not_whole(budget, pot, whole, sorted(row for place in places[pot] for row in table.rows(place)))


def _not_whole(budget: Budget, pot: str, whole: Fraction, rows: list[int]) -> InvalidInput:
    listed = ", ".join(map(str, rows[:4])) + (f" and {len(rows) - 4} more" if len(rows) > 4 else "")
    name = f"rows {listed or 'none'}, column share, budget {budget.name} at {pot}"
    side = "over" if whole > 1 else "under"
    way_out = f"They are {side} 1; correct a share, or state what is left unspent as left = {{{pot} = ...}}."
    return InvalidInput(name, "must add up to 1", f"{shown(whole)} = {float(whole):.6g}", way_out)
