"""Earlier releases about the same people count."""

from __future__ import annotations

import pytest

from whit.curves import Curve
from whit.errors import InvalidInput
from whit.guarantees import PureDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, Laplace
from whit.policy import limits
from whit.policy.planned import earlier, together
from whit.policy.recommendation import recommend
from whit.setting import Neighbours

ADD = Neighbours.ADD_REMOVE


def test_promises_are_brought_to_one_relation_and_add_up():
    assert together(PureDP(0.25), [PureDP(0.5), PureDP(1.0)], ADD).promise == PureDP(1.75)
    both = together(PureDP(0.5, neighbours=Neighbours.REPLACE), [PureDP(0.25)], Neighbours.REPLACE)
    assert both.promise == PureDP(1.0, neighbours=Neighbours.REPLACE)


def test_mechanisms_compose_by_their_losses():
    both = together(Gaussian(4.0), [Gaussian(3.0)], ADD)
    assert both.loss(ADD).mu == pytest.approx((1 / 16 + 1 / 9) ** 0.5, rel=1e-15)


def test_a_mechanism_and_a_promise_compose_by_their_curves():
    both = together(Laplace(2.0), [PureDP(0.5)], ADD)
    assert isinstance(both, Curve)
    assert float(both.delta(1.0).upper) <= 1e-9
    assert float(both.delta(0.9).upper) > 1e-6


def test_nothing_spent_leaves_the_release_as_it_is():
    release = Gaussian(2.0)
    assert together(release, (), ADD) is release


def test_what_is_no_release_is_refused():
    with pytest.raises(InvalidInput, match="spent must be promises, mechanisms or curves; got 0.5"):
        earlier(0.5)


def test_what_is_left_is_the_rest_of_the_sum():
    limit = limits.ratio(2.0)
    whole = float(recommend(limit, PureDP).parameter)
    rest = float(recommend(limit, PureDP, spent=PureDP(0.5)).parameter)
    assert rest + 0.5 <= whole
    assert rest + 0.5 == pytest.approx(whole, rel=1e-11)


def test_rhos_that_were_spent_are_no_longer_there():
    limit = limits.difference(0.2)
    whole = float(recommend(limit, ZeroConcentratedDP, failure=0.01).parameter)
    rest = float(recommend(limit, ZeroConcentratedDP, failure=0.01, spent=[ZeroConcentratedDP(0.01)]).parameter)
    assert rest == pytest.approx(whole - 0.01, rel=1e-9)
