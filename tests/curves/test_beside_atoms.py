"""One release in closed form beside others with finitely many losses, whose sums share no lattice."""

from __future__ import annotations

import math
import tracemalloc

import exact_profiles as exact
import mpmath
import numpy as np
import pytest

from whit.curves import (
    ComposedLoss,
    Curve,
    DiscreteGaussianLoss,
    FinitePair,
    GaussianLoss,
    LaplaceLoss,
    LossDistribution,
    SubsampledLoss,
    composed,
    contour,
)
from whit.curves import ComposedLoss as Whole
from whit.curves.beside_atoms import LEAST_LISTED, LossBesideAtoms, NoiseBesideAtoms, beside_atoms
from whit.curves.short_sum import ShortSum

P, Q = [0.5, 0.3125, 0.1875], [0.25, 0.0625, 0.6875]
THREE = FinitePair.of(P, Q)
SAMPLE = SubsampledLoss(GaussianLoss(0.59), 0.23, removed=False)


def together(counts: dict[LossDistribution, int]) -> ComposedLoss:
    face = composed({Curve.exact(face): copies for face, copies in counts.items()}).face
    assert isinstance(face, ComposedLoss)
    return face


def listed_profile(profile: exact.Profile, copies: int, t: float, p: list[float], q: list[float]) -> mpmath.mpf:
    """The sum over all ways to draw the finite losses, one copy at a time."""
    atoms = [(mpmath.log(mpmath.mpf(a) / mpmath.mpf(b)), mpmath.mpf(a)) for a, b in zip(p, q, strict=True)]
    sums = [(mpmath.mpf(0), mpmath.mpf(1))]
    for _ in range(copies):
        sums = [(z + y, a * b) for z, a in sums for y, b in atoms]
    return mpmath.fsum(a * profile(mpmath.mpf(t) - z) for z, a in sums)


ONES = [
    (SAMPLE, exact.sampled(exact.gaussian(0.59), 0.23, removed=False)),
    (LaplaceLoss(0.7), exact.laplace(0.7)),
    (SubsampledLoss(LaplaceLoss(1.3), 0.1), exact.sampled(exact.laplace(1.3), 0.1)),
]


@pytest.mark.parametrize(("one", "profile"), ONES)
def test_the_profile_is_the_sum_over_all_losses_of_the_others(one: LossDistribution, profile: exact.Profile) -> None:
    """On a lattice delta was known to a part in fifty for the sample."""
    face = together({one: 1, THREE: 4})
    assert isinstance(face, LossBesideAtoms)
    with mpmath.workdps(40):
        for t in (-0.8, 0.1, 1.1, 3.3, 5.1):
            forward = face.log_delta(t)
            assert forward.lower <= mpmath.log(listed_profile(profile, 4, t, P, Q)) <= forward.upper
            backward = face.reverse().log_delta(t)
            turned = exact.reversed_profile(profile)
            assert backward.lower <= mpmath.log(listed_profile(turned, 4, t, Q, P)) <= backward.upper
            assert max(forward.upper - forward.lower, backward.upper - backward.lower) < 1e-10


def test_gaussians_beside_finite_losses_are_one() -> None:
    """A power was known to parts in ten thousand only, on a lattice that is wide for a loss that hardly deviates."""
    face = together({GaussianLoss(0.006): 4, GaussianLoss(0.01): 2, THREE: 4})
    assert isinstance(face, LossBesideAtoms)
    assert isinstance(face.one, GaussianLoss)
    assert face.one.mu == pytest.approx(math.sqrt(4 * 0.006**2 + 2 * 0.01**2), rel=1e-15)
    power = face.log_power(np.log([1e-9, 1e-3, 0.2]))
    assert np.all(power.upper - power.lower < 1e-5)
    with mpmath.workdps(40):
        profile = exact.gaussian(mpmath.sqrt(4 * mpmath.mpf(0.006) ** 2 + 2 * mpmath.mpf(0.01) ** 2))
        for t in (-0.8, 1.1, 5.1):
            found = face.log_delta(t)
            assert found.lower <= mpmath.log(listed_profile(profile, 4, t, P, Q)) <= found.upper
            assert found.upper - found.lower < 1e-9


