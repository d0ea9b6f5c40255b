"""The printed bounds: their formulas in 50 digits, never below the sharper ones."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from whit.curves import from_deltas
from whit.errors import Incompatible, InvalidInput
from whit.guarantees import ApproxDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.papers.kaa22.printed_power import approximate_power, curve_power, pure_power, renyi_power, zcdp_power
from whit.semantics.testing import power

LEVELS = np.array([0.0, 1e-300, 1e-6, 0.05, 0.5, 1.0])


@pytest.mark.parametrize("epsilon", [0.0, 1.0, 710.0, 1e4])
@pytest.mark.parametrize("delta", [0.0, 1e-300, 0.01])
def test_the_formula_of_theorem_6_2_and_that_it_is_the_best_there_is(epsilon: float, delta: float) -> None:
    found = approximate_power(epsilon, delta, LEVELS).value
    for level, value in zip(LEVELS, found, strict=True):
        a, d, factor = mpmath.mpf(level), mpmath.mpf(delta), mpmath.exp(mpmath.mpf(epsilon))
        exact = min(factor * a + d, -mpmath.expm1(-mpmath.mpf(epsilon)) + (a + d) / factor, mpmath.mpf(1))
        assert exact <= value <= exact * (1 + mpmath.mpf("1e-13"))
    np.testing.assert_allclose(found, power(ApproxDP(epsilon, delta), LEVELS).value, rtol=1e-12)


def test_theorem_6_1_is_the_case_without_delta() -> None:
    epsilons = np.array([[0.1], [1.0], [4.0]])
    assert np.array_equal(pure_power(epsilons, LEVELS).value, approximate_power(epsilons, 0.0, LEVELS).value)
    np.testing.assert_allclose(pure_power(1.0, LEVELS).value, power(PureDP(1.0), LEVELS).value, rtol=1e-12)


def test_a_list_of_points_is_looser_than_the_curve_through_them() -> None:
    epsilons, deltas = [0.5, 1.0, 2.0], [1e-2, 1e-3, 1e-6]
    listed, through = curve_power(epsilons, deltas, LEVELS).value, power(from_deltas(epsilons, deltas), LEVELS).value
    assert np.all(through <= listed * (1 + 1e-12))
    by_hand = np.min([approximate_power(e, d, LEVELS).value for e, d in zip(epsilons, deltas, strict=True)], axis=0)
    assert np.array_equal(listed, by_hand)


def test_a_list_of_orders_is_looser_than_all_of_them() -> None:
    levels = np.array([0.01, 0.3])
    listed, best = zcdp_power(0.2, levels).value, power(ZeroConcentratedDP(0.2), levels).value
    assert np.all(best <= listed * (1 + 1e-12))
    assert np.all(listed <= best * 1.1)
    assert renyi_power(3.0, 0.6, 0.05).value == power(RenyiDP({3: 0.6}), 0.05).value
    assert zcdp_power(0.2, 0.05, orders=[3.0]).value == pytest.approx(float(renyi_power(3.0, 0.6, 0.05)), rel=1e-12)


def test_bad_input_is_answered_in_one_sentence() -> None:
    with pytest.raises(InvalidInput, match="epsilon must be at least 0; got -1.0. Use a number such as 1"):
        pure_power(-1.0, 0.05)
    with pytest.raises(InvalidInput, match="epsilons and deltas must be two lists of equal length; got .* Pass one"):
        curve_power([1.0, 2.0], [0.1], 0.05)
    with pytest.raises(Incompatible, match=r"epsilon and level must have shapes .* \(2,\) and \(3,\)"):
        pure_power([1.0, 2.0], [0.1, 0.2, 0.3])
    with pytest.raises(Incompatible, match=r"delta and level must have shapes .* \(2,\) and \(3,\)"):
        approximate_power(1.0, [0.1, 0.2], [0.1, 0.2, 0.3])
