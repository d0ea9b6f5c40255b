"""Rows of a ledger that somebody changed by hand: a command says so in a sentence, or its answer is right."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from whit.apps.cli import whit
from whit.ledger import Ledger

Change = Callable[[sqlite3.Connection], object]

CHECK = ["2026", "--rho", "0.001"]
COMMANDS: Mapping[str, list[str]] = {
    "status": ["status"],
    "status of one": ["status", "2026"],
    "check": ["check", *CHECK],
    "reserve": ["reserve", *CHECK, "--actor", "ben"],
    "reserve again": ["reserve", *CHECK, "--what", "table", "--key", "once", "--actor", "ada"],
    "history": ["history", "2026"],
    "verify": ["verify"],
    "export": ["export"],
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small ledger: an account within another one, a plan, two reservations, a quota and a refusal."""
    path = tmp_path_factory.mktemp("whole") / "office.ledger"
    with Ledger.create(path, actor="ada") as ledger:
        ledger.declare("people", parts=["north"])
        for name, within in (("years", ""), ("2026", "years")):
            ledger.open(
                name, "people", limits=["posterior=0.3, prior=0.1"], failure="0.01", books=["zcdp"], within=within
            )
        ledger.limit_recipient("2026", "uni", {"zcdp": "0.02"})
    run(path, "plan", "2026", "--rho", "0.001", "--part", "north")
    run(path, "reserve", "2026", "--rho", "0.001", "--what", "table", "--key", "once", "--actor", "ada")
    run(path, "reserve", "2026", "--rho", "0.002", "--recipient", "uni", "--part", "north")
    run(path, "reserve", "2026", "--rho", "1")
    return path


