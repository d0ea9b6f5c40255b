"""Events in a chain: each carries the hash of the one before it, so that none is changed or taken out unnoticed.

An event is one line of JSON in canonical form: sorted keys, no blanks, ASCII, and no floating-point number. Numbers
that count are exact rationals, written as text such as "1/3". The hash of an event is the SHA-256 of its line.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, TypeVar

from whit.errors import InvalidInput, WhitError, safe_repr
from whit.ledger.trees import digest_of, named, text_of, texts_of, time_of, whole_of

Value = TypeVar("Value")

START = "0" * 64
"""What stands for the hash before the first event."""

SHORTEST_HEAD = 16
"""A head may be stated by so many of its first digits: as many as chance does not give to two events."""

_HEAD = re.compile(f"[0-9a-f]{{{SHORTEST_HEAD},{len(START)}}}")

LONGEST_LINE = 1_000_000
"""A longer event is refused: it would slow everything that reads it."""

_FIELDS = frozenset({"number", "previous", "at", "actor", "act", "key", "request", "notes", "body"})
KEPT = "the head that was kept"
"""What errors call a head that somebody states."""

_LONGER = "Give the whole head."
_ABSENT = (
    "It was not found. This may be another ledger, or entries were cut off. Compare the head with the place where it "
    "was kept, before anything is restored."
)
RESTORE = "Restore the ledger from its last backup or export."


NOT_AS_WRITTEN = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError)
"""What reading a tree raises if somebody else wrote it."""


class Act(Enum):
    """What an event does; the value is the word for it in files."""

    POPULATION = "population"
    OPEN = "open"
    QUOTA = "quota"
    PLAN = "plan"
    RESERVE = "reserve"
    REFUSE = "refuse"
    RECORD = "record"
    RELEASE = "release"
    CANCEL = "cancel"
    DOUBT = "doubt"
    WITHDRAW = "withdraw"
    CORRECT = "correct"

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"Act.{self.name}"


@dataclass(frozen=True)
class Event:
    """One event of a ledger.

    Attributes:
        number: 1 for the first event; order is by this number, and never by time.
        previous: the hash of the event before.
        at: the time by the clock of the machine, in UTC.
        actor: who asked.
        act: what was done.
        body: what it was done with: texts, whole numbers, lists and tables.
        key: the idempotency key of the request, if it had one.
        request: the digest of the request that had the key.
        notes: what was noticed on the way, such as a clock that was set back.
    """

    number: int
    previous: str
    at: str
    actor: str
    act: Act
    body: Mapping[str, Any]
    key: str = ""
    request: str = ""
    notes: tuple[str, ...] = ()

    @cached_property
    def line(self) -> str:
        """The event as one line of canonical JSON."""
        tree = {name: getattr(self, name) for name in _FIELDS} | {"act": self.act.value, "notes": list(self.notes)}
        line = canonical(tree)
        if len(line) > LONGEST_LINE:
            rule = f"must have at most {LONGEST_LINE:,} letters"
            raise InvalidInput("an entry of the ledger", rule, f"{len(line):,} of them", "Shorten its texts.")
        return line

    @cached_property
    def hash(self) -> str:
        """The SHA-256 of the line."""
        return digest(self.line)

    @classmethod
    def of_line(cls, line: str) -> Event:
        """The event that a line holds; one that is not in canonical form is refused."""
        try:
            tree = json.loads(text_of(line))
            if not isinstance(tree, dict) or frozenset(tree) != _FIELDS:
                raise ValueError(line)
            event = cls(**{**_checked(tree), "act": Act(tree["act"])})
            if event.line == line:
                return event
        except (ValueError, TypeError, RecursionError) as wrong:
            raise _unreadable(line) from wrong
        raise _unreadable(line)


def read_kept(what: str, text: object, made: Callable[[Any], Value]) -> Value:
    """The value of a text that the ledger keeps; one that somebody else changed, or that was damaged, is refused."""
    try:
        return made(json.loads(text_of(text)))
    except (WhitError, *NOT_AS_WRITTEN) as wrong:
        raise not_as_written(what, text) from wrong


def not_as_written(what: str, found: object) -> InvalidInput:
    """The error about something kept that is not as the ledger wrote it, and the way back."""
    return InvalidInput(what, "must be as the ledger wrote it", found, RESTORE)


def _checked(tree: dict[str, Any]) -> dict[str, Any]:
    """The fields of an event, each of its kind; a request has a digest if it has a key, and only then."""
    if not isinstance(tree["body"], dict):
        raise ValueError(tree)
    if tree["key"] or tree["request"]:
        digest_of(tree["request"])
    return {
        **tree,
        "number": whole_of(tree["number"], least=1),
        "previous": digest_of(tree["previous"]),
        "at": time_of(tree["at"]),
        "actor": named("the actor", tree["actor"]),
        "key": named("the key", tree["key"]) if tree["key"] != "" or tree["request"] != "" else "",
        "notes": texts_of(tree["notes"]),
    }


def _unreadable(line: object) -> InvalidInput:
    rule = "must be an event of a ledger in canonical JSON"
    return InvalidInput("a line of the ledger", rule, line, RESTORE)


def canonical(tree: object) -> str:
    """A tree of texts, whole numbers, lists and tables as canonical JSON.

    >>> canonical({"b": [1, "x"], "a": None})
    '{"a":null,"b":[1,"x"]}'
    """
    _require_plain(tree)
    return json.dumps(tree, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def digest(text: str) -> str:
    """The SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def head_of(text: str) -> str:
    """A head that was kept elsewhere, or its first digits, in the letters of a hash.

    A text that was copied from a page has blanks, and letters without a width, where its lines end.

    >>> head_of(" 41D3E9EE0934 FA72")
    '41d3e9ee0934fa72'
    """
    told = "".join(letter for letter in text if not letter.isspace() and unicodedata.category(letter) != "Cf")
    if _HEAD.fullmatch(told.lower()):
        return told.lower()
    rule = f"must be {len(START)} hexadecimal digits, or the first {SHORTEST_HEAD} of them or more"
    way_out = "This is not a head. Copy one from a receipt, a report or whit ledger status."
    raise InvalidInput(KEPT, rule, text, way_out, parameter="head")


