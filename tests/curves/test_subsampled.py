"""One release on a Poisson sample, against the best half-line in 50 digits and against the numerical composition."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whit.curves import ComposedLoss, FinitePair, GaussianLoss, LaplaceLoss, SubsampledLoss, contour
from whit.curves.subsampled import _plain_losses, sampled_pair
from whit.errors import InvalidInput
from whit.numerics import Bracket


def gaussian_truth(mu: float, rate: float, t: float, removed: bool) -> mpmath.mpf:
    """The largest difference over half-lines x > a: the likelihood ratio rises in x, so no other set does better."""
    q, m = mpmath.mpf(rate), mpmath.mpf(mu)

    def above(a: mpmath.mpf) -> tuple[mpmath.mpf, mpmath.mpf]:
        null, alternative = mpmath.ncdf(-a), mpmath.ncdf(m - a)
        return (1 - q) * null + q * alternative, null

    ratio = (mpmath.exp(t) - 1 + q) / q if removed else (mpmath.exp(-mpmath.mpf(t)) - 1 + q) / q
    if ratio <= 0:
        return 1 - mpmath.exp(t) if removed else mpmath.mpf(0)
    threshold = mpmath.log(ratio) / m + m / 2
    mixture, null = above(threshold)
    if removed:
        return mixture - mpmath.exp(t) * null
    return (1 - null) - mpmath.exp(t) * (1 - mixture)


def holds(bracket: Bracket, truth: mpmath.mpf) -> bool:
    lower, upper = (mpmath.exp(mpmath.mpf(float(end))) for end in (bracket.lower, bracket.upper))
    return bool(lower <= truth <= upper)


RATES = st.one_of(st.floats(1e-4, 0.999), st.sampled_from([1e-12, 1e-6]))
EPSILONS = st.floats(-3.0, 6.0).map(lambda epsilon: round(epsilon, 9))


@settings(max_examples=200)
@given(st.floats(0.05, 5.0), RATES, EPSILONS, st.booleans())
def test_the_profile_holds_the_exact_value(mu: float, rate: float, epsilon: float, removed: bool) -> None:
    bracket = SubsampledLoss(GaussianLoss(mu), rate, removed).log_delta(epsilon)
    with mpmath.workdps(400):  # the differences of the referee cancel where the profile is tiny
        assert bracket.upper < -800 or holds(bracket, gaussian_truth(mu, rate, epsilon, removed))


@given(st.floats(0.05, 5.0), st.floats(1e-4, 0.999), st.floats(-30.0, -1e-3), st.booleans())
def test_the_power_is_the_smallest_line_of_the_profile(mu: float, rate: float, log_level: float, removed: bool) -> None:
    loss = SubsampledLoss(GaussianLoss(mu), rate, removed)
    power = loss.log_power(log_level)
    t = np.linspace(-12, 30, 4001)
    lines = np.logaddexp(loss.log_delta(t).upper, t + log_level)
    assert power.lower <= lines.min() + 1e-12
    assert power.upper - power.lower < 1e-10


def test_one_copy_by_its_transform_holds_the_closed_form() -> None:
    for removed in (True, False):
        kind = contour.SubsampledGaussianKind(0.8, 0.4)
        kinds = contour.Composition({kind if removed else kind.reverse(): 1})
        exact = SubsampledLoss(GaussianLoss(1 / 0.8), 0.4, removed).log_delta([0.05, 0.3])
        bracket = ComposedLoss(kinds).log_delta([0.05, 0.3])
        assert np.all(bracket.lower <= exact.upper)
        assert np.all(exact.lower <= bracket.upper)


@pytest.mark.parametrize("removed", [True, False])
@pytest.mark.parametrize("base", [GaussianLoss(1.0), LaplaceLoss(1.0)])
def test_tails_and_profile_agree(base: GaussianLoss | LaplaceLoss, removed: bool) -> None:
    """The profile is the integral of e^{t-z} P[Z > z] over z > t."""
    loss = SubsampledLoss(base, 0.3, removed)
    for t in (-0.2, 0.0, 0.1, 0.25):
        z = np.linspace(t, t + 12, 200_001)
        integral = np.trapezoid(np.exp(t - z + loss.log_tail(z).mid), z)
        assert float(np.exp(loss.log_delta(t).mid)) == pytest.approx(integral, rel=2e-4, abs=1e-9)
        assert loss.log_tail(t).lower <= loss.log_tail_closed(t).upper


@pytest.mark.parametrize("level", [1e-300, 0.05, 0.9, 0.95])
@pytest.mark.parametrize("base", [GaussianLoss(1e149), GaussianLoss(1e200), GaussianLoss(1e300), LaplaceLoss(1e200)])
def test_almost_no_noise_has_the_power_of_none(base: GaussianLoss | LaplaceLoss, level: float) -> None:
    """Without noise nothing but the sampled record is seen: whoever was not sampled is found as often as nobody."""
    added = SubsampledLoss(base, 0.1, removed=False).log_power(np.log(level))
    removed = SubsampledLoss(base, 0.1).log_power(np.log(level))
    assert added.lower <= np.log(min(level / 0.9, 1.0)) <= added.upper
    assert np.exp(added.upper) == pytest.approx(min(level / 0.9, 1.0), rel=1e-9)
    assert np.exp(removed.upper) == pytest.approx(0.1 + 0.9 * level, rel=1e-9)


def test_extremes_stay_numbers() -> None:
    for removed in (True, False):
        loss = SubsampledLoss(GaussianLoss(1.0), 0.01, removed)
        for epsilon in (0.0, 1e-12, 710.0, 1e4, -710.0, np.inf, -np.inf):
            bracket = loss.log_delta(epsilon)
            assert bracket.lower <= bracket.upper <= 0.0
        assert loss.log_power([-np.inf, 0.0]).mid.tolist() == [-np.inf, 0.0]
        assert loss.reverse().reverse() == loss


def test_a_rate_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"rate must be .*; got 1.0. At rate 1 use the mechanism itself"):
        SubsampledLoss(GaussianLoss(1.0), 1.0)


@pytest.mark.parametrize("rate", [0.3, 0.01, 1e-9, 1e-200])
def test_the_errors_of_a_sampled_pair_cover_its_rounding(rate):
    pair = FinitePair.of([0.125, 0.5, 0.3125, 0.0625], [0.625, 0.25, 0.125, 0.0])
    found = sampled_pair(pair, rate)
    with mpmath.workdps(60):
        q = mpmath.mpf(rate)
        assert 0 < abs(found.log_infinity - mpmath.log(q / 16)) <= found.infinity_error
        if len(found.losses) == 3:  # else they differ by less than rounding
            for place, (p, other) in enumerate(((0.125, 0.625), (0.5, 0.25), (0.3125, 0.125))):
                loss = mpmath.log(1 - q + q * mpmath.mpf(p) / other)
                assert abs(found.losses[place] - loss) <= found.loss_error
                assert abs(found.log_masses[place] - loss - mpmath.log(other)) <= found.mass_error


@pytest.mark.parametrize("rate", [0.5, 1e-3, 1e-9])
def test_the_loss_behind_a_sampled_one_lies_between_its_ends(rate):
    t = np.array([-0.4 * rate, 1e-9, 0.3, 5.0, 30.0, 300.0])
    lower, _, upper = _plain_losses(t, rate)
    with mpmath.workdps(60):
        for place, each in enumerate(t):
            truth = mpmath.log1p(mpmath.expm1(mpmath.mpf(each)) / mpmath.mpf(rate))
            assert lower[place] <= truth <= upper[place]


@pytest.mark.parametrize("rare", [1e-40, 1e-200])
def test_a_rare_outcome_of_a_sampled_pair_counts_in_its_errors(rare):
    """The log of its mass is rounded by more than that of the others, and the error of a pair is that of all."""
    p, nulls = (0.75, 0.25, rare), (0.25, 0.75, rare / 2)
    found = sampled_pair(FinitePair.of(p, nulls), 0.3)
    with mpmath.workdps(260):
        q = mpmath.mpf(0.3)
        pairs = [((1 - q) * mpmath.mpf(b) + q * mpmath.mpf(a), mpmath.mpf(b)) for a, b in zip(p, nulls, strict=True)]
        for t in (-0.2, 0.0, 0.3):
            assert holds(found.log_delta(t), sum(max(a - mpmath.exp(t) * b, 0) for a, b in pairs))
        rarest = float(min(a for a, _ in pairs))
        assert found.mass_error >= np.spacing(abs(np.log(rarest))) / 2
