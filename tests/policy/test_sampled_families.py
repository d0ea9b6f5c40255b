"""Noise on a Poisson sample is recommended: safe by an independent sum of the losses, and hardly more than needed."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from whit.errors import Incompatible, InvalidInput
from whit.guarantees import ApproxDP, PureDP
from whit.mechanisms import Gaussian, Laplace, PoissonSubsampled, compose
from whit.policy import check, limits
from whit.policy.criteria import PromiseCriterion
from whit.policy.families import NoiseFamily, SampledFamily
from whit.policy.least_noise import _has_estimate
from whit.policy.recommendation import recommend
from whit.setting import Neighbours, Sensitivity

STEP = 2.5e-4
ERROR = 1e-3


def delta_by_sums(sigma: float, rate: float, releases: int, epsilon: float) -> float:
    """Delta for a removed record, to a part in 1000: each loss at the middle of its cell, one transform for all."""
    places = np.arange(-20000, 20001)
    edges = (places + 0.0) * STEP
    with np.errstate(all="ignore"):
        behind = np.where(np.expm1(edges) > -rate, np.log1p(np.expm1(edges) / rate), -np.inf)
    x = sigma**2 * behind + 0.5

    def above(mean: float) -> np.ndarray:
        return np.array([0.5 * math.erfc((each - mean) / (sigma * math.sqrt(2))) for each in x])

    tails = (1 - rate) * above(0.0) + rate * above(1.0)
    masses = np.maximum(tails[:-1] - tails[1:], 0.0)
    size = 2**17
    one = np.zeros(size)
    one[places[:-1] % size] = masses
    total = np.fft.irfft(np.fft.rfft(one) ** releases, size)
    losses = (np.where(np.arange(size) < size // 2, np.arange(size), np.arange(size) - size) + releases / 2) * STEP
    return float(np.sum(np.maximum(total, 0.0) * np.maximum(-np.expm1(epsilon - losses), 0.0)))


def test_the_sum_of_the_losses_finds_a_known_delta():
    """The referee itself: one release has a closed form."""
    rate, sigma, epsilon = 0.1, 1.0, 0.2
    behind = mpmath.log1p(mpmath.expm1(epsilon) / rate)
    exact = rate * (mpmath.ncdf(0.5 - behind) - mpmath.exp(behind) * mpmath.ncdf(-0.5 - behind))
    assert delta_by_sums(sigma, rate, 1, epsilon) == pytest.approx(float(exact), rel=1e-3)


@pytest.mark.parametrize(("rate", "releases"), [(0.01, 1000), (0.1, 50)])
def test_sigma_for_epsilon_and_delta_is_safe_and_hardly_too_large(rate, releases):
    sigma = float(recommend(ApproxDP(1.0, 1e-5), Gaussian, sampling_rate=rate, releases=releases).parameter)
    assert delta_by_sums(sigma, rate, releases, 1.0) <= 1e-5 * (1 + ERROR)
    assert delta_by_sums(sigma * 0.9995, rate, releases, 1.0) > 1e-5 * (1 + ERROR)


def test_sigma_of_one_release_has_its_closed_form():
    rate, epsilon, delta = 0.01, 1.0, 1e-6
    behind = mpmath.log1p(mpmath.expm1(epsilon) / rate)

    def excess(sigma: mpmath.mpf) -> mpmath.mpf:
        mu = 1 / mpmath.mpf(sigma)
        tails = mpmath.ncdf(mu / 2 - behind / mu) - mpmath.exp(behind) * mpmath.ncdf(-mu / 2 - behind / mu)
        return rate * tails - delta

    with mpmath.workdps(40):
        wanted = mpmath.findroot(excess, (0.7, 0.85), solver="anderson")
    found = recommend(ApproxDP(epsilon, delta), Gaussian, sampling_rate=rate)
    assert wanted <= float(found.parameter) <= wanted * (1 + 1e-8)


@pytest.mark.parametrize(
    ("limit", "failure"),
    [(limits.power(0.1, level=0.05), 0.0), (limits.posterior(0.3, prior=0.1), 0.01), (limits.advantage(0.1), 0.0)],
)
def test_sigma_for_a_limit_keeps_to_it_and_less_noise_does_not(limit, failure):
    found = recommend(limit, Gaussian, sampling_rate=0.1, releases=50, failure=failure)
    sigma = float(found.parameter)
    assert found.verdict.kept
    assert found.release == PoissonSubsampled(Gaussian(sigma), 0.1)
    less = PoissonSubsampled(Gaussian(sigma * 0.998), 0.1).times(50)
    assert not check(less, limit, failure=failure).kept


def test_the_noise_is_in_the_unit_of_the_sensitivity_and_its_deviation_is_told():
    found = recommend(limits.power(0.1, level=0.05), Laplace, sampling_rate=0.1)
    assert [each.quantity.name for each in found.findings][-1] == "standard deviation of the noise"
    assert float(found.findings[-1]) == pytest.approx(math.sqrt(2) * float(found.parameter))


def test_a_chance_too_small_for_an_estimate_is_left_to_the_certified_bound():
    family = SampledFamily(4, Gaussian, Sensitivity.count(), 0.02)
    for delta, estimated in ((1e-6, True), (1e-15, False), (0.0, False)):
        assert _has_estimate(family, PromiseCriterion(ApproxDP(1.0, delta)), (), 1.0) is estimated
    wanted, spent = PromiseCriterion(ApproxDP(1.0, 1e-6)), (PureDP(0.1),)
    assert _has_estimate(family, wanted, spent, 1.0)
    # What is known in closed form is quickly composed without one.
    assert not _has_estimate(NoiseFamily(4, Gaussian, Sensitivity.count()), wanted, spent, 1.0)


def test_a_release_that_tells_too_much_is_given_the_sigma_that_would_not():
    training = PoissonSubsampled(Gaussian(0.5), 0.1)
    verdict = check(training, ApproxDP(0.5, 1e-6), remedy=True)
    assert not verdict.kept
    wanted = recommend(ApproxDP(0.5, 1e-6), Gaussian, sampling_rate=0.1)
    assert float(verdict.remedy.parameter) == float(wanted.parameter)


def test_a_rate_is_a_probability_and_for_noise_only():
    with pytest.raises(InvalidInput, match=r"sampling_rate must be a probability.*got 1.5"):
        recommend(ApproxDP(1.0, 1e-6), Gaussian, sampling_rate=1.5)
    with pytest.raises(Incompatible, match="sampling_rate is no option of the family PureDP"):
        recommend(ApproxDP(1.0, 1e-6), PureDP, sampling_rate=0.5)


@pytest.mark.parametrize("sensitivity", [Sensitivity.count(), Sensitivity.histogram()])
@pytest.mark.parametrize("sampled", [False, True])
def test_changes_are_called_the_same_only_where_both_relations_have_one_curve(sensitivity, sampled):
    options = (1, Gaussian, sensitivity)
    family = SampledFamily(*options, 0.1) if sampled else NoiseFamily(*options)
    relations = (Neighbours.ADD_REMOVE, Neighbours.REPLACE)
    added, replaced = (float(family.one(2.0).curve(relation).delta(0.3).upper) for relation in relations)
    assert not family.same_changes or added == pytest.approx(replaced, rel=1e-12)
    assert family.same_changes or sampled or added < replaced


@pytest.mark.parametrize(("sigma", "rate", "releases"), [(2.0, 0.01, 400), (1.5, 0.02, 100)])
def test_a_promise_beside_noise_on_samples_just_meets_the_limit(sigma, rate, releases):
    """The search is led by an estimate of all releases together, and what it finds is checked by the releases."""
    training, limit = PoissonSubsampled(Gaussian(sigma), rate).times(releases), limits.posterior(0.3, prior=0.1)
    found = recommend(limit, PureDP, failure=0.01, spent=[training])
    value = float(found.parameter)
    for factor, kept in ((1.0, True), (1.002, False)):
        whole = compose(PureDP(value * factor), training)
        assert check(whole, limit, failure=0.01).kept is kept


def test_noise_on_samples_beside_a_promise_just_meets_the_limit():
    limit, spent = limits.posterior(0.3, prior=0.1), [PureDP(0.8)]
    like = PoissonSubsampled(Gaussian(1.0), 0.02)
    found = recommend(limit, like, releases=100, failure=0.01, spent=spent)
    value = float(found.parameter)
    for factor, kept in ((1.0, True), (0.998, False)):
        whole = compose(PoissonSubsampled(Gaussian(value * factor), 0.02).times(100), *spent)
        assert check(whole, limit, failure=0.01).kept is kept
