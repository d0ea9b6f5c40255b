"""One limit for everybody, or in a box of beliefs."""

from __future__ import annotations

import math

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import InvalidInput
from whit.policy.profiles import box, constant


@given(st.floats(1.0, 1e6))
def test_the_constant_profile_has_half_the_logarithm(r: float) -> None:
    closed = constant(r).closed_form()
    truth = mpmath.log(mpmath.mpf(r)) / 2
    assert truth * (1 - 1e-13) <= closed.epsilon <= truth
    assert closed.binding == (1.0, 0.0)
    assert closed.theorem == "profile-constant"


def printed(p: float, q: float, r: float) -> mpmath.mpf:
    """A line of equation (26) as printed, with the case that it leaves out."""
    p, q, r = mpmath.mpf(p), mpmath.mpf(q), mpmath.mpf(r)
    if p * q >= 1 / r:
        return mpmath.inf
    if q == 1:
        return mpmath.log((1 - p) / (1 / r - p))
    return mpmath.log(2 * p * (1 - q) / (mpmath.sqrt((1 - p) ** 2 + 4 * p * (1 - q) * (1 / r - p * q)) - (1 - p)))


@given(st.tuples(*[st.floats(0.001, 1.0)] * 4), st.floats(1.01, 20.0))
def test_boxes_follow_the_printed_cases(ends: tuple[float, float, float, float], r: float) -> None:
    (p0, p1), (q0, q1) = sorted(ends[:2]), sorted(ends[2:])
    closed = box(r, inclusion=(p0, p1), value=(q0, q1)).closed_form()
    truth = printed(p1 if q0 * (mpmath.mpf(r) + 1) <= 1 else p0, q0, r)
    assert closed.epsilon <= truth
    if truth < 20:  # next to the void the doubles of the inputs cancel, which costs digits on the safe side
        assert closed.epsilon >= truth * (1 - 1e-9)


def test_no_limit_where_the_box_allows_certainty() -> None:
    profile = box(3.0, inclusion=(0.5, 1.0), value=(0.7, 0.9))
    assert profile.closed_form().epsilon == math.inf
    assert "limits nothing" in profile.notices()[0]


def test_notices() -> None:
    assert "Where the prior is 0.333 or more, a relative risk of 3 allows certainty." in constant(3.0).notices()[0]
    assert "only epsilon 0 meets it" in constant(1.0).notices()[-1]
    assert "hardly any room" in constant(1.01).notices()[-1]
    assert box(3.0, inclusion=(0.0, 0.2)).notices() == ()


@pytest.mark.parametrize("wrong", [0.5, -3.0])
def test_a_limit_below_1_is_refused(wrong: float) -> None:
    with pytest.raises(
        InvalidInput, match=r"relative must be at least 1, since .* Use the largest posterior over prior"
    ):
        constant(wrong)


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(InvalidInput, match="relative must be a finite number"):
        constant("3")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="relative must be a finite number"):
        constant(math.inf)
