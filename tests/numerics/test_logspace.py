"""Log-space arithmetic against mpmath at 60 digits and more."""

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from whit.errors import InvalidInput
from whit.numerics import log1mexp, log_expm1, log_multisets, logsubexp, logsumexp

DIGITS = 400  # 1 - e^x keeps 60 digits for x as small as 1e-300 and as large as 700


def relative_error(value, truth):
    return float(abs(mpmath.mpf(float(value)) - truth) / abs(truth))


@given(st.one_of(st.floats(-700.0, -1e-300), st.floats(-3.0, -1e-3)))
def test_log1mexp_is_accurate(x):
    with mpmath.workdps(DIGITS):
        assert relative_error(log1mexp(x), mpmath.log(-mpmath.expm1(x))) < 4e-16


@given(st.one_of(st.floats(1e-300, 700.0), st.floats(1e-3, 3.0)))
def test_log_expm1_is_accurate(x):
    with mpmath.workdps(DIGITS):
        truth = mpmath.log(mpmath.expm1(x))
        assert abs(mpmath.mpf(float(log_expm1(x))) - truth) < 4e-16 * max(1, abs(truth))


def test_the_ends_of_the_ranges():
    assert log1mexp([0.0, -math.inf, -1e300]).tolist() == [-math.inf, 0.0, 0.0]
    assert log_expm1([0.0, math.inf, 1e300]).tolist() == [-math.inf, math.inf, 1e300]
    assert np.isfinite(log1mexp(-5e-324))
    assert np.isfinite(log_expm1(5e-324))


@pytest.mark.parametrize("x", [1e-300, math.nan, math.inf])
def test_log1mexp_refuses_what_is_above_zero(x):
    with pytest.raises(InvalidInput, match="x must be at most 0; got"):
        log1mexp([-1.0, x])


@pytest.mark.parametrize("x", [-1e-300, math.nan, -math.inf])
def test_log_expm1_refuses_what_is_below_zero(x):
    with pytest.raises(InvalidInput, match="x must be at least 0; got"):
        log_expm1([1.0, x])


@given(st.floats(-1e3, 1e3), st.floats(1e-12, 1e3))
def test_logsubexp_is_accurate(a, gap):
    b = a - gap
    assume(b < a)
    with mpmath.workdps(DIGITS):
        truth = mpmath.mpf(a) + mpmath.log(-mpmath.expm1(mpmath.mpf(b) - mpmath.mpf(a)))
        assert abs(mpmath.mpf(float(logsubexp(a, b))) - truth) < 4e-16 * (1 + abs(a) + abs(truth))


def test_logsubexp_at_the_extremes():
    assert logsubexp([-math.inf, 2.0, 3.0], [-math.inf, 2.0, -math.inf]).tolist() == [-math.inf, -math.inf, 3.0]
    assert logsubexp(math.inf, 0.0) == math.inf


@pytest.mark.parametrize(("a", "b"), [(0.0, 1.0), (math.inf, math.inf), (math.nan, 0.0), (0.0, math.nan)])
def test_logsubexp_refuses_a_difference_that_is_negative_or_undefined(a, b):
    with pytest.raises(InvalidInput, match="a must be at least b"):
        logsubexp(a, b)


@given(st.lists(st.one_of(st.floats(-1e4, 1e4), st.just(-math.inf)), min_size=1, max_size=20))
def test_logsumexp_is_accurate(values):
    result = logsumexp(values)
    if max(values) == -math.inf:
        assert result == -math.inf
        return
    with mpmath.workdps(60):
        top = mpmath.mpf(max(values))
        truth = top + mpmath.log(mpmath.fsum(mpmath.exp(mpmath.mpf(v) - top) for v in values))
        assert abs(mpmath.mpf(float(result)) - truth) < 2e-15 * max(1, abs(truth))


def test_logsumexp_along_axes():
    logs = np.log([[1.0, 2.0], [3.0, 4.0]])
    assert np.allclose(logsumexp(logs, axis=0), np.log([4.0, 6.0]), rtol=1e-15)
    assert np.allclose(logsumexp(logs, axis=-1), np.log([3.0, 7.0]), rtol=1e-15)
    assert logsumexp(logs).shape == ()


def test_logsumexp_of_nothing_and_of_infinity():
    assert logsumexp([]) == -math.inf
    assert logsumexp(np.zeros((3, 0)), axis=1).tolist() == [-math.inf] * 3
    assert logsumexp([math.inf, 0.0, -math.inf]) == math.inf
    assert logsumexp(2.5) == 2.5


def test_logsumexp_refuses_nan():
    with pytest.raises(InvalidInput, match="a must be numbers; got nan"):
        logsumexp([0.0, math.nan])


@pytest.mark.parametrize("kinds", [1, 2, 5])
@pytest.mark.parametrize("number", [0, 1, 7])
def test_multisets_are_counted(kinds, number):
    drawn = sum(1 for _ in itertools.combinations_with_replacement(range(kinds), number))
    assert math.exp(log_multisets(kinds, number)) == pytest.approx(drawn)


def test_multisets_of_nothing_and_of_infinitely_many_kinds():
    assert log_multisets(0, 3) == 0.0
    assert log_multisets(math.inf, 3) == math.inf
