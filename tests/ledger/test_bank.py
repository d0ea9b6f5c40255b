"""Many writers at once never spend more than the account allows, and nothing that was acknowledged is lost."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import ledger_bank
import pytest
from ledger_bank import ACCOUNT, CHARGE, Opened, Told, bank, careful, careless_postgres, careless_sqlite
from ledger_places import new_schema

from whit.ledger import Ledger, State, verify

Place = Callable[[], str]

# All 64 writers and 10,000 attempts take minutes: they are the slow share of the same test.
SIZES = [(8, 60), pytest.param(64, 157, marks=pytest.mark.slow)]


def spent(where: str) -> Fraction:
    """What the account has spent by its entries, one after the other, whatever the stored total says."""
    with Ledger(where) as ledger:
        entries = ledger.history(ACCOUNT, size=10**6)
    return sum((each.charges["zcdp"][0] for each in entries if each.state.counts and each.charges["zcdp"]), Fraction(0))


@pytest.mark.parametrize(("writers", "attempts"), SIZES)
def test_writers_together_spend_to_the_limit_and_not_beyond(place: Place, writers: int, attempts: int) -> None:
    where = place()
    most = bank(where)
    told = ledger_bank.run(where, careful, writers=writers, attempts=attempts)
    assert told.failed == 0
    assert len(told.reserved) == min(int(most / CHARGE), writers * attempts)
    assert len(told.reserved) + told.refused == writers * attempts
    assert spent(where) == CHARGE * len(told.reserved) <= most
    with Ledger(where) as ledger:
        assert all(ledger.entry(number).state is State.RESERVED for number in told.reserved)
        assert verify(ledger.store).events == 2 + writers * attempts


def careless(where: str, opened: Opened) -> tuple[Fraction, Told]:
    """What the account allows, and what writers were told by a store that takes no care."""
    most = bank(where)
    return most, ledger_bank.run(where, opened, writers=8, attempts=60)


def test_the_test_has_power_without_a_lock_postgres_overspends(postgres: str) -> None:
    import psycopg

    where = new_schema(postgres)
    with psycopg.connect(where, autocommit=True) as connection:
        connection.execute("CREATE SEQUENCE careless START 1000")
    most, told = careless(where, careless_postgres)
    assert CHARGE * len(told.reserved) > most


def test_the_test_has_power_with_a_plain_begin_sqlite_fails_attempts(tmp_path: object) -> None:
    _, told = careless(f"{tmp_path}/careless.ledger", careless_sqlite)
    assert told.failed > 0
