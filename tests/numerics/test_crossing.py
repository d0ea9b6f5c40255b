"""Where a falling function passes zero: on the safe side, closely, and in few evaluations."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.numerics import smallest_crossing
from whit.numerics.crossing import TOLERANCE


def counted(function):
    calls = []

    def wrapped(x):
        calls.append(x)
        return function(x)

    return wrapped, calls


@given(st.floats(1e-9, 1e9), st.floats(0.1, 30.0))
def test_a_smooth_function_is_crossed_closely_and_on_the_safe_side(place, steepness):
    found = float(smallest_crossing(lambda x: steepness * (np.log(place) - np.log(np.maximum(x, 1e-300)))))
    assert np.log(found) >= np.log(place)
    assert found <= place + 2 * TOLERANCE * max(place, 1.0)


@given(st.floats(0.0, 1e12))
def test_a_jump_is_found_to_the_last_double(place):
    assert float(smallest_crossing(lambda x: np.where(x >= place, -np.inf, 1.0))) == place


def test_a_function_that_stays_above_is_crossed_nowhere():
    assert np.isposinf(smallest_crossing(lambda x: 1.0 + np.exp(-x)))


def test_a_function_below_from_the_start_is_crossed_at_zero():
    assert float(smallest_crossing(lambda x: -1.0 - np.minimum(x, 1.0))) == 0.0


def test_only_infinity_will_do():
    assert np.isposinf(smallest_crossing(lambda x: np.where(np.isposinf(x), -1.0, 1.0)))


def test_all_elements_are_found_at_once():
    places = np.array([[0.0, 1e-3], [2.5, 1e7]])
    np.testing.assert_allclose(smallest_crossing(lambda x: places - x, places.shape), places, rtol=1e-11, atol=1e-12)


def test_a_smooth_function_needs_far_fewer_evaluations_than_bisection():
    function, calls = counted(lambda x: 3.0 - x - x**2 / 10)
    smallest_crossing(function)
    assert len(calls) < 20


@pytest.mark.parametrize("low", [-np.inf, -1e300])
def test_values_without_bound_do_no_harm(low):
    found = smallest_crossing(lambda x: np.where(x < 2.0, 1.0 - x / 4, low))
    assert float(found) == 2.0


def test_a_known_end_is_taken_where_the_function_is_above_just_before_it():
    function, calls = counted(lambda x: np.where(x < 3.0, 1.0, -1.0))
    assert float(smallest_crossing(function, end=3.0)) == 3.0
    assert len(calls) <= 4
    assert 2.0 <= float(smallest_crossing(lambda x: 2.0 - x, end=3.0)) <= 2.0 + 2 * TOLERANCE


def test_a_function_that_crosses_early_is_not_asked_near_its_end():
    function, calls = counted(lambda x: 2.0 - x)
    assert 2.0 <= float(smallest_crossing(function, end=1000.0)) <= 2.0 + 2 * TOLERANCE
    assert max(float(x) for x in calls if np.isfinite(x)) < 10.0


@given(st.lists(st.floats(0.0, 20.0), min_size=1, max_size=4), st.floats(0.5, 12.0))
def test_a_known_end_is_where_what_is_not_crossed_before_it_ends(places, end):
    crossed = np.array(places)
    found = smallest_crossing(lambda x: np.where(x < end, crossed - x, -1.0), crossed.shape, end=end)
    truth = np.minimum(crossed, end)
    assert np.all(found >= truth)
    np.testing.assert_allclose(found, truth, rtol=3e-12, atol=3e-12)


def test_a_known_end_does_not_hide_that_the_function_stays_above():
    assert np.isposinf(smallest_crossing(lambda x: np.full(np.shape(x), 1.0), end=3.0))


def test_a_coarser_search_stays_on_the_safe_side():
    found = float(smallest_crossing(lambda x: 2.0 - x, tolerance=1e-3))
    assert 2.0 <= found <= 2.002


@given(st.floats(1e-6, 1e9), st.floats(-30.0, 30.0), st.floats(0.1, 30.0))
def test_a_crossing_where_it_is_expected_is_found_in_few_evaluations(place, off, steepness):
    function, calls = counted(lambda x: steepness * (place - x))
    found = float(smallest_crossing(function, near=np.array(place + off * TOLERANCE * max(place, 1.0))))
    assert place <= found <= place + 2 * TOLERANCE * max(place, 1.0)
    assert len(calls) <= 6


@given(st.floats(1e-9, 1e12))
def test_a_jump_where_it_is_expected_is_found_to_the_last_double(place):
    function, calls = counted(lambda x: np.where(x >= place, -np.inf, 1.0))
    assert float(smallest_crossing(function, near=np.array(place))) == place
    assert len(calls) <= 4


@given(st.lists(st.tuples(st.floats(0.0, 1e6), st.floats(0.0, np.inf)), min_size=1, max_size=4))
def test_a_wrong_expectation_costs_no_truth(cases):
    places, near = (np.array(each) for each in zip(*cases, strict=True))
    found = smallest_crossing(lambda x: places - x, places.shape, near=near)
    assert np.all(found >= places)
    np.testing.assert_allclose(found, places, rtol=1e-11, atol=2e-12)
    for each, (place, expected) in zip(found, cases, strict=True):
        assert float(each) == float(smallest_crossing(partial(np.subtract, place), near=np.array(expected)))
