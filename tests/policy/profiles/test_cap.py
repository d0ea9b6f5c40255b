"""A cap on the posterior."""

from __future__ import annotations

import mpmath
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from whit.errors import InvalidInput
from whit.policy.profiles import absolute_cap


@given(st.floats(0.01, 0.99), st.floats(0.01, 1.0))
def test_for_membership_it_is_the_difference_of_log_odds(cap: float, prior: float) -> None:
    assume(prior < cap * 0.999)
    closed = absolute_cap(cap, inclusion=(0.0, prior)).closed_form()
    x, p = mpmath.mpf(cap), mpmath.mpf(prior)
    truth = mpmath.log(x / (1 - x)) - mpmath.log(p / (1 - p))
    assert truth * (1 - 1e-9) <= closed.epsilon <= truth
    assert closed.binding == (prior, 1.0)


@pytest.mark.parametrize("largest", [0.25, 0.3])
def test_a_cap_at_or_below_a_prior_is_refused_with_the_place(largest: float) -> None:
    with pytest.raises(InvalidInput, match=r"absolute must be above every prior .* a cap of 0.25 at inclusion"):
        absolute_cap(0.25, inclusion=(0.0, largest))


def test_a_cap_hardly_above_a_prior_is_noticed() -> None:
    assert "hardly any room" in absolute_cap(0.2501, inclusion=(0.0, 0.25)).notices()[0]
    assert absolute_cap(0.5, inclusion=(0.0, 0.25)).notices() == ()


def test_a_cap_is_a_probability() -> None:
    with pytest.raises(InvalidInput, match="absolute must be a probability strictly between 0 and 1"):
        absolute_cap(1.0, inclusion=(0.0, 0.1))
