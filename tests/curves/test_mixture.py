"""Gaussian noise with a random change, against its densities in many digits and the sample that is a case of it."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from whit.curves import Curve, GaussianLoss, GaussianMixtureLoss, SubsampledLoss
from whit.errors import InvalidInput
from whit.mechanisms import Gaussian, MixtureOfGaussians, PoissonSubsampled

LAWS = [
    ((0.0, 1.0), (0.9, 0.1)),
    ((0.0, 0.5, 1.0, 2.0), (0.25, 0.25, 0.25, 0.25)),
    ((1.0, 2.0), (0.5, 0.5)),
    ((0.0, 0.01, 0.03), (0.5, 0.25, 0.25)),
    ((0.0, 80.0), (0.5, 0.5)),
    ((0.0, 3.0, 5.0), (0.9921875, 0.0068359375, 0.0009765625)),
]


def threshold(means, weights, t):
    """The outcome at which the loss is t, by bisection; None where every loss is above t."""
    low, high = mpmath.mpf(-300), mpmath.mpf(400)

    def loss(a):
        return mpmath.log(mpmath.fsum(p * mpmath.exp(m * a - m * m / 2) for p, m in zip(weights, means, strict=True)))

    if loss(low) > t:
        return None
    for _ in range(250):
        middle = (low + high) / 2
        low, high = (middle, high) if loss(middle) <= t else (low, middle)
    return low


def profile(means, weights, t, *, mixed):
    """P[Z > t] - e^t Q[Z > t] from the two laws themselves."""
    means, weights = [mpmath.mpf(m) for m in means], [mpmath.mpf(p) for p in weights]
    a = threshold(means, weights, t if mixed else -t)
    if a is None:
        return 1 - mpmath.exp(t) if mixed else mpmath.mpf(0)
    if mixed:
        beyond = mpmath.fsum(p * mpmath.ncdf(m - a) for p, m in zip(weights, means, strict=True))
        return beyond - mpmath.exp(t) * mpmath.ncdf(-a)
    before = mpmath.fsum(p * mpmath.ncdf(a - m) for p, m in zip(weights, means, strict=True))
    return mpmath.ncdf(a) - mpmath.exp(t) * before


@pytest.mark.parametrize("mixed", [True, False])
@pytest.mark.parametrize(("means", "weights"), LAWS)
def test_the_profile_holds_that_of_the_two_laws(means, weights, mixed):
    face = GaussianMixtureLoss(means, weights, mixed)
    points = (-3.0, -0.5, -0.01, 0.0, 1e-4, 0.05, 0.5, 2.0, 6.0)
    found = face.log_delta(np.array(points))
    with mpmath.workdps(80):
        for place, t in enumerate(points):
            truth = profile(means, weights, mpmath.mpf(t), mixed=mixed)
            if truth < mpmath.mpf(10) ** -60:
                assert found.upper[place] < -130
                continue
            assert found.lower[place] <= mpmath.log(truth) <= found.upper[place]
            assert found.upper[place] - found.lower[place] < 1e-8


@pytest.mark.parametrize("turned", [False, True])
def test_a_poisson_sample_is_the_case_of_no_change_and_one(turned):
    mixture, sample = GaussianMixtureLoss((0.0, 0.5), (0.875, 0.125)), SubsampledLoss(GaussianLoss(0.5), 0.125)
    faces = (mixture.reverse(), sample.reverse()) if turned else (mixture, sample)
    t, levels = np.array([-0.3, -0.1, 0.0, 0.05, 0.4, 2.0]), np.log([1e-200, 1e-9, 0.01, 0.5, 0.999])
    asks = (lambda f: f.log_delta(t), lambda f: f.log_tail(t), lambda f: f.log_power(levels), lambda f: f.renyi(t[3:]))
    for ask in asks:
        ours, theirs = (ask(face) for face in faces)
        assert np.all(ours.lower <= theirs.upper)
        assert np.all(theirs.lower <= ours.upper)
        known = np.isfinite(ours.lower)
        assert np.all(ours.upper[known] - ours.lower[known] < 1e-9)


@pytest.mark.parametrize("count", [3, 200])
def test_compositions_of_a_poisson_sample_agree_with_those_of_the_sample(count):
    mixture = MixtureOfGaussians(2.0, [0.0, 1.0], [0.875, 0.125]).times(count)
    sample = PoissonSubsampled(Gaussian(2.0), 0.125).times(count)
    for ask in (lambda m: m.epsilon(1e-6), lambda m: m.power(0.01)):
        assert ask(mixture).lower <= ask(sample).upper
        assert ask(sample).lower <= ask(mixture).upper
        assert ask(mixture).upper == pytest.approx(ask(sample).upper, rel=1e-5)


@pytest.mark.parametrize("mixed", [True, False])
@pytest.mark.parametrize(("means", "weights"), [LAWS[1], LAWS[2]])
def test_the_divergence_holds_the_integral(means, weights, mixed):
    order = 3.0
    with mpmath.workdps(30):

        def integrand(x):
            ratio = mpmath.fsum(
                p * mpmath.exp(m * x - mpmath.mpf(m) ** 2 / 2) for p, m in zip(weights, means, strict=True)
            )
            return mpmath.npdf(x) * ratio ** (order if mixed else 1 - order)

        truth = mpmath.log(mpmath.quad(integrand, list(range(-14, 23, 2)))) / (order - 1)
        ends = GaussianMixtureLoss(means, weights, mixed).renyi(np.array([order - 1]))
        assert ends.lower[0] <= truth <= ends.upper[0]
        assert ends.upper[0] - ends.lower[0] < 1e-10


def test_two_releases_have_the_profile_of_the_double_integral():
    """The law of the sum of two losses, by a fine grid of outcomes of both."""
    means, weights = (0.0, 0.5, 1.5), (0.5, 0.25, 0.25)
    x = np.linspace(-9.0, 11.0, 2001)
    density = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi) * (x[1] - x[0])
    ratio = sum(p * np.exp(m * x - m * m / 2) for p, m in zip(weights, means, strict=True))
    both, null = np.multiply.outer(ratio, ratio), np.multiply.outer(density, density)
    curve = Curve.exact(GaussianMixtureLoss(means, weights)).times(2)
    for t in (0.3, 1.0, 3.0):
        truth = float(np.sum(null * np.maximum(both - math.exp(t), 0.0)))
        assert math.exp(curve.face.log_delta(t).mid) == pytest.approx(truth, rel=1e-4)


def test_the_largest_change_is_what_covers_and_one_change_is_gaussian():
    found = MixtureOfGaussians(2.0, [0.0, 1.0, 3.0], [0.5, 0.25, 0.25]).times(4).covering_mu()
    assert found.lower <= 3.0 <= found.upper <= 3.0 * (1 + 1e-9)
    assert MixtureOfGaussians(4.0, [2.0], [1.0]).loss() == GaussianLoss(0.5)
    assert MixtureOfGaussians(4.0, [0.0, 2.0], [1.0, 0.0]).delta(0.0).value == 0.0


@pytest.mark.parametrize(("amounts", "chances"), [([-1.0], [1.0]), ([1.0, 2.0], [1.0]), ([math.inf], [1.0])])
def test_what_is_no_law_of_amounts_is_refused(amounts, chances):
    with pytest.raises(InvalidInput, match="sensitivities"):
        MixtureOfGaussians(1.0, amounts, chances)


def test_extremes_are_never_nan_and_the_profile_falls():
    for means, weights in (*LAWS, ((1e-10, 2e-10), (0.5, 0.5)), ((0.0, 1e3), (0.5, 0.5))):
        for face in (GaussianMixtureLoss(means, weights), GaussianMixtureLoss(means, weights, mixed=False)):
            t = np.array([-np.inf, -1e308, -700.0, -1.0, 0.0, 1.0, 700.0, 1e6, 1e308, np.inf])
            for found in (face.log_delta(t), face.log_tail(t)):
                assert not np.any(np.isnan(found.upper))
                # Up to what rounding may add where means are that far apart.
                assert np.all(np.diff(np.exp(found.upper)) <= 1e-11)
            assert not np.any(np.isnan(face.log_power(np.array([-np.inf, -1e20, -1e5, -1e-300, 0.0])).upper))


@pytest.mark.parametrize("rate", [1.7e-8, 1.234567e-6, 3.3e-12, 1e-10, 0.3])
@pytest.mark.parametrize("beside", [-1e-6, -1e-9, -1e-12, -2e-16, 0.0, 2e-16, 1e-12, 1e-9, 1e-6])
def test_next_to_the_end_of_its_range_a_rare_change_is_not_said_to_be_impossible(rate, beside):
    """With a mean of 10 nearly every outcome has a loss within a part in a million million of the smallest."""
    loss = GaussianMixtureLoss((0.0, 10.0), (1 - rate, rate))
    with mpmath.workdps(60):
        unchanged, changed = (mpmath.mpf(each) for each in loss.weights)
        total = unchanged + changed
        t = float(mpmath.log(unchanged / total)) * (1 + beside)
        # The mixture is e^t times the normal law where w0 + w1 e^(10 a - 50) is.
        share = (mpmath.exp(t) * total - unchanged) / changed
        before = mpmath.ncdf((mpmath.log(share) + 50) / 10) if share > 0 else mpmath.mpf(0)
        weighted = mpmath.ncdf((mpmath.log(share) + 50) / 10 - 10) if share > 0 else mpmath.mpf(0)
        delta = before - mpmath.exp(-t) * (unchanged * before + changed * weighted) / total
        for truth, found in ((before, loss.reverse().log_tail(-t)), (delta, loss.reverse().log_delta(-t))):
            assert mpmath.exp(float(found.lower)) <= truth * (1 + mpmath.mpf(10) ** -40)
            assert truth <= mpmath.exp(float(found.upper))
