"""What one point of pbdp says of every test, by the concavity of the power alone.

Let a = delta e^{-epsilon} be the level at which the power is at most delta, and d = (delta - a)/(1 - a). The power is
concave and ends at (1, 1), so to the left of a it is at most d + (1 - d) level; it starts at or above 0, so to the
right of a it is at most e^epsilon level. The same holds with the two datasets exchanged, that is, for the reflection
(level, power) -> (1 - power, 1 - level). Together they stay below the power of randomized response with infinite loss d
and the coin of bias e^epsilon (1 - d) - d (theorem bounded-point-to-approximate).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, Face, FinitePair
from whit.guarantees.dominating import dominating_pair
from whit.numerics import ULP, Bracket, log1mexp

ROUNDING = 32 * ULP


@dataclass(frozen=True)
class BoundedPointFace(Face):
    """The bounds that follow from one point (epsilon, delta) of pbdp in both orders."""

    epsilon_bound: float
    delta_bound: float

    def approximate(self) -> tuple[float, float]:
        """The (epsilon, delta) of approximate differential privacy that follows, rounded up."""
        if self.delta_bound == 1.0:
            return 0.0, 1.0
        delta = min(1.0, math.exp(self._log_infinite()) * (1 + ROUNDING))
        bias = (1.0 - delta) - delta * math.exp(-self.epsilon_bound)
        epsilon = self.epsilon_bound + math.log(bias) if bias > 0.0 else 0.0
        return max(0.0, epsilon + ROUNDING * (1 + abs(epsilon))) if self.epsilon_bound > 0.0 else 0.0, delta

    def pair(self) -> FinitePair:
        """The pair of that (epsilon, delta): a bound that composes."""
        return dominating_pair(*self.approximate())

    def _log_infinite(self) -> float:
        """Log of d = delta (1 - e^{-epsilon}) / (1 - delta e^{-epsilon})."""
        if self.delta_bound == 1.0:
            return 0.0
        level = self.delta_bound * math.exp(-self.epsilon_bound)
        return math.log(self.delta_bound) + float(log1mexp(-self.epsilon_bound)) - math.log1p(-level)

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the profile of the pair."""
        return self.pair().log_delta(epsilons)

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the smaller of the two bounds at each level, that of the promise and that of its reflection."""
        levels = np.minimum(np.asarray(log_levels, dtype=np.float64), 0.0)
        if self.delta_bound == 1.0:  # a power of at most 1 says nothing
            return Bracket.exact(np.zeros(levels.shape))
        mid = np.minimum(np.minimum(self._forward(levels), self._reflected(levels)), 0.0)
        error = ROUNDING * (1 + np.where(np.isfinite(mid), np.abs(mid), 0.0))
        lower = np.where(levels >= 0.0, 0.0, mid - error)
        return Bracket(lower, mid, np.where(mid >= 0.0, 0.0, np.minimum(mid + error, 0.0)))

    def _forward(self, levels: Array) -> Array:
        infinite = self._log_infinite()
        left = np.logaddexp(infinite, _log_rest(infinite) + levels)
        return np.where(levels <= math.log(self.delta_bound) - self.epsilon_bound, left, self.epsilon_bound + levels)

    def _reflected(self, levels: Array) -> Array:
        rest = log1mexp(levels)  # log(1 - level)
        # 1 - e^{-epsilon} (1 - level), as a sum of two positive terms
        inner = np.logaddexp(log1mexp(-self.epsilon_bound), levels - self.epsilon_bound)
        with np.errstate(invalid="ignore"):
            outer = np.where(np.isneginf(levels), 0.0, levels - _log_rest(self._log_infinite()))
        return np.where(rest >= math.log(self.delta_bound), inner, outer)

    def reverse(self) -> BoundedPointFace:
        """This face: the promise is about both orders."""
        return self


def _log_rest(log_probability: float) -> float:
    return float(log1mexp(log_probability))
