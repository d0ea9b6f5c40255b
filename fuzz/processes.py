"""Command lines as real processes: their exit codes, their streams and the files that they leave.

Most are copies of a process that has loaded whit already, made when they are needed: each has its own memory, streams,
clock and exit code, and costs a twentieth of a start. The others are started anew. Some are killed, or interrupted, at
a random moment: then a file is there as a whole or not at all.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import whit
from fuzz import office
from fuzz.command_lines import CODES, drawn, shown
from fuzz.draw import Draw
from fuzz.judge import LONGEST, STUCK, Found, nan_in
from whit.apps.cli.group import main

INTERRUPTED = 130
ANEW = 0.05
"""The share of processes that are started anew."""
STOPPED = 0.1
"""The share that is killed or interrupted."""


def tried(draw: Draw, folder: Path) -> Found | None:
    """What is wrong with one process."""
    line = drawn(draw, folder)
    sign = draw.choice((signal.SIGKILL, signal.SIGINT)) if draw.random() < STOPPED else None
    after = draw.uniform(0.005, 1.5)
    work = _started if draw.random() < ANEW else _copied
    typed = shown(line, folder) if sign is None else f"({sign.name} after {after:.3f} s) {shown(line, folder)}"
    code, printed, seconds = work(line, folder, sign, after)
    found = _wrong(typed, code, printed, seconds, sign) or half_file(typed, folder)
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return found


def _wrong(typed: str, code: int, printed: str, seconds: float, sign: signal.Signals | None) -> Found | None:
    allowed = {*CODES, *({INTERRUPTED, -sign} if sign else ())}
    if "Traceback" in printed or "RuntimeWarning" in printed:
        said = [line for line in printed.splitlines() if line.strip()]
        at = next((line.strip() for line in reversed(said) if "/src/whit/" in line), "")
        if not (sign is signal.SIGINT and "KeyboardInterrupt" in said[-1]):
            return Found("processes", f"{said[-1][:150]} {at[-90:]}", typed)
        return Found("processes", "a traceback of an interrupt", typed)
    if code not in allowed:
        return Found("processes", f"exit code {code}", typed)
    if seconds > LONGEST:
        return Found("processes", f"more than {LONGEST} s of processor time", typed)
    return nan_in("processes", typed, printed)


def half_file(typed: str, folder: Path) -> Found | None:
    """A file with its final name that is not whole."""
    for path in folder.iterdir():
        try:
            whole = _is_whole(path)
        except (ValueError, ElementTree.ParseError):
            whole = False
        if not whole:
            return Found("processes", f"half a file: {path.suffix}", typed)
    return None


def _is_whole(path: Path) -> bool:
    if path.name.startswith(".") or path.name in ("o.json",):  # parts of what was killed; inputs
        return True
    if path.name == office.WHOLE:
        return office.is_whole(path)
    if path.suffix == ".json":
        return bool(json.loads(path.read_text("utf-8")))
    if path.suffix == ".svg":
        return ElementTree.fromstring(path.read_text("utf-8")).tag.endswith("svg")
    if path.suffix == ".html":
        return path.read_text("utf-8").rstrip().endswith("</html>")
    if path.suffix == ".pdf":
        return path.read_bytes().rstrip().endswith(b"%%EOF")
    if path.suffix == ".png":
        return path.read_bytes().endswith(b"IEND\xaeB`\x82")
    return True


def _copied(line: Sequence[str], folder: Path, sign: signal.Signals | None, after: float) -> tuple[int, str, float]:
    """Run a command in a copy of this process."""
    _load_all()
    out = folder / ".printed"
    child = os.fork()
    if child == 0:
        _be_whit(line, folder, out)
    deadline = time.monotonic() + (after if sign else STUCK)
    while True:
        done, status, used = os.wait4(child, os.WNOHANG)
        if done:
            break
        if time.monotonic() > deadline:
            os.kill(child, sign or signal.SIGKILL)
            sign, deadline = None, time.monotonic() + STUCK
        time.sleep(0.002)
    return os.waitstatus_to_exitcode(status), _text(out), used.ru_utime + used.ru_stime


@cache
def _load_all() -> None:
    """Load each module once, so that no copy loads it again; nothing is drawn, which would start threads."""
    for each in pkgutil.walk_packages(whit.__path__, "whit."):
        if not each.name.endswith("__main__"):
            importlib.import_module(each.name)
    gc.freeze()


def _be_whit(line: Sequence[str], folder: Path, out: Path) -> None:
    """Become the command: its words, its streams, its folder; does not return."""
    code = 70
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # whit has not begun: nothing of it can be interrupted
        os.chdir(folder)
        file = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(file, stream)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.argv = ["whit", *line]
        signal.signal(signal.SIGINT, signal.default_int_handler)
        main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
    except BaseException:  # noqa: BLE001 - printed as the interpreter prints it
        sys.excepthook(*sys.exc_info())
        code = 1
    finally:
        for printed in (sys.stdout, sys.stderr):
            printed.flush()
        os._exit(code)


def _started(line: Sequence[str], folder: Path, sign: signal.Signals | None, after: float) -> tuple[int, str, float]:
    """Run a command by a new interpreter."""
    out = folder / ".printed"
    before = _used_by_children()
    with out.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "whit", *line], cwd=folder, stdout=file, stderr=file, stdin=subprocess.DEVNULL
        )
        try:
            process.wait(after if sign else STUCK)
        except subprocess.TimeoutExpired:
            process.send_signal(sign or signal.SIGKILL)
            process.wait(STUCK)
    return process.returncode, _text(out), _used_by_children() - before


def _used_by_children() -> float:
    """Seconds of processor time of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _text(path: Path) -> str:
    return path.read_text("utf-8", "replace") if path.exists() else ""
