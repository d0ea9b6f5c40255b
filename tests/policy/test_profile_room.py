"""Any promise or mechanism against a risk profile."""

from __future__ import annotations

import math

import pytest

from whit.errors import InvalidInput, NotImplied
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, Laplace, PoissonSubsampled, RandomizedResponse
from whit.policy import profile_room, profiles, recommend
from whit.semantics.disclosure import relative_risk
from whit.theory import Direction

IN_THE_DATA = profiles.box(3.0, inclusion=(1.0, 1.0))


@pytest.mark.parametrize(("epsilon", "kept"), [(0.549, True), (0.55, False), (0.0, True), (1e-12, True), (1e4, False)])
def test_a_pure_promise_keeps_to_a_constant_profile_up_to_half_its_logarithm(epsilon, kept):
    # log(3) / 2 = 0.54930...: replacing a record costs twice as much as adding one.
    found = profile_room(profiles.constant(3.0), PureDP(epsilon))
    assert found.kept is kept
    assert found.room.direction is Direction.AT_LEAST
    assert (float(found.room) >= 1.0) is kept


@pytest.mark.parametrize("share", [0.999, 1.001])
def test_a_mechanism_is_kept_where_a_recommendation_says_so(share):
    found = recommend(profiles.capped(relative=3.0, absolute=0.25), Gaussian, failure=0.01)
    sigma = float(found.parameter)
    room = profile_room(profiles.capped(relative=3.0, absolute=0.25), Gaussian(sigma * share), failure=0.01)
    assert room.kept is (share > 1.0)


@pytest.mark.parametrize(("epsilon", "kept"), [(math.log(3) * 0.9999, True), (math.log(3) * 1.0001, False)])
def test_a_single_answer_is_checked_for_people_known_to_be_in_the_data(epsilon, kept):
    assert profile_room(IN_THE_DATA, RandomizedResponse(epsilon)).kept is kept


@pytest.mark.parametrize("relative", [1.005, 1.02, 1.05])
def test_no_adversary_learns_more_than_a_profile_that_a_sample_is_said_to_keep(relative):
    sample = PoissonSubsampled(Laplace(2.0), rate=0.01).times(2)
    kept = profile_room(profiles.constant(relative), sample).kept
    beliefs = [1e-12, 1e-3, 0.1, 0.5, 0.9, 1.0]
    worst = max(float(relative_risk(sample, inclusion=p, value=q)) for p in beliefs for q in beliefs)
    assert kept is (worst <= relative)


def test_what_has_no_bound_that_always_holds_is_not_kept_without_a_failure():
    found = profile_room(profiles.constant(3.0), ApproxDP(0.1, 1e-6))
    assert not found.kept
    assert float(found.room) < 1.0
    assert profile_room(profiles.constant(3.0), ApproxDP(0.1, 1e-6), failure=0.01).kept


def test_a_profile_that_allows_certainty_is_kept_by_everything():
    everything = profiles.box(2.0, inclusion=(0.5, 1.0), value=(1.0, 1.0))
    assert profile_room(everything, ZeroConcentratedDP(1e4)).kept


def test_a_failure_is_part_of_the_basis():
    found = profile_room(profiles.constant(3.0), ZeroConcentratedDP(0.005), failure=0.01)
    assert found.kept
    assert [each.probability for each in found.room.basis.failures] == [0.01]


def test_what_is_missing_is_named():
    with pytest.raises(NotImplied, match="needs the loss of adding or removing a record"):
        profile_room(profiles.constant(3.0), RandomizedResponse(0.5))
    with pytest.raises(NotImplied, match="needs the loss of replacing a record"):
        profile_room(profiles.constant(3.0), PoissonSubsampled(Gaussian(2.0), rate=0.1), failure=0.01)
    with pytest.raises(InvalidInput, match="profile must be a risk profile"):
        profile_room(3.0, PureDP(1.0))
    with pytest.raises(InvalidInput, match="failure must be"):
        profile_room(profiles.constant(3.0), PureDP(1.0), failure=2.0)
