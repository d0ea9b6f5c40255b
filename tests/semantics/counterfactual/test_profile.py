"""The privacy profile in both orders, and the best of its points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from whit.curves import ComposedLoss, Curve, FinitePair, GaussianLoss
from whit.errors import InvalidInput, NotImplied
from whit.guarantees import ApproxDP, GaussianDP, ProbabilisticallyBoundedDP, ProbabilisticDP, PureDP, RenyiDP
from whit.mechanisms import Finite, Gaussian, Laplace, PoissonSubsampled, RandomizedResponse
from whit.semantics.counterfactual import CounterfactualWorld
from whit.semantics.counterfactual.profile import EPSILONS, NEGLIGIBLE, Profile, Sides, numbers_of_people, together
from whit.setting import Knowledge, Neighbours
from whit.theory import Direction

REPLACE, ADD_REMOVE = Neighbours.REPLACE, Neighbours.ADD_REMOVE


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 0.3, 1.0, 710.0, 1e4, 1e300])
def test_the_sure_epsilon_of_a_pure_promise_is_the_stated_one_or_just_above(epsilon):
    found = Profile.of(PureDP(epsilon), ADD_REMOVE).sure
    assert epsilon <= found <= epsilon * (1 + 1e-14)


def test_the_sure_epsilon_of_a_mechanism_is_found_by_search():
    found = Profile.of(RandomizedResponse(0.7), Neighbours.LOCAL).sure
    assert found == pytest.approx(0.7, rel=1e-14)
    assert Profile.of(RenyiDP({np.inf: 1e4}), ADD_REMOVE).sure == pytest.approx(1e4, rel=1e-14)


def test_a_promise_with_failures_has_no_sure_epsilon():
    assert Profile.of(ApproxDP(1.0, 1e-300), ADD_REMOVE).sure == np.inf
    assert Profile.of(GaussianDP(1.0), ADD_REMOVE).sure == np.inf


def test_the_corner_of_a_stated_point_is_read():
    assert Profile.of(ApproxDP(1.0, 1e-6), ADD_REMOVE).corners.tolist() == [1.0]
    assert Profile.of(ProbabilisticDP(1.0, 1e-6), ADD_REMOVE).corners == pytest.approx([1.0], rel=1e-9)
    assert Profile.of(GaussianDP(1.0), ADD_REMOVE).corners.tolist() == []


def test_the_larger_delta_of_the_two_orders_counts():
    pair = FinitePair.of([0.5, 0.3, 0.2], [0.1, 0.6, 0.3])
    profile = Profile.of(Curve.exact(pair), REPLACE)
    for epsilon in (0.0, 0.4, 1.0):
        ways = [
            sum(max(a - np.exp(epsilon) * b, 0.0) for a, b in zip(p, q, strict=True))
            for p, q in (([0.5, 0.3, 0.2], [0.1, 0.6, 0.3]), ([0.1, 0.6, 0.3], [0.5, 0.3, 0.2]))
        ]
        assert np.exp(profile.log_delta(np.asarray(epsilon))) == pytest.approx(max(ways), rel=1e-12, abs=1e-15)


def test_the_least_value_over_the_profile_is_that_of_a_fine_grid():
    profile = Profile.of(GaussianDP(1.0), ADD_REMOVE)
    scales = np.array([1.0, 100.0, 1e6])
    found = profile.least(lambda e, log_d: e + scales[:, None] * np.exp(log_d), (3,))
    grid = np.linspace(0, 12, 20001)
    deltas = np.exp(profile.log_delta(grid))
    fine = [(grid + scale * deltas).min() for scale in scales]
    assert found == pytest.approx(fine, rel=1e-6)


def test_an_estimate_stays_one_and_a_lower_bound_is_refused():
    curve = Curve.exact(GaussianLoss(1.0))
    assert Profile.of(curve, REPLACE).direction is Direction.AT_MOST
    assert Profile.of(replace(curve, direction=Direction.ABOUT), REPLACE).direction is Direction.ABOUT
    with pytest.raises(NotImplied, match="cannot be bounded by a curve that is a lower bound"):
        Profile.of(replace(curve, direction=Direction.AT_LEAST), REPLACE)


def test_a_dropped_record_of_known_data_is_a_replaced_one_where_that_is_known():
    known = Sides.of(Gaussian(1.0), CounterfactualWorld.DROPPED, Knowledge.EVERYONE_ELSE)
    assert known.alike is not None
    assert known.unlike is not None
    pair = Finite([0.5, 0.5], [0.4, 0.6])
    unknown = Sides.of(pair, CounterfactualWorld.DROPPED, Knowledge.EVERYONE_ELSE)
    assert unknown.alike is None
    assert unknown.unlike is not None
    # Of a point of pbdp a replaced record is two steps: removed, then added.
    steps = Sides.of(ProbabilisticallyBoundedDP(1.0, 1e-6), CounterfactualWorld.POSTERIOR_SAMPLE, Knowledge.ANY_BELIEF)
    assert steps.alike is not None
    # By bounded-point-to-approximate one step has 1e-6 (1 - 1/e) at epsilon 1; two have 1 + e times that at 2.
    assert float(np.exp(steps.alike.log_delta(np.asarray(2.0)))) == pytest.approx(1e-6 * (np.e - 1 / np.e), rel=1e-6)
    only = Sides.of(PureDP(1.0, neighbours=REPLACE), CounterfactualWorld.DROPPED, Knowledge.EVERYONE_ELSE)
    assert only.alike is not None
    assert only.unlike is None


def test_a_bare_curve_about_a_dropped_record_is_not_taken_for_one_about_a_replaced_one():
    curve = Curve.exact(GaussianLoss(1.0))
    assert Sides.of(curve, CounterfactualWorld.DROPPED, Knowledge.EVERYONE_ELSE).alike is None
    assert Sides.of(curve, CounterfactualWorld.DEFAULT_RECORD, Knowledge.EVERYONE_ELSE).alike is not None


@pytest.mark.parametrize("people", [0, 1.5, True, [1, 0], "ten"])
def test_people_are_counted_in_whole_numbers(people):
    with pytest.raises(InvalidInput, match="people must be a"):
        numbers_of_people(people)
    assert numbers_of_people([1, 330_000_000]).tolist() == [1.0, 3.3e8]


def test_arrays_that_do_not_fit_are_refused_in_a_sentence():
    with pytest.raises(InvalidInput, match="failure and people must be numbers, or arrays of shapes that fit"):
        together(failure=np.zeros(2), people=np.ones(3))
    assert [each.shape for each in together(failure=np.zeros((2, 1)), people=np.ones(3))] == [(2, 3), (2, 3)]


def test_a_profile_that_is_dear_is_read_no_further_than_it_says_something():
    profile = Profile.of(PoissonSubsampled(Gaussian(1.0), 0.1).times(100), Neighbours.ADD_REMOVE)
    read, every = profile._grid, profile.log_delta(EPSILONS)
    assert np.all(read >= every - 1e-5 * np.abs(every))
    near = every >= NEGLIGIBLE
    assert 30 < near.sum() < len(EPSILONS)
    np.testing.assert_allclose(read[near], every[near], rtol=1e-5)
    assert read[-1] < NEGLIGIBLE


def test_what_a_composition_never_exceeds_is_known_without_a_search():
    profile = Profile.of(Laplace(1000.0).times(10**6), Neighbours.ADD_REMOVE)
    assert isinstance(profile.curve.face, ComposedLoss)
    assert 1000.0 <= profile.sure <= 1000.0 * (1 + 1e-12)
