"""The belief after a rejection: Bayes's rule in 50 digits, and the odds of pbdp."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from whit.curves import from_powers
from whit.errors import Incompatible, InvalidInput
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Finite, Gaussian
from whit.semantics.testing import positive_predictive_value, posterior_after_rejection
from whit.setting import Knowledge
from whit.theory import Direction

PRIORS = np.array([0.0, 1e-300, 1e-15, 0.1, 0.5, 1 - 1e-15, 1.0])


@pytest.mark.parametrize("level", [0.0, 1e-300, 0.01, 0.6, 1.0])
@pytest.mark.parametrize("epsilon", [0.0, 1.0, 710.0, 1e4])
def test_pure_differential_privacy_multiplies_the_odds_by_power_over_level(epsilon: float, level: float) -> None:
    found = positive_predictive_value(PureDP(epsilon), level, PRIORS).value
    a, factor = mpmath.mpf(level), mpmath.exp(mpmath.mpf(epsilon))
    falling = -mpmath.expm1(-mpmath.mpf(epsilon)) + a / factor
    ratio = min(factor, falling / a, 1 / a) if a > 0 else factor
    for prior, value in zip(PRIORS, found, strict=True):
        p = mpmath.mpf(prior)
        exact = p * ratio / (p * ratio + 1 - p)
        assert value >= exact * (1 - mpmath.mpf(2) ** -53)
        assert value <= exact * (1 + mpmath.mpf("1e-11"))


def test_the_odds_after_a_test_of_a_power_are_those_of_pbdp() -> None:
    promise = ApproxDP(0.5, 0.01)
    for power in (0.02, 0.4, 0.9):
        after = float(posterior_after_rejection(promise, power, 0.3))
        epsilon = float(promise.bounded_epsilon(power))
        assert math.log(after / (1 - after)) == pytest.approx(math.log(0.3 / 0.7) + epsilon, rel=1e-11)


def test_what_only_one_dataset_produces_makes_certain() -> None:
    release = Finite([0.5, 0.5], [0.0, 1.0])
    assert float(posterior_after_rejection(release, 0.5, 0.01)) == 1.0
    assert float(posterior_after_rejection(release, 0.0, 0.01)) == 1.0
    assert float(positive_predictive_value(release, 0.0, 0.01)) == 1.0
    assert float(positive_predictive_value(release, 0.0, 0.0).upper) == 0.0
    assert float(posterior_after_rejection(ApproxDP(1.0, 1e-6), 1e-6, 1e-12)) == 1.0


def test_rare_rejections_of_gaussian_noise_say_ever_more() -> None:
    levels = np.array([0.5, 0.01, 1e-6, 1e-100, 0.0])
    found = positive_predictive_value(Gaussian(1.0), levels, 0.5)
    assert np.all(np.diff(found.value) > 0)
    assert found.upper[-1] == 1.0
    rare = posterior_after_rejection(ZeroConcentratedDP(0.1), [0.9, 0.1, 1e-9, 0.0], 0.5).value
    assert np.all(np.diff(rare) >= 0)
    assert rare[-1] == 1.0


def test_levels_powers_and_priors_broadcast() -> None:
    assert positive_predictive_value(PureDP(1.0), [[0.1], [0.2]], [0.1, 0.5, 0.9]).value.shape == (2, 3)
    assert posterior_after_rejection(PureDP(1.0), [[0.1], [0.2]], [0.1, 0.5, 0.9]).value.shape == (2, 3)


def test_the_direction_is_that_of_the_curve() -> None:
    audit = from_powers([0.01], [0.2])
    found = positive_predictive_value(audit, 0.01, 0.5)
    assert found.direction is Direction.AT_LEAST
    assert float(found) == pytest.approx(0.2 / 0.21, rel=1e-12)
    assert (
        positive_predictive_value(Gaussian(1.0), 0.01, 0.5, knows=Knowledge.ANY_BELIEF).direction is Direction.AT_MOST
    )
    assert posterior_after_rejection(Gaussian(1.0), 0.5, 0.5, knows=Knowledge.ANY_BELIEF).direction is Direction.AT_MOST


def test_bad_input_is_answered_in_one_sentence() -> None:
    with pytest.raises(
        InvalidInput, match=r"prior must be a probability in \[0, 1\] .*; got -1.0. Use the probability"
    ):
        positive_predictive_value(PureDP(1.0), 0.05, -1.0)
    with pytest.raises(InvalidInput, match=r"power must be a probability in \[0, 1\] .*; got 3.0. Use a rate of hits"):
        posterior_after_rejection(PureDP(1.0), 3.0, 0.5)


@pytest.mark.parametrize(("ask", "named"), [(positive_predictive_value, "level"), (posterior_after_rejection, "power")])
def test_numbers_that_do_not_pair_are_refused_with_their_shapes(ask, named) -> None:
    with pytest.raises(Incompatible, match=rf"{named} and prior must have shapes .* \(2,\) and \(3,\)"):
        ask(PureDP(1.0), [0.1, 0.2], [0.1, 0.2, 0.3])
