"""The words of a drawing and the room that their ink takes, read from its SVG; an independent judge of pictures.

Widths and heights are those that fontTools reads from the files of the font. Nothing of whit is used.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from fontTools.ttLib import TTFont
from numpy.typing import NDArray

FONTS = Path(__file__).parents[2] / "src" / "whit" / "telling" / "plots" / "fonts"
_SVG = "{http://www.w3.org/2000/svg}"
_MOVE = re.compile(r"(translate|rotate|scale)\(([^)]*)\)")
_SLACK = 0.01
"""Hundredths of a unit are rounding."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Drawn:
    """A line of text and the four corners of its ink."""

    text: str
    corners: Matrix

    def covers(self, other: Drawn) -> bool:
        """Whether the two lie on each other: no line that is parallel to a side runs between them."""
        return all(
            min(a.max(), b.max()) - max(a.min(), b.min()) > _SLACK
            for side in (*np.diff(self.corners[:3], axis=0), *np.diff(other.corners[:3], axis=0))
            for a, b in [[each.corners @ (side / np.hypot(*side)) for each in (self, other)]]
        )

    def leaves(self, width: float, height: float) -> bool:
        """Whether a corner is outside of the drawing."""
        low, high = self.corners.min(axis=0), self.corners.max(axis=0)
        return bool(np.any(low < -_SLACK) or high[0] > width + _SLACK or high[1] > height + _SLACK)


def drawn_texts(svg: str) -> list[Drawn]:
    """The lines of text that can be seen; the white rim under words counts as the words."""
    found = {(each.text, tuple(each.corners.round(3).ravel())): each for each in _texts(ElementTree.fromstring(svg))}
    return list(found.values())


def faults(svg: str) -> list[str]:
    """What is wrong with the words of a drawing: those that lie on each other, and those that leave it."""
    texts, root = drawn_texts(svg), ElementTree.fromstring(svg)
    size = float(root.attrib["width"]), float(root.attrib["height"])
    crossed = [f"{a.text!r} on {b.text!r}" for a, b in combinations(texts, 2) if a.covers(b)]
    return crossed + [f"{each.text!r} leaves the picture" for each in texts if each.leaves(*size)]


def _texts(element: ElementTree.Element, outer: Matrix | None = None) -> Iterator[Drawn]:
    if element.get("display") == "none" or float(element.get("opacity", 1)) == 0.0:
        return
    moved = (np.eye(3) if outer is None else outer) @ _moved(element.get("transform", ""))
    if element.tag == f"{_SVG}text":
        yield from _lines(element, moved)
    for child in element:
        yield from _texts(child, moved)


def _moved(transform: str) -> Matrix:
    whole = np.eye(3)
    for kind, numbers in _MOVE.findall(transform):
        values = [float(each) for each in re.split(r"[ ,]+", numbers.strip())]
        assert kind != "rotate" or len(values) == 1, "a turn about another point is not read"
        whole = whole @ _STEPS[kind](*values)
    return whole


def _shift(x: float, y: float = 0.0) -> Matrix:
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])


def _turn(degrees: float) -> Matrix:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _stretch(x: float, y: float | None = None) -> Matrix:
    return np.diag([x, x if y is None else y, 1.0])


_STEPS: dict[str, Any] = {"translate": _shift, "rotate": _turn, "scale": _stretch}


def _lines(element: ElementTree.Element, moved: Matrix) -> Iterator[Drawn]:
    size = float(element.attrib["font-size"].removesuffix("px"))
    style = "Bold" if element.get("font-weight") == "bold" else "Regular"
    down = 0.0
    for text, step in [(element.text, 0.0), *((each.text, float(each.get("dy", 0))) for each in element)]:
        down += step
        if text and text.strip():
            left, top, right, bottom = ink(text, size, style)
            start = {"start": 0.0, "middle": -0.5, "end": -1.0}[element.get("text-anchor", "start")] * advance(
                text, size, style
            )
            places = [(left, top), (right, top), (right, bottom), (left, bottom)]
            corners = np.array([(start + x, down + y, 1.0) for x, y in places])
            yield Drawn(text, (corners @ moved.T)[:, :2])


