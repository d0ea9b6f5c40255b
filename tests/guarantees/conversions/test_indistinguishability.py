"""The lemmas of Kasiviswanathan and Smith on random pairs; their published numbers are tested elsewhere."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pairs import Vectors, finite_pairs

from whit.errors import Incompatible, InvalidInput
from whit.guarantees.conversions import (
    conditioning_failure,
    delta_with_exceptions,
    pointwise_failure,
    pointwise_failure_tight,
    total_variation,
    total_variation_tight,
)


@given(finite_pairs(5), st.floats(0.01, 3.0))
def test_the_lemmas_hold(vectors: Vectors, epsilon: float) -> None:
    p, q = vectors
    delta = max(np.maximum(p - math.exp(epsilon) * q, 0).sum(), np.maximum(q - math.exp(epsilon) * p, 0).sum())
    delta = min(delta, 1.0)
    outside = (p > math.exp(2 * epsilon) * q * (1 + 1e-12)) | (q > math.exp(2 * epsilon) * p * (1 + 1e-12))
    tight = float(pointwise_failure_tight.kernel(epsilon, delta))
    assert p[outside].sum() <= tight * (1 + 1e-9) + 1e-12
    assert tight <= float(pointwise_failure.kernel(epsilon, delta)) * (1 + 1e-12)
    distance = np.abs(p - q).sum() / 2
    assert distance <= float(total_variation_tight(epsilon, delta)) + 1e-12
    assert float(total_variation_tight.kernel(epsilon, delta)) <= float(total_variation.kernel(epsilon, delta)) + 1e-12


def test_exceptions_add_up() -> None:
    assert float(delta_with_exceptions(0.01, 0.02)) == pytest.approx(0.03, rel=1e-14)


def test_bad_input_is_refused() -> None:
    with pytest.raises(InvalidInput, match="epsilon must be finite and above 0; got 0.0"):
        pointwise_failure(0.0, 0.1)
    with pytest.raises(InvalidInput, match="conditional_delta must be above 0; got 0.0"):
        conditioning_failure(1.0, 0.1, 0.0)


@pytest.mark.parametrize("ask", [total_variation, total_variation_tight, pointwise_failure])
def test_shapes_that_do_not_go_together_are_refused_in_a_sentence(ask):
    with pytest.raises(Incompatible, match=r"epsilon and delta must have shapes that go together"):
        ask([0.1, 0.2], [0.1, 0.2, 0.3])


def test_a_third_shape_must_go_with_the_others_too():
    with pytest.raises(Incompatible, match=r"delta and conditional_delta must have shapes that go together"):
        conditioning_failure([0.1, 0.2], 0.01, [0.1, 0.2, 0.3])
