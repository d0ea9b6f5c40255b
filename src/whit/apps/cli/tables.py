"""The answers as tables: drawn by rich on a terminal, plain columns elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from whit.apps.cli.answers import Answers, Named
from whit.apps.cli.document import document
from whit.apps.cli.written import in_shell
from whit.assessment import Unanswered

Rows = Sequence[Sequence[str]]


def tell(answers: Answers, *, as_json: bool, title: str = "", why: bool = False) -> None:
    """Print the answers: as JSON, or as a table of questions with the notes below it; if asked, with the theorems."""
    if as_json:
        click.echo(document(answers))
        return
    columns = 3 if why else 2
    if answers.named:
        show(("question", "answer", "by")[:columns], [row[:columns] for row in _rows(answers.named)], title=title)
    tell_notes(answers.notes)


def tell_table(answers: Answers, head: Sequence[str], rows: Rows, *, as_json: bool, title: str = "") -> None:
    """Print the answers as JSON, or as a table of another make."""
    if as_json:
        click.echo(document(answers))
        return
    show(head, rows, title=title)
    tell_notes(answers.notes)


def tell_notes(notes: Sequence[str]) -> None:
    """Print sentences, each on a line of its own."""
    for note in notes:
        click.echo(in_shell(note))


def _rows(named: Sequence[Named]) -> list[tuple[str, str, str]]:
    """A row for each answer; questions that are left open for the same reason share one."""
    found: dict[tuple[str, ...], list[str]] = {}
    for at, each in enumerate(named):
        alone = () if isinstance(each.told, Unanswered) else (str(at),)
        found.setdefault((*_cells(each), *alone), []).append(each.name.replace("_", " ").replace(".", ", "))
    return [(", ".join(names), answer, by) for (answer, by, *_), names in found.items()]


def _cells(each: Named) -> tuple[str, str]:
    """The answer, and the theorems that it rests on."""
    if isinstance(each.told, Unanswered):
        return in_shell(str(each.told)), ""
    assert each.told.worst is not None  # a question without an answer was taken care of
    basis = each.told.worst.basis
    # Where a risk is largest is a place; only the risk itself may fail.
    fails = () if each.name.startswith("worst_prior") else basis.failures
    chances = [f", but for a chance of {one.probability:g}" for one in fails]
    return f"{each.said or each.told}{''.join(chances)}", ", ".join(basis.theorems)


def show(head: Sequence[str], rows: Rows, *, title: str = "") -> None:
    """Print a table."""
    if sys.stdout.isatty():
        _drawn(head, rows, title)
        return
    if title:
        click.echo(f"{title}\n")
    # The last column is not filled up: it may be as long as it likes.
    widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head) - 1)]
    for row in [head, *rows]:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        click.echo("  ".join([*cells, row[-1]]).rstrip())


def _drawn(head: Sequence[str], rows: Rows, title: str) -> None:
    """The table with rules, wrapped to the width of the terminal."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(*head, title=title or None, title_justify="left", box=box.SIMPLE_HEAD, highlight=False)
    for row in rows:
        table.add_row(*(_escaped(cell) for cell in row))
    Console().print(table)


def _escaped(cell: str) -> str:
    """The cell with square brackets that rich would take for a style."""
    from rich.markup import escape

    return escape(cell)
