from __future__ import annotations

import copy
import math
import operator
import pickle
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import Incompatible, InvalidInput
from whit.theory import Basis, Direction, Failure, Finding, Quantity, Randomness, Unit

AT_MOST, AT_LEAST, EXACTLY, ABOUT = Direction
POSTERIOR = Quantity("posterior probability", Unit.PROBABILITY)
EPSILON = Quantity("epsilon", Unit.NUMBER)
BASIS = Basis.of("hockey-stick")


ALLOWANCE = Quantity("largest epsilon that meets the limit", Unit.NUMBER, less_is_worse=True)


def finding(value, direction=AT_MOST, quantity=POSTERIOR, inputs=None, basis=BASIS, other_end=None) -> Finding:
    return Finding(quantity, value, direction, {"prior": 0.05} if inputs is None else inputs, basis, other_end)


numbers = st.floats(allow_nan=False)
values = (
    numbers
    | st.lists(numbers, min_size=1, max_size=4)
    | st.lists(st.lists(numbers, min_size=2, max_size=2), min_size=1, max_size=3)
)
some_findings = st.builds(
    Finding,
    st.sampled_from([EPSILON, ALLOWANCE]),
    values,
    st.sampled_from(Direction),
    st.dictionaries(st.text(max_size=8), numbers | st.text(max_size=8) | st.lists(numbers, max_size=3), max_size=3),
    st.builds(
        Basis,
        st.sampled_from([("hockey-stick",), ("loss-tail", "cells")]),
        st.lists(st.builds(Failure, st.floats(0.0, 1.0), st.sampled_from(Randomness)), max_size=2).map(tuple),
        st.floats(0.0, 1.0),
    ),
)


# Sentences


@pytest.mark.parametrize(
    ("direction", "sentence"),
    [
        (AT_MOST, "posterior probability is at most 12.6 %"),
        (AT_LEAST, "posterior probability is at least 12.5 %"),
        (EXACTLY, "posterior probability is 12.6 % (rounded up)"),
        (ABOUT, "posterior probability is about 12.6 %"),
    ],
)
def test_a_finding_is_a_sentence(direction, sentence):
    assert str(finding(0.12516, direction)) == sentence
    assert repr(finding(0.12516, direction)) == f"<Finding: {sentence}>"


@pytest.mark.parametrize("direction", [AT_MOST, AT_LEAST, ABOUT])
def test_an_array_shows_its_largest_number_and_how_many_there_are(direction):
    sentence = str(finding([[0.25, 0.75], [0.5, 0.0]], direction))
    assert sentence == f"posterior probability is {direction.value} 75 % (the largest of 4 values)"


def test_an_exact_number_that_was_rounded_is_not_called_exact():
    rounded = Basis(("hockey-stick",), slack=1e-15)
    assert str(finding(0.5, EXACTLY)) == "posterior probability is exactly 50 %"
    assert str(finding(0.5, EXACTLY, basis=rounded)) == "posterior probability is 50 % (to within 6e-16)"
    assert finding(0.5, EXACTLY, basis=rounded).brief() == "50 % (to within 6e-16)"  # one number, one text
    assert str(finding(0.12516, EXACTLY, basis=rounded)) == "posterior probability is 12.6 % (rounded up)"


# What a finding may be


@pytest.mark.parametrize("value", [math.nan, [0.1, math.nan], "0.1", None, True, [], [[]], 1j])
def test_what_is_not_a_number_is_refused(value):
    with pytest.raises(InvalidInput, match="posterior probability must .*got .*Give a number, or an array"):
        finding(value)


@pytest.mark.parametrize(("value", "wrong"), [(1.5, "1.5"), (-0.1, "-0.1"), ([0.5, 7.0], "7.0"), (math.inf, "inf")])
def test_a_probability_outside_of_0_and_1_is_refused(value, wrong):
    message = f"posterior probability must be a probability in [0, 1], shown in percent; got {wrong}. Correct"
    with pytest.raises(InvalidInput, match=re.escape(message)):
        finding(value)


