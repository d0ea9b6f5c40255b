"""A limit on posterior minus prior."""

from __future__ import annotations

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import InvalidInput
from whit.policy.profiles import difference


@given(st.floats(1e-6, 0.999))
def test_it_is_twice_the_inverse_hyperbolic_tangent(b: float) -> None:
    closed = difference(b).closed_form()
    truth = 2 * mpmath.atanh(mpmath.mpf(b))
    assert truth * (1 - 1e-12) <= closed.epsilon <= truth
    assert closed.binding == (1.0, pytest.approx((1 - b) / 2))


def test_the_limit_is_the_posterior_over_the_prior() -> None:
    assert float(difference(0.2).limit(0.5, 0.2)) == pytest.approx(3.0, rel=1e-15)


def test_no_difference_at_all_leaves_epsilon_0() -> None:
    profile = difference(0.0)
    assert profile.closed_form().epsilon == 0.0
    assert "only epsilon 0" in profile.notices()[-1]


def test_where_it_is_void_is_noticed() -> None:
    assert "Where the prior is 0.8 or more, a difference of 0.2 allows certainty." in difference(0.2).notices()


def test_a_difference_of_1_is_refused() -> None:
    with pytest.raises(InvalidInput, match="the difference must be below 1"):
        difference(1.0)


def test_only_a_difference_above_0_allows_certainty_somewhere() -> None:
    assert not any("allows certainty" in said for said in difference(0.0).notices())
    assert any("Where the prior is 0.8 or more" in said for said in difference(0.2).notices())
