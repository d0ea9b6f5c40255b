"""An entry that is edited, missing, swapped or cut off is found, and so is a total that somebody changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from whit.errors import InvalidInput
from whit.guarantees import ZeroConcentratedDP
from whit.ledger import Event, Ledger, linked, verify
from whit.ledger.chain import LONGEST_LINE, START, Act, canonical
from whit.ledger.perform import Memory, perform
from whit.policy import limits

Change = Callable[[sqlite3.Connection], object]


@pytest.fixture
def ledger_file(tmp_path: Path) -> tuple[Path, str]:
    """A ledger of six events, and its head."""
    path = tmp_path / "office.ledger"
    with Ledger.create(path, actor="ada") as ledger:
        ledger.declare("people")
        ledger.open("2026", "people", limits=[limits.posterior(0.3, prior=0.1)], failure=0.01, books=["zcdp"])
        for k in range(4):
            ledger.reserve("2026", ZeroConcentratedDP(0.001), what=f"table {k}", key=str(k))
        return path, ledger.head[1]


def edited(connection: sqlite3.Connection) -> None:
    """Another charge in one event, with a hash that fits its line."""
    [(line,)] = connection.execute("SELECT line FROM event WHERE number = 4").fetchall()
    event = Event.of_line(line.replace("table 1", "table 9"))
    connection.execute("UPDATE event SET line = ?, hash = ? WHERE number = 4", (event.line, event.hash))


def swapped(connection: sqlite3.Connection) -> None:
    """Two events in each other's place."""
    rows = connection.execute("SELECT number, hash, line FROM event WHERE number IN (4, 5)").fetchall()
    connection.execute("DELETE FROM event WHERE number IN (4, 5)")
    for (number, _, _), (_, stored, line) in zip(rows, reversed(rows), strict=True):
        connection.execute("INSERT INTO event VALUES (?, ?, ?)", (number, stored, line))


