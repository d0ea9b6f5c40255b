"""Writes what the trials found to docs/project/mutants.md: `python -m mutants.page`."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
PAGE = Path(__file__).parents[1] / "docs" / "project" / "mutants.md"
PACKAGES = ("numerics", "curves", "policy", "ledger")
SAMPLE = 200
FOUND = ("found", "takes too long")
Row = Mapping[str, object]

HEAD = f"""# Changes that tests find

A test that cannot fail shows nothing. So a program changes the sources at random places, one at a time: `<` becomes
`<=`, plus becomes minus, a constant grows by one, `up` becomes `down`. It then runs the quick tests of the mirror
folder that execute the changed line, the quickest first and for at most 40 seconds together. A change that no test
finds survives. `make mutants` goes on with a seeded sample of {SAMPLE} changes in each package, and writes this page
from what is kept in `mutants/results`.

The interval is Wilson's, at 95 %. A change that makes tests run eight times as long as before counts as found. Tests of
other folders and dear tests do not count here: some of the changes that survive are found by them.
"""


def interval(found: int, of: int) -> tuple[float, float]:
    """Wilson's interval at 95 % for a share.

    >>> [round(end, 4) for end in interval(8, 10)]
    [0.4902, 0.9433]
    """
    z = 1.959963984540054
    middle, width = (
        (found + z * z / 2) / (of + z * z),
        z / (of + z * z) * math.sqrt(found * (of - found) / of + z * z / 4),
    )
    return middle - width, middle + width


def page(results: Mapping[str, Sequence[Row]]) -> str:
    """The page: the scores, then every change that survived."""
    rows = ["| package | tried | found | score | interval |", "|---|---|---|---|---|"]
    rows += [_score(package, results.get(package, ())) for package in PACKAGES]
    parts = [HEAD, "\n".join(rows)]
    for package in PACKAGES:
        lived = [each for each in results.get(package, ()) if each["outcome"] not in FOUND]
        if lived:
            parts += [f"## Survivors in {package}", "\n".join(map(_survivor, lived))]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _score(package: str, rows: Sequence[Row]) -> str:
    count = Counter(each["outcome"] in FOUND for each in rows)
    if not rows:
        return f"| {package} | 0 of {SAMPLE} | | | not tried yet |"
    low, high = interval(count[True], len(rows))
    score = count[True] / len(rows)
    return f"| {package} | {len(rows)} of {SAMPLE} | {count[True]} | {score:.0%} | {low:.0%} to {high:.0%} |"


def _survivor(row: Row) -> str:
    was, now = (" ".join(str(row[each]).split()).replace("`", "'") for each in ("was", "now"))
    why = "" if row["outcome"] == "survived" else f" ({row['outcome']})"
    return f"- {str(row['file']).removeprefix('src/whit/')}, line {row['line']}: `{was[:70]}` as `{now[:70]}`{why}"


def kept() -> dict[str, list[Row]]:
    """What is kept of the trials."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(RESULTS.glob("*.json"))}


if __name__ == "__main__":
    PAGE.write_text(page(kept()), encoding="utf-8")
