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
from whit.telling.plots.answers import Columns, values
from whit.telling.plots.layers import Array, Spec, axis, drawable, heading, marked
from whit.telling.plots.lettering import line_chart
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.placing import Note, Plane
from whit.telling.plots.style import WIDE
from whit.theory import Finding

_PLACES = "Give as many numbers as places, at least two of each."
_ENDS = "Use ends with low < high, and low > 0 on a scale of powers of ten."
_SIZES = {1: (440, 330), 2: (330, 300), 3: (260, 260), 4: (240, 240)}
"""Width and height of a panel by the number of panels in a row."""

_LABEL_WIDTH = 190.0
_ABOVE_SEVERAL = 800.0
"""How wide title and caption may be above two panels or more."""


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
        good, value = good and (self.low > 0.0 or not self.log), f"{self.low} to {self.high}"
        rule = "must go from a smaller to a larger number"
        require(good, name=f"the axis {self.title!r}", rule=rule, value=value, way_out=_ENDS)

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
        self.paired()

    def paired(self) -> dict[str, tuple[Array, Array]]:
        """Places and numbers of each line, as many of the one as of the other."""
        return {name: _paired(name, *line) for name, line in self.lines.items()}


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
    specs = [_chart(panel, names, width, height) for panel in drawn]
    body, above = specs[0], WIDE.above
    if len(drawn) > 1:
        titled = [spec | {"title": heading(panel.title, width)} for spec, panel in zip(specs, drawn, strict=True)]
        body, above = {"concat": titled, "columns": columns, "spacing": 36}, _ABOVE_SEVERAL
    alt = f"{title}. {caption} {' '.join(_words(panel) for panel in drawn)}"
    return pictured(body, title=title, caption=caption, alt=alt, table=_table(drawn), width=above)


def _chart(panel: Panel, names: Sequence[str], width: float, height: float) -> Spec:
    x, y = panel.x.place("x"), panel.y.place("y")
    points = [(mark.x, mark.y) for mark in panel.marks]
    return line_chart(
        {name: (drawable(places, x), numbers) for name, (places, numbers) in panel.paired().items()},
        Plane(x, y, width, height),
        over=[marked({"x": across, "y": up}, x, y) for across, up in points],
        notes=[Note(mark.text, [point]) for mark, point in zip(panel.marks, points, strict=True)],
        marked=points,
        names=names,
        clip=True,
        longest=_LABEL_WIDTH,
    )


def _paired(name: str, places: ArrayLike, numbers: ArrayLike | Finding) -> tuple[Array, Array]:
    at = np.asarray(places, dtype=float)
    found = values(numbers.bound) if isinstance(numbers, Finding) else np.asarray(numbers, dtype=float)
    if at.ndim != 1 or at.shape != found.shape or len(at) < 2 or np.isnan(at).any() or np.isnan(found).any():
        counts = f"{at.shape} places, {found.shape} numbers"
        raise InvalidInput(f"the line {name!r}", "must have one number for each place", counts, _PLACES)
    return at, found


def _words(panel: Panel) -> str:
    """The ends and the middle of each line, in words."""
    each = []
    for name, (places, numbers) in panel.paired().items():
        chosen = sorted({0, len(places) // 2, len(places) - 1})
        each.append(f"{name}: " + ", ".join(f"{numbers[n]:.4g} at {places[n]:.4g}" for n in chosen))
    return f"{panel.title} ({panel.y.title} against {panel.x.title}): " + "; ".join(each) + "."


def _table(drawn: Sequence[Panel]) -> Columns:
    """Every point of every line."""
    rows = [
        (panel.title, name, *point)
        for panel in drawn
        for name, line in panel.paired().items()
        for point in zip(*(numbers.tolist() for numbers in line), strict=True)
    ]
    return Columns(dict(zip(("panel", "line", "x", "y"), zip(*rows, strict=True), strict=True)))
