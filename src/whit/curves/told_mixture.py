"""One of several pairs, drawn with known chances, where the release says which: the profile is the mean of theirs.

It is used from above only, for a release with each case known to be below one of the pairs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.face import SMALLEST_LOG_LEVEL, Array, Face
from whit.curves.replaced import lowest_line
from whit.errors import require
from whit.numerics import ULP, Bracket, probability_vector


@dataclass(frozen=True)
class ToldMixture(Face):
    """Several pairs; one is drawn, and the release says which.

    faces     the pairs
    chances   of each, which may be rounded up
    """

    is_one_pair: ClassVar[bool] = True
    is_from_above: ClassVar[bool] = True

    faces: tuple[Face, ...]
    chances: tuple[float, ...]

    def __post_init__(self) -> None:
        """Refuse what is no law."""
        way_out = "Pass a pair for each chance, and chances above 0 with sum 1."
        chances = probability_vector("chances", self.chances, way_out)
        good = len(self.faces) == len(chances) and bool(np.all(chances > 0.0))
        require(good, name="chances", rule="must be above 0, one for each pair", value=self.chances, way_out=way_out)

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the mean of the profiles."""
        t = np.asarray(epsilons, dtype=np.float64)
        logs = np.log(self.chances)
        found = [face.log_delta(t) for face in self.faces]
        rows = ([log + each.ends[end] for log, each in zip(logs, found, strict=True)] for end in range(3))
        low, mid, high = (np.logaddexp.reduce(row) for row in rows)
        error = ULP * (
            16 + 4 * len(logs) + 4 * np.max(np.abs(logs)) + 4 * np.where(np.isfinite(high), np.abs(high), 0.0)
        )
        upper = np.minimum(high + error, 0.0)
        return Bracket(np.minimum(low - error, upper), np.minimum(mid, upper), upper)

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the lowest of the lines that the profile gives; from below only that guessing has the level."""
        levels = np.minimum(np.asarray(log_levels, dtype=np.float64), 0.0)
        inside = lowest_line(self, np.clip(levels, SMALLEST_LOG_LEVEL, -1e-300))
        upper: Array = np.where(levels >= 0, 0.0, np.where(np.isneginf(levels), self.log_delta(np.inf).upper, inside))
        return Bracket(np.minimum(levels, upper), upper, upper)

    def reverse(self) -> ToldMixture:
        """The pairs in the other order; this very mixture where that is the same of each."""
        turned = tuple(face.reverse() for face in self.faces)
        same = all(one is other for one, other in zip(turned, self.faces, strict=True))
        return self if same else replace(self, faces=turned)
