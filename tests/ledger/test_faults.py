"""Whatever happens to the process or the disk: nothing acknowledged is lost, nothing is half there."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from whit.errors import Incompatible, InvalidInput, Unavailable
from whit.guarantees import ZeroConcentratedDP
from whit.ledger import Ledger, Refused, State, verify
from whit.policy import limits

Place = Callable[[], str]

SMALL = ZeroConcentratedDP(0.001)

OPERATIONS: dict[str, Callable[[Ledger], object]] = {
    "reserve": lambda ledger: ledger.reserve("2026", SMALL, what="a table", key="once"),
    "plan": lambda ledger: ledger.plan("2026", SMALL, what="a table", key="once"),
    "record": lambda ledger: ledger.record("2026", SMALL, what="a table", key="once"),
    "correct": lambda ledger: ledger.correct(3, ZeroConcentratedDP(0.002), why="more", key="once"),
    "release": lambda ledger: ledger.release(3, key="once"),
    "cancel": lambda ledger: ledger.cancel(3, statement="no output", key="once"),
    "doubt": lambda ledger: ledger.doubt(3, why="who knows", key="once"),
    "approve": lambda ledger: ledger.approve(4, key="once"),
    "refused": lambda ledger: ledger.reserve("2026", ZeroConcentratedDP(1.0), what="too much", key="once"),
    "open": lambda ledger: ledger.open("2027", "people", limits=["posterior=0.3, prior=0.1"], books=["pure"]),
}


def office(where: str) -> None:
    """A ledger with a reserved entry 3 and a planned entry 4."""
    with Ledger.create(where, actor="ada") as ledger:
        ledger.declare("people")
        ledger.open("2026", "people", limits=[limits.posterior(0.3, prior=0.1)], failure="0.01", books=["zcdp"])
        ledger.reserve("2026", ZeroConcentratedDP(0.001), what="first")
        ledger.plan("2026", ZeroConcentratedDP(0.001), what="second")


def run(where: str, at: int, operation: str) -> int:
    """The operation in a process of its own, which is killed at a statement; 0 if it comes to its end before."""
    process = os.fork()
    if process == 0:
        ended = 1
        try:
            ledger = Ledger(where, actor="ben")
            execute, count = ledger.store.execute, itertools.count(1)

            def until_killed(statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
                if next(count) == at:
                    os.kill(os.getpid(), signal.SIGKILL)
                return execute(statement, values)

            ledger.store.execute = until_killed  # type: ignore[method-assign]
            with suppress(Refused):
                OPERATIONS[operation](ledger)
            ended = 0
        finally:
            os._exit(ended)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def counted(where: str) -> Fraction:
    """What all entries that count cost, one after the other."""
    with Ledger(where) as ledger:
        entries = ledger.history("2026", size=10**6)
    return sum((each.charges["zcdp"][0] for each in entries if each.counts and each.charges["zcdp"]), Fraction(0))


# Each operation is killed at dozens of statements, in both stores: these three stand for the others in a quick run.
QUICK = ("reserve", "correct", "refused")


@pytest.mark.parametrize(
    "operation", [each if each in QUICK else pytest.param(each, marks=pytest.mark.slow) for each in OPERATIONS]
)
def test_a_process_killed_at_any_statement_leaves_all_or_nothing(place: Place, operation: str) -> None:
    where, at, done = place(), 0, False
    office(where)
    while not done:
        at += 1
        with Ledger(where) as ledger:
            before = ledger.head
        ended = run(where, at, operation)
        done = ended == 0
        assert done or ended == -signal.SIGKILL
        with Ledger(where) as ledger:
            verify(ledger.store)
            # The same request again is answered once and not charged twice, so that the loop can go on.
            assert ledger.head[0] - before[0] in (0, 1)
            assert ledger.position("2026").totals["zcdp"] == (counted(where),)
    assert at > 5


WRITER = textwrap.dedent(
    """
    import sys
    from whit.guarantees import ZeroConcentratedDP
    from whit.ledger import Ledger

    with Ledger(sys.argv[1], actor="ben") as ledger:
        for k in range(10**6):
            receipt = ledger.reserve("2026", ZeroConcentratedDP(0.0), what="x", charges={"zcdp": "1/100000000"})
            print(receipt.number, receipt.head, flush=True)
    """
)


@pytest.mark.slow
def test_what_was_acknowledged_survives_200_kills(place: Place) -> None:
    import random

    where, draw, acknowledged = place(), random.Random(20), 0
    office(where)
    for _ in range(200):
        process = subprocess.Popen([sys.executable, "-c", WRITER, where], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(1 + draw.randrange(8))]
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.readlines()
        process.wait()
        process.stdout.close()
        with Ledger(where) as ledger:
            for line in lines:
                if line.endswith("\n"):  # the last one may be half written
                    number, head = line.split()
                    assert ledger.store.event(int(number)).hash == head
                    acknowledged += 1
    assert acknowledged > 200
    with Ledger(where) as ledger:
        verify(ledger.store)
        assert ledger.position("2026").totals["zcdp"] == (counted(where),)


def test_a_full_disk_is_refused_in_a_sentence_and_nothing_is_written(tmp_path: Path) -> None:
    path = tmp_path / "office.ledger"
    office(str(path))
    with Ledger(path) as ledger:
        before = ledger.head
    size, acknowledged = max(each.stat().st_size for each in tmp_path.iterdir()), [before]
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    previous = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with Ledger(path) as ledger:
            resource.setrlimit(resource.RLIMIT_FSIZE, (min(size, 8192), hard))
            with pytest.raises(Unavailable, match="must be readable and writable; got"):
                _fill(ledger, acknowledged)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, previous)
    with Ledger(path) as ledger:
        assert ledger.head == acknowledged[-1]
        verify(ledger.store)


def _fill(ledger: Ledger, acknowledged: list[tuple[int, str]]) -> None:
    """Reserve until the disk is full."""
    for k in range(1000):
        ledger.reserve("2026", ZeroConcentratedDP(1e-9), what=f"table {k} {'x' * 150}")
        acknowledged.append(ledger.head)


def test_a_file_that_may_not_be_written_is_refused(tmp_path: Path) -> None:
    """A database that its connection may only read, as a folder without the right to write makes it."""
    path = tmp_path / "office.ledger"
    office(str(path))
    with Ledger(path) as ledger:
        before = ledger.head
        ledger.store.execute("PRAGMA query_only = ON")
        with pytest.raises(Unavailable, match="attempt to write a readonly database"):
            ledger.reserve("2026", ZeroConcentratedDP(1e-6), what="a table")
        ledger.store.execute("PRAGMA query_only = OFF")
        assert ledger.head == before


def test_a_ledger_of_a_newer_layout_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "office.ledger"
    office(str(path))
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(Incompatible, match=r"must have a layout that this version of whit knows, at most 2; got 99"):
        Ledger(path)


def test_a_file_that_is_no_ledger_is_refused_and_left_alone(tmp_path: Path) -> None:
    other, text = tmp_path / "other.db", tmp_path / "notes.txt"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE mine (x)")
    connection.commit()
    connection.close()
    text.write_text("these are my notes, and no database\n" * 100)
    before = other.read_bytes()
    with pytest.raises(Unavailable, match="must be a ledger of whit"):
        Ledger(other)
    assert other.read_bytes() == before
    with pytest.raises(Unavailable, match="file is not a database"):
        Ledger(text)
    with pytest.raises(Unavailable, match="must be a file"):
        Ledger(tmp_path / "nothing")
    with pytest.raises(Incompatible, match="must not be there yet"):
        Ledger.create(text)


def test_a_damaged_file_is_refused_with_the_way_back(tmp_path: Path) -> None:
    path = tmp_path / "office.ledger"
    Ledger.create(path).close()
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE event", b"CREATE TA\xc1LE event", 1))
    with pytest.raises(Unavailable, match="got malformed text. The file is damaged. Go back to a backup"):
        Ledger(path)


@pytest.mark.parametrize("place", ["account/2026", "position/2026", "population/people", "head"])
@pytest.mark.parametrize("change", ["{", "[]", "{}", '"x"', "[1]", "null", '{"books": {"pure": 1}}'])
def test_what_a_ledger_keeps_and_somebody_else_changed_is_refused(tmp_path: Path, place: str, change: str) -> None:
    path = tmp_path / "office.ledger"
    office(path)
    connection = sqlite3.connect(path)
    changed = connection.execute("UPDATE shelf SET body = ? WHERE place = ?", (change, place))
    assert changed.rowcount == 1
    connection.commit()
    connection.close()
    with (
        Ledger(path) as ledger,
        pytest.raises(InvalidInput, match="must be as the ledger wrote it.*Restore the ledger"),
    ):
        ledger.reserve("2026", ZeroConcentratedDP(0.001), what="a table")


def test_two_processes_with_one_key_make_one_entry(place: Place) -> None:
    where = place()
    office(where)
    with multiprocessing.get_context("fork").Pool(4) as pool:
        assert pool.starmap(_once, [(where,)] * 4, chunksize=1) == [5] * 4
    with Ledger(where) as ledger:
        assert [each.what for each in ledger.history("2026")].count("a table") == 1
        assert ledger.entry(5).state is State.RESERVED


def _once(where: str) -> int:
    with Ledger(where, actor="ben") as ledger:
        return ledger.reserve("2026", SMALL, what="a table", key="once").number
