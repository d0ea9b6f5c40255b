"""What is known for certain from what a plan publishes as it is: by the audit of the exact numbers, with derivations.

A guarantee is about datasets that agree on the exact numbers. It says nothing of what these determine by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from whit.audit import (
    OUTSIDER,
    Cell,
    Derivation,
    Equation,
    Exact,
    Knowledge,
    Left,
    Part,
    Publication,
    adds_up,
    cell_text,
    left,
    together,
)
from whit.errors import NotImplied, TooCostly
from whit.plans.plan import Plan

MOST_RECORDS = 2_000
"""The most records whose totals are audited one by one."""

THEOREM = "noise-within-what-is-left"
"""What joins an exact release and a noisy one."""


def left_by_invariants(plan: Plan, knowledge: Knowledge = OUTSIDER) -> Left:
    """What is left after the exact numbers of a plan alone, if the plan has them.

    plan        a plan whose unprotected parts have tables: `file` in [[unprotected]], or `published`
    knowledge   of the reader

    Give the result to `audit.ExactAndNoisy` for what noise can still move.
    """
    known = [each.published for each in plan.unprotected if each.published is not None]
    if not known:
        rule = f"must be there to say what they determine, alone or with the noise ({THEOREM})"
        way_out = 'Name their table in the plan, as in file = "totals.csv" below [[unprotected]].'
        raise NotImplied("the numbers that are published without noise", rule, "none", way_out)
    return left(together(*known), knowledge)


@dataclass(frozen=True)
class KnownRecord:
    """A record whose value follows from exact totals alone.

    record   its number, from 0 on
    sum      the totals that give it, as a text
    """

    record: int
    sum: str

    def __str__(self) -> str:
        return f"record {self.record} is known exactly: {self.sum}"


def known_from_totals(invariants: Mapping[str, ArrayLike]) -> tuple[KnownRecord, ...]:
    """The records whose values follow from exact totals, whatever the numbers are.

    invariants   by name: the cell of each record, a whole number, or -1 for none, as for `invariants_release`

    >>> print(*known_from_totals({"state": [0, 0, 0], "quarters": [0, 0, -1]}))
    record 2 is known exactly: state, cell 0 - quarters, cell 0
    """
    codes = {name: np.asarray(each, dtype=int) for name, each in invariants.items()}
    number = max((len(each) for each in codes.values()), default=0)
    if number > MOST_RECORDS:
        raise TooCostly("the records", f"must be at most {MOST_RECORDS} to be audited", number, "Take a part of them.")
    parts = {
        f"{name}, cell {code}": [str(at) for at in np.flatnonzero(each == code)]
        for name, each in codes.items()
        for code in np.unique(each[each >= 0])
    }
    ones: dict[Cell, int] = {cell: len(each) for cell, each in parts.items()}
    ones.update({str(at): 1 for at in range(number)})
    equations: list[Equation] = [adds_up(total, each) for total, each in parts.items()]
    published = Publication([(total, Exact(ones[total])) for total in parts], equations)
    within = {cell for each in parts.values() for cell in each}
    found = left(published, Knowledge(least=None), start={cell: ones[cell] for cell in published.cells})
    records = (at for at in range(number) if str(at) in within and found.interval(str(at)).determined)
    return tuple(KnownRecord(at, _sum(found.derivations(str(at))[0])) for at in records)


def _sum(derivation: Derivation) -> str:
    """The totals of a sum, without their numbers."""
    ordered = sorted(derivation.parts, key=lambda part: part.times < 0)
    said = " ".join(map(_term, ordered)).removeprefix("+ ")
    return said if derivation.divisor == 1 else f"({said}) / {derivation.divisor}"


def _term(part: Part) -> str:
    often = f"{abs(part.times)} times " if abs(part.times) > 1 else ""
    return f"{'-' if part.times < 0 else '+'} {often}{cell_text(part.cell)}"
