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
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from fractions import Fraction

from whit.curves import Promise
from whit.errors import NotImplied, require
from whit.mechanisms import Deterministic
from whit.numerics import add_down, open_probability, probability
from whit.policy.profiles.profile import SMALLEST, epsilon_at, relative_limit
from whit.semantics import membership, testing
from whit.setting import Adversary, Knowledge, Neighbours, Sensitivity, When, block_size, one_failure, one_or_two
from whit.theory import Basis, Direction, Finding, Quantity, Unit

ALLOWED_LOSS = Quantity("largest privacy loss that keeps to the limit", Unit.NUMBER)
RISK_LEFT = Quantity("risk that is left below the limit", Unit.NUMBER)
CHANGE = Quantity("change of the probability, up or down", Unit.NUMBER)

_PROBABILITY = "Use a probability such as 0.2."
_PRIOR = "Use the adversary's probability before the release, such as 0.1."
_LEVEL = "Use a false-positive rate such as 0.05."
_ONE = Fraction(1)
_ANY = Knowledge.ANY_BELIEF


@dataclass(frozen=True, repr=False, kw_only=True)
class Limit(ABC):
    """What is acceptable of one risk; a frozen value.

    `knows` says what the adversary knows of the others; they may believe anything, unless it is given. A `block` of so
    many people may depend on each other, the one in question among them. A limit on beliefs is about the end unless
    `when` says that it is about every moment; what tests can do is the same at both.
    """

    knows: Knowledge = Knowledge.ANY_BELIEF
    when: When = When.END
    block: int = 1

    def __post_init__(self) -> None:
        Knowledge.checked(self.knows)
        When.checked(self.when)
        _keep(self, block=block_size(self.block))

    def __repr__(self) -> str:
        """The expression that builds the limit; what is so unless it is said is left out."""
        usual = {each.name: each.default for each in fields(Limit)}
        shown = [f"{name}={value!r}" for name, value in self.parameters.items() if usual.get(name, value) != value]
        own = [f"{name}={value!r}" for name, value in self.parameters.items() if name not in usual]
        return f"{type(self).__name__}({', '.join([*own, *shown])})"

    @property
    def parameters(self) -> dict[str, object]:
        """All that it is stated by: its own numbers first, then whom it is about."""
        return {
            each.name: getattr(self, each.name) for each in sorted(fields(self), key=lambda each: bool(each.kw_only))
        }

    @property
    def largest(self) -> float:
        """The largest risk that is accepted, which is the first parameter of every limit."""
        return float(next(iter(self.parameters.values())))  # type: ignore[arg-type]

    def _adversary(self, prior: float) -> Adversary:
        """Whom it is about, with a prior."""
        return Adversary(prior=prior, knows=self.knows, when=self.when, block=self.block)

    @abstractmethod
    def risk(
        self, promise: Promise, *, failure: float = 0.0, sides: int = 1, neighbours: Neighbours | None = None
    ) -> Finding:
        """The risk that the limit is about, on the safe side, as the school reports it; refused where it refuses.

        Args:
            promise: a promise or a mechanism.
            failure: the chance that the risk may be larger, over the noise; 0 asks for what always holds.
            sides: 1 to limit what speaks for the truth, 2 to limit what speaks against it as well.
            neighbours: the relation between datasets, if not the promise's own.
        """

    def headroom(
        self, promise: Promise, *, failure: float = 0.0, sides: int = 1, neighbours: Neighbours | None = None
    ) -> Finding:
        """The largest risk that is accepted, less the risk itself; rounded down, negative where it is not kept."""
        risk = _proved(self.risk(promise, failure=failure, sides=sides, neighbours=neighbours))
        left = float(add_down(self.largest, -float(risk)))
        return Finding(RISK_LEFT, left, Direction.AT_LEAST, {**risk.inputs, "limit": repr(self)}, risk.basis)

    def keeps(
        self, promise: Promise, *, failure: float = 0.0, sides: int = 1, neighbours: Neighbours | None = None
    ) -> bool:
        """Whether the risk is proved to be at most the largest that is accepted; the arguments are those of risk."""
        try:
            found = self.risk(promise, failure=failure, sides=sides, neighbours=neighbours)
        except NotImplied:
            return self.void(sides=sides)
        return float(_proved(found)) <= self.largest

    def void(self, *, sides: int = 1) -> bool:
        """Whether it limits nothing: even the exact answer keeps to it."""
        return float(self.certainty(sides=sides)) <= self.largest

    def certainty(self, *, sides: int = 1) -> Finding:
        """The risk of a release without noise."""
        return replace(self, block=1).risk(Deterministic(sensitivity=Sensitivity.count()), sides=sides)

    def decider(self, risk: Finding) -> Adversary | None:
        """The adversary whom the risk is about; none where it is about a test of no particular belief."""
        prior = vars(self).get("prior")
        return None if prior is None else self._adversary(prior)


