"""An import makes a whole ledger or nothing: what is refused leaves no file, and no table in a database."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from whit.errors import Incompatible, InvalidInput, Unavailable
from whit.guarantees import ZeroConcentratedDP
from whit.ledger import Ledger, export, restored, verify

Place = Callable[[], str]

SMALL = ZeroConcentratedDP(0.001)


def office(where: str) -> Ledger:
    """A new ledger with an account."""
    ledger = Ledger.create(where, actor="ada")
    ledger.declare("people")
    ledger.open("2026", "people", limits=["posterior=0.3, prior=0.1"], failure="0.01", books=["zcdp"])
    return ledger


def test_an_import_that_is_refused_leaves_nothing_where_nothing_was(place: Place) -> None:
    file, new = io.StringIO(), place()
    with office(place()) as ledger:
        ledger.reserve("2026", SMALL, what="table 1")
        export(ledger.store, file)
        head = ledger.head
    lines = file.getvalue().splitlines()
    for broken in ([*lines[:2], "x"], lines[1:], [*lines, lines[-1]]):
        with pytest.raises(InvalidInput, match="Restore the ledger from its last backup"):
            restored(new, broken)
        with pytest.raises(Unavailable, match=r"must be a file that is there|must have been made"):
            Ledger(new)
    assert restored(new, lines).head == head[1]
    with Ledger(new) as ledger:
        assert (ledger.head, verify(ledger.store).events) == (head, head[0])
    with pytest.raises(Incompatible, match=r"must not be there yet|must be empty"):
        restored(new, lines)
    with Ledger(new) as ledger:
        assert ledger.head == head


def test_the_file_of_an_import_has_its_name_at_the_end(tmp_path: Path) -> None:
    """Who waits for the name finds the whole ledger, and nobody writes into what may be taken away again."""
    path, file = tmp_path / "new.ledger", io.StringIO()
    with office(str(tmp_path / "old.ledger")) as ledger:
        export(ledger.store, file)
    lines = file.getvalue().splitlines()

    def seen() -> Iterator[str]:
        for line in lines:
            assert not path.exists()
            yield line

    assert restored(path, seen()).events == len(lines)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["new.ledger", "old.ledger"]

    def stopped() -> Iterator[str]:
        yield lines[0]
        raise KeyboardInterrupt("stopped here")

    with pytest.raises(KeyboardInterrupt, match="stopped here"):
        restored(tmp_path / "none.ledger", stopped())
    with pytest.raises(Unavailable, match="must be a file that can be written"):
        restored(tmp_path / "no folder" / "none.ledger", lines)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["new.ledger", "old.ledger"]
