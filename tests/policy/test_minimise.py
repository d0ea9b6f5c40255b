"""Proofs by boxes that a profile is kept, and the largest loss that meets the limit."""

from __future__ import annotations

import math

import mpmath as mp
import numpy as np
import pytest

from whit.policy.minimise import Boxes, Cover, Keeping, Losses, largest_risk, limits_on, risk_up, split_point
from whit.policy.profiles import Domain, absolute_cap, capped, constant, custom, difference, strictest, table


def exact_risk(p, q, included, replaced):
    p, q = mp.mpf(p), mp.mpf(q)
    return 1 / (p * q + p * (1 - q) * mp.exp(-mp.mpf(replaced)) + (1 - p) * mp.exp(-mp.mpf(included)))


BELIEFS = [1e-15, 1e-3, 0.25, 0.5, 1 - 2**-53, 1.0]


@pytest.mark.parametrize("included", [0.0, 1e-12, 0.3, 5.0, 699.0, 800.0, 1e4])
@pytest.mark.parametrize("factor", [1.0, 2.0])
def test_the_risk_is_never_below_the_formula(included, factor):
    for p in BELIEFS:
        for q in BELIEFS:
            bound = float(risk_up(np.array(p), np.array(q), Losses(included, factor * included)))
            truth = exact_risk(p, q, included, factor * included)
            assert bound >= truth
            if included <= 700.0:
                assert bound <= truth * (1 + mp.mpf("1e-14"))


def test_a_release_that_says_nothing_has_a_risk_of_exactly_one():
    assert float(risk_up(np.array(0.3), np.array(0.7), Losses(0.0, 0.0))) == 1.0


def test_without_a_bound_on_the_loss_the_posterior_may_be_certain():
    risk = risk_up(np.array([0.5, 1.0]), np.array([0.5, 0.1]), Losses(math.inf, math.inf))
    assert np.allclose(risk, [4.0, 10.0], rtol=1e-14)


@pytest.mark.parametrize("seed", range(20))
def test_no_point_of_a_box_has_a_larger_risk_than_its_corner(seed):
    random = np.random.default_rng(seed)
    (p0, p1), (q0, q1) = np.sort(random.random(2)), np.sort(random.random(2))
    losses = Losses(*random.exponential(size=2))
    boxes = Boxes(*(np.array([x]) for x in (p0, p1, q0, q1)))
    inside = risk_up(random.uniform(p0, p1, 1000), random.uniform(q0, q1, 1000), losses)
    assert np.all(inside <= largest_risk(boxes, losses)[0])


def test_a_cover_proves_what_is_kept_and_refutes_what_is_not():
    profile = capped(relative=3.0, absolute=0.25)
    best = math.log(2.75 / 0.75) / 2
    cover = Cover(profile, Domain())
    assert cover.keeps(Losses(best * (1 - 1e-6), 2 * best * (1 - 1e-6)))
    assert not cover.keeps(Losses(best * (1 + 1e-6), 2 * best * (1 + 1e-6)))
    assert cover.keeps(Losses(best / 2, best))


def test_answers_do_not_depend_on_what_was_asked_before():
    profile = difference(0.3)
    questions = [Losses(x, 1.5 * x) for x in (0.2, 2.0, 0.5, 0.9, 0.4, 0.7, 0.55)]
    shared = Keeping(profile)
    assert [shared(each) for each in questions] == [Keeping(profile)(each) for each in questions]


def test_one_count_may_rise_twice_as_far_as_any_value():
    rise = 0.2
    assert Keeping(difference(rise)).largest(1.0, 1.0) == pytest.approx(4 * math.atanh(rise), rel=2e-9)
    assert Keeping(difference(rise)).largest(1.0, 1.0) <= 4 * math.atanh(rise)
    assert Keeping(difference(rise)).largest(1.0, 2.0) == pytest.approx(2 * math.atanh(rise), rel=1e-12)


def test_a_cap_on_part_of_the_beliefs_is_decided_at_its_corner():
    profile = absolute_cap(0.25, inclusion=(0.0, 0.05))
    truth = math.log((0.25 / 0.05) * (1 - 0.05) / (1 - 0.25))
    assert Keeping(profile).largest(1.0, 1.0) == pytest.approx(truth, rel=1e-9)
    assert Keeping(profile).largest(1.0, 1.0) <= truth


