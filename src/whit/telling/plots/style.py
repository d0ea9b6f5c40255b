"""How pictures look: colours, dashes and sizes; and the style of the house around a description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from whit.telling.plots.fonts import FONT

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
"""The colours of Okabe and Ito, those with the best contrast on white first; yellow, which has next to none, is left
out."""

DASHES = ([1, 0], [7, 3], [2, 2], [9, 3, 2, 3], [12, 4], [4, 2], [1, 3])
"""Dashes beside the colours, so that lines can be told apart without any colour."""

SCALE = "viridis"
"""The colours of numbers: told apart by everybody, darker for less, and never grey."""

NO_LIMIT = "#D4D4D4"
"""Grey means in every picture that there is no limit here."""

INK = "#222222"
QUIET = "#6B6B6B"
SHADE = "#56B4E9"
EMPTY = "#D9D9D9"

WIDTH, HEIGHT = 440, 330


@dataclass(frozen=True)
class Page:
    """How much room a picture has.

    Attributes:
        width: that of a chart, in units of the drawing.
        height: that of a chart.
        above: how wide title and caption may be.
        beside: whether there is room for something beside a chart: a second one, or names.
    """

    width: float
    height: float
    above: float
    beside: bool


WIDE = Page(WIDTH, HEIGHT, 520.0, beside=True)
NARROW = Page(220, 220, 290.0, beside=False)
"""A page or a slide, and the window of a telephone: its letters are as large, so that they can be read."""

TEXT, TITLE, CAPTION, AXIS_TITLE = 12.0, 17.0, 13.0, 13.0
"""The sizes of the letters in a chart, of the line above it, of the sentences below that, and of what an axis says."""

_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"

_CONFIG: Mapping[str, Any] = {
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelFontSize": TEXT,
        "titleFontSize": AXIS_TITLE,
        "titleFontWeight": "normal",
        "labelColor": INK,
        "titleColor": INK,
        "gridColor": "#E8E8E8",
        "domainColor": QUIET,
        "tickColor": QUIET,
        "titlePadding": 8,
        "labelOverlap": True,
        "labelSeparation": 4,
        "labelFlush": False,
    },
    "title": {
        "anchor": "start",
        "frame": "bounds",
        "fontSize": TITLE,
        "fontWeight": "bold",
        "color": INK,
        "subtitleFontSize": CAPTION,
        "subtitleColor": "#444444",
        "subtitlePadding": 6,
        "subtitleLineHeight": 17,
        "lineHeight": 21,
        "offset": 14,
    },
    "text": {"fontSize": TEXT, "color": INK},
    "legend": {"labelFontSize": TEXT, "titleFontSize": TEXT, "titleFontWeight": "normal", "labelColor": INK},
}


def themed(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The description with the style of the house."""
    return {"$schema": _SCHEMA, "padding": 14, "background": "white", **spec, "config": dict(_CONFIG)}
