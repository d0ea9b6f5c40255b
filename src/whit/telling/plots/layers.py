"""The parts that pictures are made of and how they look: colours and sizes, axes, lines, bands, points and words."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Spec = dict[str, Any]

_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
"""The colours of Okabe and Ito, those with the best contrast on white first; yellow, which has next to none, is left
out."""

DASHES = ([1, 0], [7, 3], [2, 2], [9, 3, 2, 3], [12, 4], [4, 2], [1, 3])
"""Dashes beside the colours, so that lines can be told apart without any colour."""

INK = "#222222"
QUIET = "#6B6B6B"
SHADE = "#56B4E9"
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
"""The font that the drawing library carries, and those of the same widths elsewhere."""

WIDTH, HEIGHT = 440, 330

FIFTHS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""The ticks of an axis of probabilities."""

_POWER_OF_TEN = "datum.value >= 1 && datum.value < 1000 ? format(datum.value, '~r') : format(datum.value, '~e')"
_PERCENT = "format(100 * datum.value, '~r') + ' %'"
_HALO = {"stroke": "white", "strokeWidth": 4, "strokeJoin": "round", "color": "white"}
_LINE_OF_TEXT = 16.0
"""How far apart labels must be, in units of the drawing."""


def finite(number: float) -> float | None:
    """The number, or nothing where it is infinite: there is no place for it in a chart."""
    return float(number) if math.isfinite(number) else None


def axis(
    field: str,
    title: str,
    domain: Sequence[float],
    *,
    percent: bool = False,
    log: bool = False,
    ticks: int | None = None,
    values: Sequence[float] | None = None,
) -> Spec:
    """The encoding of a place along an axis."""
    drawn: Spec = {"title": title}
    if percent:
        drawn["labelExpr"] = _PERCENT
        values = FIFTHS if values is None and not log and list(domain) == [0.0, 1.0] else values
    if log:
        drawn |= {"labelExpr": _POWER_OF_TEN, "tickCount": 7 if ticks is None else ticks}
    elif ticks is not None:
        drawn["tickCount"] = ticks
    if values is not None:
        drawn["values"] = [float(value) for value in values]
    kind: Spec = {"type": "log"} if log else {"zero": False}
    scale = {"domain": [float(end) for end in domain], "nice": False} | kind
    return {"field": field, "type": "quantitative", "axis": drawn, "scale": scale}


def layered(layers: Sequence[Spec], width: float = WIDTH, height: float = HEIGHT) -> Spec:
    """Layers on top of each other, the first one lowest."""
    return {"width": width, "height": height, "layer": list(layers)}


def heading(text: str) -> Spec:
    """The title of one chart among several."""
    return {"text": text, "fontSize": 13, "fontWeight": "normal", "anchor": "middle", "offset": 8}


def layer(rows: Sequence[Spec], mark: Spec, x: Spec, y: Spec, **more: Spec) -> Spec:
    """A mark for each row, at its place; or one line or area through all of them."""
    return {"data": {"values": list(rows)}, "mark": mark, "encoding": {"x": x, "y": y, **more}}


def lines(rows: Sequence[Spec], x: Spec, y: Spec, names: Sequence[str], *, clip: bool = False) -> Spec:
    """A line for each series, told apart by colour and by dash."""
    mark = {"type": "line", "strokeWidth": 2.5, "clip": clip, "strokeCap": "butt"}
    return layer(rows, mark, x, y, color=_by_series(names, COLOURS), strokeDash=_by_series(names, DASHES))


def dots(rows: Sequence[Spec], x: Spec, y: Spec, names: Sequence[str], *, size: float) -> Spec:
    """A dot for each row, in the colour of its series."""
    mark = {"type": "point", "filled": True, "size": size, "opacity": 1.0}
    return layer(rows, mark, x, y, color=_by_series(names, COLOURS))


def band(rows: Sequence[Spec], x: Spec, y: Spec, upper: str, *, colour: str, opacity: float) -> Spec:
    """The area between two numbers."""
    return layer(rows, {"type": "area", "color": colour, "opacity": opacity, "clip": False}, x, y, y2={"field": upper})


