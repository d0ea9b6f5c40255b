"""Evidence: whether a ledger is whole, and the ledger as lines that another one can be made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from whit.errors import Incompatible, InvalidInput
from whit.ledger.chain import START, Event, digest, linked
from whit.ledger.perform import Memory
from whit.ledger.places import new_store
from whit.ledger.replay import Replay
from whit.ledger.store import Store

_CACHED = ("account/", "entry/", "population/", "position/")
_REPLAY = "Export the ledger and import it into a new one: totals are then made from the entries."


@dataclass(frozen=True)
class Verified:
    """A ledger that is whole.

    Attributes:
        events: how many events it has.
        head: the hash of the last one; keep it elsewhere.
    """

    events: int
    head: str

    def __str__(self) -> str:
        return f"{self.events} events, whole; head {self.head}"


def verify(store: Store, *, head: str | None = None) -> Verified:
    """Check the whole ledger: every hash and every link, and that a replay gives the stored entries, totals and keys.

    Raise InvalidInput at the first event that was edited, swapped or taken out, and where the tables differ from what
    the events say. A ledger that was cut off at its end is noticed by a `head` that was kept elsewhere, or by its first
    16 digits or more.
    """
    memory, last, number = Memory(), START, 0
    replay = Replay(memory)
    keys: dict[str, tuple[str, int]] = {}
    with store.reading():
        for event in linked(_stored(store), head=head):
            replay.perform(event)
            keys |= {event.key: (event.request, event.number)} if event.key else {}
            last, number = event.hash, event.number
        if store.head != (number, last):
            raise _differs("the head", "another one")
        for prefix in _CACHED:
            _compare(prefix, store, memory)
        _compare_keys(keys, store)
        _compare_lists(memory, store)
        if not store.is_migrated:
            raise _differs("the table of layouts", "another one")
    return Verified(number, last)


def _stored(store: Store) -> Iterator[Event]:
    """The events, each checked against the hash beside it."""
    for number, stored, line in store.lines():
        event = Event.of_line(line)
        if digest(line) != stored or event.number != number:
            raise InvalidInput(f"entry {number}", "must have the hash of its line", stored, _REPLAY)
        yield event


def _compare(prefix: str, store: Store, memory: Memory) -> None:
    """Refuse tables that differ from what the events say."""
    expected = {place: text for place, text in memory.texts.items() if place.startswith(prefix)}
    for place, text in store.places(prefix):
        if expected.pop(place, None) != text:
            raise _differs(place, text)
    for place in expected:
        raise _differs(place, "nothing")


def _compare_keys(expected: dict[str, tuple[str, int]], store: Store) -> None:
    """Refuse other keys than those of the events: a request whose key was taken out would be charged again."""
    for key, made, number in store.requests():
        if expected.pop(key, None) != (made, number):
            raise _differs(f"the key {key}", f"entry {number}")
    for key in expected:
        raise _differs(f"the key {key}", "nothing")


def _compare_lists(memory: Memory, store: Store) -> None:
    """Refuse other lists of entries than the events make: history and refusals show what they name."""
    lists: dict[str, list[tuple[int, float]]] = {
        place.removeprefix("account/"): [] for place, _ in store.places("account/")
    }
    for (account, number), weight in memory.listed.items():
        lists[account].append((number, weight))
    for account, entries in lists.items():
        if list(store.listings(account)) != sorted(entries):
            raise _differs(f"the list of account {account}", "other entries, or other weights")


def _differs(place: str, found: object) -> InvalidInput:
    return InvalidInput(place, "must be what the events of the ledger say", found, _REPLAY)


def export(store: Store, to: TextIO) -> int:
    """Write the chain as JSON Lines, and say how many events it has."""
    number = 0
    with store.reading():
        for event in linked(_stored(store)):
            to.write(event.line + "\n")
            number = event.number
    return number


def restore(store: Store, lines: Iterable[str]) -> Verified:
    """Fill an empty ledger with the lines of another one; with all of them or none."""
    with store.writing():
        return _filled(store, lines)


def restored(where: str | Path | None, lines: Iterable[str]) -> Verified:
    """Make a new ledger at a place from the lines of another one; where they are refused, nothing is there."""
    with new_store(where) as store:
        return _filled(store, lines)


def _filled(store: Store, lines: Iterable[str]) -> Verified:
    if store.head != (0, START):
        raise Incompatible("the ledger", "must be empty", "one with entries", "Import into a new ledger.")
    last, number, replay = START, 0, Replay(store)
    for event in linked(Event.of_line(line.rstrip("\r\n")) for line in lines):
        replay.require(event)
        store.append(event)
        last, number = event.hash, event.number
    return Verified(number, last)
