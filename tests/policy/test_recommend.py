"""Recommendations: what they carry, what they rest on, and what is refused with which words."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest

from whit.errors import Incompatible, InvalidInput, NotImplied, Unreachable
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from whit.policy import limits, profiles
from whit.policy.recommend import recommend
from whit.semantics.promised import largest_loss
from whit.setting import Neighbours, Sensitivity
from whit.theory import Direction, Randomness

RISE = limits.difference(0.2)


def test_a_recommended_epsilon_is_rounded_down_and_a_sigma_up():
    epsilon, sigma = recommend(profiles.constant(3.0), PureDP), recommend(RISE, Gaussian, failure=0.01)
    assert epsilon.parameter.direction is Direction.AT_LEAST
    assert epsilon.rounded(3) == Decimal("0.549")
    assert sigma.parameter.direction is Direction.AT_MOST
    assert sigma.rounded(3) >= Decimal(float(sigma.parameter))


def test_the_deciding_adversary_is_named_with_risk_and_limit():
    found = recommend(profiles.capped(relative=3.0, absolute=0.25, value=1.0), PureDP)
    (binding,) = found.binding
    assert (binding.inclusion, binding.value) == (pytest.approx(1 / 12), 1.0)
    assert binding.limit == pytest.approx(3.0)
    assert float(binding.risk) == pytest.approx(3.0, rel=1e-9)
    assert float(binding.risk) <= 3.0


def test_other_adversaries_have_more_room():
    found = recommend(profiles.capped(relative=3.0, absolute=0.25, value=1.0), PureDP)
    assert float(found.headroom(inclusion=1 / 12, value=1.0)) == pytest.approx(1.0, rel=1e-6)
    assert float(found.headroom(inclusion=0.5, value=1.0)) > 1.5
    assert float(found.headroom(inclusion=0.5, value=0.3)) == math.inf  # the profile does not speak about them


def test_the_gain_over_the_naive_rule_is_reported():
    found = recommend(profiles.capped(relative=3.0, absolute=0.25, value=1.0), PureDP, releases=4)
    naive, gain = found.comparisons
    assert float(naive) == pytest.approx(math.log(3.0) / 8)
    assert float(gain) == pytest.approx(math.log(2.75 / 0.75) / (math.log(3.0) / 2), rel=1e-9)


def test_the_chance_of_failure_is_on_record():
    found = recommend(RISE, Gaussian, failure=0.01)
    (failure,) = found.parameter.basis.failures
    assert (failure.probability, failure.over) == (0.01, Randomness.MECHANISM)
    profile = recommend(profiles.constant(3.0), ZeroConcentratedDP, failure=0.02)
    assert profile.parameter.basis.failures[0].probability == 0.02
    assert "disclosure-with-failure" in profile.parameter.basis.theorems


def test_the_noise_of_a_release_is_among_the_findings():
    found = recommend(RISE, Laplace)
    assert float(found.findings[-1]) == pytest.approx(math.sqrt(2) * float(found.parameter))


def test_a_mechanism_is_judged_by_its_own_loss():
    known = float(recommend(RISE, Gaussian, releases=12, failure=0.01).parameter)
    promised = math.sqrt(1 / (2 * float(recommend(RISE, ZeroConcentratedDP, releases=12, failure=0.01).parameter)))
    assert known < promised


@pytest.mark.slow
def test_whole_noise_is_recommended_by_its_exact_loss():
    found = recommend(RISE, DiscreteGaussian, releases=12, failure=0.01)
    together = found.release.times(12)
    assert float(largest_loss(together, 0.01)) <= float(RISE.allowed_loss())
    bolder = DiscreteGaussian(float(found.parameter) / 1.001).times(12)
    assert float(largest_loss(bolder, 0.01)) > float(RISE.allowed_loss())


def test_for_one_count_replacing_costs_no_more_than_adding():
    count = float(recommend(profiles.constant(3.0), Geometric).parameter)
    histogram = float(recommend(profiles.constant(3.0), Geometric, sensitivity=Sensitivity.histogram()).parameter)
    assert count == pytest.approx(math.log(3.0), rel=1e-9)
    assert histogram == pytest.approx(math.log(3.0) / 2, rel=1e-9)


def test_a_promise_can_be_kept_by_noise():
    found = recommend(ApproxDP(1.0, 1e-6), Gaussian, releases=4)
    assert float(found.release.times(4).delta(1.0).upper) <= 1e-6
    assert float(Gaussian(float(found.parameter) * 0.999).times(4).delta(1.0).lower) > 1e-6
    assert recommend(PureDP(1.0), Laplace, releases=4).rounded(4) == Decimal("4")


def test_a_limit_on_power_or_advantage_is_inverted_as_well():
    power = recommend(limits.power(0.2, level=0.05), Gaussian)
    assert float(power.release.power(0.05).upper) <= 0.2
    assert float(power.release.power(0.05).lower) == pytest.approx(0.2, rel=1e-9)
    advantage = recommend(limits.advantage(0.1), ZeroConcentratedDP)
    assert float(advantage.release.delta(0.0).upper) <= 0.1


def test_promises_under_replacement_serve_people_who_are_known_to_be_in_the_data():
    census = profiles.capped(relative=3.0, absolute=0.25, inclusion=1.0)
    found = recommend(census, PureDP, neighbours=Neighbours.REPLACE)
    assert float(found.parameter) == pytest.approx(2 * census.closed_form().epsilon, rel=1e-9)


def test_a_profile_that_limits_nothing_leaves_every_parameter():
    found = recommend(profiles.box(3.0, inclusion=(0.5, 1.0), value=(0.7, 0.9)), PureDP)
    assert found.unlimited
    assert float(found.parameter) == math.inf
    assert any("Every parameter keeps" in said for said in found.notices)


def test_an_arbitrary_function_gives_an_estimate():
    found = recommend(profiles.custom(lambda p, q: 2.0 + p + 0 * q), PureDP)
    assert found.parameter.direction is Direction.ABOUT
    assert any("not a proof" in said for said in found.notices)


def test_a_limit_below_one_is_refused_with_its_place():
    profile = profiles.custom(lambda p, q: np.where((p > 0.4) & (p < 0.6), 0.8, 2.0 * q), value=(1.0, 1.0))
    with pytest.raises(Unreachable, match=r"at least 1, .*a limit of 0\.8 near inclusion 0\.[45]\d* and value 1"):
        recommend(profile, PureDP)


def test_a_function_that_returns_nan_is_refused_with_its_place():
    profile = profiles.custom(lambda p, q: np.where(p > 0.7, np.nan, 2.0 + q))
    with pytest.raises(InvalidInput, match="must return a number everywhere; got nan at inclusion"):
        recommend(profile, PureDP)


def test_a_table_with_a_hole_is_refused_with_its_place():
    rows = [(0.1, 0.5, 2.0), (0.1, 1.0, 2.0), (0.5, 0.5, 2.0)]
    with pytest.raises(InvalidInput, match=r"inclusion 0\.5.*value 1"):
        recommend(profiles.table(rows), PureDP)


def test_noise_without_a_sure_bound_needs_a_chance_of_failure():
    with pytest.raises(Unreachable, match=r"the sigma must have a value .* failure=0\.01"):
        recommend(profiles.constant(3.0), Gaussian)


def test_what_was_spent_may_leave_nothing():
    with pytest.raises(Unreachable, match="check what was spent before"):
        recommend(profiles.constant(3.0), PureDP, spent=[PureDP(1.0)])


def test_promises_under_replacement_do_not_serve_people_who_may_be_absent():
    with pytest.raises(NotImplied, match="needs the loss of adding or removing a record"):
        recommend(profiles.constant(3.0), PureDP, neighbours=Neighbours.REPLACE)


def test_sides_are_for_limits():
    with pytest.raises(Incompatible, match="sides is for limits"):
        recommend(profiles.constant(3.0), PureDP, sides=2)


@pytest.mark.parametrize("wanted", [3.0, "constant", None, ZeroConcentratedDP(0.5)])
def test_what_is_wanted_must_be_something_that_can_be_kept(wanted):
    with pytest.raises(InvalidInput, match="what is wanted must be a risk profile, a limit, or a promise"):
        recommend(wanted, PureDP)


@pytest.mark.parametrize("failure", [-0.1, 1.5, math.nan, "1%"])
def test_the_chance_of_failure_is_a_probability(failure):
    with pytest.raises(InvalidInput, match="failure must be a probability"):
        recommend(RISE, PureDP, failure=failure)


def test_a_recommendation_is_told_in_one_sentence():
    said = str(recommend(profiles.capped(relative=3.0, absolute=0.25, value=1.0), PureDP))
    assert said.startswith(
        "largest epsilon that keeps to it is at least 1.29, for 1 release(s); decided by an adversary"
    )
