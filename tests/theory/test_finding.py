from __future__ import annotations

import copy
import math
import operator
import pickle
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import Incompatible, InvalidInput, NotImplied
from whit.theory import Basis, Direction, Failure, Finding, Quantity, Randomness, Unit

AT_MOST, AT_LEAST, EXACTLY, ABOUT = Direction
POSTERIOR = Quantity("posterior probability", Unit.PROBABILITY)
EPSILON = Quantity("epsilon", Unit.NUMBER)
BASIS = Basis.of("hockey-stick")


def finding(value, direction=AT_MOST, quantity=POSTERIOR, inputs=None, basis=BASIS) -> Finding:
    return Finding(quantity, value, direction, {"prior": 0.05} if inputs is None else inputs, basis)


numbers = st.floats(allow_nan=False)
values = (
    numbers
    | st.lists(numbers, min_size=1, max_size=4)
    | st.lists(st.lists(numbers, min_size=2, max_size=2), min_size=1, max_size=3)
)
some_findings = st.builds(
    Finding,
    st.just(EPSILON),
    values,
    st.sampled_from([AT_MOST, AT_LEAST, ABOUT]),
    st.dictionaries(st.text(max_size=8), numbers | st.text(max_size=8) | st.lists(numbers, max_size=3), max_size=3),
    st.builds(
        Basis,
        st.sampled_from([("hockey-stick",), ("loss-tail", "cells")]),
        st.lists(st.builds(Failure, st.floats(0.0, 1.0), st.sampled_from(Randomness)), max_size=2).map(tuple),
        st.floats(0.0, 1.0),
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
        frozen.value = 0.5


# Sides


def test_a_bound_is_its_own_side_and_has_no_other():
    at_most, at_least, about = (finding(0.5, direction) for direction in (AT_MOST, AT_LEAST, ABOUT))
    assert at_most.upper is at_most
    assert at_least.lower is at_least
    assert about.mid is about


@pytest.mark.parametrize(
    ("direction", "side", "where"),
    [
        (AT_MOST, "lower", "below"),
        (AT_MOST, "mid", "in the middle"),
        (AT_LEAST, "upper", "above"),
        (AT_LEAST, "mid", "in the middle"),
        (ABOUT, "lower", "below"),
        (ABOUT, "upper", "above"),
    ],
)
def test_a_side_that_is_not_known_is_not_invented(direction, side, where):
    message = f"posterior probability is not known {where}; got a finding that it is {direction.value} 50 %. Ask for"
    with pytest.raises(NotImplied, match=message):
        getattr(finding(0.5, direction), side)


def test_an_exact_finding_has_every_side():
    exact = finding(0.5, EXACTLY)
    assert exact.mid is exact
    assert exact.lower == finding(0.5, AT_LEAST)
    assert exact.upper == finding(0.5, AT_MOST)


@pytest.mark.parametrize("value", [0.3, -7.0, 1e-300, 5e-324, 1e300, 1.7e308])
@pytest.mark.parametrize("slack", [1e-16, 1e-9, 0.1])
def test_the_sides_of_an_exact_finding_are_its_slack_away(value, slack):
    exact = finding([value, -value], EXACTLY, EPSILON, basis=Basis(("cells",), slack=slack))
    # Worked out in rational numbers; the rounding of the move itself may cost two doubles on each side.
    for number, lower, upper in zip(exact.value, exact.lower.value, exact.upper.value, strict=True):
        true, away = Fraction(number), abs(Fraction(number)) * Fraction(slack)
        assert lower <= true - away
        assert upper >= true + away
        if math.isfinite(upper) and math.isfinite(lower):
            doubles = Fraction(2 * math.ulp(upper) + 2 * math.ulp(lower))
            assert Fraction(upper) - true <= away + doubles
            assert true - Fraction(lower) <= away + doubles


def test_zero_and_infinity_are_not_widened():
    exact = finding([0.0, math.inf, -math.inf], EXACTLY, EPSILON, basis=Basis(("cells",), slack=0.1))
    assert np.array_equal(exact.lower.value, exact.value)
    assert np.array_equal(exact.upper.value, exact.value)


def test_a_widened_probability_stays_one():
    exact = finding([1.0, 0.0], EXACTLY, basis=Basis(("cells",), slack=0.1))
    assert np.array_equal(exact.upper.value, [1.0, 0.0])
    assert np.array_equal(exact.lower.value, [0.9, 0.0]) or exact.lower.value[0] == np.nextafter(0.9, 0.0)


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
        0.1,
    ]
    assert all(first != other for other in others)


@given(some_findings)
def test_a_copy_is_equal(original):
    assert pickle.loads(pickle.dumps(original)) == original
    assert copy.deepcopy(original) == original


# JSON


@given(some_findings)
def test_json_reads_back_to_an_equal_finding(original):
    again = Finding.from_json(original.to_json())
    assert again == original
    assert type(again.value) is type(original.value)
    assert again.basis.assumptions == original.basis.assumptions


def test_an_exact_finding_reads_back_too():
    original = finding([0.1, 1.0], EXACTLY, inputs={"epsilon": math.inf, "name": "inf"})
    assert Finding.from_json(original.to_json()) == original


@pytest.mark.parametrize("value", [math.nan, 2.0])
def test_json_is_read_with_the_same_care(value):
    text = finding(0.5).to_json().replace('"value": 0.5', f'"value": {value!r}'.replace("nan", "NaN"))
    with pytest.raises(InvalidInput, match="posterior probability must be"):
        Finding.from_json(text)


def test_the_worst_is_the_upper_bound_or_the_estimate_and_never_a_lower_bound():
    assert finding(0.5).worst == finding(0.5)
    assert finding(0.5, ABOUT).worst == finding(0.5, ABOUT)
    rounded = finding(0.5, EXACTLY, basis=replace(BASIS, slack=1e-3))
    assert rounded.worst == rounded.upper
    assert float(rounded.worst) > 0.5
    with pytest.raises(NotImplied, match="is not known above"):
        finding(0.5, AT_LEAST).worst  # noqa: B018


def test_odds_are_many():
    odds = Quantity("posterior odds of the truth", Unit.NUMBER)
    assert str(finding(2.0, quantity=odds)) == "posterior odds of the truth are at most 2"
    assert str(finding(math.inf, quantity=odds)) == "posterior odds of the truth have no known upper bound"
    ratio = Quantity("ratio of posterior and prior odds", Unit.NUMBER)
    assert str(finding(2.0, quantity=ratio)) == "ratio of posterior and prior odds is at most 2"
