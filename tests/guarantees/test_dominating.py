"""The worst pair of an (epsilon, delta) promise: it has the promise, and no pair with the promise exceeds it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pairs import finite_pairs

from whit.curves import FinitePair, log_tail_bound
from whit.guarantees import dominating_pair
from whit.guarantees.epsilon_delta import log_tail_of_point


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.0), (1.0, 1e-6), (0.0, 0.3), (710.0, 1e-300), (0.5, 1.0)])
def test_the_pair_has_the_promise_exactly(epsilon, delta):
    pair = dominating_pair(epsilon, delta)
    assert float(np.exp(pair.log_delta(epsilon).mid)) == pytest.approx(delta, rel=1e-13, abs=1e-320)
    assert float(np.exp(pair.reverse().log_delta(epsilon).mid)) == pytest.approx(delta, rel=1e-13, abs=1e-320)
    total_variation = (math.tanh(epsilon / 2) * (1 - delta)) + delta
    assert float(np.exp(pair.log_delta(0.0).mid)) == pytest.approx(total_variation, rel=1e-12)


def test_a_promise_of_nothing_to_tell_is_kept_by_equal_distributions():
    assert dominating_pair(0.0, 0.0).losses.tolist() == [0.0]


@settings(max_examples=60)
@given(finite_pairs(), st.floats(0.0, 3.0))
def test_no_pair_with_the_promise_exceeds_it(pair, epsilon):
    both = [FinitePair.of(*order) for order in (pair, pair[::-1])]
    delta = min(1.0, max(float(np.exp(each.log_delta(epsilon).upper)) for each in both))
    worst = dominating_pair(epsilon, delta)
    for t in (-2.0, -epsilon, 0.0, epsilon / 2, epsilon, 5.0):
        assert np.all(both[0].log_delta(t).lower <= worst.log_delta(t).upper + 1e-12)


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.0), (0.5, 1e-3), (2.0, 0.2)])
@pytest.mark.parametrize("t", [-1.5, 0.0, 0.4, 1.0, 3.0])
def test_the_tail_in_closed_form_is_that_of_a_search(epsilon, delta, t):
    closed = float(log_tail_of_point(epsilon, delta, np.array(t)))
    searched = float(log_tail_bound(dominating_pair(epsilon, delta), t))
    assert closed <= searched + 1e-12
    assert closed == pytest.approx(searched, abs=1e-4)
