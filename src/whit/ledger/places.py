"""Which store a place stands for: a file, or a database behind a URL."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path

from whit.errors import InvalidInput
from whit.files import place_of
from whit.ledger.postgres import PostgresStore
from whit.ledger.sqlite import SqliteStore
from whit.ledger.store import Store

ENVIRONMENT = "WHIT_LEDGER"
"""The variable that names the ledger where nothing else does."""


def store_at(where: str | Path | None = None, *, create: bool = False, writes: bool = True) -> Store:
    """The store at a path or behind a URL, for a writer or for a reader; the environment says where if nobody does."""
    place = _named(where)
    if _is_database(place):
        return PostgresStore(place, create=create, writes=writes)
    if create:
        with SqliteStore.whole(place_of(place)):
            pass  # which has its name now
    return SqliteStore(place_of(place), writes=writes)


def new_store(where: str | Path | None = None) -> AbstractContextManager[Store]:
    """A new store in one transaction: it is there with all that is put into it, or nothing is."""
    place = _named(where)
    return PostgresStore.whole(place) if _is_database(place) else SqliteStore.whole(place_of(place))


def _named(where: object) -> str:
    if not isinstance(where, str | os.PathLike | None):
        raise InvalidInput("the ledger", "must be named by a path or a URL", where, 'Use a text such as "ledger.db".')
    place = str(where or os.environ.get(ENVIRONMENT, ""))
    if not place:
        way_out = f"Give a path or a URL, or set the environment variable {ENVIRONMENT}."
        raise InvalidInput("the ledger", "must be named", "nothing", way_out)
    return place


def _is_database(place: str) -> bool:
    """Whether a place is the URL of a database; another URL is refused."""
    if place.startswith(("postgresql://", "postgres://")):
        return True
    if "://" in place or place.lower().startswith(("postgresql:", "postgres:")):
        rule = "must be a path, or a URL that begins with postgresql://"
        raise InvalidInput("the ledger", rule, "another URL", "Write it as postgresql://user@host/database.")
    return False
