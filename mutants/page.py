"""Writes what the trials found to docs/project/mutants.md: `python -m mutants.page`."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
EXPLAINED = Path(__file__).parent / "explained.toml"
PAGE = Path(__file__).parents[1] / "docs" / "project" / "mutants.md"
PACKAGES = ("numerics", "curves", "policy", "ledger")
SAMPLE = 200
FOUND = ("found", "takes too long")
Row = Mapping[str, object]
Key = tuple[str, str, int, str, str]

HEAD = f"""# Changes that tests find

A test that cannot fail shows nothing. So a program plants mistakes in the sources at random places, one at a time: `<`
becomes `<=`, plus becomes minus, a constant grows by one, `up` becomes `down`. Then it runs the quick tests of the
package that execute the changed line, the quickest first and for at most 6 seconds together. A change that no test
finds is tried again, for at most 40 seconds and with all quick tests that use the file, unless it is known why no test
finds it. Tests that need a server run only for lines that no other test executes. `make mutants` goes on with a seeded
sample of {SAMPLE} changes in each package, and writes this page from what is kept in `mutants/results`, with the commit
of each trial. Line numbers are those of the commit of the trial.

The interval is Wilson's, at 95 %. A change that makes a test take eight times its processor time, and five seconds
more, counts as found. Tests of other packages and tests that take long do not count here, although they find some
of the survivors. A survivor with a reason does not count as found either. The reasons are in `mutants/explained.toml`.

Read the scores with care: many tests were written against survivors of this very sample. So a score says what became
of the sample, and its interval does not say how another sample would fare. Before these tests, and with 6 seconds
alone, 137 changes were found in numerics, 102 in curves, 127 in policy and 130 in ledger; a few of the tests were there
already when curves was tried. Two survivors in policy were changes of the flag `strict=` of `zip`. It is an assertion,
and was left out of the sample only after that. With the two, the lower end for policy is just below 80 %.
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


def page(results: Mapping[str, Sequence[Row]], reasons: Mapping[Key, str]) -> str:
    """The page: the scores, then every change that survived, with the reason why no test finds it."""
    rows = [
        "| package | tried | found | score | interval | survivors | with a reason |",
        "|---|---|---|---|---|---|---|",
    ]
    rows += [_score(package, results.get(package, ()), reasons) for package in PACKAGES]
    parts = [HEAD, "\n".join(rows)]
    for package in PACKAGES:
        lived = sorted(survivors(results.get(package, ())), key=lambda row: (str(row["file"]), int(str(row["line"]))))
        if lived:
            parts += [f"## Survivors in {package}", "\n".join(_survivor(row, reasons) for row in lived)]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def survivors(rows: Sequence[Row]) -> list[Row]:
    """What no test found."""
    return [each for each in rows if each["outcome"] not in FOUND]


def key(row: Row) -> Key:
    """By what a reason knows its change."""
    return str(row["file"]), str(row["within"]), int(str(row["nth"])), str(row["was"]), str(row["now"])


def _score(package: str, rows: Sequence[Row], reasons: Mapping[Key, str]) -> str:
    if not rows:
        return f"| {package} | 0 of {SAMPLE} | | | not tried yet | | |"
    lived = survivors(rows)
    found = len(rows) - len(lived)
    low, high = interval(found, len(rows))
    known = sum(key(each) in reasons for each in lived)
    share = f"{found / len(rows):.1%} | {low:.1%} to {high:.1%}"
    return f"| {package} | {len(rows)} of {SAMPLE} | {found} | {share} | {len(lived)} | {known} |"


def _survivor(row: Row, reasons: Mapping[Key, str]) -> str:
    was, now = (" ".join(str(row[each]).split()).replace("`", "'") for each in ("was", "now"))
    what = f"`{was[:90]}` as `{now[:90]}`"
    if row["outcome"] != "survived":
        what += f" ({row['outcome']})"
    place = f"{str(row['file']).removeprefix('src/whit/')}, line {row['line']}"
    return f"- {place}: {what}. {reasons.get(key(row), 'No reason is known.')}"


def kept() -> dict[str, list[Row]]:
    """What is kept of the trials."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(RESULTS.glob("*.json"))}


def explained() -> dict[Key, str]:
    """Why no test finds a change, by the change."""
    rows = tomllib.loads(EXPLAINED.read_text("utf-8")).get("reason", [])
    return {key(row): " ".join(str(row["why"]).split()) for row in rows}


if __name__ == "__main__":
    PAGE.write_text(page(kept(), explained()), encoding="utf-8")
