"""Sums of coins and uniform variables, against high-precision integrals over every mixture."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from whit.numerics import coins_and_uniforms
from whit.numerics.coins_and_uniforms import log_fair, log_tails


def density(variables: int, y: mpmath.mpf) -> mpmath.mpf:
    """Of a sum of uniform variables: the alternating sum of Irwin and Hall."""
    terms = [(-1) ** k * mpmath.binomial(variables, k) * (y - k) ** (variables - 1) for k in range(int(y) + 1)]
    return mpmath.fsum(terms) / mpmath.factorial(variables - 1)


def moment(variables: int, shift: mpmath.mpf, function) -> mpmath.mpf:
    """E[f(shift + s); shift + s > 0] for a sum s of uniform variables."""
    if variables == 0:
        return function(shift) if shift > 0 else mpmath.mpf(0)
    start = max(mpmath.mpf(0), -shift)
    if start >= variables:
        return mpmath.mpf(0)
    knots = [start, *(k for k in range(int(start) + 1, variables + 1))]
    return mpmath.quad(lambda y: density(variables, y) * function(shift + y), knots)


def exact(count: int, weight: float, point: Fraction, function) -> mpmath.mpf:
    w, x = mpmath.mpf(weight), mpmath.mpf(point.numerator) / point.denominator
    total = mpmath.mpf(0)
    for uniform in range(count + 1):
        for heads in range(count - uniform + 1):
            ways = mpmath.binomial(count, uniform) * mpmath.binomial(count - uniform, heads)
            total += ways * w**uniform / mpmath.mpf(2) ** count * moment(uniform, heads - x, lambda y: function(w * y))
    return total


CASES = [
    (1, 1.0, Fraction(1, 2)),
    (2, 0.5, Fraction(3, 4)),
    (3, 1.0, Fraction(2)),
    (3, 1.0, Fraction(299, 100)),
    (4, 2.0, Fraction(1, 3)),
    (4, 0.01, Fraction(37, 10)),
    (3, 8.0, Fraction(1, 1000)),
]


@pytest.mark.parametrize(("count", "weight", "point"), CASES)
def test_both_sums_hold_the_truth_and_are_narrow(count, weight, point):
    tails = log_tails(count, weight, [point])
    for bracket, function in ((tails.even, mpmath.cosh), (tails.odd, mpmath.sinh)):
        truth = mpmath.log(exact(count, weight, point, function))
        assert bracket.lower[0] <= truth <= bracket.upper[0]
        assert bracket.upper[0] - bracket.lower[0] < 1e-11


def test_many_points_share_their_sums():
    points = [Fraction(k, 7) for k in range(1, 60)]
    together = log_tails(9, 0.3, points)
    for place, point in enumerate(points):
        alone = log_tails(9, 0.3, [point])
        assert abs(together.odd.mid[place] - alone.odd.mid[0]) < 1e-12


def test_what_is_left_out_is_found_again_with_more_terms(monkeypatch):
    """Few terms to begin with: the bound on the rest asks for more until it is negligible."""
    wanted = log_tails(40, 1.0, [Fraction(55, 2)])
    monkeypatch.setattr(coins_and_uniforms, "_enough_terms", lambda *_: 5)
    assert abs(log_tails(40, 1.0, [Fraction(55, 2)]).odd.mid[0] - wanted.odd.mid[0]) < 1e-12


@pytest.mark.parametrize("terms", [12, 20, 30])
def test_the_bound_on_what_is_left_out_is_a_bound(terms):
    count, weight, point = 40, 1.0, Fraction(55, 2)
    floors = np.array([27])
    whole = coins_and_uniforms._Sums.of(count, weight, [point], floors, 120, count)
    part = coins_and_uniforms._Sums.of(count, weight, [point], floors, terms, count)
    left_out = coins_and_uniforms._left_out(count, weight, np.array([27.5]), terms)[0]
    missing = whole.even + whole.odd - part.even - part.odd
    assert 0 < missing[0] <= left_out


@pytest.mark.parametrize("top", [30, 33, 36])
def test_the_bound_on_many_heads_is_a_bound(top):
    count, weight, point = 40, 0.5, Fraction(55, 2)
    floors = np.array([27])
    whole = coins_and_uniforms._Sums.of(count, weight, [point], floors, 80, count)
    part = coins_and_uniforms._Sums.of(count, weight, [point], floors, 80, top)
    missing = whole.even + whole.odd - part.even - part.odd
    assert 0 < missing[0] <= coins_and_uniforms._beyond(count, weight, np.array([27.5]), top)[0]


@pytest.mark.parametrize(("count", "heads"), [(1, 0), (10, 3), (2000, 1000), (20_000, 10_100)])
def test_the_log_of_a_binomial_probability(count, heads):
    truth = mpmath.log(mpmath.binomial(count, heads)) - count * mpmath.log(2)
    assert abs(log_fair(count, heads) - truth) <= 1e-14 * (1 + 2 * count)


@pytest.mark.parametrize("count", [1, 2, 7, 1999, 2000, 2001, 19_999])
def test_the_middle_of_the_binomial_law(count):
    truth = mpmath.binomial(count, count // 2) / mpmath.mpf(2) ** count
    assert math.isclose(coins_and_uniforms._middle(count), float(truth), rel_tol=4e-16)


def test_the_binomial_law_is_cut_anywhere():
    heads = np.arange(1500, 1390, -1)
    truth = [float(mpmath.binomial(2001, int(k)) / mpmath.mpf(2) ** 2001) for k in heads]
    np.testing.assert_allclose(coins_and_uniforms._fair(2001, heads), truth, rtol=1e-12)
    assert coins_and_uniforms._fair(3, np.array([1, 0, -1, -2])).tolist() == [0.375, 0.125, 0.0, 0.0]


@pytest.mark.parametrize(("count", "weight"), [(50, 3.0), (200, 1.0), (20, 10.0)])
def test_where_more_terms_would_not_fit_doubles_the_answer_is_wide_and_holds_the_truth(count, weight):
    """Next to 0 nearly all of y counts, and E[e^{wy}] = e^{wn} while E[e^{-wy}] = 1."""
    point = Fraction(1, 1000)
    found = log_tails(count, weight, [point]).odd
    truth = weight * (count - float(point)) - math.log(2)
    assert found.lower[0] < truth < found.upper[0]
    assert 1e-3 < found.upper[0] - found.lower[0] < 2.0
