"""Bisection over doubles: ends at the exact threshold, whatever the threshold."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from whit.errors import InvalidInput, Unreachable
from whit.numerics import distinct, doubles, first_true, largest_true, last_true, ordinals, smallest_true

NUMBERS = st.floats(allow_nan=False)
LARGEST = float(np.finfo(float).max)
EXTREMES = [-math.inf, -LARGEST, -1.0, -5e-324, 0.0, 5e-324, 2.2e-308, 1.0, LARGEST, math.inf]


@given(NUMBERS)
@example(0.0)
@example(-0.0)
@example(math.inf)
@example(-math.inf)
def test_the_double_at_the_ordinal_of_a_double_is_that_double(x):
    assert doubles(ordinals(x)) == x
    if math.isfinite(x):
        assert ordinals(math.nextafter(x, math.inf)) == ordinals(x) + 1


@given(st.lists(NUMBERS, min_size=1, max_size=20))
def test_thresholds_are_found_exactly_from_both_sides(thresholds):
    points = np.array(thresholds)
    low, high = np.full(points.shape, -math.inf), math.inf
    assert np.array_equal(smallest_true(lambda x: x >= points, low, high), points)
    assert np.array_equal(largest_true(lambda x: x <= points, low, high), points)


@pytest.mark.parametrize("threshold", EXTREMES)
def test_extreme_thresholds_are_found_exactly(threshold):
    assert smallest_true(lambda x: x >= threshold, -math.inf, math.inf) == threshold
    assert largest_true(lambda x: x <= threshold, -math.inf, math.inf) == threshold


@given(NUMBERS, NUMBERS, NUMBERS)
def test_the_answer_holds_and_its_neighbour_does_not(a, b, c):
    low, threshold, high = sorted([a, b, c])
    least = float(smallest_true(lambda x: x >= threshold, low, high))
    assert low <= least <= high
    assert least >= threshold
    assert least == low or math.nextafter(least, -math.inf) < threshold
    most = float(largest_true(lambda x: x <= threshold, low, high))
    assert low <= most <= high
    assert most <= threshold
    assert most == high or math.nextafter(most, math.inf) > threshold


@pytest.mark.parametrize("search", [smallest_true, largest_true])
def test_few_evaluations_suffice_for_the_widest_range(search):
    seen = []

    def predicate(x):
        seen.append(x)
        return x >= math.pi if search is smallest_true else x <= math.pi

    assert search(predicate, -math.inf, math.inf) == math.pi
    assert len(seen) <= 66


def test_a_predicate_that_wavers_still_holds_at_the_answer():
    def wavering(x):
        return (x >= 1.0) & ((ordinals(x) % 2 == 0) | (x >= 1.0 + 1e-14))

    answer = smallest_true(wavering, 0.0, 2.0)
    assert wavering(answer)
    assert not wavering(doubles(ordinals(answer) - 1))


def test_ends_broadcast_and_each_element_has_its_own_answer():
    targets = np.array([[1.0], [4.0]])
    roots = smallest_true(lambda x: x * x >= targets, [0.0, 1.0, 1.5], np.full((2, 1), 10.0))
    assert roots.tolist() == [[1.0, 1.0, 1.5], [2.0, 2.0, 2.0]]


def test_a_predicate_never_sees_minus_zero():
    def predicate(x):
        assert not (np.signbit(x) & (x == 0.0)).any()
        return x <= 1.0

    assert largest_true(predicate, -0.0, 2.0) == 1.0
    assert largest_true(lambda x: x <= 0.0, -1.0, 1.0).tolist() == 0.0


def test_one_point_is_a_range():
    assert smallest_true(lambda x: x >= 0.0, 3.0, 3.0) == 3.0


def test_no_answer_is_an_error_that_names_what_was_searched():
    with pytest.raises(Unreachable, match=r"epsilon must have .* got none from 0.0 to 10.0\. Allow more\."):
        smallest_true(lambda x: x >= 20.0, 0.0, 10.0, name="epsilon", way_out="Allow more.")
    with pytest.raises(Unreachable, match=r"the parameter must have .* got none from 0.0 to 10.0\. Widen"):
        largest_true(lambda x: x <= -1.0, 0.0, 10.0)


def test_one_element_without_an_answer_is_an_error():
    targets = np.array([1.0, 100.0])
    with pytest.raises(Unreachable, match="must have a value in its range that does what is asked"):
        smallest_true(lambda x: x >= targets, np.zeros(2), 10.0)


@pytest.mark.parametrize(("low", "high"), [(1.0, 0.0), (math.nan, 1.0), (0.0, math.nan)])
def test_ends_out_of_order_are_refused(low, high):
    with pytest.raises(InvalidInput, match="low and high must be numbers in increasing order"):
        smallest_true(lambda x: x >= 0.0, low, high)


def test_a_predicate_of_another_shape_or_type_is_refused():
    with pytest.raises(InvalidInput, match=r"arguments, which have shape \(\); got bool of shape \(2,\)\. Broadcast"):
        smallest_true(lambda x: x >= np.zeros(2), 0.0, 1.0)
    with pytest.raises(InvalidInput, match="predicate must return one true or false"):
        smallest_true(lambda x: x, 0.0, 1.0)


# Searches that try many points at once end where a search point by point ends


@pytest.mark.parametrize("size", [1, 40, 5000])
def test_they_find_what_bisection_finds(size: int) -> None:
    edges = np.random.default_rng(size).exponential(size=size)
    low, high = np.zeros(size), np.full(size, 1e300)
    assert np.array_equal(last_true(lambda x: x <= edges, low, high), largest_true(lambda x: x <= edges, low, high))
    assert np.array_equal(first_true(lambda x: x >= edges, low, high), smallest_true(lambda x: x >= edges, low, high))


@pytest.mark.parametrize("near", [0.0, 0.7, 0.700000001, 1e5])
def test_where_they_start_makes_no_difference(near: float) -> None:
    low, high, start = np.zeros(3), np.full(3, 1e6), np.full(3, near)
    edges = np.array([0.7, 1e-300, 1e6])
    assert np.array_equal(last_true(lambda x: x <= edges, low, high, start), edges)
    assert np.array_equal(-first_true(lambda x: x >= -edges, -high, -low, -start), edges)


# Each number once, in order

FEW = st.lists(st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 5e-324, 1.0, 1.0 + 2**-52, np.inf]), max_size=12)


@given(FEW)
def test_every_number_is_there_once_and_in_order(values):
    assert distinct(values).tolist() == sorted(set(values))


@pytest.mark.parametrize("shape", [(0,), (), (3, 2)])
def test_any_shape_becomes_a_list(shape):
    assert distinct(np.zeros(shape)).shape == (min(1, np.zeros(shape).size),)
