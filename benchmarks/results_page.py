"""Writes docs/project/benchmarks.md from the results that are kept: `python benchmarks/results_page.py`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "project" / "benchmarks.md"
HEAD = """# Results of the benchmarks

What is kept of measured runs, each with the commit that it was made with. The scripts in `benchmarks` write the files,
and `python benchmarks/results_page.py` this page. `make bench` measures speed beside other accountants on your machine:
seconds differ from one machine to the next, so none are kept here.
"""


RUNS = ("| commit | compositions | questions | outside | note |", "|---|---|---|---|---|")


def page(instructions: Mapping[str, Any], compositions: Mapping[str, Any]) -> str:
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
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _run(run: Mapping[str, Any]) -> str:
    numbers = f"{run['compositions']:,} | {run['questions']:,} | {run['outside']}"
    return f"| `{run['commit'][:7]}` | {numbers} | {run.get('note', '')} |"


def kept() -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The files that are kept."""
    names = ("instructions.json", "short_compositions.json")
    first, second = (json.loads((HERE / name).read_text("utf-8")) for name in names)
    return first, second


if __name__ == "__main__":
    PAGE.write_text(page(*kept()), encoding="utf-8")
