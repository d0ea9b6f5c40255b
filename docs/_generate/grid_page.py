"""The grid as a page: promises down, questions across, a theorem or a reason in every cell."""

from __future__ import annotations

from collections.abc import Mapping

from _generate.grid import FAILURE, SCHOOLS, Blank, Cell, Grid, Known
from _generate.markdown import code, link, page, plain, table
from _generate.subjects import Subject

_WORDS = f"""\
Every promise that whit knows, and every question that it can be asked. A cell names the theorems that the answer rests
on, as the answer itself names them: the page was made by asking. The adversary gives the person a chance of one half to
be in the data and of one tenth to have the value. A statement about beliefs may fail with a chance of
{100 * FAILURE:g} %, but for the first column, which asks for what always holds.

*At most* marks a bound; *exactly* and *between bounds* mark a number that is known but for rounding. A blank cell has a
number in brackets, which leads to the reason below the grid."""


def grid_page(cells: Grid) -> str:
    """The page of a grid."""
    reasons = _numbered(cells)
    header = ["promise", *(f"{name}<br>*{school}*" for name, school in SCHOOLS.items())]
    rows = [[_head(subject), *(_shown(cell, reasons) for cell in row.values())] for subject, row in cells]
    grid = f"````{{container}} grid\n{table(header, rows)}\n````"
    return "---\nhide-toc: true\n---\n\n" + page(
        "What is known", _WORDS, grid, _counted(cells), "## Why a cell is blank", *_explained(reasons)
    )


def _numbered(cells: Grid) -> dict[str, int]:
    """Each reason once, numbered in the order of the grid."""
    reasons = dict.fromkeys(c.reason for _, row in cells for c in row.values() if isinstance(c, Blank))
    return {reason: number for number, reason in enumerate(reasons, start=1)}


def _head(subject: Subject) -> str:
    return f"**{plain(subject.name)}**<br>*{subject.group}*<br>{code(subject.example)}"


def _shown(cell: Cell, reasons: Mapping[str, int]) -> str:
    if isinstance(cell, Blank):
        number = reasons[cell.reason]
        return f"– ({link(str(number), f'#why-{number}')})"
    return "<br>".join([f"*{cell.direction}*", *(link(key, f"theorems/{key}.md") for key in cell.theorems)])


def _counted(cells: Grid) -> str:
    every = [cell for _, row in cells for cell in row.values()]
    known = sum(isinstance(cell, Known) for cell in every)
    return f"{known} of {len(every)} cells have an answer; {len(every) - known} are blank."


def _explained(reasons: Mapping[str, int]) -> list[str]:
    return [f"(why-{number})=\n{number}\\. {plain(reason)}" for reason, number in reasons.items()]