def run(path: Path, *arguments: str) -> tuple[int, str]:
    """The exit code of a command, and what it says; anything but a sentence is raised here."""
    result = CliRunner().invoke(whit, ["ledger", *arguments, "--ledger", str(path)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


BODIES: Mapping[str, object] = {
    "no JSON": "{",
    "nothing": "",
    "an empty table": "{}",
    "a list": "[]",
    "a list in a list": "[[]]",
    "null": "null",
    "a number": "7",
    "a text": '"x"',
    "without end": "[" * 100_000,
    "half a letter": '{"name": "\\ud800"}',
    "a number without end": "1" * 10_000,
    "NULL": None,
    "a blob": b"{}",
    "a blob of bytes": b"\xff\xfe",
    "a whole number": 3,
    "a floating-point number": 2.5,
}
"""What may stand in a row in place of the text of a ledger."""

PLACES = ("head", "population/people", "account/2026", "account/years", "position/2026", "position/years", "entry/6")

SWAPS: Mapping[str, tuple[str, str, str]] = {
    "a total is a number": ("position/2026", '"everybody":"', '"everybody":1,"x":"'),
    "a total is a word": ("position/2026", '"everybody":"', '"everybody":"x'),
    "a total is below 0": ("position/2026", '"everybody":"', '"everybody":"-'),
    "a total is two numbers": ("position/2026", '"everybody":"', '"everybody":"1 '),
    "a total of a part is below 0": ("position/2026", '"north":"', '"north":"-'),
    "a total is in another book": ("position/2026", '"books":{"zcdp"', '"books":{"gdp"'),
    "a total is divided by 0": ("position/years", '"everybody":"', '"everybody":"1/0","x":"'),
    "a total without end": ("position/years", '"everybody":"', '"everybody":"1' + "0" * 400 + '","x":"'),
    "parts are a list": ("position/2026", '"parts":{', '"parts":[],"x":{'),
    "quotas of nobody": ("position/2026", '"quotas":{"uni"', '"quotas":{"ben"'),
    "a count is a text": ("position/2026", '"entries":', '"entries":"x","y":'),
    "a count is below 0": ("position/2026", '"entries":', '"entries":-'),
    "a charge is below 0": ("entry/6", '"zcdp":"', '"zcdp":"-'),
    "a charge is a number": ("entry/6", '"zcdp":"', '"zcdp":1,"gdp":"'),
    "a charge is in no book": ("entry/6", '"zcdp"', '"gold"'),
    "charges are missing": ("entry/6", '"charges"', '"charged"'),
    "a state is unknown": ("entry/6", '"reserved"', '"lost"'),
    "a number is a text": ("entry/6", '"number":6', '"number":"6"'),
    "a number is another": ("entry/6", '"number":6', '"number":7'),
    "a promise is a number": ("entry/6", '"promise":"', '"promise":1,"x":"'),
    "a name is a number": ("entry/6", '"what":"table"', '"what":3'),
    "a requester is a list": ("entry/6", '"requester":"ada"', '"requester":[]'),
    "a limit is a word": ("account/2026", '"limits":["', '"limits":["x'),
    "limits are a text": ("account/2026", '"limits":[', '"limits":"x","y":['),
    "what is allowed is a number": ("account/2026", '{"zcdp":"', '{"zcdp":1,"x":"'),
    "what is allowed is two numbers": ("account/2026", '{"zcdp":"', '{"zcdp":"1 '),
    "what is allowed is below 0": ("account/2026", '{"zcdp":"', '{"zcdp":"-'),
    "an account has another name": ("account/2026", '"name":"2026"', '"name":"2027"'),
    "an account is within itself": ("account/2026", '"within":"years"', '"within":"2026"'),
    "accounts are within each other": ("account/years", '"within":""', '"within":"2026"'),
    "an account is about nobody": ("account/2026", '"people"', '"nobody"'),
    "a failure is a word": ("account/2026", '"failure":"', '"failure":"x'),
    "a book is unknown": ("account/2026", '[["zcdp"', '[["gold"'),
    "a relation is unknown": ("population/people", "ADD_REMOVE", "FRIENDS"),
    "a unit is a text": ("population/people", '"unit":{', '"unit":"x","y":{'),
    "a unit has a field more": ("population/people", '"unit":{', '"unit":{"x":1,'),
    "parts are a text": ("population/people", '["north"]', '"north"'),
    "the number of the head is a text": ("head", "[8", '["8"'),
    "the number of the head is broken": ("head", "[8", "[8.5"),
    "the number of the head is true": ("head", "[8", "[true"),
    "the number of the head is too large": ("head", "[8", "[9"),
    "the hash of the head is short": ("head", '"]', '","x"]'),
}


def loose(connection: sqlite3.Connection, table: str) -> None:
    """Make a table without rules from one that has them."""
    for (name,) in connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?", (table,)
    ).fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(f"CREATE TABLE loose AS SELECT * FROM {table}")
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute(f"DROP TABLE {table}")
    columns = [row[1] for row in connection.execute("PRAGMA table_info(loose)")]
    keys = {"shelf": "place", "listing": "account, number", "event": "number", "request": "key"}[table]
    connection.execute(f"CREATE TABLE {table} ({', '.join(columns)}, UNIQUE ({keys}))")
    connection.execute(f"INSERT INTO {table} SELECT * FROM loose")
    connection.execute("DROP TABLE loose")


def row(table: str, column: str, value: object, where: str) -> Change:
    """Another value in a column of some rows."""

    def change(connection: sqlite3.Connection) -> None:
        loose(connection, table)
        assert connection.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (value,)).rowcount

    return change


def no_text(table: str, column: str, where: str) -> Change:
    """A text that is not UTF-8 in a column of some rows."""

    def change(connection: sqlite3.Connection) -> None:
        loose(connection, table)
        assert connection.execute(f"UPDATE {table} SET {column} = CAST(x'22ff22' AS TEXT) WHERE {where}").rowcount

    return change


def removed(table: str, where: str) -> Change:
    """Rows that are taken out."""

    def change(connection: sqlite3.Connection) -> None:
        loose(connection, table)
        assert connection.execute(f"DELETE FROM {table} WHERE {where}").rowcount

    return change


def swap(place: str, old: str, new: str) -> Change:
    """Another text in the text at a place."""

    def change(connection: sqlite3.Connection) -> None:
        [(body,)] = connection.execute("SELECT body FROM shelf WHERE place = ?", (place,)).fetchall()
        assert old in body
        connection.execute("UPDATE shelf SET body = ? WHERE place = ?", (body.replace(old, new, 1), place))

    return change


