"""Trade-off functions as promises: f-differential privacy, where f may be a Python function, and the Gaussian one.

A Python function is read at finitely many levels, and bounded from outside by its convexity.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import (
    Array,
    ChordProfile,
    Curve,
    Face,
    FinitePair,
    GaussianLoss,
    Order,
    TradeOff,
    chained,
    composed,
    copies,
    identical,
)
from whit.errors import require
from whit.guarantees.guarantee import Guarantee, Known, Properties, Property, group_size, product_up, root_of_squares_up
from whit.numerics import ULP, Bracket, distinct, finite_nonnegative, log1mexp, probability
from whit.setting import Parameter
from whit.theory import Basis, Direction

_TRADE_OFF = "Pass a convex function that falls to 0 at level 1 and is never above 1 - level."

# Where the function is read: evenly in the middle, and evenly in the logarithm towards both ends.
_NEAR_AN_END = 0.5 * np.exp(-np.linspace(0.0, 27.0, 240))
LEVELS = distinct(np.concatenate([_NEAR_AN_END, 1.0 - _NEAR_AN_END, np.linspace(0.0, 1.0, 201)]))
# What rounding may do to a value of the function: this much is added, and what is wrong by more is refused.
ABSOLUTE = 2.0**-48
RELATIVE = 1e-12
TOLERANCE = 1e-9


def outer_tradeoff(function: Callable[[float], float]) -> TradeOff:
    """A trade-off function whose power is nowhere below that of the given one.

    >>> line = outer_tradeoff(lambda level: 1.0 - level)
    >>> round(float(np.exp(line.log_power(np.log(0.25)).upper)), 9)
    0.25
    """
    powers = np.array(
        [1.0 - probability("a value of the trade-off function", function(x), _TRADE_OFF) for x in LEVELS.tolist()]
    )
    _require_tradeoff(powers)
    meetings, heights = _meeting_points(powers)
    raised = np.append(powers, heights) * (1 + RELATIVE) + ABSOLUTE
    return TradeOff.through(*_cut_at_one(np.append(LEVELS, meetings), raised))


def _cut_at_one(levels: Array, powers: Array) -> tuple[Array, Array]:
    """The line through the points as far as it lies below 1, and the level at which it reaches 1.

    That level counts as well: with the two datasets exchanged, what it lacks to 1 is an infinite loss.
    """
    order = np.argsort(levels, kind="stable")
    x, y = levels[order], powers[order]
    first = int(np.argmax(y >= 1.0))
    if y[first] < 1.0 or first == 0:
        return x, np.minimum(y, 1.0)
    before = first - 1
    reached = x[before] + (x[first] - x[before]) * ((1.0 - y[before]) / (y[first] - y[before]))
    return np.append(x, reached), np.append(np.minimum(y, 1.0), 1.0)


def _meeting_points(powers: Array) -> tuple[Array, Array]:
    """For each interval the point where the chords on its two sides meet; at the ends there is one chord only."""
    slopes = np.diff(powers) / np.diff(LEVELS)
    left, right = slopes[:-2], slopes[2:]
    start, stop = LEVELS[1:-2], LEVELS[2:-1]
    bend = np.maximum(left - right, 0.0)
    rise = powers[2:-1] - powers[1:-2] - right * (stop - start)
    share = np.where(bend > 0.0, rise / np.where(bend > 0.0, bend, 1.0), 0.0)
    meetings = np.clip(start + share, start, stop)
    heights = powers[1:-2] + left * (meetings - start)
    first = powers[1] - slopes[1] * LEVELS[1]
    last = powers[-2] + slopes[-2] * (1.0 - LEVELS[-2])
    return np.concatenate([[0.0], meetings, [1.0]]), np.concatenate([[max(first, 0.0)], heights, [last]])


def _require_tradeoff(powers: Array) -> None:
    hull = np.exp(TradeOff.through(LEVELS, powers).log_power(np.log(LEVELS[1:])).mid)
    for holds, rule in (
        (powers[-1] >= 1.0 - TOLERANCE, "must be 0 at level 1"),
        (np.all(powers >= LEVELS - TOLERANCE), "must be at most 1 - level"),
        (np.all(np.diff(powers) >= -TOLERANCE), "must not rise with the level"),
        (np.all(hull <= powers[1:] + TOLERANCE), "must be convex"),
    ):
        require(bool(holds), name="a trade-off function", rule=rule, value="one that does not", way_out=_TRADE_OFF)


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

    def added_up(self, count: int) -> Self:
        """The product of the pairs, where they are finite or Gaussian."""
        return self.restated(tradeoff=composed([self.curve()] * copies(count)).face)

    def group(self, size: int) -> Self:
        """The power, applied to itself: in closed form for Gaussian and Laplace noise, else by a profile above it."""
        k = group_size(size)
        return self if k == 1 else self.restated(tradeoff=chained([(self._face,)] * k))


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
            Known.NO,
            "Whoever chooses between two curves that cross, by what came out before, exceeds what both of them keep.",
            "TKRH26",
            "the natural filter, which is invalid",
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

    def renyi(self, excesses: Array) -> Bracket:
        """The smaller divergence."""
        return self.face.renyi(excesses).minimum(self.face.reverse().renyi(excesses))

    def reverse(self) -> BothOrders:
        """This face: it holds in both orders."""
        return self


MU_WAY_OUT = "It is the sensitivity divided by the standard deviation of the noise; use a number such as 1."


@dataclass(frozen=True, repr=False)
class GaussianDP(Guarantee):
    """mu-Gaussian differential privacy: tests have at most the power that they have between N(0, 1) and N(mu, 1).

    >>> print(GaussianDP(1.0).power(0.05))
    power of the best test is at most 26 %
    """

    properties: ClassVar[Properties] = Properties(
        post_processing=Property(
            Known.YES,
            "A test of a function of the output is a test of the output.",
            "DRS22",
            "Lemma 2.9 of the preprint",
        ),
        convex=Property(Known.YES, "Its trade-off function is convex.", "KAA22", "Remark 5.10"),
        adaptive_composition=Property(
            Known.YES, "The squares of the mus add up.", "DRS22", "Corollary 3.3 of the preprint"
        ),
        fully_adaptive_composition=Property(
            Known.YES,
            "The squares of the mus add up along every history within a total.",
            "ST22",
            "the main theorem",
        ),
    )

    parameter: ClassVar[Parameter] = Parameter(
        "mu", "mu", "NUMBER", "Gaussian differential privacy with this mu.", rising=True, bounded=False
    )

    mu: float

    def __post_init__(self) -> None:
        self._keep(mu=finite_nonnegative("mu", self.mu, MU_WAY_OUT))
        super().__post_init__()

    def _curve(self) -> Curve:
        """The curve of the Gaussian pair."""
        face = GaussianLoss(self.mu) if self.mu > 0.0 else identical()
        return Curve(face, Direction.AT_MOST, Order.PROFILE, Basis.of("gaussian-differential-privacy"))

    def added_up(self, count: int) -> GaussianDP:
        """The squares of the mus add up."""
        return self.restated(mu=root_of_squares_up([self.mu], copies(count)))

    def group(self, size: int) -> GaussianDP:
        """Mu times the size of the group."""
        return self.restated(mu=product_up(group_size(size), self.mu))
