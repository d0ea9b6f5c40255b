"""Brackets: kept in order, rounded outwards, and never holding nan."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import InvalidInput, TooCostly
from whit.numerics import Bracket, exp_up, log_one_minus_ratio, raised

LOGS = st.floats(-800.0, 720.0)


def contains(bracket, truth):
    return bool(mpmath.mpf(float(bracket.lower)) <= truth <= mpmath.mpf(float(bracket.upper)))


def parts(bracket):
    return bracket.lower.tolist(), bracket.mid.tolist(), bracket.upper.tolist()


def test_a_bracket_holds_float64_arrays_of_one_shape():
    bracket = Bracket(0, [0.1, 0.2], 1)
    assert bracket.shape == (2,)
    assert parts(bracket) == ([0.0, 0.0], [0.1, 0.2], [1.0, 1.0])
    assert {bracket.lower.dtype, bracket.mid.dtype, bracket.upper.dtype} == {np.dtype(np.float64)}
    assert Bracket.exact(0.5).shape == ()


def test_a_mid_outside_of_its_bounds_is_moved_to_the_nearer_one():
    assert parts(Bracket([0, 0], [-1, 2], [1, 1])) == ([0, 0], [0, 1], [1, 1])


def test_crossed_bounds_are_refused_with_both():
    with pytest.raises(InvalidInput, match=r"at or below its upper bound; got \[2\.\] above \[1\.\]\. Exchange"):
        Bracket([0, 2], [0, 1], [0, 1])


@pytest.mark.parametrize("position", range(3))
def test_nan_is_refused(position):
    numbers = [0.0, 0.0, 0.0]
    numbers[position] = math.nan
    with pytest.raises(TooCostly, match="the answer must be within the numbers that doubles hold"):
        Bracket(*numbers)


def test_a_bracket_cannot_be_changed():
    bracket = Bracket.exact([1.0, 2.0])
    with pytest.raises(ValueError, match="read-only"):
        bracket.lower[0] = 5.0
    with pytest.raises(AttributeError, match="cannot assign"):
        bracket.upper = np.zeros(2)  # type: ignore[misc]


def test_equality_is_of_shape_and_of_all_numbers():
    assert Bracket(0, 1, 2) == Bracket(0, 1, 2)
    assert Bracket(0, 1, 2) != Bracket(0, 1, 3)
    assert Bracket(0, 1, 2) != Bracket([0], [1], [2])
    assert Bracket(0, 0, 0) != 0


def test_indexing_picks_from_all_three():
    bracket = Bracket([0, 1, 2], [1, 2, 3], [2, 3, 4])
    assert bracket[1] == Bracket(1, 2, 3)
    assert bracket[1:] == Bracket([1, 2], [2, 3], [3, 4])
    assert bracket[np.array([True, False, True])] == Bracket([0, 2], [1, 3], [2, 4])


@given(st.floats(-1e300, 1e300), st.floats(0.0, 1e300))
def test_around_contains_both_ends_exactly(mid, error):
    bracket = Bracket.around(mid, error)
    with mpmath.workprec(2200):
        assert mpmath.mpf(float(bracket.lower)) <= mpmath.mpf(mid) - error
        assert mpmath.mpf(float(bracket.upper)) >= mpmath.mpf(mid) + error


def test_around_at_infinity():
    assert Bracket.around([math.inf, -math.inf], 1.0) == Bracket.exact([math.inf, -math.inf])
    assert Bracket.around([0.0, math.inf], math.inf) == Bracket([-math.inf] * 2, [0.0, math.inf], [math.inf] * 2)
    assert Bracket.around(3.0, 0.0) == Bracket.exact(3.0)


@pytest.mark.parametrize("error", [-1e-300, math.nan])
def test_around_refuses_an_error_that_is_none(error):
    with pytest.raises(InvalidInput, match="error must be a number of at least 0; got"):
        Bracket.around(0.0, error)


@given(st.floats(-1e10, 1e10), st.floats(-1e10, 1e10))
def test_shifting_rounds_outwards(x, amount):
    with mpmath.workprec(2200):
        assert contains(Bracket.exact(x).shifted(amount), mpmath.mpf(x) + mpmath.mpf(amount))


def test_shifting_keeps_infinities_and_broadcasts():
    shifted = Bracket(-math.inf, 0.0, math.inf).shifted([1.0, -2.0])
    assert parts(shifted) == ([-math.inf] * 2, [1.0, -2.0], [math.inf] * 2)


def test_shifting_an_infinity_by_its_opposite_is_refused():
    with pytest.raises(TooCostly, match="within the numbers that doubles hold"):
        Bracket.exact(-math.inf).shifted(math.inf)


def test_reversing_the_sign_exchanges_the_bounds():
    assert Bracket([1, -math.inf], [2, 0], [4, 5]).reversed_sign() == Bracket([-4, -5], [-2, 0], [-1, math.inf])


def test_maximum_and_minimum_act_on_each_part():
    a, b = Bracket([0, 0], [1, 1], [5, 5]), Bracket([-1, 2], [2, 3], [3, 4])
    assert a.maximum(b) == Bracket([0, 2], [2, 3], [5, 5])
    assert a.minimum(b) == Bracket([-1, 0], [1, 1], [3, 4])


@given(LOGS)
def test_exp_contains_the_truth_from_denormals_to_overflow(x):
    with mpmath.workprec(200):
        assert contains(Bracket.exact(x).exp(), mpmath.exp(x))


@given(st.floats(-700.0, 700.0))
def test_exp_is_tight(x):
    bracket = Bracket.exact(x).exp()
    assert bracket.upper - bracket.lower <= 8 * math.ulp(math.exp(x))


def test_exp_on_a_dense_grid():
    grid = np.concatenate([np.linspace(-745.5, -700.0, 400), np.linspace(-1.0, 1.0, 400), [5e-324, -5e-324, 709.78]])
    bracket = Bracket.exact(grid).exp()
    with mpmath.workprec(200):
        assert all(contains(bracket[i], mpmath.exp(x)) for i, x in enumerate(grid.tolist()))


def test_exp_is_exact_where_it_can_be():
    assert Bracket.exact([-math.inf, 0.0, math.inf]).exp() == Bracket.exact([0.0, 1.0, math.inf])


def test_exp_of_what_underflows_or_overflows_stays_a_bound():
    bracket = Bracket.exact([-1e6, 1e6]).exp()
    assert bracket.lower[0] == 0.0
    assert 0.0 < bracket.upper[0] < 1e-322
    assert np.isfinite(bracket.lower[1])
    assert bracket.upper[1] == math.inf


def test_exp_does_not_cap_at_one():
    assert Bracket.around(0.0, 1e-10).exp().upper > 1.0


@given(st.floats(-1e4, 1e4), st.one_of(st.floats(-1e4, 1e4), st.just(-math.inf)))
def test_log_sum_contains_the_truth(a, b):
    with mpmath.workprec(300):
        truth = mpmath.mpf(max(a, b)) + mpmath.log1p(mpmath.exp(-abs(mpmath.mpf(a) - mpmath.mpf(b))))
        assert contains(Bracket.exact(a).log_sum(Bracket.exact(b)), truth)


@given(st.floats(1e-300, 1.0 - 2**-53))
def test_log_sum_contains_the_truth_where_it_cancels(p):
    a, b = math.log(p), math.log1p(-p)
    with mpmath.workprec(2000):
        truth = mpmath.log(mpmath.exp(a) + mpmath.exp(b))
        assert contains(Bracket.exact(a).log_sum(Bracket.exact(b)), truth)


def test_log_sum_of_nothing_and_of_infinity():
    nothing = Bracket.exact(-math.inf)
    assert nothing.log_sum(nothing) == nothing
    assert Bracket.exact(math.inf).log_sum(nothing) == Bracket.exact(math.inf)


# Rounding to the safe side


def test_numbers_are_raised_but_zero_is_exact():
    assert raised([0.0, 1.0, np.inf]).tolist() == [0.0, 1.0 + 16 * 2.0**-52, np.inf]


def test_no_probability_vanishes():
    assert exp_up([-np.inf, 0.0]).tolist() == [0.0, 1.0]
    assert float(exp_up(-1e5)) > 0.0


def test_the_log_of_a_difference_does_not_cancel():
    assert float(log_one_minus_ratio(1e-20, 1.0)) == -1e-20
    assert float(log_one_minus_ratio(1.0 - 2.0**-53, 1.0)) == pytest.approx(-53 * math.log(2.0), rel=1e-14)
    assert float(log_one_minus_ratio(0.0, 0.0)) == 0.0


@given(st.floats(allow_nan=False))
def test_the_exponential_of_a_number_alone_is_that_among_others(log):
    alone, among = Bracket.exact(log).exp(), Bracket.exact([log, -1.0]).exp()
    assert alone.shape == ()
    assert parts(alone) == parts(among[0])


@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_nan_among_numbers_is_refused(place):
    parts = [np.array([0.0, 0.0]) for _ in range(3)]
    parts[place] = np.array([0.0, math.nan])
    with pytest.raises(TooCostly, match="must be within the numbers that doubles hold"):
        Bracket(*parts)


@pytest.mark.parametrize(("a", "b"), [(0.0, 0.0), (-3.0, -50.0), (-700.0, -700.5), (5.0, -1.0)])
def test_log_sum_loses_a_few_digits_at_most(a, b):
    found = Bracket.exact(a).log_sum(Bracket.exact(b))
    assert found.upper - found.lower <= 1e-14 * max(1.0, abs(a))
