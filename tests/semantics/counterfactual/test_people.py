"""Which delta is small enough for so many people."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from whit.errors import InvalidInput, Unreachable
from whit.guarantees import ApproxDP
from whit.semantics.counterfactual import CounterfactualWorld, delta_for_people, total_variation
from whit.setting import Knowledge
from whit.theory import Direction


@pytest.mark.parametrize("people", [1, 10_000, 330_000_000])
@pytest.mark.parametrize(("epsilon", "distance", "failure"), [(0.0, 0.01, 1e-6), (0.5, 0.25, 0.001), (3.0, 0.95, 0.1)])
def test_it_solves_the_bound_for_delta(people, epsilon, distance, failure):
    e = mpmath.mpf(epsilon)
    cost = 2 / (1 + mpmath.exp(e)) * (1 + 1 / (1 + mpmath.sqrt(1 - mpmath.exp(-2 * e))))
    truth = mpmath.mpf(failure) * (mpmath.mpf(distance) - mpmath.tanh(e / 2)) / (people * cost)
    found = delta_for_people(people, epsilon=epsilon, distance=distance, failure=failure)
    assert found.direction is Direction.AT_LEAST
    assert float(truth) * (1 - 1e-10) <= float(found) <= truth


@pytest.mark.parametrize("world", list(CounterfactualWorld))
@pytest.mark.parametrize("knows", list(Knowledge))
def test_the_delta_that_it_finds_keeps_to_the_distance(world, knows):
    asked = {"failure": 0.01, "world": world, "knows": knows}
    delta = float(delta_for_people(1000, epsilon=0.8, distance=0.5, **asked))
    promise = ApproxDP(0.8, delta, neighbours=world.neighbours)
    assert float(total_variation(promise, people=1000, **asked)) <= 0.5
    worse = ApproxDP(0.8, delta * 1.001, neighbours=world.neighbours)
    assert float(total_variation(worse, people=1000, **asked)) > 0.5


def test_a_sampled_record_and_known_others_allow_a_larger_delta():
    asked = {"epsilon": 0.8, "distance": 0.5, "failure": 0.01}
    least = float(delta_for_people(1000, **asked))
    assert float(delta_for_people(1000, **asked, world=CounterfactualWorld.POSTERIOR_SAMPLE)) > least
    assert float(delta_for_people(1000, **asked, knows=Knowledge.EVERYONE_ELSE)) > least


def test_it_falls_in_proportion_to_the_number_of_people():
    found = delta_for_people(np.array([1, 10, 100]), epsilon=0.5, distance=0.3, failure=0.01).value
    assert found[0] / found == pytest.approx([1, 10, 100], rel=1e-9)


def test_a_distance_that_epsilon_alone_exceeds_is_out_of_reach():
    with pytest.raises(
        Unreachable, match=r"distance must be at least 0\.4621, which epsilon alone can move beliefs by"
    ):
        delta_for_people(10, epsilon=1.0, distance=0.4, failure=0.01)


def test_a_distance_that_epsilon_alone_uses_up_leaves_a_delta_of_about_0():
    found = float(delta_for_people(10, epsilon=0.0, distance=0.0, failure=0.01))
    assert found == 0.0


def test_bad_input_is_refused_in_a_sentence():
    good = {"epsilon": 0.5, "distance": 0.3, "failure": 0.01}
    with pytest.raises(InvalidInput, match="failure must be above 0"):
        delta_for_people(10, **{**good, "failure": 0.0})
    with pytest.raises(InvalidInput, match="distance must be below 1"):
        delta_for_people(10, **{**good, "distance": 1.0})
    with pytest.raises(InvalidInput, match="epsilon must be finite and at least 0"):
        delta_for_people(10, **{**good, "epsilon": -1.0})
    with pytest.raises(InvalidInput, match="people must be a whole number"):
        delta_for_people(2.5, **good)
    with pytest.raises(InvalidInput, match="world must be one of CounterfactualWorld"):
        delta_for_people(10, **good, world=None)


def test_an_empty_epsilon_is_refused():
    with pytest.raises(InvalidInput, match="epsilon must be a number or an array with at least one"):
        delta_for_people(10, epsilon=[], distance=0.25, failure=0.01)
