"""Few releases on a lattice: the same truth as the transform, narrower or quicker; and which of both is taken."""

from __future__ import annotations

import math
from dataclasses import replace

import exact_profiles as exact
import mpmath
import numpy as np
import pytest

from whit.assessment import assess
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
from whit.curves.beside_atoms import NoiseBesideAtoms
from whit.curves.lattice_steps import fitting_step
from whit.curves.short_sum import ShortSum
from whit.mechanisms import Gaussian, Geometric, Laplace, PoissonSubsampled
from whit.numerics import Bracket
from whit.setting import Adversary, Sensitivity
from whit.theory import Finding

SAMPLE = SubsampledLoss(GaussianLoss(1.0), 0.01)


def together(counts: dict[LossDistribution, int]) -> ComposedLoss:
    face = composed({Curve.exact(face): copies for face, copies in counts.items()}).face
    assert isinstance(face, ComposedLoss)
    return face


def by_transform(face: ComposedLoss) -> ComposedLoss:
    return ComposedLoss(face.composition, face.slack)


def meet(one: Bracket, other: Bracket) -> bool:
    return bool(np.all((one.lower <= other.upper) & (other.lower <= one.upper)))


def random_counts(seed: int) -> dict[LossDistribution, int]:
    rng = np.random.default_rng(seed)
    size = float(rng.uniform(0.2, 2.0))
    kinds: list[LossDistribution] = [
        LaplaceLoss(size),
        LaplaceLoss(size / 2),
        FinitePair.of([0.75, 0.25], [0.25, 0.75]) if seed % 2 else LaplaceLoss(size / 4),
        SubsampledLoss(LaplaceLoss(size), float(rng.uniform(0.05, 0.5))),
        SubsampledLoss(GaussianLoss(size), float(rng.uniform(0.05, 0.5)), removed=bool(rng.integers(2))),
    ]
    chosen = rng.choice(len(kinds), size=2, replace=False)
    return {kinds[int(each)]: int(rng.integers(1, 4)) for each in chosen}


def check_both_ways(seed: int) -> None:
    short = together(random_counts(seed))
    whole = by_transform(short)
    for one, other in ((short, whole), (short.reverse(), whole.reverse())):
        assert meet(one.log_delta(np.array([0.0, 0.3, 1.0])), other.log_delta(np.array([0.0, 0.3, 1.0])))
        assert meet(one.log_power(np.log([0.05])), other.log_power(np.log([0.05])))


