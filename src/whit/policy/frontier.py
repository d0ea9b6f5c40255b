"""Risk against accuracy: what each requirement costs in noise, and what a wanted accuracy costs in risk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from whit.curves import Promise
from whit.errors import Unreachable, require
from whit.mechanisms import Mechanism
from whit.numerics import finite_positive, furthest, open_probability
from whit.policy.accuracy import Accuracy, accuracy
from whit.policy.families import NoiseFamily, Rule, family_of
from whit.policy.recommendation import Recommendation, Requirement, recommend
from whit.setting import Neighbours, Sensitivity
from whit.theory import Answer, Finding

_REQUIREMENTS = "Pass profiles or limits from strict to loose, such as [constant(2.0), constant(3.0)]."
_DEVIATION = "Use the largest standard deviation that is acceptable, such as 2."
_ERROR = "Use the largest error that is acceptable, such as 5."
_CHANCE = "Use the probability with which the error keeps within it, such as 0.95."


@dataclass(frozen=True, repr=False)
class Step(Answer):
    """One requirement on the way from little risk to little noise.

    Attributes:
        requirement: what is accepted.
        recommendation: the parameter that keeps to it.
        accuracy: how far the noise then moves the published number.
    """

    requirement: Requirement
    recommendation: Recommendation
    accuracy: Accuracy

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The parameter, the numbers that it comes to, and the error of the noise."""
        return (self.recommendation.parameter, *self.recommendation.findings, self.accuracy.error)

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
) -> tuple[Step, ...]:
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
    steps = []
    for each in requirements:
        found = recommend(
            each,
            family,
            releases=releases,
            failure=failure,
            neighbours=neighbours,
            sides=sides,
            sensitivity=sensitivity,
            spent=spent,
        )
        if found.unlimited:
            rule = "must set a limit, since without one no noise is needed"
            raise Unreachable("a requirement", rule, each, "Leave it out, or make it stricter.")
        release = found.release
        assert isinstance(release, Mechanism)  # what is no mechanism was refused
        steps.append(Step(each, found, accuracy(release, confidence=confidence)))
    return tuple(steps)


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


def _quietest(choice: NoiseFamily, most: float, error: Callable[[Mechanism], float]) -> Mechanism:
    """The mechanism that tells least among those whose error is at most a number."""

    def room(value: float) -> float:
        return most - error(choice.one(value))

    found = furthest(room, lambda value: room(value) >= 0.0, rising=not choice.rising, start=most)
    if found is None:
        rule = "must have a value with which the noise is just accurate enough"
        raise Unreachable(f"the {choice.parameter}", rule, "none", "Ask for an accuracy between the extremes.")
    return choice.one(found)
