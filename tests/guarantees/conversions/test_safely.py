"""Rounding to the safe side, and the search for a free parameter."""

from __future__ import annotations

import math

import numpy as np
import pytest

from whit.guarantees.conversions.safely import exp_up, least_over_log, log_one_minus_ratio, raised


def test_numbers_are_raised_but_zero_is_exact() -> None:
    assert raised([0.0, 1.0, np.inf]).tolist() == [0.0, 1.0 + 16 * 2.0**-52, np.inf]


def test_no_probability_vanishes() -> None:
    assert exp_up([-np.inf, 0.0]).tolist() == [0.0, 1.0]
    assert float(exp_up(-1e5)) > 0.0


def test_the_log_of_a_difference_does_not_cancel() -> None:
    assert float(log_one_minus_ratio(1e-20, 1.0)) == -1e-20
    assert float(log_one_minus_ratio(1.0 - 2.0**-53, 1.0)) == pytest.approx(-53 * math.log(2.0), rel=1e-14)
    assert float(log_one_minus_ratio(0.0, 0.0)) == 0.0


def test_the_least_value_is_found_beside_a_wall() -> None:
    """Infinite below 3, and least at 3.5."""
    found = least_over_log(lambda x: math.inf if x <= 3.0 else (x - 3.5) ** 2)
    assert found == pytest.approx(3.5, rel=1e-6)
