"""What noise costs in accuracy."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError

import mpmath as mp
import pytest

from whit.errors import InvalidInput, NotImplied
from whit.guarantees import PureDP
from whit.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from whit.policy.noise_cost import Target, accuracy, crossing


@pytest.mark.parametrize("release", [Geometric(0.7), Laplace(2.0), Gaussian(3.0), DiscreteGaussian(3.0)], ids=str)
def test_accuracy_is_that_of_the_mechanism(release):
    found = accuracy(release, confidence=0.9)
    assert found.deviation == release.standard_deviation()
    assert found.error == release.error_quantile(0.9)
    assert found.exact == release.probability_of_exact_answer()


def by_sum(epsilon, count, target):
    """The probability of crossing, added up over the outcomes of geometric noise."""
    alpha = mp.exp(-mp.mpf(epsilon))
    norm = (1 - alpha) / (1 + alpha)
    outcomes = range(-400, 401)
    return mp.fsum(norm * alpha ** abs(k) for k in outcomes if (count + k <= target) != (count <= target))


@pytest.mark.parametrize("count", [20, 23, 24, 25, 26, 30])
@pytest.mark.parametrize("target", [24.0, 24.072, 24.999])
def test_crossing_adds_up_the_outcomes_on_the_other_side(count, target):
    found = crossing(Geometric(0.5), count=count, target=target)
    assert float(found) == pytest.approx(float(by_sum(0.5, count, target)), rel=1e-12)


@pytest.mark.parametrize("count", [20.0, 24.0, 25.0])
def test_crossing_with_a_density_is_its_tail(count):
    distance = abs(24.5 - count)
    assert float(crossing(Gaussian(2.0), count=count, target=24.5)) == pytest.approx(
        math.erfc(distance / 2 / math.sqrt(2)) / 2, rel=1e-12
    )


def test_on_the_target_itself_whole_noise_must_exceed_it():
    alpha = math.exp(-1.0)
    assert float(crossing(Geometric(1.0), count=24, target=24)) == pytest.approx(alpha / (1 + alpha), rel=1e-12)


def test_a_target_is_a_rate_in_a_population():
    target = Target(2.5, per=100, of=640)
    assert float(target.count) == 16.0
    assert float(target.rate_of(16)) == 2.5
    with pytest.raises(FrozenInstanceError, match="rate"):
        target.rate = 3.0  # type: ignore[misc]


def test_a_target_needs_people():
    with pytest.raises(InvalidInput, match="of must be a finite number above 0"):
        Target(6.0, per=1000, of=0)


def test_an_answer_that_is_no_number_has_no_accuracy():
    with pytest.raises(NotImplied, match="is not defined for a mechanism that adds no noise"):
        accuracy(RandomizedResponse(1.0))
    with pytest.raises(NotImplied, match="is not defined for a mechanism that adds no noise"):
        crossing(RandomizedResponse(1.0), count=3, target=2)


@pytest.mark.parametrize("release", ["a", 3, PureDP(1.0)])
def test_only_mechanisms_have_noise(release):
    with pytest.raises(InvalidInput, match="release must be a mechanism"):
        accuracy(release)
    for target in (4, 6):
        with pytest.raises(InvalidInput, match="release must be a mechanism"):
            crossing(release, count=5, target=target)


def test_targets_beyond_the_doubles_are_refused():
    with pytest.raises(InvalidInput, match="must be a count that fits a double"):
        Target(1e308, per=1e-300, of=1e300)
    with pytest.raises(InvalidInput, match="rate that fits a double"):
        Target(1.0, per=1e300, of=1e-300).rate_of(5)
    assert float(crossing(Laplace(1.0), count=-1e308, target=1.5e308).upper) <= 1e-200
