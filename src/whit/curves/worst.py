"""The worst of several pairs of neighbours, at each question anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

from numpy.typing import ArrayLike

from whit.curves.face import LossDistribution
from whit.numerics import Bracket


@dataclass(frozen=True)
class WorstLoss(LossDistribution):
    """Several losses of which any may be the true one: each answer is the largest of theirs."""

    is_one_pair: ClassVar[bool] = False

    parts: tuple[LossDistribution, ...]

    @classmethod
    def of(cls, pairs: Sequence[LossDistribution]) -> WorstLoss:
        """The worst of these pairs, each taken both ways."""
        return cls(tuple(loss for pair in pairs for loss in (pair, pair.reverse())))

    @property
    def log_infinity(self) -> float:
        """Log of the largest probability of an infinite loss."""
        return max(part.log_infinity for part in self.parts)

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the largest profile."""
        return self._largest(lambda part: part.log_delta(epsilons))

    def log_tail(self, losses: ArrayLike) -> Bracket:
        """Log of the largest P[Z > t]."""
        return self._largest(lambda part: part.log_tail(losses))

    def log_tail_closed(self, losses: ArrayLike) -> Bracket:
        """Log of the largest P[Z >= t]."""
        return self._largest(lambda part: part.log_tail_closed(losses))

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the largest power."""
        return self._largest(lambda part: part.log_power(log_levels))

    def reverse(self) -> WorstLoss:
        """This loss: it holds every pair both ways."""
        return self

    def _largest(self, ask: Callable[[LossDistribution], Bracket]) -> Bracket:
        return reduce(lambda a, b: a.maximum(b), map(ask, self.parts))
