"""The noise that is found keeps the limit, and hardly less would."""

from __future__ import annotations

import numpy as np
import pytest

from whit.errors import Unreachable
from whit.persuasion import Totals, least_noise, linear_release
from whit.theory import Direction


@pytest.mark.parametrize("limit", [9.0, 12.0, 25.0])
def test_the_noise_keeps_the_limit_and_a_little_less_does_not(limit):
    table, ones = Totals([0, 0, 0, 1, 2]), np.ones(5)
    found = least_noise(table, ones, limit, reach=2.0, delta=1e-2)
    sigma = float(found)
    assert found.direction is Direction.AT_MOST
    assert linear_release(table, ones, noise=sigma**2).kappa_within(2.0, 1e-2).value.max() <= limit
    assert linear_release(table, ones, noise=(0.98 * sigma) ** 2).kappa_within(2.0, 1e-2).value.max() > limit


def test_where_none_is_needed_none_is_added():
    found = least_noise(Totals([0] * 10), np.ones(10), 5.0, reach=4.0, delta=0.0)
    assert float(found) == 0.0


def test_a_limit_that_no_noise_keeps_is_refused():
    with pytest.raises(Unreachable, match="the limit must be one that some noise keeps; got 1.0"):
        least_noise(Totals([0, 1]), np.ones(2), 1.0, reach=4.0, delta=1e-6)


@pytest.mark.parametrize("unit", [1e-100, 1e100, 1e140])
def test_the_noise_is_in_the_unit_of_the_records_without_overflow(unit):
    rows = [[1.0, 0.0], [1.0, 1.0]]
    one = float(least_noise(rows, [1.0, 1.0], 20.0, reach=4.0, delta=1e-3))
    found = float(least_noise(rows, [unit**2, unit**2], 20.0, reach=4.0, delta=1e-3))
    assert found == pytest.approx(one * unit, rel=1e-6)


def test_a_prior_close_to_the_end_of_the_doubles_gives_a_sentence():
    with pytest.raises(Unreachable, match="the limit must be one that some noise keeps"):
        least_noise([[1.0, 1.0]], [1e300, 1.0], 5.0, reach=1.0, delta=0.01)
