"""The discrete Gaussian loss against 25-digit values and direct sums in 50 digits."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import mpmath
import numpy as np
import pytest

from whit.curves import CutLoss, DiscreteGaussianLoss, FinitePair, discrete_gaussian
from whit.errors import InvalidInput, TooCostly
from whit.numerics import Bracket

REFERENCE = json.loads(Path(__file__).with_name("discrete_gaussian_reference.json").read_text(encoding="utf-8"))
CASES = [(float(s), float(t), value) for s, row in REFERENCE.items() if s != "about" for t, value in row.items()]


def holds(bracket: Bracket, truth: mpmath.mpf, slack: str = "1e-23") -> bool:
    lower, upper = (mpmath.exp(mpmath.mpf(float(end))) for end in (bracket.lower, bracket.upper))
    return bool(lower <= truth * (1 + mpmath.mpf(slack)) and truth * (1 - mpmath.mpf(slack)) <= upper)


def law(sigma: float, reach: int) -> dict[int, mpmath.mpf]:
    s = mpmath.mpf(sigma)
    raw = {k: mpmath.exp(-(mpmath.mpf(k) ** 2) / (2 * s * s)) for k in range(-reach, reach + 1)}
    total = mpmath.fsum(raw.values())
    return {k: v / total for k, v in raw.items()}


def direct(sigma: float, changes: tuple[int, ...], t: float) -> tuple[mpmath.mpf, mpmath.mpf]:
    """Profile and tail by summing over all outcomes of all cells."""
    s, noise = mpmath.mpf(sigma), law(sigma, int(13 * sigma) + 4)
    delta = tail = mpmath.mpf(0)
    for ks in product(noise, repeat=len(changes)):
        p = mpmath.fprod(noise[k] for k in ks)
        loss = sum(mpmath.mpf((k + d) ** 2 - k**2) for k, d in zip(ks, changes, strict=True)) / (2 * s * s)
        delta += p * max(1 - mpmath.exp(t - loss), mpmath.mpf(0))
        tail += p if loss > t else 0
    return delta, tail


@pytest.mark.parametrize(("sigma", "epsilon", "value"), CASES)
def test_the_profile_is_the_reference_value(sigma: float, epsilon: float, value: str) -> None:
    bracket = DiscreteGaussianLoss(sigma).log_delta(epsilon)
    truth = mpmath.mpf(value)
    assert holds(bracket, truth)
    assert abs(mpmath.exp(mpmath.mpf(float(bracket.mid))) / truth - 1) < mpmath.mpf("1e-12")


@pytest.mark.parametrize("sigma", [0.3, 0.8, 2.0])
@pytest.mark.parametrize("changes", [(1,), (3,), (1, 1), (2, 2), (1, 2)])
@pytest.mark.parametrize("t", [-0.37, 0.0, 0.83, 2.9])
def test_profile_and_tail_are_direct_sums(sigma: float, changes: tuple[int, ...], t: float) -> None:
    loss = DiscreteGaussianLoss(sigma, changes)
    delta, tail = direct(sigma, changes, t)
    assert holds(loss.log_delta(t), delta, "1e-30")
    assert holds(loss.log_tail(t), tail, "1e-30")
    assert loss.log_delta(t).upper - loss.log_delta(t).lower < 2e-11 / min(sigma, 1.0) ** 2


@pytest.mark.parametrize("sigma", [0.5, 1.0, 20.0])
def test_the_power_is_that_of_the_test_that_rejects_large_outcomes(sigma: float) -> None:
    """At the level P[k >= c] the power of the test that rejects from c on is P[k >= c - 1]."""
    noise = law(sigma, int(13 * sigma) + 4)
    loss = DiscreteGaussianLoss(sigma)
    for c in (0, 1, 2, int(3 * sigma) + 1):
        level = mpmath.fsum(p for k, p in noise.items() if k >= c)
        power = mpmath.fsum(p for k, p in noise.items() if k >= c - 1)
        bracket = loss.log_power(float(mpmath.log(level)))
        assert abs(float(bracket.mid) - float(mpmath.log(power))) < 1e-12
        assert float(bracket.lower) - 1e-13 <= float(mpmath.log(power)) <= float(bracket.upper) + 1e-13


def test_a_histogram_of_large_noise_is_nearly_gaussian() -> None:
    """Two cells at sigma 100: the lattice of the sum stays affordable, and the profile is Gaussian but for 1e-4."""
    loss = DiscreteGaussianLoss(100.0, (1, 1))
    mu = np.sqrt(2.0) / 100.0
    gaussian = 2 * (0.5 * (1 + float(mpmath.erf(mu / 2 / np.sqrt(2.0))))) - 1
    assert np.exp(float(loss.log_delta(0.0).mid)) == pytest.approx(gaussian, rel=1e-4)


def test_what_is_cut_off_counts_above_and_not_below() -> None:
    loss = DiscreteGaussianLoss(1.0)
    beyond = loss.log_delta(np.inf)
    assert beyond.lower == -np.inf
    assert beyond.upper == pytest.approx(loss.log_cut)
    assert -1000 < loss.log_cut < -740
    assert loss.log_tail(1e9).lower == -np.inf
    assert loss.log_infinity == -np.inf
    assert loss.log_power(-np.inf).upper == -np.inf
    assert loss.log_power(0.0).lower == 0.0
    assert loss.reverse() is loss


@pytest.mark.parametrize("sigma", [0.007, 0.1, 10.0, 5000.0])
def test_extremes_stay_numbers(sigma: float) -> None:
    bracket = DiscreteGaussianLoss(sigma).log_delta(np.array([0.0, 1e-12, -710.0, -1e4]))
    assert np.all(np.isfinite(bracket.lower) & (bracket.upper <= 0.0))


@pytest.mark.parametrize(
    ("sigma", "changes", "message"),
    [
        (-1.0, (1,), "sigma must be a finite number above 0; got -1.0. It is the scale"),
        (1.0, (), r"changes must be a list of whole numbers; got \(\). Give one whole number"),
        (1.0, (1.5,), "changes must be a whole number of at least 1; got 1.5. Give one"),
        (1.0, (0,), "changes must be a whole number of at least 1; got 0. Give one"),
    ],
)
def test_what_is_no_discrete_gaussian_is_refused(sigma: float, changes: tuple[int, ...], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        DiscreteGaussianLoss(sigma, changes)


@pytest.mark.parametrize(
    ("sigma", "changes"), [(1.4e4, (1,)), (1.4e4, (1, 1)), (1e5, (3,)), (7.1e5, (1,)), (1e9, (1,))]
)
def test_a_long_lattice_is_taken_in_blocks(sigma: float, changes: tuple[int, ...]) -> None:
    """Far from 0 the sum over the lattice is an integral up to 1/sigma^2 relatively, by Euler and Maclaurin."""
    loss = DiscreteGaussianLoss(sigma, changes)
    mu = mpmath.sqrt(sum(mpmath.mpf(d) ** 2 for d in changes)) / mpmath.mpf(sigma)
    for z in (0.0, 1.0, 5.0):
        t = float(z * mu)
        x = mpmath.mpf(t) / mu
        delta = mpmath.ncdf(mu / 2 - x) - mpmath.exp(mpmath.mpf(t)) * mpmath.ncdf(-mu / 2 - x)
        bracket = loss.log_delta(t)
        assert holds(bracket, delta, "1e-6")
        assert bracket.upper - bracket.lower < 3e-3
        assert holds(loss.log_tail(t), mpmath.ncdf(mu / 2 - x), "2e-4")
    assert float(loss.log_power(np.log(0.05)).mid) == pytest.approx(
        float(mpmath.log(mpmath.ncdf(mu - mpmath.mpf("1.644853626951472714863849")))), rel=1e-4
    )


def test_blocks_hold_what_the_single_points_add_up_to(monkeypatch) -> None:
    """The same lattice in blocks and point by point."""
    single = DiscreteGaussianLoss(2000.0)
    assert len(single.below.losses) > 30_000  # listed now, point by point
    monkeypatch.setattr(discrete_gaussian, "MOST_ATOMS", 1000)
    monkeypatch.setattr(discrete_gaussian, "BLOCKS", 2**15)
    blocks = DiscreteGaussianLoss(2000.0)
    assert len(blocks.below.losses) < len(single.below.losses) / 4
    t = np.array([-1e-3, 0.0, 1e-4, 2e-3, 0.01])
    for ask in ("log_delta", "log_tail"):
        narrow, wide = getattr(single, ask)(t), getattr(blocks, ask)(t)
        assert np.all((wide.lower <= narrow.mid) & (narrow.mid <= wide.upper))
        assert np.all(wide.upper - wide.lower < 0.1)
    masses = np.exp(single.below.log_masses)
    width = round(float(np.diff(blocks.below.losses[:2])[0] * 2000.0**2))
    whole = masses[: len(masses) // width * width].reshape(-1, width).sum(axis=1)
    big = whole > 1e-250
    np.testing.assert_allclose(np.exp(blocks.below.log_masses[: len(whole)])[big], whole[big], rtol=1e-10)


def test_no_epsilon_is_enough_for_a_delta_of_zero() -> None:
    assert DiscreteGaussianLoss(1.0).epsilon(-np.inf).lower == np.inf
    assert DiscreteGaussianLoss(1.0).epsilon([0.0, -1.0]).lower.tolist()[0] == 0.0


def test_blocks_of_very_different_losses_are_refused() -> None:
    with pytest.raises(TooCostly, match="the lattice of losses must have at most .* points; got sigma 20000.0 with"):
        DiscreteGaussianLoss(2e4, (10_000_000,)).log_delta(0.0)


# A loss between two lists of atoms: what is cut off counts as nothing below and as an infinite loss above


CUT = 1e-3


@dataclass(frozen=True)
class Coin(CutLoss):
    """Randomized response with epsilon 1, of which a thousandth is cut off."""

    @property
    def atoms(self) -> tuple[FinitePair, FinitePair]:
        losses = np.array([-1.0, 1.0])
        logs = np.log1p(-CUT) - np.logaddexp(0.0, -losses)
        below = FinitePair(losses, logs, mass_error=2 * CUT)
        return below, FinitePair(losses, logs, math.log(CUT), math.log(CUT))


def true_delta(epsilon: float) -> float:
    return (math.e - math.exp(epsilon)) / (1 + math.e)


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 0.9])
def test_delta_lies_between_and_what_is_cut_off_is_added_above(epsilon):
    found = Coin().log_delta(epsilon)
    lower, upper = math.exp(float(found.lower)), math.exp(float(found.upper))
    assert lower <= true_delta(epsilon) <= upper
    assert upper == pytest.approx((1 - CUT) * true_delta(epsilon) + CUT, rel=1e-9)


def test_the_tails_lie_between():
    for tail, loss in ((Coin().log_tail, 0.0), (Coin().log_tail_closed, 1.0)):
        found, truth = tail(loss), math.e / (1 + math.e)
        assert math.exp(float(found.lower)) <= truth <= math.exp(float(found.upper))
        assert math.exp(float(found.upper)) == pytest.approx((1 - CUT) * truth + CUT, rel=1e-9)


def test_nothing_that_was_cut_off_is_an_outcome_that_one_dataset_rules_out():
    loss = Coin()
    assert loss.log_infinity == -math.inf
    assert loss.log_cut == math.log(CUT)
    assert float(loss.epsilon(-math.inf).upper) == math.inf
    assert float(loss.log_power(-math.inf).upper) == -math.inf
    assert loss.reverse() is loss


@pytest.mark.parametrize(("sigma", "changes"), [(2.0, (1,)), (3.0, (1, 2)), (0.3, (1, 1, 2, 3)), (2e5, (1,))])
def test_what_is_cut_off_is_known_without_the_list_that_it_is_cut_off(sigma: float, changes: tuple[int, ...]) -> None:
    loss = DiscreteGaussianLoss(sigma, changes)
    log_cut = loss.log_cut
    assert "atoms" not in vars(loss)
    assert log_cut == loss.above.log_infinity == loss.above.log_missing
    assert loss.below.log_infinity == -math.inf


def test_cells_that_change_differently_are_listed_on_the_lattice_that_they_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three lists of some hundred losses have ten million sums, of which a few thousand differ."""

    def enumerated(pairs: object) -> FinitePair:
        raise AssertionError(pairs)

    epsilons, levels = np.array([-1.0, 0.0, 0.4, 2.0]), np.log([1e-9, 0.01, 0.5])
    listed = DiscreteGaussianLoss(3.0, (1, 2, 4))
    one_by_one = listed.log_delta(epsilons), listed.log_power(levels)
    discrete_gaussian._atoms.cache_clear()
    monkeypatch.setattr(discrete_gaussian, "MOST_PLACES", 0)
    plain = DiscreteGaussianLoss(3.0, (1, 2, 4))
    for found, known in zip(one_by_one, (plain.log_delta(epsilons), plain.log_power(levels)), strict=True):
        assert np.all((found.lower <= known.upper) & (known.lower <= found.upper))
        assert np.max(found.upper - found.lower) < 1e-9
    discrete_gaussian._atoms.cache_clear()
    monkeypatch.undo()
    monkeypatch.setattr(discrete_gaussian, "enumerated", enumerated)
    assert len(DiscreteGaussianLoss(40.0, (1, 2, 4)).below.losses) < 25_000
    discrete_gaussian._atoms.cache_clear()


@pytest.mark.parametrize("sigma", [30.0, 1000.0, 1e5])
def test_what_is_cut_off_from_blocks_is_no_more_than_is_said(sigma):
    """Of one number the tail beyond the reach, on both sides, by its own sum."""
    variance, far = sigma * sigma, math.ceil(discrete_gaussian.reach(sigma, 1))
    each = max(1.0, variance / far / 1000)
    steps = np.arange(0.0, 60 * variance / far, each)
    beyond = math.log(float(np.sum(np.exp(-steps * far / variance - steps**2 / (2 * variance)))) * each)
    log_tail = beyond - far * far / (2 * variance) - 0.5 * math.log(2 * math.pi * variance)
    said = discrete_gaussian._log_cut_of(sigma, 1, 1, 0)
    assert log_tail - 0.01 + math.log(2) <= said <= log_tail + math.log(2) + 3.0
