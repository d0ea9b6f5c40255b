"""Plans, exposures and comparisons as a notebook shows them, and as the rows of a table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

# By these names, so that what makes HTML is loaded when something is shown.
from whit import display, theory
from whit.numerics import nearest_up
from whit.plans.amounts import by_variance
from whit.plans.query import Kind, Share

if TYPE_CHECKING:
    from whit.display import Markup, Row
    from whit.plans.comparison import Comparison, Cost
    from whit.plans.exposure import Affected, Exposure
    from whit.plans.plan import Plan

NOISE_DIGITS = 6
"""So many digits of noise are shown: it is there to be used."""

_NOISE = ("sigma", "scale")

MOST = 30
"""The most kinds of queries that a notebook shows."""


def plan_html(plan: Plan) -> str:
    """Whom a plan is about, its queries kind by kind, its budgets, and what it publishes without noise."""
    number, kinds = len(plan.table), len(plan.table.kinds)
    about = f"Protects one {plan.unit.name}; levels: {', '.join(plan.levels)}."
    rows = [_texts(row) for row in plan_rows(plan)[:MOST]]
    budgets = [(each.name, f"{each.amount.word} = {each.amount.value}") for each in plan.budgets]
    open_parts = [f"{each.name} is published without noise: {each.reason}" for each in plan.unprotected]
    return display.block(
        display.heading(f"{plan.name}: {number:,} queries of {kinds} kinds"),
        about,
        *_table(rows, kinds),
        *((display.table(("budget", "amount"), budgets),) if budgets else ()),
        display.points(open_parts),
        *((display.paragraph(f"Source: {plan.source}", faint=True),) if plan.source else ()),
    )


def plan_rows(plan: Plan) -> list[Row]:
    """A row for each kind of query: how many there are, what they depend on, and their noise."""
    table = plan.table
    return [
        {"queries": table.names_of(place), "number": times, **_kind(kind, plan.spread(kind))}
        for place, (kind, times) in enumerate(zip(table.kinds, table.counts, strict=True))
    ]


def exposure_html(exposure: Exposure) -> str:
    """What a concern is exposed to: the sum of the rhos, the queries with their shares, and why."""
    touched = sorted(exposure.affected, key=lambda each: -each.rho)
    rows = [_texts(_affected(each, exposure.exact_rho)) for each in touched]
    untouched = sum(each.times for each in exposure.untouched)
    return display.block(
        display.heading(f"{exposure.concern}, in {exposure.plan.name}"),
        theory.as_sentence(str(exposure.rho)),
        f"Exposed to {exposure.number:,} queries; {untouched:,} queries tell nothing about it.",
        *_table(rows[:MOST], len(rows)),
        exposure.reading,
        display.points(f"{each.name} is published without noise: {each.reason}" for each in exposure.unprotected),
        *theory.basis_parts(exposure.rho),
    )


def exposure_rows(exposure: Exposure) -> list[Row]:
    """A row for each kind of query, touched or not: its cells, its rho, its share of all, and why."""
    total = exposure.exact_rho
    return [_affected(each, total) for each in exposure.queries]


def comparison_rows(both: Comparison) -> list[Row]:
    """One row: the rho of each plan."""
    first, second = both.rhos
    return [
        {
            "concern": str(both.concern),
            "first plan": both.first.plan.name,
            "first rho": float(first),
            "second plan": both.second.plan.name,
            "second rho": float(second),
            "quantity": first.quantity.name,
            "direction": theory.Direction.combine(first.direction, second.direction).name,
        }
    ]


def comparison_cells(both: Comparison) -> dict[str, str]:
    """One row of texts: the concern, and its rho in each plan."""
    names = [both.first.plan.name, both.second.plan.name]
    named = names if names[0] != names[1] else ["first plan", "second plan"]
    return {
        "concern": str(both.concern),
        **{f"rho, {name}": theory.value_text(rho) for name, rho in zip(named, both.rhos, strict=True)},
    }


def cost_rows(cost: Cost) -> list[Row]:
    """One row: the queries, their rho, their share, and what is left without them."""
    found = {"rho": cost.rho, "share of rho": cost.share, "rho without them": cost.without}
    numbers = {name: float(each) for name, each in found.items()}
    affected = cost.queries
    named = {"queries": affected.names, "level": affected.kind.level, "number": affected.times}
    return [{**named, **numbers, "direction": cost.rho.direction.name, "why": affected.reason}]


def cost_cells(cost: Cost) -> dict[str, str]:
    """One row of texts: the queries, their rho, their share, and what is left without them."""
    found = {"rho": cost.rho, "share of rho": cost.share, "rho without them": cost.without}
    numbers = {name: theory.value_text(each) for name, each in found.items()}
    return {"queries": cost.queries.names, "level": cost.queries.kind.level, **numbers}


def rows_html(cells: Mapping[str, str]) -> str:
    """One row of texts by itself, as a notebook shows it."""
    return display.block(display.table((), list(cells.items())))


def _kind(kind: Kind, spread: Fraction) -> dict[str, object]:
    """What the columns hold of a kind of query; its noise is the next double that is no smaller."""
    parameter, normal = kind.parameter, by_variance(kind.law)
    size = _enough(spread, 2 if normal else 1) if spread else None
    if isinstance(parameter, Share):
        amount = f"{parameter.share} of what {parameter.budget} gives to {kind.level}"
    else:
        amount = f"{parameter.word} = {parameter.value}"
    return {
        "attributes": "; ".join(kind.attributes),
        "level": kind.level,
        "amount": amount,
        "noise": kind.law.parameter.option,
        "sigma": size if normal else None,
        "scale": None if normal else size,
    }


def _enough(spread: Fraction, power: int) -> float:
    """The first double whose power, by the decimal that names it, is no smaller than the spread."""
    found = math.pow(float(spread), 1 / power)
    while Fraction(repr(found)) ** power < spread:
        found = math.nextafter(found, math.inf)
    return found


def _affected(each: Affected, total: Fraction) -> Row:
    return {
        "queries": each.names,
        "level": each.kind.level,
        "number": each.times,
        "cells": each.cells,
        "rho": nearest_up(each.rho),
        "share of rho": nearest_up(each.rho / total) if total else 0.0,
        "why": each.reason,
    }


def _texts(row: Row) -> dict[str, str]:
    """The cells of a row as texts; numbers in few digits, rounded up: of noise too, so that what is typed is enough."""
    return {name: "" if cell is None else _text(name, cell) for name, cell in row.items()}


def _text(name: str, cell: object) -> str:
    if isinstance(cell, float):
        digits = NOISE_DIGITS if name in _NOISE else theory.DIGITS
        return theory.exact_text(cell, theory.Unit.NUMBER, digits=digits)
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def _table(rows: list[dict[str, str]], number: int) -> tuple[Markup, ...]:
    if not rows:
        return ()
    kept = [name for name in rows[0] if any(row[name] for row in rows)]
    rest = f"These are the first {len(rows)} of {number} kinds; to_frame() has all."
    listed = display.table(kept, [[row[name] for name in kept] for row in rows])
    return (listed, display.paragraph(rest, faint=True)) if len(rows) < number else (listed,)
