"""The ratio of the posteriors with and without a record."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from whit.curves import Curve, GaussianLoss
from whit.errors import InvalidInput, NotImplied
from whit.guarantees import ApproxDP, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, Geometric
from whit.semantics.counterfactual import CounterfactualWorld, Record, posterior_ratio, ratio_exceeded
from whit.setting import Knowledge, Neighbours
from whit.theory import Direction

REPLACE = Neighbours.REPLACE
REST_KNOWN = Knowledge.EVERYONE_ELSE
ANY_RECORD = {"record": Record.ANY, "knows": REST_KNOWN}


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 0.1, 1.0, 300.0])
def test_pure_privacy_bounds_the_ratio_by_e_to_the_epsilon_and_for_a_fixed_record_by_its_square(epsilon):
    promise = PureDP(epsilon, neighbours=REPLACE)
    once, twice = mpmath.exp(mpmath.mpf(epsilon)), mpmath.exp(2 * mpmath.mpf(epsilon))
    for truth, found in (
        (once, posterior_ratio(promise)),
        (once, posterior_ratio(promise, record=Record.ANY)),
        (once, posterior_ratio(promise, world=CounterfactualWorld.DEFAULT_RECORD, knows=REST_KNOWN)),
        (twice, posterior_ratio(promise, world=CounterfactualWorld.DEFAULT_RECORD)),
        (twice, posterior_ratio(PureDP(epsilon), world=CounterfactualWorld.DROPPED)),
        (twice, posterior_ratio(PureDP(epsilon), world=CounterfactualWorld.DROPPED, knows=REST_KNOWN)),
    ):
        assert found.direction is Direction.AT_MOST
        assert found.basis.failures == ()
        assert truth <= float(found) <= float(truth) * (1 + 1e-13 * (1 + epsilon))


@pytest.mark.parametrize("epsilon", [710.0, 1e4])
def test_a_huge_epsilon_gives_an_infinite_ratio_and_is_no_error(epsilon):
    promise = PureDP(epsilon, neighbours=REPLACE)
    assert float(posterior_ratio(promise)) == math.inf
    assert float(ratio_exceeded(promise, 10.0)) == 1.0


def test_the_ratio_for_any_record_is_at_most_one_over_the_failure():
    promise = PureDP(710.0, neighbours=REPLACE)
    found = posterior_ratio(promise, failure=[0.01, 0.5, 1.0], **ANY_RECORD).value
    assert found == pytest.approx([100.0, 2.0, 1.0], rel=1e-12)
    assert np.all(found >= [100.0, 2.0, 1.0])


def test_so_little_noise_that_the_ratio_overflows_is_no_error():
    assert float(posterior_ratio(GaussianDP(100.0, neighbours=REPLACE), failure=0.01)) == math.inf


@pytest.mark.parametrize("rho", [0.01, 0.1115, 2.63])
@pytest.mark.parametrize("t", [0.005, 0.5, 3.0, 8.0])
def test_zcdp_keeps_to_the_published_chances(rho, t):
    promise = ZeroConcentratedDP(rho, neighbours=REPLACE)
    true = math.exp(-((t - rho) ** 2) / (4 * rho)) if t > rho else 1.0
    every = math.exp(-((t + rho) ** 2) / (4 * rho)) if t > rho else math.exp(-t)
    assert float(ratio_exceeded(promise, math.exp(t))) <= true * (1 + 1e-9) + 1e-300
    assert float(ratio_exceeded(promise, math.exp(t), **ANY_RECORD)) <= every * (1 + 1e-9) + 1e-300


@pytest.mark.parametrize("failure", [1e-300, 1e-6, 0.01, 0.3])
def test_the_two_directions_agree(failure):
    for promise in (ZeroConcentratedDP(0.1, neighbours=REPLACE), GaussianDP(0.4, neighbours=REPLACE)):
        for asked in ({}, {"sides": 2}, ANY_RECORD, {**ANY_RECORD, "sides": 2}):
            bound = float(posterior_ratio(promise, failure=failure, **asked))
            assert float(ratio_exceeded(promise, bound * (1 + 1e-6), **asked)) <= failure * (1 + 1e-3)


@pytest.mark.parametrize("failure", [1e-6, 0.01, 0.3])
def test_gaussian_noise_gives_the_curve_of_pbdp_for_the_true_record(failure):
    """log(delta / f^-1(1 - delta)), with f the trade-off function of the Gaussian pair."""
    mu = 0.7
    level = mpmath.ncdf(mpmath.erfinv(2 * mpmath.mpf(failure) - 1) * mpmath.sqrt(2) - mu)
    truth = float(failure / level)
    for promised in (GaussianDP(mu, neighbours=REPLACE), Gaussian(1 / mu), Curve.exact(GaussianLoss(mu))):
        assert truth * (1 - 1e-12) <= float(posterior_ratio(promised, failure=failure)) <= truth * (1 + 1e-5)


@pytest.mark.parametrize("failure", [1e-6, 0.01, 0.3])
def test_gaussian_noise_gives_power_over_level_for_any_record(failure):
    mu = 0.7
    power = mpmath.ncdf(mpmath.erfinv(2 * mpmath.mpf(failure) - 1) * mpmath.sqrt(2) + mu)
    truth = float(power / failure)
    for promised in (GaussianDP(mu, neighbours=REPLACE), Gaussian(1 / mu), Curve.exact(GaussianLoss(mu))):
        assert truth * (1 - 1e-12) <= float(posterior_ratio(promised, failure=failure, **ANY_RECORD))
        assert float(posterior_ratio(promised, failure=failure, **ANY_RECORD)) <= truth * (1 + 1e-5)


def test_a_stated_point_gives_the_closed_forms():
    promise, epsilon, delta, failure = ApproxDP(1.0, 1e-6, neighbours=REPLACE), 1.0, 1e-6, 1e-3
    d = delta / failure
    closed = {
        math.exp(epsilon) / (1 - d): {},
        math.exp(epsilon) + d: ANY_RECORD,
        (math.exp(epsilon) + d) / (1 - d): {"sides": 2},
    }
    for truth, asked in closed.items():
        found = float(posterior_ratio(promise, failure=failure, **asked))
        assert truth * (1 - 1e-12) <= found <= truth * (1 + 1e-9)


def test_more_failure_fewer_sides_and_any_record_allow_no_larger_ratio():
    promise = RenyiDP({2: 0.1, 8: 0.5, 32: 1.6}, neighbours=REPLACE)
    true = posterior_ratio(promise, failure=[1e-6, 1e-3, 0.1]).value
    assert np.all(np.diff(true) < 0)
    assert np.all(posterior_ratio(promise, failure=[1e-6, 1e-3, 0.1], sides=2).value >= true)
    assert np.all(posterior_ratio(promise, failure=[1e-6, 1e-3, 0.1], **ANY_RECORD).value <= true)


def test_a_sure_bound_is_kept_where_it_is_the_smaller_one():
    release = Geometric(1.0)
    assert float(posterior_ratio(release, failure=1e-12)) <= math.e * (1 + 1e-12)
    never = ratio_exceeded(release, [2.0, math.e * (1 + 1e-12), 10.0]).value
    assert never[0] > 0.0
    assert never[1:].tolist() == [0.0, 0.0]


def test_the_three_worlds_are_one_where_everyone_else_is_known():
    promise = GaussianDP(0.5, neighbours=REPLACE)
    found = {
        float(posterior_ratio(promise, failure=0.01, knows=REST_KNOWN, world=world)) for world in CounterfactualWorld
    }
    assert len(found) == 1


def test_the_finding_says_what_it_rests_on():
    found = posterior_ratio(GaussianDP(0.5, neighbours=REPLACE), failure=0.01)
    assert found.basis.theorems[-1] == "posterior-ratio-true-record"
    assert found.basis.failures[0].probability == 0.01
    assert "belief-is-right" in found.basis.assumptions
    assert posterior_ratio(PureDP(1.0, neighbours=REPLACE)).basis.theorems[-1] == "posterior-ratio-pure"
    exceeded = ratio_exceeded(GaussianDP(0.5, neighbours=REPLACE), 3.0, **ANY_RECORD)
    assert exceeded.basis.theorems[-1] == "posterior-ratio-any-record"


def test_what_no_theorem_covers_is_refused_with_a_way_out():
    promise = GaussianDP(0.5, neighbours=REPLACE)
    with pytest.raises(NotImplied, match="only by a promise without failures"):
        posterior_ratio(promise, failure=0.01, world=CounterfactualWorld.DEFAULT_RECORD, record=Record.ANY)
    with pytest.raises(NotImplied, match="only by a promise without failures"):
        posterior_ratio(promise, failure=0.01, record=Record.ANY)
    with pytest.raises(NotImplied, match="only by a promise without failures"):
        ratio_exceeded(promise, 2.0, world=CounterfactualWorld.DEFAULT_RECORD, record=Record.ANY)
    with pytest.raises(NotImplied, match="has no bound at a failure probability of 1e-6 or less"):
        posterior_ratio(ApproxDP(1.0, 1e-6, neighbours=REPLACE), failure=1e-7)
    with pytest.raises(NotImplied, match="has no bound without a failure probability"):
        posterior_ratio(promise)


def test_bad_input_is_refused_in_a_sentence():
    promise = PureDP(1.0, neighbours=REPLACE)
    with pytest.raises(InvalidInput, match="record must be one of Record"):
        posterior_ratio(promise, record="true")
    with pytest.raises(InvalidInput, match="sides must be 1 or 2"):
        posterior_ratio(promise, sides=3)
    with pytest.raises(InvalidInput, match="world must be one of CounterfactualWorld"):
        posterior_ratio(promise, world=None)
    with pytest.raises(InvalidInput, match="knows must be one of Knowledge"):
        posterior_ratio(promise, knows=None)
    with pytest.raises(InvalidInput, match="failure must be a probability"):
        posterior_ratio(promise, failure=-0.1)
    with pytest.raises(InvalidInput, match="ratios must be at least 1"):
        ratio_exceeded(promise, 0.5)
    with pytest.raises(InvalidInput, match="promise must be a promise"):
        posterior_ratio("pure")


@pytest.mark.parametrize("seed", range(6))
def test_no_point_of_the_profile_of_a_rho_says_more_than_its_divergences(seed):
    """For any rho and failure: e^epsilon / (1 - d), and e^epsilon + d for any record, with d = delta / failure."""
    rng = np.random.default_rng(seed)
    rho, failure = 10 ** rng.uniform(-9, 1.3), 10 ** rng.uniform(-9, -0.02)
    promise = ZeroConcentratedDP(rho, neighbours=REPLACE)
    epsilons = np.geomspace(1e-6 * math.sqrt(rho), 30 * max(rho, math.sqrt(rho)) * (1 - math.log(failure)), 300)
    share = np.asarray(promise.delta(epsilons).value) / failure
    true = np.min(epsilons[share < 1] - np.log1p(-share[share < 1]))
    near = epsilons < 600
    any_one = min(float(np.min(np.log(np.exp(epsilons[near]) + share[near]))), -math.log(failure))
    for limit, options in ((true, {}), (any_one, ANY_RECORD)):
        assert math.log(posterior_ratio(promise, failure=failure, **options).value) <= limit * (1 + 1e-12)


@pytest.mark.parametrize("mu", [0.003, 0.5, 2.0, 9.0])
@pytest.mark.parametrize("failure", [1e-12, 0.01, 0.4, 0.9])
def test_gaussian_noise_has_the_smallest_bound_that_a_point_of_its_profile_gives(mu, failure):
    """The smallest e - log(1 - D(e)/failure) over e >= 0, by a search in many digits."""
    with mpmath.workdps(40):

        def bound(e):
            delta = mpmath.ncdf(mu / 2 - e / mu) - mpmath.exp(e) * mpmath.ncdf(-mu / 2 - e / mu)
            return e - mpmath.log(1 - delta / failure) if delta < failure else mpmath.inf

        low, high = mpmath.mpf(0), mpmath.mpf(mu) ** 2 + 12 * mpmath.mpf(mu)
        for _ in range(200):
            first, second = low + (high - low) / 3, high - (high - low) / 3
            # Where delta is not below the failure nothing is said, and the smallest bound lies further out.
            better = bound(first) < bound(second)
            low, high = (low, second) if better else (first, high)
        truth = mpmath.exp(min(bound(low), bound(mpmath.mpf(0))))
    found = float(posterior_ratio(GaussianDP(mu, neighbours=REPLACE), failure=failure))
    assert truth * (1 - mpmath.mpf(10) ** -13) <= found <= truth * (1 + 1e-9)