def reference(rows: Sequence[Spec], x: Spec, y: Spec) -> Spec:
    """A thin dashed line to compare with."""
    mark = {"type": "line", "color": QUIET, "strokeWidth": 1.2, "strokeDash": [4, 3], "strokeCap": "butt"}
    return layer(rows, mark, x, y)


def marked(row: Spec, x: Spec, y: Spec, *, shape: str = "circle", size: float = 90.0) -> Spec:
    """One point that matters, with a white rim."""
    mark = {"type": "point", "filled": True, "shape": shape, "color": INK, "size": size, "opacity": 1.0}
    return layer([row], mark | {"stroke": "white", "strokeWidth": 1.5}, x, y)


def words(text: str | Sequence[str], row: Spec, x: Spec, y: Spec, **mark: Any) -> list[Spec]:
    """Words at a place, with a white rim under them so that lines do not cross them out."""
    broken = [text] if isinstance(text, str) else list(text)
    common = {"type": "text", "text": broken, "align": "left", "baseline": "middle", "lineHeight": 15, **mark}
    return [layer([row], common | _HALO, x, y), layer([row], {"color": INK} | common, x, y)]


def series_rows(series: Mapping[str, tuple[Array, Array]], x: Spec, y: Spec) -> list[Spec]:
    """The rows of lines by name, each with its places and its numbers."""
    rows: list[Spec] = []
    for name, (places, numbers) in series.items():
        columns: Spec = {"series": [name] * len(places), x["field"]: places, y["field"]: drawable(numbers, y)}
        rows += rows_of(**columns)
    return rows


def drawable(numbers: Array, along: Spec) -> Array:
    """The numbers as they are drawn along an axis; a 0 on a scale of powers of ten is far below it."""
    return np.where(numbers > 0.0, numbers, along["scale"]["domain"][0] * 1e-3) if _is_log(along) else numbers


def named_lines(
    series: Mapping[str, tuple[Array, Array]],
    x: Spec,
    y: Spec,
    *,
    height: float,
    clip: bool = False,
    names: Sequence[str] = (),
    limit: float = 210.0,
) -> list[Spec]:
    """A line for each series; of several names, those of the series stand at the right in the order of the lines.

    The names are those of all charts that share their colours, or those of the series if none are given.
    """
    known = list(names or series)
    drawn = [lines(series_rows(series, x, y), x, y, known, clip=clip)]
    if len(known) > 1:
        ends = [(name, *_end(*line, x, y)) for name, line in series.items()]
        drawn += end_labels(ends, y, height=height, names=known, limit=limit)
    return drawn


def _end(places: Array, numbers: Array, x: Spec, y: Spec) -> tuple[float, float]:
    """Where a line leaves the chart on the right; lines that leave together are ordered by their middles."""
    inside = np.clip(numbers[places <= x["scale"]["domain"][1]], *y["scale"]["domain"])
    return float(inside[-1]), float(np.mean(np.log(inside) if _is_log(y) else inside))


def end_labels(
    ends: Sequence[tuple[str, float, float]], y: Spec, *, height: float, names: Sequence[str], limit: float = 210.0
) -> list[Spec]:
    """The name of each series beside the right end of its line, with a piece of the line; pushed apart where needed.

    Each end has the name, the place where the line ends, and a number that puts lines with the same end in order.
    """
    found: list[Spec] = []
    places = _apart([place for _, place, _ in ends], [tie for _, _, tie in ends], y, height)
    for (name, _, _), place in zip(ends, places, strict=True):
        number = list(names).index(name) % len(COLOURS)
        right, beside = {"value": "width"}, {"datum": place, "type": "quantitative"}
        sample = {"type": "rule", "color": COLOURS[number], "strokeDash": DASHES[number], "strokeWidth": 2.5}
        text = {"type": "text", "text": name, "align": "left", "baseline": "middle", "dx": 36, "limit": limit}
        found.append(layer([{}], sample | {"xOffset": 8, "x2Offset": 30}, right, beside, x2=right))
        found.append(layer([{}], text, right, beside))
    return found


