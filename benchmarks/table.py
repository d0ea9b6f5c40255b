"""The results, for people to read: the same rows on the terminal and in Markdown."""

from __future__ import annotations

import math
from collections.abc import Sequence

from benchmarks.measure import Measurement, Result

HEADS = ("case", "tool", "time", "whit = 1", "upper", "lower", "upper, tiny", "lower, tiny", "sound")

LEGEND = """time: median of up to 7 runs in one process, all tools in turn; composition and all points included
whit = 1: time as a multiple of whit's, in the same run
upper, lower: relative error of the bound that is furthest off, over all points with a truth of at least 1e-12
tiny: the same where the truth is below 1e-12
sound: whether every bound is on its side of the truth; if not, how many are not, and the worst of them"""


def rows(result: Result) -> list[tuple[str, ...]]:
    """The rows of one case: one for each tool."""
    own = result.of("whit")
    found = [_row(result.case.title, each, own) for each in result.measurements]
    blank = ("",) * (len(HEADS) - 3)
    return found + [(result.case.title, tool, reason, *blank) for tool, reason in result.reasons.items()]


def _row(title: str, each: Measurement, own: Measurement | None) -> tuple[str, ...]:
    verdict = each.verdict
    ratio = f"{each.median / own.median:.3g}" if own else "-"
    errors = (verdict.upper_error, verdict.lower_error, verdict.tiny_upper_error, verdict.tiny_lower_error)
    return (title, each.tool, _time(each.median), ratio, *map(_error, errors), _soundness(each))


def _time(seconds: float) -> str:
    return f"{1000 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def _error(error: float) -> str:
    if math.isnan(error):
        return ""
    return "useless" if abs(error) > 1e6 else f"{error:+.0e}"


def _soundness(each: Measurement) -> str:
    wrong = each.verdict.wrong
    if not wrong:
        return "yes"
    return f"NO: {len(wrong)} of {each.verdict.bounds}, {_size(max(wrong, key=abs))}"


def _size(error: float) -> str:
    return f"{error:+.0e}" if abs(error) < 1e6 else f"by a factor of {error:.0e}"


def text(table: Sequence[tuple[str, ...]]) -> str:
    """Columns in line; a title is written once."""
    whole = [HEADS, *table]
    widths = [max(len(row[column]) for row in whole if row[3] or column < 2) for column in range(len(HEADS))]
    lines, last = [], ""
    for row in whole:
        cells = ["" if row[0] == last else row[0], *row[1:]]
        lines.append("  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip())
        last = row[0]
    return "\n".join(lines)
