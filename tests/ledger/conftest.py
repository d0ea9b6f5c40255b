"""A place for a ledger: a new SQLite file, and a new schema of a PostgreSQL server that the tests bring along."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from ledger_places import new_schema, numbers, postgres_server

Place = Callable[[], str]


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a PostgreSQL server of these tests alone."""
    with postgres_server(tmp_path_factory.mktemp("postgres")) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Makes the name of a place for a new ledger, in each of the stores."""
    if request.param == "sqlite":
        return lambda: str(tmp_path / f"{next(numbers)}.ledger")
    url = request.getfixturevalue("postgres")
    return lambda: new_schema(url)
