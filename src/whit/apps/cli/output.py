"""How what a command tells is printed: as tables and sentences, or as one JSON document; signs of life."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from threading import Event, Thread, Timer
from typing import Any, TypeVar

import click

from whit.apps.asking.answers import Answers, Table, Told, question_tables
from whit.apps.cli.layout import WIDEST, printable, raised, screen_width, table_lines, wrapped
from whit.display import shown_elsewhere

Each = TypeVar("Each")

PATIENCE = 1.0
"""Seconds before a sign of life is given to somebody who looks."""

INTERVAL = 10.0
"""Seconds between signs of life where nobody does, such as in the log of a job."""


def tell(answers: Answers, *tables: Table, as_json: bool, opening: str = "") -> None:
    """Print answers: as one JSON document, or as an opening, tables and notes.

    Args:
        answers: the answers.
        tables: the tables; those of the questions if there is no other.
        as_json: whether the document is wanted.
        opening: the answer in one sentence, which stands first.
    """
    deliver(Told(answers, opening, tables or tuple(question_tables(answers)), answers.notes), as_json=as_json)


def deliver(told: Told, *, as_json: bool) -> None:
    """Print what a command tells, its parts a blank line apart."""
    if as_json:
        say(told.answers.text())
        return
    parts: list[Callable[[], None]] = [lambda: speak(told.opening)] if told.opening else []
    parts += [partial(show, *table) for table in told.tables]
    parts += [lambda: speak("\n".join(told.notes))] if told.notes else []
    parts += [lambda: say(told.page)] if told.page else []
    for at, part in enumerate(parts):
        if at:
            say()
        part()


def show(head: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> None:
    """Print a table: wrapped to the width of a terminal, plain columns elsewhere."""
    cells = [[printable(cell) for cell in row] for row in rows]
    if title:
        speak(title)
    if not head:
        return
    if title:
        say()
    if looked_at(sys.stdout):
        for line in table_lines(head, cells, screen_width()):
            say(line)
        return
    # The last column is not filled up: it may be as long as it likes.
    widths = [max(len(row[at]) for row in [head, *cells]) for at in range(len(head) - 1)]
    for row in [head, *cells]:
        filled = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        say("  ".join([*filled, row[-1]]).rstrip())


def speak(text: str) -> None:
    """Print a paragraph: wrapped to the width of a terminal, as one line elsewhere."""
    said = printable(text)
    if not looked_at(sys.stdout):
        say(said)
        return
    shown = raised(said) if "utf" in str(getattr(sys.stdout, "encoding", "")).lower() else said
    say("\n".join(wrapped(shown, min(screen_width(), WIDEST))))


def say(text: str = "") -> None:
    """Print a line as it is; a stream that is closed or full loses it, and nothing else changes."""
    click.echo(text)


def confirm(text: str) -> None:
    """Print what was done, on one line; no name of a file in it changes the screen."""
    say(printable(text))


class Signs:
    """The signs of life of a command."""

    def working(self, what: str) -> AbstractContextManager[None]:
        """Say what is being done."""
        return working(what)

    def counted(self, many: Iterable[Each], total: int, what: str) -> Iterator[Each]:
        """Say how many are done."""
        return counted(many, total, what)


def looked_at(stream: Any) -> bool:
    """Whether somebody looks at a stream: it is there, and it is a terminal."""
    return stream is not None and stream.isatty()


@contextmanager
def working(what: str) -> Iterator[None]:
    """Say what is being done while it takes long: by a moving bar on a terminal, by a line now and then elsewhere.

    It is said to standard error, so that what is piped on stays as it is.
    """
    sign = _bar(what) if looked_at(sys.stderr) else _lines(lambda: what)
    with sign, shown_elsewhere():
        yield


def counted(many: Iterable[Each], total: int, what: str) -> Iterator[Each]:
    """Pass on one after the other, and show how many are done, as `working` shows that something is."""
    if looked_at(sys.stderr):
        from rich.console import Console
        from rich.progress import track

        with shown_elsewhere():
            yield from track(many, f"{what} ...", total=total, console=Console(stderr=True), transient=True)
        return
    done: list[Each] = []
    with _lines(lambda: f"{what}, {len(done)} of {total} done"), shown_elsewhere():
        for each in many:
            yield each
            done.append(each)


@contextmanager
def _bar(what: str) -> Iterator[None]:
    """A bar that moves, and the time so far, once it takes longer than somebody who looks has patience."""
    started: list[Any] = []

    def start() -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
        progress = Progress(*columns, console=Console(stderr=True), transient=True)
        progress.add_task(f"{what} ... (Ctrl-C ends it)", total=None)
        progress.start()
        started.append(progress)

    timer = Timer(PATIENCE, start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        for progress in started:
            progress.stop()


@contextmanager
def _lines(what: Callable[[], str]) -> Iterator[None]:
    """A plain line every few seconds, with the time so far."""
    ended, start = Event(), time.monotonic()

    def tell() -> None:
        while not ended.wait(INTERVAL):
            click.echo(f"{what()}: still at work after {time.monotonic() - start:.0f} s. Ctrl-C ends it.", err=True)

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()
