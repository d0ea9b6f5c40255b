"""Words in a chart, each at a place where it covers neither other words nor, where that can be, a line."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from whit.telling.plots.fonts import width
from whit.telling.plots.layers import Array, Spec, is_log
from whit.telling.plots.style import TEXT, Page

_HIGH = 15.0
"""How high a line of text is, in units of the drawing."""

_RIM = 3.0
"""How far words stay away from other words."""

_FAR = (10.0, 16.0, 24.0, 36.0, 50.0, 66.0, 84.0, 104.0)
"""How far words may be from what they name."""

DIAGONAL = (0.6, 0.7, 0.5, 0.8, 0.4, 0.3, 0.9, 0.2)
"""Where along a line from corner to corner its name may be, the best place first."""

_LED = 20.0
"""Words that are farther from their place than this have a thin line to it."""

_CROSSED = 40.0
"""What words cost that a line crosses: no place beside theirs costs as much."""

_STEP, _CLEAR = 3.0, 2.0
"""How close the points of a line are to each other, and how far words stay away from it."""

_SIDES = (
    *((1, 0), (1, -1), (1, 1), (-1, 0), (-1, -1), (-1, 1), (0, -1), (0, 1)),
    *((0.5, -1), (0.5, 1), (-0.5, -1), (-0.5, 1)),
)
"""To which side of a place words are put, the best first; a chart is measured downwards. By half a side: words above or
below that begin or end at their place."""


class Box(NamedTuple):
    """A rectangle in units of the drawing, measured from the top left."""

    left: float
    top: float
    right: float
    bottom: float

    def apart(self, other: Box, rim: float = _RIM) -> bool:
        """Whether there is a rim between the two."""
        beside = self.right + rim <= other.left or other.right + rim <= self.left
        return beside or self.bottom + rim <= other.top or other.bottom + rim <= self.top

    def distances(self, points: Array) -> Array:
        """How far each point is from the rectangle; 0 inside."""
        across = np.maximum(np.maximum(self.left - points[:, 0], points[:, 0] - self.right), 0.0)
        down = np.maximum(np.maximum(self.top - points[:, 1], points[:, 1] - self.bottom), 0.0)
        return np.asarray(np.hypot(across, down), dtype=np.float64)

    def towards(self, place: tuple[float, float]) -> tuple[float, float]:
        """The point of the rectangle that is nearest to a place."""
        return min(max(place[0], self.left), self.right), min(max(place[1], self.top), self.bottom)

    @property
    def middle(self) -> tuple[float, float]:
        """Where words begin that fill the rectangle: at the left, half way down."""
        return self.left, (self.top + self.bottom) / 2


@dataclass(frozen=True)
class Plane:
    """The area of a chart: its two axes, and how large it is drawn."""

    x: Spec
    y: Spec
    width: float
    height: float
    beside: bool = True  # whether there is room for names at its right

    @classmethod
    def on(cls, page: Page, x: Spec, y: Spec) -> Plane:
        """The area of the one chart of a page."""
        return cls(x, y, page.width, page.height, page.beside)

    def points(self, xs: Iterable[float], ys: Iterable[float]) -> Array:
        """Where numbers are drawn, one row for each; what lies outside is at the edge or beyond."""
        across = _along(np.asarray(list(xs), dtype=float), self.x) * self.width
        down = (1.0 - _along(np.asarray(list(ys), dtype=float), self.y)) * self.height
        return np.column_stack((across, down))

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where one pair of numbers is drawn."""
        ((across, down),) = self.points([x], [y]).tolist()
        return across, down

    def traced(self, xs: Iterable[float], ys: Iterable[float]) -> Array:
        """Points along a line, close to each other, as far as they are inside."""
        corners = self.points(xs, ys)
        corners = np.clip(corners[np.isfinite(corners).all(axis=1)], -1e4, 1e4)
        if len(corners) < 2:
            return corners
        lengths = np.hypot(*np.diff(corners, axis=0).T)
        steps = np.concatenate(([0.0], np.cumsum(lengths)))
        at = np.linspace(0.0, steps[-1], max(2, math.ceil(steps[-1] / _STEP)))
        found = np.column_stack([np.interp(at, steps, corners[:, n]) for n in (0, 1)])
        inside = (found >= -1.0).all(axis=1) & (found[:, 0] <= self.width + 1) & (found[:, 1] <= self.height + 1)
        return np.asarray(found[inside], dtype=np.float64)

    def holds(self, box: Box) -> bool:
        """Whether a rectangle lies inside."""
        return box.left >= 1 and box.top >= 1 and box.right <= self.width - 1 and box.bottom <= self.height - 1


