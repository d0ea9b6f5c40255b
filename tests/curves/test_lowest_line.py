"""The lowest line is looked for in a window that becomes smaller."""

from __future__ import annotations

import numpy as np

from whit.curves.lowest_line import _around_lowest


def test_the_lowest_point_of_a_parabola_lies_where_it_turns():
    t = np.linspace(-1.0, 1.0, 9)[None, :]
    low, threshold, high = _around_lowest(t, 2.0 + (t - 0.1) ** 2, np.array([-800.0]))
    assert low[0] < threshold[0] < high[0]
    assert abs(threshold[0] - 0.1) < 1e-12


def test_where_three_points_are_level_the_one_in_the_middle_is_taken():
    """A parabola through them turns nowhere; digits that are too few make them level close to the lowest line."""
    t = np.linspace(0.0, 1.0, 9)[None, :]
    low, threshold, high = _around_lowest(t, np.zeros((1, 9)), np.array([-800.0]))
    assert np.isfinite([low[0], high[0]]).all()
    assert threshold[0] == t[0, 1]
