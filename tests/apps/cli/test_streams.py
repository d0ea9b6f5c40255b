"""Closed and full streams and an interrupt: the exit code stays what it should be, and nobody sees a traceback."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from whit.apps.cli import group
from whit.ledger import Ledger

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "src"
COMMANDS = {
    'check --epsilon 0.5 --limit "difference=0.2"': 0,
    'check --epsilon 2 --limit "difference=0.2"': 1,
    'check --rho 0.1 --limit "difference=0.2"': 3,
    "assess --epsilon 1 --json": 0,
    "assess --epsilon 1e-400": 2,
    "theorem": 0,
    "explain --epsilon 1": 0,
    "--help": 0,
    "--version": 0,
    "nonsense": 2,
}
STREAMS = [
    "",
    ">&-",
    "2>&-",
    ">&- 2>&-",
    "<&- >&- 2>&-",
    "> /dev/full",
    "2> /dev/full",
    "> /dev/full 2> /dev/full",
    "| true",
]


def run(line: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(SOURCE)}
    command = f"set -o pipefail; {shlex.quote(sys.executable)} -m whit {line}"
    return subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("streams", STREAMS)
@pytest.mark.parametrize("command", COMMANDS)
def test_no_stream_changes_the_exit_code_or_shows_a_traceback(command, streams):
    done = run(f"{command} {streams}")
    assert done.returncode == COMMANDS[command], done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert "Exception ignored" not in done.stderr


DRAWING = {
    "plot": "plot profile-curve --epsilon 1 --out @.svg",
    "report": f"report {ROOT}/demo/release.toml --sheet --date 2026-01-31 --out @.html",
    "catalogue": "catalogue --out @.svg",
}


@pytest.mark.parametrize("name", DRAWING)
def test_no_picture_changes_where_a_stream_is_closed(tmp_path, name):
    for streams, place in (("", "open"), ("<&-", "no-input"), ("<&- >&- 2>&-", "nothing")):
        done = run(f"{DRAWING[name].replace('@', str(tmp_path / place))} {streams}")
        assert (done.returncode, "panicked" in done.stderr) == (0, False), done.stderr
    drawn = {path.read_text("utf-8") for path in tmp_path.iterdir()}
    assert len(drawn) == 1
    assert re.search("<svg|data:image/svg", drawn.pop())


def test_a_slow_reader_of_a_pipe_that_does_not_block_gets_all_of_it():
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    words = [sys.executable, "-m", "whit", "catalogue", "--json"]
    running = subprocess.Popen(words, env=os.environ | {"PYTHONPATH": str(SOURCE)}, stdout=writing)
    os.close(writing)
    time.sleep(3.0)  # in which the pipe is full
    with open(reading, "rb") as pipe:
        said = pipe.read()
    assert running.wait(60) == 0
    assert len(said) > 65_536
    assert json.loads(said)


def test_a_question_that_nobody_can_answer_ends_without_a_traceback(tmp_path):
    done = run(f"init {tmp_path}/release.toml <&-")
    assert (done.returncode, "Traceback" in done.stderr) == (130, False), done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            OSError(28, "No space left on device"),
            "every file must be one that can be read or written; got No space left",
        ),
        (
            BrokenPipeError(32, "nobody reads it"),
            "every file must be one that can be read or written; got nobody reads",
        ),
        (PermissionError(13, "Permission denied", "a.toml"), "the file a.toml must be one that can be read or written"),
        (OSError("no number"), "got no number"),
    ],
)
def test_what_the_system_refuses_of_a_file_is_a_sentence_and_wrong_input(monkeypatch, wrong, said):
    def refuse():
        raise wrong

    monkeypatch.setattr(group.LazyGroup, "get_command", lambda *_: click.Command("assess", callback=refuse))
    found = CliRunner().invoke(group.whit, ["assess"])
    assert (found.exit_code, said in found.output) == (2, True), found.output


@pytest.mark.parametrize("streams", ["> /dev/full", ">&-", "<&- >&- 2>&-", "| true"])
def test_an_export_that_does_not_arrive_whole_is_no_success(tmp_path, streams):
    place = tmp_path / "a.ledger"
    with Ledger.create(place, actor="ada") as ledger:
        ledger.declare("people")
    assert run(f"ledger export --ledger {place} > {tmp_path}/whole.jsonl").returncode == 0
    assert (tmp_path / "whole.jsonl").read_text().count("\n") == 1
    done = run(f"ledger export --ledger {place} {streams}")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
    if "2>" not in streams:
        assert "the export must be written whole; got an output that is closed or full." in done.stderr


def test_an_interrupt_has_an_exit_code_of_its_own():
    environment = os.environ | {"PYTHONPATH": str(SOURCE)}
    long = [sys.executable, "-m", "whit", "papers", "--json"]
    # A shell starts what it leaves in the background deaf to interrupts, and what that starts is deaf as well.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        running = subprocess.Popen(long, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, before)
    time.sleep(3.0)
    running.send_signal(signal.SIGINT)
    said, complained = running.communicate(timeout=60)
    assert running.returncode == 130
    assert said == ""
    assert complained.strip().endswith("Interrupted. No file is half written.")
    assert "Traceback" not in complained
