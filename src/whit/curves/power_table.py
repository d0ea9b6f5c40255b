"""A table that says how much power a test can have at most, at some levels: what it implies at all others.

The largest power is concave in the level, at least 0 at level 0 and 1 at level 1. So right of a known bound it lies
below the line from the origin, and left of it below the line to (1, 1). A bound for both orders of the pair holds for
the reflection (level, power) -> (1 - power, 1 - level) as well.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.face import Array, Face
from whit.curves.finite import FinitePair
from whit.curves.tradeoff import TradeOff
from whit.errors import require
from whit.numerics import ULP, Bracket, distinct, probability_array

ROUNDING = 64 * ULP


@dataclass(frozen=True, eq=False)
class PowerTable(Face):
    """Bounds on the power at some levels, that hold for both orders of the pair."""

    levels: Array
    powers: Array
    _rests: Array = field(init=False, repr=False)
    _misses: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse bounds that even guessing would break, then add the reflections and sort."""
        levels = np.atleast_1d(probability_array("levels", self.levels, "Use false-positive rates such as 0.01."))
        powers = np.atleast_1d(probability_array("powers", self.powers, "Use true-positive rates such as 0.1."))
        _require_points(levels, powers)
        useful = powers < 1
        levels, powers = levels[useful], powers[useful]
        # Of a reflected point the complements are the numbers given: they must not be found by subtraction again.
        object.__setattr__(self, "levels", np.append(levels, 1 - powers))
        object.__setattr__(self, "powers", np.append(powers, 1 - levels))
        object.__setattr__(self, "_rests", np.append(1 - levels, powers))
        object.__setattr__(self, "_misses", np.append(1 - powers, levels))

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the smallest of all the lines that hold at each level."""
        asked = np.minimum(np.asarray(log_levels, dtype=np.float64), 0.0)
        right_of = np.log(self.levels) <= asked[..., None]
        rising = np.log(self.powers) - np.log(self.levels) + asked[..., None]
        lines = np.where(right_of, rising, self._to_the_corner(asked))
        mid = np.minimum(np.min(lines, axis=-1, initial=0.0), 0.0)
        error = ROUNDING * (1 + np.where(np.isfinite(mid), np.abs(mid), 0.0)) * (asked < 0)
        return Bracket(
            np.where(asked < 0, mid - error, 0.0), np.where(asked < 0, mid, 0.0), np.minimum(mid + error, 0.0)
        )

    def _to_the_corner(self, asked: Array) -> Array:
        """Log of 1 - m (1 - level) = (1 - m) + m level, with m = (1 - power)/(1 - level of the point)."""
        with np.errstate(divide="ignore"):
            start = np.log(self._gains) - np.log(self._rests)
            slope = np.log(self._misses) - np.log(self._rests)
        return np.asarray(np.logaddexp(start, slope + asked[..., None]))

    @property
    def _gains(self) -> Array:
        """Power minus level, which is the same for a point and its reflection."""
        half = len(self.levels) // 2
        return np.tile(self.powers[:half] - self.levels[:half], 2)

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the largest power - e^epsilon level that the bounds allow."""
        return self.pair().log_delta(epsilons)

    def pair(self) -> FinitePair:
        """The pair of the concave hull of the bounds: looser than they are, but it composes."""
        corners = self._corners()
        powers = np.exp(self.log_power(np.log(corners)).upper)
        at_zero = np.exp(self.log_power(-np.inf).upper)
        return TradeOff.through(np.append(0.0, corners), np.append(at_zero, np.minimum(powers, 1.0))).pair

    def _corners(self) -> Array:
        """Where a line from the origin can meet a line to (1, 1), or the power 1; and the points themselves."""
        ratio, slope = self.powers / self.levels, self._misses / self._rests
        with np.errstate(divide="ignore", invalid="ignore"):
            meetings = ((self._gains / self._rests) / (ratio[:, None] - slope)).ravel()
        corners = np.concatenate([self.levels, 1 / ratio, meetings])
        return distinct(corners[(corners > 0) & (corners <= 1)])

    def reverse(self) -> PowerTable:
        """This table: it is about both orders."""
        return self


def _require_points(levels: Array, powers: Array) -> None:
    require(
        levels.shape == powers.shape and levels.ndim == 1,
        name="powers",
        rule=f"must be as many as the levels, of which there are {levels.size}",
        value=f"{powers.size} values",
        way_out="Pass one power for each level.",
    )
    require(
        bool(np.all((levels > 0) & (levels < 1))),
        name="levels",
        rule="must lie in (0, 1)",
        value=levels,
        way_out="At level 0 pass the smallest level that matters to you, with its power.",
    )
    require(
        bool(np.all(powers >= levels)),
        name="powers",
        rule="must be at least the levels, which guessing has",
        value=powers,
        way_out="Pass the levels first and the powers second.",
    )
