"""Sums on a lattice against exact sums of random finite pairs, and against integrals in many digits."""

from __future__ import annotations

import itertools
import math

import exact_profiles as exact
import mpmath
import numpy as np
import pytest
import referee
from pairs import random_pair

from whit.curves import Array, FinitePair, GaussianLoss, LaplaceLoss, LossDistribution, SubsampledLoss, lattice_sums
from whit.curves.lattice_pairs import LatticePair
from whit.curves.lattice_sums import LatticeProfile, LatticeSums, _from_each_on
from whit.numerics import ULP

THIRD = math.log(3.0)
EPSILONS = np.array([-1.5, -0.1, 0.0, 0.2, 0.7, 1.3, 2.5])


def holds_profile(sums: LatticeSums, forward: exact.Profile, backward: exact.Profile, epsilons: Array) -> None:
    """Assert that the truth lies between the two profiles, in both orders."""
    for known, (lower, upper) in ((forward, sums.profiles), (backward, sums.reversed_profiles)):
        for epsilon, low, high in zip(epsilons, lower.delta(epsilons), upper.delta(epsilons), strict=True):
            value = known(mpmath.mpf(float(epsilon)))
            assert low <= value <= high


def vectors_of(parts: list[tuple[list[float], list[float]]]) -> tuple[list[float], list[float]]:
    """Both distributions of all releases together, in exact products rounded to 50 digits."""
    p, q = (
        [mpmath.fprod(mpmath.mpf(x) for x in each) for each in itertools.product(*side)]
        for side in zip(*parts, strict=True)
    )
    return p, q


def check_random_finite_sums(seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = [random_pair(rng, int(rng.integers(2, 5))) for _ in range(int(rng.integers(2, 5)))]
    step = float(rng.uniform(0.003, 0.05))
    sums = LatticeSums({FinitePair.of(p, q): 1 for p, q in parts}, step)
    with mpmath.workdps(50):
        p, q = vectors_of([(list(map(float, a)), list(map(float, b))) for a, b in parts])
        # The vectors add up to 1 but for rounding, for which a finite pair widens its own bounds.
        holds_profile(sums, exact.finite(p, q), exact.finite(q, p), EPSILONS)
        for level in (1e-9, 1e-3, 0.05, 0.4):
            truth = mpmath.log(sum_power(p, q, level))
            lower, upper = (float(each.log_power(np.array(math.log(level)))) for each in sums.profiles)
            assert lower <= truth <= upper


def sum_power(p: list[mpmath.mpf], q: list[mpmath.mpf], level: float) -> mpmath.mpf:
    """The Neyman-Pearson test: the outcomes of largest ratio first, the last one by chance."""
    power, left = mpmath.mpf(0), mpmath.mpf(level)
    for a, b in sorted(zip(p, q, strict=True), key=lambda each: -each[0] / each[1]):
        share = min(left / b, mpmath.mpf(1))
        power, left = power + share * a, left - share * b
    return power


@pytest.mark.parametrize("seed", range(24))
def test_random_finite_pairs_are_held_in_both_orders(seed: int) -> None:
    check_random_finite_sums(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 400))
def test_more_random_finite_pairs_are_held_in_both_orders(seed: int) -> None:
    check_random_finite_sums(seed)


@pytest.mark.parametrize(
    ("first", "other", "known", "kinks"),
    [
        (1.0, LaplaceLoss(0.5), exact.laplace(0.5), [-0.5, 0.5]),
        (1.0, GaussianLoss(0.7), exact.gaussian(0.7), []),
        (2.0, SubsampledLoss(GaussianLoss(1.0), 0.1), exact.sampled(exact.gaussian(1.0), 0.1), [math.log(0.9)]),
        (0.7, FinitePair.of([0.75, 0.25], [0.25, 0.75]), exact.finite([0.75, 0.25], [0.25, 0.75]), [-THIRD, THIRD]),
    ],
)
def test_laplace_noise_and_another_release_against_the_integral(
    first: float, other: LossDistribution, known: exact.Profile, kinks: list[float]
) -> None:
    sums = LatticeSums({LaplaceLoss(first): 1, other: 1}, 0.5 / 200)
    with mpmath.workdps(25):
        for epsilon in (0.0, 0.4, 1.1):
            truth = exact.laplace_and(first, known, mpmath.mpf(epsilon), kinks)
            low, high = (float(profile.delta(np.array(epsilon))) for profile in sums.profiles)
            # The integral is good to more than 15 digits, its bounds to 1e-4 and better.
            assert low <= truth * (1 + mpmath.mpf("1e-15"))
            assert high >= truth * (1 - mpmath.mpf("1e-15"))
            assert high - low < 2e-2 * high


def test_copies_are_the_same_as_releases_one_by_one() -> None:
    """Five copies by doubling against five pairs of one kind, which are equal and not the same."""
    faces = [FinitePair.of([0.6, 0.25, 0.15], [0.2, 0.3, 0.5]) for _ in range(5)]
    together, apart = LatticeSums({faces[0]: 5}, 0.01), LatticeSums(dict.fromkeys(faces, 1), 0.01)
    for one, other in zip(together.profiles, apart.profiles, strict=True):
        assert np.allclose(one.delta(EPSILONS), other.delta(EPSILONS), rtol=1e-11, atol=0)


