"""f-differential privacy: in both orders, given as a face or as a function."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
import referee
from hypothesis import given, settings
from pairs import finite_pairs

from whit.curves import FinitePair, GaussianLoss, TradeOff
from whit.errors import InvalidInput
from whit.guarantees import FDP, GaussianDP, PureDP


@settings(max_examples=40)
@given(finite_pairs(largest=5))
def test_a_promise_in_both_orders_is_the_better_one_at_each_point(pair):
    promise = FDP(TradeOff(FinitePair.of(*pair)))
    for level in (0.01, 0.2, 0.7):
        best = min(referee.power(list(p), list(q), level) for p, q in (pair, pair[::-1]))
        assert float(promise.power(level)) == pytest.approx(float(best), rel=1e-6, abs=1e-9)
        assert float(promise.power(level)) >= float(best) * (1 - 1e-12)


def test_a_likelihood_ratio_of_at_most_two_in_both_orders_is_randomized_response():
    """P <= 2 Q in both orders is log(2)-differential privacy."""
    promise, pure = FDP(TradeOff(FinitePair.of([1.0, 0.0], [0.5, 0.5]))), PureDP(math.log(2))
    for t in (0.0, 0.3, 0.6):
        assert float(promise.delta(t)) == pytest.approx(float(pure.delta(t)), rel=1e-9)


def test_a_symmetric_face_is_used_as_it_is():
    face = GaussianLoss(1.0)
    assert FDP(face).curve().face is face
    assert FDP(face).power(0.05).value == GaussianDP(1.0).power(0.05).value
    assert FDP(face).group(2) == FDP(GaussianLoss(2.0))
    assert FDP(face).times(4).curve().face == GaussianLoss(2.0)


def gaussian(mu: float):
    law = NormalDist()

    def tradeoff(level: float) -> float:
        if level in (0.0, 1.0):
            return 1.0 - level
        return law.cdf(law.inv_cdf(1.0 - level) - mu)

    return tradeoff


@pytest.mark.parametrize("mu", [0.1, 1.0, 3.0])
def test_a_function_is_bounded_from_outside(mu):
    promise, exact = FDP(gaussian(mu)), GaussianDP(mu)
    levels = np.random.default_rng(1).uniform(0.0, 1.0, 200)
    assert np.all(promise.power(levels).value >= exact.power(levels).value * (1 - 1e-12))
    assert promise.power(levels).value == pytest.approx(exact.power(levels).value, rel=1e-3)
    eps = np.linspace(0.0, 4.0, 9)
    assert np.all(promise.delta(eps).value >= exact.delta(eps).value * (1 - 1e-12))
    assert promise.delta(eps).value == pytest.approx(exact.delta(eps).value, rel=2e-2, abs=1e-6)


def test_a_function_that_is_not_convex_is_refused():
    with pytest.raises(InvalidInput, match=r"a trade-off function must be convex; got .* Pass a convex function"):
        FDP(lambda level: min(1.0 - level, 0.5) if level < 1.0 else 0.0)


def test_copies_of_a_finite_pair_are_enumerated():
    face = TradeOff(FinitePair.of([0.75, 0.25], [0.25, 0.75]))
    p, q = (np.outer(a, a).ravel() for a in ([0.75, 0.25], [0.25, 0.75]))
    expected = float(referee.power(list(p), list(q), 0.1))
    assert float(FDP(face).times(2).power(0.1)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("epsilon", "delta"), [(12.0, 1e-5), (8.0, 3e-6), (5.0, 1e-5), (3.0, 3e-6), (1.0, 0.3)])
def test_a_function_is_bounded_in_both_orders(epsilon: float, delta: float) -> None:
    """Where the power reaches 1 before the level does, the other order has an infinite loss: no less than the truth."""

    def tradeoff(level: float) -> float:
        return max(0.0, 1 - delta - math.exp(epsilon) * level, math.exp(-epsilon) * (1 - delta - level))

    found = FDP(tradeoff).delta(epsilon + 1)
    assert float(found) >= delta
    assert float(found) <= delta * 1.1
