from __future__ import annotations

import copy
import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import Incompatible, InvalidInput
from whit.theory import Basis, Direction, Finding, Interval, Quantity, Unit

POWER = Quantity("power", Unit.PROBABILITY)
EPSILON = Quantity("epsilon", Unit.NUMBER)
BASIS = Basis(("neyman-pearson",), slack=1e-15, truncation=1e-20)

three = st.lists(st.floats(allow_nan=False), min_size=3, max_size=3).map(sorted)


def interval(lower=0.25, mid=0.5, upper=0.75, quantity=POWER) -> Interval:
    return Interval.of(quantity, lower, mid, upper, {"level": 0.05}, BASIS)


def test_an_interval_is_three_findings_about_one_thing():
    made = interval()
    directions = (Direction.AT_LEAST, Direction.ABOUT, Direction.AT_MOST)
    for part, value, direction in zip((made.lower, made.mid, made.upper), (0.25, 0.5, 0.75), directions, strict=True):
        assert part == Finding(POWER, value, direction, {"level": 0.05}, BASIS)
    assert (made.quantity, dict(made.inputs), made.basis) == (POWER, {"level": 0.05}, BASIS)


@pytest.mark.parametrize(
    ("ends", "sentence"),
    [
        ((0.25, 0.5, 0.75), "power is between 25 % and 75 %"),
        ((0.12516, 0.125165, 0.12517), "power is 12.6 % (rounded up)"),
        ((0.5, 0.5, 0.5), "power is exactly 50 %"),
        (([0.1, 0.6], [0.2, 0.7], [0.9, 0.8]), "power is between 10 % and 90 % (the largest of 2 values)"),
    ],
)
def test_an_interval_is_a_sentence(ends, sentence):
    assert str(interval(*ends)) == sentence
    assert repr(interval(*ends)) == f"<Interval: {sentence}>"


def test_as_a_float_an_interval_is_its_upper_bound():
    assert float(interval()) == 0.75


def test_an_interval_of_many_numbers_is_no_float():
    with pytest.raises(InvalidInput, match="must hold one number to become a float; got 2 numbers"):
        float(interval([0.1, 0.2], 0.3, 0.4))


def test_arithmetic_is_refused():
    with pytest.raises(Incompatible, match="arithmetic or comparison with a finding is refused"):
        interval() + 1.0
    with pytest.raises(Incompatible, match="got power is between 25 % and 75 %. Write float"):
        _ = np.ones(2) < interval()


def test_numbers_of_different_shapes_are_brought_to_one():
    made = interval(0.1, [0.2, 0.3], 0.4)
    assert [part.value.tolist() for part in (made.lower, made.mid, made.upper)] == [[0.1, 0.1], [0.2, 0.3], [0.4, 0.4]]


@pytest.mark.parametrize("ends", [(0.3, 0.2, 0.4), (0.1, 0.5, 0.4), ([0.1, 0.3], 0.2, 0.4)])
def test_crossed_ends_are_refused(ends):
    with pytest.raises(
        InvalidInput, match="power must have its lower bound at or below its estimate.*Widen the bounds"
    ):
        interval(*ends)


def test_nan_is_refused():
    with pytest.raises(InvalidInput, match="power must be a number"):
        interval(mid=math.nan)


def test_findings_in_the_wrong_order_are_refused():
    made = interval()
    with pytest.raises(InvalidInput, match="at least, about and at most, in this order; got at most, about, at least"):
        Interval(made.upper, made.mid, made.lower)


@pytest.mark.parametrize(
    "change", [{"inputs": {}}, {"basis": Basis.of("cells")}, {"quantity": EPSILON}, {"value": [0.5]}], ids=str
)
def test_findings_about_different_things_are_refused(change):
    made = interval()
    with pytest.raises(InvalidInput, match="must be made of findings with the same quantity, inputs, basis"):
        Interval(made.lower, replace(made.mid, **change), made.upper)


@given(three)
def test_json_reads_back_to_an_equal_interval(ends):
    original = interval(*ends, quantity=EPSILON)
    assert Interval.from_json(original.to_json()) == original


def test_json_of_an_array_reads_back_too():
    original = interval([[0.1, 0.2]], [[0.3, 0.4]], [[0.5, 1.0]])
    assert Interval.from_json(original.to_json()) == original


def test_a_copy_is_equal_and_has_the_same_hash():
    original = interval()
    for again in (pickle.loads(pickle.dumps(original)), copy.deepcopy(original)):
        assert again == original
        assert hash(again) == hash(original)


def test_the_worst_is_the_upper_bound():
    assert interval().worst == interval().upper
