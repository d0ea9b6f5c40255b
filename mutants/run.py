"""Tries a seeded sample of changes against the tests of the mirror folder, and keeps what was found.

`python -m mutants.run numerics --seconds 300` goes on where the last run ended. It works on a copy of the tree, runs
only the quick tests that execute a changed line, the quickest first, and stops at the first that fails.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import coverage
import pytest

from mutants.changes import Change, changes_of

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "results"
WORK = ROOT / "build" / "mutants"
SAMPLE = 200
SEED = 20261118
MOST_SECONDS = 40.0
"""The most processor seconds that the tests of one change take together; what takes longer is not run."""
QUICK = "not slow and not dear and not web"


def sample(package: str) -> list[Change]:
    """The changes that are tried, in the order of their trial."""
    folder = ROOT / "src" / "whit" / package
    files = sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]
    known = [each for path in files for each in changes_of(path, str(path.relative_to(ROOT)))]
    return random.Random(f"{SEED} {package}").sample(known, min(SAMPLE, len(known)))


def covering(package: str) -> tuple[dict[str, dict[int, list[str]]], dict[str, float]]:
    """Which tests run each line of each file, and how many seconds each test takes; measured once."""
    data, times = WORK / f"{package}.coverage", WORK / f"{package}.times"
    if not times.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        _in_child(_measure, package, data, WORK / "being-made.times", seconds=1500)
        (WORK / "being-made.times").replace(times)
    lines: dict[str, dict[int, list[str]]] = {}
    found = coverage.CoverageData(str(data))
    found.read()
    for file in found.measured_files():
        name = file[file.index("src/whit/") :]
        known = found.contexts_by_lineno(file)
        lines[name] = {line: [each.partition("|")[0] for each in tests if each] for line, tests in known.items()}
    rows = (row.rsplit("\t", 1) for row in times.read_text("utf-8").splitlines())
    return lines, {name: float(seconds) for name, seconds in rows}


class Times:
    """Notes how long each test takes."""

    def __init__(self, file: Path) -> None:
        self.file = file.open("w", encoding="utf-8")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One line a test."""
        if report.when == "call" and report.passed:
            self.file.write(f"{report.nodeid}\t{report.duration:.4f}\n")
            self.file.flush()


def _measure(package: str, data: Path, times: Path) -> int:
    os.environ["COVERAGE_FILE"] = str(data)
    options = [f"--cov=src/whit/{package}", "--cov-context=test", "--cov-report=", "--cov-fail-under=0"]
    return _pytest([f"tests/{package}", "-m", QUICK, *options], ROOT, Times(times))


def _pytest(options: Sequence[str], root: Path, *plugins: object) -> int:
    os.chdir(root)
    sys.path.insert(0, str(root / "src"))
    quiet = ["-q", "-p", "no:cacheprovider", "--no-header", "--tb=no", "-n0", "--rootdir", str(root)]
    return int(pytest.main([*quiet, *options], plugins=list(plugins)))


def _in_child(work, *arguments, seconds: float) -> int | None:  # type: ignore[no-untyped-def]
    """What work returns in a copy of this process, which has not loaded whit; None if it takes too long."""
    child = os.fork()
    if child == 0:
        code = 70
        try:
            os.setsid()
            silent = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silent, 1)
            os.dup2(silent, 2)
            code = work(*arguments)
        finally:
            os._exit(code)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def tried(change: Change, tests: Sequence[str], seconds: float) -> str:
    """What becomes of a change: found by a test, found by the clock, or not found."""
    if not tests:
        return "no quick test runs it"
    target = WORK / "tree" / change.file
    whole = target.read_text("utf-8")
    target.write_text(change.made_in(whole), "utf-8")
    shutil.rmtree(target.parent / "__pycache__", ignore_errors=True)
    try:
        code = _in_child(_pytest, ["-x", *tests], WORK / "tree", seconds=30 + 8 * seconds)
    finally:
        target.write_text(whole, "utf-8")
    return "takes too long" if code is None else "survived" if code == 0 else "found"


def chosen(change: Change, lines: dict[str, dict[int, list[str]]], times: dict[str, float]) -> tuple[list[str], float]:
    """The tests that run a changed line, the quickest first, up to so many seconds; and what they take."""
    known = lines.get(change.file, {})
    names = {each for line in range(change.line, change.last + 1) for each in known.get(line, ())}
    if not names:  # run when the file is loaded, as a constant is: whoever uses the file may depend on it
        names = {each for tests in known.values() for each in tests}
    picked: list[str] = []
    spent = 0.0
    for name in sorted(names & times.keys(), key=lambda each: (times[each], each)):
        spent += times[name]
        if spent > MOST_SECONDS:
            break
        picked.append(name)
    return picked, min(spent, MOST_SECONDS)


def main() -> None:
    """Go on with a package for so many seconds."""
    parser = argparse.ArgumentParser(prog="python -m mutants.run", description=__doc__)
    parser.add_argument("package")
    parser.add_argument("--seconds", type=float, default=300)
    asked = parser.parse_args()
    until = time.monotonic() + asked.seconds
    lines, times = covering(asked.package)
    for name in ("src", "tests", "docs", "release", "pyproject.toml"):
        _copied(ROOT / name, WORK / "tree" / name)
    file = RESULTS / f"{asked.package}.json"
    done = json.loads(file.read_text()) if file.exists() else []
    for change in sample(asked.package)[len(done) :]:
        if time.monotonic() > until:
            break
        tests, seconds = chosen(change, lines, times)
        outcome = tried(change, tests, seconds)
        row = {"file": change.file, "line": change.line, "was": change.was, "now": change.now, "outcome": outcome}
        done.append({**row, "tests": len(tests)})
        file.write_text(json.dumps(done, indent=1, ensure_ascii=False) + "\n", "utf-8")
    found = sum(each["outcome"] in ("found", "takes too long") for each in done)
    print(f"{asked.package}: {len(done)} of {SAMPLE} changes tried, {found} found")


def _copied(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)


if __name__ == "__main__":
    main()
