"""Pure differential privacy: no outcome is more than e^epsilon times as likely on one dataset as on its neighbour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import EPSILON, Array, Curve, copies
from whit.guarantees.dominating import dominating_curve, log_tail_of_point
from whit.guarantees.guarantee import Guarantee, group_size
from whit.guarantees.properties import Known, Properties, Property
from whit.guarantees.sums import product_up
from whit.numerics import finite_nonnegative, probability_array
from whit.setting import Neighbours, Parameter
from whit.theory import Basis, Direction, Finding, echo

EPSILON_WAY_OUT = "Use a number such as 1; 0 promises that the release does not depend on the record at all."


@dataclass(frozen=True, repr=False, init=False)
class PureDP(Guarantee):
    """epsilon-differential privacy: the privacy loss never exceeds epsilon.

    >>> print(PureDP(1.0).power(0.05))
    power of the best test is at most 13.6 %
    """

    properties: ClassVar[Properties] = Properties(
        post_processing=Property(
            Known.YES,
            "What bounds every event of the output bounds every event of a function of it.",
            "KAA22",
            "s. 4.2",
        ),
        convex=Property(
            Known.YES, "The ratio of two mixtures is at most the largest of the ratios.", "KAA22", "s. 4.2"
        ),
        adaptive_composition=Property(Known.YES, "Losses add up, and so do their bounds.", "KSZJY25", "Theorem 2.8(1)"),
        fully_adaptive_composition=Property(
            Known.YES,
            "Along every history the epsilons spent so far add up.",
            "RRUV16",
            "the filter of basic composition",
        ),
    )

    power_theorem: ClassVar[str] = "power-under-pure"
    parameter: ClassVar[Parameter] = Parameter(
        "epsilon",
        "epsilon",
        "NUMBER",
        "Differential privacy with this epsilon; pure, unless there is a delta.",
        rising=True,
        bounded=True,
    )

    stated_epsilon: float

    def __init__(self, epsilon: float, *, neighbours: Neighbours = Neighbours.ADD_REMOVE) -> None:
        self._keep(stated_epsilon=finite_nonnegative("epsilon", epsilon, EPSILON_WAY_OUT), neighbours=neighbours)
        self.__post_init__()

    def _curve(self) -> Curve:
        """The curve of randomized response, which has the largest profile."""
        return dominating_curve(self.stated_epsilon, 0.0)

    def _log_tail(self, t: Array) -> tuple[Array, Basis]:
        bound = np.where(t >= self.stated_epsilon, -np.inf, log_tail_of_point(self.stated_epsilon, 0.0, t))
        return bound, Basis.of("dominating-randomized-response", "tail-from-profile")

    def sure_loss(self, neighbours: Neighbours | None = None) -> Finding:
        """The stated epsilon: the loss never exceeds it."""
        epsilon, inputs = self.under(neighbours).stated_epsilon, {"promise": self}
        return Finding(EPSILON, epsilon, Direction.AT_MOST, inputs, Basis.of("pure-is-probabilistic"))

    def corner(self, neighbours: Neighbours | None = None) -> float:
        """The stated epsilon, at which delta is 0."""
        return self.under(neighbours).stated_epsilon

    def _epsilon(self, deltas: ArrayLike) -> Finding:
        """The smallest epsilon that is promised at each delta; at delta 0 it is the stated one."""
        wanted = probability_array("deltas", deltas, "Use values such as 1e-6.")
        if np.any(wanted > 0.0):
            return super()._epsilon(deltas)
        stated = np.full(wanted.shape, self.stated_epsilon)
        inputs = {"deltas": echo(deltas), "orientation": "WORST", "promise": self}
        return Finding(EPSILON, stated, Direction.AT_MOST, inputs, self.curve().basis | Basis.of("hockey-stick"))

    def _bounded_delta(self, epsilons: ArrayLike) -> Finding:
        """The smallest delta of pbdp at each epsilon; 0 from the stated epsilon on."""
        return self._capped(super()._bounded_delta(epsilons), epsilons, self.stated_epsilon, 0.0)

    def times(self, count: int) -> PureDP:
        """Epsilons add up."""
        return self.restated(epsilon=product_up(copies(count), self.stated_epsilon))

    def group(self, size: int) -> PureDP:
        """Epsilon times the size of the group: one step from record to record each."""
        return self.restated(epsilon=product_up(group_size(size), self.stated_epsilon))
