"""Formulas about Renyi divergences, against 50 digits and on the safe side."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import Incompatible, InvalidInput
from whit.guarantees.conversions import (
    pure_gamma,
    pure_mu,
    pure_rho,
    pure_rho_textbook,
    renyi_one_sided_epsilon,
    renyi_tail,
    renyi_two_sided_epsilon,
    zcdp_epsilon,
    zcdp_one_sided_epsilon,
    zcdp_tail,
    zcdp_two_sided_epsilon,
)

mpmath.mp.dps = 50
TINY = mpmath.mpf("1e-12")
SIZES = [1e-12, 1e-3, 0.05, 0.0999, 0.1, 0.5, 1.0, 5.0, 40.0, 710.0, 1e4]


@pytest.mark.parametrize("epsilon", SIZES)
def test_pure_as_zcdp(epsilon: float) -> None:
    truth = mpmath.mpf(epsilon) * mpmath.tanh(mpmath.mpf(epsilon) / 2)
    found = mpmath.mpf(float(pure_rho(epsilon)))
    assert truth <= found <= truth * (1 + TINY)
    assert found <= float(pure_rho_textbook(epsilon)) * (1 + 1e-14)


@pytest.mark.parametrize("epsilon", SIZES)
def test_pure_as_gaussian(epsilon: float) -> None:
    """mu solves Phi(-mu/2) = 1/(1 + e^epsilon): checked forwards."""
    found = mpmath.mpf(float(pure_mu(epsilon)))
    level = 1 / (1 + mpmath.exp(mpmath.mpf(epsilon)))

    def lower_tail(x: mpmath.mpf) -> mpmath.mpf:
        return mpmath.erfc(x / mpmath.sqrt(2)) / 2

    assert lower_tail(found / 2) <= level
    assert lower_tail(found * (1 - TINY) / 2) > level


@pytest.mark.parametrize("epsilon", SIZES)
@pytest.mark.parametrize("alpha", [1.0001, 1.5, 2.0, 32.0, 1000.0])
def test_pure_as_renyi(epsilon: float, alpha: float) -> None:
    e, a = mpmath.mpf(epsilon), mpmath.mpf(alpha)
    with mpmath.workdps(80):
        truth = mpmath.log(mpmath.cosh((a - mpmath.mpf("0.5")) * e) / mpmath.cosh(e / 2)) / (a - 1)
    found = mpmath.mpf(float(pure_gamma(epsilon, alpha)))
    assert truth * (1 - mpmath.mpf("1e-40")) <= found <= truth * (1 + TINY)


@given(st.floats(1e-12, 1e4), st.floats(1e-300, 0.999))
def test_losses_of_zcdp_solve_their_bounds(rho: float, failure: float) -> None:
    r, f = mpmath.mpf(rho), mpmath.mpf(failure)
    one, two = float(zcdp_one_sided_epsilon(rho, failure)), float(zcdp_two_sided_epsilon(rho, failure))
    assert mpmath.exp(-((mpmath.mpf(one) - r) ** 2) / (4 * r)) <= f
    t = mpmath.mpf(two)
    both = mpmath.exp(-((t - r) ** 2) / (4 * r)) + mpmath.exp(-((t + r) ** 2) / (4 * r))
    assert both <= f
    assert one <= two * (1 + 1e-13)
    assert float(zcdp_epsilon(rho, failure)) == one


@given(st.floats(1.01, 100.0), st.floats(0.0, 50.0), st.floats(1e-300, 0.999))
def test_losses_of_one_order_solve_their_bounds(alpha: float, gamma: float, failure: float) -> None:
    a, g, f = (mpmath.mpf(x) for x in (alpha, gamma, failure))
    one = mpmath.mpf(float(renyi_one_sided_epsilon(alpha, gamma, failure)))
    two = mpmath.mpf(float(renyi_two_sided_epsilon(alpha, gamma, failure)))
    assert mpmath.exp((a - 1) * (g - one)) <= f
    assert mpmath.exp((a - 1) * (g - two)) * (1 + mpmath.exp(-two)) <= f


def test_tails_do_not_vanish_by_rounding() -> None:
    """A tail that is too small for a double is not 0: that would be a promise of pure privacy."""
    assert float(zcdp_tail(0.1, 1e3)) > 0.0
    assert float(renyi_tail(50.0, 1.0, 1e3)) > 0.0
    assert float(zcdp_tail(0.0, 0.1)) == 0.0


def test_extremes() -> None:
    assert np.all(np.isfinite(zcdp_two_sided_epsilon([1e-12, 1e4], 1e-300).value))
    assert float(zcdp_two_sided_epsilon(0.0, 0.1)) == 0.0
    assert float(zcdp_two_sided_epsilon(0.5, 1.0)) == 0.0
    assert float(zcdp_one_sided_epsilon(0.5, 0.0)) == np.inf
    assert float(pure_rho(0.0)) == float(pure_mu(0.0)) == float(pure_gamma(0.0, 2.0)) == 0.0


def test_bad_input_is_refused() -> None:
    with pytest.raises(InvalidInput, match="alpha must be finite and above 1; got 1.0"):
        renyi_tail(1.0, 0.5, 1.0)
    with pytest.raises(InvalidInput, match="rho must be finite and at least 0; got -1"):
        zcdp_tail(-1, 0.5)


@pytest.mark.parametrize(
    "ask",
    [
        zcdp_tail,
        zcdp_one_sided_epsilon,
        zcdp_two_sided_epsilon,
        lambda two, three: renyi_tail(2.0, two, three),
        lambda two, three: renyi_one_sided_epsilon(2.0, two, three),
    ],
)
def test_shapes_that_do_not_go_together_are_refused_in_a_sentence(ask):
    with pytest.raises(Incompatible, match=r"must have shapes that go together; got shapes \(2,\) and \(3,\)"):
        ask([0.1, 0.2], [0.1, 0.2, 0.3])
