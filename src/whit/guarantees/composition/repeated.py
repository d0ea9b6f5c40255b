"""Rules of (epsilon, delta) by which releases with the same promise add up, as objects that a finding can name."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from whit.curves import Promise
from whit.errors import InvalidInput, Unreachable
from whit.guarantees.approximate import ApproxDP
from whit.guarantees.composition.approximations import optimal_composition, optimal_composition_list
from whit.guarantees.pure import PureDP
from whit.numerics import open_probability, up
from whit.theory import Basis

_DELTA = "Use the delta that all releases together may have, such as 1e-6."


@dataclass(frozen=True)
class AdvancedComposition:
    """Advanced composition of (epsilon, delta), with so much delta for all releases together."""

    delta: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", open_probability("delta", self.delta, _DELTA))

    def __call__(self, promise: Promise, releases: int) -> ApproxDP:
        """Equal terms of the sum taken at once, so that a million releases cost no more than one."""
        one = _as_approximate(promise)
        spent = one.times(releases).stated_delta
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
    raise InvalidInput("promise", rule, promise, "Use OwnComposition(), which takes every promise and mechanism.")
