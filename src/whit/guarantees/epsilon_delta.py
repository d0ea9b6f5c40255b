"""Promises by epsilon, or by epsilon and delta: pure, approximate and probabilistic differential privacy.

The worst pair for a point (epsilon, delta) is randomized response that may give itself away: with probability delta the
output names the dataset, otherwise it is a coin of bias e^epsilon. No pair with P(S) <= e^epsilon Q(S) + delta in
both orders has a larger profile anywhere (theorem dominating-randomized-response).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import EPSILON, Array, Curve, FinitePair, Order, copies, identical
from whit.guarantees.guarantee import (
    Guarantee,
    Known,
    Properties,
    Property,
    capped,
    group_delta_up,
    group_size,
    product_up,
)
from whit.numerics import ULP, finite_nonnegative, log1mexp, probability, probability_array
from whit.setting import Neighbours, Parameter, one_or_two
from whit.theory import Basis, Direction, Finding, echo


def dominating_pair(epsilon: float, delta: float = 0.0) -> FinitePair:
    """The pair of a coin of bias e^epsilon, and of infinite loss with probability delta."""
    if epsilon == delta == 0.0:
        return identical()
    with np.errstate(divide="ignore"):
        log_delta, log_rest = float(np.log(delta)), float(np.log1p(-delta))
    losses = np.array([-epsilon, epsilon] if epsilon > 0.0 else [0.0])
    coin = -np.logaddexp(0.0, -losses) if epsilon > 0.0 else np.zeros(1)
    if delta == 1.0:
        losses = coin = np.zeros(0)
        log_rest = 0.0
    # The log of each mass is rounded once for the coin and once for the rest: a few units of its size.
    error = float(ULP * (8 - 4 * log_rest) + 4 * ULP * epsilon)
    return FinitePair(losses, coin + log_rest, log_delta, log_delta, mass_error=error, symmetric=True)


@lru_cache(maxsize=64)
def dominating_curve(epsilon: float, delta: float, *keys: str) -> Curve:
    """The curve of that pair: an upper bound in the order of the profile."""
    pair = dominating_pair(epsilon, delta)
    return Curve(pair, Direction.AT_MOST, Order.PROFILE, Basis.of("dominating-randomized-response", *keys))


def log_tail_of_point(epsilon: float, delta: float, t: Array) -> Array:
    """Log of the best bound on P[Z > t] that (epsilon, delta) in both orders gives (theorem tail-from-approximate).

    D(e)/(1 - e^{e-t}) is a ratio of two linear functions of e^e between the knots -epsilon and epsilon of the profile,
    so it is smallest at one of the knots below t.
    """
    with np.errstate(divide="ignore"):
        log_delta = np.log(delta)
        log_below = np.logaddexp(log1mexp(-epsilon), log_delta - epsilon)  # D(-epsilon)
    bounds = [_quotient(log_below, -epsilon, t), _quotient(log_delta, epsilon, t)]
    lowest = np.minimum(np.minimum(*bounds), 0.0)
    rounding = ULP * (16 + 4 * np.where(np.isfinite(lowest), np.abs(lowest), 0.0))
    return np.minimum(lowest + rounding, 0.0)


def _quotient(log_numerator: float, knot: float, t: Array) -> Array:
    """Log of D(knot) / (1 - e^{knot-t}) where t lies above the knot, and 0 elsewhere."""
    above = t > knot
    with np.errstate(over="ignore"):
        gap = np.where(above, np.minimum(knot - t, -5e-324), -1.0)
    return np.where(above, log_numerator - log1mexp(gap), 0.0)


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
        return capped(super()._bounded_delta(epsilons), epsilons, self.stated_epsilon, 0.0)

    def added_up(self, count: int) -> PureDP:
        """Epsilons add up."""
        return self.restated(epsilon=product_up(copies(count), self.stated_epsilon))

    def group(self, size: int) -> PureDP:
        """Epsilon times the size of the group: one step from record to record each."""
        return self.restated(epsilon=product_up(group_size(size), self.stated_epsilon))


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
        return capped(super()._delta(epsilons), epsilons, self.stated_epsilon, self.stated_delta)

    def _epsilon(self, deltas: ArrayLike) -> Finding:
        """The smallest epsilon that is promised at each delta; at most the stated one from the stated delta on."""
        return capped(super()._epsilon(deltas), deltas, self.stated_delta, self.stated_epsilon)

    def corner(self, neighbours: Neighbours | None = None) -> float:
        """The stated epsilon, from which on delta is at most the stated one."""
        return self.under(neighbours).stated_epsilon

    def _cut(self, tail: Finding, losses: ArrayLike) -> Finding:
        """The tail of a promise that states it: at most delta from the stated epsilon on."""
        return capped(tail, losses, self.stated_epsilon, self.stated_delta)


class AddingPoint(PointGuarantee):
    """A promise by epsilon and delta: both add up, and it goes from record to record of a group."""

    def added_up(self, count: int) -> Self:
        """Epsilons and deltas add up."""
        k = copies(count)
        delta = min(1.0, product_up(k, self.stated_delta))
        return self.restated(epsilon=product_up(k, self.stated_epsilon), delta=delta)

    def group(self, size: int) -> Self:
        """Epsilon times the size, and delta times (e^{size epsilon} - 1)/(e^epsilon - 1): one step for each record."""
        k = group_size(size)
        delta = group_delta_up(k, self.stated_epsilon, self.stated_delta)
        return self.restated(epsilon=product_up(k, self.stated_epsilon), delta=delta)


@dataclass(frozen=True, repr=False, init=False)
class ApproxDP(AddingPoint):
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
            "Epsilons and deltas add up along every history within a total.",
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

    def _curve(self) -> Curve:
        """The curve of the coin that gives itself away with probability delta, which has the largest profile."""
        return dominating_curve(self.stated_epsilon, self.stated_delta)

    def _log_tail(self, t: Array) -> tuple[Array, Basis]:
        bound = log_tail_of_point(self.stated_epsilon, self.stated_delta, t)
        if self.stated_delta == 0.0:  # no event may exceed e^epsilon, so no loss exceeds epsilon
            bound = np.where(t >= self.stated_epsilon, -np.inf, bound)
        return bound, Basis.of("dominating-randomized-response", "tail-from-profile")


@dataclass(frozen=True, repr=False, init=False)
class ProbabilisticDP(AddingPoint):
    """(epsilon, delta)-probabilistic differential privacy, about one side of the loss or about both.

    With sides=1 the promise is P[Z > epsilon] <= delta, with sides=2 it is P[|Z| > epsilon] <= delta; in both orders
    of the pair.

    >>> print(ProbabilisticDP(1.0, 1e-5).tail(1.0))
    probability that the privacy loss exceeds the threshold is at most 1e-5
    """

    properties: ClassVar[Properties] = Properties(
        post_processing=Property(
            Known.NO,
            "Two outputs, one with a large loss, can be merged into one likely output of large loss.",
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
            Known.YES,
            "On every path within a total, losses add up where none fails, and failures add up at most.",
            "RRUV16",
            "compare the filter of basic composition; proved as sum-filter",
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

    def chances_beyond(self, losses: Array, *, sides: int = 1, neighbours: Neighbours | None = None) -> Array:
        """The numbers of `beyond`, which is cut at what is stated."""
        return np.asarray(self.beyond(losses, sides=sides, neighbours=neighbours).value)

    def one_sided(self) -> ProbabilisticDP:
        """The promise about one side, which a promise about both implies as it stands."""
        return self.restated(sides=1)

    def two_sided(self) -> ProbabilisticDP:
        """The promise about both sides: the far side adds at most e^{-epsilon} times the near one."""
        if self.sides == 2:
            return self
        delta = min(1.0, float(np.nextafter(self.stated_delta * (1 + np.exp(-self.stated_epsilon)) * (1 + 1e-15), 2)))
        return self.restated(delta=delta if self.stated_delta > 0.0 else 0.0, sides=2)
