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
from dataclasses import dataclass, field, replace
from fractions import Fraction

from whit.curves import Promise
from whit.errors import require
from whit.numerics import open_probability, probability
from whit.policy.limit import CurveLimit, Limit, LossLimit, keep, prior_text
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
_RANGE = "Use a probability such as 0.1, or two such as (0.001, 0.01)."
_ROUNDING = 1e-12
_LEVEL = "Use a false-positive rate such as 0.05."
_ONE = Fraction(1)
_ANY = Knowledge.ANY_BELIEF

Priors = float | tuple[float, float]
"""One prior, or the first and the last of a range."""


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
    """Posterior minus prior is at most a number, at one prior or at all of them; two-sided, so is a fall.

    A prior of two numbers stands for all priors between them. They are then in `between`, and the prior is None.
    """

    difference: float
    prior: float | None = None
    between: tuple[float, float] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        keep(self, difference=probability("difference", self.difference, _PROBABILITY))
        low, high = (None, None) if self.prior is None else _ends(self.prior)
        if low is not None and high is not None and low < high:
            object.__setattr__(self, "between", (low, high))
        keep(self, prior=low if low == high else None)
        rule = "must be below 1, since no posterior exceeds its prior by more"
        require(self.difference < 1.0, name="difference", rule=rule, value=self.difference, way_out=_PROBABILITY)

    @property
    def parameters(self) -> dict[str, object]:
        """All that it is stated by; a range is its prior."""
        found = super().parameters
        between = found.pop("between")
        return found if between is None else {**found, "prior": between}

    @property
    def about(self) -> str:
        """The prior or the priors that the risk is about, to follow its name."""
        if self.between is None:
            return super().about
        return f" for priors from {prior_text(self.between[0])} to {prior_text(self.between[1])}"

    @property
    def _theorem(self) -> str:
        return "difference-bounds"

    def _ask(self, beliefs: membership.Beliefs) -> Finding:
        if self.prior is not None:
            return self._ask_at(beliefs, self.prior)
        most = _at_any_prior(beliefs, membership.largest_difference)
        if self.between is None:
            return most
        worst = (1 - float(most)) / 2  # a rise by tanh(loss / 4) ends as far above one half; a fall mirrors it
        inside = [each for each in (worst, 1 - worst)[: 1 + most.is_two_sided] if self._reaches(each)]
        priors = inside[:1] or self.between
        found = max((self._ask_at(beliefs, each) for each in priors), key=float)
        return replace(found, value=max(float(found), float(most))) if inside else found

    def _reaches(self, prior: float) -> bool:
        """Whether a prior, which is rounded, may lie in the range."""
        assert self.between is not None
        return self.between[0] - _ROUNDING <= prior <= self.between[1] + _ROUNDING

    def _ask_at(self, beliefs: membership.Beliefs, prior: float) -> Finding:
        """The increase from one prior, or the fall where that is larger."""
        found = beliefs.difference(prior)
        fall = 0.0 if found.lower is None else -float(found.lower)
        return found if fall <= float(found) else replace(found, quantity=CHANGE, value=fall, other_end=None)

    def _allowed(self, sides: int) -> float:
        change = Fraction(self.difference)
        if self.prior is None:  # the prior that gains most, by which the largest rise is tanh(loss / 4)
            worst = (1 - change) / 2
            low, high = (Fraction(0), _ONE) if self.between is None else map(Fraction, self.between)
            spans = ((low, high), (1 - high, 1 - low))[:sides]
            nearest = (min(max(worst, first), last) for first, last in spans)  # the loss that is allowed grows from it
            return min(_rise(start, start + change) for start in nearest)
        prior = Fraction(self.prior)
        starts = (prior,) if sides == 1 else (prior, 1 - prior)
        return min(_rise(start, start + change) for start in starts)

    def decider(self, risk: Finding) -> Adversary | None:
        """The one at the prior, or the one who gains most: a rise by tanh(loss / 4) ends as far above one half."""
        if self.between is not None:
            return self._adversary(float(risk.inputs["prior"]))
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
    limit: float, *, prior: Priors, knows: Knowledge = _ANY, when: When = When.END, block: int = 1
) -> PosteriorLimit:
    """The posterior is at most this much, from one prior or from all between two numbers: `prior=(0.001, 0.01)`.

    The posterior grows with the prior, so the larger number decides.

    >>> print(posterior(0.3, prior=0.1).allowed_loss())
    largest privacy loss that meets the limit is at least 1.34
    """
    return PosteriorLimit(limit, _ends(prior)[1], knows=knows, when=when, block=block)


def ratio(
    limit: float, *, prior: Priors | None = None, knows: Knowledge = _ANY, when: When = When.END, block: int = 1
) -> RatioLimit:
    """Posterior over prior is at most this much, from one prior, from all between two numbers, or from any.

    The ratio falls while the prior rises, so the smaller number decides: `ratio(3.0, prior=(0.05, 0.4))`.
    """
    return RatioLimit(limit, None if prior is None else _ends(prior)[0], knows=knows, when=when, block=block)


def difference(
    limit: float, *, prior: Priors | None = None, knows: Knowledge = _ANY, when: When = When.END, block: int = 1
) -> DifferenceLimit:
    """Posterior minus prior is at most this much, from one prior, from all between two numbers, or from any.

    >>> print(difference(0.2).allowed_loss())
    largest privacy loss that meets the limit is at least 0.81
    >>> print(difference(0.2, prior=(0.01, 0.1)).allowed_loss())
    largest privacy loss that meets the limit is at least 1.34
    """
    return DifferenceLimit(limit, prior, knows=knows, when=when, block=block)  # type: ignore[arg-type]  # a range


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


def _ends(prior: Priors) -> tuple[float, float]:
    """Both ends of a range of priors; one prior is both."""
    several = tuple(prior) if isinstance(prior, tuple | list) else (prior, prior)
    rule = "must be one number, or two in rising order"
    require(len(several) == 2, name="prior", rule=rule, value=prior, way_out=_RANGE)
    low, high = (probability("prior", each, _RANGE) for each in several)
    require(low <= high, name="prior", rule=rule, value=prior, way_out=_RANGE)
    return low, high


def _optional_prior(prior: object) -> float | None:
    return None if prior is None else probability("prior", prior, _PRIOR)


def _at_any_prior(beliefs: membership.Beliefs, ask: Callable[..., Finding]) -> Finding:
    """What holds whatever the prior."""
    asked = {name: getattr(beliefs, name) for name in ("failure", "sides", "neighbours", "knows", "when")}
    return ask(beliefs.promise, **asked)
