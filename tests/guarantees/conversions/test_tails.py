"""Tails from (epsilon, delta): against 50 digits, at the edges, and never on the unsafe side."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import Incompatible, InvalidInput
from whit.guarantees.conversions import (
    largest_epsilon,
    one_sided_epsilon,
    one_sided_tail,
    two_sided_epsilon,
    two_sided_tail,
)

mpmath.mp.dps = 50


def test_both_bounds_of_one_side() -> None:
    """(0.1, 0.3) at 0.5: Markov alone would give 0.910."""
    e, d, t = mpmath.mpf("0.1"), mpmath.mpf("0.3"), mpmath.mpf("0.5")
    sharper = (mpmath.expm1(e) + d) / (mpmath.exp(e) - mpmath.exp(-t))
    found = float(one_sided_tail(0.1, 0.3, 0.5))
    assert found == pytest.approx(float(sharper), rel=1e-13)
    assert found == pytest.approx(0.8126, abs=5e-5)
    assert float(d / (1 - mpmath.exp(e - t))) == pytest.approx(0.910, abs=5e-4)


@given(st.floats(0.0, 20.0), st.floats(1e-30, 0.4), st.floats(1e-3, 1.0))
def test_two_sides_against_fifty_digits(epsilon: float, delta: float, share: float) -> None:
    failure = min(1.0, delta + share * (1 - delta))
    e, d, f = mpmath.mpf(epsilon), mpmath.mpf(delta), mpmath.mpf(failure)
    truth = mpmath.log((f * mpmath.exp(e) + d) / (f - d))
    found = float(two_sided_epsilon(epsilon, delta, failure))
    assert truth <= mpmath.mpf(found) <= truth * (1 + mpmath.mpf("1e-13"))


@given(st.floats(0.0, 20.0), st.floats(1e-300, 0.4), st.floats(1e-3, 1.0))
def test_one_side_solves_its_bound(epsilon: float, delta: float, share: float) -> None:
    failure = min(1.0, delta + share * (1 - delta))
    loss = float(one_sided_epsilon(epsilon, delta, failure))
    assert float(one_sided_tail(epsilon, delta, loss)) <= failure * (1 + 1e-11)
    assert loss <= float(two_sided_epsilon(epsilon, delta, failure))


def test_beyond_the_point_where_markov_is_attained_the_other_bound_is_smaller() -> None:
    markov = 0.1 - np.log1p(-0.3 / 0.85)
    assert float(one_sided_epsilon(0.1, 0.3, 0.85)) < markov


def test_the_far_side_adds_a_factor() -> None:
    assert float(two_sided_tail(0.015, np.log(3.0))) == pytest.approx(0.02, rel=1e-14)
    assert float(two_sided_tail(0.9, 0.0)) == 1.0


def test_extremes_are_finite() -> None:
    found = two_sided_epsilon([0.0, 1e-12, 710.0, 1e4], 1e-300, 1e-12)
    assert np.all(np.isfinite(found.value))
    assert float(two_sided_epsilon(1.0, 0.0, 0.0)) == pytest.approx(1.0, rel=1e-14)
    assert float(one_sided_tail(1.0, 1e-300, 2.0)) > 0.0


def test_the_largest_epsilon_is_the_inverse_and_rounded_down() -> None:
    found = float(largest_epsilon(1.0, 1e-6, 0.01))
    assert float(two_sided_epsilon(found, 1e-6, 0.01)) == pytest.approx(1.0, rel=1e-13)
    truth = mpmath.log(mpmath.e * (1 - mpmath.mpf(1e-6) / mpmath.mpf(0.01)) - mpmath.mpf(1e-6) / mpmath.mpf(0.01))
    assert mpmath.mpf(found) <= truth


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: two_sided_epsilon(1.0, 0.1, 0.05), "failure must be above delta.*got 0.05 against 0.1"),
        (lambda: two_sided_epsilon(-1.0, 0.1, 0.5), "epsilon must be finite and at least 0; got -1.0"),
        (lambda: one_sided_tail(1.0, 1.5, 2.0), r"delta must be a probability in \[0, 1\]; got 1.5"),
        (lambda: largest_epsilon(0.1, 0.09, 0.1), "failure must leave room for an epsilon"),
    ],
)
def test_bad_input_is_refused(call, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        call()


@pytest.mark.parametrize(
    "ask",
    [
        two_sided_tail,
        lambda two, three: one_sided_epsilon(two, 0.01, three),
        lambda two, three: one_sided_epsilon(1.0, two, three),
    ],
)
def test_shapes_that_do_not_go_together_are_refused_in_a_sentence(ask):
    with pytest.raises(Incompatible, match=r"must have shapes that go together; got shapes \(2,\) and \(3,\)"):
        ask([0.1, 0.2], [0.1, 0.2, 0.3])
