"""Copies, compositions and processing of any mechanism."""

from __future__ import annotations

import math

import numpy as np
import pytest
from ends import middle

from whit.curves import FinitePair, GaussianLoss, Order
from whit.errors import Incompatible, InvalidInput, NotImplied
from whit.guarantees import PureDP
from whit.mechanisms import (
    Composed,
    DiscreteGaussian,
    Finite,
    Gaussian,
    Geometric,
    Laplace,
    PostProcessed,
    RandomizedResponse,
    SimpleRandomSample,
    Together,
    compose,
)
from whit.setting import Neighbours, Sensitivity
from whit.theory import Direction, Finding

EPSILONS = [0.0, 0.3, 1.0, 2.5]


def test_copies_add_up_their_losses() -> None:
    """Three reports are the product of three pairs of vectors."""
    truth = math.e / (1 + math.e)
    p, q = np.array([truth, 1 - truth]), np.array([1 - truth, truth])
    three = [np.multiply.outer(np.multiply.outer(v, v), v).ravel() for v in (p, q)]
    copies = RandomizedResponse(1.0).times(3)
    np.testing.assert_allclose(middle(copies.delta(EPSILONS)), middle(Finite(*three).delta(EPSILONS)), atol=1e-14)


def test_many_copies_cost_no_more_than_few() -> None:
    loss = Gaussian(1000.0).times(10**6).loss()
    assert loss == GaussianLoss(1.0, rounded=True)  # 0.001 is the double next to the mu of one
    report = RandomizedResponse(0.05).times(1000)
    assert float(middle(report.delta(1.0))) == pytest.approx(0.3523091152744320835722652, rel=1e-9)


def test_more_releases_are_never_less_risk() -> None:
    deltas = [float(Geometric(0.3).times(k).delta(0.5).upper) for k in (1, 2, 5, 20)]
    assert deltas == sorted(deltas)
    assert float(middle(compose(Laplace(1.0)).delta(0.5))) == float(middle(Laplace(1.0).delta(0.5)))


@pytest.mark.parametrize("count", [0, -1, 2.5])
def test_a_number_of_copies_is_a_whole_number(count: float) -> None:
    with pytest.raises(
        InvalidInput, match="count must be a whole number of at least 1; got .* Use the number of releases"
    ):
        Gaussian(1.0).times(count)


@pytest.mark.parametrize("mechanism", [Laplace(2.0), Gaussian(1.0), Geometric(1.0), DiscreteGaussian(2.0)], ids=repr)
def test_processing_keeps_the_curve_as_an_upper_bound(mechanism) -> None:
    after = mechanism.then("rounded to multiples of 5")
    assert isinstance(after, PostProcessed)
    curve = after.curve()
    assert (curve.direction, curve.order) == (Direction.AT_MOST, Order.PROFILE)
    np.testing.assert_array_equal(after.delta(EPSILONS).value, mechanism.delta(EPSILONS).upper)
    assert "post-processing" in curve.basis.theorems
    with pytest.raises(NotImplied, match="the loss after processing is not known"):
        after.loss()


def test_rounding_a_geometric_count_is_indeed_below_the_bound() -> None:
    """Whether the noisy count is at least 1, computed directly, against the curve of the count."""
    epsilon = 0.8
    a = math.exp(-epsilon)
    p, q = [1 / (1 + a), a / (1 + a)], [a / (1 + a), 1 / (1 + a)]
    after = Geometric(epsilon).then("whether it is at least 1")
    assert np.all(Finite(p, q).delta(EPSILONS).lower <= after.delta(EPSILONS).value)


def test_a_step_without_words_is_refused() -> None:
    with pytest.raises(InvalidInput, match="step must say in words what is done; got ' '. Pass a mechanism"):
        Laplace(1.0).then(" ")
    with pytest.raises(InvalidInput, match="mechanism must be a mechanism; got 1.0. Pass a mechanism"):
        PostProcessed(1.0, "cut")


# Several mechanisms together


