"""Limits on one risk of an adversary who wonders about a single fact: posterior, ratio, difference, power and the like.

A risk profile limits the relative risk at every inclusion and value. A limit here is about one number: it says whether
a promise or a mechanism keeps to it, and how much room is left.

>>> from whit.guarantees import PureDP
>>> difference(0.2).keeps(PureDP(0.8))
True
>>> difference(0.2).keeps(PureDP(0.82))
False
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from whit.curves import Promise, largest_loss
from whit.errors import NotImplied, require
from whit.numerics import add_down, open_probability, probability
from whit.policy.profiles.formula import epsilon_at
from whit.policy.profiles.profile import relative_limit
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding, Quantity, Tree, Unit

ALLOWED_LOSS = Quantity("largest privacy loss that keeps to the limit", Unit.NUMBER)
LOSS_LEFT = Quantity("privacy loss that is left below the limit", Unit.NUMBER)
RISK_LEFT = Quantity("probability that is left below the limit", Unit.NUMBER)

_PROBABILITY = "Use a probability such as 0.2."
_PRIOR = "Use the adversary's probability before the release, such as 0.1."
_FAILURE = "Use the chance that the statement may be false, such as 0.01; 0 asks for what always holds."
_ONE = Fraction(1)


class Limit(ABC):
    """What is acceptable of one risk; a frozen value."""

    @abstractmethod
    def headroom(
        self, promised: Promise, *, failure: float = 0.0, sides: int = 1, neighbours: Neighbours | None = None
    ) -> Finding:
        """How much room is left, from below; negative where the limit is not kept, or not known to be."""

    @abstractmethod
    def void(self, *, sides: int = 1) -> bool:
        """Whether it limits nothing: whatever is released keeps to it."""

    def keeps(
        self, promised: Promise, *, failure: float = 0.0, sides: int = 1, neighbours: Neighbours | None = None
    ) -> bool:
        """Whether what is promised is proved to keep to the limit, but for the chance of failure.

        Args:
            promised: a promise or a mechanism.
            failure: the chance that the risk may be larger, over the noise; 0 asks for what always holds.
            sides: 1 to limit what speaks for the truth, 2 to limit what speaks against it as well.
            neighbours: the relation between datasets, if not the promise's own.
        """
        left = self.headroom(promised, failure=failure, sides=sides, neighbours=neighbours)
        return float(left) >= 0.0


class LossLimit(Limit):
    """A limit that is kept exactly where the privacy loss stays at or below a number."""

    @abstractmethod
    def _allowed(self, sides: int) -> float:
        """The largest loss, rounded down."""

    @property
    @abstractmethod
    def _theorem(self) -> str:
        """Key of the theorem that turns the loss into this risk."""

    def allowed_loss(self, *, sides: int = 1) -> Finding:
        """The largest privacy loss that keeps to the limit, rounded down; infinite where every loss does."""
        one_or_two(sides)
        inputs: dict[str, Tree] = {"limit": repr(self), "sides": sides}
        return Finding(ALLOWED_LOSS, self._allowed(sides), Direction.AT_LEAST, inputs, Basis.of(self._theorem))

    def void(self, *, sides: int = 1) -> bool:
        """Whether every loss keeps to it."""
        return math.isinf(self._allowed(one_or_two(sides)))

    def headroom(
        self, promised: Promise, *, failure: float = 0.0, sides: int = 1, neighbours: Neighbours | None = None
    ) -> Finding:
        """The largest loss that keeps to the limit, less the largest loss that what is promised lets happen."""
        chance = probability("failure", failure, _FAILURE)
        loss = _proved(largest_loss(promised, chance, sides=one_or_two(sides), neighbours=neighbours))
        allowed = self._allowed(sides)
        left = math.inf if math.isinf(allowed) else float(add_down(allowed, -float(loss)))
        inputs = {**loss.inputs, "limit": repr(self)}
        return Finding(LOSS_LEFT, left, Direction.AT_LEAST, inputs, loss.basis | Basis.of(self._theorem))


class CurveLimit(Limit):
    """A limit on a number that is read off the curve; chance of failure and sides do not enter."""

    @property
    @abstractmethod
    def _largest(self) -> Fraction:
        """The largest number that keeps to the limit."""

    @abstractmethod
    def _read(self, promised: Promise, neighbours: Neighbours | None) -> Finding:
        """The number of what is promised."""

    def void(self, *, sides: int = 1) -> bool:
        """Whether it is a probability that may be 1."""
        return self._largest >= 1

    def headroom(
        self, promised: Promise, *, failure: float = 0.0, sides: int = 1, neighbours: Neighbours | None = None
    ) -> Finding:
        """The largest number that keeps to the limit, less the number that what is promised lets happen."""
        probability("failure", failure, _FAILURE)
        one_or_two(sides)
        risk = _proved(self._read(promised, neighbours))
        exact = self._largest - Fraction(float(risk))
        left = float(exact)
        safe = left if Fraction(left) <= exact else float(np.nextafter(left, -math.inf))
        return Finding(RISK_LEFT, safe, Direction.AT_LEAST, {**risk.inputs, "limit": repr(self)}, risk.basis)


@dataclass(frozen=True)
class PosteriorLimit(LossLimit):
    """The posterior is at most a number, at one prior."""

    posterior: float
    prior: float

    def __post_init__(self) -> None:
        _keep(self, posterior=probability("posterior", self.posterior, _PROBABILITY), prior=_prior(self.prior))
        way_out = "Raise the posterior above the prior, or limit the difference instead."
        _above("posterior", self.posterior, "the prior", self.prior, way_out)

    @property
    def _theorem(self) -> str:
        return "posterior-bounds"

    def _allowed(self, sides: int) -> float:
        return _rise(Fraction(self.prior), Fraction(self.posterior))


@dataclass(frozen=True)
class RatioLimit(LossLimit):
    """Posterior over prior is at most a number, at one prior or at all of them."""

    ratio: float
    prior: float | None = None

    def __post_init__(self) -> None:
        _keep(self, ratio=relative_limit("ratio", self.ratio), prior=_optional_prior(self.prior))

    @property
    def _theorem(self) -> str:
        return "ratio-bounds"

    def _allowed(self, sides: int) -> float:
        prior = Fraction(0) if self.prior is None else Fraction(self.prior)
        return epsilon_at(Fraction(self.ratio), prior, _ONE)


@dataclass(frozen=True)
class DifferenceLimit(LossLimit):
    """Posterior minus prior is at most a number, at one prior or at all of them; two-sided, so is a fall."""

    difference: float
    prior: float | None = None

    def __post_init__(self) -> None:
        _keep(self, difference=probability("difference", self.difference, _PROBABILITY))
        _keep(self, prior=_optional_prior(self.prior))
        rule = "must be below 1, since no posterior exceeds its prior by more"
        require(self.difference < 1.0, name="difference", rule=rule, value=self.difference, way_out=_PROBABILITY)

    @property
    def _theorem(self) -> str:
        return "difference-bounds"

    def _allowed(self, sides: int) -> float:
        change = Fraction(self.difference)
        if self.prior is None:  # the prior that gains most, by which the largest rise is tanh(loss / 4)
            worst = (1 - change) / 2
            return _rise(worst, worst + change)
        prior = Fraction(self.prior)
        starts = (prior,) if sides == 1 else (prior, 1 - prior)
        return min(_rise(start, start + change) for start in starts)


@dataclass(frozen=True)
class PowerLimit(CurveLimit):
    """The power of the best test at one level is at most a number."""

    power: float
    level: float

    def __post_init__(self) -> None:
        _keep(self, power=probability("power", self.power, _PROBABILITY))
        _keep(self, level=probability("level", self.level, "Use a false-positive rate such as 0.05."))
        way_out = "Raise the power above the level: a coin that ignores the release has as much."
        _above("power", self.power, "the level", self.level, way_out)

    @property
    def _largest(self) -> Fraction:
        return Fraction(self.power)

    def _read(self, promised: Promise, neighbours: Neighbours | None) -> Finding:
        return promised.curve(neighbours).power(self.level)


@dataclass(frozen=True)
class AdvantageLimit(CurveLimit):
    """Power minus level is at most a number, for every test: the delta at epsilon 0."""

    advantage: float

    def __post_init__(self) -> None:
        _keep(self, advantage=probability("advantage", self.advantage, _PROBABILITY))

    @property
    def _largest(self) -> Fraction:
        return Fraction(self.advantage)

    def _read(self, promised: Promise, neighbours: Neighbours | None) -> Finding:
        return promised.curve(neighbours).delta(0.0)


@dataclass(frozen=True)
class PredictiveValueLimit(CurveLimit):
    """The probability that a positive of a test of one level is a true one is at most a number, at one prior."""

    predictive_value: float
    prior: float
    level: float

    def __post_init__(self) -> None:
        _keep(self, predictive_value=open_probability("predictive_value", self.predictive_value, _PROBABILITY))
        _keep(self, prior=open_probability("prior", self.prior, _PRIOR))
        _keep(self, level=open_probability("level", self.level, "Use a false-positive rate such as 0.05."))
        way_out = "Raise it above the prior: a test that ignores the release has as much."
        _above("predictive_value", self.predictive_value, "the prior", self.prior, way_out)

    @property
    def _largest(self) -> Fraction:
        """The power with which the predictive value is at its limit; beyond 1 every power is."""
        value, prior, level = (Fraction(x) for x in (self.predictive_value, self.prior, self.level))
        return min(value * (1 - prior) * level / (prior * (1 - value)), _ONE)

    def _read(self, promised: Promise, neighbours: Neighbours | None) -> Finding:
        return promised.curve(neighbours).power(self.level)


def posterior(limit: float, *, prior: float) -> PosteriorLimit:
    """The posterior is at most this much, from one prior.

    >>> print(posterior(0.3, prior=0.1).allowed_loss())
    largest privacy loss that keeps to the limit is at least 1.34
    """
    return PosteriorLimit(limit, prior)


def ratio(limit: float, *, prior: float | None = None) -> RatioLimit:
    """Posterior over prior is at most this much, from one prior or from any."""
    return RatioLimit(limit, prior)


def difference(limit: float, *, prior: float | None = None) -> DifferenceLimit:
    """Posterior minus prior is at most this much, from one prior or from any.

    >>> print(difference(0.2).allowed_loss())
    largest privacy loss that keeps to the limit is at least 0.81
    """
    return DifferenceLimit(limit, prior)


def power(limit: float, *, level: float) -> PowerLimit:
    """The best test with this level (false-positive rate) has at most this power."""
    return PowerLimit(limit, level)


def advantage(limit: float) -> AdvantageLimit:
    """No test has a power that exceeds its level by more than this."""
    return AdvantageLimit(limit)


def predictive_value(limit: float, *, prior: float, level: float) -> PredictiveValueLimit:
    """A positive of a test with this level is a true one with at most this probability, from one prior."""
    return PredictiveValueLimit(limit, prior, level)


def one_or_two(sides: object) -> int:
    """The number of sides, 1 or 2."""
    good = isinstance(sides, int) and not isinstance(sides, bool) and sides in (1, 2)
    require(good, name="sides", rule="must be 1 or 2", value=sides, way_out="Use 2 to limit falls as well.")
    assert isinstance(sides, int)
    return sides


def _rise(prior: Fraction, end: Fraction) -> float:
    """The largest loss with which a prior rises to no more than the end; any loss will do if the end is certainty."""
    return math.inf if prior == 0 or end >= 1 else epsilon_at(end / prior, prior, _ONE)


def _proved(found: Finding) -> Finding:
    """The finding, if its value is more than an estimate."""
    if found.proved:
        return found
    raise NotImplied(
        "a limit", "cannot be checked against an estimate", str(found), "Use a curve that is an upper bound."
    )


def _above(name: str, number: float, other_name: str, other: float, way_out: str) -> None:
    rule = f"must be above {other_name}"
    require(number > other, name=name, rule=rule, value=f"{number!r} with {other_name} {other!r}", way_out=way_out)


def _prior(prior: object) -> float:
    return probability("prior", prior, _PRIOR)


def _optional_prior(prior: object) -> float | None:
    return None if prior is None else _prior(prior)


def _keep(limit: Limit, **values: float | None) -> None:
    """Put validated values into the frozen fields."""
    for name, value in values.items():
        object.__setattr__(limit, name, value)
