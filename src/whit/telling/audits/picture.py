"""What is left of each cell as a picture: a bar from the least to the largest value, a mark where one value is left."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape

from whit.audit import Interval, cell_text
from whit.telling.plots.fonts import FONT

MOST = 40
"""The most cells of one picture."""

_LABELS, _BARS, _LINE, _NUMBERS = 210, 420, 22, 110


_INK, _OPEN, _KNOWN = "#1f2328", "#2a6fb0", "#b3261e"
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")
"""What no drawing may hold."""


def left_picture(
    intervals: Sequence[Interval], left: Callable[[Interval], str] | None = None, *, most: int = MOST, more: str = ""
) -> str:
    """An SVG picture of intervals, the narrowest first; further ones than fit are named in its last line.

    intervals   what is left
    left        what is left of a cell, in words
    most        how many cells are drawn
    more        the last line, where there are more
    """
    ordered = sorted(intervals, key=_width)[:most]
    ends = [end for each in ordered for end in (each.least, each.most) if end is not None]
    low, high = min([0, *ends]), max([1, *ends])
    rows = "".join(_row(at, each, low, high, left or left_text) for at, each in enumerate(ordered))
    rest = len(intervals) - len(ordered)
    height = _LINE * (len(ordered) + (2 if rest else 1))
    note = escape(more or f"and {rest} more cells, all of them wider") if rest else ""
    foot = f'<text x="{_LABELS}" y="{height - 6}" class="faint">{note}</text>' if note else ""
    return (
        f'<svg class="left" role="img" aria-label="What is left of {len(intervals)} cells" '
        f'viewBox="0 0 {_LABELS + _BARS + _NUMBERS} {height}" font-family="{FONT}" font-size="12" fill="{_INK}" '
        f'xmlns="http://www.w3.org/2000/svg">{rows}{foot}</svg>'
    )


def _width(each: Interval) -> float:
    return float("inf") if each.least is None or each.most is None else each.most - each.least


def left_text(each: Interval, text: Callable[[int], str] = str) -> str:
    """What is left of a cell, in a few words."""
    least, most = ("no end" if end is None else text(end) for end in (each.least, each.most))
    return f"only {least}" if each.determined else f"{least} to {most}"


def _row(at: int, each: Interval, low: int, high: int, left: Callable[[Interval], str]) -> str:
    """One cell: its name, its bar or its mark, and its ends in numbers."""
    y = _LINE * (at + 1)
    name = _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", cell_text(each.cell))
    shown = name if len(name) <= 30 else f"{name[:29]}…"
    first, last = (_place(end, low, high, _BARS * at_end) for end, at_end in ((each.least, 0), (each.most, 1)))
    numbers = left(each)
    mark = (
        f'<path class="known" fill="{_KNOWN}" d="M {first - 5} {y - 5} l 5 -5 l 5 5 l -5 5 z"/>'
        if each.determined
        else f'<rect class="open" fill="{_OPEN}" x="{first}" y="{y - 10}" width="{max(last - first, 1)}" height="10"/>'
    )
    label = f'<text x="{_LABELS - 8}" y="{y}" text-anchor="end">{escape(shown)}</text>'
    value = f'<text x="{_LABELS + _BARS + 8}" y="{y}">{escape(numbers)}</text>'
    return f"<g>{label}{mark}{value}</g>"


def _place(end: int | None, low: int, high: int, without: int) -> int:
    return _LABELS + (without if end is None else round(_BARS * (end - low) / (high - low)))
