"""All cases, all tools, one process; then the claims. `--only c` takes some cases."""

from __future__ import annotations

import argparse
import sys
import time

from benchmarks import claims, table
from benchmarks.cases import Case, all_cases
from benchmarks.measure import Result, measured
from benchmarks.peers import Tool, installed
from benchmarks.whit_side import Whit, WhitEngine


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.add_argument("--only", default="", help="only cases with this in their title, such as Census; no claims")
    return parser.parse_args()


def run(cases: list[Case], tools: list[Tool]) -> dict[str, Result]:
    """Every case, with a sign of life for each."""
    results = {}
    for number, case in enumerate(cases, 1):
        print(f"  {number:2} of {len(cases)}  {case.title}", file=sys.stderr, flush=True)
        results[case.title] = measured(case, tools)
    return results


def report(results: dict[str, Result], found: list[claims.Claim], versions: list[str]) -> None:
    """The table and the claims."""
    whole = [row for result in results.values() for row in table.rows(result)]
    told = "\n".join(map(str, found))
    print(f"{table.text(whole)}\n\n{table.LEGEND}\n\n{', '.join(versions)}\n\n{told}")


def main() -> int:
    """The exit status is 0 if every claim holds."""
    chosen = options()
    start = time.perf_counter()
    peers, versions = installed()
    print("\n".join(["whit beside", *(f"  {line}" for line in versions)]), file=sys.stderr)
    cases = [case for case in all_cases() if chosen.only in case.title]
    results = run(cases, [Whit(), WhitEngine(), *peers])
    found = [] if chosen.only else claims.checked(results)
    report(results, found, versions)
    print(f"\n{time.perf_counter() - start:.0f} s in all", file=sys.stderr)
    return int(not all(claim.holds for claim in found))


if __name__ == "__main__":
    sys.exit(main())
