"""One of two pairs, drawn with known chances, where it is told which: the profile is the mean of the two.

It is used from above only, for a release of which each case is known to be below one of two pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.face import SMALLEST_LOG_LEVEL, Array, Face
from whit.curves.replaced import lowest_line
from whit.numerics import ULP, Bracket, open_probability


@dataclass(frozen=True)
class ToldMixture(Face):
    """Usually one pair, and with a chance the other, which tells at least as much.

    chance   of the other one
    """

    is_one_pair: ClassVar[bool] = True
    is_from_above: ClassVar[bool] = True

    usual: Face
    other: Face
    chance: float

    @property
    def parts(self) -> tuple[Face, ...]:
        """The two pairs."""
        return (self.usual, self.other)

    def __post_init__(self) -> None:
        """Refuse a chance outside of (0, 1)."""
        way_out = "At chance 0 or 1 use one of the two pairs itself."
        object.__setattr__(self, "chance", open_probability("chance", self.chance, way_out))

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the mean of the two profiles."""
        t = np.asarray(epsilons, dtype=np.float64)
        logs = math.log1p(-self.chance), math.log(self.chance)
        pairs = zip(self.usual.log_delta(t).ends, self.other.log_delta(t).ends, strict=True)
        low, mid, high = (np.logaddexp(logs[0] + a, logs[1] + b) for a, b in pairs)
        error = ULP * (16 + 4 * abs(logs[1]) + 4 * np.where(np.isfinite(high), np.abs(high), 0.0))
        upper = np.minimum(high + error, 0.0)
        return Bracket(np.minimum(low - error, upper), np.minimum(mid, upper), upper)

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the lowest of the lines that the profile gives; from below only that guessing has the level."""
        levels = np.minimum(np.asarray(log_levels, dtype=np.float64), 0.0)
        inside = lowest_line(self, np.clip(levels, SMALLEST_LOG_LEVEL, -1e-300))
        upper: Array = np.where(levels >= 0, 0.0, np.where(np.isneginf(levels), self.log_delta(np.inf).upper, inside))
        return Bracket(np.minimum(levels, upper), upper, upper)

    def reverse(self) -> ToldMixture:
        """The two pairs in the other order."""
        return replace(self, usual=self.usual.reverse(), other=self.other.reverse())
