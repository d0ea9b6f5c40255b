"""What a command answers, and how it is printed: as tables, as sentences, or as one JSON document."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Timer
from typing import Any, TypeAlias, TypeVar

import click

from whit.assessment import Unanswered
from whit.semantics.membership import WorstPrior
from whit.theory import Answer, Direction, number_text
from whit.version import VERSION

Rows: TypeAlias = Sequence[Sequence[str]]
Each = TypeVar("Each")

LAYOUT = 2
"""The number of the layout of documents; it grows when an older reader would misunderstand one."""

PATIENCE = 1.0
"""Seconds before a sign of life is given."""

NO_ANSWER = 3
"""The exit code of a fair question without an answer: not implied by the promise, out of reach, or too costly."""


@dataclass(frozen=True)
class Named:
    """One answer.

    Attributes:
        name: the question by its name.
        of: what it was asked of.
        told: the answer.
        said: the answer in a table, where that is not its own sentence.
        by: who asks, where they have a name.
    """

    name: str
    of: str
    told: Answer
    said: str = ""
    by: str = ""


@dataclass(frozen=True)
class Answers:
    """All that a command answers.

    Attributes:
        command: its name.
        asked: what was asked, as plain values.
        named: the answers.
        notes: sentences that should be read with them.
        result: what else there is, as plain values.
    """

    command: str
    asked: Mapping[str, Any]
    named: tuple[Named, ...] = ()
    notes: tuple[str, ...] = ()
    result: Mapping[str, Any] = field(default_factory=dict)

    def document(self) -> str:
        """The answers as JSON text; its layout is the same for every command."""
        tree = {
            "whit": VERSION,
            "layout": LAYOUT,
            "command": self.command,
            "asked": _spelled(self.asked),
            "answers": [_answer(each) for each in self.named],
            "notes": list(self.notes),
            "result": _spelled(self.result),
        }
        return json.dumps(tree, allow_nan=False, ensure_ascii=False, indent=2)


def named(of: str, answers: Iterable[tuple[str, Answer]], *, by: str = "") -> tuple[Named, ...]:
    """Answers by name; the worst priors, which are four findings, become four."""
    return tuple(each for name, answer in answers for each in _each(of, name, answer, by))


def _each(of: str, name: str, answer: Answer, by: str) -> list[Named]:
    if not isinstance(answer, WorstPrior):
        return [Named(name, of, answer, by=by)]
    measures = {"ratio": answer.ratio, "difference": answer.difference}
    return [
        Named(f"{name}.{measure}.{when}", of, getattr(priors, when), by=by)
        for measure, priors in measures.items()
        for when in ("when_true", "when_false")
    ]


def tell(answers: Answers, *, as_json: bool, titles: Mapping[str, str] | None = None, why: bool = False) -> None:
    """Print the answers: as JSON, or as a table of questions for each who asks, with the notes below it.

    Args:
        answers: the answers.
        as_json: whether one document is wanted.
        titles: the title of each table, by who asks.
        why: whether the theorems are wanted too.
    """
    if as_json:
        say(answers.document())
        return
    columns = 3 if why else 2
    for at, by in enumerate(dict.fromkeys(each.by for each in answers.named)):
        rows = [row[:columns] for row in _rows([each for each in answers.named if each.by == by])]
        if at:
            say()
        title = f"{f'{by}: ' if by else ''}{(titles or {}).get(by, '')}"
        show(("question", "answer", "by")[:columns], rows, title=title)
    for note in answers.notes:
        say(note)


def tell_table(answers: Answers, head: Sequence[str], rows: Rows, *, as_json: bool, title: str = "") -> None:
    """Print the answers as JSON, or as a table of another make."""
    if as_json:
        say(answers.document())
        return
    show(head, rows, title=title)
    for note in answers.notes:
        say(note)


def end_unanswered(answers: Answers) -> None:
    """End the command with its exit code if nothing that was asked has an answer."""
    if answers.named and all(isinstance(each.told, Unanswered) for each in answers.named):
        click.get_current_context().exit(NO_ANSWER)


def short(told: Answer) -> str:
    """The number on its safe side with its direction, in few words."""
    found = told.worst
    if found is None:
        return "not answered"
    text = number_text(float(found), found.bound.direction, found.quantity.unit)
    return text if found.direction is Direction.EXACTLY else f"{found.direction.value} {text}"


def show(head: Sequence[str], rows: Rows, *, title: str = "") -> None:
    """Print a table: drawn by rich on a terminal, plain columns elsewhere."""
    if looked_at(sys.stdout):
        with _kept_quiet():
            _drawn(head, rows, title)
        return
    if title:
        say(f"{title}\n")
    # The last column is not filled up: it may be as long as it likes.
    widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head) - 1)]
    for row in [head, *rows]:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        say("  ".join([*cells, row[-1]]).rstrip())


def say(text: str = "") -> None:
    """Print a line; a stream that is closed or full loses it, and nothing else changes."""
    with _kept_quiet():
        click.echo(text)


def looked_at(stream: Any) -> bool:
    """Whether somebody looks at a stream: it is there, and it is a terminal."""
    return stream is not None and stream.isatty()


@contextmanager
def _kept_quiet() -> Iterator[None]:
    """Lose what cannot be written, and all that follows, instead of failing."""
    try:
        yield
    except OSError:
        with suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def working(what: str) -> Iterator[None]:
    """Say what is being done, if it takes more than a second and somebody is looking; never in what is piped on."""
    if not looked_at(sys.stderr):
        yield
        return
    started: list[Any] = []
    timer = Timer(PATIENCE, _start, (what, started))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        for status in started:
            status.stop()


def _start(what: str, started: list[Any]) -> None:
    from rich.console import Console

    status = Console(stderr=True).status(f"{what} ...")
    status.start()
    started.append(status)


def counted(many: Iterable[Each], total: int, what: str) -> Iterator[Each]:
    """Pass on one after the other, with a bar that shows how many are done if somebody is looking."""
    if not looked_at(sys.stderr):
        yield from many
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(many, f"{what} ...", total=total, console=Console(stderr=True), transient=True)


def _answer(each: Named) -> dict[str, Any]:
    by = {"by": each.by} if each.by else {}
    return {"name": each.name, "of": each.of, **by, "sentence": str(each.told), **_told(each.told)}


def _told(answer: Answer) -> dict[str, Any]:
    """What is told: a finding under that name, or why there is none."""
    return answer.to_dict() if isinstance(answer, Unanswered) else {"finding": answer.to_dict()}


def _spelled(tree: Any) -> Any:
    """Plain values as JSON has them: infinite numbers become the texts "inf" and "-inf"."""
    if isinstance(tree, Mapping):
        return {name: _spelled(each) for name, each in tree.items()}
    if isinstance(tree, list | tuple):
        return [_spelled(each) for each in tree]
    return str(tree) if isinstance(tree, float) and math.isinf(tree) else tree


def _rows(given: Sequence[Named]) -> list[tuple[str, str, str]]:
    """A row for each answer; questions that are left open for the same reason share one."""
    found: dict[tuple[str, ...], list[str]] = {}
    for at, each in enumerate(given):
        alone = () if isinstance(each.told, Unanswered) else (str(at),)
        found.setdefault((*_cells(each), *alone), []).append(each.name.replace("_", " ").replace(".", ", "))
    return [(", ".join(names), answer, by) for (answer, by, *_), names in found.items()]


def _cells(each: Named) -> tuple[str, str]:
    """The answer, and the theorems that it rests on."""
    if isinstance(each.told, Unanswered):
        return str(each.told), ""
    assert each.told.worst is not None  # a question without an answer was taken care of
    basis = each.told.worst.basis
    # Where a risk is largest is a place; only the risk itself may fail.
    fails = () if each.name.startswith("worst_prior") else basis.failures
    chances = [f", but for a chance of {one.probability:g}" for one in fails]
    return f"{each.said or each.told}{''.join(chances)}", ", ".join(basis.theorems)


def _drawn(head: Sequence[str], rows: Rows, title: str) -> None:
    """The table with rules, wrapped to the width of the terminal."""
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(*head, title=title or None, title_justify="left", box=box.SIMPLE_HEAD, highlight=False)
    for row in rows:
        table.add_row(*map(escape, row))  # square brackets would be taken for a style
    Console().print(table)
