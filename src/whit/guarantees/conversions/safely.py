"""The search for a free parameter of a bound."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

# How the distance below a limit is searched: first this grid in its log, then by golden section about the best of it.
GRID = np.linspace(math.log(1e-4), math.log(2e5), 45)
SECTIONS = 44
GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


def least_over_log(function: Callable[[float], float]) -> float:
    """The x > 0 at which a function is about least: any x is sound, so the search costs tightness, never truth.

    The function is looked at on a grid of log x, and around the best point by golden section.
    """
    values = [function(math.exp(u)) for u in GRID]
    best = int(np.argmin(values))
    step = float(GRID[1] - GRID[0])
    low, high = float(GRID[best]) - step, float(GRID[best]) + step
    best_u, best_value = float(GRID[best]), values[best]
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = function(math.exp(left)), function(math.exp(right))
    for _ in range(SECTIONS):
        for u, value in ((left, at_left), (right, at_right)):
            if value < best_value:
                best_u, best_value = u, value
        if at_left < at_right:  # two infinite ends lie to the left of what is possible
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = function(math.exp(left))
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = function(math.exp(right))
    return math.exp(best_u)