@cache
def _font(style: str) -> TTFont:
    return TTFont(FONTS / f"WhitSans-{style}.ttf")


def advance(text: str, size: float, style: str = "Regular") -> float:
    """How far a line of text reaches."""
    font = _font(style)
    letters, widths = font.getBestCmap(), font["hmtx"]
    return float(sum(widths[letters[ord(letter)]][0] for letter in text) * size / font["head"].unitsPerEm)


def ink(text: str, size: float, style: str = "Regular") -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the ink of a line of text, from where it begins on its base line."""
    font = _font(style)
    letters, shapes = font.getBestCmap(), font["glyf"]
    inked = [shape for letter in text for shape in [shapes[letters[ord(letter)]]] if shape.numberOfContours]
    unit = size / font["head"].unitsPerEm
    top, bottom = max(shape.yMax for shape in inked), min(shape.yMin for shape in inked)
    return 0.0, -top * unit, advance(text, size, style), -bottom * unit


_STEP = re.compile(r"([A-Za-df-z])([^A-Za-df-z]*)")  # an e belongs to a number


def crossings(svg: str, text: str) -> list[str]:
    """The lines of a chart that run through the ink of a text; the grid and the axes do not count."""
    boxes = [(each.corners.min(axis=0), each.corners.max(axis=0)) for each in drawn_texts(svg) if each.text == text]
    assert boxes, f"{text!r} is not in the drawing"
    return [
        f"a line from {start.round(1)} to {end.round(1)} crosses {text!r}"
        for start, end in drawn_lines(ElementTree.fromstring(svg))
        for low, high in boxes
        if _meets(start, end, low, high)
    ]


def drawn_lines(
    element: ElementTree.Element, outer: Matrix | None = None, *, role: str = "role-mark", counts: bool = False
) -> Iterator[tuple[Matrix, Matrix]]:
    """The straight pieces of the lines of a chart, or of its axes, each by its two ends."""
    moved = (np.eye(3) if outer is None else outer) @ _moved(element.get("transform", ""))
    names = element.get("class", "").split()
    counts = counts or (role in names and bool({"mark-line", "mark-rule"} & set(names)))
    if counts and element.tag in (f"{_SVG}path", f"{_SVG}line"):
        corners = _corners(element)
        places = [(moved @ np.array([*corner, 1.0]))[:2] for corner in corners]
        yield from pairwise(places)
    for child in element:
        yield from drawn_lines(child, moved, role=role, counts=counts)


def _corners(element: ElementTree.Element) -> list[tuple[float, float]]:
    if element.tag == f"{_SVG}line":
        ends = [float(element.get(name, 0)) for name in ("x1", "y1", "x2", "y2")]
        return [(ends[0], ends[1]), (ends[2], ends[3])]
    corners: list[tuple[float, float]] = []
    for kind, numbers in _STEP.findall(element.get("d", "")):
        values = [float(each) for each in re.split(r"[ ,]+", numbers.strip()) if each]
        assert kind in "MLHVZ", f"{kind} is not read"
        if kind in "ML":
            corners += list(zip(values[::2], values[1::2], strict=True))
        elif kind != "Z":
            corners += [(each, corners[-1][1]) if kind == "H" else (corners[-1][0], each) for each in values]
    return corners


def _meets(start: Matrix, end: Matrix, low: Matrix, high: Matrix) -> bool:
    """Whether a piece of a line has a part inside a rectangle."""
    first, last = 0.0, 1.0
    for begin, step, least, most in zip(start, end - start, low, high, strict=True):
        if step == 0.0:
            if not least < begin < most:
                return False
            continue
        near, far = sorted(((least - begin) / step, (most - begin) / step))
        first, last = max(first, near), min(last, far)
    return bool(last > first)
