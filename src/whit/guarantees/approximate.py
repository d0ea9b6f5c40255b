"""Approximate differential privacy: P(S) <= e^epsilon Q(S) + delta for every event S."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from whit.curves import Array, Curve, copies
from whit.guarantees.dominating import dominating_curve, log_tail_of_point
from whit.guarantees.guarantee import group_size
from whit.guarantees.point import PointGuarantee
from whit.guarantees.properties import Known, Properties, Property
from whit.guarantees.sums import group_delta_up, product_up
from whit.setting import Neighbours, Parameter
from whit.theory import Basis


@dataclass(frozen=True, repr=False, init=False)
class ApproxDP(PointGuarantee):
    """(epsilon, delta)-differential privacy.

    >>> print(ApproxDP(1.0, 1e-5).power(0.05))
    power of the best test is at most 13.6 %
    """

    properties: ClassVar[Properties] = Properties(
        post_processing=Property(
            Known.YES,
            "What bounds every event of the output bounds every event of a function of it.",
            "KAA22",
            "s. 4.2",
        ),
        convex=Property(Known.YES, "The bound is linear in the two probabilities of an event.", "KAA22", "s. 4.2"),
        adaptive_composition=Property(Known.YES, "Epsilons and deltas add up.", "KSZJY25", "Theorem 2.8(1)"),
        fully_adaptive_composition=Property(
            Known.YES,
            "Epsilons and deltas add up along every history that keeps to a total.",
            "RRUV16",
            "the filter of basic composition",
        ),
    )

    parameter: ClassVar[Parameter] = Parameter(
        "epsilon",
        "epsilon",
        "NUMBER",
        "Differential privacy with this epsilon; pure, unless there is a delta.",
        rising=True,
        bounded=False,
        beside=("delta",),
    )

    power_theorem: ClassVar[str] = "power-under-approximate"

    def corner(self, neighbours: Neighbours | None = None) -> float:
        """The stated epsilon, from which on delta is the stated one."""
        return self.under(neighbours).stated_epsilon

    def _curve(self) -> Curve:
        """The curve of the coin that gives itself away with probability delta, which has the largest profile."""
        return dominating_curve(self.stated_epsilon, self.stated_delta)

    def _log_tail(self, t: Array) -> tuple[Array, Basis]:
        bound = log_tail_of_point(self.stated_epsilon, self.stated_delta, t)
        if self.stated_delta == 0.0:  # no event may exceed e^epsilon, so no loss exceeds epsilon
            bound = np.where(t >= self.stated_epsilon, -np.inf, bound)
        return bound, Basis.of("dominating-randomized-response", "tail-from-profile")

    def times(self, count: int) -> ApproxDP:
        """Epsilons and deltas add up."""
        k = copies(count)
        delta = min(1.0, product_up(k, self.stated_delta))
        return self.restated(epsilon=product_up(k, self.stated_epsilon), delta=delta)

    def group(self, size: int) -> ApproxDP:
        """Epsilon times the size, and delta times (e^{size epsilon} - 1)/(e^epsilon - 1): one step for each record."""
        k = group_size(size)
        delta = group_delta_up(k, self.stated_epsilon, self.stated_delta)
        return self.restated(epsilon=product_up(k, self.stated_epsilon), delta=delta)
