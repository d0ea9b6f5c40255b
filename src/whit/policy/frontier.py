"""Risk against accuracy: what each profile costs in noise, and what a wanted accuracy costs in risk."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from whit.errors import Unreachable, require
from whit.mechanisms import Mechanism
from whit.numerics import finite_positive, open_probability
from whit.policy.accuracy import Accuracy, accuracy
from whit.policy.families import NoiseFamily, Rule, family_of
from whit.policy.profiles import RiskProfile
from whit.policy.recommend import Recommendation, recommend
from whit.policy.recommend_search import boldest
from whit.setting import Sensitivity

_PROFILES = "Pass profiles from strict to loose, such as [constant(2.0), constant(3.0)]."
_DEVIATION = "Use the largest standard deviation that is acceptable, such as 2."
_ERROR = "Use the largest error that is acceptable, such as 5."
_CHANCE = "Use the probability with which the error keeps within it, such as 0.95."


@dataclass(frozen=True)
class Step:
    """One profile on the way from little risk to little noise.

    Attributes:
        profile: what is accepted.
        recommendation: the parameter that keeps to it.
        accuracy: how far the noise then moves the published number.
    """

    profile: RiskProfile
    recommendation: Recommendation
    accuracy: Accuracy


def frontier(
    profiles: Iterable[RiskProfile], family: type[Mechanism], *, confidence: float = 0.95, **options: Any
) -> tuple[Step, ...]:
    """What each profile costs in noise; the options are those of recommend.

    >>> from whit.mechanisms import Geometric
    >>> from whit.policy.profiles import capped
    >>> steps = frontier([capped(relative=r, absolute=0.25, value=1.0) for r in (1.5, 3.0, 6.0)], Geometric)
    >>> [round(float(step.accuracy.deviation), 2) for step in steps]
    [2.74, 1.02, 0.59]
    """
    given: object = profiles
    listed = isinstance(given, Iterable) and not isinstance(given, str)
    require(listed, name="profiles", rule="must be a list of risk profiles", value=given, way_out=_PROFILES)
    noise_family(family, options.get("sensitivity"))
    steps = []
    for profile in profiles:
        found = recommend(profile, family, **options)
        if found.unlimited:
            rule = "must set a limit, since without one no noise is needed"
            raise Unreachable("a risk profile", rule, profile, "Leave this profile out, or make it stricter.")
        release = found.release
        assert isinstance(release, Mechanism)  # what is no mechanism was refused
        steps.append(Step(profile, found, accuracy(release, confidence=confidence)))
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
    options: dict[str, Any] = {"delta": None, "neighbours": None, "rule": Rule.OWN, "total_delta": None}
    choice = family_of(family, releases=1, sensitivity=sensitivity, **options)
    way_out = "Use Gaussian, DiscreteGaussian, Laplace or Geometric."
    noisy = isinstance(choice, NoiseFamily)
    require(noisy, name="family", rule="must be a mechanism", value=family, way_out=way_out)
    assert isinstance(choice, NoiseFamily)
    return choice


def _quietest(choice: NoiseFamily, most: float, error: Callable[[Mechanism], float]) -> Mechanism:
    """The mechanism that tells least among those whose error is at most a number."""

    def room(value: float) -> float:
        return most - error(choice.one(value))

    found = boldest(room, lambda value: room(value) >= 0.0, rising=not choice.rising, start=most)
    if found is None:
        rule = "must have a value with which the noise is just accurate enough"
        raise Unreachable(f"the {choice.parameter}", rule, "none", "Ask for an accuracy between the extremes.")
    return choice.one(found)
