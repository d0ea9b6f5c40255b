from __future__ import annotations

import math

import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.theory import Direction, Quantity, Unit


def test_a_quantity_is_a_value():
    assert Quantity("power", Unit.PROBABILITY) == Quantity("power", Unit.PROBABILITY)
    assert Quantity("power", Unit.PROBABILITY) != Quantity("power", Unit.NUMBER)


@pytest.mark.parametrize("name", ["", "  ", 0, None, ["power"]])
def test_a_quantity_without_a_name_is_refused(name):
    with pytest.raises(InvalidInput, match="the name of a quantity must be a text that a sentence can begin with"):
        Quantity(name, Unit.NUMBER)


def test_a_quantity_without_a_unit_is_refused():
    with pytest.raises(InvalidInput, match="must be a Unit; got percent. Use Unit.PROBABILITY"):
        Quantity("power", "percent")


def test_more_is_worse_unless_it_is_an_allowance():
    assert not Quantity("power", Unit.PROBABILITY).less_is_worse
    assert Quantity("epsilon", Unit.NUMBER, less_is_worse=True) != Quantity("epsilon", Unit.NUMBER)


def test_units_know_their_ends():
    assert (Unit.PROBABILITY.floor, Unit.PROBABILITY.ceiling) == (0.0, 1.0)
    assert (Unit.NUMBER.floor, Unit.NUMBER.ceiling) == (-math.inf, math.inf)


@pytest.mark.parametrize(
    ("direction", "cut"),
    [
        (Direction.AT_MOST, [-0.5, 0.5, 1.0]),
        (Direction.AT_LEAST, [0.0, 0.5, 1.5]),
        (Direction.EXACTLY, [-0.5, 0.5, 1.5]),
        (Direction.ABOUT, [-0.5, 0.5, 1.5]),
    ],
)
def test_a_bound_is_cut_at_its_own_end_only(direction, cut):
    assert np.array_equal(Unit.PROBABILITY.capped([-0.5, 0.5, 1.5], direction), cut)


@pytest.mark.parametrize("direction", Direction)
def test_a_number_is_never_cut(direction):
    values = [-math.inf, -3.0, 0.0, 1e300, math.inf]
    assert np.array_equal(Unit.NUMBER.capped(values, direction), values)