def test_two_orders_are_one_another_turned() -> None:
    face = together({SAMPLE: 1, THREE: 4})
    again = face.reverse().reverse()
    levels = np.log([1e-9, 1e-3, 0.2])
    one, other = face.log_power(levels), again.log_power(levels)
    assert np.all((one.lower <= other.upper) & (other.lower <= one.upper))
    assert np.all(one.upper - one.lower < 1e-6)


def test_cells_of_discrete_noise_are_one_release() -> None:
    """Three cells of sigma 3/2 and four randomized responses: their sums are listed here."""
    noise, coin = DiscreteGaussianLoss(1.5), FinitePair.of([0.75, 0.25], [0.25, 0.75])
    face = together({noise: 3, coin: 4})
    assert isinstance(face, LossBesideAtoms)
    with mpmath.workdps(40):
        weights = [mpmath.exp(-mpmath.mpf(n * n) / mpmath.mpf("4.5")) for n in range(-30, 31)]
        total = mpmath.fsum(weights)
        law = [weight / total for weight in weights]
        cells = law
        for _ in range(2):
            cells = [
                mpmath.fsum(cells[i] * law[k - i] for i in range(max(0, k - 60), min(len(cells), k + 1)))
                for k in range(len(cells) + 60)
            ]
        losses = [(2 * (k - 90) + 3) / mpmath.mpf("4.5") for k in range(len(cells))]
        coins = [(mpmath.log(3) * (4 - 2 * k), mpmath.mpf(3) ** (4 - k) * math.comb(4, k) / 256) for k in range(5)]
        for t in (0.4, 3.0, 9.0):
            terms = [(z + y, a * b) for z, a in zip(losses, cells, strict=True) for y, b in coins]
            truth = mpmath.fsum(a * (1 - mpmath.exp(t - z)) for z, a in terms if z > t)
            tail = mpmath.fsum(a for z, a in terms if z > t)
            found, beyond = face.log_delta(t), face.log_tail(t)
            assert found.lower <= mpmath.log(truth) <= found.upper
            assert beyond.lower <= mpmath.log(tail) <= beyond.upper
            assert max(found.upper - found.lower, beyond.upper - beyond.lower) < 1e-10


def listed_noise(sigma: str, pair: list[tuple[str, str]], copies: int) -> list[tuple[mpmath.mpf, mpmath.mpf]]:
    """Losses and masses of discrete noise and of some copies of a pair, one by one, from the largest loss down."""
    square = 2 * mpmath.mpf(sigma) ** 2
    weights = {n: mpmath.exp(-mpmath.mpf(n * n) / square) for n in range(-40, 41)}
    total = mpmath.fsum(weights.values())
    sums = [((2 * n + 1) / square, weight / total) for n, weight in weights.items()]
    atoms = [(mpmath.log(mpmath.mpf(a) / mpmath.mpf(b)), mpmath.mpf(a)) for a, b in pair]
    for _ in range(copies):
        sums = [(z + y, a * b) for z, a in sums for y, b in atoms]
    return sorted(sums, reverse=True)


def test_a_test_of_noise_beside_finite_losses_rejects_the_largest_sums() -> None:
    """Those of one cell of sigma 3/2 and of two pairs, of which either side never produces what the other does."""
    pair = FinitePair.of([0.5, 0.3125, 0.125, 0.0625, 0.0], [0.25, 0.0625, 0.625, 0.0, 0.0625])
    face = together({DiscreteGaussianLoss(1.5): 1, pair: 2})
    assert isinstance(face, NoiseBesideAtoms)
    with mpmath.workdps(40):
        sums = listed_noise("1.5", [("0.5", "0.25"), ("0.3125", "0.0625"), ("0.125", "0.625")], 2)
        infinite = 1 - (1 - mpmath.mpf("0.0625")) ** 2
        for rejected in (60, 150, 250, 400):
            level = mpmath.fsum(p * mpmath.exp(-z) for z, p in sums[:rejected])
            truth = mpmath.log(infinite + mpmath.fsum(p for _, p in sums[:rejected]))
            # A level that is rounded by a unit has a power that moves no more.
            found = face.log_power(float(mpmath.log(level)))
            assert found.lower - 1e-13 <= truth <= found.upper + 1e-13
            assert found.upper - found.lower < 1e-10