def linked(events: Iterable[Event], *, head: str | None = None) -> Iterator[Event]:
    """The events one after the other, each checked: its number, the hash of the one before, and at last the head.

    Raise InvalidInput at the first event that is edited, missing or in the wrong place, or if no event has a head that
    was kept elsewhere.
    """
    kept = None if head is None else head_of(head)
    previous, found = START, 0
    for number, event in enumerate(events, start=1):
        if event.number != number:
            raise _broken(f"must come after entry {number - 1}", f"entry {event.number}")
        if event.previous != previous:
            raise _broken(f"must carry the hash of entry {number - 1}", f"another hash in entry {number}")
        previous = event.hash
        found += kept is not None and previous.startswith(kept)
        yield event
    if kept is not None and found == 0:
        raise InvalidInput(KEPT, "must be in the ledger", kept, _ABSENT)
    if found > 1:
        raise InvalidInput(KEPT, "must be the first digits of one hash", f"{kept}, those of {found}", _LONGER)


def _broken(rule: str, value: str) -> InvalidInput:
    return InvalidInput("an entry of the ledger", rule, value, RESTORE)


def _require_plain(tree: object) -> None:
    """Refuse what would not be the same text for everybody: floating-point numbers, and what JSON has no word for."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            if not isinstance(key, str):
                raise InvalidInput("a name in the ledger", "must be a text", safe_repr(key), "Use a text.")
            _require_plain(value)
    elif isinstance(tree, list | tuple):
        for each in tree:
            _require_plain(each)
    elif tree is not None and (isinstance(tree, float) or not isinstance(tree, str | int)):
        rule = "must be a text, a whole number, a list or a table"
        raise InvalidInput("a value in the ledger", rule, safe_repr(tree), 'Write a number as text, such as "0.1".')
