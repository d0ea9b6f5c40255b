"""The parts that pictures are made of: axes, lines, bands, points and words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whit.telling.plots.style import AXIS_TITLE, COLOURS, DASHES, HEIGHT, INK, QUIET, TEXT, WIDTH
from whit.telling.plots.texts import fitted, text_lines
from whit.telling.plots.wording import ENGLISH, Words

Array = NDArray[np.float64]
Spec = dict[str, Any]

LINE, COVERED = 2.5, 6.0
"""How broad a line is, and one that another covers."""

NEAR = 0.01
"""Lines that are nowhere further apart than this share of an axis cover each other."""

_MOST_TICKS = 9

FIFTHS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""The ticks of an axis of probabilities."""

_POWER_OF_TEN = "datum.value >= 1 && datum.value < 1000 ? format(datum.value, '~r') : format(datum.value, '~e')"
_PERCENT = "format(100 * datum.value, '~r')"
_WHOLE = "format(datum.value, '~r')"
_APART = 7
"""How far the line of an axis is from the chart, where a line of the chart may lie on its edge."""

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
    whole: bool = False,
    apart: bool = False,
    words: Words = ENGLISH,
) -> Spec:
    """The encoding of a place along an axis; that of whole things has ticks at whole numbers only."""
    drawn: Spec = {"title": title} | ({"offset": _APART} if apart else {})
    if words.code != ENGLISH.code:
        drawn["labelExpr"] = words.label("datum.label")
    if whole:
        drawn["labelExpr"], values = _WHOLE, whole_ticks(*domain, log=log) if values is None else values
    if percent:
        drawn["labelExpr"] = f"{words.label(_PERCENT)} + '{words('numbers.percent')}'"
        values = FIFTHS if values is None and not log and list(domain) == [0.0, 1.0] else values
    if log and not whole:
        drawn |= {"labelExpr": words.label(_POWER_OF_TEN), "tickCount": ticks or _MOST_TICKS}
        values = powers_of_ten(*domain) if values is None else values
    elif ticks is not None:
        drawn["tickCount"] = ticks
    if values is not None:
        drawn["values"] = [float(value) for value in values]
    kind: Spec = {"type": "log"} if log else {"zero": False}
    scale = {"domain": [float(end) for end in domain], "nice": False} | kind
    return {"field": field, "type": "quantitative", "axis": drawn, "scale": scale}


def whole_ticks(low: float, high: float, *, log: bool = False) -> list[float]:
    """Whole numbers along an axis of whole things, at most nine unless there is a power of ten between them.

    >>> whole_ticks(1, 5), whole_ticks(0, 36)
    ([1.0, 2.0, 3.0, 4.0, 5.0], [0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0])
    >>> whole_ticks(1, 365, log=True)
    [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0]
    """
    steps = [float(step * 10**power) for power in range(16) for step in (1, 2, 5)]
    if log:
        shown = [step for step in steps if low <= step <= high]
        return shown if len(shown) <= _MOST_TICKS else [step for step in shown if math.log10(step) % 1 == 0]
    step = next((step for step in steps if (high - low) / step <= _MOST_TICKS - 1), high - low)
    first = math.ceil(low / step)
    return [step * number for number in range(first, math.floor(high / step) + 1)]


def powers_of_ten(low: float, high: float) -> list[float] | None:
    """The powers of ten along an axis, evenly spaced and not too many; twice and five times them, if they are but two.

    None where there are not even two.

    >>> powers_of_ten(1e-10, 1.0), powers_of_ten(1.0, 10.0)
    ([1e-10, 1e-08, 1e-06, 0.0001, 0.01, 1.0], [1.0, 2.0, 5.0, 10.0])
    """
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    step = max(1, math.ceil((last - first + 1) / _MOST_TICKS))
    found = [float(f"1e{power}") for power in range(last, first - 1, -step)][::-1]
    if len(found) == 2:
        between = (float(f"{times}e{power}") for power in range(first - 1, last + 1) for times in (1, 2, 5))
        found = [tick for tick in between if tick in found or low <= tick <= high]
    return found if len(found) > 1 else None


def layered(layers: Sequence[Spec], width: float = WIDTH, height: float = HEIGHT) -> Spec:
    """Layers on top of each other, the first one lowest; what an axis says is broken into lines that fit beside it."""
    fitting = [_titled(each, width, height) for each in layers]
    return {"width": width, "height": height, "layer": fitting}


def _titled(layer: Spec, width: float, height: float) -> Spec:
    encoding = dict(layer.get("encoding", {}))
    for channel, room in (("x", width), ("y", height)):
        drawn = encoding.get(channel, {}).get("axis")
        if drawn and isinstance(drawn.get("title"), str):
            lines = text_lines(drawn["title"], room, AXIS_TITLE, most=3)
            encoding[channel] = {
                **encoding[channel],
                "axis": {**drawn, "title": lines[0] if len(lines) == 1 else lines},
            }
    return {**layer, "encoding": encoding} if encoding else layer


def heading(text: str, width: float = WIDTH) -> Spec:
    """The title of one chart among several, broken into lines as wide as the chart."""
    return {
        "text": text_lines(text, width, AXIS_TITLE, most=3),
        "fontSize": AXIS_TITLE,
        "lineHeight": 16,
        "fontWeight": "normal",
        "anchor": "middle",
        "offset": 8,
    }


