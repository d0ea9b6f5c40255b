"""Compares the measured coverage with a floor for each package: `python release/floors.py [.coverage]`.

Reads what a run of the tests left behind, and runs nothing. Lines count, and branches where they were measured (`make
coverage`). Exit code 1 where a floor is missed, 2 where nothing was measured.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import coverage

FLOORS = {"numerics": 95.0, "curves": 95.0, "policy": 95.0, "ledger": 95.0, "all": 90.0}
"""The least share of lines, and of lines and branches together, in percent."""


def shares(report: Mapping[str, Mapping[str, object]]) -> dict[str, float]:
    """The share that was run in each package that has a floor, from the files of a report; all is everything."""
    run: Counter[str] = Counter()
    known: Counter[str] = Counter()
    for name, file in report.items():
        package = name.replace("\\", "/").rpartition("src/whit/")[2].partition("/")[0].removesuffix(".py")
        summary = file["summary"]
        assert isinstance(summary, Mapping)
        for each in ("all", package):
            run[each] += summary["covered_lines"] + summary.get("covered_branches", 0)
            known[each] += summary["num_statements"] + summary.get("num_branches", 0)
    return {each: 100.0 * run[each] / known[each] for each in FLOORS if known[each]}


def missed(found: Mapping[str, float]) -> list[str]:
    """A sentence for each floor that is missed; a package that was not measured misses its own."""
    low = {each: found.get(each, 0.0) for each, floor in FLOORS.items() if found.get(each, 0.0) < floor}
    return [f"{each}: {share:.2f} % were run; the floor is {FLOORS[each]:g} %." for each, share in low.items()]


def measured(data: Path) -> dict[str, dict[str, object]]:
    """The files of a report on what was measured."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        whole = coverage.Coverage(data_file=str(data))
        whole.load()
        whole.json_report(outfile=str(report))
        files: dict[str, dict[str, object]] = json.loads(report.read_text("utf-8"))["files"]
        return files


def main(data: str = ".coverage") -> int:
    """Print the shares, and say what is missed."""
    if not Path(data).is_file():
        sys.stderr.write(f"Nothing was measured: {data} is missing. Run make check.\n")
        return 2
    found = shares(measured(Path(data)))
    sys.stdout.writelines(f"{each:10} {share:6.2f} %, floor {FLOORS[each]:g} %\n" for each, share in found.items())
    wrong = missed(found)
    sys.stderr.writelines(f"{each}\n" for each in wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
