"""A chart of lines with its words: names next to their lines or at the right, and notes where they cover nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from whit.telling.plots.fonts import width
from whit.telling.plots.layers import (
    Array,
    Spec,
    drawable,
    end_labels,
    is_log,
    layer,
    layered,
    leader,
    lines,
    sample,
    series_rows,
    written,
)
from whit.telling.plots.placing import Note, Plane, Room, beside_own
from whit.telling.plots.style import AXIS_TITLE, TEXT
from whit.telling.plots.texts import fitted, text_lines

Series = Mapping[str, tuple[Array, Array]]
Points = tuple[Iterable[float], Iterable[float]]

_SAMPLE = 22.0
"""How much room a piece of a line takes before its name, with the gap after it."""

_LABELS, _LINE = 42.0, 17.0
"""How much room the labels of an axis take below a chart, and how far apart names are under it."""

LONGEST = 210.0
"""How wide a name may be."""


def line_chart(
    series: Series,
    plane: Plane,
    *,
    below: Sequence[Spec] = (),
    over: Sequence[Spec] = (),
    notes: Sequence[Note] = (),
    crossed: Sequence[Points] = (),
    marked: Sequence[tuple[float, float]] = (),
    names: Sequence[str] = (),
    clip: bool = False,
    longest: float = LONGEST,
    outside: bool = True,
) -> Spec:
    """A line for each series with its name, and notes.

    Args:
        series: places and numbers of each line, by name.
        plane: the area of the chart.
        below: layers under the lines.
        over: layers over the lines.
        notes: words about places, those that matter most first.
        crossed: further lines that words should not cover.
        marked: points that words must not cover.
        names: those of all charts that share their colours; those of the series if none are given.
        clip: whether lines end at the edge of the chart.
        longest: how wide a name may be.
        outside: whether names that have no place next to their lines stand at the right.
    """
    known, room = list(names or series), Room(plane)
    traces = {name: plane.traced(at, drawable(found, plane.y)) for name, (at, found) in series.items()}
    for at, found in crossed:
        room.crossed(at, found)
    for point in marked:
        room.occupied(*point)
    words = noted(notes, room, traces.values())
    names_drawn = _named(traces, room, known, longest) if len(known) > 1 else []
    if names_drawn is None and not plane.beside:
        names_drawn = _below(known, plane) if outside else []
    if names_drawn is None:
        ends = [(name, *_end(*line, plane.x, plane.y)) for name, line in series.items()]
        names_drawn = end_labels(ends, plane.y, height=plane.height, names=known, limit=longest) if outside else []
    drawn = lines(series_rows(series, plane.x, plane.y), plane.x, plane.y, known, clip=clip)
    return layered([*below, drawn, *over, *names_drawn, *words], plane.width, plane.height)


def noted(notes: Sequence[Note], room: Room, traces: Iterable[Array] = ()) -> list[Spec]:
    """The words of the notes, each where it covers no other; one that has no such place is left out."""
    room.lines = np.vstack([room.lines, *traces])
    found = [(note, box) for note in notes if (box := room.placed(note)) is not None]
    led = [ends for note, box in found if (ends := note.leader(box, room.plane)) is not None]
    said = (part for note, box in found for part in written(note.text, *box.middle))
    return [*(leader(*ends) for ends in led), *said]


def _named(traces: Mapping[str, Array], room: Room, known: Sequence[str], longest: float) -> list[Spec] | None:
    """The names next to their lines, if each has room there."""
    shown = {name: fitted(name, longest, TEXT) for name in traces}
    wide = {name: _SAMPLE + width(text, TEXT) for name, text in shown.items()}
    visible = all(len(trace) > 1 for trace in traces.values())
    boxes = beside_own(dict(traces), room, wide) if visible else None
    if boxes is None:
        return None
    found: list[Spec] = []
    for name, box in boxes.items():
        left, middle = box.middle
        piece = sample(list(known).index(name))
        across = {"x": {"value": left}, "x2": {"value": left + _SAMPLE - 5}}
        found.append(layer([{}], piece, across["x"], {"value": middle}, x2=across["x2"]))
        found += written(shown[name], left + _SAMPLE, middle)
    return found


def _below(known: Sequence[str], plane: Plane) -> list[Spec]:
    """The names under the chart and what its axis says, one below the other, each with a piece of its line."""
    title = text_lines(str(plane.x["axis"]["title"]), plane.width, AXIS_TITLE, most=3)
    top = plane.height + _LABELS + _LINE * len(title)
    found: list[Spec] = []
    for number, name in enumerate(known):
        down = {"value": top + _LINE * number}
        found.append(layer([{}], sample(number), {"value": 0.0}, down, x2={"value": _SAMPLE - 5}))
        found += written(fitted(name, plane.width - _SAMPLE, TEXT), _SAMPLE, top + _LINE * number)
    return found


def _end(places: Array, numbers: Array, x: Spec, y: Spec) -> tuple[float, float]:
    """Where a line leaves the chart on the right; lines that leave together are ordered by their middles."""
    inside = np.clip(numbers[places <= x["scale"]["domain"][1]], *y["scale"]["domain"])
    return float(inside[-1]), float(np.mean(np.log(inside) if is_log(y) else inside))
