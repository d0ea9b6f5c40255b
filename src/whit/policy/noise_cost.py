"""What the noise costs: spread, error, the exact answer, a target that is crossed; and risk against accuracy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from whit.curves import Promise
from whit.display import Row, Several, steps
from whit.errors import Unreachable, require
from whit.mechanisms import DiscreteGaussian, Geometric, Mechanism
from whit.numerics import ULP, doubles_around, finite, finite_nonnegative, finite_positive, furthest, open_probability
from whit.policy.families import NoiseFamily, Rule
from whit.policy.family_of import family_of
from whit.policy.recommendation import Recommendation, Requirement, recommend
from whit.policy.shown import step_cells, step_rows
from whit.setting import Neighbours, Sensitivity
from whit.theory import Answer, Basis, Direction, Finding, Quantity, Unit

CROSSING = Quantity(
    "probability that the released count is on the other side of the target", Unit.PROBABILITY, key="crossing"
)
TARGET_COUNT = Quantity("largest count that meets the target", Unit.NUMBER, certain=True)
RATE = Quantity("rate of the count", Unit.NUMBER)

_CHANCE = "Use the probability that the error stays within it, such as 0.95."
_RATE = "Use a rate such as 6.0."
_RELEASE = "Pass a mechanism that adds noise to a number, such as Geometric(1.0)."
_BASE = "Use a number of people or events such as 1000."
_REQUIREMENTS = "Pass profiles or limits from strict to loose, such as [constant(2.0), constant(3.0)]."
_DEVIATION = "Use the largest standard deviation that is acceptable, such as 2."
_ERROR = "Use the largest error that is acceptable, such as 5."


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
    probability of the exact answer is 57.1 % (rounded down)
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
    tail = release.noise_tail(doubles_around(needed)[0])  # not above what is needed: the tail is not cut short
    basis = tail.basis | Basis.of("target-crossing")
    inputs = {"promise": release, "count": known, "target": float(goal)}
    return replace(tail, quantity=CROSSING, inputs=inputs, basis=basis)


@dataclass(frozen=True, repr=False)
class Step(Answer):
    """One requirement on the way from little risk to little noise.

    Attributes:
        requirement: what is accepted.
        recommendation: the parameter that meets it.
        accuracy: how far the noise then moves the published number.
    """

    requirement: Requirement
    recommendation: Recommendation
    accuracy: Accuracy

    @property
    def written(self) -> Accuracy:
        """How far the noise moves the number with the parameter as it is written, which has fewer digits."""
        release = self.recommendation.to_use
        assert isinstance(release, Mechanism)  # as the one whose parameter has all digits
        return accuracy(release, confidence=float(self.accuracy.error.inputs["probability"]))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The parameter, the numbers that it comes to, and the error of the noise."""
        return (self.recommendation.parameter, *self.recommendation.findings, self.accuracy.error)

    def to_rows(self) -> list[Row]:
        """One row: what is accepted, the parameter, the risk, and what the noise costs."""
        return step_rows(self)

    def cells(self) -> dict[str, str]:
        """One row of texts: what is accepted, the parameter, and what the noise costs."""
        return step_cells(self)

    def __str__(self) -> str:
        return f"{self.recommendation.parameter}; {self.accuracy.deviation}"


