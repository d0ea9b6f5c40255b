"""The search for a free parameter."""

from __future__ import annotations

import math

import pytest

from whit.guarantees.conversions.step import least_over_log


def test_the_least_value_is_found_beside_a_wall() -> None:
    """Infinite below 3, and least at 3.5."""
    found = least_over_log(lambda x: math.inf if x <= 3.0 else (x - 3.5) ** 2)
    assert found == pytest.approx(3.5, rel=1e-6)
