"""The numbers behind the figures; the values themselves are checked with the published ones."""

from __future__ import annotations

import numpy as np
import pytest

from whit.errors import UnknownKey
from whit.plans import census_2020


@pytest.mark.parametrize("number", range(1, 16))
def test_every_figure_has_its_lines(number):
    lines = census_2020.figure(number, [0.1, 0.4])
    assert lines
    for line in lines:
        assert line.at == (0.1, 0.4)
        values = line.values.upper
        assert values.shape == (2,)
        # Power grows with the level, delta falls with epsilon.
        assert (values[1] >= values[0]) if line.axis == "level" else (values[1] <= values[0])


def test_a_figure_at_a_printed_rho_that_does_not_follow_is_drawn_twice():
    for number, lines in ((11, 2), (12, 2), (13, 2), (2, 3), (6, 5)):
        assert len(census_2020.figure(number, [0.1])) == lines
    printed, follows = census_2020.figure(12, [0.05])
    assert printed.printed
    assert not follows.printed
    assert follows.values.value[0] > printed.values.value[0]


def test_the_points_of_the_axis_are_those_of_the_figure_unless_others_are_given():
    [first, _] = census_2020.figure(10)
    assert first.at == census_2020.FIGURES[10].at
    assert np.all(np.diff(first.at) > 0)


def test_a_figure_that_is_not_there_is_refused():
    with pytest.raises(UnknownKey, match="a figure must be one of the paper's; got 16"):
        census_2020.figure(16)
