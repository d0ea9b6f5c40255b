"""What holds for every kind: normalisation, orientation, ranges, and refusals in sentences."""

from __future__ import annotations

import math

import numpy as np
import pytest
from kinds_by_hand import geometric, of_pair

from whit.curves.contour import (
    DiscreteGaussianKind,
    EpsilonDeltaKind,
    GaussianKind,
    Kind,
    LaplaceKind,
    RandomizedResponseKind,
    ReplacedGaussianKind,
    SubsampledGaussianKind,
    SubsampledLaplaceKind,
    ToldKind,
)
from whit.errors import InvalidInput

KINDS: list[Kind] = [
    GaussianKind(0.7),
    LaplaceKind(0.5),
    LaplaceKind(20.0),
    RandomizedResponseKind(1e-6),
    RandomizedResponseKind(50.0),
    DiscreteGaussianKind(0.2),
    DiscreteGaussianKind(3.0, 2),
    EpsilonDeltaKind(0.3, 0.01),
    of_pair((0.5, 0.4, 0.1, 0.0), (0.3, 0.5, 0.0, 0.2)),
    geometric(0.4, 3),
    SubsampledGaussianKind(1.0, 0.01),
    SubsampledGaussianKind(0.4, 0.7),
    SubsampledLaplaceKind(1.5, 0.2),
    ReplacedGaussianKind(1.0, 0.01),
    ReplacedGaussianKind(0.4, 0.7),
    ToldKind((SubsampledGaussianKind(1.0, 0.1), SubsampledGaussianKind(0.5, 0.2)), (0.9, 0.1)),
    ToldKind((ReplacedGaussianKind(1.0, 0.1), ReplacedGaussianKind(0.5, 0.2)), (0.9, 0.1)),
]


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_both_laws_have_their_mass(kind: Kind) -> None:
    """M(0) and M(-1) are the finite masses of P and of Q."""
    at_ends = kind.log_mgf(np.array([0.0 + 0j, -1.0 + 0j])).real
    truth = [math.log1p(-kind.infinity_mass), math.log1p(-kind.reverse_infinity_mass)]
    np.testing.assert_allclose(at_ends, truth, atol=1e-13)
    np.testing.assert_allclose([kind.log_finite_mass, kind.log_null_mass], truth, atol=1e-13)


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_reversal_reflects_the_transform(kind: Kind) -> None:
    s = np.array([0.3 + 0.7j, 1.2 - 0.4j, -0.6 + 2j])
    there, here = np.exp(kind.reverse().log_mgf(s)), np.exp(kind.log_mgf(-1 - s))
    np.testing.assert_allclose(there, here, rtol=1e-11)
    assert kind.reverse().infinity_mass == kind.reverse_infinity_mass
    low, high = kind.loss_range
    assert kind.reverse().loss_range == (-high, -low)


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_symmetry_in_t(kind: Kind) -> None:
    """Losses are real, so M at the conjugate is the conjugate."""
    up, down = kind.log_mgf(np.array([0.4 + 1.3j])), kind.log_mgf(np.array([0.4 - 1.3j]))
    np.testing.assert_allclose(np.exp(up), np.conj(np.exp(down)), rtol=1e-11)


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_mean_loss_is_positive(kind: Kind) -> None:
    """The slope of log M at 0 is the mean loss, a divergence (up to infinite mass)."""
    step = 1e-4
    right, left = kind.log_mgf(np.array([step + 0j, -step + 0j])).real
    assert right > left


def test_small_losses_keep_their_digits() -> None:
    """log M is about epsilon^2 s (s + 1) / 2 for a tiny epsilon; a form with cancellation would return 0 or noise."""
    s = np.array([1.0 + 0j, 3.0 + 0j])
    for kind in (RandomizedResponseKind(1e-9), LaplaceKind(1e-9)):
        np.testing.assert_allclose(kind.log_mgf(s).real, 0.5e-18 * (s * (s + 1)).real, rtol=1e-6)


def test_a_discrete_gaussian_is_periodic_up_to_a_sign() -> None:
    for sigma2, shift in ((0.8, 1), (0.3, 1), (5.0, 2), (5.0, 3)):
        kind, period = DiscreteGaussianKind(sigma2, shift), 2 * math.pi * sigma2 / shift
        here, there = kind.log_mgf(np.array([0.4 + 0.3j])), kind.log_mgf(np.array([0.4 + (0.3 + 3 * period) * 1j]))
        np.testing.assert_allclose(np.exp(there), (-1) ** (3 * shift) * np.exp(here), rtol=1e-10)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: GaussianKind(0.0), "mu must be a finite number above 0; got 0.0"),
        (lambda: GaussianKind(math.inf), "mu must be a finite number above 0; got inf"),
        (lambda: LaplaceKind(-1.0), "epsilon must be a finite number above 0; got -1.0"),
        (lambda: RandomizedResponseKind(math.nan), "epsilon must be a finite number above 0; got nan"),
        (lambda: EpsilonDeltaKind(1.0, 1.0), r"delta must be in \[0, 1\); got 1.0"),
        (lambda: DiscreteGaussianKind(0.0), "sigma2 must be a finite number above 0; got 0.0"),
        (lambda: DiscreteGaussianKind(1.0, 0), "shift must be at least 1; got 0"),
        (lambda: SubsampledGaussianKind(0.0, 0.5), "sigma must be a finite number above 0; got 0.0"),
        (lambda: SubsampledGaussianKind(1.0, 1.0), r"rate must be in \(0, 1\); got 1.0"),
        (lambda: SubsampledLaplaceKind(1.0, 0.0), r"rate must be in \(0, 1\); got 0.0"),
    ],
)
def test_parameters_out_of_range_are_refused(build: type, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        build()
