"""Where a ledger is kept: five tables behind one protocol, the same in SQLite and in PostgreSQL.

event      the chain, one line an event; never changed
request    idempotency keys, and the event that each request made
shelf      texts by place: populations, accounts, their totals, entries; a cache that a replay rebuilds
listing    the entries of each account in order, with their weight
migration  the layouts that were applied
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from whit.errors import Incompatible, Unavailable
from whit.ledger.chain import START, Event, canonical, digest, not_as_written, read_kept
from whit.ledger.perform import Memory, perform
from whit.ledger.trees import digest_of, whole_of

HEAD = "head"
"""The place of the number and the hash of the last event; whoever writes holds its lock."""

_REPLAYED = 2
"""In a ledger with an earlier layout, totals and entries are made from the events anew."""

_PAGE = 1000
_LAST = 2**62


class Store(ABC):
    """A connection to the tables of one ledger; a shelf inside of a transaction."""

    dialect: str

    @abstractmethod
    def execute(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run one statement, its values marked by ?, and fetch what it gives."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[None]:
        """A transaction that no other writer overlaps; rolled back if anything is raised inside."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[None]:
        """A transaction that sees one moment."""

    @abstractmethod
    def close(self) -> None:
        """Give the connection back."""

    @abstractmethod
    def layout(self) -> int:
        """The number of the layout of the tables; 0 if there are none."""

    @abstractmethod
    def adopt(self, layout: int) -> None:
        """Note the number of the layout of the tables."""

    @property
    def rights(self) -> int:
        """Who may read and write a copy, as the mode of a file; the system decides if nothing else does."""
        return 0o666

    @abstractmethod
    def backup(self, to: Path) -> None:
        """Copy the ledger, as it is at one moment, into a file; refused where the store is no file."""

    @contextmanager
    def closed_if_refused(self) -> Iterator[None]:
        """Give the connection back if what is inside, such as a first look at the tables, is refused."""
        try:
            yield
        except BaseException:
            self.close()
            raise

    def migrate(self, *, create: bool) -> None:
        """Bring the tables to the newest layout; refuse one that is newer, or none unless it may be made."""
        with self.writing():
            self.renew(create=create)

    def renew(self, *, create: bool) -> None:
        """The same inside of a transaction of the caller."""
        steps = _steps(self.dialect)
        found = self._known_layout(create=create)
        for number, step in enumerate(steps[found:], start=found + 1):
            for statement in _statements(step):
                self.execute(statement)
            self.execute("INSERT INTO migration (number, digest) VALUES (?, ?)", (number, digest(step)))
            self.adopt(number)
        if 0 < found < _REPLAYED:
            self._replay()
        if found == 0:
            self.put(HEAD, canonical([0, START]))

    def _replay(self) -> None:
        """Make totals and entries anew from the events: an earlier version made others of them."""
        memory = Memory()
        for _, _, line in self.lines():
            perform(Event.of_line(line), memory)
        for place, body in memory.texts.items():
            self.put(place, body)

    def require_newest(self) -> None:
        """Refuse tables that are not in the newest layout: who only reads cannot bring them to it."""
        newest = len(_steps(self.dialect))
        with self.reading():
            found = self._known_layout(create=False)
        if found < newest:
            rule = f"must have layout {newest} to be read"
            way_out = "Enter something, such as by whit ledger reserve, which renews it."
            raise Unavailable("the ledger", rule, found, way_out)

    @property
    def is_migrated(self) -> bool:
        """Whether the table of layouts says what this version applies."""
        expected = [(number, digest(step)) for number, step in enumerate(_steps(self.dialect), start=1)]
        return self.execute("SELECT number, digest FROM migration ORDER BY number") == expected

    def _known_layout(self, *, create: bool) -> int:
        """The layout of the tables; refused if it is newer than this version, or if none is there to be read."""
        found, newest = self.layout(), len(_steps(self.dialect))
        if found > newest:
            rule = f"must have a layout that this version of whit knows, at most {newest}"
            raise Incompatible("the ledger", rule, found, "Use the newer version of whit that made it.")
        if found == 0 and not create:
            raise Unavailable("the ledger", "must have been made", "no ledger there", "Run whit ledger init first.")
        return found

    def get(self, place: str) -> str | None:
        """The text at a place; None if nothing is there."""
        rows = self.execute("SELECT body FROM shelf WHERE place = ?", (place,))
        return rows[0][0] if rows else None

    def put(self, place: str, body: str) -> None:
        """Put a text at a place."""
        self.execute(
            "INSERT INTO shelf (place, body) VALUES (?, ?) ON CONFLICT (place) DO UPDATE SET body = excluded.body",
            (place, body),
        )

    def enlist(self, account: str, number: int, weight: float) -> None:
        """List an entry under an account, with how heavy it is; 0 if it does not count."""
        self.execute(
            "INSERT INTO listing (account, number, weight) VALUES (?, ?, ?) "
            "ON CONFLICT (account, number) DO UPDATE SET weight = excluded.weight",
            (account, number, weight),
        )

    def append(self, event: Event) -> Event:
        """Add an event to the chain, note the request that made it, and do what it says; the event as it is stored."""
        line = (event.number, event.hash, event.line)
        self.execute("INSERT INTO event (number, hash, line) VALUES (?, ?, ?)", line)
        if event.key:
            noted = (event.key, event.request, event.number)
            self.execute("INSERT INTO request (key, digest, number) VALUES (?, ?, ?)", noted)
        perform(event, self)
        self.put(HEAD, canonical([event.number, event.hash]))
        return event

    @property
    def head(self) -> tuple[int, str]:
        """The number and the hash of the last event, which must be there by this hash."""
        number, last = read_kept("the head of the ledger", self.get(HEAD), _head)
        if number and self.execute("SELECT hash FROM event WHERE number = ?", (number,)) != [(last,)]:
            raise not_as_written("the head of the ledger", f"event {number}, which is not there by this hash")
        return number, last

    def request(self, key: str) -> tuple[str, int] | None:
        """The digest of the request with a key, and the event that it made."""
        rows = self.execute("SELECT digest, number FROM request WHERE key = ?", (key,))
        return (rows[0][0], rows[0][1]) if rows else None

    def requests(self) -> Iterator[tuple[str, str, int]]:
        """All idempotency keys, each with the digest of its request and the event that this made."""
        last = ""
        while rows := self.execute(
            "SELECT key, digest, number FROM request WHERE key > ? ORDER BY key LIMIT ?", (last, _PAGE)
        ):
            yield from rows
            last = rows[-1][0]

    def event(self, number: int) -> Event:
        """The event of a number."""
        rows = self.execute("SELECT line FROM event WHERE number = ?", (number,))
        if not rows:
            raise not_as_written(f"event {number} of the ledger", "nothing")
        return Event.of_line(rows[0][0])

    def lines(self) -> Iterator[tuple[int, str, str]]:
        """All events as they are stored: number, hash and line, in order."""
        last = -(2**62)
        while rows := self.execute(
            "SELECT number, hash, line FROM event WHERE number > ? ORDER BY number LIMIT ?", (last, _PAGE)
        ):
            yield from rows
            last = rows[-1][0]

    def places(self, prefix: str) -> Iterator[tuple[str, str]]:
        """The texts whose place begins with a prefix, in order of their places."""
        end, last = prefix + "\U0010ffff", prefix
        while rows := self.execute(
            "SELECT place, body FROM shelf WHERE place > ? AND place < ? ORDER BY place LIMIT ?", (last, end, _PAGE)
        ):
            yield from rows
            last = rows[-1][0]

    def listed(self, account: str, *, before: int, size: int) -> list[int]:
        """The last entries of an account before a number, the newest first."""
        rows = self.execute(
            "SELECT number FROM listing WHERE account = ? AND number < ? ORDER BY number DESC LIMIT ?",
            (account, min(before, _LAST), min(size, _LAST)),
        )
        return [row[0] for row in rows]

    def listings(self, account: str) -> Iterator[tuple[int, float]]:
        """All entries of an account in order, each with its weight."""
        last = 0
        while rows := self.execute(
            "SELECT number, weight FROM listing WHERE account = ? AND number > ? ORDER BY number LIMIT ?",
            (account, last, _PAGE),
        ):
            yield from ((row[0], row[1]) for row in rows)
            last = rows[-1][0]

    def heaviest(self, account: str, size: int) -> list[tuple[int, float]]:
        """The entries that hold most of an account."""
        rows = self.execute(
            "SELECT number, weight FROM listing WHERE account = ? AND weight > 0 ORDER BY weight DESC, number LIMIT ?",
            (account, size),
        )
        return [(row[0], row[1]) for row in rows]


@contextmanager
def transaction(store: Store, begin: Sequence[str]) -> Iterator[None]:
    """Statements that begin a transaction, then what is inside of it; committed at the end or rolled back."""
    for statement in begin:
        store.execute(statement)
    try:
        yield
    except BaseException:
        store.execute("ROLLBACK")
        raise
    store.execute("COMMIT")


def _head(tree: tuple[int, str]) -> tuple[int, str]:
    number, last = tree
    return whole_of(number), digest_of(last)


def _steps(dialect: str) -> list[str]:
    """The migrations of a dialect in order."""
    folder = resources.files("whit.ledger") / "migrations" / dialect
    return [each.read_text("utf-8") for each in sorted(folder.iterdir(), key=lambda each: each.name)]


def _statements(script: str) -> Iterator[str]:
    """The statements of a script, which end at a semicolon at the end of a line; those of a trigger stay together."""
    statement: list[str] = []
    for line in script.splitlines():
        if line.startswith("--"):
            continue
        statement.append(line)
        if line.endswith(";"):
            yield "\n".join(statement).removesuffix(";")
            statement = []
