"""The three faces of a curve, computed from each other, agree to 1e-12; a bound stays one through every conversion."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from pairs import Vectors, distinct_pairs, finite_pairs, random_pair

from whit.curves import Curve, Face, FinitePair, GaussianLoss, Orientation, log_tail_bound, questions

Array = NDArray[np.float64]
EPSILONS = np.concatenate([np.linspace(-8, 8, 33), [1e-12, 30.0]])
LEVELS = np.concatenate([np.linspace(0, 1, 21), np.logspace(-12, -2, 11)])
TOLERANCE = 1e-12


def answers(curve: Curve) -> Array:
    """Profile and power of both orientations, side by side."""
    parts = []
    for orientation in (Orientation.FORWARD, Orientation.BACKWARD):
        parts.append(questions.delta.kernel(curve, EPSILONS, orientation=orientation))
        parts.append(questions.power.kernel(curve, LEVELS, orientation=orientation))
    return np.concatenate([part.mid for part in parts])


def tails(curve: Curve, thresholds: Array) -> Array:
    return np.concatenate(
        [
            questions.tail.kernel(curve, sign * thresholds, orientation=orientation).mid
            for sign, orientation in ((1, Orientation.FORWARD), (-1, Orientation.BACKWARD))
        ]
    )


@settings(max_examples=60)
@given(distinct_pairs(8))
def test_the_faces_of_random_finite_pairs_agree(vectors: Vectors) -> None:
    pair = FinitePair.of(*vectors)
    curve = Curve.exact(pair)
    ways = [curve.as_profile(), curve.as_tradeoff(), curve.as_profile().as_tradeoff(), curve.as_tradeoff().as_profile()]
    for way in ways:
        np.testing.assert_allclose(answers(way), answers(curve), rtol=0, atol=TOLERANCE)
    # Tails are read between the atoms: an atom itself is found again up to rounding, so its own side is not fixed.
    between = (pair.losses[1:] + pair.losses[:-1]) / 2
    between = between[np.diff(pair.losses) > 1e-6]
    for way in ways if between.size else []:
        np.testing.assert_allclose(tails(way.as_loss(), between), tails(curve, between), rtol=0, atol=TOLERANCE)


def test_the_faces_of_larger_random_pairs_agree() -> None:
    rng = np.random.default_rng(20260101)
    for size in (20, 100, 400):
        curve = Curve.exact(FinitePair.of(*random_pair(rng, size)))
        for way in (curve.as_profile(), curve.as_tradeoff(), curve.as_profile().as_tradeoff()):
            np.testing.assert_allclose(answers(way), answers(curve), rtol=0, atol=TOLERANCE)


def smallest_line(loss: Face, log_level: float) -> float:
    """The power from the profile: the smallest D(t) + e^t level, by golden section in t (the sum is convex in e^t)."""
    low, high, ratio = -60.0, 60.0, (np.sqrt(5) - 1) / 2

    def line(t: float) -> float:
        return float(np.logaddexp(loss.log_delta(t).mid, t + log_level))

    for _ in range(120):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, right) if line(left) <= line(right) else (left, high)
    return line((low + high) / 2)


def largest_gap(loss: Face, epsilon: float) -> float:
    """The profile from the trade-off function: the largest power - e^epsilon level, by golden section in the level."""
    low, high, ratio = -80.0, 0.0, (np.sqrt(5) - 1) / 2

    def gap(log_level: float) -> float:
        return float(np.exp(loss.log_power(log_level).mid) - np.exp(epsilon + log_level))

    for _ in range(120):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, right) if gap(left) >= gap(right) else (left, high)
    return gap((low + high) / 2)


@pytest.mark.parametrize("mu", [0.1, 1.0, 2.5])
def test_the_faces_of_the_gaussian_agree(mu: float) -> None:
    """Each face has its own closed form: profile by Mills's ratio, power by quantiles, tail by the normal law."""
    loss = GaussianLoss(mu)
    for log_level in np.log([1e-6, 0.01, 0.05, 0.5, 0.9]):
        assert abs(np.exp(smallest_line(loss, log_level)) - np.exp(loss.log_power(log_level).mid)) < TOLERANCE
    for epsilon in (0.0, 0.3 * mu, mu, 3 * mu):
        assert abs(largest_gap(loss, epsilon) - np.exp(loss.log_delta(epsilon).mid)) < TOLERANCE


