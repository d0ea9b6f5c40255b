from __future__ import annotations

import os
import pty
import re
import struct
import subprocess
import sys
import termios
from fcntl import ioctl
from pathlib import Path

import pytest

from whit.apps.cli import layout
from whit.apps.cli.layout import printable, table_lines, wrapped

ROOT = Path(__file__).parents[3]
HEAD = ("question", "answer", "in words")
ROWS = [
    ("posterior", "at most 73.2 %", "The belief goes from 50 % to at most 73.2 %. " * 3),
    ("a key-with-hyphens", "1", "x"),
]


@pytest.mark.parametrize("width", [20, 40, 60, 80, 100, 200])
def test_a_table_fits_its_width_and_loses_no_word(width):
    lines = list(table_lines(HEAD, ROWS, width))
    assert max(map(len, lines)) <= width
    words = " ".join(lines).split()
    for row in ROWS:
        for word in " ".join(row).split():
            assert words.count(word) >= " ".join(map(" ".join, ROWS)).split().count(word)


def test_a_table_stands_row_by_row_only_where_its_columns_would_be_too_narrow():
    wide, narrow = (list(table_lines(HEAD, ROWS, width)) for width in (80, 50))
    assert wide[0].split() == ["question", "answer", "in", "words"]
    assert set(wide[1]) == {"-", " "}
    assert narrow[:2] == ["posterior", "  answer: at most 73.2 %"]


def test_an_empty_cell_has_no_line_of_its_own():
    lines = list(table_lines(("a", "b", "c"), [("x", "", "word " * 5)], 20))
    assert lines == ["x", "  c: word word word", "    word word"]


def test_a_number_and_its_percent_sign_stay_on_one_line():
    text = "at most 73.2 % " * 20
    for width in range(20, 60):
        lines = wrapped(text.strip(), width)
        assert not any(line.startswith("%") for line in lines)
        assert " ".join(lines).split() == text.split()


def test_paragraphs_stay_apart_and_a_long_word_stays_whole():
    word = "x" * 70
    assert wrapped(f"one\n\n{word} two", 30) == ["one", "", word, "two"]


def test_an_item_of_a_list_is_indented():
    assert wrapped("Assumes:\n- one two three four five six", 20) == ["Assumes:", "- one two three four", "  five six"]


def test_a_line_that_is_indented_keeps_its_indent():
    assert wrapped("Not stated: a\n  If it holds for each of 12", 18) == [
        "Not stated: a",
        "  If it holds for",
        "  each of 12",
    ]


def test_letters_that_change_a_screen_are_spelled():
    assert printable("a\x1b[2Jb\x07\n c\N{NO-BREAK SPACE}d é") == "a\\x1b[2Jb\\x07\n c\N{NO-BREAK SPACE}d é"


def test_wide_letters_count_twice():
    rows = [("\N{CJK UNIFIED IDEOGRAPH-4E00}" * 3, "x"), ("abcdef", "y")]
    assert list(table_lines(("name", "b"), rows, 80))[2:] == [f"{rows[0][0]}  x", "abcdef  y"]


def test_a_terminal_that_does_not_know_its_width_has_eighty_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "0")
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((0, 0)))
    assert layout.screen_width() == 80
    monkeypatch.setenv("COLUMNS", "3")
    assert layout.screen_width() == layout.NARROWEST


def on_a_terminal(width: int, *arguments: str) -> str:
    """What a command prints on a terminal of this width."""
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    settings = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    command = [sys.executable, "-m", "whit", *arguments]
    process = subprocess.Popen(command, cwd=ROOT / "src", env=settings, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    found = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        found += part
    process.wait()
    os.close(ours)
    # On a busy machine a bar may have moved in between: it is drawn over itself, and taken away again.
    return re.sub(
        r"(?:\x1b\[[0-9;?]*[A-Za-z]|[^\n]*Ctrl-C ends it[^\n]*\n?)+", "", found.decode().replace("\r\n", "\n")
    )


@pytest.mark.parametrize("width", [0, 60, 80, 200])
@pytest.mark.parametrize(
    "arguments",
    [
        ("assess", "--gaussian", "1", "--prior", "0.1", "--why"),
        ("explain", "--epsilon", "1", "--audience", "officer"),
        ("check", "--epsilon", "0.82", "--limit", "difference=0.2"),
        ("assess", "--epsilon", "1", "--gaussian", "2"),
    ],
    ids=" ".join,
)
def test_no_line_of_a_command_is_wider_than_the_terminal(width, arguments):
    lines = on_a_terminal(width, *arguments).split("\n")
    assert len(lines) > 1
    assert max(map(len, lines)) <= (width or 80)


def test_a_document_is_not_wrapped_even_on_a_terminal():
    text = on_a_terminal(60, "assess", "--epsilon", "1", "--json")
    assert max(map(len, text.split("\n"))) > 60
