"""What the noise costs: its spread, its error, the chance of the exact answer, and of crossing a target."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from fractions import Fraction

from whit.errors import require
from whit.mechanisms import DiscreteGaussian, Geometric, Mechanism
from whit.numerics import ULP, finite, finite_nonnegative, finite_positive, open_probability
from whit.theory import Answer, Basis, Direction, Finding, Quantity, Unit

CROSSING = Quantity("probability that the released count is on the other side of the target", Unit.PROBABILITY)
TARGET_COUNT = Quantity("largest count that meets the target", Unit.NUMBER)
RATE = Quantity("rate of the count", Unit.NUMBER)

_CHANCE = "Use the probability with which the error keeps within it, such as 0.95."
_RATE = "Use a rate such as 6.0."
_BASE = "Use a number of people or events such as 1000."


@dataclass(frozen=True, repr=False)
class Accuracy(Answer):
    """How far the noise of one release moves the number that is published.

    Attributes:
        release: the mechanism.
        deviation: the standard deviation of the noise.
        error: what the error keeps within, with the confidence that was asked for.
        exact: the probability that the exact answer comes out.
    """

    release: Mechanism
    deviation: Finding
    error: Finding
    exact: Finding

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Spread, error and chance of the exact answer."""
        return self.deviation, self.error, self.exact

    def __str__(self) -> str:
        return f"{self.deviation}; {self.error}"


def accuracy(release: Mechanism, *, confidence: float = 0.95) -> Accuracy:
    """Spread, error and chance of the exact answer of a mechanism that adds noise to a number.

    >>> found = accuracy(Geometric(1.2992829841302608))
    >>> print(found.deviation)
    standard deviation of the noise is 1.02 (rounded up)
    >>> print(found.exact)
    probability of the exact answer is 57.2 % (rounded up)
    """
    chance = open_probability("confidence", confidence, _CHANCE)
    _require_release(release)
    error = release.error_quantile(chance)
    return Accuracy(release, release.standard_deviation(), error, release.probability_of_exact_answer())


@dataclass(frozen=True)
class Target:
    """A target for a rate: so many per so many, in a population of known size. It is met by this rate or less.

    >>> print(Target(6.0, per=1000, of=4012).count)
    largest count that meets the target is 24.1 (rounded up)
    """

    rate: float
    per: float
    of: float

    def __init__(self, rate: float, *, per: float, of: float) -> None:
        object.__setattr__(self, "rate", finite_nonnegative("rate", rate, _RATE))
        object.__setattr__(self, "per", finite_positive("per", per, _BASE))
        object.__setattr__(self, "of", finite_positive("of", of, _BASE))
        fits = _double(self.exact_count) is not None
        rule = "must be a count that fits a double"
        require(fits, name="rate * of / per", rule=rule, value=(rate, per, of), way_out=_BASE)

    @property
    def count(self) -> Finding:
        """The count at which the target is just met; it need not be a whole number."""
        inputs = {"rate": self.rate, "per": self.per, "of": self.of}
        return _rational(TARGET_COUNT, self.exact_count, float(self.exact_count), inputs)

    @property
    def exact_count(self) -> Fraction:
        """The same without rounding."""
        return Fraction(self.rate) * Fraction(self.of) / Fraction(self.per)

    def rate_of(self, count: float) -> Finding:
        """The rate that a count stands for."""
        known = finite("count", count, "Use a count such as 25.")
        inputs = {"count": known, "per": self.per, "of": self.of}
        exact = Fraction(known) * Fraction(self.per) / Fraction(self.of)
        rate = _double(exact)
        rule = "must be that of a rate that fits a double"
        require(rate is not None, name="count", rule=rule, value=count, way_out="Use a count such as 25.")
        assert rate is not None
        return _rational(RATE, exact, rate, inputs)


def crossing(release: Mechanism, *, count: float, target: float | Target) -> Finding:
    """The probability that noise takes a count from one side of a target to the other.

    The target is met by a count of at most this number. Use hypothetical counts to choose the noise: the true one is
    confidential.

    >>> print(crossing(Geometric(math.log(9)), count=25, target=Target(6.0, per=1000, of=4012)))
    probability that the released count is on the other side of the target is 10 % (to within 3e-16)
    """
    _require_release(release)
    known = finite("count", count, "Use a hypothetical count such as 25.")
    goal = target.exact_count if isinstance(target, Target) else Fraction(finite("target", target, "Use a count."))
    distance = goal - Fraction(known)
    needed = -distance if distance < 0 else _beyond(release, distance)
    tail = release.noise_tail(_below(needed))
    basis = tail.basis | Basis.of("target-crossing")
    inputs = {"promise": release, "count": known, "target": float(goal)}
    return replace(tail, quantity=CROSSING, inputs=inputs, basis=basis)


def _rational(quantity: Quantity, exact: Fraction, nearest: float, inputs: dict[str, float]) -> Finding:
    """A rational number by the nearest double, with slack only where that is another number."""
    basis = Basis(theorems=("target-crossing",), slack=0.0 if Fraction(nearest) == exact else 4 * ULP)
    return Finding(quantity, nearest, Direction.EXACTLY, inputs, basis)


def _require_release(release: object) -> None:
    known = isinstance(release, Mechanism)
    require(known, name="release", rule="must be a mechanism", value=release, way_out=_RELEASE)


def _beyond(release: Mechanism, distance: Fraction) -> Fraction:
    """What noise must reach to exceed a distance: the next whole number, if the noise is whole."""
    return Fraction(math.floor(distance) + 1) if isinstance(release, Geometric | DiscreteGaussian) else distance


def _below(needed: Fraction) -> float:
    """The number as a double, not above it: so the tail is not cut short."""
    nearest = _double(needed)
    if nearest is None:
        return sys.float_info.max
    return nearest if Fraction(nearest) <= needed else math.nextafter(nearest, -math.inf)


def _double(exact: Fraction) -> float | None:
    """The nearest double; None beyond them."""
    try:
        return float(exact)
    except OverflowError:
        return None


_RELEASE = "Pass a mechanism that adds noise to a number, such as Geometric(1.0)."
