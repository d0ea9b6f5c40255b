"""Tails at every moment, against mpmath, against all paths, and against walks that choose on the way."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest

from whit.curves import EverCoins, EverGaussianLoss, FinitePair, ever_loss, largest_loss
from whit.guarantees import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, Geometric, Laplace, RandomizedResponse
from whit.theory import theorem

# Printed with the theorem: mu^2, the loss, and the probability that it is ever reached.
PRINTED = [(0.14, 1.0, 0.012231), (1.0, 2.0, 0.112691), (5.26, 5.0, 0.215897)]


def reached(mu: float, t: float) -> mpmath.mpf:
    with mpmath.workdps(60):
        m, z = mpmath.mpf(mu), mpmath.mpf(t)
        return mpmath.ncdf(m / 2 - z / m) + mpmath.exp(z) * mpmath.ncdf(-m / 2 - z / m)


@pytest.mark.parametrize(("square", "t", "printed"), PRINTED)
def test_the_printed_values(square: float, t: float, printed: float) -> None:
    assert float(EverGaussianLoss(math.sqrt(square)).log_tail(t).exp().mid) == pytest.approx(printed, abs=5e-7)


@pytest.mark.parametrize("mu", [1e-6, 0.01, 0.374, 1.0, 2.3, 8.0, 40.0])
@pytest.mark.parametrize("away", [-12.0, -3.0, -0.5, 0.0, 0.7, 3.0, 9.0, 30.0])
def test_gaussian_noise_agrees_with_mpmath(mu: float, away: float) -> None:
    """At a threshold so many standard deviations from the mean; to 1e-12 of the log, or of its size."""
    t = mu * mu / 2 + away * mu
    if t <= 0.0:
        return
    found = EverGaussianLoss(mu).log_tail(t)
    with mpmath.workdps(60):
        truth = mpmath.log(reached(mu, t))
    assert found.lower <= truth <= found.upper
    assert float(found.upper - found.lower) <= 1e-12 * (1 + abs(float(truth)))


def test_up_to_no_loss_it_is_certain_and_an_infinite_one_never_comes() -> None:
    ever = EverGaussianLoss(1.0)
    assert ever.log_tail([-np.inf, -1.0, 0.0]).lower.tolist() == [0.0, 0.0, 0.0]
    assert ever.log_tail(np.inf).upper == -np.inf
    assert ever.log_below(np.inf).upper == -np.inf


def test_it_is_twice_the_tail_less_the_profile() -> None:
    plain, ever, t = Gaussian(0.7).loss(), EverGaussianLoss(1 / 0.7), np.array([0.3, 1.0, 4.0])
    twice = 2 * plain.log_tail(t).exp().mid - plain.log_delta(t).exp().mid
    assert ever.log_tail(t).exp().mid == pytest.approx(twice, rel=1e-12)


@pytest.mark.parametrize(("epsilon", "releases"), [(0.5, 1), (0.5, 10), (1.0, 7), (0.03, 12)])
def test_coins_agree_with_all_paths(epsilon: float, releases: int) -> None:
    coin = RandomizedResponse(epsilon).loss()
    assert isinstance(coin, FinitePair)
    ever = EverCoins.of_coin(coin, releases)
    signs = np.array(list(itertools.product([-1, 1], repeat=releases)))
    truth = 1 / (1 + math.exp(-epsilon))
    p = np.prod(np.where(signs > 0, truth, 1 - truth), axis=1)
    highest, lowest = np.cumsum(signs, axis=1).max(axis=1), np.cumsum(signs, axis=1).min(axis=1)
    for steps in (0.3, 0.5, 1.5, 2.5, releases - 0.5, releases + 0.5):
        found = ever.log_tail(steps * epsilon).exp()
        # The sums of the paths are rounded as well.
        assert found.lower <= p[highest > steps].sum() + 1e-15
        assert found.upper >= p[highest > steps].sum() - 1e-15
        assert found.upper - found.lower <= 1e-12
        assert ever.log_below(steps * epsilon).exp().upper >= p[lowest < -steps].sum() - 1e-15


def test_a_threshold_on_a_loss_is_between_its_two_sides() -> None:
    ever = EverCoins.of_coin(RandomizedResponse(0.5).loss(), 4)  # type: ignore[arg-type]
    on, before, after = (ever.log_tail(t).exp() for t in (1.0, 1.0 - 1e-9, 1.0 + 1e-9))
    assert on.lower <= after.lower
    assert on.upper >= before.upper
    assert ever.log_tail_closed(1.0).exp().upper >= before.upper


@pytest.mark.parametrize(
    "mechanism",
    [Gaussian(1.0), Gaussian(2.0).times(9), RandomizedResponse(0.5).times(10), Geometric(1.0).times(5), Laplace(1.0)],
)
@pytest.mark.parametrize("failure", [0.3, 0.01, 1e-6])
@pytest.mark.parametrize("sides", [1, 2])
def test_ever_lies_between_the_end_and_the_profile(mechanism: Gaussian, failure: float, sides: int) -> None:
    at_the_end = largest_loss(mechanism, failure, sides=sides)
    ever = ever_loss(mechanism, failure, sides=sides)
    profile = largest_loss(mechanism.mixed(), failure, sides=sides)
    assert float(at_the_end) <= float(ever) * (1 + 1e-12)
    assert float(ever) <= float(profile) * (1 + 1e-12)
    # What may fail rests on a theorem that lets somebody stop where it suits them.
    stops = [key for key in ever.basis.theorems if "stopping" in theorem(key).hypotheses.adaptivity]
    assert bool(stops) == bool(ever.basis.failures)


@pytest.mark.parametrize("promise", [PureDP(1.0), ApproxDP(1.0, 1e-6), ZeroConcentratedDP(0.5), GaussianDP(1.0)])
def test_a_promise_that_survives_processing_is_the_same_at_every_moment(promise: PureDP) -> None:
    assert float(ever_loss(promise, 0.01)) == float(largest_loss(promise.mixed(), 0.01))


def walks(rng: np.random.Generator, square: float, number: int, steps: int, stop: float | None) -> np.ndarray:
    """The highest loss of Gaussian walks whose analyst spends the square as they like, up to a limit.

    With a threshold to reach they stop there; otherwise they spend an even share each time.
    """
    spent, loss, highest = np.zeros(number), np.zeros(number), np.full(number, -np.inf)
    for left in range(steps, 0, -1):
        # Bold while behind: half of what is left; careful while ahead.
        share = (square - spent) / left if stop is None else np.where(loss < stop / 2, 0.5, 1 / left) * (square - spent)
        share = np.where((stop is not None) & (highest >= (stop or np.inf)), 0.0, share)
        loss = loss + rng.normal(share / 2, np.sqrt(share))
        spent, highest = spent + share, np.maximum(highest, loss)
    return highest


@pytest.mark.parametrize(("square", "t", "_printed"), PRINTED)
def test_analysts_who_choose_on_the_way_keep_to_the_bound(square: float, t: float, _printed: float) -> None:
    """Beyond five standard errors once in 3 million for each analyst; and looking often breaks the bound at the end."""
    rng, number = np.random.default_rng(7), 40_000
    bound, at_the_end = float(reached(math.sqrt(square), t)), float(Gaussian(1 / math.sqrt(square)).tail(t).upper)
    error = 5 * math.sqrt(bound / number)
    often = [float(np.mean(walks(rng, square, number, 100, stop) >= t)) for stop in (None, t)]
    assert max(often) <= bound + error
    assert often[0] > at_the_end + error


def test_losses_that_are_known_to_an_error_leave_it_open_on_which_side_of_a_threshold_they_are() -> None:
    """Three losses of 0.5 up to 1e-9 add up to 1.5 up to 3e-9: whether they pass 1.5 - 2e-9 is not known."""
    masses = np.log([1 / (1 + math.exp(0.5)), 1 / (1 + math.exp(-0.5))])
    ever = EverCoins.of_coin(FinitePair([-0.5, 0.5], masses, loss_error=1e-9), 3)
    below, on_it, above = (ever.log_tail(1.5 + away * 1e-9) for away in (-4.0, -2.0, 4.0))
    assert below.lower == pytest.approx(3 * masses[1], rel=1e-12)
    assert on_it.lower == -math.inf
    assert on_it.upper >= 3 * masses[1]
    assert above.upper == -math.inf
