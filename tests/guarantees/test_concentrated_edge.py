"""The table along the edge of a zero-concentrated promise: its bounds are attained by coins found in many digits."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from whit.guarantees import ZeroConcentratedDP
from whit.guarantees.concentrated_edge import edge


def coins(rho: float, s: float) -> tuple[mpmath.mpf, ...]:
    """The u and v of which log E[e^(s z)] is rho s (1 + s), with its slope; p, and the epsilon of the tangent."""
    r, k = mpmath.mpf(rho), mpmath.mpf(s)

    def moments(u: mpmath.mpf, v: mpmath.mpf) -> tuple[mpmath.mpf, ...]:
        p = (1 - mpmath.exp(-u)) / (1 - mpmath.exp(-u - v))
        up, down = p * mpmath.exp(k * v), (1 - p) * mpmath.exp(-k * u)
        return p, mpmath.log(up + down), (v * up - u * down) / (up + down)

    def off(u: mpmath.mpf, v: mpmath.mpf) -> list[mpmath.mpf]:
        _, moment, slope = moments(u, v)
        return [moment / (r * k * (1 + k)) - 1, slope / (r * (1 + 2 * k)) - 1]

    known = edge(rho)
    assert known is not None
    place = int(np.searchsorted(known.s, s))
    u, v = mpmath.findroot(off, (math.exp(known.log_u[place]), known.ratios[place]))
    high, low = mpmath.exp(v), mpmath.exp(-u)
    x = k / (1 + k) * (high ** (1 + k) - low ** (1 + k)) / (high**k - low**k)
    return u, v, moments(u, v)[0], mpmath.log(x)


@pytest.mark.parametrize("rho", [1e-8, 1e-3, 0.1, 0.7, 2.63, 12.0])
@pytest.mark.parametrize("share", [0.3, 1.0, 2.5, 4.0])
def test_coins_at_the_edge_attain_the_delta(rho, share):
    with mpmath.workdps(40):
        _, v, p, epsilon = coins(rho, share / math.sqrt(2 * rho))
        truth = p - mpmath.exp(mpmath.mpf(float(epsilon)) - v) * p
    found = float(ZeroConcentratedDP(rho).delta(float(epsilon)))
    assert float(truth) * (1 - 1e-12) <= found <= float(truth) * (1 + 1e-7)


@pytest.mark.parametrize("rho", [1e-8, 1e-3, 0.1, 0.7, 2.63, 12.0])
@pytest.mark.parametrize("share", [0.3, 1.0, 2.5, 4.0, 9.0])
def test_coins_at_the_edge_attain_the_power(rho, share):
    """Beyond the table the coins are as if the loss were always v: they are found from there."""
    if share > 6.0:
        s = share / math.sqrt(2 * rho)
        log_level, log_power = -rho * (1 + s) ** 2, -rho * s * s
        tolerance = 1e-8
    else:
        with mpmath.workdps(40):
            _, v, p, _ = coins(rho, share / math.sqrt(2 * rho))
            log_level, log_power = float(mpmath.log(p) - v), float(mpmath.log(p))
        tolerance = 1e-12
    found = ZeroConcentratedDP(rho).curve().face.log_power(log_level)
    assert log_power - tolerance * abs(log_power) <= found.upper <= log_power + 1e-8 * abs(log_power)


def balanced(rho: float) -> mpmath.mpf:
    """The power of the coins with level 1 - power whose divergence of order 1 is rho."""
    # By the log of the odds t of the power: its mean loss is t tanh(t/2).
    t = mpmath.findroot(lambda t: t * mpmath.tanh(t / 2) - rho, rho + math.sqrt(2 * rho))
    return 1 / (1 + mpmath.exp(-t))


@pytest.mark.parametrize("rho", [1e-3, 0.1, 0.7, 2.0, 6.0])
def test_at_epsilon_0_delta_is_the_advantage_that_both_orders_leave(rho):
    """By one order of the pair alone it would be up to 4 % more."""
    with mpmath.workdps(40):
        advantage = float(2 * balanced(rho) - 1)
    assert advantage * (1 - 1e-13) <= float(ZeroConcentratedDP(rho).delta(0.0)) <= advantage * (1 + 1e-7)


def test_before_the_corner_the_same_coins_attain_delta():
    with mpmath.workdps(40):
        y = balanced(2.0)
        truth = float(y - mpmath.exp(mpmath.mpf(0.3)) * (1 - y))
    assert truth * (1 - 1e-13) <= float(ZeroConcentratedDP(2.0).delta(0.3)) <= truth * (1 + 1e-7)


@pytest.mark.parametrize("rho", [1e-300, 1e-100, 1e-12, 1e-3, 1.0, 30.0, 1e4])
def test_the_edge_is_found_for_every_rho_that_means_something(rho):
    known = edge(rho)
    assert known is not None
    assert np.all(np.diff(known.epsilons) > 0.0)
    assert known.epsilons[-1] > math.sqrt(rho * rho + 4 * 20 * rho) * 0.9


def test_without_a_table_the_bounds_are_searched_for():
    """For a rho so large nothing but the conversion says something."""
    promise = ZeroConcentratedDP(1e9)
    assert edge(1e9) is None
    assert float(promise.delta(1e9 + 1e6)) < float(promise.delta(1e9)) <= 1.0
