"""Two Laplace releases of any scales together: their profile and their tail in closed form.

The loss of the second is its epsilon b with probability 1/2, -b with probability e^-b/2, and between the two it has the
density e^((z - b)/2)/4. The profile of the first is averaged over it. Every term is positive, so that no digits cancel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.face import Array
from whit.numerics import ULP, Bracket

# Up to here e^y - 1 - y is a series of so many terms; beyond, the difference keeps its digits.
SMALL, TERMS = 0.5, 16
# What all terms are rounded by, in units in the last place, beside what their exponents are.
ROUNDING = 64


@dataclass(frozen=True)
class TwoLaplaces:
    """The loss of two Laplace releases, each with its largest loss."""

    first: float
    second: float

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of D(t), which is 1 - e^t below all losses, and 0 above."""
        return self._between(np.asarray(epsilons, dtype=np.float64), self._delta)

    def log_tail_closed(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z >= t]."""
        return self._between(np.asarray(losses, dtype=np.float64), self._tail)

    def reverse(self) -> TwoLaplaces:
        """This pair: it is symmetric."""
        return self

    def _between(self, t: Array, ask: Callable[[Array], Array]) -> Bracket:
        """What falls with t, a hair later and a hair earlier: by more than t less any of the losses is rounded."""
        largest = self.first + self.second
        hair = 8 * ULP * (np.where(np.isfinite(t), np.abs(t), 0.0) + largest)
        room = ULP * (ROUNDING + 8 * largest)
        with np.errstate(divide="ignore"):
            lower, mid, upper = (np.log(np.minimum(ask(at), 1.0)) for at in (t + hair, t, t - hair))
        bounds = lower - room, np.minimum(upper + room, 0.0)
        return Bracket(bounds[0], np.clip(mid, *bounds), bounds[1])

    def _delta(self, t: Array) -> Array:
        """D_a(t - b)/2 + e^-b D_a(t + b)/2 + e^(-b/2)/4 times the integral of e^(z/2) D_a(t - z) from -b to b."""
        a, b = self.first, self.second
        top, bend = self._parts(t)
        # Up to the bend e^(z/2) - e^((t - a)/2) is averaged, from the place on where it is positive; then 2 sinh.
        start, width = np.maximum(-b - top, 0.0) / 2, (bend - np.clip(top, -b, b)) / 2
        flat = 2 * np.exp(top / 2) * (np.expm1(start) * np.expm1(width) + _beyond_line(width))
        steep = 8 * np.exp(_inner(t, a, b) / 2) * np.sinh((b - bend) / 4)
        steep = steep * np.sinh(np.maximum(b + bend - 2 * _inner(t, a, b), 0.0) / 4)
        ends = 0.5 * _one_delta(t - b, a) + 0.5 * np.exp(-b) * _one_delta(t + b, a)
        inside = ends + 0.25 * np.exp(-b / 2) * (flat + steep)
        below = -np.expm1(np.minimum(t, 0.0))
        return np.where(t >= a + b, 0.0, np.where(t <= -a - b, below, inside))

    def _tail(self, t: Array) -> Array:
        """The same average of the closed tail of the first: 1 - e^((t - a)/2)/2 between its two atoms."""
        a, b = self.first, self.second
        top, bend = self._parts(t)
        start = np.clip(top, -b, b)
        inner = np.exp(np.minimum(top, b) / 2) * (bend - start) / 2
        dense = 2 * np.exp(start / 2) * np.expm1((b - start) / 2) - inner
        ends = 0.5 * _one_tail(t - b, a) + 0.5 * np.exp(-b) * _one_tail(t + b, a)
        return np.asarray(ends + 0.25 * np.exp(-b / 2) * dense)

    def _parts(self, t: Array) -> tuple[Array, Array]:
        """Where the first release has its largest loss if the sum is t, and where between -b and b its smallest."""
        inside = _inner(t, self.first, self.second)
        return inside - self.first, np.clip(inside + self.first, -self.second, self.second)


def _inner(t: Array, a: float, b: float) -> Array:
    return np.clip(t, -a - b, a + b)


def _beyond_line(y: Array) -> Array:
    """e^y - 1 - y for y >= 0, to its last digits."""
    series = np.ones_like(y)
    for n in range(TERMS, 2, -1):
        series = 1 + np.minimum(y, SMALL) / n * series
    return np.where(y < SMALL, y * y / 2 * series, np.expm1(y) - y)


def _one_delta(t: Array, epsilon: float) -> Array:
    """The profile of one Laplace release."""
    inside = -np.expm1((np.clip(t, -epsilon, epsilon) - epsilon) / 2)
    return np.where(t < -epsilon, -np.expm1(np.minimum(t, 0.0)), inside)


def _one_tail(t: Array, epsilon: float) -> Array:
    """Its closed tail."""
    inside = 1 - np.exp((np.clip(t, -epsilon, epsilon) - epsilon) / 2) / 2
    return np.where(t <= -epsilon, 1.0, np.where(t > epsilon, 0.0, inside))