def test_the_epsilon_of_noise_beside_finite_losses_is_where_the_list_has_that_delta() -> None:
    face = together({DiscreteGaussianLoss(1.5): 1, THREE: 2})
    assert isinstance(face, NoiseBesideAtoms)
    with mpmath.workdps(40):
        sums = listed_noise("1.5", [("0.5", "0.25"), ("0.3125", "0.0625"), ("0.1875", "0.6875")], 2)
        for t in (0.3, 2.0, 7.0, 20.0):
            delta = mpmath.fsum(p * (1 - mpmath.exp(t - z)) for z, p in sums if z > t)
            found = face.epsilon(float(mpmath.log(delta)))
            assert found.lower - 1e-13 <= t <= found.upper + 1e-13
            assert found.upper - found.lower < 1e-9
    nothing = face.epsilon(-np.inf)
    assert nothing.lower == np.inf, "the noise has no largest loss"


def test_equal_noise_is_noise_beside_nothing_and_has_the_profile_of_the_integral() -> None:
    face = together({DiscreteGaussianLoss(0.4375): 15})
    assert isinstance(face, NoiseBesideAtoms)
    integral = ComposedLoss(face.composition, face.slack)
    t = np.array([0.5, 10.0, 60.0, 120.0])
    for listed, other in ((face.log_delta(t), integral.log_delta(t)), (face.log_tail(t), integral.log_tail(t))):
        assert np.all((listed.lower <= other.upper) & (other.lower <= listed.upper))
        assert np.all(listed.upper - listed.lower < 1e-10)


def test_tens_of_thousands_of_finite_sums_are_listed() -> None:
    """There are 496 sums of the first and 91 of the second; on a lattice the tail was known to a part in 5000."""
    first, second = THREE, FinitePair.of([26 / 64, 25 / 64, 13 / 64], [9 / 64, 21 / 64, 34 / 64])
    face = composed({Curve.exact(first): 30, Curve.exact(second): 12}).face
    assert isinstance(face, FinitePair)
    assert len(face.losses) == 496 * 91


def test_discrete_noise_beside_a_sample_is_listed() -> None:
    """E[D(t - Z)] over the noise of sigma 3/4, whose losses share no lattice with anything."""
    face = together({SubsampledLoss(GaussianLoss(0.59), 0.23): 1, DiscreteGaussianLoss(0.75): 1})
    assert isinstance(face, LossBesideAtoms)
    profile = exact.sampled(exact.gaussian(0.59), 0.23)
    with mpmath.workdps(40):
        weights = {n: mpmath.exp(-mpmath.mpf(n * n) / mpmath.mpf("1.125")) for n in range(-15, 16)}
        total = mpmath.fsum(weights.values())
        for t in (-0.5, 0.4, 3.0, 9.0):
            terms = (w * profile(t - (2 * n + 1) / mpmath.mpf("1.125")) for n, w in weights.items())
            truth = mpmath.fsum(terms) / total
            found = face.log_delta(t)
            assert found.lower <= mpmath.log(truth) <= found.upper
            assert found.upper - found.lower < 1e-10


def test_what_shares_a_lattice_stays_there() -> None:
    """Multiples of one step: all questions are answered by one sum."""
    coin = FinitePair(np.array([-0.5, 0.5]), np.log([1 / (1 + math.exp(0.5)), 1 / (1 + math.exp(-0.5))]))
    assert type(together({LaplaceLoss(1.0): 1, coin: 30})) is ShortSum


def test_a_sample_beside_a_lattice_is_not_laid_out_on_it() -> None:
    """Six coins of 1/2: on the lattice a tail was known to a part in a hundred, and below 1e-12 it took seconds."""
    coin = FinitePair(np.array([-0.5, 0.5]), np.log([1 / (1 + math.exp(0.5)), 1 / (1 + math.exp(-0.5))]))
    face = together({SubsampledLoss(GaussianLoss(0.25), 0.025): 1, coin: 6})
    assert isinstance(face, LossBesideAtoms)
    profile = exact.sampled(exact.gaussian(0.25), 0.025)
    with mpmath.workdps(40):
        heads = 1 / (1 + mpmath.exp(mpmath.mpf("-0.5")))
        for t in (-0.8, 0.4, 2.9, 3.2):
            terms = (
                math.comb(6, k) * heads**k * (1 - heads) ** (6 - k) * profile(mpmath.mpf(t) - (k - 3)) for k in range(7)
            )
            found = face.log_delta(t)
            assert found.lower <= mpmath.log(mpmath.fsum(terms)) <= found.upper
            assert found.upper - found.lower < 1e-10
    tail = face.log_tail(np.array([0.4, 2.9]))
    assert np.all(tail.upper - tail.lower < 1e-10)