TAMPERED: dict[str, tuple[Change, str]] = {
    "edited": (edited, "must carry the hash of entry 4"),
    "a line alone": (
        lambda c: c.execute("UPDATE event SET line = replace(line, 'table 1', 'table 9') WHERE number = 4"),
        "must have the hash of its line",
    ),
    "missing": (lambda c: c.execute("DELETE FROM event WHERE number = 4"), "must come after entry 3"),
    "swapped": (swapped, "must have the hash of its line"),
    "cut off": (lambda c: c.execute("DELETE FROM event WHERE number = 6"), "the head of the ledger must be"),
    "a total": (
        lambda c: c.execute("UPDATE shelf SET body = replace(body, '\"entries\":4', '\"entries\":3')"),
        "position/2026 must be what the events of the ledger say",
    ),
    "an entry that is no event": (
        lambda c: c.execute("INSERT INTO shelf VALUES ('entry/99', '{}')"),
        "entry/99 must be what the events",
    ),
    "a weight that was changed": (
        lambda c: c.execute("UPDATE listing SET weight = weight + 0.5 WHERE number = 3"),
        "the list of account 2026 must be what the events",
    ),
    "a layout that was taken out": (
        lambda c: c.execute("DELETE FROM migration WHERE number = 1"),
        "the table of layouts must be what the events",
    ),
    "a layout of another digest": (
        lambda c: c.execute("UPDATE migration SET digest = '0' WHERE number = 2"),
        "the table of layouts must be what the events",
    ),
    "a layout of another number": (
        lambda c: c.execute("UPDATE migration SET number = 3 WHERE number = 2"),
        "the table of layouts must be what the events",
    ),
    "no canonical line": (
        lambda c: c.execute("UPDATE event SET line = replace(line, ':', ': ') WHERE number = 4"),
        "must be an event of a ledger in canonical JSON",
    ),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_what_was_tampered_with_is_found(ledger_file: tuple[Path, str], how: str) -> None:
    path, _ = ledger_file
    change, said = TAMPERED[how]
    connection = sqlite3.connect(path)
    for trigger in ("event_is_not_updated", "event_is_not_deleted"):
        connection.execute(f"DROP TRIGGER {trigger}")
    change(connection)
    connection.commit()
    connection.close()
    with Ledger(path) as ledger, pytest.raises(InvalidInput, match=said):
        verify(ledger.store)


def test_a_ledger_that_was_cut_off_with_all_its_traces_is_found_by_a_head_that_was_kept(
    ledger_file: tuple[Path, str], tmp_path: Path
) -> None:
    """Whoever rewrites the whole file leaves a whole chain; only what was kept elsewhere tells."""
    path, head = ledger_file
    with Ledger(path) as ledger, Ledger.create(tmp_path / "cut.ledger") as cut:
        with cut.store.writing():
            for number in range(1, 6):
                cut.store.append(ledger.store.event(number))
        assert verify(cut.store).events == 5
        with pytest.raises(InvalidInput, match="cut off. Compare the head with the place where it was kept, before"):
            verify(cut.store, head=head)
        assert verify(ledger.store, head=ledger.store.event(3).hash).events == 6


@pytest.mark.parametrize("digits", [16, 17, 40, 64])
def test_the_first_digits_of_a_head_are_enough(ledger_file: tuple[Path, str], digits: int) -> None:
    path, head = ledger_file
    with Ledger(path) as ledger:
        assert verify(ledger.store, head=head[:digits].upper()).events == 6
        assert verify(ledger.store, head=ledger.store.event(2).hash[:digits]).events == 6


@pytest.mark.parametrize("between", ["\u200b", "\n", " ", "\u00ad", "\u2060", "\ufeff\u200d", "\u00a0"], ids=ascii)
def test_a_head_that_was_copied_from_a_page_is_the_same_head(ledger_file: tuple[Path, str], between: str) -> None:
    path, head = ledger_file
    with Ledger(path) as ledger:
        assert verify(ledger.store, head=f"{between}{head[:30]}{between}{head[30:]}{between}").events == 6


@pytest.mark.parametrize(
    "text", ["41d3e9ee0934fa7", "abc", "", "entry 9 is reserved", "0x" + "a" * 20, "a" * 65, "٣" * 16]
)
def test_what_is_no_head_says_nothing_of_the_ledger(ledger_file: tuple[Path, str], text: str) -> None:
    path, _ = ledger_file
    with Ledger(path) as ledger, pytest.raises(InvalidInput, match="This is not a head") as wrong:
        verify(ledger.store, head=text)
    assert "estore" not in str(wrong.value)


def test_a_head_of_another_ledger_is_no_reason_to_restore_this_one(ledger_file: tuple[Path, str]) -> None:
    path, head = ledger_file
    other = f"{head[:15]}{'1' if head[15] == '0' else '0'}"
    with Ledger(path) as ledger, pytest.raises(InvalidInput, match="This may be another ledger") as wrong:
        verify(ledger.store, head=other)
    assert "Restore the ledger" not in str(wrong.value)


def test_digits_that_begin_two_hashes_are_no_head() -> None:
    class Alike(Event):
        hash = START

    first = Alike(1, START, "2026-01-01T00:00:00.000000Z", "ada", Act.QUOTA, {})
    with pytest.raises(InvalidInput, match="Give the whole head"):
        list(linked([first, replace(first, number=2)], head=START[:16]))


def test_events_cannot_be_changed_through_the_database(ledger_file: tuple[Path, str]) -> None:
    connection = sqlite3.connect(ledger_file[0])
    for statement in ("UPDATE event SET line = ''", "DELETE FROM event", "UPDATE request SET number = 1"):
        with pytest.raises(sqlite3.IntegrityError, match="is never"):
            connection.execute(statement)


def test_canonical_json_has_no_floating_point_number_and_one_form() -> None:
    assert canonical({"b": ["é", 1], "a": {}}) == '{"a":{},"b":["\\u00e9",1]}'
    for wrong in (0.1, {1: "x"}, {"a": object()}, float("nan"), [True, 1.0]):
        with pytest.raises(InvalidInput, match="in the ledger must be"):
            canonical(wrong)


@pytest.mark.parametrize("line", ["", "[]", "{}", "null", "[" * 100_000, '{"number":1}', "\x00", "1e999"])
def test_a_line_that_is_no_event_is_refused_in_a_sentence(line: str) -> None:
    with pytest.raises(InvalidInput, match="must be an event of a ledger in canonical JSON"):
        Event.of_line(line)


def test_a_text_without_end_is_refused() -> None:
    event = Event(1, "0", "now", "ada", Act.PLAN, {"what": "x" * LONGEST_LINE})
    with pytest.raises(InvalidInput, match="must have at most"):
        _ = event.line


def test_no_events_are_a_chain() -> None:
    assert list(linked([])) == []


@pytest.mark.parametrize("act", [Act.POPULATION, Act.OPEN, Act.RECORD])
def test_an_event_without_what_its_act_needs_is_refused_in_a_sentence(act: Act) -> None:
    with pytest.raises(InvalidInput, match=f"event 1 must hold what the act {act.value} needs"):
        perform(Event(1, "0", "now", "ada", act, {"what": "x"}), Memory())


NO_NUMBERS = ["1e999999999", "0.01e3", "1_000", "1/0", "nan", "\N{ARABIC-INDIC DIGIT ONE}"]


@pytest.mark.parametrize("number", NO_NUMBERS)
@pytest.mark.parametrize("act", [Act.OPEN, Act.RESERVE])
def test_a_number_that_no_ledger_writes_is_refused_before_it_is_worked_out(
    ledger_file: tuple[Path, str], act: Act, number: str
) -> None:
    shelf = Memory()
    with Ledger(ledger_file[0], actor="ada") as ledger:
        events = [Event.of_line(line) for _, _, line in ledger.store.lines()][:3]
    assert [each.act for each in events] == [Act.POPULATION, Act.OPEN, Act.RESERVE]
    events[1].body["failure"] = number if act is Act.OPEN else events[1].body["failure"]
    events[2].body["entry"]["charges"]["zcdp"] = number
    first = events.index(next(event for event in events if event.act is act))
    for event in events[:first]:
        perform(event, shelf)
    with pytest.raises(InvalidInput, match=f"must hold what the act {act.value} needs"):
        perform(events[first], shelf)
