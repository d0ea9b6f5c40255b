from __future__ import annotations

import re
import sys
import time

import pytest

from whit.apps.cli import progress
from whit.apps.cli.tables import show


class Terminal:
    """Standard output or error that says it is a terminal."""

    def __init__(self, stream):
        self.stream = stream

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def isatty(self):
        return True


def test_plain_columns_line_up_and_the_last_is_as_long_as_it_likes(capsys):
    show(("a", "b"), [("1", "x" * 200), ("long", "y")], title="title")
    assert capsys.readouterr().out.splitlines() == ["title", "", "a     b", f"1     {'x' * 200}", "long  y"]


def test_on_a_terminal_a_table_is_wrapped_and_says_the_same(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(sys, "stdout", Terminal(sys.stdout))
    show(("question", "answer"), [("one [bold]", "two " * 40)])
    lines = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out).splitlines()
    assert max(map(len, lines)) <= 60
    assert sum(line.count("two") for line in lines) == 40
    assert any("one [bold]" in line for line in lines)


def test_what_is_quick_gives_no_sign_of_life(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal(sys.stderr))
    with progress.working("Looking"):
        pass
    assert capsys.readouterr().err == ""


def test_what_takes_long_says_so_to_somebody_who_looks(capsys, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.05)
    monkeypatch.setattr(sys, "stderr", Terminal(sys.stderr))
    with progress.working("Looking"):
        time.sleep(0.6)
    assert "Looking" in capsys.readouterr().err


def test_nothing_is_said_into_a_pipe(capsys, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with progress.working("Looking"):
        time.sleep(0.1)
    assert capsys.readouterr().err == ""


def slowly_refused():
    with progress.working("Looking"):
        time.sleep(0.3)
        raise ValueError("stop")


def test_the_sign_of_life_ends_with_an_error(capsys, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.01)
    monkeypatch.setattr(sys, "stderr", Terminal(sys.stderr))
    with pytest.raises(ValueError, match="stop"):
        slowly_refused()
    before = capsys.readouterr().err
    time.sleep(0.2)
    assert "Looking" in before
    assert capsys.readouterr().err == ""
