"""Quantiles of whole-number noise."""

from __future__ import annotations

import numpy as np
import pytest

from whit.mechanisms.noise import whole_errors
from whit.theory import Direction


def log_beyond(b: np.ndarray) -> np.ndarray:
    """P[|noise| > b] = 2^-(b + 1)."""
    return -(b + 1) * np.log(2.0)


@pytest.mark.parametrize(("chance", "smallest"), [(0.0, 0.0), (0.4, 0.0), (0.6, 1.0), (0.76, 2.0), (1.0, np.inf)])
def test_the_smallest_error_is_found(chance: float, smallest: float) -> None:
    errors, _, direction = whole_errors(log_beyond, np.asarray(chance), 0.0)
    assert float(errors) == smallest
    assert direction is Direction.EXACTLY


def test_where_rounding_decides_the_larger_one_is_a_bound() -> None:
    errors, _, direction = whole_errors(log_beyond, np.array([0.5, 0.75, 0.8]), 0.0)
    assert errors.tolist() == [1.0, 2.0, 2.0]
    assert direction is Direction.AT_MOST
