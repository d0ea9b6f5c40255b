"""Families of releases: how they compose, in which direction they tell more, and which options they have."""

from __future__ import annotations

import pytest

from whit.errors import Incompatible, InvalidInput
from whit.guarantees import ApproxDP, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from whit.policy.families import Rule
from whit.policy.family_of import family_of
from whit.setting import Neighbours, Sensitivity
from whit.theory import Direction

NOTHING = {"delta": None, "neighbours": None, "sensitivity": None, "rule": Rule.OWN, "total_delta": None}


def family(kind, releases=1, **options):
    return family_of(kind, releases=releases, **{**NOTHING, **options})


@pytest.mark.parametrize("kind", [PureDP, ZeroConcentratedDP, GaussianDP, Geometric])
def test_epsilon_rho_and_mu_tell_more_when_they_grow(kind):
    assert family(kind).rising
    assert family(kind).direction is Direction.AT_LEAST


@pytest.mark.parametrize("kind", [Gaussian, DiscreteGaussian, Laplace])
def test_sigma_and_scale_tell_less_when_they_grow(kind):
    assert not family(kind).rising
    assert family(kind).direction is Direction.AT_MOST


def test_one_release_is_of_the_family():
    assert family(ApproxDP, delta=1e-6).one(0.5) == ApproxDP(0.5, 1e-6)
    assert family(Laplace, sensitivity=Sensitivity.histogram()).one(2.0) == Laplace(
        2.0, sensitivity=Sensitivity.histogram()
    )


@pytest.mark.parametrize("relation", [Neighbours.ADD_REMOVE, Neighbours.REPLACE])
def test_promises_compose_and_still_state_the_sum_of_their_parameters(relation):
    found = family(ApproxDP, 3, delta=1e-9).all(0.1, relation)
    assert found.promise == ApproxDP(0.1, 1e-9).added_up(3)
    assert float(found.power(0.3)) < float(found.promise.power(0.3))


def test_promises_are_restated_before_they_come_to_a_total_delta():
    rule = {"rule": Rule.OPTIMAL, "total_delta": 1e-6}
    twice, stated = (
        family(PureDP, 3, neighbours=relation, **rule).all(epsilon, Neighbours.REPLACE)
        for relation, epsilon in ((Neighbours.ADD_REMOVE, 0.1), (Neighbours.REPLACE, 0.2))
    )
    assert twice == stated


def test_a_rule_with_a_total_delta_comes_to_that_delta():
    for rule in (Rule.ADVANCED, Rule.HETEROGENEOUS, Rule.OPTIMAL, Rule.OPTIMAL_LIST):
        together = family(PureDP, 100, rule=rule, total_delta=1e-6).all(0.05, Neighbours.ADD_REMOVE)
        assert isinstance(together, ApproxDP)
        assert together.stated_delta == 1e-6
        assert together.stated_epsilon <= 5.0


def test_better_rules_come_to_smaller_epsilons():
    def epsilon(rule):
        return family(PureDP, 100, rule=rule, total_delta=1e-6).all(0.05, Neighbours.ADD_REMOVE).stated_epsilon

    assert epsilon(Rule.OPTIMAL) <= epsilon(Rule.OPTIMAL_LIST) <= epsilon(Rule.HETEROGENEOUS) <= epsilon(Rule.ADVANCED)


def test_the_whole_curve_is_at_least_as_good_as_its_best_point():
    curve = family(PureDP, 20, rule=Rule.WHOLE_CURVE).all(0.05, Neighbours.ADD_REMOVE)
    point = family(PureDP, 20, rule=Rule.OPTIMAL, total_delta=1e-4).all(0.05, Neighbours.ADD_REMOVE)
    assert float(curve.delta(point.stated_epsilon).upper) <= 1e-4 * (1 + 1e-9)


def test_promises_under_replacement_say_nothing_of_adding():
    assert Neighbours.ADD_REMOVE not in family(PureDP, neighbours=Neighbours.REPLACE).relations


def test_a_family_without_a_parameter_is_refused():
    with pytest.raises(InvalidInput, match="family must be a class for which a parameter can be found"):
        family(RenyiDP)


def test_an_approximate_promise_needs_its_delta():
    with pytest.raises(InvalidInput, match="delta must be a probability"):
        family(ApproxDP)


def test_an_option_of_another_family_is_refused():
    with pytest.raises(Incompatible, match="delta is no option of the family PureDP"):
        family(PureDP, delta=1e-6)
    with pytest.raises(Incompatible, match="sensitivity is no option of the family PureDP"):
        family(PureDP, sensitivity=Sensitivity.count())
    with pytest.raises(Incompatible, match="rule is for promises"):
        family(Gaussian, rule=Rule.OPTIMAL)
    with pytest.raises(Incompatible, match="rule is for epsilon and delta"):
        family(ZeroConcentratedDP, rule=Rule.OPTIMAL, total_delta=1e-6)
    with pytest.raises(Incompatible, match="total_delta has no use with the rule own"):
        family(PureDP, total_delta=1e-6)


def test_a_rule_with_a_total_delta_needs_one():
    with pytest.raises(InvalidInput, match="total_delta must be a probability strictly between 0 and 1"):
        family(PureDP, 12, rule=Rule.OPTIMAL)


def test_a_rule_by_its_name_is_refused():
    with pytest.raises(InvalidInput, match="rule must be one of Rule"):
        family(PureDP, 12, rule="optimal")


@pytest.mark.parametrize("releases", [0, -1, 2.5, True])
def test_releases_are_counted(releases):
    with pytest.raises(InvalidInput, match="releases must be a whole number of at least 1"):
        family(PureDP, releases)
