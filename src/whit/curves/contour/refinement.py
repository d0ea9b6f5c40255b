"""From a requested relative width to a bracket: smooth less, level by level, until it is met or costs too much.

The levels do not depend on the request, brackets of successive levels are intersected, and a tighter request only
goes further along the same levels. So a tighter request never gives a wider bracket.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np

from whit.curves.contour.composition import MOST_NODES, TooManyNodes
from whit.curves.contour.floating import Places, Real
from whit.errors import TooCostly, require

FINEST_LEVEL = 6
LOG_ACCURACY = 1e-13
# Where losses are few and far between, smoothing hardly matters, so that a coarse level is often enough.
LEVEL_FOR_FEW_ATOMS = -2
FEW_ATOMS = 1e5
COARSEST_LEVEL = -3


@dataclass(frozen=True)
class Errors:
    """The four things that are not exact, each relative to the answer."""

    smoothing: Real
    aliasing: Real
    truncation: Real
    round_off: Real

    def placed(self, places: Places, part: Errors) -> None:
        """Write the errors of some places into these arrays."""
        for field in fields(self):
            getattr(self, field.name)[places] = getattr(part, field.name)

    def at(self, places: Places) -> Errors:
        """The errors of some places."""
        return Errors(*(getattr(self, field.name)[places] for field in fields(self)))

    @classmethod
    def zeros(cls, count: int) -> Errors:
        """No error at all, for so many places."""
        return cls(*(np.zeros(count) for _ in range(4)))


@dataclass(frozen=True)
class Outcome:
    """Logarithms of lower bound, estimate and upper bound, the errors behind them, and the nodes that they cost."""

    lower: Real
    mid: Real
    upper: Real
    errors: Errors
    nodes: int

    def width(self, floor: Real) -> float:
        """The largest relative width of floor + answer, the floor being a known summand (in logarithms).

        Where the logarithm itself is enormous, what a double cannot hold of it does not count.
        """
        with np.errstate(invalid="ignore", over="ignore"):
            high = np.logaddexp(floor, self.upper)
            gap = high - np.logaddexp(floor, self.lower)
            gap = np.where(gap > LOG_ACCURACY * np.abs(high), gap, 0.0)
            return float(np.expm1(np.where(np.isnan(gap), 0.0, gap)).max(initial=0.0))

    def narrowed(self, other: Outcome) -> Outcome:
        """What both say together; the errors are those of the other, which is finer."""
        lower, upper = np.maximum(self.lower, other.lower), np.minimum(self.upper, other.upper)
        return replace(
            other, lower=lower, upper=upper, mid=np.clip(other.mid, lower, upper), nodes=self.nodes + other.nodes
        )


def refined(
    attempt: Callable[[int], Outcome], start: int, floor: Real, requested: float, at: str, *, strict: bool = True
) -> Outcome:
    """Go through the levels from `start` until the width is met; where it cannot be, say what is possible, or stop."""
    level, outcome = _first(attempt, start, requested, at)
    finest = FINEST_LEVEL if level == start else level
    while outcome.width(floor) > requested:
        finer = _next(attempt, level, outcome) if level < finest else None
        if finer is None and strict:
            raise _refusal(requested, outcome.width(floor), outcome.nodes, at)
        if finer is None:
            break
        level, outcome = level + 1, outcome.narrowed(finer)
    return outcome


def improved(attempt: Callable[[int], Outcome], start: int, aimed: float) -> Outcome:
    """Go through the levels until the width is met, or costs too much, or does not shrink: then an atom lies there."""
    level, outcome = _first(attempt, start, aimed, "this loss")
    floor = np.full(outcome.mid.shape, -np.inf)
    finest = FINEST_LEVEL if level == start else level
    while level < finest and outcome.width(floor) > aimed:
        finer = _next(attempt, level, outcome)
        if finer is None:
            break
        before, level, outcome = outcome.width(floor), level + 1, outcome.narrowed(finer)
        if level > 0 and not outcome.width(floor) < 0.5 * before:
            break
    return outcome


def _first(attempt: Callable[[int], Outcome], start: int, requested: float, at: str) -> tuple[int, Outcome]:
    """The first level that is affordable, from the given one downwards."""
    for level in range(start, COARSEST_LEVEL - 1, -1):
        try:
            return level, attempt(level)
        except TooManyNodes as refused:
            nodes = refused.nodes
    raise TooCostly(
        "relative_width",
        f"cannot be met within {MOST_NODES:,} nodes at {at}, nor any other width: it takes about {nodes:,.0f} nodes",
        requested,
        "Enumerate the losses exactly, or compose more mechanisms at once.",
    )


def _next(attempt: Callable[[int], Outcome], level: int, outcome: Outcome) -> Outcome | None:
    """The next finer level; nothing if it costs too much, or if it is not smoothing that makes the bracket wide."""
    errors = outcome.errors
    others = errors.aliasing + errors.truncation + errors.round_off
    if bool(np.all(errors.smoothing < 0.02 * others)):
        return None
    try:
        return attempt(level + 1)
    except TooManyNodes:
        return None


def _refusal(requested: float, possible: float, nodes: int, at: str) -> TooCostly:
    """The sentence that says which width is possible, at which cost."""
    way_out = f"A width of {1.01 * possible:.2g} is possible, with {nodes:,} nodes."
    if not np.isfinite(possible):
        way_out = "Only an upper bound is known here: enumerate the losses exactly."
    return TooCostly("relative_width", f"cannot be met within {MOST_NODES:,} nodes at {at}", requested, way_out)


def require_width(relative_width: float) -> None:
    """Refuse a width that is not a positive number."""
    require(
        0 < relative_width < np.inf,
        name="relative_width",
        rule="must be a number above 0",
        value=relative_width,
        way_out="Use a value such as 1e-6: the upper bound then exceeds the lower one by at most a millionth.",
    )
