"""Risk against accuracy, in both directions."""

from __future__ import annotations

import math

import pytest

from whit.errors import InvalidInput, Unreachable
from whit.guarantees import PureDP
from whit.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from whit.policy.noise_cost import frontier, noise_of_deviation, noise_of_error
from whit.policy.profiles import box, capped, constant


def test_more_accepted_risk_is_less_noise():
    profiles = [capped(relative=r, absolute=a, value=1.0) for r in (1.2, 2.0, 5.0) for a in (0.0, 0.25, 0.5)]
    deviations = [float(step.accuracy.deviation) for step in frontier(profiles, Geometric)]
    assert deviations == sorted(deviations, reverse=True)
    assert deviations[-1] == pytest.approx(0.5303300858899106, rel=1e-9)  # the RMSE that KR24 print as 0.53


def test_each_step_carries_its_profile_and_its_recommendation():
    (step,) = frontier([capped(relative=3.0, absolute=0.25, value=1.0)], Laplace, confidence=0.9)
    assert step.requirement.relative == 3.0
    assert step.accuracy.release == step.recommendation.release
    assert float(step.accuracy.error) == pytest.approx(-float(step.recommendation.parameter) * math.log(0.1), rel=1e-12)


def test_a_profile_that_limits_nothing_has_no_place_on_the_frontier():
    with pytest.raises(Unreachable, match="must set a limit"):
        frontier([box(3.0, inclusion=(0.9, 1.0), value=(0.9, 1.0))], Geometric)


@pytest.mark.parametrize("kind", [Gaussian, Laplace, Geometric, DiscreteGaussian])
def test_the_most_noise_within_a_deviation_is_just_within_it(kind):
    noise = noise_of_deviation(kind, 2.5)
    deviation = float(noise.standard_deviation().upper)
    assert deviation <= 2.5
    assert deviation == pytest.approx(2.5, rel=1e-9)


def test_laplace_noise_within_a_deviation_has_a_known_scale():
    assert noise_of_deviation(Laplace, 3.0).scale == pytest.approx(3.0 / math.sqrt(2), rel=1e-11)


def test_the_most_noise_within_an_error_is_just_within_it():
    noise = noise_of_error(Laplace, 4.0, confidence=0.95)
    assert float(noise.error_quantile(0.95).upper) <= 4.0
    assert noise.scale == pytest.approx(-4.0 / math.log(0.05), rel=1e-11)


def test_whole_noise_keeps_within_a_whole_error():
    noise = noise_of_error(Geometric, 4.0, confidence=0.95)
    assert float(noise.error_quantile(0.95).upper) <= 4.0
    quieter = Geometric(noise.stated_epsilon * 0.999)
    assert float(quieter.error_quantile(0.95).upper) > 4.0


def test_an_accuracy_must_be_a_positive_number():
    with pytest.raises(InvalidInput, match="deviation must be a finite number above 0"):
        noise_of_deviation(Laplace, 0.0)
    with pytest.raises(InvalidInput, match="confidence must be a probability strictly between 0 and 1"):
        noise_of_error(Laplace, 1.0, confidence=1.0)


@pytest.mark.parametrize("given", [3, "ab", None])
def test_requirements_come_in_a_list(given):
    with pytest.raises(InvalidInput, match="requirements must be a list of risk profiles or limits"):
        frontier(given, Laplace)


def test_promises_have_no_frontier():
    with pytest.raises(InvalidInput, match="family must be a mechanism"):
        frontier([constant(3.0)], PureDP)


@pytest.mark.parametrize("family", [[], "Laplace", None])
def test_noise_is_of_a_class(family):
    with pytest.raises(InvalidInput, match="family must be a class"):
        noise_of_deviation(family, 2.0)


@pytest.mark.parametrize("deviation", [1e-30, 1e-9, 1e15, 1e40])
def test_noise_of_any_deviation_is_found(deviation):
    assert noise_of_deviation(Laplace, deviation).scale == pytest.approx(deviation / 2**0.5, rel=1e-9)
