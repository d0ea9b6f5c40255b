"""The bounds on the power that KAA22 prints: those of one promise are the best there are, lists of them are not."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from printed_power import printed_power

from whit.curves import from_deltas
from whit.guarantees import ApproxDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.semantics.testing import power

LEVELS = np.array([0.0, 1e-300, 1e-6, 0.05, 0.5, 1.0])
ORDERS = (1.01, 1.1, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 16.0, 32.0, 64.0, 128.0)


@pytest.mark.parametrize("epsilon", [0.0, 1.0, 710.0, 1e4])
@pytest.mark.parametrize("delta", [0.0, 1e-300, 0.01])
def test_theorem_6_2_is_the_best_there_is(epsilon: float, delta: float) -> None:
    for level, value in zip(LEVELS, power(ApproxDP(epsilon, delta), LEVELS).value, strict=True):
        exact = printed_power(epsilon, delta, level)
        assert exact <= value <= exact * (1 + mpmath.mpf("1e-12"))


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_theorem_6_1_is_the_case_without_delta(epsilon: float) -> None:
    exact = [float(printed_power(epsilon, 0.0, level)) for level in LEVELS]
    np.testing.assert_allclose(power(PureDP(epsilon), LEVELS).value, exact, rtol=1e-12)


def test_a_list_of_points_is_looser_than_the_curve_through_them() -> None:
    points = {0.5: 1e-2, 1.0: 1e-3, 2.0: 1e-6}
    listed = [min(float(printed_power(*point, level)) for point in points.items()) for level in LEVELS]
    through = power(from_deltas(list(points), list(points.values())), LEVELS).value
    assert np.all(through <= np.array(listed) * (1 + 1e-12))


def test_a_list_of_orders_is_looser_than_all_of_them() -> None:
    levels = np.array([0.01, 0.3])
    listed, best = (
        power(promise, levels).value
        for promise in (RenyiDP({order: 0.2 * order for order in ORDERS}), ZeroConcentratedDP(0.2))
    )
    assert np.all(best <= listed * (1 + 1e-12))
    assert np.all(listed <= best * 1.1)
