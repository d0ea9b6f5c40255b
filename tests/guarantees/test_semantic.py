"""Semantic privacy: the differential privacy that follows, checked where every belief can be computed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from whit.errors import NotImplied
from whit.guarantees import SemanticPrivacy
from whit.setting import Neighbours


def largest_distance(epsilon: float) -> float:
    """The largest total variation between the two beliefs about one bit under randomized response, over all priors.

    The record is replaced by a default, so without it the belief stays the prior.
    """
    truth = 1 / (1 + math.exp(-epsilon))
    priors = np.linspace(0.0, 1.0, 20001)
    posterior = priors * truth / (priors * truth + (1 - priors) * (1 - truth))
    return float(np.max(np.abs(posterior - priors)))


@pytest.mark.parametrize("epsilon", [0.1, 0.4013, 1.0, 3.0])
def test_what_follows_from_the_beliefs_of_randomized_response_is_its_epsilon(epsilon):
    promise = SemanticPrivacy(largest_distance(epsilon))
    assert float(promise.epsilon(0.0)) == pytest.approx(epsilon, rel=1e-6)


@pytest.mark.parametrize("level", [0.1, 0.5, 0.9])
def test_with_a_delta_the_belief_that_moves_most_decides(level):
    epsilon, delta = SemanticPrivacy(level, 1e-6).approximate()
    prior = (1 - level) / 2
    odds = (prior + level) / (1 - prior - level) * (1 - prior) / prior
    assert math.exp(epsilon) == pytest.approx(odds, rel=1e-12)
    assert delta == pytest.approx(1e-6 / prior, rel=1e-12)
    assert delta >= 1e-6 / prior


@pytest.mark.parametrize("promise", [SemanticPrivacy(1.0), SemanticPrivacy(1.0, 1e-6), SemanticPrivacy(0.1, 0.5)])
def test_where_nothing_follows_everything_may_be_given_away(promise):
    assert float(promise.delta(100.0)) == 1.0
    assert float(promise.power(0.0)) == 1.0


def test_dropping_a_record_is_another_definition():
    with pytest.raises(NotImplied, match="only where a record is replaced by a default one; got SemanticPrivacy"):
        SemanticPrivacy(0.1, neighbours=Neighbours.ADD_REMOVE).curve()


def test_assumptions_are_part_of_the_promise():
    promise = SemanticPrivacy(0.5, 1e-3, population=10_000)
    assert promise.population == 10_000
    assert "population=10000" in repr(promise)
