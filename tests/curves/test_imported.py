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


class OfPair:
    """A profile of known losses and masses, read as either library offers it."""

    def __init__(self, losses: Sequence[float], masses: Sequence[float]) -> None:
        self.losses, self.masses, self.read = np.array(losses), np.array(masses), 0

    def delta(self, epsilon: float) -> float:
        self.read += 1
        return float(np.sum(self.masses * -np.expm1(np.minimum(epsilon - self.losses, 0.0))))

    def get_delta_for_epsilon(self, epsilon: Sequence[float]) -> list[float]:
        return [self.delta(each) for each in epsilon]


def lattice(step: float, mu: float) -> OfPair:
    """A Gaussian loss on the lattice that privacy loss distributions live on; atoms are as heavy as the density."""
    losses = step * np.arange(round(-8 * mu / step), round((8 * mu + mu * mu) / step))
    weights = np.exp(-((losses - mu * mu / 2) ** 2) / (2 * mu * mu))
    return OfPair(losses.tolist(), (weights / weights.sum()).tolist())


@pytest.mark.parametrize(
    "source",
    [
        OfPair([1.0, -1.0], [1 / (1 + np.exp(-1)), 1 / (1 + np.exp(1))]),
        OfPair([0.3, 2.0, 7.5, -0.5], [0.5, 0.2, 1e-6, 0.299999]),
        lattice(0.05, 0.5),
        lattice(0.3, 3.0),
        lattice(1e-3, 0.2),
    ],
    ids=["a coin", "few atoms", "a lattice", "a wide one", "a fine one"],
)
def test_what_is_imported_loses_no_more_than_one_in_ten_thousand(source: OfPair) -> None:
    asked = np.append(np.random.default_rng(3).uniform(0.0, 8.0, 400), source.losses[source.losses > 0][:200])
    truth = np.array([source.delta(each) for each in asked])
    seen = truth > 1e-9
    source.read = 0
    for curve in (from_dp_accounting(source), from_opendp(source)):
        found = np.asarray(curve.delta(asked).value)
        assert np.all(found >= truth * (1 - 1e-12))
        assert np.all(found[seen] <= truth[seen] * (1 + 1e-4))
    assert source.read < 40_000


def test_the_epsilons_that_are_named_are_the_ones_that_are_read() -> None:
    source = lattice(0.05, 0.5)
    from_dp_accounting(source, [0.5, 1.0])
    assert source.read == 2


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
