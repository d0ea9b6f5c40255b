"""The arithmetic of the bound against high precision, on its own side and close."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whit.errors import Incompatible
from whit.semantics.disclosure import safe_epsilon
from whit.semantics.disclosure.bound import posterior_up, reciprocal_up, risk_up, times_down, times_up, unlimited

BELIEFS = [0.0, 1e-300, 1e-15, 0.05, 1 / 3, 0.5, 0.999999, 1.0]
LOSSES = [0.0, 1e-300, 1e-12, 0.1, 1.0, 36.7, 710.0, 1e4, math.inf]

beliefs = st.one_of(st.sampled_from(BELIEFS), st.floats(0.0, 1.0))
losses = st.one_of(st.sampled_from(LOSSES), st.floats(0.0, 50.0))
limits = st.one_of(st.sampled_from([1.0, 1 + 2**-52, 1 + 1e-9, 1.5, 2.0, 3.0, 1e9]), st.floats(1.0, 100.0))


def true_reciprocal(loss_in: float, loss_swap: float, p: float, q: float) -> mpmath.mpf:
    p, q = mpmath.mpf(p), mpmath.mpf(q)
    return p * q + p * (1 - q) * mpmath.exp(-loss_swap) + (1 - p) * mpmath.exp(-loss_in)


def arrays(*numbers: float) -> list[np.ndarray]:
    return [np.asarray(x, dtype=np.float64) for x in numbers]


@given(losses, losses, beliefs, beliefs)
def test_the_bound_is_rounded_up_and_close(loss_in: float, loss_swap: float, p: float, q: float) -> None:
    found = float(risk_up(*arrays(loss_in, loss_swap, p, q)))
    reciprocal = true_reciprocal(loss_in, loss_swap, p, q)
    if reciprocal == 0:
        assert found == math.inf
        return
    assert found >= 1 / reciprocal
    if 1 / reciprocal < 1e300:
        assert found <= 1 / reciprocal * (1 + mpmath.mpf(16) / 2**53)


@given(losses, losses, beliefs, beliefs)
def test_the_posterior_is_rounded_up_and_at_most_1(loss_in: float, loss_swap: float, p: float, q: float) -> None:
    found = float(posterior_up(*arrays(loss_in, loss_swap, p, q)))
    prior, reciprocal = mpmath.mpf(p) * mpmath.mpf(q), true_reciprocal(loss_in, loss_swap, p, q)
    truth = prior / reciprocal if prior > 0 else mpmath.mpf(0)
    assert truth <= found <= 1.0
    # A prior below the normal doubles has fewer digits.
    if prior > 1e-290:
        assert found <= truth * (1 + mpmath.mpf(16) / 2**53)


def test_nothing_released_has_risk_exactly_1() -> None:
    p, q = np.meshgrid(BELIEFS, BELIEFS)
    assert np.all(risk_up(np.zeros_like(p), np.zeros_like(p), p, q) == 1.0)


def true_epsilon(r: float, p: float, q: float, factor: float) -> mpmath.mpf:
    """The largest epsilon by the formulas, in 50 digits."""
    r, p, q = mpmath.mpf(r), mpmath.mpf(p), mpmath.mpf(q)
    c, u, v = 1 / r - p * q, 1 - p, p * (1 - q)
    if c <= 0:
        return mpmath.inf
    x = c / (u + v) if factor == 1 else 2 * c / (u + mpmath.sqrt(u * u + 4 * v * c))
    return -mpmath.log(x)


@given(limits, beliefs, beliefs, st.sampled_from([1.0, 2.0]))
def test_the_inverse_is_rounded_down_and_close(r: float, p: float, q: float, factor: float) -> None:
    found, truth = float(safe_epsilon(r, p, q, swap_factor=factor)), true_epsilon(r, p, q, factor)
    assert found <= truth
    if truth == mpmath.inf:
        assert found == math.inf
    elif 1 / mpmath.mpf(r) - mpmath.mpf(p) * mpmath.mpf(q) > 1e-3:  # closer to the void the inputs themselves cancel
        assert found >= truth * (1 - mpmath.mpf(10) ** -12)


@settings(max_examples=25)
@given(st.floats(0.1, 1.9), st.floats(1.01, 50.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_another_factor_solves_its_equation(factor: float, r: float, p: float, q: float) -> None:
    found = float(safe_epsilon(r, p, q, swap_factor=factor))
    if found == math.inf:
        assert mpmath.mpf(r) * p * q >= 1
        return
    assert true_reciprocal(found, factor * found, p, q) >= 1 / mpmath.mpf(r) * (1 - mpmath.mpf(2) ** -52)
    more = found * (1 + 1e-9) + 1e-13
    if r * p * q < 0.999:
        assert true_reciprocal(more, factor * more, p, q) < 1 / mpmath.mpf(r)


def test_the_order_of_the_degenerate_cases() -> None:
    assert float(safe_epsilon(1.0, 1.0, 1.0)) == math.inf  # certainty before: unlimited comes first
    assert float(safe_epsilon(1.0, 0.5, 0.5)) == 0.0
    assert float(safe_epsilon(0.999, 0.5, 0.5)) == -math.inf
    assert float(safe_epsilon(2.0, 0.5, 1.0)) == math.inf
    assert float(safe_epsilon(math.inf, 1e-200, 1e-200)) == math.inf


def test_the_border_of_the_void_is_decided_without_rounding() -> None:
    r, p, q = arrays([3.0, 10.0, 2.0], [1 / 3, 0.1, 0.5], [1.0, 1.0, 1.0])
    assert list(unlimited(r, p, q)) == [False, True, True]  # the double 1/3 is below a third, 0.1 above a tenth


def test_small_limits_keep_their_digits() -> None:
    r = 1 + 2.0**-40
    truth = true_epsilon(r, 0.3, 0.2, 2.0)
    assert truth * (1 - mpmath.mpf(10) ** -14) <= float(safe_epsilon(r, 0.3, 0.2)) <= truth


@given(st.floats(0, 1e3), st.floats(0, 1e3))
def test_products_are_rounded_outwards(x: float, y: float) -> None:
    a, b = arrays(x, y)
    assert mpmath.mpf(float(times_down(a, b))) <= mpmath.mpf(x) * y <= mpmath.mpf(float(times_up(a, b)))


def test_the_reciprocal_is_exact_at_1_and_infinite_at_0() -> None:
    assert list(reciprocal_up(np.array([0.0, 1.0]))) == [math.inf, 1.0]
    assert float(reciprocal_up(np.asarray(1 / 3))) >= 3.0


@pytest.mark.parametrize("factor", [1.0, 2.0, 1.3])
def test_arrays_give_what_numbers_give(factor: float) -> None:
    r, p = np.meshgrid([1.0, 1.5, 3.0, 40.0], [0.0, 0.1, 0.9, 1.0])
    found = safe_epsilon(r, p, 0.4, swap_factor=factor)
    for place in np.ndindex(r.shape):
        assert found[place] == float(safe_epsilon(r[place], p[place], 0.4, swap_factor=factor))


def test_shapes_that_do_not_go_together_are_refused_in_a_sentence():
    with pytest.raises(Incompatible, match=r"limit and value must have shapes that go together"):
        safe_epsilon([2.0, 3.0], 0.5, [0.1, 0.2, 0.3])
