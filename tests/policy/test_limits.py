"""Limits on one risk: what they allow in closed form, whether promises keep to them, and what is refused."""

from __future__ import annotations

import math

import mpmath
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from whit.errors import InvalidInput, NotImplied
from whit.guarantees import ApproxDP, GaussianDP, PureDP
from whit.mechanisms import Gaussian, RandomizedResponse
from whit.policy import limits, recommend
from whit.setting import Knowledge, Neighbours, When
from whit.theory import Direction

probabilities = st.floats(0.001, 0.999)


def logit(x: float) -> mpmath.mpf:
    x = mpmath.mpf(x)
    return mpmath.log(x / (1 - x))


def assert_safe_and_close(limit: limits.LossLimit, truth: mpmath.mpf, *, sides: int = 1) -> None:
    found = limit.allowed_loss(sides=sides)
    assert found.direction is Direction.AT_LEAST
    assert float(found) <= truth
    assert float(found) >= truth * (1 - mpmath.mpf(10) ** -9)


@given(probabilities, probabilities)
def test_a_posterior_allows_the_difference_of_log_odds(x: float, p: float) -> None:
    assume(x > p * 1.001)
    assert_safe_and_close(limits.posterior(x, prior=p), logit(x) - logit(p))


@given(st.floats(1.001, 50.0), probabilities)
def test_a_ratio_allows_its_logarithm_or_more_at_one_prior(r: float, p: float) -> None:
    assert_safe_and_close(limits.ratio(r), mpmath.log(mpmath.mpf(r)))
    if r * p < 0.999:
        truth = mpmath.log((1 - mpmath.mpf(p)) / (1 / mpmath.mpf(r) - p))
        assert_safe_and_close(limits.ratio(r, prior=p), truth)
    elif r * p > 1.001:
        assert float(limits.ratio(r, prior=p).allowed_loss()) == math.inf


@given(st.floats(0.001, 0.99), probabilities)
def test_a_difference_allows_four_times_the_inverse_tangent_or_more(d: float, p: float) -> None:
    everywhere = limits.difference(d)
    assert_safe_and_close(everywhere, 4 * mpmath.atanh(mpmath.mpf(d)))
    assert float(limits.difference(d, prior=p).allowed_loss()) >= float(everywhere.allowed_loss()) * (1 - 1e-12)
    if mpmath.mpf(p) + d < 0.999:
        assert_safe_and_close(limits.difference(d, prior=p), logit(mpmath.mpf(p) + d) - logit(p))


def test_a_fall_counts_where_both_sides_do() -> None:
    limit = limits.difference(0.2, prior=0.9)
    assert float(limit.allowed_loss()) == math.inf
    assert_safe_and_close(limit, logit(mpmath.mpf(0.1) + 0.2) - logit(0.1), sides=2)


def test_the_example_of_twelve_releases() -> None:
    # KSZJY25, Example 4.2: a difference of 20 % is a loss of log(9/4) = 0.81.
    truth = mpmath.log(mpmath.mpf(9) / 4)
    assert float(limits.difference(0.2).allowed_loss()) == pytest.approx(float(truth), rel=1e-12)
    assert limits.difference(0.2).keeps(PureDP(0.8109))
    assert not limits.difference(0.2).keeps(PureDP(0.811))


def test_a_promise_keeps_to_a_limit_but_for_a_failure() -> None:
    limit = limits.posterior(0.75, prior=0.5)  # log 3
    promise = ApproxDP(1.0, 1e-6)
    assert not limit.keeps(promise)
    assert limit.keeps(promise, failure=0.01)
    with pytest.raises(NotImplied, match="is not bounded by this promise at a failure probability of 0"):
        limit.headroom(promise)
    left = limit.headroom(promise, failure=0.01)
    assert 0 < float(left) <= 0.75 - 1 / (1 + math.exp(-1.0))
    assert [each.probability for each in left.basis.failures] == [0.01]


def test_the_relation_can_be_named() -> None:
    limit = limits.ratio(3.0)
    assert limit.keeps(PureDP(1.0))
    assert not limit.keeps(PureDP(1.0), neighbours=Neighbours.REPLACE)


