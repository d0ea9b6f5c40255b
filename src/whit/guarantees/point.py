"""Promises that are stated as one point: a bound epsilon, and a probability delta with which it may fail."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from whit.guarantees.guarantee import Guarantee
from whit.guarantees.pure import EPSILON_WAY_OUT
from whit.numerics import finite_nonnegative, probability
from whit.setting import Neighbours
from whit.theory import Finding

DELTA_WAY_OUT = "Use a small number such as 1e-6."


@dataclass(frozen=True, repr=False, init=False)
class PointGuarantee(Guarantee):
    """A promise with two parameters, epsilon and delta; kept as stated_epsilon and stated_delta."""

    stated_epsilon: float
    stated_delta: float

    def __init__(self, epsilon: float, delta: float, *, neighbours: Neighbours = Neighbours.ADD_REMOVE) -> None:
        self._keep(
            stated_epsilon=finite_nonnegative("epsilon", epsilon, EPSILON_WAY_OUT),
            stated_delta=probability("delta", delta, DELTA_WAY_OUT),
            neighbours=neighbours,
        )
        self.__post_init__()

    def _delta(self, epsilons: ArrayLike) -> Finding:
        """The smallest delta that is promised at each epsilon; at most the stated one from the stated epsilon on."""
        return self._capped(super()._delta(epsilons), epsilons, self.stated_epsilon, self.stated_delta)

    def _cut(self, tail: Finding, losses: ArrayLike) -> Finding:
        """The tail of a promise that states it: at most delta from the stated epsilon on."""
        found = self._capped(tail, losses, self.stated_epsilon, self.stated_delta)
        assert isinstance(found, Finding)
        return found
