from __future__ import annotations

from itertools import permutations, product

import pytest

from whit.errors import Incompatible
from whit.theory import Direction

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
