"""Bounded range: the losses of a release lie within an interval of width epsilon, wherever that interval is.

This is what the exponential mechanism keeps. It says more than epsilon-differential privacy, which allows losses from
-epsilon to epsilon: the odds of the power of a test are at most e^epsilon times those of its level.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import EPSILON, Array, Curve, Face, FinitePair, LogisticPair, Order, copies, identical
from whit.errors import TooCostly
from whit.guarantees.epsilon_delta import EPSILON_WAY_OUT, dominating_pair
from whit.guarantees.guarantee import Guarantee, Known, Properties, Property, capped, group_size, product_up
from whit.guarantees.renyi_face import RenyiFace
from whit.guarantees.renyi_orders import Concentrated, conversion_at
from whit.numerics import ULP, Bracket, count, finite_nonnegative, log1mexp, nearest_up
from whit.setting import Neighbours, Parameter
from whit.theory import Basis, Direction, Finding

# Below this the log of sinh(x/2)/(x/2) is taken from its series, of which so many terms are kept.
NEAR = 1.0
TERMS = 9
# The product of the pairs of all releases has at most so many sums. Where a range has fewer steps, it is not made.
MOST_SUMS = 4096
FEWEST_STEPS = 16
MOST_STEPS = 64
_RELEASES = "Use the number of releases, such as 12."


def range_divergence(epsilon: float, excesses: Array) -> Array:
    """The largest Rényi divergence of each order 1 + s, rounded up: (theorem bounded-range-renyi).

    With h(x) = log(sinh(x/2)/(x/2)) it is h(a e) - h(s e) + (h(a e) - h(e))/s at the order a = 1 + s, and never more
    than a e^2/8 or e.
    """
    s = np.asarray(excesses, dtype=np.float64)
    finite = np.isfinite(s)
    known = (s > 0.0) & finite
    at = np.where(known, s, 1.0)
    with np.errstate(over="ignore"):
        # At the order infinity it is the range, also where the square is 0.
        squared = (1.0 + np.where(finite, s, 0.0)) * (epsilon * epsilon / 8.0) * (1 + 8 * ULP)
        squared = np.where(finite, squared, np.inf)
        usable = known & (at * epsilon < 1e15)
        high, low, one = (_log_sinhc(np.where(usable, x, 1.0)) for x in ((1.0 + at) * epsilon, at * epsilon, epsilon))
        found = high - low + (high - one) / at
        error = 16 * ULP * (high + low + (high + one) / at)
    exact = np.where(usable, found + error, np.inf)
    # A square that underflows is not 0: it is below the smallest double.
    least = np.maximum(np.minimum(exact, squared), 5e-324 if epsilon > 0.0 else 0.0)
    return np.asarray(np.minimum(least, epsilon))


def _log_sinhc(x: Array) -> Array:
    """log(sinh(x/2)/(x/2)) of x > 0."""
    near = x < NEAR
    y = np.where(near, x, 1.0) ** 2 / 4
    series = np.zeros(np.shape(x))
    for n in range(TERMS, 0, -1):
        series = (series + 1.0) * y / ((2 * n) * (2 * n + 1))
    far = np.where(near, 1.0, x)
    return np.where(near, np.log1p(series), far / 2 + log1mexp(-far) - np.log(far))


@dataclass(frozen=True)
class RangeOrders(Concentrated):
    """All orders above 1 with the divergences of so many releases of bounded range; rho is what they stay below."""

    epsilon: float
    releases: int

    @classmethod
    def of(cls, epsilon: float, releases: int) -> RangeOrders:
        """The orders of so many releases."""
        return cls(range_rho(epsilon, releases), epsilon, releases)

    def bound(self, excesses: Array) -> Array:
        """So many times the largest divergence."""
        return self.releases * range_divergence(self.epsilon, excesses) * (1 + 4 * ULP)

    def log_conversion(self, epsilons: Array) -> tuple[Array, Array]:
        """The conversion at the order that is best for rho: every order is valid."""
        _, s = super().log_conversion(epsilons)
        return conversion_at(s, self.bound(s), epsilons), s

    def are_tabled(self, epsilons: Array) -> bool:
        """No: the table is that of rho."""
        return False

    @property
    def of_tests(self) -> RangeOrders:
        """These."""
        return self

    @property
    def largest_loss(self) -> float:
        """The sum of the ranges."""
        return product_up(self.releases, self.epsilon)


def range_rho(epsilon: float, releases: int = 1) -> float:
    """The rho of zero-concentrated differential privacy: epsilon^2/8 for each release, rounded up."""
    return nearest_up(releases * Fraction(epsilon) ** 2 / 8)


@dataclass(frozen=True)
class Read(Face):
    """A pair whose profile is read from sums that are made once: a tail asks for it at a hundred thousand points."""

    pair: FinitePair

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of its profile, known to eleven digits."""
        return self.pair.log_delta_read(epsilons)

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of its power."""
        return self.pair.log_power(log_levels)

    def reverse(self) -> Read:
        """The pair the other way round."""
        return Read(self.pair.reverse())


@dataclass(frozen=True)
class Lowest(Face):
    """What several bounds on the same releases say together: the smallest of their answers."""

    faces: tuple[Face, ...]

    is_of_many: ClassVar[bool] = True

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the smallest profile."""
        first, *others = (face.log_delta(epsilons) for face in self.faces)
        for other in others:
            first = first.minimum(other)
        return first

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the smallest power."""
        first, *others = (face.log_power(log_levels) for face in self.faces)
        for other in others:
            first = first.minimum(other)
        return first

    def reverse(self) -> Lowest:
        """This face: all of them bound both orders."""
        return self


@dataclass(frozen=True, repr=False, init=False)
class BoundedRange(Guarantee):
    """epsilon-bounded range: no two outputs have losses that differ by more than epsilon; in each of some releases.

    A later release may be chosen by the outcomes of earlier ones. Their losses together then need not lie within the
    sum of the ranges, so that the number of releases is kept beside epsilon.

    >>> print(BoundedRange(1.0).power(0.05))
    power of the best test is at most 12.6 %
    >>> print(BoundedRange(0.1).times(50).epsilon(1e-6))
    epsilon is at most 1.64
    """

    properties: ClassVar[Properties] = Properties(
        post_processing=Property(
            Known.YES,
            "The loss of merged outputs lies between their losses.",
            "DDR20",
            "the definition of bounded range",
        ),
        convex=Property(
            Known.NO,
            "Two releases may have their losses in different intervals, and the mixture has them in both.",
            "DDR20",
            "the section on convexity for compositions",
        ),
        adaptive_composition=Property(
            Known.YES,
            "The pairs that dominate compose, and the divergences add up.",
            "DDR20",
            "the section on adaptive composition",
        ),
        fully_adaptive_composition=Property(
            Known.UNKNOWN, "We know no published statement of the whole curve.", "DDR20", "none"
        ),
    )

    parameter: ClassVar[Parameter] = Parameter(
        "epsilon",
        "bounded_range",
        "EPSILON",
        "Losses within a range of this epsilon, as the exponential mechanism has them.",
        rising=True,
        bounded=True,
    )

    stated_epsilon: float
    releases: int

    def __init__(self, epsilon: float, releases: int = 1, *, neighbours: Neighbours = Neighbours.ADD_REMOVE) -> None:
        self._keep(
            stated_epsilon=finite_nonnegative("epsilon", epsilon, EPSILON_WAY_OUT),
            releases=count("releases", releases, _RELEASES),
            neighbours=neighbours,
        )
        self.__post_init__()

    @property
    def sum_of_ranges(self) -> float:
        """The epsilon of pure differential privacy that all releases have together, rounded up."""
        return product_up(self.releases, self.stated_epsilon)

    def _curve(self) -> Curve:
        """That of the logistic pair; of several releases, the smallest of what their bounds say."""
        if self.stated_epsilon == 0.0:
            return Curve(identical(), Direction.AT_MOST, Order.PROFILE, Basis.of("bounded-range-profile"))
        if self.releases == 1:
            return self._one()
        faces: list[Face] = [
            RenyiFace(RangeOrders.of(self.stated_epsilon, self.releases)),
            dominating_pair(self.sum_of_ranges),
        ]
        basis = Basis.of("bounded-range-renyi", "renyi-power", "renyi-to-approximate", "renyi-joint-range")
        multiplied = _multiplied(self.stated_epsilon, self.releases)
        if multiplied is not None:
            faces, basis = [multiplied.face, *faces], basis | multiplied.basis
        return Curve(Lowest(tuple(faces)), Direction.AT_MOST, Order.PROFILE, basis)

    def _one(self) -> Curve:
        """The curve of one release."""
        face = LogisticPair(self.stated_epsilon) if self.stated_epsilon > 0.0 else identical()
        return Curve(face, Direction.AT_MOST, Order.PROFILE, Basis.of("bounded-range-profile"))

    def composable(self, neighbours: Neighbours | None = None) -> Curve:
        """The product of the pairs that dominate each release."""
        stated = self.under(neighbours)
        return stated._one() if stated.releases == 1 else stated._one().times(stated.releases)

    def has_concave_power(self, face: Face) -> bool:
        """True: each bound is concave in the level, and so is the smallest of them."""
        return True

    def _log_tail(self, t: Array) -> tuple[Array, Basis]:
        """(e^epsilon - e^t)/(e^epsilon - 1) of one release, which is what its profile says."""
        if self.releases > 1 or self.stated_epsilon == 0.0:
            return super()._log_tail(t)
        eps = self.stated_epsilon
        gap = np.clip(t, 0.0, eps) - eps
        with np.errstate(divide="ignore"):
            logs = log1mexp(gap) - float(log1mexp(np.asarray(-eps)))
        rounding = ULP * (16 + 8 * np.where(np.isfinite(logs), np.abs(logs), 0.0))
        bound = np.where(t >= eps, -np.inf, np.minimum(logs + rounding, 0.0))
        return np.where(t <= 0.0, 0.0, bound), Basis.of("bounded-range-profile", "tail-from-profile")

    def sure_loss(self, neighbours: Neighbours | None = None) -> Finding:
        """The sum of the ranges: a range that holds losses of both signs has none beyond its width."""
        epsilon, inputs = self.under(neighbours).sum_of_ranges, {"promise": self}
        return Finding(EPSILON, epsilon, Direction.AT_MOST, inputs, Basis.of("bounded-range-profile"))

    def corner(self, neighbours: Neighbours | None = None) -> float:
        """The sum of the ranges, at which delta is 0."""
        return self.under(neighbours).sum_of_ranges

    def _delta(self, epsilons: ArrayLike) -> Finding:
        """The smallest delta at each epsilon; 0 from the sum of the ranges on."""
        return capped(super()._delta(epsilons), epsilons, self.sum_of_ranges, 0.0)

    def _epsilon(self, deltas: ArrayLike) -> Finding:
        """The smallest epsilon at each delta; never more than the sum of the ranges."""
        return capped(super()._epsilon(deltas), deltas, 0.0, self.sum_of_ranges)

    def _bounded_delta(self, epsilons: ArrayLike) -> Finding:
        """The smallest delta of pbdp at each epsilon; 0 from the sum of the ranges on."""
        return capped(super()._bounded_delta(epsilons), epsilons, self.sum_of_ranges, 0.0)

    def added_up(self, count: int) -> BoundedRange:
        """So many times as many releases."""
        return self.restated(releases=self.releases * copies(count))

    def group(self, size: int) -> BoundedRange:
        """Epsilon times the size of the group, in each release: losses add up from record to record."""
        return self.restated(epsilon=product_up(group_size(size), self.stated_epsilon))


@lru_cache(maxsize=64)
def _multiplied(epsilon: float, releases: int) -> Curve | None:
    """The product of the logistic pairs; none where it is too dear. A search asks for it again and again."""
    steps = min(MOST_STEPS, MOST_SUMS // (2 * releases) - 1)
    if steps < FEWEST_STEPS:
        return None
    one = replace(BoundedRange(epsilon)._one(), face=LogisticPair(epsilon).pair(steps))
    try:
        product = one.times(releases)
    except TooCostly:
        return None
    return replace(product, face=Read(product.face)) if isinstance(product.face, FinitePair) else product
