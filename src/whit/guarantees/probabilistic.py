"""Probabilistic differential privacy: the privacy loss exceeds epsilon with probability at most delta."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, Curve, copies
from whit.guarantees.dominating import dominating_curve, log_tail_of_point
from whit.guarantees.guarantee import group_size
from whit.guarantees.point import PointGuarantee
from whit.guarantees.properties import Known, Properties, Property
from whit.guarantees.sums import group_delta_up, product_up
from whit.setting import Neighbours, one_or_two
from whit.theory import Basis, Finding


@dataclass(frozen=True, repr=False, init=False)
class ProbabilisticDP(PointGuarantee):
    """(epsilon, delta)-probabilistic differential privacy, about one side of the loss or about both.

    With sides=1 the promise is P[Z > epsilon] <= delta, with sides=2 it is P[|Z| > epsilon] <= delta; in both orders
    of the pair.

    >>> print(ProbabilisticDP(1.0, 1e-5).tail(1.0))
    probability that the privacy loss exceeds the threshold is at most 1e-5
    """

    properties: ClassVar[Properties] = Properties(
        post_processing=Property(
            Known.NO,
            "Two outputs, of which one has a large loss, can be merged into one likely output of large loss.",
            "KAA22",
            "Example 4.9",
        ),
        convex=Property(
            Known.NO,
            "An output of loss just below epsilon in one part is lifted above it by a rare output of the other.",
            "KAA22",
            "section 4.2; compare Example 5.8",
        ),
        adaptive_composition=Property(
            Known.YES,
            "Losses add up where none of them fails, and failures add up at most.",
            "KSZJY25",
            "Definition 2.4",
        ),
        fully_adaptive_composition=Property(
            Known.UNKNOWN, "We know of no published statement either way.", "KAA22", "section 4.2"
        ),
    )

    sides: int

    def __init__(
        self, epsilon: float, delta: float, *, sides: int = 2, neighbours: Neighbours = Neighbours.ADD_REMOVE
    ) -> None:
        self._keep(sides=one_or_two(sides))
        super().__init__(epsilon, delta, neighbours=neighbours)

    def _curve(self) -> Curve:
        """The curve of (epsilon, delta)-differential privacy, which follows."""
        return dominating_curve(self.stated_epsilon, self.stated_delta, "probabilistic-to-approximate")

    def _log_tail(self, t: Array) -> tuple[Array, Basis]:
        with np.errstate(divide="ignore"):
            log_delta = np.log(self.stated_delta)
        from_profile = log_tail_of_point(self.stated_epsilon, self.stated_delta, t)
        bound = np.where(t >= self.stated_epsilon, np.minimum(log_delta, from_profile), from_profile)
        return bound, Basis.of("loss-tail", "probabilistic-to-approximate", "tail-from-profile")

    def _tail(self, losses: ArrayLike) -> Finding:
        """The probability that the loss exceeds each threshold; at most delta from the stated epsilon on."""
        return self._cut(super()._tail(losses), losses)

    def _two_sided_tail(self, losses: ArrayLike) -> Finding:
        """The probability that the loss is beyond each threshold; a promise about both sides says at most delta."""
        answer = super()._two_sided_tail(losses)
        return self._cut(answer, losses) if self.sides == 2 else answer

    def one_sided(self) -> ProbabilisticDP:
        """The promise about one side, which a promise about both implies as it stands."""
        return self.restated(sides=1)

    def two_sided(self) -> ProbabilisticDP:
        """The promise about both sides: the far side adds at most e^{-epsilon} times the near one."""
        if self.sides == 2:
            return self
        delta = min(1.0, float(np.nextafter(self.stated_delta * (1 + np.exp(-self.stated_epsilon)) * (1 + 1e-15), 2)))
        return self.restated(delta=delta if self.stated_delta > 0.0 else 0.0, sides=2)

    def times(self, count: int) -> ProbabilisticDP:
        """Epsilons and deltas add up: where no loss exceeds its epsilon, their sum does not exceed the sum."""
        k = copies(count)
        delta = min(1.0, product_up(k, self.stated_delta))
        return self.restated(epsilon=product_up(k, self.stated_epsilon), delta=delta)

    def group(self, size: int) -> ProbabilisticDP:
        """As for approximate differential privacy: epsilon times the size, delta by going from record to record."""
        k = group_size(size)
        delta = group_delta_up(k, self.stated_epsilon, self.stated_delta)
        return self.restated(epsilon=product_up(k, self.stated_epsilon), delta=delta)
