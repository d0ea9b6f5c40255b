"""Chances of failure and numbers of sides are what they say, or are refused."""

from __future__ import annotations

import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.setting import failures, one_failure, one_or_two


def test_sides_may_be_an_integer_of_numpy():
    assert one_or_two(np.int64(2)) == 2


@pytest.mark.parametrize("sides", [np.array([1, 2]), np.array([1]), [1], None, True, 1.0, "1", 0, 3], ids=repr)
def test_what_is_not_one_side_or_two_is_refused(sides):
    with pytest.raises(InvalidInput, match="sides must be 1 or 2"):
        one_or_two(sides)


def test_failures_include_never_and_always():
    assert failures([0.0, 1.0]).tolist() == [0.0, 1.0]
    assert [one_failure(each) for each in (0, 1.0, 0.01)] == [0.0, 1.0, 0.01]


@pytest.mark.parametrize("failure", [-0.1, 1.5, float("nan"), None, "x"], ids=repr)
def test_what_is_no_chance_is_refused(failure):
    for ask in (failures, one_failure):
        with pytest.raises(InvalidInput, match="failure must be"):
            ask(failure)


def test_masked_failures_are_not_known():
    with pytest.raises(InvalidInput, match="failure must have no masked values; got a masked array"):
        failures(np.ma.array([0.1, 0.2], mask=[False, True]))
    assert failures(np.ma.array([0.1, 0.2])).tolist() == [0.1, 0.2]