def test_hundreds_of_sums_beside_a_sample_are_not_too_many() -> None:
    """On the integral a power was known to a factor of two."""
    pair = FinitePair.of([0.3125, 0.3125, 0.125, 0.25], [0.1875, 0.125, 0.25, 0.4375])
    face = together({SubsampledLoss(LaplaceLoss(0.375), 0.005): 1, DiscreteGaussianLoss(1.49): 1, pair: 1})
    assert isinstance(face, LossBesideAtoms)
    power = face.log_power(np.log([1e-6, 0.1]))
    assert np.all(power.upper - power.lower < 1e-6)


def test_infinite_losses_are_above_every_threshold() -> None:
    pair = FinitePair.of([0.5, 0.3125, 0.125, 0.0625, 0.0], [0.25, 0.0625, 0.625, 0.0, 0.0625])
    face = together({SAMPLE: 1, pair: 2})
    assert isinstance(face, LossBesideAtoms)
    infinite = math.log(1 - (1 - 0.0625) ** 2)
    for found in (face.log_delta(60.0), face.log_tail(60.0), face.log_delta(np.inf), face.log_power(-np.inf)):
        assert found.lower <= infinite <= found.upper
        assert found.upper - found.lower < 1e-12


def test_an_epsilon_next_to_the_mass_at_infinity_is_not_ruled_out() -> None:
    """The delta is that of 14.96, in many digits; its log is the next double to that of the mass at infinity.

    Every end was infinite: the rounded log of the mass was taken as exact.
    """
    pair = FinitePair.of(
        [n / 2**16 for n in (5983, 22378, 37167, 8, 0)], [n / 2**16 for n in (9492, 30209, 25827, 0, 8)]
    )
    e = 0.06053438588052355
    coin = FinitePair(np.array([-e, e]), -np.log1p(np.exp([e, -e])))
    face = together({pair: 2, DiscreteGaussianLoss(0.6296355094153621): 1, coin: 4})
    found = face.epsilon(-8.317827203738315)
    assert found.lower <= 14.9616
    assert found.upper >= 14.9615


def test_three_kinds_of_discrete_noise_are_listed_once_for_both_orders():
    noise = DiscreteGaussianLoss
    face = together({noise(0.697): 3, noise(0.798): 1, noise(1.1): 2})
    assert isinstance(face, NoiseBesideAtoms)
    assert face.reverse() is face
    t, levels = np.array([0.0, 2.0, 6.0]), np.log([1e-6, 0.01, 0.3])
    by_transform = ComposedLoss(face.composition, face.slack).log_delta(t)
    found = face.log_delta(t)
    assert np.all((found.lower <= by_transform.upper) & (by_transform.lower <= found.upper))
    for answer in (found, face.log_power(levels)):
        assert np.all(answer.upper - answer.lower < 1e-8)


def test_what_is_not_symmetric_is_turned_once():
    face = together({DiscreteGaussianLoss(0.7): 1, THREE: 1})
    assert isinstance(face, NoiseBesideAtoms)
    assert face.reverse() is face.reverse()
    assert face.reverse() is not face


@pytest.mark.parametrize("sigma", [0.05, 0.1, 0.3, 0.7, 1.0, 2.5, 10.0, 49.3])
@pytest.mark.parametrize(("cells", "change"), [(1, 1), (1, 3), (2, 1), (10, 1), (30, 2)])
def test_discrete_noise_has_at_least_as_many_losses_as_are_taken_for_sure(sigma, cells, change):
    listed = DiscreteGaussianLoss(sigma, (change,) * cells).below.losses
    assert len(listed) >= LEAST_LISTED * sigma * math.sqrt(cells)


def test_no_list_is_made_of_more_releases_than_are_taken_together():
    face = DiscreteGaussianLoss(1e16)
    tracemalloc.start()
    try:
        found = beside_atoms({face: 10**9}, Whole(contour.Composition({contour.GaussianKind(1.0): 1})))
        used = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found is None
    assert used < 10**6
