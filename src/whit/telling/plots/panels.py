"""Panels beside each other: lines that anybody may draw, each from its own places and numbers.

The other pictures answer one question each. This one is for comparisons that none of them foresees, such as a figure of
a paper beside what is known now.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from whit.errors import InvalidInput, require
from whit.telling.plots.answers import Array, Columns, safe, values
from whit.telling.plots.layers import Spec, axis, end_labels, lines, marked, rows_of, words
from whit.telling.plots.picture import LETTERS, Picture, pictured
from whit.theory import Finding

_PLACES = "Give as many numbers as places, at least two of each."
_ENDS = "Use ends with low < high, and low > 0 on a scale of powers of ten."
_SIZES = {1: (440, 330), 2: (330, 300), 3: (260, 260), 4: (240, 240)}
"""Width and height of a panel by the number of panels in a row."""

_LABEL_WIDTH = 190.0
_WIDE_LETTERS = 138
"""How many letters fit into a line above two panels or more."""


@dataclass(frozen=True)
class Axis:
    """One axis of a panel.

    Attributes:
        title: what is measured along it.
        low: where it begins.
        high: where it ends.
        log: whether it is a scale of powers of ten.
        percent: whether its numbers are shown as percentages.
    """

    title: str
    low: float
    high: float
    log: bool = False
    percent: bool = False

    def __post_init__(self) -> None:
        good = math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high
        value = f"{self.low} to {self.high}"
        require(
            good and (self.low > 0.0 or not self.log),
            name=f"the axis {self.title!r}",
            rule="must go from a smaller to a larger number",
            value=value,
            way_out=_ENDS,
        )

    def place(self, name: str) -> Spec:
        """The encoding of a place along this axis."""
        return axis(name, self.title, (self.low, self.high), percent=self.percent, log=self.log)


@dataclass(frozen=True)
class Mark:
    """A point of a panel that matters, with a few words beside it."""

    text: str
    x: float
    y: float


@dataclass(frozen=True)
class Panel:
    """Lines over the same axes.

    Attributes:
        title: what the panel shows.
        x: the axis from left to right.
        y: the axis upwards.
        lines: for each line its name, its places and its numbers; a finding is drawn by its safe side.
        marks: points that matter.
    """

    title: str
    x: Axis
    y: Axis
    lines: Mapping[str, tuple[ArrayLike, ArrayLike | Finding]]
    marks: Sequence[Mark] = field(default=())

    def __post_init__(self) -> None:
        rule = "must have at least one line"
        require(bool(self.lines), name=f"the panel {self.title!r}", rule=rule, value="none", way_out=_PLACES)
        for name, (places, numbers) in self.lines.items():
            _paired(name, places, numbers)


def panels(shown: Iterable[Panel], *, title: str, caption: str, columns: int = 2) -> Picture:
    """The panels beside each other, as one picture; a line of the same name has the same colour in all of them.

    Args:
        shown: the panels, from left to right.
        title: the line above the picture.
        caption: what is drawn, in a sentence or two.
        columns: how many panels stand beside each other.
    """
    drawn = list(shown)
    require(bool(drawn), name="panels", rule="must be at least one", value="none", way_out="Give a Panel.")
    names = list(dict.fromkeys(name for panel in drawn for name in panel.lines))
    width, height = _SIZES[min(len(drawn), columns, max(_SIZES))]
    several = len(drawn) > 1
    specs = [_drawn(panel, names, width, height, titled=several) for panel in drawn]
    body = {"concat": specs, "columns": columns, "spacing": 36} if several else specs[0]
    told = " ".join(_told(panel) for panel in drawn)
    letters = LETTERS if not several else _WIDE_LETTERS
    alt = f"{title}. {caption} {told}"
    return pictured(body, title=title, caption=caption, alt=alt, table=_table(drawn), letters=letters)


def _drawn(panel: Panel, names: Sequence[str], width: float, height: float, *, titled: bool) -> Spec:
    x, y = panel.x.place("x"), panel.y.place("y")
    paired = {name: _paired(name, *line) for name, line in panel.lines.items()}
    rows = [
        row
        for name, (places, numbers) in paired.items()
        for row in rows_of(series=[name] * len(places), x=_shown(places, panel.x), y=_shown(numbers, panel.y))
    ]
    layers = [lines(rows, x, y, names, clip=True)]
    for mark in panel.marks:
        row = {"x": mark.x, "y": mark.y}
        layers += [marked(row, x, y), *words(mark.text, row, x, y, dx=8, dy=-8)]
    if len(names) > 1:
        ends = [(name, *_end(*paired[name], panel)) for name in paired]
        layers += end_labels(ends, y, height=height, names=names, limit=_LABEL_WIDTH)
    heading = {"text": panel.title, "fontSize": 13, "fontWeight": "normal", "anchor": "middle", "offset": 8}
    return {"width": width, "height": height, "layer": layers} | ({"title": heading} if titled else {})


def _paired(name: str, places: ArrayLike, numbers: ArrayLike | Finding) -> tuple[Array, Array]:
    """Places and numbers of a line, as many of the one as of the other."""
    at = np.asarray(places, dtype=float)
    found = values(safe(numbers)) if isinstance(numbers, Finding) else np.asarray(numbers, dtype=float)
    if at.ndim != 1 or at.shape != found.shape or len(at) < 2 or np.isnan(at).any() or np.isnan(found).any():
        shown = f"{at.shape} places, {found.shape} numbers"
        raise InvalidInput(f"the line {name!r}", "must have one number for each place", shown, _PLACES)
    return at, found


def _shown(numbers: Array, along: Axis) -> Array:
    """The numbers; a 0 on a scale of powers of ten is far below it."""
    return np.where(numbers > 0.0, numbers, along.low * 1e-3) if along.log else numbers


def _end(places: Array, numbers: Array, panel: Panel) -> tuple[float, float]:
    """Where a line leaves the panel on the right; lines that leave together are ordered by their middles."""
    inside = np.clip(numbers[places <= panel.x.high], panel.y.low, panel.y.high)
    middle = np.log(inside) if panel.y.log else inside
    return float(inside[-1]), float(np.mean(middle))


def _told(panel: Panel) -> str:
    """The ends and the middle of each line, in words."""
    lines_told = []
    for name, line in panel.lines.items():
        places, numbers = _paired(name, *line)
        chosen = sorted({0, len(places) // 2, len(places) - 1})
        lines_told.append(f"{name}: " + ", ".join(f"{numbers[n]:.4g} at {places[n]:.4g}" for n in chosen))
    return f"{panel.title} ({panel.y.title} against {panel.x.title}): " + "; ".join(lines_told) + "."


def _table(drawn: Sequence[Panel]) -> Columns:
    """Every point of every line."""
    columns: dict[str, list[object]] = {"panel": [], "line": [], "x": [], "y": []}
    for panel in drawn:
        for name, line in panel.lines.items():
            places, numbers = _paired(name, *line)
            columns["panel"] += [panel.title] * len(places)
            columns["line"] += [name] * len(places)
            columns["x"] += places.tolist()
            columns["y"] += numbers.tolist()
    return Columns(columns)
