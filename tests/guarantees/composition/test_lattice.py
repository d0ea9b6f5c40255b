"""Many unequal coins on one lattice: an upper bound, and a close one."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest

from whit.curves import ChordProfile
from whit.guarantees.composition.lattice import profile_on_lattice


def true_delta(coins: list[tuple[float, int]], epsilon: float) -> mpmath.mpf:
    """Every outcome of every coin, in fifty digits."""
    with mpmath.workdps(50):
        each = [mpmath.mpf(one) for one, number in coins for _ in range(number)]
        total = mpmath.mpf(0)
        for signs in itertools.product((-1, 1), repeat=len(each)):
            loss = mpmath.fsum(sign * one for sign, one in zip(signs, each, strict=True))
            if loss > epsilon:
                mass = mpmath.fprod(1 / (1 + mpmath.exp(-sign * one)) for sign, one in zip(signs, each, strict=True))
                total += mass * (1 - mpmath.exp(epsilon - loss))
        return total


COINS = {
    "one": [(1.0, 1)],
    "unequal": [(0.3, 1), (0.7, 2), (1.1, 1), (0.013, 3)],
    "far apart": [(1e-4, 4), (3.0, 2)],
    "large": [(20.0, 1), (7.0, 2)],
    "tiny": [(1e-12, 3), (3e-12, 2)],
}


@pytest.mark.parametrize("name", COINS)
@pytest.mark.parametrize("share", [-0.4, 0.0, 0.3, 0.71, 0.95, 0.999])
def test_the_profile_is_never_below_the_truth(name, share):
    coins = COINS[name]
    epsilon = share * sum(one * number for one, number in coins)
    found, truth = (
        mpmath.mpf(np.exp(profile_on_lattice(coins, 0.0).log_delta(epsilon).upper).item()),
        true_delta(coins, epsilon),
    )
    assert truth <= found
    assert found <= truth * (1 + mpmath.mpf("3e-3")) + mpmath.mpf("1e-12")


@pytest.mark.parametrize("name", ["one", "unequal"])
def test_what_is_given_away_counts_first(name):
    coins, chance = COINS[name], 0.125
    found = float(np.exp(profile_on_lattice(coins, chance).log_delta(0.2).upper))
    truth = chance + (1 - chance) * true_delta(coins, 0.2)
    assert truth <= found <= truth * (1 + mpmath.mpf("1e-4"))


def test_the_power_is_never_below_that_of_equal_coins():
    """Forty equal coins: the number of heads is binomial, and the test counts them."""
    epsilon, number = 0.1, 40
    heads = 1 / (1 + math.exp(-epsilon))
    p = [math.comb(number, k) * heads**k * (1 - heads) ** (number - k) for k in range(number + 1)]
    q = p[::-1]
    profile = profile_on_lattice([(epsilon, number)], 0.0)
    for at in (20, 23, 26, 30):
        level, power = math.fsum(q[at:]), math.fsum(p[at:])
        found = float(np.exp(profile.log_power(math.log(level)).upper))
        assert power <= found * (1 + 1e-12)
        assert found <= power * (1 + 1e-3)


def test_what_falls_off_the_lattice_is_counted():
    """Two thousand coins reach further than the lattice: the profile stays above what the tail has there."""
    profile = profile_on_lattice([(0.05, 2000)], 0.0)
    assert isinstance(profile, ChordProfile)
    assert float(profile.log_delta(99.0).upper) > -math.inf
    assert float(np.exp(profile.log_delta(80.0).upper)) < 1e-30
