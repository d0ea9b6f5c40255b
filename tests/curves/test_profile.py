"""Profiles through points: chords stay above every true profile, and the pair behind them has that profile."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pairs import Vectors, finite_pairs

from whit.curves import ChordProfile, FinitePair, GaussianLoss
from whit.errors import InvalidInput

POINTS = st.lists(st.floats(0.0, 15.0), min_size=1, max_size=12, unique=True)


@given(finite_pairs(), POINTS, st.floats(-15.0, 15.0))
def test_chords_of_a_true_profile_are_never_below_it(vectors: Vectors, points: list[float], epsilon: float) -> None:
    pair = FinitePair.of(*vectors)
    knots = np.array(points)
    profile = ChordProfile.oriented(knots, pair.log_delta(knots).upper, knots, pair.reverse().log_delta(knots).upper)
    assert pair.log_delta(epsilon).lower <= profile.log_delta(epsilon).upper
    assert pair.reverse().log_delta(epsilon).lower <= profile.reverse().log_delta(epsilon).upper


@given(finite_pairs(), POINTS, st.floats(-40.0, 0.0))
def test_support_lines_of_the_knots_are_never_below_the_power(
    vectors: Vectors, points: list[float], log_level: float
) -> None:
    pair = FinitePair.of(*vectors)
    knots = np.array(points)
    profile = ChordProfile.oriented(knots, pair.log_delta(knots).upper, knots, pair.reverse().log_delta(knots).upper)
    assert pair.log_power(log_level).lower <= profile.log_power(log_level).upper


def pair_and_chord(points: list[float], mu: float) -> tuple[FinitePair, ChordProfile]:
    knots = np.array(points)
    profile = ChordProfile.of(knots, np.exp(GaussianLoss(mu).log_delta(knots).upper))
    return profile.pair(), profile


@given(POINTS, st.floats(-15.0, 15.0), st.floats(0.2, 4.0))
def test_the_pair_behind_a_profile_is_never_below_it(points: list[float], epsilon: float, mu: float) -> None:
    pair, profile = pair_and_chord(points, mu)
    assert pair.log_delta(epsilon).upper >= profile.log_delta(epsilon).lower
    assert pair.reverse().log_delta(epsilon).upper >= profile.reverse().log_delta(epsilon).lower


@given(st.lists(st.integers(1, 1500), min_size=1, max_size=12), st.floats(-15.0, 15.0), st.floats(0.2, 4.0))
def test_the_pair_behind_a_profile_has_that_profile(hundredths: list[int], epsilon: float, mu: float) -> None:
    pair, profile = pair_and_chord([n / 100 for n in hundredths], mu)
    np.testing.assert_allclose(pair.log_delta(epsilon).exp().mid, profile.log_delta(epsilon).exp().mid, atol=1e-12)


def test_one_point_is_the_pair_of_approximate_privacy() -> None:
    """(epsilon, delta) alone: total variation (e^eps - 1 + 2 delta)/(e^eps + 1)."""
    profile = ChordProfile.of([1.0], [0.1])
    np.testing.assert_allclose(np.exp(profile.log_delta(0.0).mid), (np.e - 1 + 0.2) / (np.e + 1), rtol=1e-15)
    np.testing.assert_allclose(np.exp(profile.pair().log_infinity), 0.1, rtol=1e-12)


def test_one_sided_points_say_little_of_the_other_side() -> None:
    """Only D(1) <= 0.1 forwards: the chord from (0, 1) gives D(0) <= 1 - 0.9/e, and backwards D is at most 1 beyond."""
    profile = ChordProfile.oriented([1.0], np.log([0.1]), [], [])
    np.testing.assert_allclose(np.exp(profile.log_delta(0.0).mid), 1 - 0.9 / np.e, rtol=1e-15)
    np.testing.assert_allclose(np.exp(profile.reverse().log_delta(3.0).mid), 1 - 0.9 / np.e, rtol=1e-15)


def test_points_that_add_nothing_are_dropped() -> None:
    convex = ChordProfile.of([0.5, 2.0], [0.3, 0.01])
    with_more = ChordProfile.of([0.5, 1.0, 2.0, 3.0], [0.3, 0.9, 0.01, 0.5])
    t = np.linspace(-4, 4, 33)
    np.testing.assert_allclose(with_more.log_delta(t).mid, convex.log_delta(t).mid, rtol=1e-14)


@given(st.floats(0.1, 700.0), st.floats(1e-300, 0.5), st.floats(0.0, 1.0))
def test_a_chord_is_a_straight_line_in_the_exponential(epsilon: float, delta: float, share: float) -> None:
    profile = ChordProfile.of([0.0, epsilon], [0.5 + delta / 2, delta])
    t = share * epsilon
    x, end = mpmath.exp(mpmath.mpf(t)), mpmath.exp(mpmath.mpf(epsilon))
    start = mpmath.mpf(0.5 + delta / 2)
    line = (start * (end - x) + mpmath.mpf(delta) * (x - 1)) / (end - 1)  # nothing cancels at either end
    assert abs(mpmath.exp(mpmath.mpf(float(profile.log_delta(t).mid))) / line - 1) < mpmath.mpf("1e-12")


def test_far_away_points_do_not_overflow() -> None:
    profile = ChordProfile.of([1e4], [1e-300])
    assert profile.log_delta(0.0).upper == 0.0 or profile.log_delta(0.0).upper > -1e-9
    assert np.isfinite(profile.log_delta(9999.0).mid)
    np.testing.assert_allclose(profile.log_delta(1e5).mid, np.log(1e-300), rtol=1e-14)


def test_points_that_are_none_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"epsilons must be finite and at least 0; got .*What holds below 0"):
        ChordProfile.of([-1.0], [0.1])
    with pytest.raises(InvalidInput, match=r"epsilons must be as many as the deltas \(1\); got 2 values"):
        ChordProfile.of([1.0, 2.0], [0.1])
    with pytest.raises(InvalidInput, match=r"deltas must be .*; got .*Use values such as 1e-6"):
        ChordProfile.of([1.0], [1.5])
