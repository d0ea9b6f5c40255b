"""The families among which a parameter is chosen: promises by their parameter, mechanisms by their noise.

A family knows how its releases compose, and in which direction its parameter tells more: a larger epsilon, rho or mu
does, and a smaller sigma or scale.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import Any

from whit.curves import Curve, FinitePair, Order, Promise, composed, estimated
from whit.errors import NotImplied
from whit.guarantees import (
    Guarantee,
    advanced_composition,
    heterogeneous_composition,
    optimal_composition,
    optimal_composition_list,
)
from whit.mechanisms import Mechanism, PoissonSubsampled
from whit.numerics import REACH
from whit.setting import Neighbours, Sensitivity
from whit.theory import Direction, Finding, Quantity, Unit

# Sums of so few losses are listed at once.
FEW_LOSSES = 16

CONFIDENCE = 0.95
"""The error of noise is the one that it stays within with this probability."""


class Rule(Enum):
    """How several releases with the same promise compose; the value says what the rule does."""

    OWN = "The parameters add up as the promise itself composes."
    ADVANCED = "Epsilon grows with the root of the number of releases, at a total delta."
    HETEROGENEOUS = "The smallest of three bounds on epsilon, at a total delta."
    OPTIMAL = "The smallest epsilon that is possible at a total delta."
    OPTIMAL_LIST = "The smallest epsilon of a list of multiples, at a total delta."
    WHOLE_CURVE = "The worst pairs compose, and every point of their curve may be used."

    def __repr__(self) -> str:
        """The expression that gives the member."""
        return f"Rule.{self.name}"


Composer = Callable[[Any, int, float], Guarantee]

TO_TOTAL: dict[Rule, Composer] = {
    Rule.ADVANCED: lambda one, k, delta: advanced_composition(*[one] * k, delta=delta).promise,
    Rule.HETEROGENEOUS: lambda one, k, delta: heterogeneous_composition(*[one] * k, delta=delta).promise,
    Rule.OPTIMAL: lambda one, k, delta: optimal_composition(one, k, delta=delta).promise,
    Rule.OPTIMAL_LIST: lambda one, k, delta: optimal_composition_list(one, k, delta=delta).promise,
}


@dataclass(frozen=True)
class Family(ABC):
    """Releases of one kind, as often as is planned; only the parameter is still open."""

    releases: int

    @property
    @abstractmethod
    def parameter(self) -> str:
        """The name of the parameter."""

    @property
    @abstractmethod
    def rising(self) -> bool:
        """Whether a larger parameter tells more."""

    @abstractmethod
    def one(self, value: float) -> Guarantee | Mechanism:
        """One release with this parameter."""

    @abstractmethod
    def all(self, value: float, relation: Neighbours) -> Promise:
        """All releases together, between neighbours of this relation."""

    def about(self, value: float, relation: Neighbours) -> Promise | None:
        """All releases together to a few digits, to guide a search that would take long; None where it would not."""
        return None

    @abstractmethod
    def first(self, loss: float, *, sure: bool) -> float:
        """About how far the parameter goes with which all releases have this loss: itself, or its inverse if it falls.

        For a search to begin at. The loss is a sure one, or one that is exceeded with a chance of a percent or so.
        """

    @property
    @abstractmethod
    def bounded(self) -> bool:
        """Whether the losses of all releases have a bound that always holds."""

    @property
    def advised(self) -> str:
        """What a sentence says behind the parameter; nothing where it is that of the release itself."""
        return ""

    @property
    def steady(self) -> bool:
        """Whether a requirement that one parameter meets is met by every parameter that reveals less."""
        return True

    @property
    def may_need_none(self) -> bool:
        """Whether no noise at all may be enough, as where people are seldom drawn."""
        return False

    @property
    def reach(self) -> float:
        """How many times further or less far than the first parameter a search looks."""
        return REACH

    @property
    def called(self) -> str:
        """What the releases are called together, where it is not by their kind and number."""
        return ""

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """The relations between datasets under which the family promises anything."""
        return (Neighbours.ADD_REMOVE, Neighbours.REPLACE, Neighbours.LOCAL)

    def closeness(self, value: float) -> tuple[Finding, ...]:
        """How close to the truth one release with this parameter is; nothing where that is not known."""
        return ()

    @property
    def direction(self) -> Direction:
        """On which side of the best parameter a safe one lies."""
        return Direction.AT_LEAST if self.rising else Direction.AT_MOST

    @property
    def quantity(self) -> Quantity:
        """What is recommended."""
        return Quantity(
            f"{'largest' if self.rising else 'smallest'} {self.parameter} that meets the limit",
            Unit.NUMBER,
            certain=True,
        )


@dataclass(frozen=True)
class PromiseFamily(Family):
    """Promises of one kind."""

    kind: type[Guarantee]
    fixed: tuple[tuple[str, Any], ...]
    rule: Rule
    total_delta: float

    @property
    def parameter(self) -> str:
        """Epsilon, rho or mu."""
        return self.kind.parameter.name

    @property
    def rising(self) -> bool:
        """True: the parameters of promises grow with what a release may tell."""
        return self.kind.parameter.rising

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """The relation that the promises are made under, and those that follow from it."""
        stated = dict(self.fixed)["neighbours"]
        if stated is Neighbours.ADD_REMOVE:
            return (Neighbours.ADD_REMOVE, Neighbours.REPLACE)
        return (Neighbours.REPLACE, Neighbours.LOCAL)

    @property
    def bounded(self) -> bool:
        """Whether epsilon is promised with a delta of 0."""
        sure = self.kind.parameter.bounded or dict(self.fixed).get("delta") == 0.0
        return sure and self.total_delta == 0.0

    def first(self, loss: float, *, sure: bool) -> float:
        """The share of each promise in the loss."""
        if self.parameter == "epsilon":
            return loss / share(self.releases, sure)
        mu = _mu(loss) / math.sqrt(self.releases)
        return mu if self.parameter == "mu" else mu * mu / 2

    def one(self, value: float) -> Guarantee:
        """One promise with this parameter."""
        made: Any = self.kind
        promise: Guarantee = made(**{self.parameter: value}, **dict(self.fixed))
        return promise

    def all(self, value: float, relation: Neighbours) -> Promise:
        """All promises together, by the rule; by their own one it is one promise for every relation."""
        one = self.one(value)
        if self.rule is Rule.OWN or (self.rule is Rule.WHOLE_CURVE and self.releases == 1):
            return one.times(self.releases)
        if self.rule is Rule.WHOLE_CURVE:
            return composed({one.composable(relation): self.releases})
        return TO_TOTAL[self.rule](one.under(relation), self.releases, self.total_delta)


@dataclass(frozen=True)
class MechanismFamily(Family):
    """Mechanisms of one kind, with no answer that a record changes: reports of people themselves, and selections."""

    kind: type[Mechanism]

    @property
    def parameter(self) -> str:
        """Epsilon, or sigma or scale of noise."""
        return self.kind.parameter.name

    @property
    def rising(self) -> bool:
        """Whether the parameter is an epsilon; a standard deviation or a scale tells less if it is larger."""
        return self.kind.parameter.rising

    @property
    def bounded(self) -> bool:
        """Whether there is a largest loss."""
        return self.kind.parameter.bounded

    @property
    def steady(self) -> bool:
        """False of discrete Gaussian noise, whose largest losses do not fall steadily while sigma rises."""
        return self.kind.parameter.steady

    @property
    def reach(self) -> float:
        """Less for discrete Gaussian noise, whose losses take long to work out where sigma is large."""
        return self.kind.parameter.reach

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """Those under which the loss is known."""
        return self.one(1.0).relations

    def first(self, loss: float, *, sure: bool) -> float:
        """The share of each release in the loss."""
        return loss / share(self.releases, sure)

    def one(self, value: float) -> Mechanism:
        """One release with this parameter."""
        made: Any = self.kind
        mechanism: Mechanism = made(**{self.parameter: value})
        return mechanism

    def all(self, value: float, relation: Neighbours) -> Promise:
        """All releases together, with independent noise."""
        return self.one(value).times(self.releases)

    def closeness(self, value: float) -> tuple[Finding, ...]:
        """The probability of a true report; of a selection nothing is known without the scores."""
        return (self.one(value).probability_of_exact_answer(),) if hasattr(self.kind, "noise_theorem") else ()


@dataclass(frozen=True)
class NoiseFamily(MechanismFamily):
    """Mechanisms with one law of noise."""

    sensitivity: Sensitivity

    @property
    def same_changes(self) -> bool:
        """Whether replacing a record changes the answer just as adding or removing one does."""
        return self.sensitivity.add_remove == self.sensitivity.replace

    @property
    def ignores_people(self) -> bool:
        """Whether nobody changes the answer, so that no noise is needed."""
        return not self.sensitivity.add_remove and not self.sensitivity.replace

    def first(self, loss: float, *, sure: bool) -> float:
        """The loss of each mechanism for a unit of change."""
        relation = Neighbours.ADD_REMOVE if self.sensitivity.add_remove else Neighbours.REPLACE
        gaussian = not self.bounded
        change = (self.sensitivity.l2 if gaussian else self.sensitivity.l1)(relation) or 1.0
        return (_mu(loss) / math.sqrt(self.releases) if gaussian else super().first(loss, sure=sure)) / change

    def one(self, value: float) -> Mechanism:
        """One mechanism with this parameter."""
        made: Any = self.kind
        mechanism: Mechanism = made(**{self.parameter: value}, sensitivity=self.sensitivity)
        return mechanism

    def closeness(self, value: float) -> tuple[Finding, ...]:
        """The standard deviation of the noise, and what most errors stay within."""
        return noise_of(self.one(value))


@dataclass(frozen=True)
class SampledFamily(NoiseFamily):
    """Mechanisms with one law of noise, each on a Poisson sample of its own."""

    rate: float
    records: int = 1

    @property
    def same_changes(self) -> bool:
        """False: whoever is replaced leaves the sample and enters it, whatever the changes of the answer are."""
        return False

    @property
    def ignores_people(self) -> bool:
        """Whether nobody changes the answer, or nobody is ever drawn."""
        return self.rate == 0.0 or super().ignores_people

    @property
    def may_need_none(self) -> bool:
        """Whether the noise is stated by its size."""
        return not self.rising

    def first(self, loss: float, *, sure: bool) -> float:
        """The loss behind the sampled one: of rare draws, the squared shifts of a Gaussian grow as e^(mu^2) - 1."""
        growth = min(super().first(loss, sure=sure) / max(self.rate * self.records, 1e-150), 1e150)
        return math.log1p(growth) if self.bounded else math.sqrt(math.log1p(growth**2))

    def one(self, value: float) -> Mechanism:
        """One mechanism with this parameter, on its sample."""
        return PoissonSubsampled(super().one(value), self.rate, self.records)

    def about(self, value: float, relation: Neighbours) -> Promise | None:
        """An estimate where there are several releases."""
        return estimate(self.one(value).curve(relation), self.releases)


def estimate(one: Curve, releases: int) -> Curve | None:
    """Several releases to a few digits; None for one alone, and for a few losses, whose sums are listed at once."""
    quick = isinstance(one.face, FinitePair) and len(one.face.losses) <= FEW_LOSSES
    pair = None if releases == 1 or quick else estimated(one.face, releases)
    return None if pair is None else Curve(pair, Direction.ABOUT, Order.PROFILE, one.basis)


def noise_of(one: Mechanism) -> tuple[Finding, ...]:
    """The standard deviation of the noise and what most errors stay within, as far as they are known."""
    found = []
    for ask in (one.standard_deviation, lambda: one.error_quantile(CONFIDENCE)):
        with suppress(NotImplied):
            found.append(ask())
    return tuple(found)


def share(releases: int, sure: bool) -> float:
    """By how much the losses of so many releases exceed that of one."""
    return releases if sure else 3 * math.sqrt(releases)


def _mu(loss: float) -> float:
    """The shift over the deviation of Gaussian noise that exceeds a loss with a chance of about one percent."""
    tail = 2.3
    return 2 * loss / (math.sqrt(tail * tail + 2 * loss) + tail)
