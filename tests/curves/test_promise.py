"""What every promise offers: questions under a relation, a rule by which it adds up, and a tree of its parameters."""

from __future__ import annotations

import numpy as np
import pytest

from whit.curves import Curve, FinitePair, GaussianLoss, OwnComposition, Promise, require_promise
from whit.errors import InvalidInput, NotImplied
from whit.guarantees import ApproxDP, GaussianDP, ProbabilisticDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, Geometric, Laplace, RandomizedResponse
from whit.setting import Neighbours, Sensitivity

ADD_REMOVE, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE
COUNTED = Sensitivity(add_remove=1, replace=2)

PROMISES = [PureDP(0.1), ApproxDP(0.1, 1e-6), ProbabilisticDP(0.1, 1e-6), ZeroConcentratedDP(0.01), GaussianDP(0.1)]


@pytest.mark.parametrize("promised", [*PROMISES, RenyiDP({2.0: 0.1}), Gaussian(10.0)], ids=repr)
def test_the_own_rule_is_times(promised):
    assert OwnComposition()(promised, 12) == promised.times(12)


@pytest.mark.parametrize(
    ("promised", "key"),
    [
        (PureDP(0.1), "basic-composition"),
        (ApproxDP(0.1, 1e-6), "basic-composition"),
        (ZeroConcentratedDP(0.01), "zcdp-composition"),
        (GaussianDP(0.1), "gaussian-composition"),
        (RenyiDP({2.0: 0.1}), "renyi-composition"),
        (Gaussian(10.0), "losses-add"),
    ],
)
def test_the_own_rule_rests_on_the_theorem_of_its_promise(promised, key):
    assert key in OwnComposition().basis(promised).theorems


def test_a_curve_adds_up_too():
    together = OwnComposition()(Curve.exact(GaussianLoss(0.5)), 16)
    assert isinstance(together, Curve)
    assert float(together.delta(1.0).upper) == pytest.approx(float(Gaussian(0.5).delta(1.0).upper), rel=1e-9)


# Questions under a relation

UNDER = [PureDP(0.3), ApproxDP(0.3, 1e-6), GaussianDP(0.5), ZeroConcentratedDP(0.1), Gaussian(2.0, sensitivity=COUNTED)]
UNDER += [Laplace(2.0, sensitivity=COUNTED), Geometric(0.3, sensitivity=COUNTED)]
ASKED = {
    "delta": 0.2,
    "log_delta": 0.2,
    "epsilon": 1e-3,
    "power": 0.05,
    "log_power": -3.0,
    "tail": 0.2,
    "lower_tail": 2.0,
    "two_sided_tail": 2.0,
    "bounded_epsilon": 0.1,
    "bounded_delta": 0.2,
    "beyond": 0.2,
}
each_question = pytest.mark.parametrize("question", ASKED)


@each_question
@pytest.mark.parametrize("promise", UNDER, ids=lambda promise: type(promise).__name__)
def test_a_question_names_its_relation_and_replacing_is_not_less_than_removing(promise, question):
    ask = getattr(promise, question)
    own, same, wider = (
        ask(ASKED[question], **named) for named in ({}, {"neighbours": ADD_REMOVE}, {"neighbours": REPLACE})
    )
    assert own == same
    # Some losses never fall so far under either relation.
    assert float(own) < float(wider) or float(own) == float(wider) == 0.0
    assert [each.inputs["neighbours"] for each in (own, wider) if question != "beyond"] in (
        [],
        ["ADD_REMOVE", "REPLACE"],
    )


@each_question
def test_replacing_a_record_of_a_guarantee_is_a_group_of_two(question):
    for promise in (PureDP(0.3), GaussianDP(0.5)):
        wider = getattr(promise, question)(ASKED[question], neighbours=REPLACE)
        assert wider.value == getattr(promise.group(2), question)(ASKED[question]).value


