"""Curves from elsewhere: each has the direction that its source deserves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from whit.curves import (
    Curve,
    GaussianLoss,
    Order,
    from_deltas,
    from_dp_accounting,
    from_largest_powers,
    from_opacus,
    from_opendp,
    from_powers,
)
from whit.errors import InvalidInput, NotImplied
from whit.theory import Direction

TRUTH = GaussianLoss(1.0)


def true_delta(epsilon: float) -> float:
    return float(np.exp(TRUTH.log_delta(epsilon).upper))


class LikeDpAccounting:
    """Answers as a dp-accounting distribution does: a list for a list, with the noise it is known for."""

    def get_delta_for_epsilon(self, epsilon: Sequence[float]) -> list[float]:
        return [true_delta(each) - 1e-13 for each in epsilon]


class LikeOpenDP:
    """Answers as an OpenDP privacy profile does: one delta for one epsilon."""

    def delta(self, epsilon: float) -> float:
        return true_delta(epsilon) * (1 + 1e-9)


def test_a_table_of_deltas_is_an_upper_bound() -> None:
    epsilons = np.linspace(0, 6, 25)
    curve = from_deltas(epsilons, [true_delta(each) for each in epsilons])
    assert curve.direction is Direction.AT_MOST
    assert curve.order is Order.PROFILE
    between = np.linspace(0, 8, 101)
    assert np.all(curve.delta(between).value >= np.exp(TRUTH.log_delta(between).lower))
    assert float(curve.power(0.05)) == pytest.approx(0.2595, abs=2e-3)
    with pytest.raises(NotImplied, match="cannot be read off"):
        curve.tail(1.0)


def test_a_dp_accounting_distribution_is_about() -> None:
    curve = from_dp_accounting(LikeDpAccounting())
    assert curve.direction is Direction.ABOUT
    assert curve.delta(1.0).value == pytest.approx(true_delta(1.0), rel=1e-3)
    assert curve.delta(90.0).value == 0.0  # the noise below zero is cut


def test_an_opendp_profile_is_an_upper_bound() -> None:
    curve = from_opendp(LikeOpenDP())
    assert curve.direction is Direction.AT_MOST
    assert true_delta(1.0) <= curve.delta(1.0).value <= true_delta(1.0) * 1.001


def test_an_opacus_history_is_exact() -> None:
    """fourier-accountant's README: rate 0.01, sigma 4, 1000 steps have delta(1) = 4.243484e-6 for replaced records,
    twice the distance; with added or removed ones sigma 2 is the same as sensitivity 2 at sigma 4."""
    full = from_opacus([(2.0, 1.0, 4)])
    assert float(full.delta(1.0)) == pytest.approx(true_delta(1.0), rel=1e-9)
    phases = from_opacus([(1.0, 0.01, 500), (1.5, 0.02, 500)])
    assert phases.direction is Direction.EXACTLY
    assert float(phases.delta(1.0)) > float(from_opacus([(1.0, 0.01, 500)]).delta(1.0))


def test_an_audit_is_a_lower_bound() -> None:
    levels = [0.001, 0.01, 0.1]
    curve = from_powers(levels, np.exp(TRUTH.log_power(np.log(levels)).lower))
    assert curve.direction is Direction.AT_LEAST
    assert curve.delta(1.0).value <= true_delta(1.0)
    assert curve.epsilon(1e-3).direction is Direction.AT_LEAST


def test_a_table_of_largest_powers_is_an_upper_bound() -> None:
    levels = np.array([0.001, 0.01, 0.1])
    curve = from_largest_powers(levels, np.exp(TRUTH.log_power(np.log(levels)).upper))
    assert curve.direction is Direction.AT_MOST
    asked = np.geomspace(1e-6, 0.9, 50)
    assert np.all(curve.power(asked).value >= np.exp(TRUTH.log_power(np.log(asked)).lower))
    assert curve.delta(1.0).value >= true_delta(1.0)


def test_imports_of_nothing_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"epsilons must be at least one; got .*Use a list"):
        from_deltas([], [])
    with pytest.raises(InvalidInput, match=r"history must hold a phase; got \[\]. Train before you ask"):
        from_opacus([])
    with pytest.raises(InvalidInput, match=r"steps must be .*; got 0. Use the number of batches"):
        from_opacus([(1.0, 0.01, 0)])


def test_an_imported_curve_composes() -> None:
    table = from_deltas([0.5, 1.0, 2.0], [0.05, 0.01, 1e-4])
    both = Curve.exact(GaussianLoss(0.5))
    assert isinstance(both, Curve)
    assert table.direction is Direction.AT_MOST
