"""Probabilistic differential privacy: its two forms, and what processing does to it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pairs import finite_pairs

from whit.curves import FinitePair
from whit.errors import Incompatible
from whit.guarantees import Known, ProbabilisticDP, basic_composition


def two_sided_tail(p, q, t: float) -> float:
    pair = FinitePair.of(p, q)
    below = FinitePair.of(q, p)
    far = np.sum(np.exp(below.log_masses - below.losses)[below.losses > t])
    return float(np.exp(pair.log_tail(t).mid) + far)


@given(finite_pairs(), st.floats(0.0, 2.0))
def test_one_side_is_two_sides_with_a_little_more_delta(pair, epsilon):
    one = max(float(np.exp(FinitePair.of(*each).log_tail(epsilon).upper)) for each in (pair, pair[::-1]))
    promise = ProbabilisticDP(epsilon, min(1.0, one), sides=1).two_sided()
    assert promise.sides == 2
    assert two_sided_tail(pair[0], pair[1], epsilon) <= promise.stated_delta * (1 + 1e-12) + 1e-300


@given(finite_pairs(), st.floats(0.0, 2.0))
def test_the_tail_at_epsilon_is_delta_and_the_profile_follows(pair, epsilon):
    both = [FinitePair.of(*each) for each in (pair, pair[::-1])]
    delta = min(1.0, max(float(np.exp(each.log_tail(epsilon).upper)) for each in both))
    promise = ProbabilisticDP(epsilon, delta, sides=1)
    assert float(promise.tail(epsilon)) == pytest.approx(delta, rel=1e-13)
    for each in both:
        for t in (0.0, 0.5, 3.0):
            assert np.exp(each.log_tail(t).lower) <= float(promise.tail(t)) * (1 + 1e-12) + 1e-300
            assert np.exp(each.log_delta(t).lower) <= float(promise.delta(t)) * (1 + 1e-12) + 1e-300


def test_two_sides_imply_one_as_they_stand():
    promise = ProbabilisticDP(1.0, 0.01)
    assert promise.one_sided() == ProbabilisticDP(1.0, 0.01, sides=1)
    assert promise.two_sided() is promise
    assert promise.one_sided().two_sided().stated_delta == pytest.approx(0.01 * (1 + math.exp(-1)), rel=1e-14)
    assert ProbabilisticDP(1.0, 0.0, sides=1).two_sided().stated_delta == 0.0


@given(finite_pairs(largest=4), finite_pairs(largest=4), st.floats(0.1, 1.0), st.floats(0.1, 1.0))
def test_tails_add_up(first, second, e1, e2):
    """Two independent releases: their loss exceeds the sum of the thresholds no more often than promised."""
    deltas = [min(1.0, two_sided_tail(pair[0], pair[1], e)) for pair, e in ((first, e1), (second, e2))]
    together = basic_composition(ProbabilisticDP(e1, deltas[0]), ProbabilisticDP(e2, deltas[1])).promise
    p, q = (np.outer(a, b).ravel() for a, b in zip(first, second, strict=True))
    assert two_sided_tail(p, q, together.stated_epsilon) <= together.stated_delta * (1 + 1e-9) + 1e-300


def test_promises_about_different_sides_do_not_mix():
    with pytest.raises(
        Incompatible, match=r"about the same sides of the loss .* Bring them to one form with .one_sided"
    ):
        basic_composition(ProbabilisticDP(1.0, 0.1), ProbabilisticDP(1.0, 0.1, sides=1))


def test_it_is_not_closed_under_processing():
    assert ProbabilisticDP.properties.post_processing.known is Known.NO
    assert ProbabilisticDP.properties.post_processing.locator == "Example 4.9"


def test_it_is_not_convex():
    """Randomized response never exceeds epsilon, a second release with probability 0.01; half of each nearly 0.4."""
    heads = 1 / (1 + math.exp(-1.0))
    first = (np.array([heads, 1 - heads, 0.0]), np.array([1 - heads, heads, 0.0]))
    second = (np.array([0.01, 0.0, 0.99]), np.array([0.0, 0.0, 1.0]))
    epsilon, delta = 1.0 + 1e-9, 0.01
    assert all(
        two_sided_tail(*order, epsilon) <= delta + 1e-15 for pair in (first, second) for order in (pair, pair[::-1])
    )
    mixture = [(a + b) / 2 for a, b in zip(first, second, strict=True)]
    assert two_sided_tail(mixture[0], mixture[1], epsilon) > 0.37
    assert ProbabilisticDP.properties.convex.known is Known.NO
