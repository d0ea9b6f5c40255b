"""Composition of (epsilon, delta) beyond adding up: a smaller epsilon is bought with a larger delta."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from whit.curves import FinitePair, Promise, composed, copies, self_composed
from whit.errors import InvalidInput, Unreachable
from whit.guarantees.composition.rules import require_same_kind
from whit.guarantees.composition.together import Composition, counted
from whit.guarantees.epsilon_delta import ApproxDP, PureDP, dominating_pair
from whit.guarantees.guarantee import Guarantee, Known, product_up, sum_up
from whit.numerics import ULP, open_probability, probability, up
from whit.theory import Basis

Stated = PureDP | ApproxDP

_DELTA = "Use the delta that all releases together may have, such as 1e-6."
_ANY = "Use OwnComposition(), which takes every promise and mechanism."
ROUNDING = 1 + 32 * ULP


def advanced_composition(*promises: Stated, delta: float) -> Composition[ApproxDP]:
    """Sum of epsilon (e^epsilon - 1), plus a term that grows with the root of the sum of squares.

    >>> round(advanced_composition(*[PureDP(0.05)] * 100, delta=1e-6).promise.stated_epsilon, 4)
    2.8846
    """
    neighbours = require_same_kind(promises, PureDP, ApproxDP)
    total = probability("delta", delta, _DELTA)
    spare = _spare(total, sum_up(_delta(each) for each in promises))
    epsilons = np.array([each.stated_epsilon for each in promises])
    with np.errstate(over="ignore"):
        drift = math.fsum(epsilons * np.expm1(epsilons))
    epsilon = (drift + math.sqrt(2 * math.fsum(epsilons**2) * math.log(1 / spare))) * ROUNDING
    together = ApproxDP(epsilon, total, neighbours=neighbours)
    return Composition(together, "advanced-composition", Known.YES, counted(promises))


def heterogeneous_composition(*promises: Stated, delta: float) -> Composition[ApproxDP]:
    """The smallest of three bounds, one of which is the sum of the epsilons.

    >>> round(heterogeneous_composition(PureDP(0.1), *[PureDP(0.05)] * 99, delta=1e-6).promise.stated_epsilon, 4)
    2.7298
    """
    neighbours = require_same_kind(promises, PureDP, ApproxDP)
    total = probability("delta", delta, _DELTA)
    # 1 - total = (1 - spare) product of (1 - delta_j)
    log_kept = math.fsum(math.log1p(-_delta(each)) if _delta(each) < 1 else -math.inf for each in promises)
    spare = _spare_of_logs(total, log_kept)
    epsilon = _smallest_of_three([each.stated_epsilon for each in promises], spare)
    together = ApproxDP(epsilon, total, neighbours=neighbours)
    return Composition(together, "advanced-composition-heterogeneous", Known.YES, counted(promises))


def _smallest_of_three(epsilons: Sequence[float], spare: float) -> float:
    basic = sum_up(epsilons)
    if spare == 0.0:
        return basic
    squares = math.fsum(epsilon**2 for epsilon in epsilons)
    drift = math.fsum(epsilon * math.tanh(epsilon / 2) for epsilon in epsilons)
    second = drift + math.sqrt(2 * squares * math.log(math.e + math.sqrt(squares) / spare))
    third = drift + math.sqrt(2 * squares * math.log(1 / spare))
    return min(basic, second * ROUNDING, third * ROUNDING)


def optimal_composition(promise: Stated, count: int, *, delta: float) -> Composition[ApproxDP]:
    """The smallest epsilon that so many releases can be promised together at this delta: no rule does better.

    >>> round(optimal_composition(PureDP(0.05), 100, delta=1e-6).promise.stated_epsilon, 4)
    2.2075
    """
    total = probability("delta", delta, _DELTA)
    with np.errstate(divide="ignore"):
        epsilon = float(_copies(promise, count).epsilon(np.log(total)).upper)
    if math.isinf(epsilon):
        raise _too_small(total, promise, count)
    together = ApproxDP(epsilon, total, neighbours=promise.neighbours)
    return Composition(together, "optimal-composition", Known.YES, ((promise, copies(count)),))


def optimal_heterogeneous_composition(*promises: Stated, delta: float) -> Composition[ApproxDP]:
    """The smallest epsilon that unequal promises can be given together at this delta, to a relative 1e-6 of that delta.

    To find it exactly is as hard as counting; the worst pairs are composed by their transform instead, from above.

    >>> together = optimal_heterogeneous_composition(*[PureDP(0.1)] * 20, *[ApproxDP(0.05, 1e-9)] * 80, delta=1e-6)
    >>> round(together.promise.stated_epsilon, 3)
    2.849
    """
    neighbours = require_same_kind(promises, PureDP, ApproxDP)
    total = probability("delta", delta, _DELTA)
    curve = composed(Counter(promise.curve() for promise in promises))
    with np.errstate(divide="ignore"):
        epsilon = float(curve.face.epsilon(np.log(total)).upper)
    if math.isinf(epsilon):
        rule = "must be at least what the promises together give away for sure"
        raise Unreachable("delta", rule, total, _DELTA)
    together = ApproxDP(epsilon, total, neighbours=neighbours)
    return Composition(together, "optimal-composition-heterogeneous", Known.YES, counted(promises))


def optimal_composition_list(promise: Stated, count: int, *, delta: float) -> Composition[ApproxDP]:
    """The smallest (count - 2l) epsilon of the list at which the total delta is enough.

    >>> optimal_composition_list(PureDP(0.5), 10, delta=1e-2).promise.stated_epsilon
    4.0
    """
    total, pair, k = probability("delta", delta, _DELTA), _copies(promise, count), copies(count)

    def enough(steps: int) -> bool:
        return bool(pair.log_delta(_steps_up(k - 2 * steps, promise)).exp().upper <= total)

    if not enough(0):
        raise _too_small(total, promise, count)
    low, high = 0, k // 2 + 1  # enough at low; not known to be enough at high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if enough(middle) else (low, middle)
    together = ApproxDP(_steps_up(k - 2 * low, promise), total, neighbours=promise.neighbours)
    return Composition(together, "optimal-composition-list", Known.YES, ((promise, k),))


def _steps_up(steps: int, promise: Stated) -> float:
    return product_up(steps, promise.stated_epsilon)


def _copies(promise: Stated, count: int) -> FinitePair:
    """So many copies of the worst pair of the promise."""
    require_same_kind([promise], PureDP, ApproxDP)
    return self_composed(dominating_pair(promise.stated_epsilon, _delta(promise)), copies(count))


def _delta(promise: Stated) -> float:
    return promise.stated_delta if isinstance(promise, ApproxDP) else 0.0


def _spare(total: float, spent: float) -> float:
    """What is left of the total delta for the bound on epsilon, rounded down."""
    if total <= spent:
        raise Unreachable("delta", f"must be above the sum of the deltas, which is {spent!r}", total, _DELTA)
    return min(1.0, math.nextafter(total - spent, 0.0))


def _spare_of_logs(total: float, log_kept: float) -> float:
    """The d with 1 - total = (1 - d) e^log_kept, rounded down; it may be 0."""
    log_spare_kept = (math.log1p(-total) if total < 1.0 else -math.inf) - log_kept
    if log_spare_kept > 4 * ULP * abs(log_kept) or math.isnan(log_spare_kept):
        spent = -math.expm1(log_kept)
        raise Unreachable("delta", f"must be at least that of the promises, {spent:.6g}", total, _DELTA)
    return max(0.0, -math.expm1(min(log_spare_kept, 0.0)) * (1 - 16 * ULP) - 8 * ULP * abs(log_kept))


def _too_small(total: float, promise: Stated, count: int) -> Unreachable:
    rule = f"must be at least what {count} releases with {promise!r} give away for sure"
    return Unreachable("delta", rule, total, _DELTA)


@dataclass(frozen=True)
class BasicComposition:
    """The parameters add up to one promise of the same kind, which may promise less than the releases do."""

    def __call__(self, promise: Promise, releases: int) -> Guarantee:
        """So many times the parameters."""
        if isinstance(promise, Guarantee):
            return promise.added_up(releases)
        raise InvalidInput("promise", "must be a guarantee such as PureDP(0.1) for this rule", promise, _ANY)

    def basis(self, promise: Promise) -> Basis:
        """The theorem by which two of them add up."""
        return promise.composition_basis


@dataclass(frozen=True)
class AdvancedComposition:
    """Advanced composition of (epsilon, delta), with so much delta for all releases together."""

    delta: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", open_probability("delta", self.delta, _DELTA))

    def __call__(self, promise: Promise, releases: int) -> ApproxDP:
        """Equal terms of the sum taken at once, so that a million releases cost no more than one."""
        one = _as_approximate(promise)
        spent = one.added_up(releases).stated_delta
        if self.delta <= spent:
            raise Unreachable("delta", f"must be above the sum of the deltas, which is {spent!r}", self.delta, _DELTA)
        spare = math.nextafter(self.delta - spent, 0.0)
        with np.errstate(over="ignore"):
            drift = float(releases * one.stated_epsilon * np.expm1(one.stated_epsilon))
        spread = one.stated_epsilon * math.sqrt(2 * releases * math.log(1 / spare))
        if math.isinf(drift + spread):
            raise Unreachable("epsilon", "must be small enough for advanced composition", one, "Use OwnComposition().")
        return ApproxDP(float(up(drift + spread, 32)), self.delta, neighbours=one.neighbours)

    def basis(self, promise: Promise) -> Basis:
        """The theorem."""
        return Basis.of("advanced-composition")


@dataclass(frozen=True)
class OptimalComposition:
    """The smallest epsilon of all releases together, with so much delta: no rule for (epsilon, delta) does better."""

    delta: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", open_probability("delta", self.delta, _DELTA))

    def __call__(self, promise: Promise, releases: int) -> ApproxDP:
        """The optimal composition of equal promises."""
        return optimal_composition(_as_approximate(promise), releases, delta=self.delta).promise

    def basis(self, promise: Promise) -> Basis:
        """The theorem."""
        return Basis.of("optimal-composition")


@dataclass(frozen=True)
class ListedComposition:
    """The smallest epsilon of a list of (releases - 2 l) epsilons, with so much delta for all releases together.

    It is the form in which Kazan et al. (2025) state optimal composition; between the entries of the list
    OptimalComposition is better.
    """

    delta: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", open_probability("delta", self.delta, _DELTA))

    def __call__(self, promise: Promise, releases: int) -> ApproxDP:
        """The listed composition of equal promises."""
        return optimal_composition_list(_as_approximate(promise), releases, delta=self.delta).promise

    def basis(self, promise: Promise) -> Basis:
        """The theorem."""
        return Basis.of("optimal-composition-list")


def _as_approximate(promise: Promise) -> ApproxDP:
    """The promise as (epsilon, delta)."""
    if isinstance(promise, PureDP):
        return ApproxDP(promise.stated_epsilon, 0.0, neighbours=promise.neighbours)
    if isinstance(promise, ApproxDP):
        return promise
    rule = "must be PureDP or ApproxDP for this rule"
    raise InvalidInput("promise", rule, promise, _ANY)