@dataclass(frozen=True)
class Note:
    """A few words about a place in a chart.

    Attributes:
        text: the words.
        at: the places that they could be about, the best first.
        inside: whether they stand on their place, as the name of an area does, and not beside it.
        down: 1 if they should not stand above their place, -1 if not below it; 0 if they may stand anywhere.
    """

    text: str
    at: Sequence[tuple[float, float]]
    inside: bool = False
    down: int = 0

    def leader(self, box: Box, plane: Plane) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """The two ends of a thin line from the words to their place; none if they are near, or have several places."""
        if self.inside or len(self.at) > 1:
            return None
        place = plane.place(*self.at[0])
        near = box.towards(place)
        return (near, place) if math.dist(near, place) > _LED else None

    def boxes(self, plane: Plane) -> Iterable[tuple[float, Box]]:
        """Where the words could stand, each with what that costs: more, the farther it is and the later it comes."""
        wide = width(self.text, TEXT)
        places = list(enumerate(plane.place(*each) for each in self.at))
        if self.inside:
            return ((n * 0.1, _lying(x - wide / 2, y, wide)) for n, (x, y) in places)
        return (
            ((far - _FAR[0]) * 0.25 + n * 0.3 + side * 0.02, _beside(place, _SIDES[side], far, wide))
            for far in _FAR
            for n, place in places
            for side in range(len(_SIDES))
            if self.down * _SIDES[side][1] >= 0
        )


def in_order(first: Note, second: Note, plane: Plane) -> tuple[Note, Note]:
    """The words of two points; if these are close to each other, the words are in the order of the points."""
    (_, one), (_, other) = (plane.place(*note.at[0]) for note in (first, second))
    if abs(one - other) > 2 * _HIGH:
        return first, second
    down = 1 if one > other else -1
    return replace(first, down=down), replace(second, down=-down)


@dataclass
class Room:
    """What is taken of a chart.

    Attributes:
        plane: the chart.
        lines: points of lines, which words should not cover.
        helpers: points of thin lines to compare with, which words should not cover either.
        taken: where words and points are, which words never cover.
    """

    plane: Plane
    lines: Array = field(default_factory=lambda: np.empty((0, 2)))
    helpers: Array = field(default_factory=lambda: np.empty((0, 2)))
    taken: list[Box] = field(default_factory=list)

    def crossed(self, xs: Iterable[float], ys: Iterable[float]) -> None:
        """Keep words away from a thin line, if they can be."""
        self.helpers = np.vstack((self.helpers, self.plane.traced(xs, ys)))

    def occupied(self, x: float, y: float, radius: float = 6.0) -> None:
        """Keep words away from a point that is marked."""
        across, down = self.plane.place(x, y)
        self.taken.append(Box(across - radius, down - radius, across + radius, down + radius))

    def free(self, box: Box) -> bool:
        """Whether a rectangle lies inside, and on nothing that is taken."""
        return self.plane.holds(box) and all(box.apart(other) for other in self.taken)

    def covered(self, box: Box) -> float:
        """How much of lines words would cover; the first point of one costs more than any place farther away."""
        strong, weak = (np.count_nonzero(box.distances(points) < _CLEAR) for points in (self.lines, self.helpers))
        return _CROSSED * (strong + weak > 0) + 3.0 * strong + 0.5 * weak

    def placed(self, note: Note) -> Box | None:
        """Where the words stand, which is then taken; nowhere if they would cover others wherever they stood."""
        best, least = None, math.inf
        for cost, box in note.boxes(self.plane):
            if cost >= least or not self.free(box) or self._led_across(note, box):
                continue
            whole = cost + self.covered(box)
            if whole < least:
                best, least = box, whole
        if best is None:
            return self.placed(replace(note, down=0)) if note.down else None
        self.taken.append(best)
        ends = note.leader(best, self.plane)
        self.helpers = np.vstack((self.helpers, *([_straight(*ends)] if ends else [])))
        return best

    def _led_across(self, note: Note, box: Box) -> bool:
        """Whether the thin line from words to their place would cross other words, or another point."""
        ends = note.leader(box, self.plane)
        if ends is None:
            return False
        points, place = _straight(*ends), np.asarray([ends[1]])
        others = (each for each in self.taken if each.distances(place)[0] > 0.0)
        return any(bool(np.any(each.distances(points) < 1.0)) for each in others)


