"""A bare promise on a sample: in high precision, against the pair that the promise allows, and at the extremes."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from whit.errors import InvalidInput, NotImplied
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP, amplified
from whit.setting import Neighbours


@pytest.mark.parametrize("epsilon", [1e-12, 0.3, 0.9999, 1.0, 7.0, 40.0, 900.0])
@pytest.mark.parametrize("rate", [1e-12, 0.01, 0.5, 0.999999])
def test_epsilon_is_that_of_the_theorem_rounded_up(epsilon, rate):
    with mpmath.workdps(60):
        exact = mpmath.log1p(mpmath.mpf(rate) * mpmath.expm1(mpmath.mpf(epsilon)))
        found = amplified(PureDP(epsilon), rate).promise.stated_epsilon
        assert exact <= found
        assert found <= exact * (1 + mpmath.mpf(10) ** -13) + mpmath.mpf(10) ** -12 * (rate > 1e-3) + 1e-11


def test_no_pair_that_keeps_the_promise_beats_it_on_a_sample_in_either_order():
    growth, delta, rate = Fraction(3), Fraction(1, 20), Fraction(1, 5)
    p = [delta, (1 - delta) * growth / (1 + growth), (1 - delta) / (1 + growth), Fraction(0)]
    q = p[::-1]
    mixed = [(1 - rate) * b + rate * a for a, b in zip(p, q, strict=True)]
    promise = amplified(ApproxDP(float(mpmath.log(3)), 0.05), 0.2).promise
    factor = Fraction(float(mpmath.exp(promise.stated_epsilon)))
    for one, other in ((mixed, q), (q, mixed)):
        beyond = sum(max(a - factor * b, Fraction(0)) for a, b in zip(one, other, strict=True))
        assert beyond <= Fraction(promise.stated_delta) * (1 + Fraction(1, 10**12))
    reached = sum(max(a - (1 + rate * (growth - 1)) * b, Fraction(0)) for a, b in zip(mixed, q, strict=True))
    assert reached == rate * delta


def test_the_ends_are_nothing_and_everything():
    promise = ApproxDP(2.0, 1e-5, neighbours=Neighbours.REPLACE)
    assert amplified(promise, 1.0).promise == promise
    assert amplified(promise, 0.0).promise == ApproxDP(0.0, 0.0, neighbours=Neighbours.REPLACE)
    assert amplified(promise, 0.5).basis.theorems == ("amplification-by-sampling",)


def test_what_is_no_promise_by_epsilon_is_refused():
    with pytest.raises(NotImplied, match="what a promise becomes on a sample is known for epsilon and delta"):
        amplified(ZeroConcentratedDP(0.1), 0.1)  # type: ignore[type-var]
    with pytest.raises(NotImplied, match="under add/remove or replacement"):
        amplified(PureDP(1.0, neighbours=Neighbours.LOCAL), 0.1)
    with pytest.raises(InvalidInput, match=r"rate must be a probability in \[0, 1\]; got 2"):
        amplified(PureDP(1.0), 2)