@each_question
def test_a_curve_answers_the_same_whichever_relation_is_named(question):
    curve = Gaussian(2.0).curve()
    answers = [getattr(curve, question)(ASKED[question], neighbours=each) for each in (None, *Neighbours)]
    assert len({float(answer) for answer in answers}) == 1
    assert float(answers[0]) == float(getattr(Gaussian(2.0), question)(ASKED[question]))


@pytest.mark.parametrize("promise", [PureDP(1.0), RandomizedResponse(1.0), Curve.exact(GaussianLoss(1.0))], ids=repr)
def test_what_is_no_relation_is_refused(promise):
    with pytest.raises(InvalidInput, match="neighbours must be one of Neighbours; got replace"):
        promise.delta(1.0, neighbours="replace")


def test_a_relation_under_which_nothing_is_known_is_refused():
    with pytest.raises(NotImplied, match="the privacy loss is not known under the neighbours add-remove"):
        RandomizedResponse(1.0).delta(0.5, neighbours=ADD_REMOVE)
    with pytest.raises(NotImplied, match="a promise under local does not follow"):
        PureDP(1.0).delta(0.5, neighbours=Neighbours.LOCAL)


def test_the_relation_of_a_question():
    assert PureDP(1.0).relation() is Gaussian(1.0).relation() is ADD_REMOVE
    assert PureDP(1.0, neighbours=Neighbours.LOCAL).relation() is RandomizedResponse(1.0).relation() is Neighbours.LOCAL
    assert Gaussian(1.0).curve().relation() is None
    assert Gaussian(1.0).curve().relation(REPLACE) is REPLACE


# What it is


@pytest.mark.parametrize("promise", [*PROMISES, Gaussian(1.0), Gaussian(1.0).curve()], ids=repr)
def test_guarantees_mechanisms_and_curves_are_promises(promise):
    assert isinstance(promise, Promise)
    assert require_promise(promise) is promise


@pytest.mark.parametrize("nonsense", ["PureDP", None, 1.0, PureDP])
def test_what_is_no_promise_is_refused(nonsense):
    with pytest.raises(InvalidInput, match="promise must be a promise, a mechanism or a curve; got .*Pass a promise"):
        require_promise(nonsense)
    with pytest.raises(InvalidInput, match="promise must be a promise, a mechanism or a curve; got .*Pass a promise"):
        OwnComposition()(nonsense, 2)


def test_a_group_of_records_is_not_asked_of_a_bare_curve():
    with pytest.raises(NotImplied, match="a promise to a group does not follow from a curve"):
        Gaussian(1.0).curve().group(2)


def test_only_what_is_known_exactly_is_exact():
    exact = {type(each).__name__: each.is_exact for each in (PureDP(1.0), Gaussian(1.0), Gaussian(1.0).curve())}
    assert exact == {"PureDP": False, "Gaussian": True, "Curve": True}
    assert not Gaussian(1.0).curve().by_profile().is_exact


def test_a_promise_as_a_tree_is_its_kind_and_its_parameters():
    assert ApproxDP(1.0, 1e-6).to_dict() == {
        "kind": "ApproxDP",
        "epsilon": 1.0,
        "delta": 1e-6,
        "neighbours": ADD_REMOVE,
    }
    assert Geometric(0.5).to_dict() == {"kind": "Geometric", "epsilon": 0.5, "sensitivity": Sensitivity.count()}
    curve = Curve.exact(FinitePair.of([0.5, 0.5], [0.25, 0.75]))
    assert curve.to_dict()["kind"] == "Curve"


def test_mixing_keeps_a_bound_on_the_profile():
    noise = Gaussian(1.0)
    mixed = noise.mixed()
    assert float(mixed.delta(1.0)) == float(noise.delta(1.0))
    with pytest.raises(NotImplied, match="the tail of the privacy loss cannot be read off"):
        mixed.tail(1.0)
    assert PureDP(1.0).mixed() == PureDP(1.0)
    assert np.all(mixed.beyond([0.5, 1.0]).value >= noise.tail([0.5, 1.0]).value)
