"""Where a falling function crosses zero, for functions that are dear.

Interpolation shortens the search (the method "interpolate, truncate, project" of Oliveira and Takahashi, which never
needs more steps than bisection plus one), and the answer is a point at which the function has been seen to be at most
zero. Where the crossing is expected somewhere, one call that asks around there is often all that is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whit.numerics.rounding import Array
from whit.numerics.search import first_true

Function = Callable[[Array], Array]
"""Elementwise and falling; minus infinity is a value like any other."""

TOLERANCE = 1e-12
"""How far beyond the crossing the answer lies at most, relative to it (and to 1 where it is smaller)."""

# How far from where a crossing is expected it is looked for first, in tolerances.
_BESIDE = np.array([-1e6, -1e3, -30.0, -0.5, 0.0, 0.5, 30.0, 300.0, 3e3, 1e6])
# A function that drops by more than this between neighbouring points jumps there; smaller drops may be its rounding.
_JUMP = 0.01
# Interpolation takes no value further from zero than this.
_DEEP = 50.0
# No crossing is expected beyond this, so that what is added to it is a double.
_FARTHEST = 1e300


def smallest_crossing(
    function: Function,
    shape: tuple[int, ...] = (),
    *,
    tolerance: float = TOLERANCE,
    end: float = np.inf,
    near: Array | None = None,
) -> Array:
    """The smallest x >= 0 at which a falling function is at most 0; infinite where it is so nowhere.

    Where the function is smooth the answer is at most the tolerance beyond the crossing, relative to it (and to 1 where
    it is smaller); where it jumps, the answer is the first double after the jump. From `end` on the function is known
    to be as low as it gets: where it is not so just before, nothing else is looked at. Where crossings are expected
    near some points, these are looked at first, along an extra first axis; a wrong expectation costs one call.

    >>> float(smallest_crossing(lambda x: 2.5 - x))
    2.5
    """
    reachable = function(np.full(shape, np.inf)) <= 0.0

    def less(x: Array) -> Array:
        values = np.full(np.shape(x), -1.0)
        asked = reachable & (x < end)
        if asked.any():
            values = np.where(asked, function(np.where(asked, x, 0.0)), -1.0)
        return values

    search = _enclose(less, shape, tolerance) if near is None else _enclose_beside(near, less, shape, tolerance)
    # Just before the end the function may be dearest: it is asked there only where it was above 0 all the way.
    before = end - tolerance * max(abs(end), 1.0) if np.isfinite(end) else np.inf
    last = np.asarray(search.high > before)
    if last.any():
        last &= less(np.where(last, before, 0.0)) > 0.0
        search.low = np.where(last, search.high, search.low)
    widths = np.where(search.open, search.high - search.low, 0.0) / np.maximum(search.low, 1.0)
    # Each search counts its own steps, so that no answer depends on what else is looked for.
    steps = np.ceil(np.log2(np.maximum(widths / tolerance, 1.0))) + 1
    while np.any(search.open):
        points = np.where(search.open, search.next(steps), search.high)
        search.look(points, less(points))
        steps = steps - 1
    return np.where(last, end, np.where(reachable, _polish(less, search), np.inf))


@dataclass
class _Search:
    """The two ends of each search, and the function there: above 0 at low, at most 0 at high."""

    low: Array
    high: Array
    above: Array
    below: Array
    tolerance: float

    @property
    def open(self) -> NDArray[np.bool_]:
        return np.asarray(np.isfinite(self.high) & (self.high - self.low > self.tolerance * np.maximum(self.high, 1.0)))

    def next(self, steps: Array) -> Array:
        """The point to look at next: between the interpolated one and the middle."""
        width = self.high - self.low
        middle = self.low + width / 2
        below, above = np.maximum(self.below, -_DEEP), np.minimum(self.above, _DEEP)
        drop = above - below
        straight = self.low + width * np.divide(above, drop, out=np.full(drop.shape, 0.5), where=drop > 0)
        side = np.sign(middle - straight)
        nudged = straight + side * np.minimum(0.2 * width, np.abs(middle - straight)) * 0.05
        with np.errstate(over="ignore"):  # then the interpolated point is allowed wherever it lies
            reach = 0.5 * self.tolerance * np.maximum(self.high, 1.0) * np.exp2(np.minimum(steps, 1000.0))
        allowed = np.clip(reach - width / 2, 0.0, width)
        return np.asarray(np.where(np.abs(nudged - middle) <= allowed, nudged, middle - side * allowed))

    def look(self, points: Array, values: Array) -> None:
        """Take in what the function is at these points."""
        high = values <= 0.0
        self.high, self.below = np.where(high, points, self.high), np.where(high, values, self.below)
        self.low, self.above = np.where(high, self.low, points), np.where(high, self.above, values)


def _enclose(less: Function, shape: tuple[int, ...], tolerance: float) -> _Search:
    """Ends between which the function crosses: from 1 on, further and further out, until it has."""
    zero = np.zeros(shape)
    search = _Search(zero, zero, np.ones(shape), less(zero), tolerance)
    search.above = np.maximum(search.below, 5e-324)
    left = search.below > 0.0
    point = np.where(left, 1.0, 0.0)
    while np.any(left):
        values = less(point)
        crossed = left & (values <= 0.0)
        search.high, search.below = np.where(left, point, search.high), np.where(left, values, search.below)
        left = left & ~crossed
        search.low, search.above = np.where(left, point, search.low), np.where(left, values, search.above)
        with np.errstate(over="ignore"):
            point = np.where(left, np.maximum(4.0 * point, point**1.5), point)
    return search


def _enclose_beside(near: Array, less: Function, shape: tuple[int, ...], tolerance: float) -> _Search:
    """The closest ends around the points that are expected; where no crossing is seen there, those found without."""
    centre = np.broadcast_to(np.where(np.isfinite(near), np.clip(near, 0.0, _FARTHEST), 0.0), shape)
    steps = _BESIDE.reshape(-1, *([1] * len(shape))) * (tolerance * np.maximum(centre, 1.0))
    # The double before the expected one counts too: a function may jump there.
    tried = np.maximum(np.sort(np.concatenate([centre + steps, np.nextafter(centre, 0.0)[None]]), axis=0), 0.0)
    values = less(tried)
    seen = (values[0] > 0.0) & (values[-1] <= 0.0)
    first = np.maximum(np.argmax(values <= 0.0, axis=0), 1)[None]
    ends = [np.take_along_axis(each, place, 0)[0] for each in (tried, values) for place in (first - 1, first)]
    if not seen.all():
        found = _enclose(less, shape, tolerance)
        others = (found.low, found.high, found.above, found.below)
        ends = [np.where(seen, own, other) for own, other in zip(ends, others, strict=True)]
    low, high, above, below = ends
    return _Search(low, high, above, below, tolerance)


def _polish(less: Function, search: _Search) -> Array:
    """The upper ends; where the function jumps between the ends, the first double after the jump."""
    jumps = (search.above - search.below > _JUMP) & (search.high > search.low) & np.isfinite(search.high)
    if not np.any(jumps):
        return search.high
    low = np.where(jumps, search.low, search.high)
    return first_true(lambda x: (less(x) <= 0.0) | (x >= search.high), low, search.high)
