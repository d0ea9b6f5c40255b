"""What a command answers, and how it is printed: in the words of the command line, or as one JSON document."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from threading import Event, Thread, Timer
from typing import Any, NamedTuple, TypeVar

import click

from whit.apps.cli.group import NO_ANSWER
from whit.apps.cli.layout import WIDEST, printable, screen_width, table_lines, wrapped
from whit.apps.cli.rows import capital, in_order, question_rows, theorem_rows
from whit.apps.cli.spelling import in_lower_words, option_name, plain_number, without_classes, without_python
from whit.assessment import Asked, Assessment, Unanswered, people_beyond, promise_name
from whit.curves import Promise
from whit.errors import WhitError
from whit.semantics.membership import WorstPrior
from whit.theory import Answer
from whit.version import VERSION

Each = TypeVar("Each")

LAYOUT = 3
"""The number of the layout of documents; it grows when an older reader would misunderstand one."""

PATIENCE = 1.0
"""Seconds before a sign of life is given to somebody who looks."""

INTERVAL = 10.0
"""Seconds between signs of life where nobody does, such as in the log of a job."""


@dataclass(frozen=True)
class Named:
    """One answer.

    Attributes:
        name: the question by its name.
        of: what it was asked of.
        answer: the answer.
        text: the answer in a table, where that is not its own sentence.
        by: who asks, where they have a name.
    """

    name: str
    of: str
    answer: Answer
    text: str = ""
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
            "asked": _as_json(self.asked),
            "answers": [_answer(each) for each in self.named],
            "notes": list(self.notes),
            "result": _as_json(self.result),
        }
        return json.dumps(tree, allow_nan=False, ensure_ascii=False, indent=2)


class Table(NamedTuple):
    """A table to print: the names of its columns, its rows, and what stands above it."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""


def named(of: str, answers: Iterable[tuple[str, Answer]], *, by: str = "") -> tuple[Named, ...]:
    """Answers by name; the worst priors, which are four findings, become four."""
    found: list[Named] = []
    for name, answer in answers:
        each: dict[str, Answer] = {name: answer}
        if isinstance(answer, WorstPrior):
            each = {
                f"{name}.{measure}.{when}": getattr(getattr(answer, measure), when)
                for measure in ("ratio", "difference")
                for when in ("when_true", "when_false")
            }
        found += [Named(full, of, one, by=by) for full, one in each.items()]
    return tuple(found)


def tell(answers: Answers, *tables: Table, as_json: bool, opening: str = "") -> None:
    """Print the answers: as one JSON document, or as an opening, tables and notes.

    Args:
        answers: the answers.
        tables: the tables; those of the questions if there is no other.
        as_json: whether the document is wanted.
        opening: the answer in one sentence, which stands first.
    """
    if as_json:
        say(answers.document())
        return
    if opening:
        speak(opening)
        say()
    for at, table in enumerate(tables or question_tables(answers)):
        if at:
            say()
        show(*table)
    if answers.notes and (opening or tables):
        say()
    for note in answers.notes:
        speak(note)


def question_tables(
    answers: Answers,
    titles: Mapping[str, str] | None = None,
    *,
    why: bool = False,
    asked: Mapping[str, Asked] | None = None,
    every: bool = False,
) -> list[Table]:
    """A table of questions for each who asks.

    Args:
        answers: the answers.
        titles: the title of each table, by who asks.
        why: whether the theorems are wanted too, in a table of their own.
        asked: what the answers start from, by who asks; then each is also put in a sentence, the most useful first.
        every: whether each of the four worst priors has a row.
    """
    found = []
    for by in dict.fromkeys(each.by for each in answers.named):
        own = [each for each in answers.named if each.by == by]
        start = None if asked is None else asked[by]
        own = own if start is None else in_order(own)
        title = ": ".join(each for each in (capital(by), (titles or {}).get(by, "")) if each)
        head = ("question", "answer", "in words")[: 2 if start is None else 3]
        found.append(Table(head, question_rows(own, start, every=every), title))
        if why:
            found.append(Table(("question", "rests on"), theorem_rows(own)))
    return found


def end_unanswered(answers: Answers) -> None:
    """End the command with its exit code if nothing that was asked has an answer."""
    if answers.named and all(isinstance(each.answer, Unanswered) for each in answers.named):
        click.get_current_context().exit(NO_ANSWER)


def short(answer: Answer) -> str:
    """The number on its safe side with its direction, in few words."""
    return "not answered" if answer.worst is None else answer.worst.brief()


