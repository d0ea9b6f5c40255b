"""Where a promise bounds no loss the question is refused, and the way out works."""

from __future__ import annotations

import re

import numpy as np
import pytest

from whit.curves import Curve, GaussianLoss, from_deltas
from whit.errors import InvalidInput, NotImplied
from whit.guarantees import ApproxDP, GaussianDP, ProbabilisticDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian
from whit.semantics.membership.largest import failure_array, one_or_two, prior_array, proved_loss
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
@pytest.mark.parametrize(("promised", "failure"), UNPROVED)
def test_the_failure_that_is_offered_works(promised, failure, sides):
    with pytest.raises(NotImplied, match="is not bounded by this promise") as refusal:
        proved_loss(promised, failure, sides, None)
    offered = float(re.search(r"failure=([\d.e-]+) or more", str(refusal.value))[1])
    assert offered > failure
    assert np.isfinite(proved_loss(promised, offered, sides, None).value)


@pytest.mark.parametrize("failure", [0.0, 1e-6])
def test_the_delta_in_the_way_is_named(failure):
    with pytest.raises(NotImplied, match=r"not above its delta, 1e-06\)"):
        proved_loss(ApproxDP(1.0, 1e-6), failure, 1, None)


def test_it_is_the_delta_under_the_relation_asked_for():
    restated = ApproxDP(1.0, 1e-3).under(Neighbours.REPLACE)
    with pytest.raises(NotImplied, match=f"its delta, {restated.stated_delta:g}"):
        proved_loss(ApproxDP(1.0, 1e-3), 0.002, 1, Neighbours.REPLACE)


def test_one_failure_of_many_is_enough_to_refuse():
    with pytest.raises(NotImplied, match="with a failure of 1e-07"):
        proved_loss(ApproxDP(1.0, 1e-6), [0.01, 1e-7], 1, None)


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


def test_sides_may_be_an_integer_of_numpy():
    assert one_or_two(np.int64(2)) == 2


@pytest.mark.parametrize(("name", "ask"), [("prior", prior_array), ("failure", failure_array)])
def test_masked_numbers_are_not_known(name, ask):
    with pytest.raises(InvalidInput, match=f"{name} must have no masked values; got a masked array"):
        ask(np.ma.array([0.1, 0.2], mask=[False, True]))
    assert ask(np.ma.array([0.1, 0.2])).tolist() == [0.1, 0.2]