def _straight(start: tuple[float, float], end: tuple[float, float]) -> Array:
    """Points along a straight line."""
    return np.linspace(start, end, max(2, math.ceil(math.dist(start, end) / _STEP)))


def _beside(place: tuple[float, float], side: tuple[float, int], far: float, wide: float) -> Box:
    """The rectangle of words on one side of a place, so far from it."""
    (x, y), (across, down) = place, side
    if abs(across) < 1:
        return _lying(x - wide / 2 + across * (wide - 2 * _RIM), y + down * (far + _HIGH / 2), wide)
    part = far if not down else far * 0.75
    left = x + part if across > 0 else x - part - wide
    return _lying(left, y + down * (part + 2.0), wide)


def _along(numbers: Array, axis: Spec) -> Array:
    """Numbers as shares of the way along an axis; what is not positive is far below a scale of powers of ten."""
    low, high = axis["scale"]["domain"]
    if not is_log(axis):
        return np.asarray((numbers - low) / (high - low), dtype=np.float64)
    positive = np.where(numbers > 0.0, numbers, low * 1e-3)
    return np.asarray(np.log(positive / low) / math.log(high / low), dtype=np.float64)


def beside_own(lines: dict[str, Array], room: Room, wide: dict[str, float]) -> dict[str, Box] | None:
    """A place for the name of each line, next to it and clear of all others; nothing unless each has one."""
    found: dict[str, Box] = {}
    for name, own in lines.items():
        others = [line for other, line in lines.items() if other != name and len(line)]
        away = np.vstack([room.helpers, *others])
        boxes = [box for box in _around(own, wide[name]) if room.free(box) and all(map(box.apart, found.values()))]
        scored = [(_clear(box, own, away), -number) for number, box in enumerate(boxes)]
        if not scored or max(scored)[0] < _ALONE:
            return None
        found[name] = boxes[-max(scored)[1]]
    room.taken += found.values()
    return found


_NEAR, _ALONE, _ENOUGH = 5.0, 12.0, 30.0
"""How near words are to their line, how far at least they are from others, and how far is as good as farther."""


def _around(own: Array, wide: float) -> Iterable[Box]:
    """Rectangles next to points of a line, above, below and at its sides; from its right end on."""
    for x, y in own[:: -max(1, len(own) // 40)].tolist():
        for more in (_NEAR, _NEAR + 5.0):
            for down, left in ((-1, x - wide), (1, x), (-1, x), (1, x - wide)):
                yield _lying(left, y + down * (more + _HIGH / 2), wide)
            yield _lying(x + more + 1.0, y, wide)
            yield _lying(x - more - 1.0 - wide, y, wide)


def _lying(left: float, middle: float, wide: float) -> Box:
    return Box(left, middle - _HIGH / 2, left + wide, middle + _HIGH / 2)


def _clear(box: Box, own: Array, away: Array) -> float:
    """How far a rectangle is from other lines, if it lies next to its own and not on it; else less than nothing."""
    near = float(np.min(box.distances(own)))
    if not 4.0 <= near <= _NEAR + 7.0:
        return -1.0
    return min(float(np.min(box.distances(away), initial=_ENOUGH)), _ENOUGH)
