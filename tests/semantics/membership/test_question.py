"""What every question about beliefs has in common: the fact, the numbers, and the loss that must be proved."""

from __future__ import annotations

import re

import numpy as np
import pytest

from whit.curves import Curve, GaussianLoss, from_deltas
from whit.errors import InvalidInput, NotImplied
from whit.guarantees import ApproxDP, GaussianDP, ProbabilisticDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, RandomizedResponse
from whit.semantics.membership import posterior
from whit.semantics.membership.bounds import FACTS, prior_array, proved_loss
from whit.semantics.membership.releases import MOST_COUNTED, counted
from whit.setting import Neighbours

UNPROVED = [
    (ApproxDP(1.0, 1e-6), 0.0),
    (ApproxDP(1.0, 1e-6), 1e-6),
    (ApproxDP(1.0, 0.02), 0.01),
    (ProbabilisticDP(1.0, 0.01), 0.001),
    (ZeroConcentratedDP(0.5), 0.0),
    (RenyiDP({2.0: 0.1}), 0.0),
    (GaussianDP(1.0), 0.0),
    (from_deltas([1.0], [1e-3]), 1e-4),
]


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize(("promise", "failure"), UNPROVED)
def test_the_failure_that_is_offered_works(promise, failure, sides):
    with pytest.raises(NotImplied, match="is not bounded by this promise") as refusal:
        proved_loss(promise, failure, sides, None)
    offered = float(re.search(r"failure=([\d.e-]+) or more", str(refusal.value))[1])
    assert offered > failure
    assert np.isfinite(proved_loss(promise, offered, sides, None).value)


@pytest.mark.parametrize("failure", [0.0, 1e-6])
def test_the_delta_in_the_way_is_named(failure):
    with pytest.raises(NotImplied, match=r"its delta is 1e-06\)"):
        proved_loss(ApproxDP(1.0, 1e-6), failure, 1, None)


def test_it_is_the_delta_under_the_relation_asked_for():
    restated = ApproxDP(1.0, 1e-3).under(Neighbours.REPLACE)
    with pytest.raises(NotImplied, match=f"its delta is {restated.stated_delta:g}"):
        proved_loss(ApproxDP(1.0, 1e-3), 0.002, 1, Neighbours.REPLACE)


def test_one_failure_of_many_is_enough_to_refuse():
    with pytest.raises(NotImplied, match="at a failure probability of 1e-07"):
        proved_loss(ApproxDP(1.0, 1e-6), [0.01, 1e-7], 1, None)


def test_no_failure_is_offered_that_leaves_nothing_to_say():
    """Five releases give the fact away with probability 1 - 0.5^5 = 0.97. A bound that fails so often says nothing."""
    with pytest.raises(NotImplied, match="leaves nothing to say at a useful one") as refusal:
        proved_loss(ApproxDP(1.0, 0.5).times(5), 0.01, 1, None)
    assert "Ask with" not in str(refusal.value)


def test_a_promise_of_nothing_has_no_such_way_out():
    with pytest.raises(NotImplied, match="Use a promise that bounds the loss"):
        proved_loss(ApproxDP(1.0, 1.0), 0.5, 1, None)


def test_a_mechanism_may_have_an_infinite_loss():
    assert proved_loss(Gaussian(1.0), 0.0, 1, None).value == np.inf
    assert proved_loss(Curve.exact(GaussianLoss(1.0)), 0.0, 2, None).value == np.inf


def test_pure_privacy_needs_no_failure():
    assert float(proved_loss(PureDP(0.7), 0.0, 2, None)) == 0.7


@pytest.mark.parametrize(("failure", "sides"), [(1.5, 1), (-0.1, 2), (0.1, 3)])
def test_impossible_questions_are_refused(failure, sides):
    with pytest.raises(InvalidInput, match="must be"):
        proved_loss(PureDP(1.0), failure, sides, None)


@pytest.mark.parametrize("sides", [np.array([1, 2]), np.array([1]), [1], None, True, 1.0, "1"], ids=repr)
def test_what_is_not_one_side_or_two_is_refused(sides):
    with pytest.raises(InvalidInput, match="sides must be 1 or 2"):
        proved_loss(PureDP(1.0), 0.0, sides, None)


def test_masked_priors_are_not_known():
    with pytest.raises(InvalidInput, match="prior must have no masked values; got a masked array"):
        prior_array(np.ma.array([0.1, 0.2], mask=[False, True]))
    assert prior_array(np.ma.array([0.1, 0.2])).tolist() == [0.1, 0.2]


@pytest.mark.parametrize(
    ("promise", "neighbours", "word"),
    [
        (PureDP(1.0), None, "in the data"),
        (PureDP(1.0), Neighbours.REPLACE, "one of two given ones"),
        (PureDP(1.0, neighbours=Neighbours.LOCAL), None, "which the person holds"),
        (Gaussian(1.0), None, "in the data"),
        (Gaussian(1.0), Neighbours.REPLACE, "one of two given ones"),
        (Curve.exact(GaussianLoss(1.0)), None, "the curve compares"),
    ],
)
def test_the_inputs_name_the_fact(promise, neighbours, word):
    found = posterior(promise, 0.5, failure=0.01, neighbours=neighbours)
    assert word in found.inputs["fact"]


def test_every_relation_has_its_fact():
    assert set(FACTS) == set(Neighbours)


def test_a_mechanism_answers_under_its_own_relation():
    found = posterior(RandomizedResponse(1.0), 0.5)
    assert found.inputs["neighbours"] == RandomizedResponse(1.0).relations[0].name


def test_what_is_no_relation_is_refused():
    with pytest.raises(InvalidInput, match="neighbours must be one of Neighbours"):
        posterior(Curve.exact(GaussianLoss(1.0)), 0.5, failure=0.01, neighbours="replace")


def test_every_number_up_to_the_most_is_counted():
    assert [counted("count", number, "") for number in (1, np.int64(7), MOST_COUNTED)] == [1, 7, MOST_COUNTED]
    assert float(MOST_COUNTED - 1) != float(MOST_COUNTED) == float(MOST_COUNTED + 1)


@pytest.mark.parametrize("number", [MOST_COUNTED + 1, 10**400, 10**5000, 0, -1, 1.5, True, None, "7", [7]], ids=type)
def test_what_is_not_counted_is_refused(number):
    with pytest.raises(InvalidInput, match="count must be a whole number of at .* Use a number such as 7"):
        counted("count", number, "Use a number such as 7.")
