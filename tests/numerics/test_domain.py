"""Validators: what they accept, what they refuse, and with which sentence."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest

from whit import numerics
from whit.errors import Incompatible, InvalidInput

WAY_OUT = "Use a small number such as 1e-6."

ACCEPTED = [
    (numerics.number, [-math.inf, -1.5, 0, 5e-324, math.inf, np.float32(0.5), np.int64(-3), Fraction(1, 4)]),
    (numerics.finite, [-1e308, -0.0, 0, 1e308]),
    (numerics.nonnegative, [0, -0.0, 5e-324, math.inf]),
    (numerics.positive, [5e-324, 1, math.inf]),
    (numerics.finite_nonnegative, [0, 1e308]),
    (numerics.finite_positive, [5e-324, 1e308]),
    (numerics.probability, [0, 1, 5e-324, 0.5]),
    (numerics.open_probability, [5e-324, 1 - 2**-53]),
]
REFUSED = [
    (numerics.finite, [-math.inf, math.inf]),
    (numerics.nonnegative, [-5e-324, -math.inf]),
    (numerics.positive, [0, -0.0, -1]),
    (numerics.finite_nonnegative, [-1, math.inf]),
    (numerics.finite_positive, [0, math.inf]),
    (numerics.probability, [-5e-324, 1 + 2**-52, math.inf]),
    (numerics.open_probability, [0, 1, 2]),
]
NOT_A_NUMBER = [math.nan, np.float64("nan"), True, np.True_, "0.5", None, [0.5], np.array(0.5), np.array([0.5]), 1j]


def pairs(table):
    return [(check, value) for check, values in table for value in values]


@pytest.mark.parametrize(("check", "value"), pairs(ACCEPTED))
def test_a_legal_number_comes_back_as_the_same_float(check, value):
    result = check("delta", value, WAY_OUT)
    assert type(result) is float
    assert result == value


@pytest.mark.parametrize(("check", "value"), pairs(REFUSED))
def test_a_number_outside_of_the_range_is_refused_by_name_and_value(check, value):
    with pytest.raises(InvalidInput, match=re.escape(f"; got {value!r}. {WAY_OUT}")) as caught:
        check("delta", value, WAY_OUT)
    assert (caught.value.name, caught.value.value, caught.value.way_out) == ("delta", value, WAY_OUT)


@pytest.mark.parametrize("check", [check for check, _ in ACCEPTED])
@pytest.mark.parametrize("value", NOT_A_NUMBER, ids=repr)
def test_what_is_not_one_real_number_is_refused(check, value):
    with pytest.raises(InvalidInput, match=r"^delta must be a"):
        check("delta", value, WAY_OUT)


def test_the_sentence_has_name_rule_value_and_way_out():
    sentence = "delta must be a probability in [0, 1]; got 1.5. Use a small number such as 1e-6."
    with pytest.raises(InvalidInput, match=f"^{re.escape(sentence)}$"):
        numerics.probability("delta", 1.5, WAY_OUT)


def test_an_integer_too_large_for_a_double_is_refused():
    with pytest.raises(InvalidInput, match="epsilon must be a number of at least 0 that fits a double; got 1000"):
        numerics.nonnegative("epsilon", 10**400, WAY_OUT)


@pytest.mark.parametrize("value", [1, 7, np.int32(5), np.uint8(200), 10**30])
def test_a_count_comes_back_as_an_int(value):
    result = numerics.count("releases", value, WAY_OUT)
    assert type(result) is int
    assert result == value


@pytest.mark.parametrize("value", [0, -1, 3.0, 2.5, True, np.True_, "3", None, np.array(3), math.nan])
def test_a_count_is_a_whole_number_given_as_an_integer(value):
    with pytest.raises(InvalidInput, match=r"^releases must be a whole number of at least 1; got "):
        numerics.count("releases", value, WAY_OUT)


@pytest.mark.parametrize(
    "values", [3, [1, 2.5], (math.inf, -math.inf), np.arange(6).reshape(2, 3), np.float32(1.5), []]
)
def test_real_arrays_keep_shape_and_values(values):
    result = numerics.real_array("epsilons", values, WAY_OUT)
    assert result.dtype == np.float64
    assert result.shape == np.shape(values)
    assert np.array_equal(result, values)


@pytest.mark.parametrize("values", [True, [True, False], "1", ["1"], [1j], None, [[1], [1, 2]], [None]], ids=repr)
def test_what_is_no_array_of_numbers_is_refused(values):
    with pytest.raises(InvalidInput, match=r"^epsilons must be a number or an array of numbers; got "):
        numerics.real_array("epsilons", values, WAY_OUT)


def test_nan_in_an_array_is_refused_with_its_position():
    with pytest.raises(InvalidInput, match=r"got nan at position 1, 0\."):
        numerics.real_array("epsilons", [[1.0, 2.0], [math.nan, 3.0]], WAY_OUT)


def test_a_number_outside_of_the_unit_interval_is_refused_with_its_position():
    with pytest.raises(InvalidInput, match=r"in \[0, 1\] or an array of them; got 1.5 at position 2\."):
        numerics.probability_array("levels", [0.0, 1.0, 1.5], WAY_OUT)
    with pytest.raises(InvalidInput, match=r"or an array of them; got -0.5\. Use"):
        numerics.probability_array("levels", -0.5, WAY_OUT)


def test_probability_arrays_have_any_shape():
    assert numerics.probability_array("levels", [[0, 1], [0.5, 1e-300]], WAY_OUT).shape == (2, 2)


def test_a_probability_vector_is_returned_as_it_is():
    weights = [0.25, 0.75 + 5e-10]
    assert numerics.probability_vector("masses", weights, WAY_OUT).tolist() == weights


@pytest.mark.parametrize("values", [[0.5, 0.6], [0.5, 0.499], [1.0, 2e-9]])
def test_a_vector_with_another_sum_is_refused_with_its_sum(values):
    with pytest.raises(InvalidInput, match=f"with sum 1; got a list with sum {re.escape(str(math.fsum(values)))}"):
        numerics.probability_vector("masses", values, WAY_OUT)


@pytest.mark.parametrize("values", [1.0, [], [[0.5, 0.5]]])
def test_a_probability_vector_has_one_axis_and_is_not_empty(values):
    said = f"masses must be a list of probabilities with sum 1; got {values}."
    with pytest.raises(InvalidInput, match=re.escape(said)):
        numerics.probability_vector("masses", values, WAY_OUT)


def test_numbers_of_one_question_all_get_the_shape_of_all():
    one, row, column = numerics.paired("", a=np.zeros(()), b=np.zeros(3), c=np.zeros((2, 1)))
    assert one.shape == row.shape == column.shape == (2, 3)


@pytest.mark.parametrize("shapes", [((), (2,), (3,)), ((2,), (1,), (3,)), ((2, 3), (3,), (3, 1))])
def test_the_first_two_that_do_not_pair_are_named(shapes):
    clash = {((), (2,), (3,)): "b and c", ((2,), (1,), (3,)): "a and c", ((2, 3), (3,), (3, 1)): "a and c"}[shapes]
    with pytest.raises(Incompatible, match=f"{clash} must have shapes that go together; got shapes .* Use one"):
        numerics.paired("Use one of each.", **dict(zip("abc", map(np.zeros, shapes), strict=True)))
