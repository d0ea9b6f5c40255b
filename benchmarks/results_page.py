"""Writes docs/project/benchmarks.md from the results that are kept: `python benchmarks/results_page.py`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "project" / "benchmarks.md"
HEAD = """# Results of the benchmarks

This page lists measured runs, each with its commit. `make bench` runs the benchmarks, keeps what each prints in
`benchmarks/results`, and writes this page; `make bench BENCH_NAMES=import_time` runs one of them. Seconds differ
between machines, and grow with other work on a machine. So claims of speed are ratios within one run. A commit that the
history does not hold was one step on the way to a commit that it does hold.
"""


RUNS = ("| commit | compositions | questions | outside | note |", "|---|---|---|---|---|")


def page(instructions: Mapping[str, Any], compositions: Mapping[str, Any], runs: Sequence[Mapping[str, Any]]) -> str:
    """The page from what is kept."""
    counts = [f"| {name} | {count / 1e6:,.1f} |" for name, count in instructions["counts"].items()]
    parts = [
        HEAD,
        "## Instructions",
        f"Counted by `make instructions` at commit `{instructions['commit'][:7]}`. The gate fails at 15 % above.",
        "\n".join(["| what | million instructions |", "|---|---|", *counts]),
        "## Short compositions judged by a referee",
        f"From `benchmarks/short_compositions.json`: {compositions['about']}.",
        "\n".join([*RUNS, *map(_run, compositions["runs"])]),
        *map(_printed, runs),
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _run(run: Mapping[str, Any]) -> str:
    numbers = f"{run['compositions']:,} | {run['questions']:,} | {run['outside']}"
    return f"| `{run['commit'][:7]}` | {numbers} | {run.get('note', '')} |"


def _printed(run: Mapping[str, Any]) -> str:
    """The last run of a benchmark: what it is about, where it was made, and its lines."""
    title = run["about"][0].upper() + run["about"][1:]
    held = "All claims hold" if run["claims hold"] else "A claim was missed"
    where = f"{run['day']}, {run['cores']} cores, a load of {run['load before']} before it"
    made = f"{held}. Commit `{run['commit']}`, {where}."
    return "\n\n".join([f"## {title}", made, "\n".join(["```text", *run["printed"], "```"])])


def kept() -> tuple[Mapping[str, Any], Mapping[str, Any], Sequence[Mapping[str, Any]]]:
    """The files that are kept."""
    files = [HERE / "instructions.json", HERE / "short_compositions.json", *sorted((HERE / "results").glob("*.json"))]
    first, second, *runs = (json.loads(file.read_text("utf-8")) for file in files)
    return first, second, runs


if __name__ == "__main__":
    PAGE.write_text(page(*kept()), encoding="utf-8")
