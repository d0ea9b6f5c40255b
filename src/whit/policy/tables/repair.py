"""The least that has to change so that a publication is within its limits: found by trying, proved by its audit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import partial
from itertools import combinations

from whit.audit import Cell, Exact, Halves, Publication, Rounded, Statement, Suppressed
from whit.errors import TooCostly, Unreachable
from whit.policy.tables.outcome import Audited, Task, audited

MOST_AUDITS = 5_000
"""The most audits that one repair makes."""

LARGEST_BASE = 1_000
"""The largest rounding base that is tried."""


def fewest_suppressions(
    task: Task, candidates: Collection[Cell] | None = None, *, most: int = MOST_AUDITS
) -> tuple[tuple[Cell, ...], Audited]:
    """The fewest further cells to withhold so that every limit is kept, and the audit that proves it.

    Smaller sets are tried first, so no smaller one does. Nothing need be left for the further cells themselves, which
    are safe to publish alone.

    task         what is to be audited
    candidates   the cells that may be withheld; every cell that is published exactly if none are named
    most         how many audits may be made
    """
    exact = [cell for cell, statement in task.publication.statements if isinstance(statement, Exact)]
    free = [cell for cell in dict.fromkeys(exact) if candidates is None or cell in candidates]
    if not _with(task, free).is_kept:
        way_out = "Publish fewer totals, round, or lower the limits."
        raise Unreachable(
            "a repair", "must keep the limits by withholding more", f"{len(free)} cells to withhold", way_out
        )
    tried = 0
    for size in range(len(free) + 1):
        for cells in combinations(free, size):
            tried += 1
            if tried > most:
                way_out = "Name fewer candidates, or withhold some cells first."
                raise TooCostly("a repair", f"must be found within {most} audits", f"none of {size - 1}", way_out)
            found = _with(task, cells)
            if found.is_kept:
                return cells, found
    raise AssertionError("withholding all of them was enough")


def smallest_base(task: Task, bases: Iterable[int] = range(2, LARGEST_BASE + 1)) -> tuple[int, Audited]:
    """The smallest base to which every exact number is rounded so that every limit is kept, and the audit.

    Halves are rounded up. The rounded cells become cells that are not exact; nothing need be left for them.
    """
    for base in bases:
        found = audited(_publishing(task, partial(_rounded, base=base)))
        if found.is_kept:
            return base, found
    raise Unreachable("a repair", "must keep the limits by rounding", "every base", "Withhold further cells.")


def _with(task: Task, cells: Collection[Cell]) -> Audited:
    withheld = frozenset(cells)
    return audited(_publishing(task, lambda said: said, withheld))


def _publishing(task: Task, change: Callable[[Statement], Statement], withheld: frozenset[Cell] = frozenset()) -> Task:
    """The task with other statements; what was exact and no longer is need not have anything left."""
    said = [
        (cell, Suppressed() if cell in withheld else change(statement))
        for cell, statement in task.publication.statements
    ]
    before = set(task.asked)
    after = task.publishing(Publication(said, task.publication.equations))
    spared = task.spared | {cell for cell in after.asked if cell not in before}
    return Task(after.publication, after.readers, after.limits, after.own, frozenset(spared))


def _rounded(said: Statement, base: int) -> Statement:
    if not isinstance(said, Exact):
        return said
    return Rounded((2 * said.value + base) // (2 * base) * base, base, None if base % 2 else Halves.UP)