def test_certainty_is_no_limit() -> None:
    assert float(limits.posterior(1.0, prior=0.5).allowed_loss()) == math.inf
    assert limits.posterior(1.0, prior=0.5).keeps(ApproxDP(50.0, 0.5))
    assert float(limits.posterior(0.5, prior=0.0).allowed_loss()) == math.inf


def test_power_is_read_off_the_curve() -> None:
    response = RandomizedResponse(1.0)
    truth = mpmath.e * mpmath.mpf(0.05)  # below the corner the power is e times the level
    assert limits.power(0.136, level=0.05).keeps(response)
    assert not limits.power(0.1359, level=0.05).keeps(response)
    left = limits.power(0.2, level=0.05).headroom(response)
    assert float(left) <= mpmath.mpf(0.2) - truth
    assert float(left) == pytest.approx(float(0.2 - truth), rel=1e-12)


def test_advantage_is_delta_at_0() -> None:
    truth = 2 * mpmath.ncdf(mpmath.mpf(0.25)) - 1  # mu = 1/2
    assert float(limits.advantage(0.3).headroom(GaussianDP(0.5))) == pytest.approx(float(0.3 - truth), rel=1e-10)
    assert limits.advantage(float(truth) * (1 + 1e-9)).keeps(Gaussian(2.0))
    assert not limits.advantage(float(truth) * (1 - 1e-9)).keeps(Gaussian(2.0))


def test_predictive_value_is_power_at_a_prior() -> None:
    prior, level = 0.1, 0.05
    power = math.e * level
    value = prior * power / (prior * power + (1 - prior) * level)
    response = RandomizedResponse(1.0)
    assert limits.predictive_value(value * (1 + 1e-9), prior=prior, level=level).keeps(response)
    assert not limits.predictive_value(value * (1 - 1e-9), prior=prior, level=level).keeps(response)


def test_every_power_keeps_to_a_predictive_value_that_a_sure_test_has() -> None:
    assert limits.predictive_value(0.99, prior=0.5, level=0.5).keeps(ApproxDP(0.0, 1.0))


@pytest.mark.parametrize("posterior", [0.2, 0.1])
def test_a_posterior_at_or_below_the_prior_is_refused(posterior: float) -> None:
    with pytest.raises(InvalidInput, match=r"posterior must be above the prior; got .* with the prior 0.2"):
        limits.posterior(posterior, prior=0.2)


def test_other_impossible_limits_are_refused() -> None:
    with pytest.raises(InvalidInput, match="ratio must be at least 1"):
        limits.ratio(0.9)
    with pytest.raises(InvalidInput, match="sides must be 1 or 2"):
        limits.difference(0.1).allowed_loss(sides=3)
    with pytest.raises(InvalidInput, match="difference must be below 1"):
        limits.difference(1.0)
    with pytest.raises(InvalidInput, match="power must be above the level"):
        limits.power(0.05, level=0.05)
    with pytest.raises(InvalidInput, match="predictive_value must be above the prior"):
        limits.predictive_value(0.1, prior=0.1, level=0.05)
    with pytest.raises(InvalidInput, match="advantage must be a probability"):
        limits.advantage(1.2)
    with pytest.raises(InvalidInput, match="prior must be a probability"):
        limits.difference(0.1, prior=2.0)


@pytest.mark.parametrize("limit", [limits.ratio(3.0), limits.advantage(0.3), limits.power(0.3, level=0.1)])
@pytest.mark.parametrize("sides", [True, "a", [], 3, 1.0])
def test_sides_are_one_or_two(limit, sides):
    with pytest.raises(InvalidInput, match="sides must be 1 or 2"):
        limit.keeps(PureDP(1.0), sides=sides)


@pytest.mark.parametrize("limit", [limits.ratio(3.0), limits.advantage(0.3), limits.power(0.3, level=0.1)])
@pytest.mark.parametrize("failure", ["a", [0.1, 0.2], 1.5, None])
def test_the_chance_of_failure_is_one_probability(limit, failure):
    with pytest.raises(InvalidInput, match="failure must be a probability"):
        limit.keeps(PureDP(1.0), failure=failure)