class LossLimit(Limit):
    """A limit that is kept exactly where the privacy loss stays at or below a number."""

    @abstractmethod
    def _allowed(self, sides: int) -> float:
        """The largest loss, rounded down."""

    @property
    @abstractmethod
    def _theorem(self) -> str:
        """Key of the theorem that turns the loss into this risk."""

    @abstractmethod
    def _ask(self, beliefs: membership.Beliefs) -> Finding:
        """The risk, asked of what a promise does to beliefs."""

    def risk(
        self, promise: Promise, *, failure: float = 0.0, sides: int = 1, neighbours: Neighbours | None = None
    ) -> Finding:
        """The number of the school of membership."""
        whole, chance = promise.block(self.block), one_failure(failure)
        return self._ask(membership.Beliefs(whole, chance, sides, neighbours, self.knows, self.when))

    def void(self, *, sides: int = 1) -> bool:
        """Whether every loss keeps to it."""
        return math.isinf(self._allowed(one_or_two(sides)))

    def allowed_loss(self, *, sides: int = 1) -> Finding:
        """The largest privacy loss that keeps to the limit, rounded down; infinite where every loss does."""
        inputs = {"limit": repr(self), "sides": one_or_two(sides)}
        return Finding(ALLOWED_LOSS, self._allowed(sides), Direction.AT_LEAST, inputs, Basis.of(self._theorem))


class CurveLimit(Limit):
    """A limit on a number that is read off the curve; chance of failure and sides do not enter."""

    @abstractmethod
    def _ask(self, promise: Promise, neighbours: Neighbours | None, knows: Knowledge) -> Finding:
        """The number of what is promised."""

    def risk(
        self, promise: Promise, *, failure: float = 0.0, sides: int = 1, neighbours: Neighbours | None = None
    ) -> Finding:
        """The number of the school of testing."""
        one_failure(failure)
        one_or_two(sides)
        # Whoever may believe anything may also know the others: what such a person can do at least, the limit forbids.
        from_below = promise.curve(neighbours).direction is Direction.AT_LEAST
        knows = Knowledge.EVERYONE_ELSE if from_below and self.block == 1 else self.knows
        return self._ask(promise.block(self.block), neighbours, knows)


@dataclass(frozen=True, repr=False)
class PosteriorLimit(LossLimit):
    """The posterior is at most a number, at one prior."""

    posterior: float
    prior: float

    def __post_init__(self) -> None:
        super().__post_init__()
        _keep(self, posterior=probability("posterior", self.posterior, _PROBABILITY))
        _keep(self, prior=probability("prior", self.prior, _PRIOR))
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
        _keep(self, ratio=relative_limit("ratio", self.ratio), prior=_optional_prior(self.prior))

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
        _keep(self, difference=probability("difference", self.difference, _PROBABILITY))
        _keep(self, prior=_optional_prior(self.prior))
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
        _keep(self, power=probability("power", self.power, _PROBABILITY))
        _keep(self, level=probability("level", self.level, _LEVEL))
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
        _keep(self, advantage=probability("advantage", self.advantage, _PROBABILITY))

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
        _keep(self, predictive_value=open_probability("predictive_value", self.predictive_value, _PROBABILITY))
        _keep(self, prior=open_probability("prior", self.prior, _PRIOR))
        _keep(self, level=open_probability("level", self.level, _LEVEL))
        way_out = "Raise it above the prior: a test that ignores the release has as much."
        _above("predictive_value", self.predictive_value, "the prior", self.prior, way_out)

    def _ask(self, promise: Promise, neighbours: Neighbours | None, knows: Knowledge) -> Finding:
        return testing.positive_predictive_value(promise, self.level, self.prior, neighbours=neighbours, knows=knows)


def posterior(
    limit: float, *, prior: float, knows: Knowledge = _ANY, when: When = When.END, block: int = 1
) -> PosteriorLimit:
    """The posterior is at most this much, from one prior.

    >>> print(posterior(0.3, prior=0.1).allowed_loss())
    largest privacy loss that keeps to the limit is at least 1.34
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
    largest privacy loss that keeps to the limit is at least 0.81
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


def _rise(prior: Fraction, end: Fraction) -> float:
    """The largest loss with which a prior rises to no more than the end; any loss will do if the end is certainty."""
    return math.inf if prior == 0 or end >= 1 else epsilon_at(end / prior, prior, _ONE)


def _proved(found: Finding) -> Finding:
    """The finding, if it bounds the number from above; an estimate and a lower bound do not."""
    if found.upper is not None:
        return found
    rule = "cannot be checked against an estimate, or a bound from below"
    raise NotImplied("a limit", rule, str(found), "Use a curve that is an upper bound.")


def _above(name: str, number: float, other_name: str, other: float, way_out: str) -> None:
    rule = f"must be above {other_name}"
    require(number > other, name=name, rule=rule, value=f"{number!r} with {other_name} {other!r}", way_out=way_out)


def _optional_prior(prior: object) -> float | None:
    return None if prior is None else probability("prior", prior, _PRIOR)


def _at_any_prior(beliefs: membership.Beliefs, ask: Callable[..., Finding]) -> Finding:
    """What holds whatever the prior."""
    asked = {name: getattr(beliefs, name) for name in ("failure", "sides", "neighbours", "knows", "when")}
    return ask(beliefs.promise, **asked)


def _keep(limit: Limit, **values: float | None) -> None:
    """Put validated values into the frozen fields."""
    for name, value in values.items():
        object.__setattr__(limit, name, value)
