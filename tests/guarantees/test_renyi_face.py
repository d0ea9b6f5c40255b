"""The search for the best order finds it, and what it finds is a bound at every order by itself."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from whit.guarantees.coins import Within
from whit.guarantees.renyi_face import POWER_AT_LEVEL, RenyiFace
from whit.guarantees.renyi_orders import Concentrated, Listed


@pytest.mark.parametrize("rho", [1e-6, 0.02, 0.7, 5.0])
@pytest.mark.parametrize("level", [1e-12, 0.01, 0.4, 0.95])
def test_power_is_the_smallest_over_a_fine_grid_of_orders(rho, level):
    s = np.append(0.0, np.exp(np.linspace(-14.0, 18.0, 1200)))
    log_level = np.array(math.log(level))
    ways = [Within(s, rho * (1 + s), to_level).largest_power(log_level) for to_level in (True, False)]
    on_grid = float(np.min(ways))
    found = float(RenyiFace(Concentrated(rho)).log_power(log_level).mid)
    assert found <= on_grid + 1e-12 * abs(on_grid)
    assert found == pytest.approx(on_grid, rel=1e-3, abs=1e-9)


def test_a_list_of_orders_takes_the_best_of_them():
    orders = {1.5: 0.3, 4.0: 0.5, 30.0: 2.0}
    together = RenyiFace(Listed.of(orders)).log_power(math.log(0.02)).mid
    alone = [float(RenyiFace(Listed.of({a: g})).log_power(math.log(0.02)).mid) for a, g in orders.items()]
    assert float(together) == pytest.approx(min(alone), rel=1e-13)


def test_power_level_and_crossing_are_inverse_to_each_other():
    face = RenyiFace(Concentrated(0.5))
    levels = np.log([1e-9, 0.01, 0.3])
    powers = face.log_power(levels).mid
    assert face.log_level(powers).mid == pytest.approx(levels, rel=1e-10)
    assert face.log_crossing(powers - levels).mid == pytest.approx(powers, rel=1e-10)


def test_the_ends_are_exact():
    face = RenyiFace(Concentrated(1.0))
    power = face.log_power([-np.inf, 0.0])
    assert power.lower.tolist() == power.upper.tolist() == [-np.inf, 0.0]
    assert float(face.log_delta(np.inf).upper) == -np.inf
    assert float(face.log_delta(-np.inf).mid) == 0.0
    assert face.reverse() is face


def test_below_zero_the_profile_is_that_of_the_other_order():
    face = RenyiFace(Concentrated(0.1))
    for t in (0.3, 2.0):
        mirrored = 1 - math.exp(-t) + math.exp(-t) * math.exp(float(face.log_delta(t).mid))
        assert math.exp(float(face.log_delta(-t).mid)) == pytest.approx(mirrored, rel=1e-13)


@pytest.mark.parametrize("alpha", [1.5, 3.0, 20.0])
def test_the_conversion_covers_every_pair_of_coins_at_its_order(alpha):
    """Coins at the edge of the divergence, which have the largest y - e^epsilon l, stay below delta."""
    gamma, levels = 0.8, np.log(np.linspace(1e-4, 0.9, 300))
    powers = Within(np.array(alpha - 1), np.array(gamma), True).largest_power(levels)
    face = RenyiFace(Listed.of({alpha: gamma}))
    for epsilon in (0.0, 0.5, 2.0):
        reached = float(np.max(np.exp(powers) - np.exp(epsilon + levels)))
        assert reached <= math.exp(float(face.log_delta(epsilon).upper))


# Sets of orders: the smallest value over a list or a continuum, and where it is found


def test_a_continuum_is_searched_to_convergence():
    """The Chernoff exponent s (rho (1 + s) - t) is smallest at s = (t - rho)/(2 rho)."""
    t = np.array([0.7, 3.0, 200.0])
    value, at = Concentrated(0.5).smallest(np.zeros(3), lambda s, gamma: s * (gamma - t[:, None]))
    assert value == pytest.approx(-((t - 0.5) ** 2) / 2, rel=1e-11)
    assert at == pytest.approx(t - 0.5, rel=1e-4)


def test_order_one_is_among_the_continuum():
    value, at = Concentrated(0.5).smallest(np.zeros(()), lambda s, gamma: gamma + s)
    assert (float(value), float(at)) == (0.5, 0.0)


def test_a_list_knows_its_bounds_and_that_of_infinite_order():
    listed = Listed.of({8.0: 2.0, 2.0: 0.5, math.inf: 7.0})
    assert listed.bound(np.array([1.0, 7.0])).tolist() == [0.5, 2.0]
    assert listed.largest_loss == 7.0
    value, at = listed.smallest(np.zeros(()), lambda s, gamma: gamma - s)
    assert (float(value), float(at)) == (-5.0, 7.0)


def test_an_empty_list_says_nothing():
    value, _ = Listed.of({math.inf: 1.0}).smallest(np.zeros(2), lambda s, gamma: s - gamma)
    assert value.tolist() == [0.0, 0.0]
    assert Concentrated(1.0).largest_loss == math.inf


def test_a_narrow_valley_is_found_where_it_is_known_to_be():
    """A valley of a thousandth of the width of the first search, at s = 3.3."""

    def valley(s, gamma):
        return 0.0 * gamma - np.exp(-((np.log(np.where(s > 0, s, 1e-9) / 3.3) / 1e-3) ** 2))

    value, at = Concentrated(0.5).smallest(np.array(3.3), valley)
    assert float(value) == pytest.approx(-1.0, rel=1e-9)
    assert float(at) == pytest.approx(3.3, rel=1e-4)


def advantage_in_many_digits(rho):
    """The largest power minus level of two coins with level 1 - power, by bisection over a maximum over the orders."""

    def largest(power):
        def excess(log_s):
            s = mpmath.exp(log_s)
            moment = power ** (1 + s) * (1 - power) ** -s + (1 - power) ** (1 + s) * power**-s
            return mpmath.log(moment) / s / (1 + s)

        low, high = mpmath.mpf(-60), mpmath.mpf(12)
        for _ in range(110):
            a, b = low + (high - low) * mpmath.mpf("0.382"), low + (high - low) * mpmath.mpf("0.618")
            low, high = (low, b) if excess(a) > excess(b) else (a, high)
        return excess(low)

    # The best order may be 1 itself, which is approached so closely that many digits cancel.
    with mpmath.workdps(70):
        low, high = mpmath.mpf("0.5"), mpmath.mpf(1)
        for _ in range(70):
            middle = (low + high) / 2
            low, high = (middle, high) if largest(middle) <= rho else (low, middle)
        return 2 * high - 1


@pytest.mark.parametrize("rho", [1e-3, 0.02, 0.3, 2.0])
def test_the_advantage_is_that_of_coins_whose_level_and_power_add_up_to_one(rho):
    truth, found = advantage_in_many_digits(rho), RenyiFace(Concentrated(rho)).log_advantage()
    assert mpmath.exp(float(found.lower)) <= truth * (1 + mpmath.mpf(10) ** -15)
    assert truth <= mpmath.exp(float(found.upper)) * (1 + mpmath.mpf(10) ** -15)
    assert mpmath.exp(float(found.upper)) <= truth * (1 + mpmath.mpf(10) ** -11)


FACES = [
    RenyiFace(Concentrated(1e-6)),
    RenyiFace(Concentrated(0.3)),
    RenyiFace(Concentrated(5.0)),
    RenyiFace(Listed.of({2.0: 0.1, 8.0: 0.5})),
    RenyiFace(Listed.of({2.0: 0.1, np.inf: 0.3})),
]


@pytest.mark.parametrize("face", FACES)
def test_no_level_has_a_larger_advantage_than_the_largest(face):
    levels = np.concatenate([np.geomspace(1e-12, 0.5, 40), np.linspace(0.5, 0.999, 20)])
    gaps = np.exp(face.log_power(np.log(levels)).upper) - levels
    assert gaps.max() <= np.exp(face.log_advantage().upper) + 1e-12


@pytest.mark.parametrize("rho", [1e-8, 0.1, 3.0])
def test_gaussian_noise_has_no_larger_advantage(rho):
    with mpmath.workdps(40):
        gaussian = 2 * mpmath.ncdf(mpmath.sqrt(mpmath.mpf(rho) / 2)) - 1
    assert gaussian <= mpmath.exp(float(RenyiFace(Concentrated(rho)).log_advantage().upper))


@pytest.mark.parametrize("face", FACES)
def test_the_way_that_is_left_out_would_allow_no_less(face):
    levels = np.log(np.concatenate([np.geomspace(1e-9, 0.5, 30), np.linspace(0.5, 0.99, 10)]))
    ways = [face._one_way(levels, POWER_AT_LEVEL, to_level).upper for to_level in (True, False)]
    found = face._smallest(levels, POWER_AT_LEVEL).upper
    np.testing.assert_allclose(found, np.minimum(*ways), rtol=1e-12)
