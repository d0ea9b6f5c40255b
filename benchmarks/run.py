"""All cases, all tools, one process; then the claims. `--write` also writes results.md, `--only c` takes some cases."""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

from benchmarks import claims, table
from benchmarks.cases import Case, all_cases
from benchmarks.measure import Result, measured
from benchmarks.peers import Tool, installed
from benchmarks.whit_side import Whit, WhitEngine

RESULTS = Path(__file__).with_name("results.md")


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name} as well")
    parser.add_argument("--only", default="", help="only cases with this in their title, such as Census; no claims")
    return parser.parse_args()


def run(cases: list[Case], tools: list[Tool]) -> dict[str, Result]:
    """Every case, with a sign of life for each."""
    results = {}
    for number, case in enumerate(cases, 1):
        print(f"  {number:2} of {len(cases)}  {case.title}", file=sys.stderr, flush=True)
        results[case.title] = measured(case, tools)
    return results


def report(results: dict[str, Result], found: list[claims.Claim], versions: list[str], *, write: bool) -> None:
    """The table and the claims on the terminal, and in a file if that is wanted."""
    whole = [row for result in results.values() for row in table.rows(result)]
    told = "\n".join(map(str, found))
    print(f"{table.text(whole)}\n\n{table.LEGEND}\n\n{', '.join(versions)}\n\n{told}")
    if write:
        lists = ["\n".join(f"- {line}" for line in each.splitlines()) for each in (table.LEGEND, told)]
        asked = ["git", "-C", str(RESULTS.parent), "rev-parse", "--short", "HEAD"]
        commit = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
        made = f"Measured with commit `{commit}` of whit, beside {', '.join(versions)}."
        pages = ["# whit beside other accountants", made, table.markdown(whole), *lists]
        RESULTS.write_text("\n\n".join(pages) + "\n", encoding="utf-8")


def main() -> int:
    """The exit status is 0 if every claim holds."""
    chosen = options()
    start = time.perf_counter()
    peers, versions = installed()
    print("\n".join(["whit beside", *(f"  {line}" for line in versions)]), file=sys.stderr)
    cases = [case for case in all_cases() if chosen.only in case.title]
    results = run(cases, [Whit(), WhitEngine(), *peers])
    found = [] if chosen.only else claims.checked(results)
    report(results, found, versions, write=chosen.write)
    print(f"\n{time.perf_counter() - start:.0f} s in all", file=sys.stderr)
    return int(not all(claim.holds for claim in found))


if __name__ == "__main__":
    sys.exit(main())
