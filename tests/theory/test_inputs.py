from __future__ import annotations

import copy
import json
import math
import pickle
from enum import Enum, IntEnum
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import InvalidInput
from whit.theory import echo
from whit.theory.basis import Frozen, Inputs, read_infinities, spell_infinities


class Colour(Enum):
    RED = "r"


class Size(IntEnum):
    LARGE = 3


class Described:
    def to_dict(self) -> dict[str, object]:
        return {"kind": "Described", "side": Colour.RED}


class Point(NamedTuple):
    x: float
    y: float


leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
trees = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
)


@pytest.mark.parametrize(
    ("value", "tree"),
    [
        (None, None),
        (True, True),
        (3, 3),
        (0.1, 0.1),
        ("text", "text"),
        (math.inf, math.inf),
        (Colour.RED, "RED"),
        (Size.LARGE, "LARGE"),
        (Colour, repr(Colour)),
        (np.float64(0.1), 0.1),
        (np.int64(7), 7),
        (np.bool_(True), True),
        (np.array(2.5), 2.5),
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (np.array([True, False]), [True, False]),
        (np.array([0.5, math.inf]), [0.5, math.inf]),
        (np.array([Colour.RED, None], dtype=object), ["RED", None]),
        ((1, (2.0, "a")), [1, [2.0, "a"]]),
        ([[1, 2], 3], [[1, 2], 3]),
        (Point(1.0, 2.0), [1.0, 2.0]),
        (MappingProxyType({"a": (1,)}), {"a": [1]}),
        ({2: 0.1}, {"2": 0.1}),
        (Described(), {"kind": "Described", "side": "RED"}),
        (Fraction(1, 3), "Fraction(1, 3)"),
    ],
)
def test_the_echo_of_a_value(value, tree):
    assert echo(value) == tree
    assert type(echo(value)) is type(tree)


@given(trees)
def test_a_plain_tree_is_its_own_echo(tree):
    assert echo(tree) == tree


@given(trees)
def test_what_is_written_is_read_back_through_json(tree):
    assert read_infinities(json.loads(json.dumps(spell_infinities(tree), allow_nan=False))) == tree


def test_infinity_and_its_name_are_told_apart():
    assert spell_infinities([math.inf, "inf"]) == [{"$float": "inf"}, "inf"]


def test_the_echo_is_a_copy():
    levels = [0.1, 0.2]
    tree = echo({"levels": levels})
    levels.append(0.3)
    assert tree == {"levels": [0.1, 0.2]}


@pytest.mark.parametrize("value", [math.nan, [1.0, math.nan], {"a": np.array([math.nan])}])
def test_nan_is_refused(value):
    with pytest.raises(InvalidInput, match="an input must not be nan; got nan. Leave it out, or use None."):
        echo(value)


def test_the_name_that_stands_for_infinity_is_refused():
    with pytest.raises(InvalidInput, match=r"must not be named \$float, which stands for an infinite number"):
        echo({"$float": "inf"})


def test_inputs_are_a_mapping_of_echoes():
    inputs = Inputs({"levels": np.array([0.1, 0.2]), "side": Colour.RED})
    assert inputs == {"levels": [0.1, 0.2], "side": "RED"}
    assert (len(inputs), list(inputs), repr(inputs)) == (2, ["levels", "side"], repr(dict(inputs)))
    assert Inputs(inputs) == inputs
    assert inputs != Inputs({"levels": [0.1, 0.2]})


def test_inputs_cannot_be_changed():
    inputs = Inputs({"level": 0.1})
    with pytest.raises(TypeError, match="does not support item assignment"):
        inputs["level"] = 0.2


@pytest.mark.parametrize("frozen", [Inputs({"level": [0.1]}), Frozen({3: "block"})], ids=repr)
def test_what_is_frozen_can_be_copied(frozen):
    for again in (pickle.loads(pickle.dumps(frozen)), copy.deepcopy(frozen), copy.copy(frozen)):
        assert again == frozen
        assert type(again) is type(frozen)


def test_what_is_frozen_is_a_mapping_that_does_not_follow_its_origin():
    origin = {3: "block"}
    frozen = Frozen(origin)
    origin[4] = "state"
    assert dict(frozen) == {3: "block"}
    with pytest.raises(TypeError, match="does not support item assignment"):
        frozen[4] = "state"


def test_what_was_echoed_is_not_walked_through_again():
    inputs = Inputs({"levels": [0.1, 0.2]})
    assert Inputs(inputs)["levels"] is inputs["levels"]
