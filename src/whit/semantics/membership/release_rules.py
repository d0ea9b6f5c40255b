"""Rules by which releases with the same promise add up: objects, so that a finding can tell which one was used."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from whit.curves import Curve, composed
from whit.errors import InvalidInput, Unreachable
from whit.guarantees import (
    ApproxDP,
    ProbabilisticDP,
    Promise,
    PureDP,
    ZeroConcentratedDP,
    compose,
    optimal_composition,
    optimal_composition_list,
)
from whit.guarantees.conversions import along, edge
from whit.mechanisms import Mechanism
from whit.numerics import open_probability, up
from whit.semantics.promised import Promised
from whit.theory import Basis

_DELTA = "Use the delta that all releases together may have, such as 1e-6."
_FAILURE = "Use the chance that the limit may be exceeded, such as 0.01."

_TEXTBOOK = (
    edge(ZeroConcentratedDP, ApproxDP, "zcdp-to-approximate"),
    edge(ApproxDP, ProbabilisticDP, "approximate-to-probabilistic"),
)


class CompositionRule(Protocol):
    """How so many releases, each with the same promise, add up; Unreachable where the rule says nothing of them."""

    def __call__(self, promised: Promised, releases: int) -> Promised:
        """What so many releases promise together."""

    def basis(self, promised: Promised) -> Basis:
        """The theorems that the rule rests on."""


@dataclass(frozen=True)
class OwnComposition:
    """The rule of the promise itself: parameters add up; the losses of a mechanism or curve add up as they are."""

    def __call__(self, promised: Promised, releases: int) -> Promised:
        """So many times the same."""
        if isinstance(promised, Curve):
            return composed(Counter({promised: releases}))
        return _repeatable(promised).times(releases)

    def basis(self, promised: Promised) -> Basis:
        """The theorem by which two of them add up; a mechanism and a curve bring theirs with them."""
        return compose(promised, promised).basis if isinstance(promised, Promise) else Basis.of("losses-add")


OWN_COMPOSITION = OwnComposition()
"""The rule that is taken if none is named."""


@dataclass(frozen=True)
class AdvancedComposition:
    """Advanced composition of (epsilon, delta), with so much delta for all releases together."""

    delta: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", open_probability("delta", self.delta, _DELTA))

    def __call__(self, promised: Promised, releases: int) -> ApproxDP:
        """Equal terms of the sum taken at once, so that a million releases cost no more than one."""
        one = _stated(promised)
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

    def basis(self, promised: Promised) -> Basis:
        """The theorem."""
        return Basis.of("advanced-composition")


@dataclass(frozen=True)
class OptimalComposition:
    """The smallest epsilon of all releases together, with so much delta: no rule for (epsilon, delta) does better."""

    delta: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", open_probability("delta", self.delta, _DELTA))

    def __call__(self, promised: Promised, releases: int) -> ApproxDP:
        """The optimal composition of equal promises."""
        return optimal_composition(_stated(promised), releases, delta=self.delta).promise

    def basis(self, promised: Promised) -> Basis:
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

    def __call__(self, promised: Promised, releases: int) -> ApproxDP:
        """The listed composition of equal promises."""
        return optimal_composition_list(_stated(promised), releases, delta=self.delta).promise

    def basis(self, promised: Promised) -> Basis:
        """The theorem."""
        return Basis.of("optimal-composition-list")


@dataclass(frozen=True)
class TextbookComposition:
    """Rhos added up, turned into (epsilon, delta) by the textbook and into a tail, with the best delta on the way.

    It is how Kazan et al. (2025) count the days of their Example 4.1. OwnComposition, which bounds the tail by the rho
    itself, is never worse. The failure must be the one that is asked about.
    """

    failure: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "failure", open_probability("failure", self.failure, _FAILURE))

    def __call__(self, promised: Promised, releases: int) -> Promise:
        """The tail of all releases together."""
        if not isinstance(promised, ZeroConcentratedDP):
            way_out = "Use a promise such as ZeroConcentratedDP(0.01), or another rule."
            raise InvalidInput("promised", "must be zero-concentrated for this rule", promised, way_out)
        return along(promised.times(releases), _TEXTBOOK, delta=self.failure).result

    def basis(self, promised: Promised) -> Basis:
        """The three theorems."""
        return Basis.of("zcdp-composition", "zcdp-to-approximate", "approximate-to-probabilistic")


def _repeatable(promised: object) -> Promise | Mechanism:
    if isinstance(promised, Promise | Mechanism):
        return promised
    way_out = "Pass a promise such as PureDP(0.1) or a mechanism such as Gaussian(10.0)."
    raise InvalidInput("promised", "must be a promise or a mechanism that can be repeated", promised, way_out)


def _stated(promised: Promised) -> ApproxDP:
    """The promise as (epsilon, delta)."""
    if isinstance(promised, PureDP):
        return ApproxDP(promised.stated_epsilon, 0.0, neighbours=promised.neighbours)
    if isinstance(promised, ApproxDP):
        return promised
    rule = "must be PureDP or ApproxDP for this rule"
    raise InvalidInput("promised", rule, promised, "Use OwnComposition(), which takes every promise and mechanism.")
