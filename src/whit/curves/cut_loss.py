"""Symmetric losses on a lattice without end, of which all but a negligible part is listed.

What is cut off on both sides counts as an infinite loss in the upper end of every answer, and as nothing in the lower.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.face import LossDistribution
from whit.curves.finite import FinitePair
from whit.numerics import Bracket


class CutLoss(LossDistribution):
    """A loss that is known between two lists of atoms."""

    @property
    @abstractmethod
    def atoms(self) -> tuple[FinitePair, FinitePair]:
        """The atoms without and with what was cut off, which then counts as an infinite loss."""

    @property
    def log_infinity(self) -> float:
        """Minus infinity: every outcome is possible on both datasets."""
        return -np.inf

    @property
    def log_cut(self) -> float:
        """Log of the probability that was cut off, an upper bound."""
        return self.atoms[1].log_infinity

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the profile."""
        below, above = self.atoms
        return _between(below.log_delta(epsilons), above.log_delta(epsilons))

    def epsilon(self, log_deltas: ArrayLike) -> Bracket:
        """The smallest epsilon >= 0 at which D is at most each delta; none is enough for a delta of 0."""
        wanted = np.asarray(log_deltas, dtype=np.float64)
        none = np.isneginf(wanted)
        found = super().epsilon(np.where(none, 0.0, wanted))
        return Bracket(*(np.where(none, np.inf, end) for end in (found.lower, found.mid, found.upper)))

    def log_tail(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z > t]."""
        below, above = self.atoms
        return _between(below.log_tail(losses), above.log_tail(losses))

    def log_tail_closed(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z >= t]."""
        below, above = self.atoms
        return _between(below.log_tail_closed(losses), above.log_tail_closed(losses))

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the power; the level 0 has none, since no outcome is impossible."""
        levels = np.asarray(log_levels, dtype=np.float64)
        below, above = self.atoms
        inside = _between(below.log_power(levels), above.log_power(levels))
        none = np.isneginf(levels)
        return Bracket(*(np.where(none, -np.inf, end) for end in (inside.lower, inside.mid, inside.upper)))

    def reverse(self) -> Self:
        """This loss: the noise is symmetric."""
        return self


def _between(below: Bracket, above: Bracket) -> Bracket:
    return Bracket(below.lower, below.mid, above.upper)