def dropped(table: str) -> Change:
    """A table that is taken out."""

    def change(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(f"DROP TABLE {table}")

    return change


DAMAGED: dict[str, Change] = {
    **{
        f"{place} is {what}": row("shelf", "body", value, f"place = '{place}'")
        for place in PLACES
        for what, value in BODIES.items()
    },
    **{f"{place} is no UTF-8": no_text("shelf", "body", f"place = '{place}'") for place in PLACES},
    **{f"{place} is removed": removed("shelf", f"place = '{place}'") for place in PLACES},
    **{what: swap(*how) for what, how in SWAPS.items()},
    **{
        f"the {column} of event {number} is {what}": row("event", column, value, f"number = {number}")
        for number in (6, 8)
        for column in ("line", "hash")
        for what, value in BODIES.items()
    },
    **{f"event {number} is no UTF-8": no_text("event", "line", f"number = {number}") for number in (1, 6, 8)},
    **{f"event {number} is removed": removed("event", f"number = {number}") for number in (1, 6, 8)},
    "all events are removed": removed("event", "1"),
    **{
        f"the number of event {number} is {value!r}": row("event", "number", value, f"number = {number}")
        for number in (6, 8)
        for value in ("x", None, b"8", 2.5, -1)
    },
    **{
        f"the {column} of a key is {value!r}": row("request", column, value, "1")
        for column in ("key", "digest", "number")
        for value in ("x", None, b"once", 2.5, 1, 99)
    },
    "a key is removed": removed("request", "1"),
    "a key is no UTF-8": no_text("request", "digest", "1"),
    **{
        f"the number of a listing is {value!r}": row("listing", "number", value, "number = 6 AND account = '2026'")
        for value in ("x", None, b"6", 2.5, 1, 99)
    },
    **{
        f"the weight of a listing is {value!r}": row("listing", "weight", value, "number = 6")
        for value in ("x", None, b"6", -1)
    },
    "a listing is removed": removed("listing", "number = 6 AND account = '2026'"),
    "the account of a listing is no UTF-8": no_text("listing", "account", "number = 6 AND account = '2026'"),
    **{f"the table {table} is dropped": dropped(table) for table in ("event", "request", "shelf", "listing")},
}

GONE = (
    *("account/2026 is removed", "account/years is removed", "a key is removed", "the key of a key"),
    *("a listing is removed", "the number of a listing", "the account of a listing"),
)
"""Rows that are gone without a trace from where a command looks: verify finds them, and others may answer without."""


@pytest.mark.parametrize("how", [pytest.param(each, id=each[:60]) for each in DAMAGED])
def test_a_damaged_row_is_a_sentence_or_does_not_matter(whole: Path, tmp_path: Path, how: str) -> None:
    path = tmp_path / "office.ledger"
    shutil.copy(whole, path)
    with closing(sqlite3.connect(path)) as connection:
        DAMAGED[how](connection)
        connection.commit()
    damaged, found = path.read_bytes(), {}
    for name, arguments in COMMANDS.items():
        path.write_bytes(damaged)
        code, said = run(path, *arguments)
        found[name] = code
        if code:
            assert code == 2, said
            assert "; got " in said or said.startswith(("Error: No ", "No ")), said
            assert "Free some space" not in said
        elif name not in ("reserve", "verify", "export") and not how.startswith(GONE):
            assert said == _right(whole, tmp_path, name), f"{name} answers from damaged rows"
    assert found["verify"] == 2


_ANSWERS: dict[str, str] = {}


def _right(whole: Path, folder: Path, name: str) -> str:
    """What a command answers from the whole ledger."""
    if name not in _ANSWERS:
        copy = folder / "whole.ledger"
        shutil.copy(whole, copy)
        code, _ANSWERS[name] = run(copy, *COMMANDS[name])
        assert code == 0
    return _ANSWERS[name]


def test_every_command_answers_from_a_whole_ledger(whole: Path, tmp_path: Path) -> None:
    for name in COMMANDS:
        assert _right(whole, tmp_path, name)