def show(head: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> None:
    """Print a table: wrapped to the width of a terminal, plain columns elsewhere."""
    cells = [[printable(cell) for cell in row] for row in rows]
    if title:
        speak(title)
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
    say("\n".join(wrapped(said, min(screen_width(), WIDEST))) if looked_at(sys.stdout) else said)


def say(text: str = "") -> None:
    """Print a line as it is; a stream that is closed or full loses it, and nothing else changes."""
    with _quietly():
        click.echo(text)


def looked_at(stream: Any) -> bool:
    """Whether somebody looks at a stream: it is there, and it is a terminal."""
    return stream is not None and stream.isatty()


@contextmanager
def _quietly() -> Iterator[None]:
    """Lose what cannot be written, and all that follows, instead of failing."""
    try:
        yield
    except OSError:
        with suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def working(what: str) -> Iterator[None]:
    """Say what is being done while it takes long: by a moving bar on a terminal, by a line now and then elsewhere.

    It is said to standard error, so that what is piped on stays as it is.
    """
    sign = _bar(what) if looked_at(sys.stderr) else _lines(lambda: what)
    with sign:
        yield


def counted(many: Iterable[Each], total: int, what: str) -> Iterator[Each]:
    """Pass on one after the other, and show how many are done, as `working` shows that something is."""
    if looked_at(sys.stderr):
        from rich.console import Console
        from rich.progress import track

        yield from track(many, f"{what} ...", total=total, console=Console(stderr=True), transient=True)
        return
    done: list[Each] = []
    with _lines(lambda: f"{what}, {len(done)} of {total} done"):
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
            with suppress(OSError, ValueError):  # a stream that is closed or full
                click.echo(f"{what()}: still at work after {time.monotonic() - start:.0f} s. Ctrl-C ends it.", err=True)

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()


def in_words(value: Any) -> Any:
    """A promise by its name, a member of an Enum by its word, and other things of whit by their kind.

    >>> from whit.guarantees import ApproxDP
    >>> from whit.setting import Neighbours
    >>> in_words(ApproxDP(1.0, 1e-6)), in_words(Neighbours.ADD_REMOVE), in_words(0.5)
    ('epsilon = 1, delta = 1e-6', 'add-remove', 0.5)
    """
    if isinstance(value, Promise):
        return promise_name(value)
    if isinstance(value, Enum):
        return value.name.lower().replace("_", "-")
    kind = value if isinstance(value, type) else type(value)
    if not kind.__module__.startswith("whit."):
        return value
    return in_lower_words(kind.__name__)


def in_options(found: Assessment) -> Assessment:
    """The assessment with the reasons of questions without an answer as the command line says them."""
    reasons = {name: each.refusal for name, each in found.unanswered.items()}
    spelled = {name: Unanswered(sentence(each)) for name, each in reasons.items() if isinstance(each, WhitError)}
    return replace(found, **spelled)


def sentence(error: WhitError) -> str:
    """What an error says on the command line: suggestions as options, and things in words.

    >>> said = WhitError("the posterior", "is open", "rho 1", "Ask with {failure}.", suggested={"failure": 0.1})
    >>> print(sentence(said))
    the posterior is open; got rho 1. Ask with --failure 0.1.
    """
    name = option_name(error.name) if error.name.isidentifier() else without_classes(error.name)
    value = plain_number(in_words(error.value))
    rule, way_out = without_python(error.rule), without_python(error.way_out)
    return type(error)(name, rule, value, way_out, suggested=error.suggested).sentence(as_option)


def as_option(name: str, value: object) -> str:
    """A suggested parameter as an option; a command may have another name for it.

    >>> as_option("orders", [2, 8])
    '--orders 2,8'
    """
    context = click.get_current_context(silent=True)
    own = {} if context is None else context.meta.get("whit.names", {})
    text = ",".join(map(str, value)) if isinstance(value, list) else str(plain_number(value))
    return f"--{own.get(name, name).replace('_', '-')} {text}"


def _answer(each: Named) -> dict[str, Any]:
    """An answer as plain values: a finding under that name, or why there is none."""
    tree = each.answer.to_dict()
    by = {"by": each.by} if each.by else {}
    found = tree if isinstance(each.answer, Unanswered) else {"finding": tree}
    worst = each.answer.worst
    beyond = [one.to_dict() for one in people_beyond(worst)] if worst is not None else []
    counted = {"people_beyond": beyond} if beyond else {}
    return {"name": each.name, "of": each.of, **by, "sentence": str(each.answer), **found, **counted}


def _as_json(tree: Any) -> Any:
    """Plain values as JSON has them: infinite numbers become the texts "inf" and "-inf"."""
    if isinstance(tree, Mapping):
        return {name: _as_json(each) for name, each in tree.items()}
    if isinstance(tree, list | tuple):
        return [_as_json(each) for each in tree]
    return str(tree) if isinstance(tree, float) and math.isinf(tree) else tree
