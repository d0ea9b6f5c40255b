"""Files that are no ordinary ones, for every command that reads or writes one: a sentence, soon, and no harm."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import whit.files
from whit.apps.cli.group import whit as command

ROOT = Path(__file__).parents[3]
TABLE = "region,value,flag\nA,3,\nB,4,\nTotal,7,\n"
READ = {
    "assess": ("toml", ["assess", "--from", "@"]),
    "check": ("toml", ["check", "--gaussian", "30", "--failure", "0.01", "--requirements", "@"]),
    "profile": ("csv", ["check", "--epsilon", "0.1", "--profile", "table=@"]),
    "plan": ("toml", ["plan", "@"]),
    "plot": ("toml", ["plot", "budget-by-query", "--plan", "@", "--out", "made.svg"]),
    "report": ("toml", ["report", "@", "--out", "made.json"]),
    "audit": ("csv", ["audit", "@"]),
    "verify": ("json", ["audit", "verify", "@", "table.csv"]),
    "import": ("json", ["import", "@"]),
    "annotate": ("csv", ["annotate", "@", "--out", "made.csv"]),
    "restore": ("jsonl", ["ledger", "import", "@", "--ledger", "made.ledger"]),
    "status": ("ledger", ["ledger", "status", "--ledger", "@"]),
}


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _zero(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _loop(path: Path) -> None:
    path.symlink_to(path)


def _bytes(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x00\xc3(")


def _large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10**12)


ODD = {"pipe": _pipe, "zero": _zero, "loop": _loop, "folder": Path.mkdir, "bytes": _bytes, "large": _large}


@pytest.fixture
def here(tmp_path, monkeypatch):
    shutil.copy(ROOT / "demo" / "release.toml", tmp_path / "release.toml")
    (tmp_path / "table.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(whit.files, "PATIENCE", 0.05)
    monkeypatch.setattr(whit.files, "LARGEST", 100_000)
    monkeypatch.setattr("whit.exchange.reading.LARGEST_FILE", 100_000)
    return tmp_path


def run(*words: str) -> tuple[int, str]:
    found = CliRunner().invoke(command, words)
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found.exit_code, found.output


CASES = [(name, odd) for name in READ for odd in ODD if (name, odd) != ("annotate", "large")]
"""Tables of any size are annotated."""


@pytest.mark.parametrize(("name", "odd"), CASES)
def test_a_file_that_cannot_be_read_is_refused_in_a_sentence(here, name, odd):
    ending, words = READ[name]
    path = here / f"odd.{ending}"
    ODD[odd](path)
    code, said = run(*(word.replace("@", str(path)) for word in words))
    assert code == 2, said
    assert "Error: " in said
    assert "Errno" not in said
    assert not list(here.glob("made.*"))


@pytest.mark.parametrize("words", [["assess", "--from", "@"], ["import", "@"], ["plan", "@"]])
@pytest.mark.parametrize("folder", [".", "/"])
def test_a_folder_without_a_name_is_called_by_its_path(here, words, folder):
    code, said = run(*(word.replace("@", folder) for word in words))
    assert (code, f"the file {folder} must be readable" in said) == (2, True), said


@pytest.mark.parametrize("odd", ["pipe", "folder", "zero"])
def test_a_file_that_another_one_names_must_be_an_ordinary_one(here, odd):
    ODD[odd](here / "cells.csv")
    (here / "audit.toml").write_text('[table]\nfile = "cells.csv"\n')
    code, said = run("audit", "audit.toml")
    assert code == 2
    assert "must be an ordinary file" in said or "must lie beside the one that names it" in said


def test_a_table_that_an_audit_file_names_is_not_written_over(here):
    (here / "audit.toml").write_text('[table]\nfile = "table.csv"\n')
    for option in ("--out", "--page", "--certificates"):
        code, said = run("audit", "audit.toml", option, "table.csv")
        assert (code, "must be another one than the file that it is made from" in said) == (2, True), said
    assert (here / "table.csv").read_text() == TABLE


@pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to])
def test_a_picture_is_not_drawn_over_its_source(here, link):
    before = (here / "release.toml").read_bytes()
    link(here / "picture.svg", here / "release.toml")
    code, said = run("plot", "profile-curve", "--from", "release.toml", "--out", "picture.svg")
    assert (code, "must be another one than the file that it is made from" in said) == (2, True), said
    assert (here / "picture.svg").samefile("release.toml")
    assert (here / "release.toml").read_bytes() == before


def test_a_picture_of_an_account_is_not_drawn_over_the_ledger(here):
    run("ledger", "init", "--ledger", "a.ledger")
    run("ledger", "open", "2026", "--population", "people", "--limit", "power=0.2, level=0.05", "--ledger", "a.ledger")
    run("ledger", "reserve", "2026", "--epsilon", "0.01", "--ledger", "a.ledger")
    (here / "course.svg").symlink_to("a.ledger")
    code, said = run("ledger", "plot", "2026", "--ledger", "a.ledger", "--out", "course.svg")
    assert (code, "must be another one than the file that it is made from" in said) == (2, True), said
    assert run("ledger", "verify", "--ledger", "a.ledger")[0] == 0


@pytest.mark.parametrize("how", ["backup", "export"])
def test_a_copy_of_a_ledger_is_open_to_nobody_else_and_replaces_nothing(here, how):
    run("ledger", "init", "--ledger", "a.ledger")
    (here / "a.ledger").chmod(0o600)
    assert run("ledger", how, "--ledger", "a.ledger", "--out", "copy")[0] == 0
    assert (here / "copy").stat().st_mode & 0o777 == 0o600
    (here / "dead").symlink_to("nowhere")
    code, said = run("ledger", how, "--ledger", "a.ledger", "--out", "dead")
    assert (code, "must not be there yet" in said) == (2, True), said
    assert (here / "dead").is_symlink()
    assert not list(here.glob(".*"))


def test_an_import_of_no_lines_is_refused_and_makes_no_ledger(here):
    (here / "lost.jsonl").touch()
    code, said = run("ledger", "import", "lost.jsonl", "--ledger", "new.ledger")
    assert (code, "FILE must have a line or more; got none in lost.jsonl." in said) == (2, True), said
    assert not list(here.glob("*.ledger"))


@pytest.mark.parametrize("how", ["backup", "export"])
@pytest.mark.parametrize(("place", "why"), [("x" * 300, "File name too long"), ("a.ledger/copy", "Not a directory")])
def test_a_copy_of_a_ledger_in_a_place_where_none_can_be_is_refused_with_the_reason(here, how, place, why):
    run("ledger", "init", "--ledger", "a.ledger")
    code, said = run("ledger", how, "--ledger", "a.ledger", "--out", place)
    assert (code, f"must be a file that can be written ({why})" in said) == (2, True), said


def test_an_annotated_table_takes_the_place_of_no_link(here):
    (here / "releases.csv").write_text("epsilon\n1\n")
    (here / "dead.csv").symlink_to("nowhere.csv")
    code, said = run("annotate", "releases.csv", "--out", "dead.csv")
    assert (code, "must not exist yet" in said) == (2, True), said
    assert (here / "dead.csv").is_symlink()


WRITE = {
    "report": ["report", "release.toml", "--out", "@.json"],
    "plot": ["plot", "profile-curve", "--epsilon", "1", "--out", "@.svg"],
    "init": ["init", "@.toml", "--defaults"],
    "explorer": ["explorer", "--out", "@.html"],
    "catalogue": ["catalogue", "--out", "@.svg"],
    "export": ["ledger", "export", "--ledger", "a.ledger", "--out", "@.jsonl"],
    "backup": ["ledger", "backup", "--ledger", "a.ledger", "--out", "@.ledger"],
}


@pytest.mark.parametrize("name", WRITE)
def test_the_name_of_a_file_does_not_change_the_screen_when_it_is_written(here, name):
    run("ledger", "init", "--ledger", "a.ledger")
    code, said = run(*(word.replace("@", "a\x1b[2Jb") for word in WRITE[name]))
    assert code == 0, said
    assert (r"a\x1b[2Jb" in said, "\x1b" in said) == (True, False), said
    assert list(here.glob("a\x1b[2Jb.*"))


TURN = {
    "report": ["report", "release.toml", "--out", "@.md"],
    "plot": ["plot", "profile-curve", "--epsilon", "1", "--out", "@.svg"],
    "explorer": ["explorer", "--out", "@.html"],
    "audit": ["audit", "table.csv", "--out", "@.csv"],
}


@pytest.mark.parametrize("name", TURN)
def test_nothing_is_written_to_a_link_that_leads_to_itself(here, name):
    words = [word.replace("@", "loop") for word in TURN[name]]
    (here / words[-1]).symlink_to(words[-1])
    code, said = run(*words)
    assert (code, "Too many levels of symbolic links" in said) == (2, True), said
    assert not list(here.glob(".*"))


NO_TEXT = os.fsdecode(b"\xff\xfe")


def test_a_name_that_is_no_text_is_refused_where_a_file_must_hold_it(here):
    code, said = run("report", "release.toml", "--out", f"{NO_TEXT}.md")
    assert (code, "must have a name in UTF-8" in said) == (2, True), said
    assert run("report", "release.toml", "--out", f"{NO_TEXT}.html")[0] == 0


def test_an_audit_of_a_file_whose_name_is_no_text_is_written_whole(here):
    shutil.copy(here / "table.csv", here / f"{NO_TEXT}.csv")
    made = ["--out", "made.csv", "--page", "made.html", "--certificates", "made.json"]
    code, said = run("audit", f"{NO_TEXT}.csv", *made)
    assert code in (0, 1), said
    assert r"\udcff\udcfe.csv" in (here / "made.html").read_text("utf-8")
    assert {path.name for path in here.glob("made.*")} == {"made.csv", "made.html", "made.json"}
