"""Many processes that reserve from one account at once, and what they were told; and stores that take no care."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from whit.errors import Unavailable
from whit.guarantees import ZeroConcentratedDP
from whit.ledger import Event, Ledger, Refused, Store
from whit.ledger.postgres import PostgresStore
from whit.ledger.sqlite import SqliteStore
from whit.ledger.store import transaction
from whit.policy import limits

ACCOUNT = "2026"
CHARGE = Fraction(1, 3000)

Opened = Callable[[str], Store]


@dataclass(frozen=True)
class Told:
    """What the writers were told.

    Attributes:
        reserved: the entries that were acknowledged.
        refused: how many attempts were refused.
        failed: how many attempts failed without an answer.
    """

    reserved: tuple[int, ...]
    refused: int
    failed: int


def bank(where: str) -> Fraction:
    """A new ledger with one account; the total that it allows."""
    with Ledger.create(where, actor="bank") as ledger:
        ledger.declare("people")
        account = ledger.open(
            ACCOUNT, "people", limits=[limits.posterior(0.3, prior=0.1)], failure="0.01", books=["zcdp"]
        )
    [most] = next(iter(account.most.values()))["zcdp"] or ()
    return most


def run(where: str, opened: Opened, *, writers: int, attempts: int) -> Told:
    """Let so many processes try so often each, all at once, and collect what they were told."""
    context = multiprocessing.get_context("fork")
    start = context.Barrier(writers)
    with context.Pool(writers, initializer=_begin, initargs=(start,)) as pool:
        found = pool.starmap(_write, [(where, opened, k, attempts) for k in range(writers)], chunksize=1)
    return Told(
        tuple(number for each in found for number in each.reserved),
        sum(each.refused for each in found),
        sum(each.failed for each in found),
    )


_barrier: list[object] = []


def _begin(barrier: object) -> None:
    _barrier[:] = [barrier]


def _write(where: str, opened: Opened, writer: int, attempts: int) -> Told:
    """One process that tries to reserve again and again."""
    reserved, refused, failed = [], 0, 0
    with Ledger(opened(where), actor=f"writer {writer}") as ledger:
        _barrier[0].wait()  # type: ignore[attr-defined]
        for k in range(attempts):
            try:
                receipt = ledger.reserve(
                    ACCOUNT, ZeroConcentratedDP(0.0), what="try", key=f"{writer}.{k}", charges={"zcdp": CHARGE}
                )
                reserved.append(receipt.number)
            except Refused:
                refused += 1
            except Unavailable:
                failed += 1
    return Told(tuple(reserved), refused, failed)


def careful(where: str) -> Store:
    """The store that whit uses at this place."""
    return PostgresStore(where) if where.startswith("postgres") else SqliteStore(Path(where))


class CarelessPostgres(PostgresStore):
    """READ COMMITTED without a lock, and numbers that never collide."""

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A plain transaction."""
        with transaction(self, ["BEGIN"]):
            yield

    def append(self, event: Event) -> Event:
        """Take the next number of a sequence, so that nothing notices the others."""
        [(number,)] = self.execute("SELECT nextval('careless')")
        return super().append(replace(event, number=number))


class CarelessSqlite(SqliteStore):
    """A plain BEGIN, which takes no lock until the first write."""

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A plain transaction."""
        with transaction(self, ["BEGIN"]):
            yield


def careless_postgres(where: str) -> Store:
    """A store without care."""
    return CarelessPostgres(where)


def careless_sqlite(where: str) -> Store:
    """A store without care."""
    return CarelessSqlite(Path(where))