def test_any_number_is_a_number():
    for value in (-math.inf, -1e300, -0.0, 5e-324, math.inf):
        assert float(finding(value, quantity=EPSILON)) == value


def test_a_direction_must_be_one():
    with pytest.raises(InvalidInput, match="the direction of a finding must be a Direction; got at most"):
        finding(0.1, "at most")


def test_a_finding_rests_on_a_theorem():
    with pytest.raises(InvalidInput, match="the basis of a finding must name at least one theorem"):
        finding(0.1, basis=Basis())


def test_an_exact_finding_has_nothing_truncated():
    truncated = Basis(("hockey-stick",), truncation=1e-9)
    assert float(finding(0.1, AT_MOST, basis=truncated)) == 0.1
    with pytest.raises(InvalidInput, match="an exact finding must not rest on truncated mass; got 1e-09"):
        finding(0.1, EXACTLY, basis=truncated)


def test_a_finding_cannot_be_changed():
    levels, values = [0.1, 0.2], np.array([0.3, 0.4])
    frozen = finding(values, inputs={"levels": levels})
    levels.append(0.3)
    values[0] = 0.9
    assert frozen == finding([0.3, 0.4], inputs={"levels": [0.1, 0.2]})
    with pytest.raises(ValueError, match="read-only"):
        frozen.value[0] = 0.5
    with pytest.raises(TypeError, match="does not support item assignment"):
        frozen.inputs["levels"] = 3
    with pytest.raises(AttributeError, match="cannot assign to field"):
        frozen.value = 0.5  # type: ignore[misc]


# Arithmetic

TWO_SIDED = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.floordiv,
    operator.mod,
    operator.pow,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
]
REFUSED = (
    "arithmetic or comparison with a finding is refused, because it would lose the direction without a word; "
    "got posterior probability is at most 50 %. Write float(x) to take the number alone"
)


@pytest.mark.parametrize("operation", TWO_SIDED, ids=lambda operation: operation.__name__)
@pytest.mark.parametrize("other", [1, 2.0, np.float64(3.0), np.ones(2), finding(0.25)], ids=repr)
def test_arithmetic_is_refused_on_either_side(operation, other):
    with pytest.raises(Incompatible, match=re.escape(REFUSED)):
        operation(finding(0.5), other)
    if not isinstance(other, Finding):
        with pytest.raises(Incompatible, match=re.escape(REFUSED)):
            operation(other, finding(0.5))


@pytest.mark.parametrize("operation", [operator.neg, operator.pos, abs, round, int], ids=lambda item: item.__name__)
def test_arithmetic_with_one_number_is_refused(operation):
    with pytest.raises(Incompatible, match=re.escape(REFUSED)):
        operation(finding(0.5))


def test_a_float_is_taken_on_purpose():
    assert 1.0 - float(finding(0.25)) == 0.75
    assert type(float(finding(np.array(0.25)))) is float


def test_many_numbers_are_no_float():
    with pytest.raises(InvalidInput, match="a finding must hold one number to become a float; got 2 numbers"):
        float(finding([0.1, 0.2]))


# Equality


def test_findings_are_equal_if_all_parts_are():
    first = finding([0.1, 0.2])
    assert first == finding(np.array([0.1, 0.2]))
    assert hash(first) == hash(finding((0.1, 0.2)))
    others = [
        finding([0.1, 0.3]),
        finding([0.1]),
        finding(0.1),
        finding([[0.1, 0.2]]),
        finding([0.1, 0.2], AT_LEAST),
        finding([0.1, 0.2], quantity=EPSILON),
        finding([0.1, 0.2], inputs={"prior": 0.06}),
        finding([0.1, 0.2], basis=Basis.of("cells")),
        finding([0.1, 0.2], other_end=[0.1, 0.1]),
        0.1,
    ]
    assert all(first != other for other in others)


