"""Trade-off functions through known points (level, power), and bounds on the power at some levels alone.

The power is concave in the level: between two vertices a randomised test reaches the chord, so the chord is what an
adversary can have at least. Seen as a pair of distributions, each edge is one outcome.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.face import Array, Face
from whit.curves.finite import FinitePair, log_ratio
from whit.errors import require
from whit.numerics import ULP, Bracket, distinct, probability_array


@dataclass(frozen=True, eq=False)
class TradeOff(Face):
    """A concave power function with finitely many vertices: that of the finite pair whose outcomes are its edges."""

    is_one_pair: ClassVar[bool] = True

    pair: FinitePair

    @classmethod
    def through(cls, levels: ArrayLike, powers: ArrayLike) -> TradeOff:
        """The concave hull of known points (level, power), from (0, 0) to (1, 1).

        >>> TradeOff.through([0.1, 0.2], [0.5, 0.51]).powers.tolist()
        [0.0, 0.5, 1.0]
        """
        known = np.atleast_1d(probability_array("levels", levels, "Use false-positive rates such as 0.01 and 0.05."))
        reached = np.atleast_1d(probability_array("powers", powers, "Use true-positive rates such as 0.1 and 0.3."))
        require(
            known.ndim == 1 and known.shape == reached.shape,
            name="powers",
            rule=f"must be as many as the levels ({known.size})",
            value=f"{reached.size} values",
            way_out="Pass one power for each level.",
        )
        x, y = _upper_hull(np.append(known, [0.0, 1.0]), np.append(reached, [0.0, 1.0]))
        return cls(FinitePair.of(np.append(y[0], np.diff(y)), np.append(x[0], np.diff(x))))

    @property
    def levels(self) -> Array:
        """The levels of the vertices, from 0 to 1."""
        log_nulls = (self.pair.log_masses - self.pair.losses)[::-1]
        levels = np.minimum(np.exp(np.append(-np.inf, np.logaddexp.accumulate(log_nulls))), 1.0)
        return levels if np.isneginf(self.pair.log_missing) else np.append(levels, 1.0)

    @property
    def powers(self) -> Array:
        """The powers of the vertices."""
        powers = np.exp(np.append(self.pair.log_infinity, self.pair.log_tail_closed(self.pair.losses[::-1]).mid))
        return powers if np.isneginf(self.pair.log_missing) else np.append(powers, 1.0)

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the largest power - e^epsilon level over the vertices."""
        return self.pair.log_delta(epsilons)

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the power at each log of a level."""
        return self.pair.log_power(log_levels)

    def reverse(self) -> TradeOff:
        """The trade-off function of (Q, P): the inverse function."""
        return TradeOff(self.pair.reverse())

    def __repr__(self) -> str:
        """A short description: vertices can be many."""
        return f"<TradeOff: {len(self.levels)} vertices>"


def _upper_hull(levels: Array, powers: Array) -> tuple[Array, Array]:
    """The vertices of the smallest concave function through or above all points."""
    order = np.lexsort((-powers, levels))
    kept: list[int] = []
    for i in order:
        if kept and levels[i] == levels[kept[-1]]:
            continue
        while len(kept) >= 2 and _turns_left(levels, powers, kept[-2], kept[-1], i):
            kept.pop()
        kept.append(int(i))
    return levels[kept], powers[kept]


def _turns_left(levels: Array, powers: Array, a: int, b: int, c: int) -> bool:
    rise_ab = (powers[b] - powers[a]) * (levels[c] - levels[b])
    rise_bc = (powers[c] - powers[b]) * (levels[b] - levels[a])
    return bool(rise_bc >= rise_ab)


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
        # The log of a ratio keeps its digits where the two are small and close, which a difference of logs does not.
        rising = log_ratio(self.powers, self.levels) + asked[..., None]
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
        rule=f"must be as many as the levels ({levels.size})",
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