def test_the_answer_does_not_depend_on_what_else_is_asked() -> None:
    lower, upper = LatticeSums({LaplaceLoss(1.0): 2, LaplaceLoss(0.5): 1}, 0.01).profiles
    for profile in (lower, upper):
        assert [float(profile.delta(np.array(t))) for t in EPSILONS] == profile.delta(EPSILONS).tolist()
        levels = np.log([1e-30, 0.01, 0.5])
        assert [float(profile.log_power(np.array(a))) for a in levels] == profile.log_power(levels).tolist()


def test_the_power_never_exceeds_what_a_bounded_loss_allows() -> None:
    """At tiny levels the best test is the top atom: the power is e^epsilon times the level, exactly."""
    sums = LatticeSums({LaplaceLoss(1.0): 1, LaplaceLoss(0.5): 1}, 0.5 / 256)
    lower, upper = sums.profiles
    levels = np.array([-10.0, -80.0, -690.0, -9e4])
    assert np.all(lower.log_power(levels) <= levels + 1.5)
    assert np.all(upper.log_power(levels) >= levels + 1.5)
    # Rounding in a number of size 9e4 is 1e-11 by itself.
    assert np.all(upper.log_power(levels) - lower.log_power(levels) < 1e-8)


def test_referee_and_sum_agree_on_one_pair() -> None:
    p, q = [0.6, 0.25, 0.15], [0.2, 0.3, 0.5]
    exactly = referee.power(p, q, 0.25)
    assert float(sum_power([mpmath.mpf(x) for x in p], [mpmath.mpf(x) for x in q], 0.25)) == pytest.approx(
        float(exactly)
    )


@pytest.mark.parametrize(("kinds", "copies"), [(1, 6), (2, 3), (3, 2)])
def test_releases_that_are_put_together_at_once_hold_the_truth(
    monkeypatch: pytest.MonkeyPatch, kinds: int, copies: int
) -> None:
    monkeypatch.setattr(lattice_sums, "FEW_PLACES", 0)
    monkeypatch.setattr(lattice_sums, "_together", None)  # nothing is put together one by one
    rng = np.random.default_rng(kinds)
    parts = [random_pair(rng, 2) for _ in range(kinds)]
    sums = LatticeSums({FinitePair.of(p, q): copies for p, q in parts}, 0.01)
    with mpmath.workdps(50):
        p, q = vectors_of([(list(map(float, a)), list(map(float, b))) for a, b in parts for _ in range(copies)])
        holds_profile(sums, exact.finite(p, q), exact.finite(q, p), EPSILONS)
    lower, upper = (profile.delta(np.zeros(1)) for profile in sums.profiles)
    assert upper - lower < 0.1 * upper


def test_at_once_and_one_after_the_other_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {SubsampledLoss(GaussianLoss(1.2), 0.05): 20, GaussianLoss(0.1): 3}
    at_once = LatticeSums(counts, 0.002, 1e-6).profiles
    monkeypatch.setattr(lattice_sums, "FEW_RELEASES", 100)
    one_by_one = LatticeSums(counts, 0.002, 1e-6).profiles
    for first, second in zip(at_once, one_by_one, strict=True):
        assert first.delta(EPSILONS) == pytest.approx(second.delta(EPSILONS), rel=1e-8)
        logs = np.log([1e-15, 1e-9, 1e-3, 0.4])
        assert first.log_power(logs) == pytest.approx(second.log_power(logs), abs=1e-8)
        backward = [each.reverse().delta(EPSILONS) for each in (first, second)]
        assert backward[0] == pytest.approx(backward[1], rel=1e-8)


@pytest.mark.parametrize("size", [1, 1023, 1024, 1025, 5000])
def test_running_sums_have_been_rounded_no_more_often_than_they_say(size: int) -> None:
    numbers = np.random.default_rng(size).lognormal(sigma=8.0, size=size)
    sums, roundings = _from_each_on(numbers)
    truths = np.array([math.fsum(numbers[place:]) for place in range(size)])
    assert np.all(np.abs(sums - truths) <= (roundings + 1) * ULP * truths)
    assert roundings <= 1024 + size / 1024 + 1
    assert np.all(np.diff(sums) <= 0.0)


@pytest.mark.parametrize("side", [-1, 1])
def test_the_power_is_the_lowest_line_over_all_corners_also_at_the_first(side: int) -> None:
    masses = np.array([0.4, 0.3, 0.2, 0.1])
    step = 0.5
    nulls = masses * np.exp(-step * np.arange(-1, 3))
    pair = LatticePair(-1, masses, 0.0, max(1.0 - float(nulls.sum()), 0.0))
    profile = LatticeProfile.of(pair, step, side)
    levels = np.log(np.linspace(0.02, 0.999, 60))
    lines = np.logaddexp(np.log(np.maximum(profile.deltas, 1e-300)), profile.places + levels[:, None])
    lowest = np.minimum(lines.min(axis=1), np.log(profile.deltas[0] + profile.slope))
    found = profile.log_power(levels)
    assert np.all(side * (found - lowest) >= 0.0)
    assert found == pytest.approx(lowest, abs=1e-12)