def test_different_mechanisms_compose() -> None:
    both = compose(Geometric(0.5), RandomizedResponse(0.5))
    assert both.relations == (Neighbours.REPLACE, Neighbours.LOCAL)
    loss = both.loss()
    assert isinstance(loss, FinitePair)
    np.testing.assert_allclose(loss.losses, [-1.0, 0.0, 1.0], atol=1e-15)


def test_compositions_of_compositions_are_flat() -> None:
    inner = Gaussian(2.0).times(3)
    assert compose(inner, Gaussian(1.0)) == Composed((Gaussian(2.0), 3), (Gaussian(1.0), 1))
    assert inner.times(2).loss().mu == pytest.approx(math.sqrt(6) / 2, rel=1e-15)


def test_what_has_no_relation_in_common_is_refused() -> None:
    with pytest.raises(Incompatible, match="mechanisms must be known under a common relation between datasets; got"):
        compose(Finite([1.0], [1.0]), RandomizedResponse(1.0))


def test_nothing_cannot_be_composed() -> None:
    with pytest.raises(InvalidInput, match=r"mechanisms must be at least one; got \(\). Pass mechanisms"):
        compose()


def test_promises_are_composed_by_their_own_rule() -> None:
    both = compose(PureDP(1.0), PureDP(0.5))
    assert both.promise == PureDP(1.5)
    assert both.theorem == "basic-composition"


def test_mechanisms_and_promises_compose_by_pairs_that_dominate_them() -> None:
    assert compose(Gaussian(1.0), PureDP(1.0)) == Together(((Gaussian(1.0), 1), (PureDP(1.0), 1)))


# How a mechanism answers: by its curve, with itself among the inputs


MECHANISM = Laplace(2.0, sensitivity=Sensitivity(add_remove=1, replace=2))


@pytest.mark.parametrize(
    ("question", "argument", "name"),
    [
        ("delta", 0.1, "epsilons"),
        ("epsilon", 0.1, "deltas"),
        ("power", 0.1, "levels"),
        ("log_power", -3.0, "log_levels"),
        ("tail", 0.1, "losses"),
    ],
)
def test_a_question_is_put_to_the_curve_of_the_relation(question: str, argument: float, name: str) -> None:
    for relation in (Neighbours.ADD_REMOVE, Neighbours.REPLACE):
        answer = getattr(MECHANISM, question)(argument, neighbours=relation)
        assert answer.direction is Direction.EXACTLY
        assert answer.lower <= answer.upper
        assert float(answer) == float(getattr(MECHANISM.curve(relation), question)(argument))
        assert answer.inputs[name] == argument
        assert answer.inputs["neighbours"] == relation.name
        assert answer.inputs["promise"] == MECHANISM.to_dict() | {"sensitivity": MECHANISM.sensitivity.to_dict()}
        assert "curve" not in answer.inputs
    assert float(getattr(MECHANISM, question)(argument)) == float(getattr(MECHANISM.curve(), question)(argument))


def test_an_answer_survives_being_written_and_read() -> None:
    delta = MECHANISM.delta([0.1, 0.2])
    assert Finding.from_json(delta.to_json()) == delta
    deviation = MECHANISM.standard_deviation()
    assert Finding.from_json(deviation.to_json()) == deviation


def test_the_first_relation_is_taken_if_none_is_named() -> None:
    assert MECHANISM.relation() is Neighbours.ADD_REMOVE
    assert RandomizedResponse(1.0).relation() is Neighbours.LOCAL


def test_what_is_no_number_has_no_error() -> None:
    with pytest.raises(NotImplied, match="the standard deviation of the noise is not defined for .* Ask a mechanism"):
        SimpleRandomSample(1, 2).standard_deviation()


def test_the_error_of_the_noise_names_its_share() -> None:
    assert str(Gaussian(1.0).error_quantile(0.95)) == "error of the noise in 95 % of cases is 1.96 (rounded up)"
    assert str(DiscreteGaussian(40.0).error_quantile(0.9)).startswith("error of the noise in 90 % of cases is")
    assert "a share" in str(Gaussian(1.0).error_quantile([0.9, 0.95]))
