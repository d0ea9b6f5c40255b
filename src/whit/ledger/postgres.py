"""A ledger in PostgreSQL, for teams: given by a URL, with one lock for all writers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from whit.errors import Incompatible, InvalidInput, Unavailable, missing_extra
from whit.ledger.store import HEAD, Store, transaction

_URL = "Write postgresql://user:password@host/database, and in the password %40 for @, %2F for / and %25 for %."
_SERVER = "Check the address, the rights and that the server runs; nothing was written."


class PostgresStore(Store):
    """The tables in the first schema of the search path."""

    dialect = "postgres"

    def __init__(self, url: str, *, create: bool = False, writes: bool = True, migrates: bool = True) -> None:
        psycopg = _psycopg()
        self._errors = (psycopg.Error,)
        _require_whole(psycopg, url)
        with self._sentences():
            self._connection = psycopg.connect(url, autocommit=True)
        with self.closed_if_refused():
            if not writes:
                self.execute("SET default_transaction_read_only = on")
                self.require_newest()
            elif migrates:
                self.migrate(create=create)

    @classmethod
    @contextmanager
    def whole(cls, url: str) -> Iterator[PostgresStore]:
        """A store whose tables come with what is put into them, in one transaction; else none of it is there."""
        store = cls(url, create=True, migrates=False)
        try:
            with store.writing():
                store.renew(create=True)
                yield store
        finally:
            store.close()

    def execute(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and fetch what it gives."""
        with self._sentences():
            cursor = self._connection.execute(statement.replace("?", "%s") if values else statement, values or None)
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction that holds the lock of the head: writers come one after the other."""
        with transaction(self, ["BEGIN"]):
            if self.layout():
                self.execute("SELECT body FROM shelf WHERE place = ? FOR UPDATE", (HEAD,))
            else:
                self.execute("SELECT pg_advisory_xact_lock(7235433)")
            yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A transaction that sees one moment."""
        with transaction(self, ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"]):
            yield

    def layout(self) -> int:
        """The number of the last migration."""
        if self.execute("SELECT to_regclass('migration')")[0][0] is None:
            return 0
        return int(self.execute("SELECT coalesce(max(number), 0) FROM migration")[0][0])

    def adopt(self, layout: int) -> None:
        """The table of migrations says it."""

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def backup(self, to: Path) -> None:
        """Refuse: a server has backups of its own, and the chain can be exported."""
        rule = "is a copy of the file of a ledger, and this one is in PostgreSQL"
        raise Incompatible("a backup", rule, str(to), "Use whit ledger export, or pg_dump on the server.")

    @contextmanager
    def _sentences(self) -> Iterator[None]:
        """Say in whit's words what the server refuses."""
        try:
            yield
        except self._errors as wrong:
            first = (str(wrong).splitlines() or [type(wrong).__name__])[0]
            raise Unavailable("the ledger", "must be readable and writable", first, _SERVER) from wrong


def _require_whole(psycopg: Any, url: str) -> None:
    """Refuse a URL of whose password the server's library would take a part for something else, and repeat it."""
    try:
        parts = psycopg.conninfo.conninfo_to_dict(url)
    except psycopg.Error:
        parts = {"host": "@"}
    places = [str(parts.get(name, "")) for name in ("host", "port", "dbname")]
    if any("@" in place for place in places) or not set(places[1]) <= set("0123456789,"):
        rule = "must be a URL that PostgreSQL can read"
        raise InvalidInput("the ledger", rule, "one that is not shown, since it may hold a password", _URL) from None


def _psycopg() -> Any:
    """The library, which is loaded here alone."""
    try:
        import psycopg
    except ImportError as wrong:
        raise missing_extra("psycopg", "postgres", purpose="for a ledger in PostgreSQL") from wrong
    return psycopg
