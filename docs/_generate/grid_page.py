"""The grid as a page: a table for each school, promises down, questions across, a theorem or a reason in every cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from _generate.grid import FAILURE, SCHOOLS, Blank, Cell, Grid, Known
from _generate.markdown import code, link, page, plain, table
from _generate.subjects import Subject

_WORDS = f"""\
Every promise that whit knows, and every question that it can be asked. A cell names the theorems that the answer rests
on, as the answer itself names them: the page was made by asking. What all answers of a row rest on stands once, beside
the promise. The adversary gives the person a chance of one half to be in the data and of one tenth to have the value. A
statement about beliefs may fail with a chance of {100 * FAILURE:g} %, except *posterior, always*, which asks for what
always holds.

*At most* marks a bound; *exactly* and *between bounds* mark a number that is known up to rounding. A blank cell has a
number in brackets, which leads to the reason at the end of the page."""

TABLES = {
    "Membership": ("membership",),
    "Disclosure of a value": ("disclosure",),
    "With and without a person": ("counterfactual",),
    "Level and power": ("testing",),
    "Scores and exact worlds": ("persuasion", "worlds"),
}
"""The tables, with the schools of each."""


def grid_page(cells: Grid) -> str:
    """The page of a grid."""
    reasons = _numbered(cells)
    tables = [part for title, schools in TABLES.items() for part in _school(title, schools, cells, reasons)]
    return page(
        "The grid: what is known",
        _WORDS,
        _counted(cells),
        *tables,
        "## What was asked",
        table(["promise", "kind", "the one that was asked"], (_example(subject) for subject, _ in cells)),
        "## Why a cell is blank",
        *_explained(reasons),
    )


def _school(title: str, schools: Sequence[str], cells: Grid, reasons: Mapping[str, int]) -> list[str]:
    """The heading and the table of the questions of some schools."""
    names = [name for name, school in SCHOOLS.items() if school in schools]
    rows = [_row(subject, [row[name] for name in names], reasons) for subject, row in cells]
    grid = table(["promise", "rests on", *names], rows)
    return [f"## {title}", f"````{{container}} grid\n{grid}\n````"]


def _row(subject: Subject, row: Sequence[Cell], reasons: Mapping[str, int]) -> list[str]:
    common = shared(row)
    return [f"**{plain(subject.name)}**", _links(common), *(_shown(cell, common, reasons) for cell in row)]


def shared(row: Sequence[Cell]) -> tuple[str, ...]:
    """The theorems that all answers of a row rest on, if there is more than one answer."""
    known = [cell.theorems for cell in row if isinstance(cell, Known)]
    return tuple(key for key in known[0] if all(key in keys for keys in known)) if len(known) > 1 else ()


def _numbered(cells: Grid) -> dict[str, int]:
    """Each reason once, numbered in the order of the grid."""
    reasons = dict.fromkeys(c.reason for _, row in cells for c in row.values() if isinstance(c, Blank))
    return {reason: number for number, reason in enumerate(reasons, start=1)}


def _example(subject: Subject) -> list[str]:
    return [plain(subject.name), subject.group, code(subject.example)]


def _shown(cell: Cell, common: Sequence[str], reasons: Mapping[str, int]) -> str:
    if isinstance(cell, Blank):
        number = reasons[cell.reason]
        return f"– ({link(str(number), f'#why-{number}')})"
    own = _links([key for key in cell.theorems if key not in common])
    return "<br>".join([f"*{cell.direction}*", *([own] if own else [])])


def _links(keys: Sequence[str]) -> str:
    return "<br>".join(link(key, f"theorems/{key}.md") for key in keys)


def _counted(cells: Grid) -> str:
    every = [cell for _, row in cells for cell in row.values()]
    known = sum(isinstance(cell, Known) for cell in every)
    return f"{known} of {len(every)} cells have an answer; {len(every) - known} are blank."


def _explained(reasons: Mapping[str, int]) -> list[str]:
    return [f"(why-{number})=\n{number}\\. {plain(reason)}" for reason, number in reasons.items()]
