"""What one more release would make of an account, the same in both stores: as it then is, once it is reserved."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from whit.curves import Promise
from whit.errors import Unavailable
from whit.guarantees import PureDP, ZeroConcentratedDP
from whit.ledger import Ledger, Refused, outlook_of, status_of, store
from whit.mechanisms import Gaussian

Place = Callable[[], str]


def office(where: str) -> Ledger:
    """A ledger with an account within another one, in which parts of the people have used different shares."""
    ledger = Ledger.create(where, actor="ada")
    ledger.declare("patients", parts=("north", "south"))
    ledger.open("ever", "patients", limits=["ratio=4"], failure="0.01", books=["zcdp", "renyi@8"])
    limits = ["posterior=0.3, prior=0.1", "power=0.5, level=0.05"]
    ledger.open("2026", "patients", limits=limits, failure="0.01", books=["zcdp", "pure"], within="ever")
    ledger.reserve("2026", ZeroConcentratedDP(0.01), what="table 1", parts=("north",))
    ledger.reserve("2026", PureDP(0.1), what="table 2")
    return ledger


@pytest.mark.parametrize("promise", [PureDP(0.1), ZeroConcentratedDP(0.001), Gaussian(10.0)], ids=repr)
def test_each_limit_is_as_the_release_leaves_it_once_it_is_reserved(place: Place, promise: Promise) -> None:
    with office(place()) as ledger:
        head = ledger.head
        before = [status_of(ledger.store, name) for name in ("2026", "ever")]
        found = outlook_of(ledger, "2026", promise)
        assert ledger.head == head
        assert found.refusal is None
        assert [each.now for each in found.accounts] == before
        ledger.reserve("2026", promise, what="table 3")
        after = [status_of(ledger.store, name).limits for name in ("2026", "ever")]
        assert [each.then for each in found.accounts] == after
        assert after != [each.limits for each in before]


def test_a_release_that_is_foreseen_not_to_fit_is_refused_for_the_same_reason(place: Place) -> None:
    with office(place()) as ledger:
        found = outlook_of(ledger, "2026", ZeroConcentratedDP(1.0))
        with pytest.raises(Refused, match="of account 2026 at every moment") as refused:
            ledger.reserve("2026", ZeroConcentratedDP(1.0), what="too much")
        assert found.refusal == refused.value.refusal
        assert not all(limit.kept for limit in found.accounts[0].then)


def test_who_only_reads_sees_what_a_writer_sees_and_can_change_nothing(place: Place) -> None:
    where = place()
    with office(where) as ledger, Ledger.read(where, actor="report") as reader:
        ledger.reserve("2026", PureDP(0.01), what="table 3")  # in the journal, and not yet in the file
        assert reader.head == ledger.head
        assert outlook_of(reader, "2026", PureDP(0.1)) == outlook_of(ledger, "2026", PureDP(0.1))
        with pytest.raises(Unavailable, match=r"read.?only"):
            reader.reserve("2026", PureDP(0.01), what="table 4")
        with pytest.raises(Unavailable, match=r"read.?only"):
            reader.store.put("somewhere", "something")
        assert reader.head == ledger.head


def test_a_reader_leaves_the_file_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "office.ledger"
    office(str(path)).close()
    before = path.read_bytes()
    with Ledger.read(path, actor="report") as reader:
        assert outlook_of(reader, "2026", PureDP(0.1)).refusal is None
    assert path.read_bytes() == before


def test_a_reader_sees_what_a_writer_left_in_the_journal_when_it_was_killed(tmp_path: Path) -> None:
    path = tmp_path / "office.ledger"
    with office(str(path)) as ledger:
        kept, head = tmp_path / "kept.ledger", ledger.head
        for each in tmp_path.glob("office.ledger*"):  # the file and its journal as a kill leaves them
            if not each.name.endswith("-shm"):
                shutil.copy(each, tmp_path / each.name.replace("office", "kept"))
    with Ledger.read(kept, actor="report") as reader:
        assert reader.head == head


def test_a_reader_renews_no_tables_and_says_who_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "office.ledger"
    office(str(path)).close()
    steps = store._steps("sqlite")
    monkeypatch.setattr(store, "_steps", lambda _: (*steps, "CREATE TABLE more (x)"))
    with pytest.raises(Unavailable, match=r"must have layout 3 to be read; got 2\. Enter something"):
        Ledger.read(path)
