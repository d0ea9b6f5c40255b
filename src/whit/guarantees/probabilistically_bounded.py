"""Probabilistically-bounded differential privacy (pbdp): a tail of the loss, made proof against processing.

(epsilon, delta)-pbdp: every test whose level is at most delta e^{-epsilon} has power at most delta. A point alone is
not convex; the whole curve is, and says the same as the trade-off function.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, Curve, Order
from whit.errors import NotImplied, require
from whit.guarantees.bounded_face import BoundedPointFace
from whit.guarantees.dominating import log_tail_of_point
from whit.guarantees.fdp import TradeOffGuarantee
from whit.guarantees.point import DELTA_WAY_OUT, PointGuarantee
from whit.guarantees.properties import Known, Properties, Property
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding

_WAY_OUT = "Convert the point to ApproxDP, or state the whole curve."


@dataclass(frozen=True, repr=False, init=False)
class ProbabilisticallyBoundedDP(PointGuarantee):
    """One point of pbdp: every test of level at most delta e^{-epsilon} has power at most delta, in both orders.

    >>> print(ProbabilisticallyBoundedDP(1.0, 0.02).tail(1.0))
    probability that the privacy loss exceeds the threshold is at most 2 %
    """

    properties: ClassVar[Properties] = Properties(
        post_processing=Property(
            Known.YES, "A test of a function of the output is a test of the output.", "KAA22", "Definition 5.5"
        ),
        convex=Property(
            Known.NO,
            "Half randomized response, half a release that names one dataset breaks it.",
            "KAA22",
            "Example 5.8",
        ),
        adaptive_composition=Property(
            Known.NO, "Mixing is a case of it, and mixing breaks the same point.", "KAA22", "Example 5.8"
        ),
        fully_adaptive_composition=Property(
            Known.NO, "Mixing is a case of it, and mixing breaks the same point.", "KAA22", "Example 5.8"
        ),
    )

    def __post_init__(self) -> None:
        require(
            self.stated_delta > 0.0,
            name="delta",
            rule="must be above 0 for pbdp, where 0 would say nothing of epsilon",
            value=self.stated_delta,
            way_out=DELTA_WAY_OUT,
        )
        super().__post_init__()

    def _curve(self) -> Curve:
        """The curve of the bounds that the concavity of the power gives."""
        face = BoundedPointFace(self.stated_epsilon, self.stated_delta)
        return Curve(face, Direction.AT_MOST, Order.PROFILE, Basis.of("bounded-point-to-approximate"))

    def composable(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve of the finite pair that stays above those bounds."""
        stated = self.under(neighbours)
        face = BoundedPointFace(stated.stated_epsilon, stated.stated_delta)
        return Curve(face.pair(), Direction.AT_MOST, Order.PROFILE, Basis.of("bounded-point-to-approximate"))

    def _log_tail(self, t: Array) -> tuple[Array, Basis]:
        point = BoundedPointFace(self.stated_epsilon, self.stated_delta).approximate()
        from_profile = log_tail_of_point(*point, t)
        promised = np.where(t >= self.stated_epsilon, np.log(self.stated_delta), 0.0)
        keys = ("bounded-point-tail", "bounded-point-to-approximate", "tail-from-profile")
        return np.minimum(from_profile, promised), Basis.of(*keys)

    def _bounded_delta(self, epsilons: ArrayLike) -> Finding:
        """The smallest delta of pbdp at each epsilon; at most the stated one from the stated epsilon on."""
        return self._capped(super()._bounded_delta(epsilons), epsilons, self.stated_epsilon, self.stated_delta)

    def _tail(self, losses: ArrayLike) -> Finding:
        """The probability that the loss exceeds each threshold; at most delta from the stated epsilon on."""
        return self._cut(super()._tail(losses), losses)

    def times(self, count: int) -> NoReturn:
        """Refused: a point of pbdp does not compose to a point of pbdp by any rule that is known."""
        raise NotImplied("the composition of a point of pbdp", "follows from no rule of its own", self, _WAY_OUT)

    def group(self, size: int) -> NoReturn:
        """Refused: what a point promises to a group is not known."""
        raise NotImplied("what a point of pbdp promises to a group", "follows from no rule of its own", self, _WAY_OUT)


@dataclass(frozen=True, repr=False)
class ProbabilisticallyBoundedCurve(TradeOffGuarantee):
    """A whole curve of pbdp: the power of tests at every level, and with it an epsilon for every delta.

    >>> from whit.curves import GaussianLoss
    >>> print(ProbabilisticallyBoundedCurve(GaussianLoss(1.0)).power(0.05))
    power of the best test is at most 26 %
    """

    properties: ClassVar[Properties] = Properties(
        post_processing=Property(
            Known.YES, "A test of a function of the output is a test of the output.", "KAA22", "Remark 5.10"
        ),
        convex=Property(Known.YES, "The whole curve is a trade-off function, which is convex.", "KAA22", "Remark 5.10"),
        adaptive_composition=Property(
            Known.YES, "Trade-off functions compose by their product.", "DRS22", "Theorem 3.2 of the preprint"
        ),
        fully_adaptive_composition=Property(
            Known.UNKNOWN,
            "For trade-off functions in general we know of no published statement.",
            "KAA22",
            "section 4.2",
        ),
    )
