"""Randomized response, from its table of probabilities."""

from __future__ import annotations

import math

import numpy as np
import pytest
import referee
from ends import middle
from hypothesis import given, settings
from hypothesis import strategies as st

from whit.curves import FinitePair
from whit.errors import InvalidInput, TooCostly
from whit.mechanisms import Kernel, RandomizedResponse
from whit.setting import Neighbours


@settings(max_examples=40)
@given(st.floats(0.01, 6.0), st.integers(2, 6), st.floats(-1.2, 1.2))
def test_the_loss_is_that_of_two_rows_of_the_table(epsilon: float, categories: int, share: float) -> None:
    odds = math.exp(epsilon)
    p = [odds / (odds + categories - 1)] + [1 / (odds + categories - 1)] * (categories - 1)
    q = [p[1], p[0], *p[2:]]
    delta = RandomizedResponse(epsilon, categories=categories).loss().log_delta(share * epsilon).exp()
    assert float(middle(delta)) == pytest.approx(float(referee.delta(p, q, share * epsilon)), abs=1e-14)


@pytest.mark.parametrize("epsilon", [1e-12, 1.0, 710.0, 1e4])
def test_the_largest_loss_is_epsilon_exactly(epsilon: float) -> None:
    mechanism = RandomizedResponse(epsilon, categories=3)
    assert float(mechanism.epsilon(0.0).upper) == epsilon
    assert float(mechanism.delta(epsilon).upper) == 0.0


def test_two_categories_have_the_trade_off_of_pure_privacy() -> None:
    """KAA22, Table 1: at level a the power is e^epsilon a, up to the corner."""
    assert float(middle(RandomizedResponse(0.5).power(0.05))) == pytest.approx(0.05 * math.exp(0.5), rel=1e-14)


def test_the_kernel_is_a_table_of_probabilities_with_the_same_curve() -> None:
    mechanism = RandomizedResponse(1.0, categories=4)
    kernel = mechanism.kernel()
    epsilons = [0.0, 0.3, 0.9]
    np.testing.assert_allclose(middle(kernel.delta(epsilons)), middle(mechanism.delta(epsilons)), rtol=1e-13)
    assert kernel.neighbours is Neighbours.LOCAL


def test_merging_categories_makes_a_coarser_report() -> None:
    merged = RandomizedResponse(1.0, categories=3).then([[1, 0], [0, 1], [0, 1]])
    assert isinstance(merged, Kernel)
    odds = math.e / (math.e + 2)
    assert merged.matrix[0] == pytest.approx((odds, 1 - odds))
    before = RandomizedResponse(1.0, categories=3).delta([0.0, 0.5, 0.9])
    assert np.all(merged.delta([0.0, 0.5, 0.9]).lower <= before.upper)


def test_no_privacy_loss_at_epsilon_zero() -> None:
    loss = RandomizedResponse(0.0, categories=3).loss()
    assert isinstance(loss, FinitePair)
    assert loss.losses.tolist() == [0.0]
    assert middle(RandomizedResponse(0.0, categories=4).probability_of_exact_answer()) == 0.25


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"epsilon": -1.0}, "epsilon must be a finite number of at least 0; got -1.0. Use a number such as 1"),
        ({"epsilon": 1.0, "categories": 1}, "categories must be at least 2; got 1. Use 2 for a yes-or-no question"),
        ({"epsilon": 1.0, "categories": 2.5}, "categories must be a whole number of at least 1; got 2.5. Use 2"),
    ],
)
def test_what_is_no_randomized_response_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        RandomizedResponse(**arguments)


def test_a_table_that_doubles_cannot_hold_is_refused() -> None:
    with pytest.raises(
        TooCostly, match="the table of probabilities is only made up to epsilon 700 .* Ask the mechanism"
    ):
        RandomizedResponse(710.0).kernel()
    with pytest.raises(InvalidInput, match="truth must be a whole number from 0 to 1; got 2. Use 0"):
        RandomizedResponse(1.0).sample(np.random.default_rng(0), truth=2)
