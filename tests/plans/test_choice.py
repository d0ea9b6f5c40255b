"""The least noise with which a plan keeps to every limit, checked forwards and from below."""

from __future__ import annotations

import copy
import math
import pickle
from fractions import Fraction
from statistics import NormalDist

import pytest
from small_plans import small_plan

from whit.errors import InvalidInput, Unreachable
from whit.guarantees import ZeroConcentratedDP
from whit.mechanisms import DiscreteGaussian, Gaussian
from whit.plans import (
    About,
    Kind,
    Linked,
    Plan,
    Query,
    Rho,
    WholeRecord,
    expose,
    recommend_scale,
    recommend_shares,
    scaled,
)
from whit.policy import limits, profiles, recommend
from whit.setting import PERSON, Knowledge, Neighbours
from whit.theory import Direction

AGE, JOB = About(["age"]), About(["job"])


def test_the_factor_keeps_and_a_little_less_does_not():
    limit = limits.power(0.1, level=0.05)
    found = recommend_scale(small_plan(), {AGE: limit})
    kept, broken = (
        expose(scaled(small_plan(), Fraction(float(found.factor)) * each), AGE) for each in (1, Fraction(999, 1000))
    )
    assert limit.keeps(kept.release, neighbours=Neighbours.REPLACE)
    assert not limit.keeps(broken.release, neighbours=Neighbours.REPLACE)
    assert found.plan == scaled(small_plan(), Fraction(float(found.factor)))
    assert found.factor.direction is Direction.AT_MOST


def test_the_factor_is_nearly_that_of_gaussian_noise_by_hand():
    """mu^2 = 2 rho = 2/5; power 0.1 at level 0.05 needs mu = z(0.95) - z(0.9)."""
    z = NormalDist().inv_cdf
    by_hand = math.sqrt(2 / 5) / (z(0.95) - z(0.9))
    found = recommend_scale(small_plan(), {AGE: limits.power(0.1, level=0.05)})
    assert float(found.factor) == pytest.approx(by_hand, rel=1e-4)


def test_the_strictest_concern_decides():
    wanted = {AGE: limits.power(0.3, level=0.05), JOB: limits.power(0.08, level=0.05)}
    found = recommend_scale(small_plan(), wanted)
    alone = {concern: recommend_scale(small_plan(), {concern: limit}).factor for concern, limit in wanted.items()}
    assert found.binding == JOB
    assert float(found.factor) == max(map(float, alone.values()))
    assert dict(found.factors)[AGE].value == alone[AGE].value
    assert str(found).endswith("decided by job")


def test_more_noise_in_the_queries_of_one_concern_leaves_the_others_alone():
    plan = small_plan(Linked.UNTOUCHED)
    found = recommend_shares(plan, {JOB: limits.power(0.08, level=0.05), AGE: limits.power(0.9, level=0.05)})
    assert expose(found.plan, AGE).exact_rho == expose(plan, AGE).exact_rho
    assert limits.power(0.08, level=0.05).keeps(expose(found.plan, JOB).release, neighbours=Neighbours.REPLACE)
    assert found.plan.budget("people").left["Town"] > 0


def test_limits_on_beliefs_need_a_chance_of_failure():
    with pytest.raises(Unreachable, match="the factor on the noise must have a value.*none for age"):
        recommend_scale(small_plan(), {AGE: limits.difference(0.2)})
    check_belief(Gaussian)


@pytest.mark.slow
def test_limits_on_beliefs_are_kept_by_noise_on_a_coarse_lattice_too():
    check_belief(DiscreteGaussian)


def check_belief(law: type) -> None:
    """By hand for Gaussian noise: P[Z > t] = 0.01 at mu^2/2 + mu z(0.99), which is to be 4 artanh(0.2)."""
    queries = [Query("age", Kind(("age",), "Town", Rho("1/5"), law))]
    plan = Plan.of(queries, name="one", levels=["Town"], unit=PERSON)
    limit = limits.difference(0.2, knows=Knowledge.EVERYONE_ELSE)
    found = recommend_scale(plan, {AGE: limit}, failure=0.01)
    assert limit.keeps(expose(found.plan, AGE).release, failure=0.01, neighbours=Neighbours.REPLACE)
    z, most = NormalDist().inv_cdf(0.99), 4 * math.atanh(0.2)
    by_hand = math.sqrt(2 / 5) / (math.sqrt(z * z + 2 * most) - z)
    assert float(found.factor) == pytest.approx(by_hand, rel=1e-4 if law is Gaussian else 0.05)


def test_a_risk_profile_is_kept_by_rho():
    profile = profiles.capped(relative=3.0, absolute=0.25, inclusion=1.0)
    found = recommend_scale(small_plan(), {WholeRecord(): profile}, failure=0.01)
    allowed = recommend(profile, ZeroConcentratedDP, failure=0.01, neighbours=Neighbours.REPLACE).parameter
    rho = expose(found.plan, WholeRecord()).exact_rho
    assert rho <= Fraction(float(allowed))
    assert float(rho) == pytest.approx(float(allowed), rel=1e-6)


@pytest.mark.parametrize("wanted", [{}, [AGE], {AGE: 3.0}])
def test_what_is_no_limit_is_refused(wanted):
    with pytest.raises(InvalidInput, match="the requirement must"):
        recommend_scale(small_plan(), wanted)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_a_recommended_plan_is_a_value(again):
    found = recommend_scale(small_plan(), {AGE: limits.power(0.1, level=0.05)})
    assert again(found) == found


def test_a_limit_that_is_kept_anyhow_asks_for_no_noise():
    found = recommend_scale(small_plan(), {AGE: limits.power(0.5, level=0.05)})
    assert float(found.factor) < 1
