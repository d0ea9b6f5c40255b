"""What promises have in common: questions, inputs, and the relation between datasets."""

from __future__ import annotations

import numpy as np
import pytest

from whit.errors import InvalidInput, NotImplied
from whit.guarantees import (
    ApproxDP,
    GaussianDP,
    ProbabilisticallyBoundedDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    compose,
)
from whit.setting import Neighbours
from whit.theory import Direction


def test_questions_and_parameters_have_different_names():
    promise = ApproxDP(1.0, 1e-6)
    assert (promise.stated_epsilon, promise.stated_delta) == (1.0, 1e-6)
    assert promise.parameters == {"epsilon": 1.0, "delta": 1e-6, "neighbours": Neighbours.ADD_REMOVE}
    assert float(promise.delta(1.0)) == pytest.approx(1e-6, rel=1e-12)
    assert float(promise.epsilon(0.01)) < 1.0


def test_an_answer_echoes_the_promise_and_the_question():
    found = GaussianDP(1.0).power([0.01, 0.05])
    assert found.inputs["promise"] == {"kind": "GaussianDP", "mu": 1.0, "neighbours": "ADD_REMOVE"}
    assert found.inputs["neighbours"] == "ADD_REMOVE"
    assert found.inputs["levels"] == [0.01, 0.05]
    assert found.direction is Direction.AT_MOST
    assert "gaussian-differential-privacy" in found.basis.theorems


def test_an_answer_names_the_theorems_it_rests_on():
    assert ZeroConcentratedDP(1.0).tail(2.0).basis.theorems == ("zcdp-tails",)
    assert "far-side" in PureDP(1.0).lower_tail(0.5).basis.theorems


def test_the_relation_is_shown_where_it_is_not_the_usual_one():
    assert repr(PureDP(1.0)) == "PureDP(epsilon=1.0)"
    assert repr(PureDP(1.0, neighbours=Neighbours.LOCAL)) == "PureDP(epsilon=1.0, neighbours=Neighbours.LOCAL)"


def test_from_one_relation_to_another():
    promise = ApproxDP(0.5, 0.0)
    assert promise.under(Neighbours.ADD_REMOVE) is promise
    assert promise.under(Neighbours.REPLACE) == ApproxDP(1.0, 0.0, neighbours=Neighbours.REPLACE)
    with pytest.raises(NotImplied, match="a promise under local does not follow from one under add-remove"):
        promise.under(Neighbours.LOCAL)


@pytest.mark.parametrize("neighbours", [[], {}, set(), np.zeros(2), "replace"], ids=repr)
def test_what_is_no_relation_is_refused(neighbours):
    with pytest.raises(InvalidInput, match="neighbours must be one of Neighbours"):
        PureDP(1.0).under(neighbours)
    with pytest.raises(InvalidInput, match="neighbours must be one of Neighbours"):
        PureDP(1.0, neighbours=neighbours)


def test_no_relation_is_the_own_one_of_a_question_but_none_of_a_promise():
    assert PureDP(1.0).under(None) == PureDP(1.0)
    with pytest.raises(InvalidInput, match="neighbours must be one of Neighbours; got None"):
        PureDP(1.0, neighbours=None)


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize(
    "promise",
    [
        PureDP(1.0),
        ApproxDP(1.0, 1e-6),
        GaussianDP(0.7),
        ZeroConcentratedDP(0.1),
        RenyiDP({2: 0.1, 32: 1.6}),
        ProbabilisticDP(1.0, 1e-3),
        ProbabilisticallyBoundedDP(1.0, 1e-3),
    ],
    ids=lambda promise: type(promise).__name__,
)
def test_the_chances_of_a_search_are_those_of_the_answer(promise, sides):
    losses = np.array([0.0, 0.3, 1.0, 2.5, np.inf])
    for neighbours in (None, Neighbours.ADD_REMOVE):
        asked = {"sides": sides, "neighbours": neighbours}
        assert promise.chances_beyond(losses, **asked).tolist() == promise.beyond(losses, **asked).value.tolist()


@pytest.mark.parametrize("promise", [PureDP(1e308), ZeroConcentratedDP(1e308), GaussianDP(1e308), ApproxDP(1e308, 0.1)])
def test_what_is_too_large_together_is_said_of_all_together_and_not_of_one(promise):
    [name] = {"epsilon", "rho", "mu"} & set(promise.parameters)
    held = rf"^{name} of all together must be a number that a double holds; got more\. Use fewer releases"
    for together in (lambda: promise.times(1000), lambda: compose(*4 * [promise]), lambda: promise.group(1000)):
        with pytest.raises(InvalidInput, match=held):
            together()
