"""Bounded range against tables of the exponential mechanism, one release and several chosen on the way."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from mpmath import exp, expm1, log, mpf

from whit.curves import FinitePair, LogisticPair, largest_loss
from whit.guarantees import (
    FDP,
    ApproxDP,
    BoundedRange,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    compose,
    convert,
)
from whit.guarantees.bounded_range import range_divergence


def two_outputs(epsilon: float, place: float) -> tuple[np.ndarray, np.ndarray]:
    """The release with two outputs whose losses are place and place - epsilon."""
    p = -np.expm1(place - epsilon) / -np.expm1(-epsilon)
    return np.array([p, 1 - p]), np.array([p * np.exp(-place), 1 - p * np.exp(-place)])


def largest_delta(epsilon: float, t: float) -> mpf:
    """The largest profile over all releases with two outputs, on a fine grid of their places."""
    places = [mpf(epsilon) * i / 2000 for i in range(1, 2000)]
    e, x = mpf(epsilon), mpf(t)
    return max(expm1(e - v) / expm1(e) * (exp(v) - exp(x)) if v > x else mpf(0) for v in places)


@pytest.mark.parametrize(("epsilon", "t"), [(0.2, 0.0), (1.0, 0.0), (1.0, 0.5), (1.0, 0.9), (4.0, 1.0)])
def test_the_profile_is_the_largest_of_all_releases_with_two_outputs(epsilon, t):
    bound, truth = float(BoundedRange(epsilon).delta(t)), largest_delta(epsilon, t)
    assert bound >= truth
    assert bound <= truth * (1 + 1e-4)


def test_no_table_of_scores_has_more():
    random = np.random.default_rng(1)
    for _ in range(300):
        epsilon, outputs = random.uniform(0.05, 4.0), random.integers(2, 7)
        scores = random.normal(scale=3.0, size=outputs)
        weights = np.exp(epsilon / 2 * np.array([scores, scores + random.uniform(-1, 1, size=outputs)]))
        p, q = weights / weights.sum(axis=1, keepdims=True)
        promise, t = BoundedRange(epsilon), random.uniform(0.0, epsilon)
        assert np.maximum(p - np.exp(t) * q, 0.0).sum() <= float(promise.delta(t)) + 1e-14
        assert p[np.log(p / q) > t].sum() <= float(promise.tail(t)) + 1e-14
        event = random.random(outputs) < 0.5
        assert p[event].sum() <= float(promise.power(min(q[event].sum(), 1.0))) + 1e-14


@pytest.mark.parametrize("epsilon", [1e-9, 1e-3, 0.3, 1.0, 5.0, 50.0])
@pytest.mark.parametrize("alpha", [1.0001, 1.5, 2.0, 10.0, 1e4])
def test_the_divergence_is_the_largest_of_two_outputs(epsilon, alpha):
    e, a = mpf(epsilon), mpf(alpha)
    u = a - 1
    c = exp(-u * e)
    s = min(max(u * (exp(e) - c) / (a * (1 - c)), mpf(1)), exp(e))  # the best place, by the derivative
    p = (exp(e) - s) / expm1(e)
    truth = log(s) + log(p + (1 - p) * c) / u
    found = float(range_divergence(epsilon, np.asarray(alpha - 1.0)))
    assert truth <= found <= truth * (1 + mpf("1e-6")) + mpf("1e-12") * e
    assert found <= epsilon


@pytest.mark.parametrize("epsilon", [0.0, 5e-324, 2.0**-700, 0.25, 1.0, 1000.0])
def test_order_infinity_is_the_largest_loss(epsilon):
    """The square of a small range is 0, and infinitely many times 0 was taken for a number."""
    assert float(range_divergence(epsilon, np.asarray(np.inf))) == epsilon
    assert convert(BoundedRange(epsilon, 3), to=RenyiDP, orders=[np.inf]).result == RenyiDP({np.inf: 3 * epsilon})


def adaptive_delta(epsilon: float, places: list[np.ndarray], t: float) -> float:
    """Delta of releases with two outputs each, where the place of a later range depends on all outputs before."""
    total = 0.0
    for outputs in product((0, 1), repeat=len(places)):
        p = q = 1.0
        before = 0
        for level, output in zip(places, outputs, strict=True):
            one, other = two_outputs(epsilon, level[before])
            p, q, before = p * one[output], q * other[output], 2 * before + output
        total += max(p - np.exp(t) * q, 0.0)
    return total


@pytest.mark.parametrize("releases", [2, 3, 5])
def test_releases_that_are_chosen_on_the_way_stay_below(releases):
    random = np.random.default_rng(releases)
    largest = 0.0
    for _ in range(30):
        epsilon = random.uniform(0.1, 2.0)
        t = random.uniform(0.0, releases * epsilon * 0.6)
        around = (t / releases + epsilon) / 2
        places = [np.clip(around + random.normal(scale=epsilon / 4, size=2**n), 0.01, epsilon) for n in range(releases)]
        delta = adaptive_delta(epsilon, places, t)
        bound = float(BoundedRange(epsilon, releases).delta(t))
        assert delta <= bound + 1e-14
        largest = max(largest, delta / bound)
    assert largest > 0.75  # the bound is not far from what random strategies find


def test_the_best_of_its_bounds_is_taken():
    for epsilon, releases in ((1.0, 3), (0.1, 100), (0.1, 2000)):
        promise = BoundedRange(epsilon, releases)
        rho = ZeroConcentratedDP(releases * epsilon**2 / 8)
        pure = PureDP(epsilon * releases)
        for t in np.linspace(0.0, 3.0, 7):
            least = min(float(rho.delta(t)), float(pure.delta(t)))
            assert float(promise.delta(t)) <= least * (1 + 1e-9)


def test_it_says_more_than_pure_privacy_and_concentration():
    assert float(BoundedRange(1.0).power(0.05)) < float(PureDP(1.0).power(0.05)) - 0.01
    assert float(BoundedRange(1.0, 10).epsilon(1e-6)) < float(ZeroConcentratedDP(10 / 8).epsilon(1e-6)) - 0.5


def test_conversions():
    promise = BoundedRange(0.5, 4)
    assert convert(promise, to=PureDP).result == PureDP(2.0)
    rho = convert(promise, to=ZeroConcentratedDP).result
    assert isinstance(rho, ZeroConcentratedDP)
    assert Fraction(rho.rho) == Fraction(4, 32)
    assert convert(PureDP(0.5), to=BoundedRange).result == BoundedRange(1.0)
    at_delta = convert(promise, to=ApproxDP, delta=1e-6).result
    assert isinstance(at_delta, ApproxDP)
    assert at_delta.stated_epsilon == pytest.approx(float(promise.epsilon(1e-6)))
    tradeoff = convert(BoundedRange(0.5), to=FDP).result
    assert tradeoff == FDP(LogisticPair(0.5))
    tail = convert(BoundedRange(0.5), to=ProbabilisticDP, delta=0.1, sides=1).result
    assert isinstance(tail, ProbabilisticDP)
    assert float(BoundedRange(0.5).tail(tail.stated_epsilon)) <= 0.1 + 1e-9
    # Of a large epsilon the promise of pure privacy says more.
    large = convert(BoundedRange(50.0), to=ZeroConcentratedDP).result
    assert isinstance(large, ZeroConcentratedDP)
    assert large.rho == pytest.approx(50.0)


def test_equal_ranges_are_counted_and_different_ones_compose_by_their_pairs():
    together = compose(BoundedRange(0.5), BoundedRange(0.5, 3))
    assert together.promise == BoundedRange(0.5, 4)
    assert together.theorem == "bounded-range-composition"
    assert float(together.delta(0.7)) == float(BoundedRange(0.5, 4).delta(0.7))
    mixed = compose(BoundedRange(0.5), BoundedRange(0.25))
    assert mixed.theorem == "dominating-pairs-compose"
    assert float(BoundedRange(0.5).delta(0.3)) < float(mixed.delta(0.3)) < float(BoundedRange(0.5, 2).delta(0.3))
    rho = convert(mixed, to=ZeroConcentratedDP).result
    assert isinstance(rho, ZeroConcentratedDP)
    assert rho.rho == pytest.approx((0.25 + 0.0625) / 8, rel=1e-13)


def test_a_group_adds_its_ranges():
    random = np.random.default_rng(3)
    for _ in range(50):
        epsilon, outputs = random.uniform(0.05, 2.0), random.integers(2, 6)
        steps = np.cumsum([random.normal(size=outputs), *random.uniform(-1, 1, size=(3, outputs))], axis=0)
        first, last = (np.exp(epsilon / 2 * row) for row in (steps[0], steps[-1]))
        loss = np.log(first / first.sum()) - np.log(last / last.sum())
        assert np.ptp(loss) <= BoundedRange(epsilon).group(3).stated_epsilon


@pytest.mark.parametrize("sides", [1, 2])
def test_a_picture_of_the_loss_makes_the_product_once_and_asks_no_more_than_a_search_by_halves(monkeypatch, sides):
    failures = np.geomspace(1e-9, 0.5, 4)
    products, sums, thresholds = [], [], []
    multiply, add_up, tail = LogisticPair.pair, FinitePair.log_delta, BoundedRange._log_tail

    def seen_product(pair, steps):
        products.append(steps)
        return multiply(pair, steps)

    def seen_tail(promise, t):
        thresholds.append(np.size(t))
        return tail(promise, t)

    def seen_sums(pair, epsilons):
        if len(pair.losses) > 2:
            sums.append(len(pair.losses) * np.size(epsilons))
        return add_up(pair, epsilons)

    monkeypatch.setattr(LogisticPair, "pair", seen_product)
    monkeypatch.setattr(FinitePair, "log_delta", seen_sums)
    monkeypatch.setattr(BoundedRange, "_log_tail", seen_tail)
    losses = largest_loss(BoundedRange(1.2131).times(3), failures, sides=sides).value
    assert len(products) <= 1
    assert sum(sums) < 1e5  # a sum over all 385 atoms at each point of the profile has 12 million terms
    # From 0 to 4, halving down to 1e-12 takes 42 steps.
    assert sum(thresholds) <= 60 * len(failures)
    assert losses[0] == 3 * 1.2131
    assert np.all(np.diff(losses) <= 0)


def test_the_product_that_is_read_is_the_sum_over_all_pairs_of_outcomes():
    one = LogisticPair(0.7).pair(64)
    losses = np.add.outer(one.losses, one.losses).ravel()
    masses = np.exp(np.add.outer(one.log_masses, one.log_masses)).ravel()
    for t in np.linspace(0.0, 1.39, 12):
        delta = np.sum(masses * -np.expm1(np.minimum(t - losses, 0.0)))
        read = BoundedRange(0.7).times(2).curve().face.faces[0].log_delta(t)
        assert np.exp(read.lower) <= delta * (1 + 1e-12)
        assert np.exp(read.upper) >= delta * (1 - 1e-12)
        assert np.exp(read.upper - read.lower) < 1 + 1e-9
