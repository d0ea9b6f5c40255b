"""Rényi differential privacy: sound for random pairs at every order, and for groups."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pairs import random_pair

from whit.curves import FinitePair
from whit.errors import NotImplied
from whit.guarantees import PureDP, RenyiDP, ZeroConcentratedDP

ALPHAS = (1.05, 2.0, 8.0, 100.0)


def divergence(p, q, alpha: float) -> float:
    """The Rényi divergence of two vectors without zeros, in log scale."""
    exponents = alpha * np.log(p) + (1 - alpha) * np.log(q)
    return max(0.0, float(np.logaddexp.reduce(exponents)) / (alpha - 1))


def promise_of(p, q, alphas=ALPHAS) -> RenyiDP:
    return RenyiDP({a: max(divergence(p, q, a), divergence(q, p, a)) * (1 + 1e-9) + 1e-12 for a in alphas})


@pytest.mark.parametrize("seed", range(30))
def test_it_bounds_every_pair_with_these_divergences(seed):
    pair = random_pair(np.random.default_rng(seed), 2 + seed % 4)
    promise, loss = promise_of(*pair), FinitePair.of(*pair)
    eps, levels = np.array([0.0, 0.4, 2.0, 8.0]), np.log([1e-9, 0.02, 0.5])
    face = promise.curve().face
    assert np.all(loss.log_delta(eps).lower <= face.log_delta(eps).upper + 1e-12)
    assert np.all(loss.log_delta(-eps).lower <= face.log_delta(-eps).upper + 1e-12)
    assert np.all(loss.log_power(levels).lower <= face.log_power(levels).upper + 1e-12)
    assert np.all(np.exp(loss.log_tail(eps).lower) <= promise.tail(eps).value * (1 + 1e-12) + 1e-300)


@pytest.mark.parametrize("seed", range(30))
def test_a_group_of_two_is_two_steps(seed):
    rng = np.random.default_rng(seed)
    rows = [*random_pair(rng, 3), random_pair(rng, 3)[0]]
    steps = [(rows[0], rows[1]), (rows[1], rows[0]), (rows[1], rows[2]), (rows[2], rows[1])]
    promise = RenyiDP({a: max(divergence(*step, a) for step in steps) + 1e-12 for a in (4.0, 16.0)})
    for alpha, gamma in promise.group(2).orders.items():
        assert divergence(rows[0], rows[2], alpha) <= gamma * (1 + 1e-9)


def test_groups_need_orders_that_are_high_enough():
    assert dict(RenyiDP({8.0: 0.5}).group(3).orders) == {2.0: 4.5}
    assert dict(RenyiDP({math.inf: 0.5}).group(3).orders) == {math.inf: 1.5}
    with pytest.raises(NotImplied, match="a group of 3 records needs an order of at least 8; got"):
        RenyiDP({2.0: 0.5}).group(3)


def test_many_orders_come_close_to_all_of_them():
    orders = RenyiDP({1 + math.exp(x): 0.1 * (1 + math.exp(x)) for x in np.linspace(-4, 5, 2000)})
    every = ZeroConcentratedDP(0.1)
    for level in (0.01, 0.2):
        assert float(every.power(level)) <= float(orders.power(level)) * (1 + 1e-12)
        assert float(orders.power(level)) == pytest.approx(float(every.power(level)), rel=1e-4)
    assert float(orders.delta(2.0)) == pytest.approx(float(every.delta(2.0)), rel=1e-3)


def test_infinite_order_is_pure_differential_privacy():
    infinite, pure = RenyiDP({math.inf: 1.0}), PureDP(1.0)
    assert infinite.delta([0.0, 0.5, 1.0]).value == pytest.approx(pure.delta([0.0, 0.5, 1.0]).value)
    assert infinite.power([0.01, 0.5]).value == pytest.approx(pure.power([0.01, 0.5]).value)
    assert np.array_equal(infinite.tail([1.0, 2.0]).value, [0.0, 0.0])


def test_the_divergence_of_order_one_is_that_of_kullback_and_leibler():
    """At rho 2.63 and level 0.05 the best order is 1; the bound solves y log(y/l) + (1-y) log((1-y)/(1-l)) = rho."""
    y, level = float(ZeroConcentratedDP(2.63).power(0.05)), 0.05
    assert y * math.log(y / level) + (1 - y) * math.log((1 - y) / (1 - level)) == pytest.approx(2.63, rel=1e-10)


def test_orders_are_sorted_and_cannot_be_changed():
    promise = RenyiDP({8: 1, 2: 0.5})
    assert list(promise.orders) == [2.0, 8.0]
    with pytest.raises(TypeError, match="does not support item assignment"):
        promise.orders[2.0] = 0.1
    assert hash(promise) == hash(RenyiDP({2.0: 0.5, 8.0: 1.0}))
