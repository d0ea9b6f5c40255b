"""f-differential privacy: a trade-off function that no test can beat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, ChordProfile, Curve, Face, FinitePair, GaussianLoss, Order, TradeOff, composed, copies
from whit.errors import NotImplied, require
from whit.guarantees.guarantee import Guarantee, group_size
from whit.guarantees.outer import outer_tradeoff
from whit.guarantees.properties import Known, Properties, Property
from whit.numerics import ULP, Bracket, log1mexp
from whit.theory import Basis, Direction

_WAY_OUT = "Pass a trade-off function such as lambda level: 1 - level, or a TradeOff."


@dataclass(frozen=True, repr=False)
class TradeOffGuarantee(Guarantee):
    """A promise that is a whole trade-off function, in both orders of the pair.

    Args:
        tradeoff: a face of a pair (such as TradeOff or GaussianLoss), or a function that maps a level to the smallest
            probability of a missed detection. A function is read at finitely many levels, and bounded between them by
            its convexity.
    """

    tradeoff: Face | Callable[[float], float]
    _face: Face = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        require(
            isinstance(self.tradeoff, Face) or callable(self.tradeoff),
            name="tradeoff",
            rule="must be a face of a pair or a function of the level",
            value=self.tradeoff,
            way_out=_WAY_OUT,
        )
        face = self.tradeoff if isinstance(self.tradeoff, Face) else outer_tradeoff(self.tradeoff)
        self._keep(_face=both_orders(face))
        super().__post_init__()

    def _curve(self) -> Curve:
        """The curve of the trade-off function, the better of its two orders at each point."""
        return Curve(self._face, Direction.AT_MOST, Order.PROFILE, Basis.of("trade-off-both-orders"))

    def times(self, count: int) -> Self:
        """The product of the pairs, where they are finite or Gaussian."""
        return self.restated(tradeoff=composed([self.curve()] * copies(count)).face)

    def group(self, size: int) -> Self:
        """The power, applied to itself: known in closed form for the Gaussian alone."""
        k = group_size(size)
        if k == 1:
            return self
        if isinstance(self._face, GaussianLoss):
            return self.restated(tradeoff=GaussianLoss(self._face.mu * k))
        way_out = "Convert the promise to ApproxDP or GaussianDP first."
        raise NotImplied("what a trade-off function promises to a group", "is not worked out here", self, way_out)


@dataclass(frozen=True, repr=False)
class FDP(TradeOffGuarantee):
    """f-differential privacy: no test of level a misses with probability below f(a).

    >>> print(FDP(lambda level: max(0.0, 1.0 - 2.0 * level)).power(0.05))
    power of the best test is at most 10.1 %
    """

    properties: ClassVar[Properties] = Properties(
        post_processing=Property(
            Known.YES, "A test of a function of the output is a test of the output.", "KAA22", "Remark 5.10"
        ),
        convex=Property(Known.YES, "Trade-off functions are convex.", "KAA22", "Remark 5.10"),
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


def both_orders(face: Face) -> Face:
    """The face that holds if the given one holds in both orders: the smaller power and the smaller profile."""
    if face.reverse() is face:
        return face
    pair = face.pair if isinstance(face, TradeOff) else face
    if not isinstance(pair, FinitePair):
        return BothOrders(face)
    if _symmetric(pair):  # then nothing is gained by the other order, and what is exact stays so
        return pair
    knots = np.unique(np.abs(np.append(pair.losses, 0.0)))
    log_deltas = pair.log_delta(knots).minimum(pair.reverse().log_delta(knots)).upper
    log_deltas = np.append(np.min(_log_at_zero(knots, log_deltas)), log_deltas[1:])
    return ChordProfile.oriented(knots, log_deltas, knots, log_deltas).pair()


def _symmetric(pair: FinitePair) -> bool:
    """Whether a pair is its own reverse, up to its errors; taken as it stands it is a bound in either case."""
    turned = pair.reverse()
    return (
        np.array_equal(pair.losses, turned.losses)
        and pair.log_infinity == pair.log_missing
        and bool(np.all(np.abs(pair.log_masses - turned.log_masses) <= pair.mass_error + turned.mass_error))
    )


def _log_at_zero(t: Array, log_deltas: Array) -> Array:
    """Log of what (t, delta) in both orders says of the profile at 0: (e^t - 1 + 2 delta) / (e^t + 1), rounded up."""
    above = np.logaddexp(log1mexp(-t), np.log(2) + log_deltas - t)
    log_bounds = above - np.log1p(np.exp(-t))
    rounding = ULP * (16 + 4 * np.abs(np.where(np.isfinite(log_bounds), log_bounds, 0.0)))
    return np.asarray(np.minimum(log_bounds + rounding, 0.0))


@dataclass(frozen=True)
class BothOrders(Face):
    """A face that holds for (P, Q) and for (Q, P) alike."""

    face: Face

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the smaller profile."""
        return self.face.log_delta(epsilons).minimum(self.face.reverse().log_delta(epsilons))

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the smaller power."""
        return self.face.log_power(log_levels).minimum(self.face.reverse().log_power(log_levels))

    def reverse(self) -> BothOrders:
        """This face: it holds in both orders."""
        return self
