"""What is left of each cell as a picture: a bar from the least to the largest value, a mark where one value is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from whit.audit import Interval, cell_text

MOST = 40
"""The most cells of one picture."""

_LABELS, _BARS, _LINE, _NUMBERS = 210, 420, 22, 110


def left_picture(intervals: Sequence[Interval], text: Callable[[int], str] = str) -> str:
    """An SVG picture of intervals, the narrowest first; further ones than fit are named in its last line.

    intervals   what is left
    text        how a value is written
    """
    ordered = sorted(intervals, key=_width)[:MOST]
    ends = [end for each in ordered for end in (each.least, each.most) if end is not None]
    low, high = min([0, *ends]), max([1, *ends])
    rows = "".join(_row(at, each, low, high, text) for at, each in enumerate(ordered))
    height = _LINE * (len(ordered) + 2)
    rest = len(intervals) - len(ordered)
    note = f"and {rest} more cells, all of them wider" if rest else ""
    foot = f'<text x="{_LABELS}" y="{height - 6}" class="faint">{note}</text>' if note else ""
    return (
        f'<svg class="left" role="img" aria-label="What is left of {len(intervals)} cells" '
        f'viewBox="0 0 {_LABELS + _BARS + _NUMBERS} {height}" xmlns="http://www.w3.org/2000/svg">{rows}{foot}</svg>'
    )


def _width(each: Interval) -> float:
    return float("inf") if each.least is None or each.most is None else each.most - each.least


def _row(at: int, each: Interval, low: int, high: int, text: Callable[[int], str]) -> str:
    """One cell: its name, its bar or its mark, and its ends in numbers."""
    y = _LINE * (at + 1)
    name = cell_text(each.cell)
    shown = name if len(name) <= 30 else f"{name[:29]}…"
    first, last = (_place(end, low, high, _BARS * at_end) for end, at_end in ((each.least, 0), (each.most, 1)))
    least, most = ("…" if end is None else text(end) for end in (each.least, each.most))
    numbers = f"only {least}" if each.determined else f"{least} to {most}"
    mark = (
        f'<path class="known" d="M {first - 5} {y - 5} l 5 -5 l 5 5 l -5 5 z"/>'
        if each.determined
        else f'<rect class="open" x="{first}" y="{y - 10}" width="{max(last - first, 1)}" height="10"/>'
    )
    label = f'<text x="{_LABELS - 8}" y="{y}" text-anchor="end">{escape(shown)}</text>'
    value = f'<text x="{_LABELS + _BARS + 8}" y="{y}">{escape(numbers)}</text>'
    return f"<g>{label}{mark}{value}</g>"


def _place(end: int | None, low: int, high: int, without: int) -> int:
    return _LABELS + (without if end is None else round(_BARS * (end - low) / (high - low)))
