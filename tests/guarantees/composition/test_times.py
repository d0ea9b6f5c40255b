"""`times` of a guarantee: the releases themselves, as `compose` has them, and not one promise of their sum."""

from __future__ import annotations

import numpy as np
import pytest

from whit.guarantees import (
    FDP,
    ApproxDP,
    BoundedRange,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    compose,
)
from whit.mechanisms import RandomizedResponse
from whit.semantics import membership

PROMISES = [
    PureDP(0.1),
    ApproxDP(0.1, 1e-7),
    ProbabilisticDP(0.1, 1e-7),
    ZeroConcentratedDP(0.01),
    RenyiDP({2.0: 0.02, 8.0: 0.1}),
    GaussianDP(0.2),
    BoundedRange(0.2),
    FDP(lambda level: max(0.0, 1.0 - 1.2 * level)),
    ProbabilisticallyBoundedDP(0.5, 0.01),
]
EPSILONS, LEVELS = np.array([0.05, 0.3, 0.9]), np.array([0.01, 0.1, 0.5])


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: type(promise).__name__)
def test_several_times_is_what_compose_makes_of_them(promise):
    many, listed = promise.times(3), compose(promise, promise, promise)
    assert np.asarray(many.delta(EPSILONS).value) == pytest.approx(np.asarray(listed.delta(EPSILONS).value), rel=1e-12)
    assert np.asarray(many.power(LEVELS).value) == pytest.approx(np.asarray(listed.power(LEVELS).value), rel=1e-12)
    assert set(many.power(LEVELS).basis.theorems) == set(listed.power(LEVELS).basis.theorems)
    assert promise.times(1) is promise


def test_the_answer_is_what_the_worst_releases_attain():
    """Randomized response has the largest profile of all that is epsilon-private, in each release and so in all."""
    promised, attained = PureDP(0.1).times(12), RandomizedResponse(0.1).times(12)
    assert float(promised.power(0.05)) == pytest.approx(float(attained.power(0.05)), rel=1e-9)
    assert float(promised.power(0.05)) < float(PureDP(0.1).added_up(12).power(0.05))


def test_a_posterior_rests_on_the_rule_and_on_fresh_noise():
    found = membership.posterior(PureDP(0.1).times(12), prior=0.1, failure=0.01)
    assert "basic-composition" in found.basis.theorems
    assert float(found) < float(membership.posterior(PureDP(1.2), prior=0.1, failure=0.01))