def _by_series(names: Sequence[str], looks: Sequence[Any]) -> Spec:
    scale = {"domain": list(names), "range": [looks[number % len(looks)] for number in range(len(names))]}
    return {"field": "series", "type": "nominal", "legend": None, "scale": scale}


def _apart(places: Sequence[float], ties: Sequence[float], y: Spec, height: float) -> list[float]:
    """The places, pushed apart until a line of text fits between any two, and all stay beside the picture."""
    low, high = (_position(end, y) for end in y["scale"]["domain"])
    units = [(_position(place, y) - low) / (high - low) * height for place in places]
    order = sorted(range(len(units)), key=lambda number: (units[number], ties[number]))
    placed = _spread([units[number] for number in order], height)
    back = dict(zip(order, placed, strict=True))
    apart = [low + back[number] / height * (high - low) for number in range(len(units))]
    return [float(10.0**position) for position in apart] if _is_log(y) else apart


def _spread(units: Sequence[float], height: float) -> list[float]:
    """Increasing numbers moved up until they are a line apart, then down again where they are beyond the top."""
    placed: list[float] = []
    for unit in units:
        placed.append(max(unit, placed[-1] + _LINE_OF_TEXT) if placed else max(unit, 0.0))
    ceiling = max(height, 0.0)
    for number in range(len(placed) - 1, -1, -1):
        placed[number] = min(placed[number], ceiling)
        ceiling = placed[number] - _LINE_OF_TEXT
    return placed


def _is_log(along: Spec) -> bool:
    return bool(along["scale"].get("type") == "log")


def _position(value: float, y: Spec) -> float:
    return math.log10(value) if _is_log(y) else value


def rows_of(**columns: Iterable[Any]) -> list[Spec]:
    """Rows of a chart from columns; what is infinite is left empty."""
    cells = (column.tolist() if isinstance(column, np.ndarray) else column for column in columns.values())
    return [
        {name: finite(cell) if isinstance(cell, float) else cell for name, cell in zip(columns, row, strict=True)}
        for row in zip(*cells, strict=True)
    ]


def shelved(spec: Spec) -> Spec:
    """The description with its rows on one shelf, each kept once: the library then looks through them only once."""
    shelf: dict[str, list[Spec]] = {}
    return {**_without_rows(spec, shelf), "datasets": shelf}


def _without_rows(part: Any, shelf: dict[str, list[Spec]]) -> Any:
    if isinstance(part, list):
        return [_without_rows(each, shelf) for each in part]
    if not isinstance(part, dict):
        return part
    rows = part.get("values")
    if len(part) == 1 and isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
        name = next((known for known, others in shelf.items() if others == rows), f"rows-{len(shelf) + 1}")
        shelf[name] = rows
        return {"name": name}
    return {key: _without_rows(each, shelf) for key, each in part.items()}


_CONFIG: Mapping[str, Any] = {
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelFontSize": 12,
        "titleFontSize": 13,
        "titleFontWeight": "normal",
        "labelColor": INK,
        "titleColor": INK,
        "gridColor": "#E8E8E8",
        "domainColor": QUIET,
        "tickColor": QUIET,
        "titlePadding": 8,
        "labelOverlap": True,
        "labelFlush": False,
    },
    "title": {
        "anchor": "start",
        "frame": "bounds",
        "fontSize": 17,
        "fontWeight": "bold",
        "color": INK,
        "subtitleFontSize": 13,
        "subtitleColor": "#444444",
        "subtitlePadding": 6,
        "subtitleLineHeight": 17,
        "lineHeight": 21,
        "offset": 14,
    },
    "text": {"fontSize": 12, "color": INK},
    "legend": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "labelColor": INK},
}


def themed(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The description with the style of the house."""
    return {"$schema": _SCHEMA, "padding": 14, "background": "white", **spec, "config": dict(_CONFIG)}


def caption_lines(text: str, width: int) -> list[str]:
    """The text in as few lines as fit into so many letters, of about the same length.

    >>> caption_lines("one two three four", 14)
    ['one two', 'three four']
    """
    number = len(_wrapped(text, width))
    return next(lines for narrow in range(1, width + 1) if len(lines := _wrapped(text, narrow)) <= number)


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_long_words=False) or [text]
