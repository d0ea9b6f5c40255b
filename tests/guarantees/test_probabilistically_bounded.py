"""pbdp: what one point says of everything else, and the curve of a trade-off function."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pairs import finite_pairs

from whit.curves import FinitePair, GaussianLoss
from whit.guarantees import ApproxDP, Known, ProbabilisticallyBoundedCurve, ProbabilisticallyBoundedDP, compose
from whit.guarantees.probabilistically_bounded import BoundedPointFace


def point_of(pair, level: float) -> ProbabilisticallyBoundedDP:
    """The point of pbdp that a pair has at this level: its power there, in the worse order."""
    both = [FinitePair.of(*order) for order in (pair, pair[::-1])]
    delta = min(1.0, max(float(np.exp(each.log_power(math.log(level)).upper)) for each in both))
    return ProbabilisticallyBoundedDP(max(0.0, math.log(delta / level)) * (1 + 1e-12) + 1e-12, delta)


@settings(max_examples=60)
@given(finite_pairs(), st.floats(0.001, 0.6))
def test_a_point_bounds_every_answer_of_a_pair_that_has_it(pair, level):
    promise, loss = point_of(pair, level), FinitePair.of(*pair)
    for t in (0.0, 0.3, promise.stated_epsilon, 3.0):
        assert np.exp(loss.log_delta(t).lower) <= float(promise.delta(t)) * (1 + 1e-9) + 1e-300
        assert np.exp(loss.log_tail(t).lower) <= float(promise.tail(t)) * (1 + 1e-9) + 1e-300
    levels = np.array([1e-6, 0.01, level, 0.3, 0.8, 0.99])
    assert np.all(np.exp(loss.log_power(np.log(levels)).lower) <= promise.power(levels).value * (1 + 1e-9))


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.02), (0.1, 0.5), (3.0, 1e-9), (2.0, 0.95)])
def test_at_its_own_level_the_power_is_delta(epsilon, delta):
    promise = ProbabilisticallyBoundedDP(epsilon, delta)
    level = delta * math.exp(-epsilon)
    assert float(promise.power(level)) <= delta * (1 + 1e-12)
    assert float(promise.tail(epsilon)) <= delta * (1 + 1e-12)
    assert float(promise.bounded_delta(epsilon)) <= delta * (1 + 1e-12)


def test_a_point_implies_a_smaller_delta_of_approximate_privacy():
    promise = ProbabilisticallyBoundedDP(1.0, 0.02)
    level = 0.02 / math.e
    infinite = (0.02 - level) / (1 - level)
    assert float(promise.delta(1.0)) == pytest.approx(infinite, rel=1e-12)
    assert np.all(promise.power([0.1, 0.6]).value <= ApproxDP(1.0, infinite * (1 + 1e-9)).power([0.1, 0.6]).value)


def test_a_point_composes_with_others_through_its_pair():
    together = compose(ProbabilisticallyBoundedDP(1.0, 0.02), ApproxDP(0.5, 0.0)).promise
    infinite = (0.02 - 0.02 / math.e) / (1 - 0.02 / math.e)
    assert float(together.delta(1.5)) == pytest.approx(infinite, rel=1e-6)


def test_the_curve_of_pbdp_and_its_inverse():
    curve = ProbabilisticallyBoundedCurve(GaussianLoss(1.0))
    eps = np.array([0.5, 1.0, 3.0])
    deltas = curve.bounded_delta(eps).value
    assert curve.bounded_epsilon(deltas).value == pytest.approx(eps, rel=1e-10)
    assert curve.power(deltas * np.exp(-eps)).value == pytest.approx(deltas, rel=1e-10)


@settings(max_examples=25)
@given(finite_pairs(), st.floats(0.05, 3.0))
def test_the_tail_of_a_mechanism_is_at_most_its_delta_of_pbdp(pair, epsilon):
    """Processing can only raise a tail, and pbdp bounds what it can be raised to."""
    one_way = max(float(np.exp(FinitePair.of(*order).log_tail(epsilon).lower)) for order in (pair, pair[::-1]))
    worst = max(_crossing(FinitePair.of(*order), epsilon) for order in (pair, pair[::-1]))
    assert one_way <= worst * (1 + 1e-9)


def _crossing(loss: FinitePair, epsilon: float) -> float:
    """The power where the trade-off function meets e^epsilon times the level, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        above = middle == 0 or np.exp(loss.log_power(math.log(middle)).upper) >= math.exp(epsilon) * middle
        low, high = (middle, high) if above else (low, middle)
    return max(math.exp(epsilon) * high, float(np.exp(loss.log_infinity)))


def test_a_point_is_not_convex_and_a_curve_is():
    assert ProbabilisticallyBoundedDP.properties.convex.known is Known.NO
    assert ProbabilisticallyBoundedCurve.properties.convex.known is Known.YES


# One point of pbdp: the two bounds on the power, and the pair above them


POINTS = [(1.0, 0.02), (0.2, 0.4), (2.0, 0.95), (5.0, 1e-8), (0.0, 0.3)]


@pytest.mark.parametrize(("epsilon", "delta"), POINTS)
def test_the_power_is_the_smaller_of_the_bound_and_its_reflection(epsilon, delta):
    face, a = BoundedPointFace(epsilon, delta), delta * math.exp(-epsilon)
    d = (delta - a) / (1 - a)

    def bound(level: float) -> float:
        return min(1.0, d + (1 - d) * level if level <= a else math.exp(epsilon) * level)

    def reflected(level: float) -> float:
        """The largest y with 1 - level <= bound(1 - y), by bisection."""
        low, high = 0.0, 1.0
        for _ in range(100):
            y = (low + high) / 2
            low, high = (y, high) if 1 - level <= bound(1 - y) else (low, y)
        return low

    for level in (1e-9, 0.01, 0.2, 0.5, 0.9, 0.999):
        expected = min(bound(level), reflected(level))
        assert float(np.exp(face.log_power(math.log(level)).mid)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("epsilon", "delta"), POINTS)
def test_the_pair_stays_above_the_bounds_and_below_the_promise(epsilon, delta):
    face = BoundedPointFace(epsilon, delta)
    levels = np.log(np.linspace(0.0005, 0.9995, 500))
    assert np.all(face.log_power(levels).mid <= face.pair().log_power(levels).upper + 1e-12)
    follows = face.approximate()
    assert follows[0] <= epsilon + 1e-12
    assert follows[1] <= delta


def test_a_delta_of_one_promises_nothing():
    assert BoundedPointFace(1.0, 1.0).approximate() == (0.0, 1.0)
    assert float(BoundedPointFace(1.0, 1.0).log_power(-np.inf).upper) == 0.0
