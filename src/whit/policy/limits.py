"""Limits on one risk of an adversary who wonders about a single fact: posterior, ratio, difference, power and the like.

A risk profile limits the relative risk at every inclusion and value. A limit here is about one number: it knows the
largest that is accepted, and asks a promise or a mechanism for its own.

>>> from whit.guarantees import PureDP
>>> difference(0.2).keeps(PureDP(0.8))
True
>>> difference(0.2).keeps(PureDP(0.82))
False
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from whit.curves import Promise
from whit.errors import require
from whit.numerics import open_probability, probability
from whit.policy.limit import CurveLimit, Limit, LossLimit, keep
from whit.policy.profiles.profile import SMALLEST, epsilon_at, relative_limit
from whit.semantics import membership, testing
from whit.setting import (
    BASELINE_WAY_OUT,
    Adversary,
    Knowledge,
    Neighbours,
    When,
)
from whit.theory import Finding, Quantity, Unit

__all__ = [
    "AdvantageLimit",
    "CurveLimit",
    "DifferenceLimit",
    "Limit",
    "LossLimit",
    "PosteriorLimit",
    "PowerLimit",
    "PredictiveValueLimit",
    "RatioLimit",
    "SuccessLimit",
    "advantage",
    "difference",
    "posterior",
    "power",
    "predictive_value",
    "ratio",
    "success",
]

CHANGE = Quantity("change from prior to posterior, up or down", Unit.NUMBER)

_PROBABILITY = "Use a probability such as 0.2."
_PRIOR = "Use the adversary's probability before the release, such as 0.1."
_LEVEL = "Use a false-positive rate such as 0.05."
_ONE = Fraction(1)
_ANY = Knowledge.ANY_BELIEF


@dataclass(frozen=True, repr=False)
class PosteriorLimit(LossLimit):
    """The posterior is at most a number, at one prior."""

    posterior: float
    prior: float

    def __post_init__(self) -> None:
        super().__post_init__()
        keep(self, posterior=probability("posterior", self.posterior, _PROBABILITY))
        keep(self, prior=probability("prior", self.prior, _PRIOR))
        way_out = "Raise the posterior above the prior, or limit the difference instead."
        _above("posterior", self.posterior, "the prior", self.prior, way_out)

    @property
    def _theorem(self) -> str:
        return "posterior-bounds"

    def _ask(self, beliefs: membership.Beliefs) -> Finding:
        return beliefs.posterior(self.prior)

    def _allowed(self, sides: int) -> float:
        return _rise(Fraction(self.prior), Fraction(self.posterior))


@dataclass(frozen=True, repr=False)
class RatioLimit(LossLimit):
    """Posterior over prior is at most a number, at one prior or at all of them."""

    ratio: float
    prior: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        keep(self, ratio=relative_limit("ratio", self.ratio), prior=_optional_prior(self.prior))

    @property
    def _theorem(self) -> str:
        return "ratio-bounds"

    def _ask(self, beliefs: membership.Beliefs) -> Finding:
        return _at_any_prior(beliefs, membership.largest_ratio) if self.prior is None else beliefs.ratio(self.prior)

    def _allowed(self, sides: int) -> float:
        prior = Fraction(0) if self.prior is None else Fraction(self.prior)
        return epsilon_at(Fraction(self.ratio), prior, _ONE)

    def decider(self, risk: Finding) -> Adversary | None:
        """The one at the prior, or one who hardly believes in the truth."""
        return super().decider(risk) or self._adversary(SMALLEST)


@dataclass(frozen=True, repr=False)
class DifferenceLimit(LossLimit):
    """Posterior minus prior is at most a number, at one prior or at all of them; two-sided, so is a fall."""

    difference: float
    prior: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        keep(self, difference=probability("difference", self.difference, _PROBABILITY))
        keep(self, prior=_optional_prior(self.prior))
        rule = "must be below 1, since no posterior exceeds its prior by more"
        require(self.difference < 1.0, name="difference", rule=rule, value=self.difference, way_out=_PROBABILITY)

    @property
    def _theorem(self) -> str:
        return "difference-bounds"

    def _ask(self, beliefs: membership.Beliefs) -> Finding:
        if self.prior is None:
            return _at_any_prior(beliefs, membership.largest_difference)
        found = beliefs.difference(self.prior)
        fall = 0.0 if found.lower is None else -float(found.lower)
        return found if fall <= float(found) else replace(found, quantity=CHANGE, value=fall, other_end=None)

    def _allowed(self, sides: int) -> float:
        change = Fraction(self.difference)
        if self.prior is None:  # the prior that gains most, by which the largest rise is tanh(loss / 4)
            worst = (1 - change) / 2
            return _rise(worst, worst + change)
        prior = Fraction(self.prior)
        starts = (prior,) if sides == 1 else (prior, 1 - prior)
        return min(_rise(start, start + change) for start in starts)

    def decider(self, risk: Finding) -> Adversary | None:
        """The one at the prior, or the one who gains most: a rise by tanh(loss / 4) ends as far above one half."""
        return super().decider(risk) or self._adversary((1 - float(risk)) / 2)


@dataclass(frozen=True, repr=False)
class PowerLimit(CurveLimit):
    """The power of the best test at one level is at most a number."""

    power: float
    level: float

    def __post_init__(self) -> None:
        super().__post_init__()
        keep(self, power=probability("power", self.power, _PROBABILITY))
        keep(self, level=probability("level", self.level, _LEVEL))
        way_out = "Raise the power above the level: a coin that ignores the release has as much."
        _above("power", self.power, "the level", self.level, way_out)

    def _ask(self, promise: Promise, neighbours: Neighbours | None, knows: Knowledge) -> Finding:
        return testing.power(promise, self.level, neighbours=neighbours, knows=knows)


@dataclass(frozen=True, repr=False)
class AdvantageLimit(CurveLimit):
    """Power minus level is at most a number, for every test: the delta at epsilon 0."""

    advantage: float

    def __post_init__(self) -> None:
        super().__post_init__()
        keep(self, advantage=probability("advantage", self.advantage, _PROBABILITY))

    def _ask(self, promise: Promise, neighbours: Neighbours | None, knows: Knowledge) -> Finding:
        return testing.advantage(promise, neighbours=neighbours, knows=knows)


@dataclass(frozen=True, repr=False)
class PredictiveValueLimit(CurveLimit):
    """The probability that a positive of a test of one level is a true one is at most a number, at one prior."""

    predictive_value: float
    prior: float
    level: float

    def __post_init__(self) -> None:
        super().__post_init__()
        keep(self, predictive_value=open_probability("predictive_value", self.predictive_value, _PROBABILITY))
        keep(self, prior=open_probability("prior", self.prior, _PRIOR))
        keep(self, level=open_probability("level", self.level, _LEVEL))
        way_out = "Raise it above the prior: a test that ignores the release has as much."
        _above("predictive_value", self.predictive_value, "the prior", self.prior, way_out)

    def _ask(self, promise: Promise, neighbours: Neighbours | None, knows: Knowledge) -> Finding:
        return testing.positive_predictive_value(promise, self.level, self.prior, neighbours=neighbours, knows=knows)


@dataclass(frozen=True, repr=False)
class SuccessLimit(CurveLimit):
    """The probability that a guess about the record is right is at most a number, from one without the release."""

    success: float
    baseline: float

    def __post_init__(self) -> None:
        super().__post_init__()
        keep(self, success=probability("success", self.success, _PROBABILITY))
        keep(self, baseline=probability("baseline", self.baseline, BASELINE_WAY_OUT))
        way_out = "Raise the success above the baseline: a guess that ignores the release has as much."
        _above("success", self.success, "the baseline", self.baseline, way_out)

    def _ask(self, promise: Promise, neighbours: Neighbours | None, knows: Knowledge) -> Finding:
        return testing.success(promise, self.baseline, neighbours=neighbours)


def posterior(
    limit: float, *, prior: float, knows: Knowledge = _ANY, when: When = When.END, block: int = 1
) -> PosteriorLimit:
    """The posterior is at most this much, from one prior.

    >>> print(posterior(0.3, prior=0.1).allowed_loss())
    largest privacy loss that meets the limit is at least 1.34
    """
    return PosteriorLimit(limit, prior, knows=knows, when=when, block=block)


def ratio(
    limit: float, *, prior: float | None = None, knows: Knowledge = _ANY, when: When = When.END, block: int = 1
) -> RatioLimit:
    """Posterior over prior is at most this much, from one prior or from any."""
    return RatioLimit(limit, prior, knows=knows, when=when, block=block)


def difference(
    limit: float, *, prior: float | None = None, knows: Knowledge = _ANY, when: When = When.END, block: int = 1
) -> DifferenceLimit:
    """Posterior minus prior is at most this much, from one prior or from any.

    >>> print(difference(0.2).allowed_loss())
    largest privacy loss that meets the limit is at least 0.81
    """
    return DifferenceLimit(limit, prior, knows=knows, when=when, block=block)


def power(limit: float, *, level: float, knows: Knowledge = _ANY, block: int = 1) -> PowerLimit:
    """The best test with this level (false-positive rate) has at most this power."""
    return PowerLimit(limit, level, knows=knows, block=block)


def advantage(limit: float, *, knows: Knowledge = _ANY, block: int = 1) -> AdvantageLimit:
    """No test has a power that exceeds its level by more than this."""
    return AdvantageLimit(limit, knows=knows, block=block)


def predictive_value(
    limit: float, *, prior: float, level: float, knows: Knowledge = _ANY, block: int = 1
) -> PredictiveValueLimit:
    """A positive of a test with this level is a true one with at most this probability, from one prior."""
    return PredictiveValueLimit(limit, prior, level, knows=knows, block=block)


def success(limit: float, *, baseline: float, knows: Knowledge = _ANY, block: int = 1) -> SuccessLimit:
    """A guess about the record is right with at most this probability, if it is right with the baseline before.

    >>> from whit.guarantees import PureDP
    >>> success(0.05, baseline=0.01).keeps(PureDP(1.6))
    True
    """
    return SuccessLimit(limit, baseline, knows=knows, block=block)


def _rise(prior: Fraction, end: Fraction) -> float:
    """The largest loss with which a prior rises to no more than the end; any loss will do if the end is certainty."""
    return math.inf if prior == 0 or end >= 1 else epsilon_at(end / prior, prior, _ONE)


def _above(name: str, number: float, other_name: str, other: float, way_out: str) -> None:
    rule = f"must be above {other_name}"
    require(number > other, name=name, rule=rule, value=f"{number!r} with {other_name} {other!r}", way_out=way_out)


def _optional_prior(prior: object) -> float | None:
    return None if prior is None else probability("prior", prior, _PRIOR)


def _at_any_prior(beliefs: membership.Beliefs, ask: Callable[..., Finding]) -> Finding:
    """What holds whatever the prior."""
    asked = {name: getattr(beliefs, name) for name in ("failure", "sides", "neighbours", "knows", "when")}
    return ask(beliefs.promise, **asked)
