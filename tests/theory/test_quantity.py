from __future__ import annotations

import math
from itertools import permutations, product

import numpy as np
import pytest

from whit.errors import Incompatible, InvalidInput
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


# More


AT_MOST, AT_LEAST, EXACTLY, ABOUT = Direction

# The whole table, written out; None where the two do not go together.
TABLE = {
    (EXACTLY, EXACTLY): EXACTLY,
    (EXACTLY, AT_MOST): AT_MOST,
    (EXACTLY, AT_LEAST): AT_LEAST,
    (EXACTLY, ABOUT): ABOUT,
    (AT_MOST, AT_MOST): AT_MOST,
    (AT_LEAST, AT_LEAST): AT_LEAST,
    (AT_MOST, ABOUT): ABOUT,
    (AT_LEAST, ABOUT): ABOUT,
    (ABOUT, ABOUT): ABOUT,
    (AT_MOST, AT_LEAST): None,
}


def test_the_table_is_complete():
    assert {frozenset(pair) for pair in TABLE} == {frozenset(pair) for pair in product(Direction, repeat=2)}


@pytest.mark.parametrize(("pair", "expected"), [item for item in TABLE.items() if item[1] is not None])
def test_two_directions_combine_as_in_the_table_in_either_order(pair, expected):
    assert Direction.combine(*pair) is expected
    assert Direction.combine(*reversed(pair)) is expected


@pytest.mark.parametrize("others", [(), (EXACTLY,), (ABOUT,)])
def test_an_upper_and_a_lower_bound_do_not_go_together_whatever_else_is_there(others):
    for directions in permutations((AT_MOST, AT_LEAST, *others)):
        with pytest.raises(
            Incompatible, match="a result cannot rest on an upper and on a lower bound at once; got .*Use bounds"
        ):
            Direction.combine(*directions)


def test_the_direction_of_one_is_its_own_and_of_none_is_exact():
    assert [Direction.combine(direction) for direction in Direction] == list(Direction)
    assert Direction.combine() is EXACTLY


@pytest.mark.parametrize("three", list(product(Direction, repeat=3)))
def test_the_order_of_combination_does_not_matter_where_all_go_together(three):
    if {AT_MOST, AT_LEAST} <= set(three):
        with pytest.raises(Incompatible, match="upper and on a lower"):
            Direction.combine(*three)
    else:
        first, second, third = three
        expected = Direction.combine(*three)
        assert Direction.combine(Direction.combine(first, second), third) is expected
        assert Direction.combine(first, Direction.combine(second, third)) is expected


def test_each_direction_has_its_words():
    assert [direction.value for direction in Direction] == ["at most", "at least", "exactly", "about"]
