"""A cap or a ratio: Theorems 4 and 5 and the two-dimensional profile, against the printed formulas in 50 digits."""

from __future__ import annotations

import mpmath
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from whit.errors import InvalidInput
from whit.policy.profiles import capped
from whit.policy.profiles.profile import ClosedForm

caps, ratios, beliefs = st.floats(0.001, 0.99), st.floats(1.01, 20.0), st.floats(0.001, 1.0)


def theorem_4(a: float, p: float, r: float) -> mpmath.mpf:
    a, p, r = mpmath.mpf(a), mpmath.mpf(p), mpmath.mpf(r)
    if p <= a / r:
        return mpmath.log(a * (1 - p) / (p * (1 - a)))
    root = mpmath.sqrt(r**2 * (1 - p) ** 2 + 4 * (p * r - a) * (1 - a))
    return mpmath.log(2 * (p * r - a) / (root - r * (1 - p)))


def theorem_5(a: float, q: float, r: float) -> mpmath.mpf:
    a, q, r = mpmath.mpf(a), mpmath.mpf(q), mpmath.mpf(r)
    if q == 1:
        return mpmath.log((r - a) / (1 - a))
    if q <= a / r:
        return mpmath.log(a * (1 - q) / (q * (1 - a))) / 2
    if q <= 1 / (r + 1):
        return mpmath.log((1 - q) / (1 / r - q)) / 2
    root = mpmath.sqrt((r * q - a) ** 2 + 4 * a * q * (1 - q) * (1 - a))
    return mpmath.log(2 * a * (1 - q) / (root - (r * q - a)))


def assert_safe_and_close(closed: ClosedForm, truth: mpmath.mpf) -> None:
    assert closed.epsilon <= truth
    assert closed.epsilon >= truth * (1 - mpmath.mpf(10) ** -12)


@given(caps, beliefs, ratios)
def test_at_one_inclusion_it_is_theorem_4(a: float, p: float, r: float) -> None:
    assert_safe_and_close(capped(relative=r, absolute=a, inclusion=p).closed_form(), theorem_4(a, p, r))


@given(caps, beliefs, ratios)
def test_at_one_value_it_is_theorem_5(a: float, q: float, r: float) -> None:
    assume(abs(q - 1 / (r + 1)) > 1e-9)  # there the printed formula divides two numbers next to 0
    assert_safe_and_close(capped(relative=r, absolute=a, value=q).closed_form(), theorem_5(a, q, r))


@given(caps, ratios)
def test_for_everybody_it_is_the_ratio_of_what_is_missing(a: float, r: float) -> None:
    a_, r_ = mpmath.mpf(a), mpmath.mpf(r)
    assert_safe_and_close(capped(relative=r, absolute=a).closed_form(), mpmath.log((r_ - a_) / (1 - a_)) / 2)


def test_a_cap_of_0_is_the_ratio_alone() -> None:
    closed = capped(relative=2.0, absolute=0.0, value=1.0).closed_form()
    assert_safe_and_close(closed, mpmath.log(2))
    assert closed.binding == (0.0, 1.0)


def test_both_beliefs_may_be_fixed() -> None:
    closed = capped(relative=1.5, absolute=0.1, inclusion=0.5, value=1.0).closed_form()
    assert_safe_and_close(closed, mpmath.log(3))  # log(r / (2 - r))
    assert closed.theorem == "disclosure-largest-epsilon"


def test_each_case_names_its_theorem() -> None:
    assert capped(relative=2.0, absolute=0.1).closed_form().theorem == "profile-both-free"
    assert capped(relative=2.0, absolute=0.1, value=1.0).closed_form().theorem == "profile-inclusion-free"
    assert capped(relative=2.0, absolute=0.1, inclusion=1.0).closed_form().theorem == "profile-value-free"


def test_the_limit_is_the_larger_of_the_two() -> None:
    profile = capped(relative=3.0, absolute=0.25)
    assert float(profile.limit(1.0, 0.05)) == pytest.approx(5.0, rel=1e-15)
    assert float(profile.limit(0.5, 0.5)) == 3.0


def test_wrong_limits_are_refused() -> None:
    with pytest.raises(InvalidInput, match="absolute must be below 1, since a posterior of 1 is certainty"):
        capped(relative=3.0, absolute=1.0)
    with pytest.raises(InvalidInput, match="relative must be at least 1"):
        capped(relative=0.9, absolute=0.1)
    with pytest.raises(InvalidInput, match="value must be above 0"):
        capped(relative=3.0, absolute=0.1, value=0.0)