def layer(rows: Sequence[Spec], mark: Spec, x: Spec, y: Spec, **more: Spec) -> Spec:
    """A mark for each row, at its place; or one line or area through all of them."""
    return {"data": {"values": list(rows)}, "mark": mark, "encoding": {"x": x, "y": y, **more}}


def lines(rows: Sequence[Spec], x: Spec, y: Spec, names: Sequence[str], *, clip: bool = False) -> Spec:
    """A line for each series, told apart by colour and by dash; one that another covers is broader, and so seen."""
    mark: Spec = {"type": "line", "clip": clip, "strokeCap": "butt"}
    look = {"color": _by_series(names, COLOURS), "strokeDash": _by_series(names, DASHES)}
    covered = _covered(rows, x["field"], y, names)
    if not covered:
        return layer(rows, mark | {"strokeWidth": LINE}, x, y, **look)
    broad = _by_series(names, [COVERED if name in covered else LINE for name in names])
    return layer(rows, mark, x, y, **look, strokeWidth=broad)


def _covered(rows: Sequence[Spec], across: str, y: Spec, names: Sequence[str]) -> set[str]:
    """The series that a later one covers: at all places that both have, the two are hardly a line apart."""
    low, high = (_position(end, y) for end in y["scale"]["domain"])
    heights: dict[str, dict[float, float]] = {name: {} for name in names}
    for row in rows:
        if row[y["field"]] is not None:
            heights[row["series"]][row[across]] = _position(row[y["field"]], y)
    found = set()
    for under, over in combinations(names, 2):
        shared = heights[under].keys() & heights[over].keys()
        gaps = [abs(heights[under][place] - heights[over][place]) for place in shared]
        if gaps and max(gaps) <= NEAR * (high - low):
            found.add(under)
    return found


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


def marked(row: Spec, x: Spec, y: Spec, *, shape: str = "circle", size: float = 90.0, rim: bool = True) -> Spec:
    """One point that matters, with a white rim; without one, a line leads up to it."""
    mark = {"type": "point", "filled": True, "shape": shape, "color": INK, "size": size, "opacity": 1.0}
    return layer([row], mark | ({"stroke": "white", "strokeWidth": 1.5} if rim else {}), x, y)


def leader(start: tuple[float, float], end: tuple[float, float]) -> Spec:
    """A thin line from words to what they name, in units of the drawing."""
    mark = {"type": "rule", "color": QUIET, "strokeWidth": 0.8}
    (x, y), (x2, y2) = start, end
    return layer([{}], mark, {"value": x}, {"value": y}, x2={"value": x2}, y2={"value": y2})


def written(text: str, across: float, down: float) -> list[Spec]:
    """Words at a place in units of the drawing, with a white rim under them so that lines do not cross them out."""
    common = {"type": "text", "text": text, "align": "left", "baseline": "middle"}
    x, y = {"value": across}, {"value": down}
    return [layer([{}], common | _HALO, x, y), layer([{}], common | {"color": INK}, x, y)]


def series_rows(series: Mapping[str, tuple[Array, Array]], x: Spec, y: Spec) -> list[Spec]:
    """The rows of lines by name, each with its places and its numbers."""
    rows: list[Spec] = []
    for name, (places, numbers) in series.items():
        columns: Spec = {"series": [name] * len(places), x["field"]: places, y["field"]: drawable(numbers, y)}
        rows += rows_of(**columns)
    return rows


def drawable(numbers: Array, along: Spec) -> Array:
    """The numbers as they are drawn along an axis; a 0 on a scale of powers of ten is far below it."""
    return np.where(numbers > 0.0, numbers, along["scale"]["domain"][0] * 1e-3) if is_log(along) else numbers


def end_labels(
    ends: Sequence[tuple[str, float, float]], y: Spec, *, height: float, names: Sequence[str], limit: float = 210.0
) -> list[Spec]:
    """The name of each series beside the right end of its line, with a piece of the line; pushed apart where needed.

    Each end has the name, the place where the line ends, and a number that puts lines with the same end in order.
    """
    found: list[Spec] = []
    places = _apart([place for _, place, _ in ends], [tie for _, _, tie in ends], y, height)
    for (name, _, _), place in zip(ends, places, strict=True):
        number = list(names).index(name)
        right, beside = {"value": "width"}, {"datum": place, "type": "quantitative"}
        shown = fitted(name, limit, TEXT)
        text = {"type": "text", "text": shown, "align": "left", "baseline": "middle", "dx": 36}
        found.append(layer([{}], sample(number) | {"xOffset": 8, "x2Offset": 30}, right, beside, x2=right))
        found.append(layer([{}], text, right, beside))
    return found


def sample(number: int) -> Spec:
    """A piece of the line of a series, by the number of its name."""
    look = number % len(COLOURS)
    return {"type": "rule", "color": COLOURS[look], "strokeDash": DASHES[look], "strokeWidth": 2.5}


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
    return [float(10.0**position) for position in apart] if is_log(y) else apart


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


def is_log(along: Spec) -> bool:
    """Whether an axis is a scale of powers of ten."""
    return bool(along["scale"].get("type") == "log")


def _position(value: float, y: Spec) -> float:
    return math.log10(value) if is_log(y) else value


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
