"""A plan with something else about it: queries left out, more or less noise, other shares. All are new plans.

What a query no longer spends is left unspent in its budget, so that the shares still add up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from whit.errors import InvalidInput, UnknownKey
from whit.plans.amounts import checked_share, positive
from whit.plans.plan import Plan
from whit.plans.query import Kind, Query, Share, Table

Spent = Mapping[tuple[str, str], Fraction]
"""What queries have of each part of each budget, as shares of that part."""


def without(plan: Plan, names: Collection[str], *, levels: Collection[str] | None = None) -> Plan:
    """The plan without the queries of these names, at some levels or at all."""
    dropped, at = _words(names), plan.levels if levels is None else _words(levels)
    for name in dropped:
        if name not in plan.table.names:
            raise _unknown(name)
    table = plan.table
    named = np.fromiter((name in dropped for name in table.names), dtype=bool, count=len(table))
    level = np.array([kind.level in at for kind in table.kinds])
    kept = ~(named & level[table.kind_of])
    if not kept.any():
        raise InvalidInput("a plan", "must keep a query", "none", "Leave out fewer queries.")
    return _with_table(plan, table.only(kept))


def scaled(plan: Plan, noise: object) -> Plan:
    """The plan with so many times its noise in every query; less than 1 is less noise."""
    factor = positive("noise", noise, "Use a factor such as 2 for twice the noise.")
    budgets = tuple(replace(each, amount=each.amount.with_noise(factor)) for each in plan.budgets)
    kinds = tuple(_own_noise(kind, factor) for kind in plan.table.kinds)
    return replace(plan, budgets=budgets, table=replace(plan.table, kinds=kinds))


def with_noise_by_kind(plan: Plan, factors: Sequence[Fraction]) -> Plan:
    """The plan with so many times the noise in the queries of each kind; a share falls, and the rest is left."""
    kinds = tuple(_louder(plan, kind, factor) for kind, factor in zip(plan.table.kinds, factors, strict=True))
    return _with_table(plan, Table.of(Query(name, kinds[place]) for name, place in plan.table.entries()))


def moved(plan: Plan, share: object, *, level: str, giver: str, taker: str) -> Plan:
    """The plan with a share of what a level has moved from one query to another of the same budget."""
    part = checked_share("share", share, "Use a share of what the level has, such as '1/100'.")
    rows = {name: _row(plan, name, level) for name in (giver, taker)}
    queries = list(plan.table)
    for name, sign in ((giver, -1), (taker, 1)):
        row, kind = rows[name], queries[rows[name]].kind
        queries[row] = Query(name, replace(kind, parameter=_shifted(kind, sign * part, name)))
    if len({queries[row].kind.parameter.budget for row in rows.values()}) > 1:  # type: ignore[union-attr]
        way_out = "Choose two queries of one budget."
        raise InvalidInput("giver and taker", "must share one budget", f"{giver}, {taker}", way_out)
    return replace(plan, table=Table.of(queries))


def redivided(plan: Plan, budget: str, levels: Mapping[str, object]) -> Plan:
    """The plan with a budget divided among levels in another way."""
    changed = replace(plan.budget(budget), levels=levels)  # type: ignore[arg-type]  # made fractions when built
    return replace(plan, budgets=tuple(changed if each.name == budget else each for each in plan.budgets))


def _with_table(plan: Plan, table: Table) -> Plan:
    """The plan with other queries; what they spend less is left in the budgets."""
    before, after = _spent(plan, plan.table), _spent(plan, table)
    budgets = []
    for budget in plan.budgets:
        left = dict(budget.left)
        for pot in budget.pots:
            saved = before.get((budget.name, pot), Fraction(0)) - after.get((budget.name, pot), Fraction(0))
            if saved:
                left[pot] = left.get(pot, Fraction(0)) + saved
        budgets.append(replace(budget, left=left))
    return replace(plan, table=table, budgets=tuple(budgets))


def _spent(plan: Plan, table: Table) -> Spent:
    totals: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for kind, count in zip(table.kinds, table.counts, strict=True):
        if isinstance(kind.parameter, Share):
            budget = plan.budget(kind.parameter.budget)
            totals[budget.name, budget.pot(kind.level)] += count * kind.parameter.share
    return totals


def _own_noise(kind: Kind, factor: Fraction) -> Kind:
    """A share stays as it is, since the budget has changed; an own amount changes."""
    if isinstance(kind.parameter, Share):
        return kind
    return replace(kind, parameter=kind.parameter.with_noise(factor))


def _louder(plan: Plan, kind: Kind, factor: Fraction) -> Kind:
    if not isinstance(kind.parameter, Share):
        return _own_noise(kind, factor)
    power = plan.budget(kind.parameter.budget).amount.noise_power
    return replace(kind, parameter=Share(kind.parameter.budget, kind.parameter.share / factor**power))


def _shifted(kind: Kind, part: Fraction, name: str) -> Share:
    if not isinstance(kind.parameter, Share):
        way_out = "Choose queries that have a share of a budget."
        raise InvalidInput(f"query {name}", "must have a share of a budget", repr(kind.parameter), way_out)
    share = kind.parameter.share + part
    if not 0 <= share <= 1:
        has = f"{abs(part)} of {kind.parameter.share}"
        raise InvalidInput("share", f"must leave query {name} a share in [0, 1]", has, "Move less.")
    return Share(kind.parameter.budget, share)


def _row(plan: Plan, name: str, level: str) -> int:
    for row, (known, place) in enumerate(plan.table.entries()):
        if known == name and plan.table.kinds[place].level == level:
            return row
    raise _unknown(f"{name} at {level}")


def _words(names: Collection[str]) -> frozenset[str]:
    return frozenset([names] if isinstance(names, str) else names)


def _unknown(name: str) -> UnknownKey:
    return UnknownKey("a query", "must be in the plan", name, "Use a name of plan.table.names, and its level.")