def test_a_limit_that_allows_certainty_is_void():
    assert limits.posterior(1.0, prior=0.1).void()
    assert limits.power(1.0, level=0.05).void()
    assert limits.predictive_value(0.9, prior=0.5, level=0.5).void()
    assert not limits.ratio(1e300).void()
    assert not limits.advantage(1 - 1e-16).void()


@pytest.mark.parametrize(
    "make", [lambda **w: limits.posterior(0.9, prior=0.5, **w), lambda **w: limits.difference(0.4, **w)]
)
def test_a_limit_at_every_moment_costs_more_noise_of_a_kind_that_is_known(make):
    """For whoever knows the others; a bound for any belief holds at every moment as it stands."""
    known = {"knows": Knowledge.EVERYONE_ELSE}
    end, ever = (make(**known, when=when).risk(Gaussian(1.2), failure=0.01) for when in When)
    assert float(end) < float(ever)
    assert "gaussian-at-every-moment" in ever.basis.theorems
    end, ever = (make(when=when).risk(Gaussian(1.2), failure=0.01) for when in When)
    assert float(end) == float(ever)
    limit = make(**known, when=When.EVER)
    assert limit.decider(limit.risk(Gaussian(1.2), failure=0.01)).when is When.EVER
    assert "when=When.EVER" in repr(limit)


def test_noise_that_is_recommended_for_every_moment_keeps_the_limit_there():
    limit = limits.posterior(0.9, prior=0.5, knows=Knowledge.EVERYONE_ELSE, when=When.EVER)
    sigma = float(recommend(limit, Gaussian, failure=0.01, releases=12).parameter)
    assert limit.keeps(Gaussian(sigma).times(12), failure=0.01)
    assert not limit.keeps(Gaussian(sigma * 0.999).times(12), failure=0.01)


# The success of a guess about the record


@given(st.floats(0.001, 0.4), st.floats(0.1, 3.0))
def test_a_limit_on_success_is_kept_as_far_as_pure_privacy_allows(kappa: float, eps: float) -> None:
    """The smaller of e^epsilon kappa and 1 - e^-epsilon (1 - kappa), in many digits."""
    with mpmath.workdps(40):
        growth = mpmath.exp(mpmath.mpf(eps))
        most = min(growth * mpmath.mpf(kappa), 1 - (1 - mpmath.mpf(kappa)) / growth)
    assert limits.success(min(float(most) * (1 + 1e-9), 1.0), baseline=kappa).keeps(PureDP(eps))
    assert not limits.success(float(most) * (1 - 1e-9), baseline=kappa).keeps(PureDP(eps))


def test_a_recommendation_keeps_to_a_limit_on_success() -> None:
    limit = limits.success(0.05, baseline=0.01)
    found = recommend(limit, PureDP)
    assert float(found.parameter) == pytest.approx(math.log(5), rel=1e-6)
    assert float(found.parameter) <= math.log(5)
    noise = recommend(limit, Gaussian)
    assert limit.keeps(noise.release)
    assert not limit.keeps(Gaussian(float(noise.parameter) * 0.99))


def test_a_limit_on_success_is_above_its_baseline() -> None:
    with pytest.raises(InvalidInput, match="success must be above the baseline; got 0.01 with the baseline 0.2"):
        limits.success(0.01, baseline=0.2)
    with pytest.raises(InvalidInput, match="baseline .* got 3"):
        limits.success(0.5, baseline=3)


def test_a_range_of_one_prior_is_that_prior():
    assert limits.difference(0.1, prior=(0.2, 0.2)) == limits.difference(0.1, prior=0.2)
    assert limits.difference(0.1, prior=(0.2, 0.2)).parameters["prior"] == 0.2


def test_a_risk_of_just_what_is_accepted_is_kept():
    assert limits.ratio(1.0).keeps(PureDP(0.0))
    assert limits.advantage(0.0).keeps(PureDP(0.0))
