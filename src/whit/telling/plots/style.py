"""How every picture looks: colours that the colour-blind can tell apart, fonts, sizes, and text broken into lines."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"

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
    return {"$schema": SCHEMA, "padding": 14, "background": "white", **spec, "config": dict(_CONFIG)}


def caption_lines(text: str, width: int) -> list[str]:
    """The text in as few lines as fit into so many letters, of about the same length.

    >>> caption_lines("one two three four", 14)
    ['one two', 'three four']
    """
    number = len(_wrapped(text, width))
    return next(lines for narrow in range(1, width + 1) if len(lines := _wrapped(text, narrow)) <= number)


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_long_words=False) or [text]
