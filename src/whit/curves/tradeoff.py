"""A trade-off function known by its vertices: levels of a test, and the power that the best test has there.

The power is concave in the level: between two vertices a randomised test reaches the chord, so the chord is what an
adversary can have at least. Seen as a pair of distributions, each edge is one outcome.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.face import Array, Face
from whit.curves.finite import FinitePair
from whit.errors import require
from whit.numerics import Bracket, probability_array


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
            rule=f"must be as many as the levels, of which there are {known.size}",
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
