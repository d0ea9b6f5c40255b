"""`assess` of objects of other libraries."""

from __future__ import annotations

import pytest

import whit
from whit import Adversary, Neighbours, PureDP, assess
from whit.errors import InvalidInput, UnknownKey
from whit.exchange import learn
from whit.mechanisms import Gaussian
from whit.setting import Sensitivity

EVENT = {"class_name": "GaussianDpEvent", "noise_multiplier": 2.0}
NOISE = Gaussian(2.0, sensitivity=Sensitivity(add_remove=1.0, replace=2.0))
ASKED = {"failure": 0.01, "questions": ("posterior", "power")}


def posterior(promise, **more):
    return float(assess(promise, Adversary(prior=0.1), **ASKED, **more).posterior)


def test_where_neighbours_are_left_open_the_answer_holds_for_both():
    both = [posterior(NOISE, neighbours=each) for each in (Neighbours.ADD_REMOVE, Neighbours.REPLACE)]
    assert both[0] < both[1]
    assert posterior(EVENT) == both[1]
    assert posterior(EVENT, neighbours=Neighbours.ADD_REMOVE) == both[0]


def test_what_was_learned_and_the_accountant_say_it_themselves():
    assert posterior(learn(EVENT)) == posterior(EVENT)
    state = {"history": [(2.0, 1, 1)], "mechanism": "rdp"}
    assert posterior(state) == posterior(NOISE, neighbours=Neighbours.ADD_REMOVE)


def test_events_beside_promises_are_stacked():
    found = assess([EVENT, PureDP(1.0)], Adversary(prior=0.1), **ASKED).power
    assert found.value.tolist() == [float(assess(each, **ASKED).power) for each in (EVENT, PureDP(1.0))]


def test_promises_are_asked_as_ever():
    assert posterior(PureDP(1.0)) == float(whit.assessment.assess(PureDP(1.0), Adversary(prior=0.1), **ASKED).posterior)


@pytest.mark.parametrize("wrong", [3, None, "event", object(), [], [PureDP(1.0), 3], {"a": 1}])
def test_what_nobody_knows_is_no_promise(wrong):
    with pytest.raises(InvalidInput, match="promise must be a promise, a mechanism or a curve"):
        assess(wrong)


def test_what_is_wrong_inside_an_object_is_said_with_its_place():
    with pytest.raises(UnknownKey, match="the class of event"):
        assess({"class_name": "QuantumDpEvent"})
