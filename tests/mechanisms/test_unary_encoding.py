"""Unary encoding, from the probabilities of all its reports."""

from __future__ import annotations

import math
from itertools import product

import mpmath
import numpy as np
import pytest
from ends import middle

from whit.errors import InvalidInput
from whit.guarantees import PureDP
from whit.mechanisms import RandomizedResponse, UnaryEncoding
from whit.policy import limits, recommend
from whit.setting import Neighbours


def chances(epsilon: float, symmetric: bool) -> tuple[mpmath.mpf, mpmath.mpf]:
    """How likely a raised bit is told, and another one is raised."""
    e = mpmath.mpf(epsilon)
    if symmetric:
        return 1 / (1 + mpmath.exp(-e / 2)), 1 / (1 + mpmath.exp(e / 2))
    return mpmath.mpf(1) / 2, 1 / (1 + mpmath.exp(e))


def reports(epsilon: float, symmetric: bool, categories: int, truth: int) -> list[mpmath.mpf]:
    """The probability of every report."""
    p, q = chances(epsilon, symmetric)
    raised = [p if place == truth else q for place in range(categories)]
    return [
        mpmath.fprod(x if bit else 1 - x for x, bit in zip(raised, bits, strict=True))
        for bits in product((0, 1), repeat=categories)
    ]


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("epsilon", [1e-6, 0.3, 1.0, 4.0])
@pytest.mark.parametrize(("categories", "others"), [(2, (0, 1)), (4, (0, 3)), (4, (2, 1))])
def test_the_profile_is_that_of_all_reports(epsilon, symmetric, categories, others) -> None:
    p, q = (reports(epsilon, symmetric, categories, truth) for truth in others)
    found = UnaryEncoding(epsilon, symmetric=symmetric, categories=categories)
    for share in (-0.5, 0.0, 0.3, 0.99):
        at = share * epsilon
        truth = mpmath.fsum(max(a - mpmath.exp(at) * b, 0) for a, b in zip(p, q, strict=True))
        delta = found.loss().log_delta(at).exp()
        assert delta.lower <= truth <= delta.upper
        assert delta.upper - delta.lower <= 1e-12


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("epsilon", [1e-12, 1.0, 710.0, 1e4])
def test_the_largest_loss_is_epsilon_exactly(epsilon: float, symmetric: bool) -> None:
    found = UnaryEncoding(epsilon, symmetric=symmetric)
    assert float(found.epsilon(0.0).upper) == epsilon
    assert float(found.delta(epsilon).upper) == 0.0


def test_the_optimised_form_has_half_the_delta_of_randomized_response() -> None:
    at = np.array([0.0, 0.2, 0.9])
    half = middle(RandomizedResponse(1.3).delta(at)) / 2
    np.testing.assert_allclose(middle(UnaryEncoding(1.3).delta(at)), half, rtol=1e-14)


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 6.0])
def test_no_more_is_told_than_the_promise_allows(epsilon: float, symmetric: bool) -> None:
    levels = [1e-6, 0.05, 0.5, 0.9]
    told = UnaryEncoding(epsilon, symmetric=symmetric).power(levels)
    assert np.all(told.lower <= PureDP(epsilon).power(levels).upper)


def test_nothing_is_told_at_epsilon_zero() -> None:
    assert float(UnaryEncoding(0.0).delta(0.0).upper) == 0.0
    assert float(UnaryEncoding(0.0, symmetric=True, categories=3).probability_of_exact_answer()) == pytest.approx(1 / 8)


@pytest.mark.parametrize("symmetric", [False, True])
def test_bits_are_flipped_as_often_as_they_should_be(symmetric: bool) -> None:
    p, q = (float(x) for x in chances(1.5, symmetric))
    bits = UnaryEncoding(1.5, symmetric=symmetric, categories=3).sample(np.random.default_rng(3), 40_000, truth=1)
    assert bits.shape == (40_000, 3)
    np.testing.assert_allclose(bits.mean(axis=0), [q, p, q], atol=5 * math.sqrt(0.25 / 40_000))


def test_the_exact_report_is_as_likely_as_no_bit_flipped() -> None:
    p, q = chances(2.0, False)
    found = UnaryEncoding(2.0, categories=7).probability_of_exact_answer()
    assert found.lower <= p * (1 - q) ** 6 <= found.upper


def test_an_epsilon_is_recommended() -> None:
    """A test of a small level has e^epsilon times that as its power, as long as one report in four or so is enough."""
    found = recommend(limits.power(0.2, level=0.05), UnaryEncoding)
    assert float(found.parameter) == pytest.approx(math.log(4), rel=1e-6)
    assert float(found.parameter) <= mpmath.log(4)
    assert found.release == UnaryEncoding(float(found.parameter))


def test_only_reports_are_protected() -> None:
    assert UnaryEncoding(1.0).relations == (Neighbours.LOCAL, Neighbours.REPLACE)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"epsilon": -1.0}, "epsilon must be a finite number of at least 0; got -1.0. Use a number such as 1"),
        ({"epsilon": 1.0, "categories": 1}, "categories must be at least 2; got 1. Use 2 for yes or no"),
        ({"epsilon": 1.0, "symmetric": "yes"}, "symmetric must be True or False; got yes. Use False"),
    ],
)
def test_what_is_no_unary_encoding_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        UnaryEncoding(**arguments)
    with pytest.raises(InvalidInput, match="truth must be a whole number from 0 to 1; got 2"):
        UnaryEncoding(1.0).sample(np.random.default_rng(1), truth=2)