@pytest.mark.parametrize("seed", range(2))
def test_lattice_and_transform_hold_the_same_truth(seed: int) -> None:
    check_both_ways(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_lattice_and_transform_hold_the_same_truth_more_often(seed: int) -> None:
    check_both_ways(seed)


@pytest.mark.parametrize(
    ("counts", "delta_width", "power_width"),
    [
        ({LaplaceLoss(1.0): 1, LaplaceLoss(0.5): 1}, 1e-6, 1e-6),
        ({SAMPLE: 2}, 1e-5, 1e-5),
        ({SAMPLE: 10}, 1e-5, 1e-5),
        ({LaplaceLoss(0.125): 4, LaplaceLoss(0.25): 4, LaplaceLoss(0.5): 4}, 1e-6, 1e-6),
    ],
)
def test_few_releases_are_narrow_for_every_question_at_once(
    counts: dict[LossDistribution, int], delta_width: float, power_width: float
) -> None:
    """By the transform two samples were known to 5 to 90 % of delta."""
    face = together(counts)
    assert isinstance(face, ShortSum)
    delta = face.log_delta(np.linspace(0.1, 1.0, 200))
    power = face.log_power(np.log(np.geomspace(1e-9, 0.5, 200)))
    epsilon = face.epsilon(np.log([1e-2, 1e-5]))
    assert np.all(delta.upper - delta.lower < delta_width)
    assert np.all(power.upper - power.lower < power_width)
    assert np.all(epsilon.upper - epsilon.lower < 1e-4)


@pytest.mark.parametrize(("copies", "truth"), [(2, 0.425464388), (3, 0.464099171)])
def test_two_and_three_samples_against_known_epsilons(copies: int, truth: float) -> None:
    """Epsilon at delta 1e-6 by an accountant of its own, to nine digits."""
    found = together({SAMPLE: copies}).epsilon(np.log(1e-6))
    assert found.lower - 1e-9 <= truth <= found.upper + 1e-9
    assert found.upper - found.lower < 1e-6


def test_two_samples_against_the_integral_in_many_digits() -> None:
    """E[D(t - Z)] with the density of the loss behind the mixture, for a removed record."""
    rate, t = mpmath.mpf("0.01"), mpmath.mpf("0.3")
    known = exact.sampled(exact.gaussian(1.0), 0.01)

    def weighted(x: mpmath.mpf) -> mpmath.mpf:
        ratio = 1 - rate + rate * mpmath.exp(x - mpmath.mpf("0.5"))
        return mpmath.npdf(x) * ratio * known(t - mpmath.log(ratio))

    with mpmath.workdps(25):
        truth = mpmath.quad(weighted, [-9, -4, -2, 0, 2, 3, 3.5, 4, 4.2, 4.5, 5, 6, 8, 12])
        found = together({SAMPLE: 2}).log_delta(float(t))
        assert found.lower - 1e-9 <= mpmath.log(truth) <= found.upper + 1e-9


def test_the_integral_is_kept_where_a_lattice_would_be_coarse() -> None:
    """100,000 samples of a thousandth: the lattice would be wide by a part in a hundred."""
    assert type(together({SubsampledLoss(GaussianLoss(0.5), 0.001): 100_000})) is ComposedLoss


def test_few_losses_of_discrete_noise_are_listed() -> None:
    """The sum of two discrete Gaussians of sigma 0.7 and one of 1.3, by all sums of up to 20 steps."""
    face = together({DiscreteGaussianLoss(0.7): 2, DiscreteGaussianLoss(1.3): 1})
    assert isinstance(face, NoiseBesideAtoms)
    laws = []
    for sigma in (0.7, 0.7, 1.3):
        weights = {n: mpmath.exp(-mpmath.mpf(n * n) / (2 * mpmath.mpf(sigma) ** 2)) for n in range(-25, 26)}
        total = mpmath.fsum(weights.values())
        laws.append([((2 * n + 1) / (2 * mpmath.mpf(sigma) ** 2), w / total) for n, w in weights.items()])
    both: dict[int, tuple[mpmath.mpf, mpmath.mpf]] = {}
    for z, p in ((x + y, a * b) for x, a in laws[0] for y, b in laws[1]):
        key = int(mpmath.nint(z * mpmath.mpf("0.49")))
        both[key] = (z, both.get(key, (z, mpmath.mpf(0)))[1] + p)
    for t in (0.5, 3.0, 8.0):
        terms = ((z + y, p * b) for z, p in both.values() for y, b in laws[2])
        truth = mpmath.fsum(p * (1 - mpmath.exp(t - z)) for z, p in terms if z > t)
        found = face.log_delta(t)
        assert found.lower <= mpmath.log(truth) <= found.upper
        assert found.upper - found.lower < 1e-10


def test_a_power_at_a_tiny_level_is_that_of_the_top_atom() -> None:
    """Three Laplace and three geometric releases of epsilon 10 and 1/10: the largest loss is their sum."""
    curve = composed({Laplace(0.1).curve(): 3, Geometric(10.0).curve(): 3})
    face = curve.face
    assert isinstance(face, ComposedLoss)
    top = face.largest_loss
    levels = np.array([-80.0, -300.0, -690.0])
    power = face.log_power(levels)
    assert np.all(power.lower <= levels + top)
    assert np.all(power.upper >= levels + top * (1 - 1e-15))
    assert np.all(power.upper - power.lower < 1e-6)


def test_next_to_the_largest_loss_delta_is_bounded() -> None:
    """D(1.5 - g) of Laplace noise of 1 and of 1/2 is g/4, the two top atoms together."""
    face = together({LaplaceLoss(1.0): 1, LaplaceLoss(0.5): 1})
    epsilons = 1.5 - np.array([1e-3, 1e-5, 1e-7, 1e-9])
    gaps = 1.5 - epsilons  # as they are after the rounding of epsilon
    delta = face.log_delta(epsilons).exp()
    truth = gaps / 4  # and less than g^2 beside it
    assert np.all(delta.lower <= truth + gaps**2)
    assert np.all(delta.upper >= truth - gaps**2)
    assert np.all(delta.upper - delta.lower <= 1e-6 * delta.upper)


def test_the_transform_is_taken_where_it_falls_off_quickly() -> None:
    assert type(together({GaussianLoss(1.0): 1, LaplaceLoss(1.0): 1})) is ComposedLoss
    assert type(together({SAMPLE: 10_000})) is ComposedLoss


def test_the_transform_is_taken_where_a_width_is_promised() -> None:
    parts = [Curve.exact(LaplaceLoss(1.0)), Curve.exact(LaplaceLoss(0.5))]
    assert type(composed(parts, strict=True).face) is ComposedLoss
    assert type(composed(parts).face) is ShortSum


def test_the_reversed_sum_is_the_sum_of_the_reversed_releases() -> None:
    forward = together({SAMPLE: 3})
    backward = together({SAMPLE.reverse(): 3})
    turned = forward.reverse()
    eps = np.array([0.001, 0.01, 0.02])
    assert meet(turned.log_delta(eps), backward.log_delta(eps))
    assert meet(turned.reverse().log_delta(eps), forward.log_delta(eps))
    assert np.all(turned.log_delta(eps).upper < forward.log_delta(eps).lower)


def test_a_symmetric_sum_is_its_own_reverse() -> None:
    face = together({LaplaceLoss(1.0): 1, LaplaceLoss(0.5): 1})
    assert face.reverse() is face


def test_tails_hold_those_of_the_atoms() -> None:
    """P[Z > 1.2] of two Laplace releases is asked of the transform and of the profile's chords, and both agree."""
    face = together({LaplaceLoss(1.0): 1, LaplaceLoss(0.5): 1})
    assert meet(face.log_tail(np.array([-0.7, 0.3, 1.2])), by_transform(face).log_tail(np.array([-0.7, 0.3, 1.2])))


def test_a_step_fits_all_marks_that_it_can() -> None:
    step = fitting_step([0.5, 0.75, 1.25], 0.003, 0.006)
    assert 0.003 <= step <= 0.0061
    for mark in (0.5, 0.75, 1.25):
        assert mark / step == pytest.approx(round(mark / step), abs=1e-9)
    uneven = fitting_step([1.0, math.sqrt(2.0)], 0.001, 0.002)
    assert abs(1.0 / uneven - round(1.0 / uneven)) < 0.01


def test_releases_that_were_composed_before_go_on_by_their_transform() -> None:
    once = composed({Curve.exact(SAMPLE): 2})
    twice = composed({once: 2, Curve.exact(LaplaceLoss(1.0)): 1})
    assert isinstance(twice.face, ComposedLoss)
    assert sum(twice.face.composition.counts.values()) == 5
    assert isinstance(twice.face.composition, contour.Composition)


def test_a_thrifty_sum_knows_what_matters_and_bounds_the_rest_from_above() -> None:
    whole = together({SAMPLE: 10})
    assert isinstance(whole, ShortSum)
    t = np.linspace(0.0, 8.0, 9)
    frugal, full = whole.thrifty.log_delta(t), whole.log_delta(t)
    small = full.upper < -40.0
    # The lattice of other accountants is left alone as well.
    without = replace(whole, even=None).log_delta(t)
    assert np.array_equal(frugal.upper[~small], without.upper[~small])
    assert np.all(frugal.upper >= full.upper)
    assert small.any()
    assert not small.all()
    assert np.all(frugal.upper[small] < -34.0)


@pytest.fixture
def _without_integral(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: ComposedLoss, epsilons: object) -> Bracket:
        raise AssertionError("the integral was asked")

    # A sum on a lattice has a profile of its own: this is that of the transform.
    monkeypatch.setattr(ComposedLoss, "log_delta", refuse)


@pytest.mark.usefixtures("_without_integral")
def test_ordinary_questions_about_a_short_sum_of_samples_need_no_integral() -> None:
    release = PoissonSubsampled(Gaussian(0.93), 0.013).times(7)
    asked = ["posterior", "expected_posterior", "total_variation"]
    answers = assess(release, Adversary(prior=0.3), failure=1e-6, questions=asked)
    assert all(isinstance(getattr(answers, each), Finding) for each in asked)


def two_samples(sigma: float, rate: float, epsilon: float) -> mpmath.mpf:
    """The delta of two releases of Gaussian noise on a sample, of which a record is removed, in 30 digits."""
    s, q = mpmath.mpf(sigma), mpmath.mpf(rate)

    def loss(x: mpmath.mpf) -> mpmath.mpf:
        return mpmath.log1p(q * mpmath.expm1((2 * x - 1) / (2 * s * s)))

    def place(z: mpmath.mpf) -> mpmath.mpf:
        return s * s * mpmath.log1p(mpmath.expm1(z) / q) + mpmath.mpf(1) / 2

    def one(z: mpmath.mpf) -> mpmath.mpf:
        if z <= mpmath.log1p(-q):
            return -mpmath.expm1(z)
        x = place(z)
        beyond, shifted = (mpmath.erfc(each / (s * mpmath.sqrt(2))) / 2 for each in (x, x - 1))
        return q * shifted + (1 - q - mpmath.exp(z)) * beyond

    def density(x: mpmath.mpf) -> mpmath.mpf:
        return mpmath.npdf(x, 0, s) * mpmath.exp(loss(x)) * one(mpmath.mpf(epsilon) - loss(x))

    kink = place(mpmath.mpf(epsilon) - mpmath.log1p(-q))
    points = sorted({-12 * s, -4 * s, mpmath.mpf(0), 4 * s, kink, 12 * s + 1})
    return mpmath.quad(density, points)


@pytest.mark.parametrize(("sigma", "rate"), [(4.0, 0.0025), (2.0, 0.001), (0.7, 0.002)])
def test_two_samples_at_small_rates_are_known_to_a_part_in_100_000(sigma: float, rate: float) -> None:
    face = composed({Curve.exact(SubsampledLoss(GaussianLoss(1 / sigma), rate)): 2}).face
    epsilons = rate * np.array([0.1, 1.0, 2.5])
    logs = face.log_delta(epsilons)
    assert np.max(logs.upper - logs.lower) < 1e-5
    with mpmath.workdps(30):
        for low, high, epsilon in zip(logs.lower, logs.upper, epsilons, strict=True):
            assert low <= mpmath.log(two_samples(sigma, rate, float(epsilon))) <= high


@pytest.mark.parametrize("rate", [1e-5, 1e-7])
@pytest.mark.parametrize("removed", [True, False])
def test_two_samples_that_hold_hardly_anybody_are_known_closely(rate: float, removed: bool) -> None:
    """By the integral over the first release of the closed form of the second, in many digits.

    The usual loss is a hundred-thousandth, and a rare one is as large as without the sample.
    """
    face = together({SubsampledLoss(GaussianLoss(1.0), rate, removed=removed): 2})
    one = exact.sampled(exact.gaussian(1.0), rate, removed=removed)
    with mpmath.workdps(30):

        def at(x: mpmath.mpf) -> mpmath.mpf:
            sampled = mpmath.log1p(rate * mpmath.expm1(x - mpmath.mpf(1) / 2))
            loss, density = (sampled, mpmath.npdf(x) * mpmath.exp(sampled)) if removed else (-sampled, mpmath.npdf(x))
            return density * one(-loss)

        truth = mpmath.quad(at, [-9, -5, -3, -2, -1, 0, 0.5, 1, 2, 3, 5, 9])
    found = face.log_delta(np.array(0.0))
    assert mpmath.log(truth) <= found.upper <= mpmath.log(truth) + 1e-5
    assert found.lower <= mpmath.log(truth)


def test_many_samples_that_hold_hardly_anybody_reveal_no_more_than_they_add_up_to() -> None:
    """A thousand steps have at most a thousand times the delta of one, and no more than twenty thousand have."""
    one = PoissonSubsampled(Gaussian(1.0), 1e-5)
    thousand = one.times(1000)
    assert float(thousand.delta(0.0)) <= 1000 * float(one.delta(0.0)) / 10
    assert float(thousand.epsilon(1e-9)) <= float(one.times(20_000).epsilon(1e-9))


def test_a_delta_six_deviations_out_is_asked_of_the_lattice_where_the_integral_is_wide_there():
    loss = Curve.exact(SubsampledLoss(GaussianLoss(1 / 0.79), 0.001))
    found = composed({loss: 10_000}).delta(1.0)
    assert float(found.upper) <= 1.01 * float(found.lower)


THREE_LAPLACE = {LaplaceLoss(0.1): 4, LaplaceLoss(0.2): 4, LaplaceLoss(0.4): 4}


def test_the_lattice_alone_holds_what_the_integral_knows_and_asks_for_no_integral(monkeypatch):
    face = together(THREE_LAPLACE)
    t = np.linspace(0.0, 2.7, 28)
    closely = face.log_delta(t)
    monkeypatch.setattr(ComposedLoss, "certificate", lambda *_: pytest.fail("the integral was asked"))
    roughly = face.rough.log_delta(t)
    assert np.all(roughly.upper >= closely.upper)
    assert np.all(roughly.lower <= closely.lower)
    assert np.all(roughly.upper - roughly.lower < 0.02)


@pytest.mark.parametrize("failure", [1e-6, 1e-3])
def test_where_the_lattice_is_enough_an_answer_is_that_of_the_integral(monkeypatch, failure):
    cells = Sensitivity(add_remove=(1, 2, 4), replace=(1, 2, 4))
    questions = ["posterior", "ratio", "total_variation", "posterior_ratio"]

    def answers() -> list[float]:
        promise = Laplace(10.0 * (1 + 1e-9 * len(asked)), sensitivity=cells)
        found = assess(promise, Adversary(prior=0.3), failure=failure, questions=questions)
        return [float(each.value) for each in found.findings]

    asked: list[int] = []
    integral = ComposedLoss.certificate

    def counted(face: ComposedLoss, epsilons: np.ndarray) -> contour.ProfileBracket:
        asked.append(1)
        return integral(face, epsilons)

    monkeypatch.setattr(ComposedLoss, "certificate", counted)
    quick, asked_before = answers(), len(asked)
    monkeypatch.setattr(ShortSum, "rough", property(lambda self: self))
    asked.append(1)
    closely = answers()
    assert asked_before < len(asked) - 1
    np.testing.assert_allclose(quick, closely, rtol=2e-6)


def test_no_delta_is_left_at_the_largest_loss_itself() -> None:
    for counts in (
        {LaplaceLoss(1.0): 1, LaplaceLoss(0.5): 1},
        {LaplaceLoss(0.7): 1, LaplaceLoss(0.31): 1, LaplaceLoss(0.2): 1},
    ):
        face = together(counts)
        assert isinstance(face, ShortSum)
        assert face.rough.log_delta(face.largest_loss).upper == -np.inf