@pytest.mark.parametrize("mu", [0.1, 1.0, 2.5])
def test_the_tail_of_the_gaussian_is_profile_minus_slope(mu: float) -> None:
    """P[Z > t] = D(t) - D'(t), with the derivative by Richardson's extrapolation of central differences."""
    loss = GaussianLoss(mu)

    def profile(t: float) -> float:
        return float(np.exp(loss.log_delta(t).mid))

    def slope(t: float) -> float:
        step = 0.4 * mu
        table = [(profile(t + step / 2**k) - profile(t - step / 2**k)) / (2 * step / 2**k) for k in range(6)]
        for order in range(1, 6):
            table = [(4**order * b - a) / (4**order - 1) for a, b in itertools.pairwise(table)]
        return table[0]

    for t in (-mu, 0.0, mu * mu / 2, mu, 4 * mu):
        # Differences of numbers of size 1 over steps of size mu/80 leave about 1e-14 * 80 / mu.
        assert abs(profile(t) - slope(t) - np.exp(loss.log_tail(t).mid)) < max(TOLERANCE, 2e-12 / mu)


@settings(max_examples=60)
@given(finite_pairs(6), st.lists(st.floats(0.0, 10.0), min_size=1, max_size=8), st.floats(-8.0, 8.0))
def test_an_upper_bound_stays_one_through_every_conversion(
    vectors: Vectors, knots: list[float], epsilon: float
) -> None:
    exact = Curve.exact(FinitePair.of(*vectors))
    upper = exact.as_profile(np.array(knots))
    for way in (
        upper,
        upper.as_tradeoff(),
        upper.as_profile(),
        upper.as_tradeoff().as_profile(),
        upper.reverse().reverse(),
    ):
        for orientation in (Orientation.FORWARD, Orientation.BACKWARD):
            truth = exact.delta(epsilon, orientation=orientation)
            assert float(truth.lower) <= float(way.delta(epsilon, orientation=orientation))
            power = exact.power(LEVELS, orientation=orientation)
            assert np.all(power.lower <= way.power(LEVELS, orientation=orientation).value)
        assert np.all(exact.tail(np.abs(epsilon)).lower <= way.tail_from_profile(np.abs(epsilon)).value)


@settings(max_examples=60)
@given(finite_pairs(6), st.lists(st.floats(0.0, 1.0), min_size=1, max_size=8), st.floats(-8.0, 8.0))
def test_a_lower_bound_stays_one_through_every_conversion(
    vectors: Vectors, levels: list[float], epsilon: float
) -> None:
    exact = Curve.exact(FinitePair.of(*vectors))
    lower = exact.as_tradeoff(np.array(levels))
    for way in (lower, lower.as_tradeoff(), lower.as_tradeoff(np.array(levels)), lower.reverse().reverse()):
        for orientation in (Orientation.FORWARD, Orientation.BACKWARD):
            truth = exact.delta(epsilon, orientation=orientation)
            assert float(way.delta(epsilon, orientation=orientation)) <= float(truth.upper)
            power = exact.power(LEVELS, orientation=orientation)
            assert np.all(way.power(LEVELS, orientation=orientation).value <= power.upper)


@given(finite_pairs(6), st.floats(0.0, 10.0))
def test_the_tail_by_the_profile_is_never_below_the_tail(vectors: Vectors, loss: float) -> None:
    pair = FinitePair.of(*vectors)
    assert pair.log_tail(loss).lower <= log_tail_bound(pair, loss)
