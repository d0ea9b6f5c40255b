"""Closed and full streams and an interrupt: the exit code stays what it should be, and nobody sees a traceback."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[3] / "src"
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
STREAMS = ["", ">&-", "2>&-", ">&- 2>&-", "> /dev/full", "2> /dev/full", "> /dev/full 2> /dev/full", "| true"]


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


def test_an_interrupt_has_an_exit_code_of_its_own():
    environment = os.environ | {"PYTHONPATH": str(SOURCE)}
    long = [sys.executable, "-m", "whit", "papers", "--json"]
    running = subprocess.Popen(long, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(3.0)
    running.send_signal(signal.SIGINT)
    said, complained = running.communicate(timeout=60)
    assert running.returncode == 130
    assert said == ""
    assert complained.strip().endswith("Interrupted. No file is half written.")
    assert "Traceback" not in complained
