"""Answers by name, the document that they make, and all that a command tells."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, overload

from whit import theory
from whit.apps.asking.codes import NO_ANSWER
from whit.apps.asking.rows import assumption_rows, capital, in_order, question_rows, theorem_rows
from whit.assessment import Asked, Unanswered, people_beyond, rules_nothing_out
from whit.semantics.membership import WorstPrior
from whit.theory import Answer
from whit.version import VERSION

LAYOUT = 4
"""The number of the layout of documents; it grows when an older reader would misunderstand one."""


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

    def document(self) -> dict[str, Any]:
        """The answers as the tree of a JSON document; its layout is the same for every command."""
        return {
            "whit": VERSION,
            "layout": LAYOUT,
            "command": self.command,
            "asked": _as_json(self.asked),
            "answers": [_answer(each) for each in self.named],
            "notes": list(self.notes),
            "result": _as_json(self.result),
        }

    def text(self, *, indent: int | None = 2) -> str:
        """The document as JSON text: for people with line breaks, which take ten times as long to write."""
        return json.dumps(self.document(), allow_nan=False, ensure_ascii=False, indent=indent)


class Table(NamedTuple):
    """A table: the names of its columns, its rows, and what stands above it."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""


class Later(Sequence[Table]):
    """Tables that are made when they are first looked at, since a document has no use for them."""

    def __init__(self, make: Callable[[], Iterable[Table]]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> tuple[Table, ...]:
        return tuple(self._make())

    @overload
    def __getitem__(self, at: int) -> Table: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Table, ...]: ...
    def __getitem__(self, at: int | slice) -> Table | tuple[Table, ...]:
        """A table by its place."""
        return self._made[at]

    def __len__(self) -> int:
        """How many there are."""
        return len(self._made)

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process gets the tables themselves."""
        return tuple, (self._made,)


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


@dataclass(frozen=True)
class Told:
    """All that a command tells, for a screen of any kind.

    Attributes:
        answers: the answers, which make the document.
        opening: what is said first: the answer in a sentence or two; paragraphs stand a blank line apart.
        tables: the tables below it.
        notes: sentences to be read with them.
        page: a longer text that stands as it is, such as a proof.
        code: the exit code.
    """

    answers: Answers
    opening: str = ""
    tables: Sequence[Table] = ()
    notes: tuple[str, ...] = ()
    page: str = ""
    code: int = 0

    def with_result(self, **more: object) -> Told:
        """The same with more in its result, such as a file that was written."""
        return replace(self, answers=replace(self.answers, result={**self.answers.result, **more}))

    def with_notes(self, *more: str) -> Told:
        """The same with more notes."""
        answers = replace(self.answers, notes=(*self.answers.notes, *more))
        return replace(self, answers=answers, notes=(*self.notes, *more))


def unanswered_code(answers: Answers, asked: Mapping[str, Asked] | None = None) -> int:
    """The exit code of answers that differ in nothing but whether there are any.

    A bound that rules nothing out is none; and where a belief has none, its worst prior says nothing about it.

    Args:
        answers: the answers.
        asked: what they start from, by who asks; even odds if it is not known.
    """
    starts = asked or {}
    none = bool(answers.named) and all(_says_nothing(each, starts.get(each.by, Asked())) for each in answers.named)
    return NO_ANSWER if none else 0


def _says_nothing(each: Named, asked: Asked) -> bool:
    worst = each.answer.worst
    if worst is None or isinstance(each.answer, Unanswered):
        return True
    return isinstance(worst.value, float) and rules_nothing_out(each.name, worst, asked)


def question_tables(
    answers: Answers,
    titles: Mapping[str, str] | None = None,
    *,
    why: bool = False,
    asked: Mapping[str, Asked] | None = None,
    every: bool = False,
    noises: theory.Named = (),
) -> list[Table]:
    """A table of questions for each who asks.

    Args:
        answers: the answers.
        titles: the title of each table, by who asks.
        why: whether the theorems and their assumptions are wanted too, in tables of their own.
        asked: what the answers start from, by who asks; then each is also put in a sentence, the most useful first.
        every: whether each of the four worst priors has a row.
        noises: the noise of each of several promises, and what the promise is called.
    """
    found = []
    for by in dict.fromkeys(each.by for each in answers.named):
        own = [each for each in answers.named if each.by == by]
        start = None if asked is None else asked[by]
        own = own if start is None else in_order(own)
        title = ": ".join(each for each in (capital(by), (titles or {}).get(by, "")) if each)
        head = ("question", "answer", "in words")[: 2 if start is None else 3]
        found.append(Table(head, question_rows(own, start, every=every), title))
        found += why_tables(own, noises) if why else []
    return found


def why_tables(answers: Sequence[Named], noises: theory.Named = ()) -> list[Table]:
    """The theorems that the answers rest on, and what they assume."""
    return [Table(("question", "rests on"), theorem_rows(answers)), assumption_table(answers, noises)]


def assumption_table(answers: Sequence[Named], noises: theory.Named = ()) -> Table:
    """What the answers assume, a sentence each."""
    return Table(("question", "who can check it", "assumes"), assumption_rows(answers, noises))


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