def frontier(
    requirements: Iterable[Requirement],
    family: type[Mechanism],
    *,
    confidence: float = 0.95,
    releases: int = 1,
    failure: float = 0.0,
    neighbours: Neighbours | None = None,
    sides: int = 1,
    sensitivity: Sensitivity | None = None,
    spent: Promise | Sequence[Promise] = (),
) -> Several[Step]:
    """What each risk profile, limit or promise costs in noise.

    Args:
        requirements: what is accepted, one for each step.
        family: the class of the noise, such as Geometric.
        confidence: the probability with which the error keeps within what is reported of it.
        releases: how many releases there will be; this and the other arguments are those of recommend.
        failure: the chance over the noise that the requirement does not hold.
        neighbours: the relation that a limit speaks about.
        sides: for limits: 1 to bound rises of the belief, 2 to bound drops as well.
        sensitivity: of the noise; that of one count if not given.
        spent: earlier releases about the same people.

    >>> from whit.mechanisms import Geometric
    >>> from whit.policy.profiles import capped
    >>> steps = frontier([capped(relative=r, absolute=0.25, value=1.0) for r in (1.5, 3.0, 6.0)], Geometric)
    >>> [round(float(step.accuracy.deviation), 2) for step in steps]
    [2.74, 1.02, 0.59]
    """
    given: object = requirements
    listed = isinstance(given, Iterable) and not isinstance(given, str)
    rule = "must be a list of risk profiles or limits"
    require(listed, name="requirements", rule=rule, value=given, way_out=_REQUIREMENTS)
    noise_family(family, sensitivity)
    asked = tuple(requirements)
    found = []
    for each in steps(asked, "requirement", len(asked)):
        best = recommend(
            each,
            family,
            releases=releases,
            failure=failure,
            neighbours=neighbours,
            sides=sides,
            sensitivity=sensitivity,
            spent=spent,
        )
        if best.unlimited:
            rule = "must set a limit, since without one no noise is needed"
            raise Unreachable("a requirement", rule, each, "Leave it out, or make it stricter.")
        release = best.release
        assert isinstance(release, Mechanism)  # what is no mechanism was refused
        found.append(Step(each, best, accuracy(release, confidence=confidence)))
    return Several(found)


def noise_of_deviation(
    family: type[Mechanism], deviation: float, *, sensitivity: Sensitivity | None = None
) -> Mechanism:
    """The most noise of a family whose standard deviation is at most this: the least risk that the accuracy costs.

    >>> from whit.mechanisms import Laplace
    >>> round(noise_of_deviation(Laplace, 2.0).scale, 6)
    1.414214
    """
    most = finite_positive("deviation", deviation, _DEVIATION)
    return _quietest(noise_family(family, sensitivity), most, lambda one: float(one.standard_deviation()))


def noise_of_error(
    family: type[Mechanism], error: float, *, confidence: float = 0.95, sensitivity: Sensitivity | None = None
) -> Mechanism:
    """The most noise of a family whose error keeps within a number with this confidence.

    >>> from whit.mechanisms import Gaussian
    >>> round(noise_of_error(Gaussian, 1.96, confidence=0.95).sigma, 4)
    1.0
    """
    most = finite_positive("error", error, _ERROR)
    chance = open_probability("confidence", confidence, _CHANCE)
    return _quietest(noise_family(family, sensitivity), most, lambda one: float(one.error_quantile(chance)))


def noise_family(family: type[Mechanism], sensitivity: Sensitivity | None) -> NoiseFamily:
    """The family of a mechanism; promises have no noise."""
    choice = family_of(
        family, releases=1, delta=None, neighbours=None, sensitivity=sensitivity, rule=Rule.OWN, total_delta=None
    )
    way_out = "Use Gaussian, DiscreteGaussian, Laplace or Geometric."
    noisy = isinstance(choice, NoiseFamily)
    require(noisy, name="family", rule="must be a mechanism", value=family, way_out=way_out)
    assert isinstance(choice, NoiseFamily)
    return choice


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


def _double(exact: Fraction) -> float | None:
    """The nearest double; None beyond them."""
    try:
        return float(exact)
    except OverflowError:
        return None


def _quietest(choice: NoiseFamily, most: float, error: Callable[[Mechanism], float]) -> Mechanism:
    """The mechanism that tells least among those whose error is at most a number."""

    def room(value: float) -> float:
        return most - error(choice.one(value))

    found = furthest(room, lambda value: room(value) >= 0.0, rising=not choice.rising, start=most)
    if found is None:
        rule = "must have a value with which the noise is just accurate enough"
        raise Unreachable(f"the {choice.parameter}", rule, "none", "Ask for an accuracy between the extremes.")
    return choice.one(found)
