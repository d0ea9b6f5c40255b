"""A ledger that version 0.1.0 made: it opens, its totals are made from its events anew, and it is whole."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest

from whit.errors import Incompatible, Unavailable
from whit.guarantees import ZeroConcentratedDP
from whit.ledger import Ledger, Refused, State, verify

KEPT = Path(__file__).with_name("office-0.1.0.sql")
HEAD = "aca47ab9fd73bdbacef1cc84d02cfc5504273ee4c509de5483ac21a43c404075"
"""Its head, as version 0.1.0 said it."""


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """The file as version 0.1.0 left it."""
    path = tmp_path / "office.ledger"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(KEPT.read_text("utf-8"))
    return path


def test_a_ledger_of_an_earlier_version_opens_and_is_whole(earlier: Path) -> None:
    with pytest.raises(Unavailable, match="must have layout 2 to be read; got 1"):
        Ledger.read(earlier)
    with Ledger(earlier, actor="ada") as ledger:
        assert verify(ledger.store, head=HEAD).events == 15
    with Ledger.read(earlier) as ledger:
        assert ledger.head == (15, HEAD)


def test_a_ledger_of_an_earlier_version_counts_what_a_recipient_got_from_the_first_entry_on(earlier: Path) -> None:
    """1/1024 before the quota and three times 1/512 after it; what was cancelled is not there."""
    with Ledger(earlier, actor="ada") as ledger:
        for account in ("2026", "years"):
            assert ledger.position(account).recipients["uni"]["zcdp"] == (Fraction(7, 1024),)
        with pytest.raises(Refused, match="must fit the quota of uni"):
            ledger.reserve("2026", ZeroConcentratedDP(0.0), what="nothing", recipient="uni")


def test_an_overdue_reservation_that_an_earlier_version_corrected_is_uncertain(earlier: Path) -> None:
    with Ledger(earlier, actor="ada") as ledger:
        assert ledger.entry(15).state is State.UNCERTAIN
        with pytest.raises(Incompatible, match="to cancel an uncertain release needs another person"):
            ledger.cancel(15, statement="it did not run")
