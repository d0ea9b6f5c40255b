"""Few cells with discrete Gaussian noise, by a list of all sums of their losses."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from whit.plans.noise import LatticeLoss, can_be_listed

# Two cells of variance 4 and one of variance 2: the losses are whole multiples of 1/8.
LOSS = LatticeLoss(((Fraction(4), 2), (Fraction(2), 1)))


def brute_force() -> tuple[np.ndarray, np.ndarray]:
    """All outcomes of three cells, one by one: losses in units of 1/8, and their probabilities."""
    k = np.arange(-25, 26)
    masses = []
    for variance in (4, 4, 2):
        weights = np.exp(-k * k / (2 * variance))
        masses.append(weights / weights.sum())
    a, b, c = np.meshgrid(k, k, k, indexing="ij")
    units = (2 * a + 1) + (2 * b + 1) + 2 * (2 * c + 1)
    return units.ravel() / 8, np.einsum("i,j,k->ijk", *masses).ravel()


@pytest.mark.parametrize("epsilon", [-1.0, 0.0, 0.3, 1.0, 2.5])
def test_the_profile_is_that_of_all_outcomes(epsilon):
    losses, masses = brute_force()
    truth = np.sum(masses * np.maximum(1 - np.exp(epsilon - losses), 0.0))
    found = LOSS.log_delta(epsilon).exp()
    assert found.lower - 1e-14 <= truth <= found.upper + 1e-14
    assert found.upper - found.lower < 1e-11


@pytest.mark.parametrize("t", [-0.7, 0.3, 1.1])
def test_the_tails_are_those_of_all_outcomes(t):
    losses, masses = brute_force()
    for found in (LOSS.log_tail(t), LOSS.log_tail_closed(t)):
        assert float(found.exp().mid) == pytest.approx(float(masses[losses > t].sum()), rel=1e-11)


def test_at_an_atom_the_two_tails_differ_by_its_mass():
    losses, masses = brute_force()
    # An atom at 1/2: asked a hair to either side of it, since the losses are known to rounding only.
    mass = masses[losses == 0.5].sum()
    below, above = (float(LOSS.log_tail(t).exp().mid) for t in (0.5 - 1e-9, 0.5 + 1e-9))
    assert below - above == pytest.approx(float(mass), rel=1e-9)


def test_no_epsilon_is_enough_for_a_delta_of_zero_and_no_power_is_had_at_level_zero():
    assert float(LOSS.epsilon(-np.inf).lower) == math.inf
    assert float(LOSS.log_power(-np.inf).upper) == -math.inf
    assert LOSS.log_infinity == -math.inf
    assert LOSS.reverse() is LOSS


def test_the_epsilon_of_a_delta_gives_the_delta_back():
    epsilon = float(LOSS.epsilon(math.log(0.01)).upper)
    assert float(LOSS.log_delta(epsilon).exp().upper) == pytest.approx(0.01, rel=1e-9)


def test_many_points_and_large_losses_are_left_to_the_transform():
    assert can_be_listed({Fraction(16): 4, Fraction(8): 2})
    assert not can_be_listed({Fraction(16): 4, Fraction(10007): 2})
    assert not can_be_listed({Fraction(10**8): 2})
    assert not can_be_listed({Fraction(1, 100): 2})


def test_variances_without_a_common_step_are_not_listed() -> None:
    """The step that ten large primes share is no double; a thousand variances have a point each, and more."""
    primes = [10**40 + each for each in (121, 139, 163, 301, 369, 1293)]
    assert not can_be_listed({Fraction(prime): 1 for prime in primes})
    assert not can_be_listed({Fraction(10**45, prime): 1 for prime in primes})
    assert not can_be_listed({Fraction(each): 1 for each in range(100, 1100)})


def test_what_is_cut_off_is_next_to_nothing():
    assert LOSS.log_cut < -200
