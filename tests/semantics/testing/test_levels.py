"""The smallest level of a power: the inverse of the power, and bounded from below where that is bounded from above."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from whit.curves import from_powers
from whit.errors import InvalidInput
from whit.guarantees import ApproxDP, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.mechanisms import DiscreteGaussian, Finite, Gaussian, Laplace, compose
from whit.semantics.testing import level, log_level, power
from whit.setting import Knowledge, Neighbours
from whit.theory import Direction

POWERS = np.array([0.0, 1e-300, 1e-6, 0.3, 0.9, 1.0])


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 1.0, 30.0])
def test_the_level_of_pure_differential_privacy_is_the_larger_of_two_lines(epsilon: float) -> None:
    found = level(PureDP(epsilon), POWERS)
    assert found.direction is Direction.AT_LEAST
    for wanted, value in zip(POWERS, found.value, strict=True):
        y, factor = mpmath.mpf(wanted), mpmath.exp(mpmath.mpf(epsilon))
        exact = max(y / factor, 1 - factor * (1 - y))
        assert value <= exact * (1 + mpmath.mpf(2) ** -52)
        # Near power 1 the level is as steep as e^epsilon in the rounding of the power.
        assert value >= exact * (1 - mpmath.mpf("1e-12")) - mpmath.mpf("1e-15") * factor


def test_the_level_of_the_gaussian_is_an_interval_around_the_closed_form() -> None:
    found = level(Gaussian(1.0), [0.2, 0.95])
    assert found.direction is Direction.EXACTLY
    for place, wanted in enumerate((0.2, 0.95)):
        quantile = mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(wanted) - 1)
        exact = mpmath.ncdf(quantile - 1)
        assert found.lower[place] <= exact <= found.upper[place]
        assert found.upper[place] - found.lower[place] < 1e-13


@pytest.mark.parametrize(
    "promise", [ZeroConcentratedDP(0.3), RenyiDP({2: 0.3, 16: 2.0}), ApproxDP(0.5, 1e-3)], ids=repr
)
def test_no_more_than_the_power_is_reached_at_the_level(promise: object) -> None:
    wanted = np.array([0.01, 0.4, 0.9])
    least = level(promise, wanted).value
    assert np.all(power(promise, least).value >= wanted * (1 - 1e-12))
    assert np.all(power(promise, least * (1 - 1e-6)).value < wanted)


@pytest.mark.parametrize(
    "release", [DiscreteGaussian(2.0).times(5), compose(Laplace(1.0), Gaussian(1.0))], ids=["lattice", "densities"]
)
def test_the_level_of_a_composition_by_its_profile_is_where_the_power_is(release: object) -> None:
    wanted = np.array([0.05, 0.6])
    found = level(release, wanted)
    assert np.all(found.upper - found.lower <= 1e-4 * found.upper)
    assert np.all(power(release, found.lower).lower <= wanted * (1 + 1e-12))
    assert np.all(power(release, found.upper).upper >= wanted * (1 - 1e-12))


def test_what_only_one_dataset_produces_costs_no_level() -> None:
    release = Finite([0.5, 0.5, 0.0], [0.0, 0.5, 0.5])
    assert level(release, [0.0, 0.25, 0.5]).lower.tolist() == [0.0, 0.0, 0.0]
    assert np.all(level(release, [0.0, 0.25, 0.5]).upper <= 1e-14)
    assert float(level(release, 1.0)) == pytest.approx(0.5, rel=1e-12)
    assert float(level(ApproxDP(0.0, 1.0), 1.0)) == 0.0


def test_a_level_too_small_for_a_double_keeps_its_log() -> None:
    found = log_level(GaussianDP(40.0), [-1.0, -np.inf, 0.0])
    quantile = mpmath.findroot(lambda x: mpmath.ncdf(x) - mpmath.exp(-1), -0.3)
    exact = mpmath.log(mpmath.ncdf(quantile - 40))
    assert found.value[0] <= exact
    assert found.value[0] == pytest.approx(float(exact), rel=1e-12)
    assert found.value[1] == -np.inf
    assert found.direction is Direction.AT_LEAST


def test_an_audit_bounds_the_level_from_above() -> None:
    found = level(from_powers([0.01], [0.2]), 0.2)
    assert found.direction is Direction.AT_MOST
    assert 0.01 <= float(found) <= 0.01 * (1 + 1e-12)


def test_neighbours_and_the_rest_are_taken_into_account() -> None:
    replaced = level(PureDP(0.5), 0.3, neighbours=Neighbours.REPLACE, knows=Knowledge.ANY_BELIEF)
    assert float(replaced) == pytest.approx(0.3 / np.e, rel=1e-12)
    assert level(Gaussian(1.0), 0.3, knows=Knowledge.ANY_BELIEF).direction is Direction.AT_LEAST


def test_bad_input_is_answered_in_one_sentence() -> None:
    with pytest.raises(InvalidInput, match=r"power must be a probability in \[0, 1\] .*; got -0.1. Use a rate of hits"):
        level(PureDP(1.0), -0.1)
    with pytest.raises(InvalidInput, match="log_power must be at most 0; got 1.0. Pass the natural log"):
        log_level(PureDP(1.0), 1.0)
