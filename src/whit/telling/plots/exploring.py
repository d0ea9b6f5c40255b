"""A picture of lines to explore in a browser: its numbers under the pointer, and a closer look at a part of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whit.telling.plots.answers import amount
from whit.telling.plots.picture import Drawing, Picture
from whit.telling.plots.wording import capital, words_of
from whit.theory import Direction, Unit

SAID = "said"
"""The column of a row that says its number in words, rounded to the safe side."""

SENTENCES = {
    "prior": ("posterior.from_to", "prior", "posterior", Unit.PROBABILITY),
    "level": ("tests.at", "place", "value", Unit.PROBABILITY),
    "releases": ("explored.releases", "place", "value", Unit.NUMBER),
}
"""For what stands on the lower axis: the sentence of a number, its two gaps, and the unit of the first."""


def explorable(picture: Picture) -> Drawing:
    """The drawing of upper bounds on probabilities with a point under the pointer, which can be moved and enlarged.

    Each row of a line gets its words here, since a browser would round it to the nearest number.

    Args:
        picture: a picture whose lines are upper bounds on probabilities, along a prior, a level or a count.
    """
    rows = {name: [*some] for name, some in picture.drawing.get("datasets", {}).items()}
    several = next((key for key in ("hconcat", "vconcat") if key in picture.drawing), None)
    views = [picture.drawing] if several is None else picture.drawing[several]
    found = [_view(dict(view), rows, at, picture.language) for at, view in enumerate(views)]
    whole = {**found[0]} if several is None else {**picture.drawing, several: found}
    return {**whole, "datasets": rows}


def _view(view: dict[str, Any], rows: dict[str, Any], at: int, language: str) -> dict[str, Any]:
    """A view without the words that stand at places of the window, and with a layer for the pointer."""
    kept = [_movable(layer) for layer in view["layer"] if "field" in layer["encoding"].get("x", {})]
    lines = [layer for layer in kept if layer["mark"]["type"] == "line" and "color" in layer["encoding"]]
    pointed = [_pointed(layer, rows, f"near-{at}-{number}", language) for number, layer in enumerate(lines)]
    if pointed:
        area = {"name": f"area-{at}", "select": "interval", "bind": "scales"}
        pointed[0] = {**pointed[0], "params": [*pointed[0]["params"], area]}
    return {**view, "layer": [*kept, *pointed]}


def _movable(layer: Mapping[str, Any]) -> dict[str, Any]:
    """A layer that ends at the edge of the window, with as many ticks as fit whatever is shown of it."""
    encoding = {name: {**along} for name, along in layer["encoding"].items()}
    for along in (encoding.get("x", {}), encoding.get("y", {})):
        if "axis" in along:
            along["axis"] = {name: each for name, each in along["axis"].items() if name != "values"}
    return {**layer, "mark": {**layer["mark"], "clip": True}, "encoding": encoding}


def _pointed(layer: Mapping[str, Any], rows: dict[str, Any], name: str, language: str) -> dict[str, Any]:
    """The points of a line; the nearest one to the pointer is shown."""
    encoding = layer["encoding"]
    x, y, shelf = encoding["x"]["field"], encoding["y"]["field"], layer["data"]["name"]
    rows[shelf] = [_said(row, x, y, language) for row in rows[shelf]]
    shown = {"condition": {"param": name, "empty": False, "value": 1}, "value": 0}
    near = {"type": "point", "nearest": True, "on": "pointermove", "clear": "pointerout"}
    return {
        "data": layer["data"],
        "mark": {"type": "point", "filled": True, "size": 90, "clip": True},
        "encoding": {
            **{each: encoding[each] for each in ("x", "y", "color")},
            "opacity": shown,
        },
        "params": [{"name": name, "select": near}],
    }


def _said(row: Mapping[str, Any], x: str, y: str, language: str) -> Mapping[str, Any]:
    """A row with its number in words."""
    if row[x] is None or row[y] is None:
        return row
    key, here, there, unit = SENTENCES[x]
    words = words_of(language)
    # A bound at some place holds at every smaller one, so the place is rounded down and its bound up.
    place = words.number(row[x], Direction.AT_LEAST, unit)
    text = words(key, **{here: place, there: amount(row[y], Direction.AT_MOST, Unit.PROBABILITY, words)})
    return {**row, SAID: capital(text)}
