"""The largest epsilon at one adversary from rational numbers."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
from hypothesis import given
from hypothesis import strategies as st

from whit.policy.profiles.formula import epsilon_at

parts = st.integers(0, 1000).map(lambda n: Fraction(n, 1000))


@given(st.fractions(1, 50, max_denominator=10**6), parts, parts)
def test_it_solves_the_equation_from_below(limit: Fraction, p: Fraction, q: Fraction) -> None:
    found = epsilon_at(limit, p, q)
    c, u, v = (mpmath.mpf(x.numerator) / x.denominator for x in (1 / limit - p * q, 1 - p, p * (1 - q)))
    if c <= 0:
        assert found == math.inf
        return
    truth = -mpmath.log(2 * c / (u + mpmath.sqrt(u * u + 4 * v * c)))
    assert truth * (1 - mpmath.mpf(10) ** -13) - mpmath.mpf(10) ** -30 <= found <= max(truth, 0)
