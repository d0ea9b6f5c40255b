"""Random short compositions against laws in many digits: does every bracket hold the truth, and how wide is it?

    python benchmarks/short_compositions.py --first 0 --count 500            finitely many losses, by exact sums
    python benchmarks/short_compositions.py --first 0 --count 500 --arb      some with a density, by Arb
    python benchmarks/short_compositions.py --summary                        what all runs together found

A run appends one line of JSON for each composition to the file of --results. The same number always gives the same
composition, so a run may be split. The laws share no code with whit's curves; they lie with the tests, which judge a
share of the same compositions each time.
"""

from __future__ import annotations

import argparse
import json
import math
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from short_draws import Draw  # noqa: E402 - it lies with the tests
from short_judge import TooSlow, line  # noqa: E402

REFEREES = {"exact sums": True, "Arb": False}
WANTED = {"delta": 1e-5, "power": 1e-4}


def run(seeds: range, results: Path, *, arb: bool, limit: float, kinds: list[str]) -> None:
    """Judge compositions, each within so many seconds of processor time; only those with one of the kinds, if any."""
    with results.open("a", encoding="utf-8") as file:
        for seed in seeds:
            if kinds and not set(kinds) & set(Draw(seed).composition(listed=not arb).kinds):
                continue
            found = _in_time(seed, limit, arb=arb)
            print(json.dumps(found), file=file, flush=True)
            if found["outside"] or "failed" in found:
                print(json.dumps(found))


def _in_time(seed: int, limit: float, *, arb: bool) -> dict[str, Any]:
    signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit)
    try:
        return line(seed, listed=not arb)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)


def _stop(_number: int, _frame: object) -> None:
    raise TooSlow


def summary(results: Path) -> dict[str, Any]:
    """Counts by kind and referee, what was outside, and the widths."""
    each = {
        (row["listed"], row["seed"]): row for row in map(json.loads, results.read_text(encoding="utf-8").splitlines())
    }
    rows = list(each.values())
    return {
        "compositions": len(rows),
        "judged by referee": {name: len(_judged(rows, listed=listed)) for name, listed in REFEREES.items()},
        "questions": sum(row["questions"] for row in rows),
        "outside": sum(bool(row["outside"]) for row in rows),
        "stopped": dict(Counter(_why(row["failed"]) for row in rows if "failed" in row)),
        "stopped before any question": sum("failed" in row and not row["questions"] for row in rows),
        "seeds": {name: _seeds(each, listed=listed) for name, listed in REFEREES.items()},
        "judged by referee and kind": {name: _kinds(rows, listed=listed) for name, listed in REFEREES.items()},
        "stopped by engine": dict(Counter(row["engine"] for row in rows if "failed" in row)),
        "engines": dict(Counter(row["engine"] for row in rows)),
        "releases": {"fewest": min(row["releases"] for row in rows), "most": max(row["releases"] for row in rows)},
        "widths": {name: _widths(rows, name) for name in sorted({key for row in rows for key in row["widths"]})},
        "seconds": {side: round(sum(row["seconds"][side] for row in rows)) for side in ("whit", "truth")},
    }


def _why(failed: str) -> str:
    """An integral that the clock stops cannot say so itself."""
    slow = failed == "TooSlow()" or "acb.integral" in failed
    return "too slow" if slow else failed


def _seeds(each: dict[tuple[bool, int], Any], *, listed: bool) -> list[int]:
    """The first and the last seed, and how many there are."""
    seeds = [seed for kind, seed in each if kind is listed]
    return [min(seeds), max(seeds), len(seeds)] if seeds else []


def _kinds(rows: list[dict[str, Any]], *, listed: bool) -> dict[str, int]:
    return dict(sorted(Counter(kind for row in _judged(rows, listed=listed) for kind in row["kinds"]).items()))


def _judged(rows: list[dict[str, Any]], *, listed: bool) -> list[dict[str, Any]]:
    """Those about which a question was asked before they were stopped."""
    return [row for row in rows if row["listed"] is listed and row["questions"]]


def _widths(rows: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """The median, the largest, and how many are wider than what is wanted."""
    pairs = sorted((row["widths"][name], row["composition"], row["kinds"]) for row in rows if name in row["widths"])
    widths = [width for width, *_ in pairs]
    chosen = {"median": widths[len(widths) // 2], "99 %": widths[-1 - len(widths) // 100], "largest": widths[-1]}
    found: dict[str, Any] = {key: width if math.isfinite(width) else "infinite" for key, width in chosen.items()}
    found["widest"] = pairs[-1][1]
    if name in WANTED:
        wider = [" + ".join(kinds) for width, _, kinds in pairs if width > WANTED[name]]
        found |= {"wanted": WANTED[name], "wider": len(wider), "of": len(widths)}
        found["wider by kinds"] = dict(Counter(wider).most_common())
    return found


def commit() -> str:
    """The commit that was judged."""
    asked = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


def main() -> int:
    """Run, or sum up."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--arb", action="store_true", help="compositions with a density")
    parser.add_argument("--limit", type=float, default=30.0, help="seconds of processor time for one composition")
    parser.add_argument("--kinds", nargs="*", default=[], help="only where one of these occurs, such as geometric")
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "short_compositions.jsonl")
    parser.add_argument("--summary", action="store_true", help="print what the results say")
    options = parser.parse_args()
    options.results.parent.mkdir(exist_ok=True)
    if options.summary:
        print(json.dumps({"commit": commit(), **summary(options.results)}, indent=2))
        return 0
    seeds = range(options.first, options.first + options.count)
    run(seeds, options.results, arb=options.arb, limit=options.limit, kinds=options.kinds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
