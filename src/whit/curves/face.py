"""What can be asked of a pair of distributions, whichever face it shows.

Throughout, P is the law of the output on one dataset and Q that on its neighbour, Z = log P/Q is the privacy loss
and D(t) = E_P[(1 - e^{t-Z})+] the privacy profile. Everything is answered in log scale as a Bracket
(lower, mid, upper), so that numbers such as 1e-500 keep their digits and rounding errors stay on record.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.numerics import ULP, Bracket, log1mexp, smallest_true

Array: TypeAlias = NDArray[np.float64]

# Below this log of a level, 1e-43429, a search for a threshold stops: the power is bounded by what it is there.
SMALLEST_LOG_LEVEL = -1e5


class Face(ABC):
    """One ordered pair (P, Q), known well enough to answer for its profile and its trade-off function."""

    @abstractmethod
    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the profile D at each epsilon (any real number)."""

    @abstractmethod
    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the largest power of a test of Q against P, at each log of a level."""

    @abstractmethod
    def reverse(self) -> Face:
        """The same pair in the other order (Q, P); itself where the pair is symmetric."""

    def epsilon(self, log_deltas: ArrayLike) -> Bracket:
        """The smallest epsilon >= 0 at which D is at most each delta; infinite where there is none."""
        wanted = np.asarray(log_deltas, dtype=np.float64)

        def ends(eps: Array) -> Array:
            """The lower end of the profile in the first row, the middle in the second, the upper end in the third."""
            bracket = self.log_delta(eps)
            return np.stack([bracket.lower[0], bracket.mid[1], bracket.upper[2]])

        return Bracket(*_smallest_epsilon(ends, np.stack([wanted] * 3)))


class LossDistribution(Face):
    """A pair whose privacy loss is known in law: it answers for tails as well as for the profile.

    theorems   keys of what gives the law of the loss, for the basis of a curve
    """

    theorems: ClassVar[tuple[str, ...]] = ("hockey-stick",)

    @property
    @abstractmethod
    def log_infinity(self) -> float:
        """Log of the probability under P that the loss is infinite."""

    @abstractmethod
    def log_tail(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z > t] at each loss t."""

    @abstractmethod
    def log_tail_closed(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z >= t] at each loss t."""

    def log_cdf(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z <= t] at each loss t."""
        tail = self.log_tail(losses)
        return Bracket(log1mexp(tail.upper), log1mexp(tail.mid), log1mexp(tail.lower))

    @abstractmethod
    def reverse(self) -> LossDistribution:
        """The same pair in the other order (Q, P)."""


def _smallest_epsilon(log_delta: Callable[[Array], Array], wanted: Array) -> Array:
    least = log_delta(np.full(wanted.shape, np.inf))
    reachable = least <= wanted
    # Where no epsilon is enough, search for a delta that every epsilon meets and overwrite the answer.
    target = np.where(reachable, wanted, 0.0)
    # The log of a delta is rounded, so it is aimed a hair lower; but what no epsilon goes below is enough as it stands.
    aim = target - 4 * ULP * np.where(np.isfinite(target), np.abs(target), 0.0)

    def enough(eps: Array) -> NDArray[np.bool_]:
        value = log_delta(eps)
        return np.asarray((value <= aim) | ((value <= target) & (value <= least)))

    found = smallest_true(enough, np.zeros(wanted.shape), np.full(wanted.shape, np.inf))
    return np.where(reachable, found, np.inf)
