"""Exact arithmetic on doubles."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.mechanisms.gaussian import quadratic_forms
from whit.numerics import square_root


@given(st.fractions(min_value=Fraction(1, 10**40), max_value=10**40))
def test_a_root_is_the_nearest_double(square: Fraction) -> None:
    exact = mpmath.sqrt(mpmath.mpf(square.numerator) / mpmath.mpf(square.denominator))
    root = square_root(square)
    assert abs(mpmath.mpf(root) - exact) <= abs(mpmath.mpf(np.nextafter(root, np.inf)) - exact)
    assert abs(mpmath.mpf(root) - exact) <= abs(mpmath.mpf(np.nextafter(root, 0.0)) - exact)


@pytest.mark.parametrize("power", [-1300, -400, 0, 400, 1000])
def test_a_root_of_any_size_is_a_positive_double(power: int) -> None:
    root = square_root(Fraction(3) * Fraction(4) ** power)
    if power < -600:
        assert root == 5e-324
    else:
        assert root == pytest.approx(3**0.5 * 2.0**power, rel=1e-15)


def test_a_form_is_exact() -> None:
    matrix = np.array([[2.0, 1.0], [1.0, 3.0]])
    forms, definite = quadratic_forms(matrix, [np.array([1.0, 0.0]), np.array([0.5, -1.0])])
    # The inverse is [[3, -1], [-1, 2]]/5.
    assert forms == [Fraction(3, 5), (Fraction(3, 4) + 1 + 2) / 5]
    assert definite


@pytest.mark.parametrize("matrix", [[[0.0]], [[1.0, 1.0], [1.0, 1.0]], [[1.0, 0.0], [0.0, -1.0]]])
def test_a_matrix_that_is_not_positive_definite_is_found(matrix: list[list[float]]) -> None:
    assert quadratic_forms(np.array(matrix), [np.ones(len(matrix))]) == ([], False)
