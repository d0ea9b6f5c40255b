"""Which quick tests of the mirror folder run which line, and how long each takes; each file is measured once."""

from __future__ import annotations

import ast
import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

import coverage

from mutants.child import Times, in_child, run_tests

QUICK = "not slow and not dear and not web"
Lines = dict[str, dict[int, list[str]]]


def covering(package: str, root: Path, work: Path) -> tuple[Lines, dict[str, float]]:
    """Which tests run each line of each file, and how many seconds each test takes."""
    data, times, hashed = (work / f"{package}.{end}" for end in ("coverage", "times", "known"))
    hashes = _hashes(package, root)
    before = json.loads(hashed.read_text()) if hashed.exists() else {}
    if before.get("sources") != hashes["sources"]:
        before = {}
        data.unlink(missing_ok=True)
        times.unlink(missing_ok=True)
    stale = [name for name in hashes if name != "sources" and before.get(name) != hashes[name]]
    if stale:
        rows = times.read_text("utf-8").splitlines() if times.exists() else []
        kept = [row for row in rows if row.partition("::")[0] in hashes.keys() - set(stale)]
        times.write_text("".join(f"{row}\n" for row in kept), "utf-8")
        in_child(_measure, package, stale, root, data, times, seconds=1500)
        hashed.write_text(json.dumps(hashes, indent=1))
    lines: Lines = {}
    found = coverage.CoverageData(str(data))
    found.read()
    for file in found.measured_files():
        name = file[file.index("src/whit/") :]
        known = lines.setdefault(name, {})
        for line, tests in found.contexts_by_lineno(file).items():
            known.setdefault(line, []).extend(each.rpartition("|")[0] for each in tests if each)
    pairs = (row.rsplit("\t", 1) for row in times.read_text("utf-8").splitlines())
    return lines, {name: float(seconds) for name, seconds in pairs}


def stamped(names: Iterable[str], root: Path) -> dict[str, str]:
    """The name of each test with a stamp of its text as it is now."""
    texts: dict[str, dict[str, str]] = {}
    for file in {name.partition("::")[0] for name in names}:
        text = (root / file).read_text("utf-8")
        tests = (each for each in ast.parse(text).body if isinstance(each, ast.FunctionDef))
        texts[file] = {each.name: ast.unparse(each) for each in tests}
    found = {}
    for name in names:
        file, _, test = name.partition("::")
        text = texts[file].get(test.partition("[")[0], "")
        found[name] = f"{hashlib.sha256(text.encode()).hexdigest()[:8]} {name}"
    return found


def _hashes(package: str, root: Path) -> dict[str, str]:
    sources = b"".join(path.read_bytes() for path in sorted((root / "src" / "whit" / package).rglob("*.py")))
    tests = sorted((root / "tests" / package).rglob("test_*.py"))
    texts = {"sources": sources} | {str(path.relative_to(root)): path.read_bytes() for path in tests}
    return {name: hashlib.sha256(text).hexdigest() for name, text in texts.items()}


def _measure(package: str, files: list[str], root: Path, data: Path, times: Path) -> int:
    os.environ["COVERAGE_FILE"] = str(data)
    options = [f"--cov=src/whit/{package}", "--cov-context=test", "--cov-append", "--cov-report=", "--cov-fail-under=0"]
    return run_tests([*files, "-m", QUICK, *options], root, Times(times))
