"""pbdp: no processed output of probability delta raises the odds by more than e^epsilon; at a point, or as a curve.

(epsilon, delta)-pbdp: every test whose level is at most delta e^{-epsilon} has power at most delta. A point alone is
not convex; the whole curve is, and says the same as the trade-off function.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, Curve, Face, FinitePair, Order
from whit.errors import NotImplied, require
from whit.guarantees.epsilon_delta import DELTA_WAY_OUT, PointGuarantee, dominating_pair, log_tail_of_point
from whit.guarantees.fdp import TradeOffGuarantee
from whit.guarantees.guarantee import Known, Properties, Property, capped
from whit.numerics import ULP, Bracket, log1mexp
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding

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
        return capped(super()._bounded_delta(epsilons), epsilons, self.stated_epsilon, self.stated_delta)

    def _tail(self, losses: ArrayLike) -> Finding:
        """The probability that the loss exceeds each threshold; at most delta from the stated epsilon on."""
        return self._cut(super()._tail(losses), losses)

    def chances_beyond(self, losses: Array, *, sides: int = 1, neighbours: Neighbours | None = None) -> Array:
        """The numbers of `beyond`, which is cut at what is stated."""
        return np.asarray(self.beyond(losses, sides=sides, neighbours=neighbours).value)

    def added_up(self, count: int) -> NoReturn:
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
            Known.NO,
            "Whoever chooses between two curves that cross, by what came out before, exceeds what both of them keep.",
            "TKRH26",
            "the natural filter, which is invalid",
        ),
    )
