"""New places for ledgers of tests."""

from __future__ import annotations

import itertools

numbers = itertools.count(1)


def new_schema(url: str) -> str:
    """The URL of a schema that nothing is in."""
    import psycopg

    schema = f"ledger_{next(numbers)}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    mark = "&" if "?" in url else "?"
    return f"{url}{mark}options=-csearch_path%3D{schema}"
