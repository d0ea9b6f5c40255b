"""What is left as a notebook shows it, and as the rows of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

# By this name, so that what makes HTML is loaded when something is shown.
from whit import display
from whit.audit.publication import cell_text

if TYPE_CHECKING:
    from whit.audit.remaining import Interval, Left
    from whit.display import Markup, Row

MOST = 30
"""The most cells that a notebook shows."""

_PROOF = (
    "Whole tables that fit what is published show each end; sums of published equations show that none goes beyond."
)


def left_html(found: Left) -> str:
    """What is left of each cell that is not published exactly, the known ones first, and how it is known."""
    intervals = sorted(map(found.interval, found.open_cells), key=lambda each: not each.determined)
    known = sum(each.determined for each in intervals)
    shown = [(cell_text(each.cell), _badge(each), _in_words(each)) for each in intervals[:MOST]]
    more = f"These are the first {MOST} of {len(intervals)} cells." if len(intervals) > MOST else ""
    told = f"{known} of {len(intervals)} cells that are not published exactly {'is' if known == 1 else 'are'} known."
    return display.block(
        display.heading(told),
        display.table(("cell", "", "what is left"), shown),
        more,
        display.points(found.why(each.cell) for each in intervals[:MOST] if each.determined),
        display.paragraph(_PROOF, faint=True),
    )


def interval_html(found: Interval) -> str:
    """What is left of one cell."""
    return display.block(display.heading(f"{found}."), display.paragraph(_PROOF, faint=True))


def left_rows(found: Left) -> list[Row]:
    """A row for each cell that is not published exactly."""
    return [_row(found.interval(cell)) for cell in found.open_cells]


def _row(each: Interval) -> Row:
    return {"cell": cell_text(each.cell), "least": each.least, "most": each.most, "determined": each.determined}


def _badge(each: Interval) -> Markup:
    return display.badge(*((display.Mood.BAD, "Known") if each.determined else (display.Mood.GOOD, "Open")))


def _in_words(each: Interval) -> str:
    return str(each).removeprefix(f"{cell_text(each.cell)} is ")