@given(some_findings)
def test_a_copy_is_equal_and_cannot_be_changed_either(original):
    for again in (pickle.loads(pickle.dumps(original)), copy.deepcopy(original), copy.copy(original)):
        assert again == original
        assert hash(again) == hash(original)
        ends = [end for end in (again.lower, again.value, again.upper) if isinstance(end, np.ndarray)]
        assert not any(end.flags.writeable for end in ends)


# JSON


@given(some_findings)
def test_json_reads_back_to_an_equal_finding(original):
    again = Finding.from_json(original.to_json())
    assert again == original
    assert type(again.value) is type(original.value)
    assert type(again.other_end) is type(original.other_end)
    assert again.basis.assumptions == original.basis.assumptions


def test_an_exact_finding_reads_back_too():
    original = finding([0.1, 1.0], EXACTLY, inputs={"epsilon": math.inf, "name": "inf"})
    assert Finding.from_json(original.to_json()) == original


@pytest.mark.parametrize("value", [math.nan, 2.0])
def test_json_is_read_with_the_same_care(value):
    text = finding(0.5).to_json().replace('"value": 0.5', f'"value": {value!r}'.replace("nan", "NaN"))
    with pytest.raises(InvalidInput, match="posterior probability must be"):
        Finding.from_json(text)


# What every result offers


PUBLIC = [name for name in dir(Finding) if not name.startswith("_")]


@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize("quantity", [EPSILON, ALLOWANCE], ids=["risk", "allowance"])
@pytest.mark.parametrize("value", [0.5, [0.25, 0.75], math.inf], ids=str)
def test_every_public_attribute_can_be_looked_up(direction, quantity, value):
    asked = finding(value, direction, quantity)
    assert {"lower", "value", "upper", "bound", "below", "largest", "findings", "worst"} <= set(PUBLIC) | vars(
        asked
    ).keys()
    assert all(hasattr(asked, name) for name in PUBLIC)


@pytest.mark.parametrize("direction", Direction)
def test_a_finding_is_made_of_itself_and_read_by_itself(direction):
    alone = finding(0.5, direction)
    assert alone.findings == (alone,)
    assert alone.worst is alone


def test_a_finding_as_a_tree_has_its_ends_and_what_it_rests_on():
    tree = finding(
        [0.25, 1.0], quantity=EPSILON, other_end=[0.0, -math.inf], basis=Basis(("cells",), slack=0.5)
    ).to_dict()
    assert tree == {
        "lower": [0.0, "-inf"],
        "value": [0.25, 1.0],
        "upper": [0.25, 1.0],
        "direction": "AT_MOST",
        "quantity": {"key": "", "name": "epsilon", "unit": "NUMBER", "less_is_worse": False, "certain": False},
        "inputs": {"prior": 0.05},
        "basis": {"theorems": ["cells"], "failures": [], "slack": 0.5, "truncation": 0.0},
    }
    assert finding(0.5, ABOUT).to_dict()["lower"] is None


@pytest.mark.parametrize("direction", Direction)
def test_only_an_estimate_is_not_proved(direction):
    assert finding(0.5, direction).proved is (direction is not ABOUT)


def test_the_largest_is_that_of_the_values():
    assert finding([[0.25, 0.75], [0.5, 0.0]]).largest == 0.75
    assert finding(0.25, ABOUT).largest == 0.25


def test_odds_are_many():
    odds = Quantity("posterior odds of the truth", Unit.NUMBER)
    assert str(finding(2.0, quantity=odds)) == "posterior odds of the truth are at most 2"
    assert str(finding(math.inf, quantity=odds)) == "posterior odds of the truth have no known upper bound"
    ratio = Quantity("ratio of posterior odds to prior odds", Unit.NUMBER)
    assert str(finding(2.0, quantity=ratio)) == "ratio of posterior odds to prior odds is at most 2"