def test_of_several_profiles_each_is_kept():
    parts = {"ratio": constant(3.0), "certain": capped(relative=1.5, absolute=0.1, value=1.0)}
    both = Keeping(strictest(parts)).largest(1.0, 1.0)
    alone = [Keeping(profile).largest(1.0, 1.0) for profile in parts.values()]
    assert both == pytest.approx(min(alone), rel=1e-12)


def test_the_adversary_with_the_least_room_is_named():
    keeping = Keeping(capped(relative=3.0, absolute=0.25))
    most = keeping.largest(1.0, 1.5)
    p, q = keeping.tightest(Losses(most, 1.5 * most))
    assert p == 1.0
    assert q == pytest.approx(1 / 12, abs=1e-6)


def test_a_profile_that_allows_certainty_has_no_largest_loss():
    assert (
        Keeping(custom(lambda p, q: 2 / (p * q), inclusion=(0.2, 1.0), value=(0.5, 1.0))).largest(1.0, 2.0) == math.inf
    )


def test_a_ridge_between_the_points_of_a_coarse_grid_is_found_by_a_bounded_slope():
    def limit(p, q):
        return 3.0 - np.maximum(0.0, 1.5 - 30 * np.abs(p - 0.8137)) + 0 * q

    keeping = Keeping(custom(limit, lipschitz=30.0))
    most = keeping.largest(1.0, 1.0)
    risk = [float(exact_risk(0.8137, q, most, most)) for q in (1e-9, 0.1, 0.5)]
    assert max(risk) <= 1.5 * (1 + 1e-12)
    assert most == pytest.approx(math.log(1.5), rel=1e-4)


def test_ranges_that_begin_at_zero_are_split_near_zero():
    assert 0.0 < float(split_point(0.0, 1.0)) < 0.2
    assert float(split_point(0.5, 0.6)) == pytest.approx(0.55)
    assert float(split_point(0.5, 0.5)) == 0.5


def test_the_smallest_limit_is_that_of_all_boxes_whatever_was_asked_before():
    keeping = Keeping(table({0.01: 10.0, 0.1: 3.0, 1.0: 1.5}, inclusion=1.0))
    before = keeping.smallest_limit()[0]
    keeping.largest(0.5, 1.0)
    assert keeping.smallest_limit()[0] == before == 1.5


def test_losses_of_very_different_size_are_followed_to_the_end():
    assert Keeping(constant(3.0)).largest(1e-9, 0.0) == pytest.approx(math.log(3.0) * 1e9, rel=1e-6)


@pytest.mark.parametrize("loss", [1e-13, 1e-9, 1e-3])
@pytest.mark.parametrize(("p", "q"), [(0.1, 0.2), (0.5, 0.5), (0.9, 0.01), (0.3, 1.0), (1.0, 0.3)])
def test_the_bound_keeps_its_digits_where_the_losses_are_small(loss, p, q):
    found = risk_up(np.array(p), np.array(q), Losses(loss, 2 * loss))
    a, b = mp.mpf(p), mp.mpf(q)
    truth = 1 / (a * b + a * (1 - b) * mp.exp(-mp.mpf(2 * loss)) + (1 - a) * mp.exp(-mp.mpf(loss)))
    assert truth <= mp.mpf(float(found)) <= truth + (truth - 1) * 1e-12 + 1e-15


def test_a_function_without_a_proof_is_asked_within_the_boxes_only():
    asked = []

    def function(p, q):
        asked.append((np.array(p), np.array(q)))
        return 3.0 + 0.0 * p * q

    boxes = Boxes(np.array([0.0, 0.3]), np.array([0.2, 0.4]), np.array([0.5, 0.1]), np.array([0.9, 0.2]))
    limits_on(custom(function), boxes)
    assert asked
    for p, q in asked:
        assert np.all((boxes.p_low <= p) & (p <= boxes.p_high) & (boxes.q_low <= q) & (q <= boxes.q_high))
