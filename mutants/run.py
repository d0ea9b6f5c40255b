"""Tries a seeded sample of changes against the tests of the mirror folder, and keeps what was found.

`python -m mutants.run numerics policy --seconds 300` goes on where the last run ended, with one package after another.
It works on a copy of the tree, runs only the quick tests that execute a changed line, the quickest first, and stops at
the first that fails. `--again` goes on with those that no test found and that have no reason, with all tests that use
the changed file and have not been run yet as they are now.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from mutants.changes import Change, changes_of
from mutants.child import Clock, in_child, load_what_lies_below, run_tests
from mutants.covering import Lines, covering, stamped
from mutants.page import FOUND, SAMPLE, explained, key

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "results"
WORK = ROOT / "build" / "mutants"
SEED = 20261118
MOST_SECONDS = {False: 6.0, True: 40.0}
"""The most seconds that the tests of one change take together, at first and again; what takes longer is not run."""
TURN = 400.0
"""For so many seconds a package has its turn."""


def sample(package: str) -> list[Change]:
    """The changes that are tried, in the order of their trial: those that come first in a random order of all.

    A change of the sources elsewhere moves none of them.
    """
    files = sorted((ROOT / "src" / "whit" / package).rglob("*.py"))
    known = [each for path in files for each in changes_of(path, str(path.relative_to(ROOT)))]
    return sorted(known, key=lambda each: each.rank(SEED))[:SAMPLE]


def tried(change: Change, tests: Sequence[str], times: Mapping[str, float]) -> str:
    """What becomes of a change: found by a test, found by the clock, or not found."""
    if not tests:
        return "no quick test runs it"
    target = WORK / "tree" / change.file
    whole = target.read_text("utf-8")
    target.write_text(change.made_in(whole), "utf-8")
    _forget(target)
    most = 60 + 8 * sum(times[name] for name in tests)
    try:
        code = in_child(run_tests, ["-x", *tests], WORK / "tree", Clock(times), seconds=most)
    finally:
        target.write_text(whole, "utf-8")
        _forget(target)
    return "takes too long" if code is None else "survived" if code == 0 else "found"


def chosen(change: Change, lines: Lines, times: Mapping[str, float], *, again: bool) -> list[str]:
    """The tests that run a changed line, the quickest first, up to so many seconds; again, also users of its file.

    What is run when the file is loaded, as a constant is, may matter to whoever uses the file, and to those who read it
    from there in the tests with its name.
    """
    known = lines.get(change.file, {})
    near = {each for line in range(change.line, change.last + 1) for each in known.get(line, ())}
    of_file = {each for tests in known.values() for each in tests}
    if change.on_load:
        path = Path("tests", *Path(change.file).parts[2:])
        of_file |= {each for each in times if each.startswith(f"{path.with_name('test_' + path.name).as_posix()}::")}
    names = (of_file if again or change.on_load or not near else near) & times.keys()
    # Starting a server takes longer than the tests.
    names = {each for each in names if "[postgres" not in each} or names
    picked: list[str] = []
    spent = 0.0
    order = sorted(names, key=lambda each: (each not in near, times[each], each))
    for name in order:
        spent += times[name]
        if spent > MOST_SECONDS[again] and picked:
            break
        picked.append(name)
    return picked


def turn(package: str, until: float, *, again: bool) -> int:
    """Try changes of a package: those that are not yet tried, or those that no test found."""
    lines, times = covering(package, WORK / "tree", WORK)
    load_what_lies_below(package, WORK / "tree")
    file, passed_file = RESULTS / f"{package}.json", WORK / f"{package}.passed"
    done = {key(row): row for row in json.loads(file.read_text("utf-8"))} if file.exists() else {}
    passed = json.loads(passed_file.read_text("utf-8")) if passed_file.exists() else {}
    stamps = stamped(times, WORK / "tree")
    changes, commit, reasons = sample(package), _commit(), explained()
    for change in changes:
        before = done.get(change.key)
        if (before is None) == again or (before and (before["outcome"] in FOUND or key(before) in reasons)):
            continue
        if time.monotonic() > until:
            break
        known = set(passed.get(str(change.key), ()))
        left = {name: seconds for name, seconds in times.items() if stamps[name] not in known}
        tests = chosen(change, lines, left, again=again)
        outcome = tried(change, tests, times) if tests or not known else "survived"
        if outcome == "survived":
            passed[str(change.key)] = sorted(known | {stamps[name] for name in tests})
            passed_file.write_text(json.dumps(passed), "utf-8")
        row = {"file": change.file, "within": change.within, "nth": change.nth, "line": change.line}
        row |= {"was": change.was, "now": change.now, "outcome": outcome, "tests": len(known) + len(tests)}
        done[change.key] = row | {"commit": commit}
        rows = [done[each.key] | {"line": each.line} for each in changes if each.key in done]
        file.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return 0


def main() -> None:
    """Go on with some packages for so many seconds."""
    parser = argparse.ArgumentParser(prog="python -m mutants.run", description=__doc__)
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--again", action="store_true")
    asked = parser.parse_args()
    until = time.monotonic() + asked.seconds
    WORK.mkdir(parents=True, exist_ok=True)
    for name in ("src", "tests", "docs", "release", "benchmarks", "pyproject.toml"):
        _copied(ROOT / name, WORK / "tree" / name)
    left = list(asked.packages)
    while left and time.monotonic() < until:
        package = left.pop(0)
        begun = time.monotonic()
        end = until if asked.again else min(until, begun + TURN)
        if in_child(turn, package, end, again=asked.again, seconds=4000) != 0:
            sys.exit(f"The trial of {package} did not end well.")
        if time.monotonic() > end:
            left.append(package)
    for package in asked.packages:
        rows = json.loads((RESULTS / f"{package}.json").read_text("utf-8"))
        found = sum(each["outcome"] in FOUND for each in rows)
        print(f"{package}: {len(rows)} of {SAMPLE} changes tried, {found} found")


def _forget(source: Path) -> None:
    """Remove what Python keeps of a source, which it may take for that of the changed one."""
    for compiled in (source.parent / "__pycache__").glob(f"{source.stem}.*"):
        compiled.unlink()


def _commit() -> str:
    command = ["git", "rev-parse", "--short=8", "HEAD"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def _copied(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)


if __name__ == "__main__":
    main()
