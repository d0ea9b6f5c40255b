"""The parts that pictures are made of: axes, lines, bands, reference lines, points and words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from whit.telling.plots.style import COLOURS, DASHES, INK, QUIET

Spec = dict[str, Any]

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


def lines(rows: Sequence[Spec], x: Spec, y: Spec, names: Sequence[str], *, clip: bool = False) -> Spec:
    """A line for each series, told apart by colour and by dash."""
    return {
        "data": {"values": list(rows)},
        "mark": {"type": "line", "strokeWidth": 2.5, "clip": clip, "strokeCap": "butt"},
        "encoding": {
            "x": x,
            "y": y,
            "color": {"field": "series", "type": "nominal", "legend": None, "scale": _scale(names, COLOURS)},
            "strokeDash": {"field": "series", "type": "nominal", "legend": None, "scale": _scale(names, DASHES)},
        },
    }


def dots(rows: Sequence[Spec], x: Spec, y: Spec, names: Sequence[str], *, size: float = 60.0) -> Spec:
    """A dot for each row, in the colour of its series."""
    return {
        "data": {"values": list(rows)},
        "mark": {"type": "point", "filled": True, "size": size, "opacity": 1.0},
        "encoding": {
            "x": x,
            "y": y,
            "color": {"field": "series", "type": "nominal", "legend": None, "scale": _scale(names, COLOURS)},
        },
    }


def band(
    rows: Sequence[Spec], x: Spec, y: Spec, upper: str, *, colour: str, opacity: float, clip: bool = False
) -> Spec:
    """The area between two numbers."""
    return {
        "data": {"values": list(rows)},
        "mark": {"type": "area", "color": colour, "opacity": opacity, "clip": clip},
        "encoding": {"x": x, "y": y, "y2": {"field": upper}},
    }


def reference(rows: Sequence[Spec], x: Spec, y: Spec) -> Spec:
    """A thin dashed line to compare with."""
    mark = {"type": "line", "color": QUIET, "strokeWidth": 1.2, "strokeDash": [4, 3], "strokeCap": "butt"}
    return {"data": {"values": list(rows)}, "mark": mark, "encoding": {"x": x, "y": y}}


def marked(row: Spec, x: Spec, y: Spec, *, shape: str = "circle", size: float = 90.0) -> Spec:
    """One point that matters, with a white rim."""
    mark = {"type": "point", "filled": True, "shape": shape, "color": INK, "size": size, "opacity": 1.0}
    return {
        "data": {"values": [row]},
        "mark": mark | {"stroke": "white", "strokeWidth": 1.5},
        "encoding": {"x": x, "y": y},
    }


def words(text: str | Sequence[str], row: Spec, x: Spec, y: Spec, **mark: Any) -> list[Spec]:
    """Words at a place, with a white rim under them so that lines do not cross them out."""
    broken = [text] if isinstance(text, str) else list(text)
    common = {"type": "text", "text": broken, "align": "left", "baseline": "middle", "lineHeight": 15, **mark}
    where = {"data": {"values": [row]}, "encoding": {"x": x, "y": y}}
    return [{"mark": common | _HALO, **where}, {"mark": {"color": INK} | common, **where}]


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
        where = {
            "data": {"values": [{}]},
            "encoding": {"x": {"value": "width"}, "y": {"datum": place, "type": "quantitative"}},
        }
        sample = {"type": "rule", "color": COLOURS[number], "strokeDash": DASHES[number], "strokeWidth": 2.5}
        stretch = {"xOffset": 8, "x2Offset": 30}
        piece: Spec = {"mark": sample | stretch, **where}
        piece["encoding"] = {**piece["encoding"], "x2": {"value": "width"}}
        text = {"type": "text", "text": name, "align": "left", "baseline": "middle", "dx": 36, "limit": limit}
        found += [piece, {"mark": text, **where}]
    return found


def _scale(names: Sequence[str], range_: Sequence[Any]) -> Spec:
    return {"domain": list(names), "range": [range_[number % len(range_)] for number in range(len(names))]}


def _apart(places: Sequence[float], ties: Sequence[float], y: Spec, height: float) -> list[float]:
    """The places, pushed apart until a line of text fits between any two, and all stay beside the picture."""
    low, high = (_position(end, y) for end in y["scale"]["domain"])
    units = [(_position(place, y) - low) / (high - low) * height for place in places]
    order = sorted(range(len(units)), key=lambda number: (units[number], ties[number]))
    placed = _spread([units[number] for number in order], height)
    back = dict(zip(order, placed, strict=True))
    return [_value(low + back[number] / height * (high - low), y) for number in range(len(units))]


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


def _position(value: float, y: Spec) -> float:
    return math.log10(value) if y["scale"].get("type") == "log" else value


def _value(position: float, y: Spec) -> float:
    return float(10.0**position) if y["scale"].get("type") == "log" else position


def rows_of(**columns: Iterable[Any]) -> list[Spec]:
    """Rows of a chart from columns; what is infinite is left empty."""
    named = {name: _plain(column) for name, column in columns.items()}
    return [dict(zip(named, row, strict=True)) for row in zip(*named.values(), strict=True)]


def _plain(column: Iterable[Any]) -> list[Any]:
    cells = np.asarray(column).tolist() if isinstance(column, np.ndarray) else list(column)
    return [finite(cell) if isinstance(cell, float) else cell for cell in cells]


def shelved(spec: Spec) -> Spec:
    """The description with its rows on one shelf, each kept once: the library then looks through them only once."""
    shelf: dict[str, list[Spec]] = {}
    return {**_without_rows(spec, shelf), "datasets": shelf}


def _without_rows(part: Any, shelf: dict[str, list[Spec]]) -> Any:
    if isinstance(part, list):
        return [_without_rows(each, shelf) for each in part]
    if not isinstance(part, dict):
        return part
    if (
        set(part) == {"values"}
        and isinstance(part["values"], list)
        and all(isinstance(r, dict) for r in part["values"])
    ):
        name = next((known for known, rows in shelf.items() if rows == part["values"]), f"rows-{len(shelf) + 1}")
        shelf[name] = part["values"]
        return {"name": name}
    return {key: _without_rows(each, shelf) for key, each in part.items()}
