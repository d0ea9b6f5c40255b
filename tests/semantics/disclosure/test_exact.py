"""The exact risk of finite mechanisms against rational arithmetic."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import InvalidInput
from whit.semantics.disclosure import exact_risk, largest_exact_risk

weights = st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(any)


def law(numbers: list[int]) -> list[float]:
    return [number / sum(numbers) for number in numbers]


@given(weights, weights, weights, st.floats(0, 1), st.floats(0, 1))
def test_bayes_rule_in_rational_arithmetic(a: list[int], b: list[int], c: list[int], p: float, q: float) -> None:
    laws = [law(x) for x in (a, b, c)]
    found = exact_risk(*laws, inclusion=p, value=q)
    P, Q = Fraction(p), Fraction(q)
    for outcome in range(4):
        absent, inside, outside = (Fraction(row[outcome]) for row in laws)
        expected = P * Q * inside + P * (1 - Q) * outside + (1 - P) * absent
        if inside == 0:
            assert found.value[outcome] == 0.0
        elif expected == 0:
            assert np.isinf(found.value[outcome])
        elif (truth := inside / expected) < 10**300:
            assert Fraction(float(found.lower[outcome])) <= truth <= Fraction(float(found.upper[outcome]))


def test_the_largest_is_the_largest() -> None:
    laws = [[0.2, 0.3, 0.5], [0.6, 0.2, 0.2], [0.1, 0.1, 0.8]]
    each = exact_risk(*laws, inclusion=0.4, value=0.25)
    assert float(largest_exact_risk(*laws, inclusion=0.4, value=0.25)) == np.max(each.value)


def test_the_mean_of_the_posterior_is_the_prior() -> None:
    a, b, c = np.array([0.2, 0.3, 0.5]), np.array([0.6, 0.2, 0.2]), np.array([0.1, 0.1, 0.8])
    p, q = 0.4, 0.25
    expected = p * q * b + p * (1 - q) * c + (1 - p) * a
    assert (exact_risk(a, b, c, inclusion=p, value=q).value * expected).sum() == pytest.approx(1.0, rel=1e-14)


def test_laws_of_different_lengths_are_refused() -> None:
    with pytest.raises(InvalidInput, match="the three laws must have the same number of outcomes"):
        exact_risk([0.5, 0.5], [1.0], [0.5, 0.5], inclusion=0.5, value=0.5)
    with pytest.raises(InvalidInput, match="inside must be a list of probabilities with sum 1"):
        exact_risk([0.5, 0.5], [0.5, 0.6], [0.5, 0.5], inclusion=0.5, value=0.5)
    with pytest.raises(InvalidInput, match="inclusion must be a probability"):
        exact_risk([0.5, 0.5], [0.5, 0.5], [0.5, 0.5], inclusion=2, value=0.5)
