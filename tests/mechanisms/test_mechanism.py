"""Copies, compositions and processing of any mechanism."""

from __future__ import annotations

import math

import numpy as np
import pytest
from ends import middle

from whit.curves import GaussianLoss, Order
from whit.errors import InvalidInput, NotImplied
from whit.mechanisms import (
    DiscreteGaussian,
    Finite,
    Gaussian,
    Geometric,
    Laplace,
    PostProcessed,
    RandomizedResponse,
    compose,
)
from whit.theory import Direction

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
    assert loss == GaussianLoss(1.0)
    report = RandomizedResponse(0.05).times(1000)
    assert float(middle(report.delta(1.0))) == pytest.approx(0.3523091152744320835722652, rel=1e-9)


def test_more_releases_are_never_less_risk() -> None:
    deltas = [float(Geometric(0.3).times(k).delta(0.5).upper) for k in (1, 2, 5, 20)]
    assert deltas == sorted(deltas)
    assert float(middle(compose(Laplace(1.0)).delta(0.5))) == float(middle(Laplace(1.0).delta(0.5)))


@pytest.mark.parametrize("count", [0, -1, 2.5])
def test_a_number_of_copies_is_a_whole_number(count: float) -> None:
    with pytest.raises(
        InvalidInput, match="count must be a whole number of at least 1; got .* Use the number of times"
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
