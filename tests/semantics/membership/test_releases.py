"""How many releases keep a limit: by closed forms, by the normal law in high precision and by counting coins."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from whit.curves import Curve, GaussianLoss, OwnComposition
from whit.errors import InvalidInput, NotImplied, Unreachable
from whit.guarantees import ApproxDP, GaussianDP, ProbabilisticDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.guarantees.composition import AdvancedComposition, BasicComposition, ListedComposition, OptimalComposition
from whit.mechanisms import Gaussian, Geometric, Laplace, RandomizedResponse
from whit.semantics.membership import (
    DifferenceAtAnyPrior,
    PosteriorFrom,
    RatioAtAnyPrior,
    largest_difference,
    largest_ratio,
    posterior,
    releases_until,
    risk_over_releases,
)
from whit.setting import Neighbours
from whit.theory import Direction, Finding

HALF = PosteriorFrom(0.5)
DAILY = ZeroConcentratedDP(0.01)
RISKS = [HALF, PosteriorFrom(1e-15), PosteriorFrom(0.9), DifferenceAtAnyPrior(), RatioAtAnyPrior()]


def normal_tail(loss, variance):
    """P[Z > t] for Gaussian noise whose loss has this variance, and mean of half of it."""
    return mpmath.ncdf(-(loss - variance / 2) / mpmath.sqrt(variance))


def first_beyond_of_gaussian(loss, variance_of_one, failure, sides):
    k = 0
    while True:
        k += 1
        chance = normal_tail(loss, k * variance_of_one)
        if sides == 2:
            chance += mpmath.ncdf((-loss - k * variance_of_one / 2) / mpmath.sqrt(k * variance_of_one))
        if chance > failure:
            return k


# What is limited


@pytest.mark.parametrize("risk", RISKS, ids=repr)
@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_the_largest_loss_within_a_limit_is_the_last_double_that_keeps_it(risk, share):
    start = float(risk.at(np.asarray(0.0)))
    limit = start + share * (1 - start) if start < 1 else 1 + 10 * share
    loss = risk.loss_within(limit)
    assert float(risk.at(np.asarray(loss))) <= limit < float(risk.at(np.asarray(np.nextafter(loss, np.inf))))


def test_the_losses_of_limits_follow_the_formulas():
    exact = mpmath.log(mpmath.mpf(0.8) / (1 - mpmath.mpf(0.8)))
    assert HALF.loss_within(0.8) == pytest.approx(float(exact), rel=1e-14)
    assert mpmath.mpf(HALF.loss_within(0.8)) <= exact
    assert DifferenceAtAnyPrior().loss_within(0.2) == pytest.approx(4 * math.atanh(0.2), rel=1e-14)
    assert RatioAtAnyPrior().loss_within(2.0) == pytest.approx(math.log(2), rel=1e-14)
    assert PosteriorFrom(0.0).loss_within(0.0) == math.inf
    assert HALF.loss_within(1.0) == math.inf


@pytest.mark.parametrize("risk", [HALF, RatioAtAnyPrior()], ids=repr)
def test_a_limit_below_what_was_believed_before_is_unreachable(risk):
    with pytest.raises(Unreachable, match="which is there before any release"):
        releases_until(PureDP(1.0), risk, 0.3)


# Counting


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize(("risk", "limit"), [(HALF, 0.8), (DifferenceAtAnyPrior(), 0.2), (RatioAtAnyPrior(), 3.0)])
def test_pure_privacy_is_counted_by_division(risk, limit, sides):
    total = {HALF: math.log(4), DifferenceAtAnyPrior(): 4 * math.atanh(0.2), RatioAtAnyPrior(): math.log(3)}[risk]
    found = releases_until(PureDP(0.05), risk, limit, sides=sides)
    assert float(found) == math.floor(total / 0.05)
    assert found.first_beyond == math.floor(total / 0.05) + 1


@pytest.mark.parametrize("sides", [1, 2])
def test_zero_concentrated_privacy_is_counted_by_its_tails(sides):
    """T4 in the other direction: the largest k with e^(-(t - k rho)^2 / (4 k rho)) within the failure."""
    loss, rho = mpmath.log(99), mpmath.mpf(0.01)

    def chance(k):
        near = mpmath.exp(-((loss - k * rho) ** 2) / (4 * k * rho))
        return near + (mpmath.exp(-((loss + k * rho) ** 2) / (4 * k * rho)) if sides == 2 else 0)

    k = int(float(releases_until(DAILY, HALF, 0.99, failure=0.01, sides=sides)))
    assert chance(k) <= mpmath.mpf(0.01) < chance(k + 1)
    assert k == 78


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize(
    ("risk", "limit", "loss"),
    [(HALF, 0.99, mpmath.log(99)), (DifferenceAtAnyPrior(), 0.98, 4 * mpmath.atanh(mpmath.mpf(0.98)))],
)
def test_known_gaussian_noise_is_counted_by_the_normal_law(risk, limit, loss, sides):
    """Example 4.1 had the noise been known: 112 and 326 days, where every mechanism with its rho gets 79 and 246."""
    daily = Gaussian(math.sqrt(50.0))
    variance = 1 / mpmath.mpf(math.sqrt(50.0)) ** 2
    expected = first_beyond_of_gaussian(loss, variance, mpmath.mpf(0.01), sides)
    assert releases_until(daily, risk, limit, failure=0.01, sides=sides).first_beyond == expected
    assert expected == {HALF: 112, DifferenceAtAnyPrior(): 326}[risk]


def coins_beyond(k: int, epsilon: float, loss: float) -> float:
    """P[Z > t] of k answers by randomized response: a sum of k coins worth epsilon each."""
    heads = 1 / (1 + math.exp(-epsilon))
    return math.fsum(
        math.comb(k, h) * heads**h * (1 - heads) ** (k - h) for h in range(k + 1) if (2 * h - k) * epsilon > loss
    )


def test_coins_are_counted_up_to_the_first_number_that_breaks_the_limit():
    """The tail of a sum of coins goes up and down with their number: halving alone may land beyond the first break."""
    loss, epsilon, failure = HALF.loss_within(0.8), 0.05, 0.05
    kept = [coins_beyond(k, epsilon, loss) <= failure for k in range(1, 260)]
    first = kept.index(False) + 1
    assert True in kept[first:]  # it is kept again after more releases: the case that the test is about
    assert releases_until(RandomizedResponse(epsilon), HALF, 0.8, failure=failure).first_beyond == first


def test_laplace_noise_is_counted_for_those_who_change_less_too():
    """Its loss has atoms at both ends: whoever changes less, or is in fewer releases, can have the larger tail."""
    daily, loss, failure = Laplace(5.0), HALF.loss_within(0.7), 0.2
    found = int(float(releases_until(daily, HALF, 0.7, failure=failure)))
    assert found > 1
    for scale in (5.0, 6.0, 8.0):
        assert all(float(Laplace(scale).times(k).tail(loss).upper) <= failure for k in range(1, found + 1))
    assert float(daily.times(found + 1).curve().tail_from_profile(loss)) > failure


@pytest.mark.parametrize(
    "promised",
    [
        PureDP(0.05),
        ApproxDP(0.05, 1e-7),
        ProbabilisticDP(0.05, 1e-5),
        DAILY,
        RenyiDP({2.0: 0.01, 16.0: 0.08}),
        GaussianDP(0.3),
        Gaussian(5.0),
        Geometric(0.05),
        Gaussian(5.0).then("rounded"),
        Curve.exact(GaussianLoss(0.2)),
    ],
    ids=repr,
)
@pytest.mark.parametrize("sides", [1, 2])
def test_the_count_agrees_with_the_posterior_itself(promised, sides):
    found = releases_until(promised, HALF, 0.9, failure=0.01, sides=sides, most=500)
    k, beyond = found.checked
    path = risk_over_releases(promised, HALF, [k, beyond], failure=0.01, sides=sides)
    assert float(found) == k >= 1
    assert path.value[0] <= 0.9 * (1 + 1e-9)
    assert path.value[1] > 0.9 * (1 - 1e-6)
    assert found.chances.value[0] <= 0.01 < found.chances.value[1]


@pytest.mark.slow
def test_laplace_noise_is_counted_too():
    found = releases_until(Laplace(5.0), HALF, 0.9, failure=0.05)
    assert found.chances.value[0] <= 0.05 < found.chances.value[1]
    assert float(found) > float(releases_until(PureDP(0.2), HALF, 0.9))


def test_a_sharper_rule_allows_no_fewer_releases():
    options = {"failure": 0.05, "sides": 2}
    basic = releases_until(PureDP(0.05), HALF, 0.8, rule=BasicComposition(), **options)
    advanced = releases_until(PureDP(0.05), HALF, 0.8, rule=AdvancedComposition(1e-3), **options)
    listed = releases_until(PureDP(0.05), HALF, 0.8, rule=ListedComposition(1e-3), **options)
    optimal = releases_until(PureDP(0.05), HALF, 0.8, rule=OptimalComposition(1e-3), **options)
    own = releases_until(PureDP(0.05), HALF, 0.8, **options)
    exact = releases_until(RandomizedResponse(0.05), HALF, 0.8, **options)
    assert float(basic) < float(advanced) < float(listed) < float(optimal) < float(own) <= float(exact)


def test_a_larger_limit_allows_no_fewer_releases():
    counts = [float(releases_until(DAILY, HALF, limit, failure=0.01)) for limit in (0.5, 0.6, 0.7, 0.8, 0.9, 0.99)]
    assert counts == sorted(counts)
    assert counts[0] == 0
    assert counts[-1] > counts[1]


def test_replacing_a_record_is_counted_under_its_own_relation():
    both = releases_until(PureDP(0.05), HALF, 0.8, neighbours=Neighbours.REPLACE)
    assert float(both) == math.floor(math.log(4) / 0.1)


def test_a_rule_that_reaches_no_further_ends_the_count():
    """20 releases of delta 1e-7 spend the whole total of 2e-6: there the rule says nothing, not that all is well."""
    found = releases_until(ApproxDP(1e-4, 1e-7), HALF, 0.99, failure=0.01, rule=AdvancedComposition(2e-6))
    assert found.checked == (19, 20)
    assert found.chances.value[1] == 1.0


# The ends


@pytest.mark.parametrize("epsilon", [1e-5, 1e-6])
def test_large_counts_are_found_quickly_and_to_the_last_release(epsilon):
    found = releases_until(PureDP(epsilon), HALF, 0.6)
    assert float(found) == math.floor(math.log(1.5) / epsilon)


@pytest.mark.parametrize(
    ("promised", "risk", "limit"),
    [
        (PureDP(0.0), HALF, 0.6),
        (ZeroConcentratedDP(0.0), HALF, 0.6),
        (PureDP(1e4), HALF, 1.0),
        (ApproxDP(1.0, 0.5), DifferenceAtAnyPrior(), 1.0),
        (PureDP(1.0), PosteriorFrom(0.0), 0.0),
        (PureDP(1.0), PosteriorFrom(1.0), 1.0),
    ],
)
def test_what_cannot_break_the_limit_is_unlimited(promised, risk, limit):
    found = releases_until(promised, risk, limit)
    assert math.isinf(float(found))
    assert str(found).startswith("After any number of releases, the ")
    assert found.count.basis.failures == ()
    with pytest.raises(NotImplied, match="not among the numbers that were looked at"):
        found.first_beyond  # noqa: B018 the property itself is asked


@pytest.mark.parametrize("promised", [PureDP(710.0), PureDP(1e4), ApproxDP(0.0, 0.1), Gaussian(0.1)], ids=repr)
def test_where_one_release_is_too_many_the_answer_is_none(promised):
    found = releases_until(promised, HALF, 0.8, failure=0.01)
    assert float(found) == 0
    assert found.checked == (0, 1)
    assert str(found).startswith("Not shown, not even after one release: the ")


def test_the_search_ends_where_it_is_told_to():
    found = releases_until(PureDP(1e-12), HALF, 0.8)
    assert float(found) == 1e6
    assert str(found).startswith("After 1000000 releases, the ")
    assert str(found).endswith("More releases were not looked at.")
    assert float(releases_until(PureDP(0.01), HALF, 0.8, most=10)) == 10
    assert float(releases_until(PureDP(0.1), HALF, 0.8, most=15)) == 13
    assert float(releases_until(PureDP(0.1), HALF, 0.8, most=1)) == 1


def test_the_sentence_says_what_is_kept_and_how_often_it_may_fail():
    found = releases_until(DAILY, HALF, 0.99, failure=0.01, sides=2)
    assert str(found) == (
        "After 78 releases, the posterior probability of the truth is at most 99 %, except with probability 1 %. "
        "After 79 this is no longer shown."
    )
    assert "After one release, the" in str(releases_until(PureDP(1.0), HALF, 0.8))


def test_the_findings_carry_rule_assumptions_and_failure():
    found = releases_until(DAILY, HALF, 0.99, failure=0.01)
    assert found.count.direction is Direction.AT_LEAST
    assert {"releases-within-limit", "zcdp-composition", "zcdp-tails", "posterior-bounds"} <= set(
        found.count.basis.theorems
    )
    assert "every-release-counted" in found.count.basis.assumptions
    assert found.count.basis.failures[0].probability == 0.01
    for finding in (found.count, found.chances, risk_over_releases(DAILY, HALF, [1, 2], failure=0.01)):
        assert Finding.from_json(finding.to_json()) == finding
    assert found.count.inputs["rule"] == "OwnComposition()"


# The path


@pytest.mark.parametrize(
    ("promised", "sides"), [(PureDP(0.1), 1), (ApproxDP(0.1, 1e-6), 2), (DAILY, 1), (DAILY, 2), (Gaussian(7.0), 1)]
)
def test_the_path_is_the_posterior_after_each_number_of_releases(promised, sides):
    options = {"failure": 0.01, "sides": sides}
    path = risk_over_releases(promised, PosteriorFrom(0.3), [1, 30], **options)
    each = [float(posterior(promised.times(k), 0.3, **options)) for k in (1, 30)]
    assert path.value == pytest.approx(each, rel=1e-12)
    assert path.value[0] < path.value[1]


def test_the_path_of_ratio_and_difference_is_theirs_at_any_prior():
    together = ApproxDP(0.1, 1e-6).times(30)
    ratios = risk_over_releases(ApproxDP(0.1, 1e-6), RatioAtAnyPrior(), [30], failure=0.01)
    assert ratios.value[0] == pytest.approx(float(largest_ratio(together, failure=0.01)), rel=1e-12)
    changes = risk_over_releases(ApproxDP(0.1, 1e-6), DifferenceAtAnyPrior(), [30], failure=0.01)
    assert changes.value[0] == pytest.approx(float(largest_difference(together, failure=0.01)), rel=1e-12)


def test_where_nothing_is_promised_the_path_ends_at_certainty():
    path = risk_over_releases(ApproxDP(0.1, 1e-7), HALF, [1, 30], failure=0.01, rule=AdvancedComposition(1e-6))
    assert path.value[0] < 1.0
    assert path.value[1] == 1.0
    assert path.direction is Direction.AT_MOST


def test_counts_may_be_an_array_or_a_range():
    listed = risk_over_releases(PureDP(0.1), HALF, [1, 2, 3]).value
    assert np.array_equal(risk_over_releases(PureDP(0.1), HALF, range(1, 4)).value, listed)
    assert np.array_equal(risk_over_releases(PureDP(0.1), HALF, np.arange(1, 4)).value, listed)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: releases_until(PureDP(1.0), 0.5, 0.8), "risk must say what is limited"),
        (lambda: releases_until(PureDP(1.0), HALF, "much"), "limit must be a number"),
        (lambda: releases_until(PureDP(1.0), HALF, 0.8, failure=2.0), "failure must be a probability"),
        (lambda: releases_until(PureDP(1.0), HALF, 0.8, sides=3), "sides must be 1 or 2"),
        (lambda: releases_until(PureDP(1.0), HALF, 0.8, most=0), "most must be a whole number"),
        (lambda: releases_until("a promise", HALF, 0.8), "must be a promise"),
        (lambda: risk_over_releases(PureDP(1.0), HALF, []), "counts must be a list of whole numbers"),
        (lambda: risk_over_releases(PureDP(1.0), HALF, 7), "counts must be a list of whole numbers"),
        (lambda: risk_over_releases(PureDP(1.0), HALF, [0]), "counts must be a whole number of at least 1"),
        (lambda: risk_over_releases(PureDP(1.0), HALF, [1.5]), "counts must be a whole number of at least 1"),
        (lambda: risk_over_releases(PureDP(1.0), HALF, "17"), "counts must be a list of whole numbers"),
        (lambda: risk_over_releases(PureDP(1.0), HALF, np.array(7)), "counts must be a list of whole numbers"),
        (lambda: risk_over_releases(PureDP(1.0), HALF, [[1], [2, 3]]), "counts must be a whole number of at least 1"),
        (lambda: risk_over_releases(GaussianDP(1.0), HALF, [10**400]), "counts must be a whole number of at most"),
        (lambda: releases_until(GaussianDP(1.0), HALF, 0.8, most=10**400), "most must be a whole number of at most"),
        (lambda: releases_until(PureDP(1.0), HALF, 0.8, sides=np.array([1, 2])), "sides must be 1 or 2"),
        (lambda: releases_until(PureDP(1.0), HALF, 0.8, neighbours=[1]), "neighbours must be one of Neighbours"),
        (lambda: PosteriorFrom(1.5), "prior must be a probability"),
    ],
)
def test_a_wrong_input_is_refused_with_a_sentence(ask, said):
    with pytest.raises(InvalidInput, match=said):
        ask()


@pytest.mark.parametrize("rule", [None, "x", 1, OwnComposition, len], ids=repr)
def test_what_is_no_rule_is_refused(rule):
    with pytest.raises(InvalidInput, match="rule must say how releases add up"):
        releases_until(PureDP(1.0), HALF, 0.8, rule=rule)
    with pytest.raises(InvalidInput, match="rule must say how releases add up"):
        risk_over_releases(PureDP(1.0), HALF, [1], rule=rule)
