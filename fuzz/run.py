"""Runs inputs at random: `python -m fuzz.run [TARGET ...] --number 1000 --seconds 60 --seed 1`.

Each target runs the same number of inputs, or stops at its share of the time. Exit code 1 if something was found.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from fuzz import command_lines, processes, questions
from fuzz.draw import Draw
from fuzz.judge import Found, judged
from fuzz.readers import READERS, new_folder

Trial = Callable[[Draw, Path], Found | None]


def _read(draw: Draw, target: str) -> Found | None:
    reader = next(each for each in READERS if each.name == target)
    text = reader.drawn(draw)
    return judged(target, text, lambda: reader.read(text))


def _asked(draw: Draw, _: Path) -> Found | None:
    command, values = questions.document(draw)
    shown = f"{command} {json.dumps(values, default=str)}"
    return judged("questions", shown, lambda: questions.answered(command, values))


def _typed(draw: Draw, folder: Path) -> Found | None:
    line = command_lines.drawn(draw, folder)
    return judged("command_lines", command_lines.shown(line, folder), lambda: command_lines.invoked(line, folder))


# Processes come first: a copy of a process that has drawn pictures before waits for threads that it does not have.
TARGETS: dict[str, Trial] = {
    "processes": processes.tried,
    **{each.name: lambda draw, _, name=each.name: _read(draw, name) for each in READERS},  # type: ignore[misc]
    "questions": _asked,
    "command_lines": _typed,
}


def run(target: str, *, seed: int, number: int, seconds: float) -> tuple[int, dict[str, Found]]:
    """How many inputs were tried, and the first input of each kind of finding; Ctrl-C ends it with what was done."""
    draw = Draw(f"{target} {seed}")
    folder = new_folder()
    found: dict[str, Found] = {}
    until, done = time.monotonic() + seconds, 0
    try:
        while done < number and time.monotonic() < until:
            wrong = TARGETS[target](draw, folder)
            done += 1
            if wrong is not None:
                found.setdefault(wrong.what, wrong)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return done, found


def main() -> int:
    """Run what was asked for, and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.run", description=__doc__)
    parser.add_argument("target", nargs="*", help=f"one or more of {', '.join(TARGETS)}; all if none is named")
    parser.add_argument("--number", type=int, default=1000, help="how many inputs for each target")
    parser.add_argument("--seconds", type=float, default=30, help="the most seconds for each target")
    parser.add_argument("--seed", type=int, default=1, help="another seed draws other inputs")
    parser.add_argument("--keep", type=Path, help="a file to which what was found is added, as JSON Lines")
    asked = parser.parse_args()
    warnings.simplefilter("error", RuntimeWarning)  # which the command hides from people: here they are found
    wrong = 0
    for target in asked.target or TARGETS:
        done, found = run(target, seed=asked.seed, number=asked.number, seconds=asked.seconds)
        wrong += len(found)
        print(f"{target}: {done} inputs with seed {asked.seed}, {len(found)} kinds of finding", flush=True)
        for each in found.values():
            print(f"  {each.what}\n    {each.shown[:400]!r}", flush=True)
        if asked.keep:
            with asked.keep.open("a", encoding="utf-8") as file:
                rows = [{"seed": asked.seed, **vars(each)} for each in found.values()]
                file.writelines(json.dumps(row) + "\n" for row in [{"target": target, "inputs": done}, *rows])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
