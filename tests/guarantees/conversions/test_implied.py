"""What follows from bounds on beliefs, against the beliefs of small releases worked out by brute force."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import Incompatible, InvalidInput, NotImplied
from whit.guarantees import ProbabilisticDP, PureDP
from whit.guarantees.conversions import (
    both_sides_epsilon,
    epsilon_of_difference,
    epsilon_of_odds,
    epsilon_of_posterior,
    epsilon_of_ratio,
    implied_by_difference,
    implied_by_odds,
    implied_by_posterior,
    implied_by_ratio,
    other_side_epsilon,
)
from whit.mechanisms import Finite
from whit.semantics.membership import largest_difference, largest_ratio, posterior
from whit.setting import Neighbours

PRIORS = np.array([1e-300, 1e-15, 1e-6, 0.01, 0.3, 0.5, 0.9, 1 - 1e-9])
inside = st.floats(1e-6, 1 - 1e-6)


def exact_logit(x: float) -> mpmath.mpf:
    return mpmath.log(mpmath.mpf(x) / (1 - mpmath.mpf(x)))


def assert_bound(found: float, truth: mpmath.mpf, relative: float = 1e-13) -> None:
    """At least the truth, without tolerance, and close to it."""
    assert mpmath.mpf(found) >= truth
    assert found <= float(truth) * (1 + relative) + 1e-300


def beliefs(p: np.ndarray, q: np.ndarray, prior: float) -> np.ndarray:
    return prior * p / (prior * p + (1 - prior) * q)


def coin_that_rarely_speaks(loss: float, failure: float) -> tuple[np.ndarray, np.ndarray]:
    """With probability failure an outcome of this loss, its mirror image, and otherwise nothing: Example A.1."""
    p = np.array([failure, failure * math.exp(-loss), 1 - failure * (1 + math.exp(-loss))])
    return p, p[[1, 0, 2]]


# One prior, two ends


@given(prior=inside, low=st.floats(0, 1), high=st.floats(0, 1))
def test_the_epsilon_of_a_posterior_is_the_larger_distance_in_log_odds(prior, low, high):
    lower, upper = prior * low, prior + (1 - prior) * high
    found = float(epsilon_of_posterior.kernel(prior, lower, min(upper, 1.0)))
    if lower == 0.0 or upper >= 1.0:
        assert math.isinf(found)
        return
    truth = max(exact_logit(upper) - exact_logit(prior), exact_logit(prior) - exact_logit(lower))
    assert_bound(found, truth, 1e-7 if found > 18 else 1e-13)


@pytest.mark.parametrize("prior", [5e-324, 1e-310, 1e-15, 0.5, 1 - 2**-53])
def test_extreme_posteriors_give_finite_bounds(prior):
    upper = math.nextafter(1.0, 0.0)
    found = float(epsilon_of_posterior(prior, prior, max(prior, upper)))
    truth = exact_logit(max(prior, upper)) - exact_logit(prior)
    assert mpmath.mpf(found) >= truth
    assert found <= float(truth) * (1 + 1e-9)


@pytest.mark.parametrize("epsilon", [1e-9, 0.1, 1.0, 5.0, 30.0])
def test_the_bounds_on_beliefs_and_the_promise_are_two_ways_to_say_one_thing(epsilon):
    """There and back: the interval that a promise gives implies the promise, but for rounding."""
    interval = posterior(PureDP(epsilon), 0.3, sides=2)
    back = implied_by_posterior(0.3, lower=float(interval.lower), upper=float(interval.upper)).promise
    assert isinstance(back, PureDP)
    assert back.stated_epsilon >= epsilon
    assert back.stated_epsilon == pytest.approx(epsilon, rel=1e-9 if epsilon < 20 else 1e-2, abs=1e-14)
    factors = largest_ratio(PureDP(epsilon), sides=2)
    back = implied_by_ratio(lowest=float(factors.lower), highest=float(factors.upper)).promise
    assert back.stated_epsilon == pytest.approx(epsilon, rel=1e-6 if epsilon < 1e-6 else 1e-12)
    back = implied_by_difference(float(largest_difference(PureDP(epsilon)))).promise
    assert back.stated_epsilon == pytest.approx(epsilon, rel=1e-9)


@given(
    weights=st.lists(st.tuples(st.floats(0.01, 1), st.floats(0.01, 1)), min_size=2, max_size=6),
    prior=st.floats(0.01, 0.99),
    low=st.floats(0.01, 0.99),
    high=st.floats(0.01, 0.99),
)
def test_a_release_keeps_the_promise_that_its_beliefs_imply(weights, prior, low, high):
    table = np.array(weights)
    p, q = table[:, 0] / table[:, 0].sum(), table[:, 1] / table[:, 1].sum()
    ends = prior * low, prior + (1 - prior) * high
    found = beliefs(p, q, prior)
    out = (found < ends[0]) | (found > ends[1])
    failure = min(1.0, max(p[out].sum(), q[out].sum()))
    promise = implied_by_posterior(prior, lower=ends[0], upper=ends[1], failure=failure).promise
    beyond = np.abs(np.log(p / q)) > promise.stated_epsilon * (1 + 1e-12)
    assert max(p[beyond].sum(), q[beyond].sum()) <= failure * (1 + 1e-12)


def test_without_a_failure_pure_privacy_follows_and_with_one_a_tail():
    assert implied_by_posterior(0.5, lower=0.25, upper=0.75).promise == PureDP(float(epsilon_of_odds(3.0)))
    found = implied_by_posterior(0.5, lower=0.4, upper=0.75, failure=0.05, neighbours=Neighbours.REPLACE).promise
    assert isinstance(found, ProbabilisticDP)
    assert (found.stated_delta, found.sides, found.neighbours) == (0.05, 2, Neighbours.REPLACE)
    assert found.stated_epsilon == pytest.approx(math.log(3), rel=1e-14)


# The ratio


@given(low=st.floats(1e-300, 1), high=st.floats(1, 1e300))
def test_the_epsilon_of_a_ratio_is_the_larger_log(low, high):
    truth = max(-mpmath.log(mpmath.mpf(low)), mpmath.log(mpmath.mpf(high)))
    assert_bound(float(epsilon_of_ratio.kernel(low, high)), truth)
    assert_bound(float(epsilon_of_odds.kernel(high)), mpmath.log(mpmath.mpf(high)))


def test_at_small_priors_a_ratio_is_the_odds_ratio():
    """The limit that the theorem takes: at no prior is the ratio beyond e^loss, and at small priors it is near."""
    p, q = np.array([0.7, 0.3]), np.array([0.2, 0.8])
    epsilon = float(epsilon_of_ratio(float((p / q).min()), float((p / q).max())))
    ratios = np.array([beliefs(p, q, prior) / prior for prior in PRIORS])
    assert np.all(np.abs(np.log(ratios)) <= epsilon)
    assert np.abs(np.log(ratios[0])).max() == pytest.approx(epsilon, rel=1e-12)


# The difference


@given(difference=st.floats(0, 1))
def test_the_epsilon_of_a_difference_is_four_times_its_artanh(difference):
    found = float(epsilon_of_difference.kernel(difference))
    if difference == 1.0:
        assert math.isinf(found)
    else:
        assert_bound(found, 4 * mpmath.atanh(mpmath.mpf(difference)))


@given(epsilon=st.floats(1e-12, 2.197))
def test_both_sides_follow_the_printed_formula_up_to_its_pole(epsilon):
    s = mpmath.exp(mpmath.mpf(epsilon) / 2)
    assert_bound(float(both_sides_epsilon.kernel(epsilon)), mpmath.log((3 * s - 1) / (3 - s)), 1e-11)


@given(epsilon=st.floats(1e-12, 1.386))
def test_the_other_side_follows_the_printed_formula_up_to_its_pole(epsilon):
    s = mpmath.exp(mpmath.mpf(epsilon) / 2)
    truth = mpmath.log((2 * s - 1) / (2 * s - s * s))
    assert_bound(float(other_side_epsilon.kernel(epsilon)), truth, 1e-11)


@pytest.mark.parametrize("epsilon", [1e-300, 1e-12, 0.0])
def test_small_epsilons_are_kept_to_full_accuracy(epsilon):
    assert float(both_sides_epsilon(epsilon)) == pytest.approx(epsilon, rel=1e-11)
    assert float(other_side_epsilon(epsilon)) == pytest.approx(epsilon, rel=1e-11)


def test_beyond_the_pole_nothing_is_known_and_nothing_is_raised():
    values = both_sides_epsilon([2 * math.log(3) + 1e-12, 710.0, 1e4]).value
    assert np.all(np.isinf(values))
    assert np.all(np.isinf(other_side_epsilon([2 * math.log(2) + 1e-12, 710.0, 1e4]).value))
    assert str(both_sides_epsilon(3.0)) == "epsilon has no known upper bound"


def test_the_other_side_is_what_the_prior_of_the_one_side_allows():
    """At the prior 1/(1 + e^(epsilon/2)) the probability can fall by tanh(epsilon/4) and no more."""
    epsilon = 1.0
    prior, change = 1 / (1 + math.exp(epsilon / 2)), math.tanh(epsilon / 4)
    logit = math.log(prior / (1 - prior))
    lowest = math.log((prior - change) / (1 - prior + change))
    assert float(other_side_epsilon(epsilon)) == pytest.approx(logit - lowest, rel=1e-12)


@given(
    weights=st.lists(st.tuples(st.floats(0.01, 1), st.floats(0.01, 1)), min_size=2, max_size=6),
    difference=st.floats(0.01, 0.95),
)
def test_a_release_keeps_the_promises_that_its_differences_imply(weights, difference):
    table = np.array(weights)
    p, q = table[:, 0] / table[:, 0].sum(), table[:, 1] / table[:, 1].sum()
    failure = 0.0
    for prior in [*np.linspace(0.01, 0.99, 99), (1 - difference) / 2, 0.5, (1 + difference) / 2]:
        out = np.abs(beliefs(p, q, prior) - prior) > difference * (1 + 1e-12)
        failure = max(failure, p[out].sum(), q[out].sum())
    implied = implied_by_difference(difference, failure=min(failure * (1 + 1e-12), 1.0))
    losses = np.log(p / q)
    assert np.all(p[losses > implied.promise.stated_epsilon * (1 + 1e-9)].sum() <= failure * (1 + 1e-12))
    for promise in implied.promises:
        beyond = np.abs(losses) > promise.stated_epsilon * (1 + 1e-9)
        far = 1 + math.exp(-promise.stated_epsilon) if isinstance(promise, PureDP) or promise.sides == 1 else 1.0
        assert max(p[beyond].sum(), q[beyond].sum()) <= failure * far * (1 + 1e-9)
        bound = np.asarray(implied.two_sided_tail(promise.stated_epsilon).value)
        assert max(p[beyond].sum(), q[beyond].sum()) <= bound * (1 + 1e-9)


@pytest.mark.parametrize("difference", [0.05, 0.2449186624037092, 0.45, 0.7])
def test_no_smaller_failure_follows_on_either_count(difference):
    """A rare coin keeps the bound at every prior, and just misses what would follow with a smaller number."""
    failure, epsilon = 0.01, 4 * math.atanh(difference)
    top = float(both_sides_epsilon(epsilon))
    loss = epsilon + 0.999 * (top - epsilon) if math.isfinite(top) else epsilon + 3
    p, q = coin_that_rarely_speaks(loss, failure)
    for prior in np.linspace(0.001, 0.999, 1999):
        out = np.abs(beliefs(p, q, prior) - prior) > difference * (1 + 1e-12)
        assert max(p[out].sum(), q[out].sum()) <= failure * (1 + 1e-12)
    implied = implied_by_difference(difference, failure=failure)
    release = Finite(p, q)
    start = implied.promise.stated_epsilon
    assert float(release.tail(start).upper) == pytest.approx(float(implied.tail(start)), rel=1e-9)
    both = float(release.two_sided_tail(loss - 1e-9).upper)
    assert both == pytest.approx(float(implied.two_sided_tail(loss - 1e-9)), rel=1e-6)
    assert both > failure


def test_the_delta_of_the_implied_privacy_is_the_failure_itself():
    """Corollary 3.12(1) prints 2 delta; one side of the loss is enough for differential privacy."""
    implied = implied_by_difference(0.2, failure=0.01)
    assert float(implied.delta(4 * math.atanh(0.2) * (1 + 1e-14))) <= 0.01
    assert float(implied.epsilon(0.01)) == pytest.approx(4 * math.atanh(0.2), rel=1e-12)


def test_a_half_or_more_leaves_one_promise():
    assert len(implied_by_difference(0.49, failure=0.01).promises) == 2
    assert len(implied_by_difference(0.5, failure=0.01).promises) == 1


# Findings and refusals


def test_findings_carry_the_theorem_and_what_must_hold_of_the_bound():
    found = implied_by_difference(0.2, failure=0.01).delta(1.0)
    assert "difference-bound-to-promise" in found.basis.theorems
    assert "beliefs-bounded-for-all" in found.basis.assumptions
    assert found.inputs["difference"] == 0.2
    assert type(found).from_json(found.to_json()) == found
    text = str(implied_by_odds(2.0))
    assert text.startswith("PureDP(epsilon=0.69314718")
    assert text.endswith(" from odds factor=2.0, failure=0.0")


def test_everything_broadcasts():
    assert epsilon_of_posterior([[0.5], [0.6]], 0.1, [0.9, 0.95]).value.shape == (2, 2)
    assert epsilon_of_ratio([0.5, 0.1], 2.0).value.shape == (2,)
    assert epsilon_of_difference([0.0, 0.5, 1.0]).value[0] == 0.0


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: implied_by_posterior(0.5, lower=0.0, upper=0.8), "must exclude certainty on both sides"),
        (lambda: implied_by_posterior(0.5, lower=0.2, upper=1.0), "must exclude certainty on both sides"),
        (lambda: implied_by_ratio(lowest=0.0, highest=2.0), "must exclude certainty on both sides"),
        (lambda: implied_by_odds(math.inf), "must exclude certainty on both sides"),
        (lambda: implied_by_difference(1.0), "must exclude certainty on both sides"),
    ],
)
def test_a_bound_that_says_nothing_implies_nothing(ask, said):
    with pytest.raises(NotImplied, match=said):
        ask()


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: implied_by_posterior(0.0, lower=0.0, upper=0.8), "prior must be above 0 and below 1"),
        (lambda: implied_by_posterior(0.5, lower=0.6, upper=0.8), "lower must not be above the prior"),
        (lambda: implied_by_posterior(0.5, lower=0.2, upper=0.4), "upper must not be below the prior"),
        (lambda: implied_by_posterior(0.5, lower="low", upper=0.4), "lower must be a number"),
        (lambda: implied_by_posterior(0.5, lower=[0.1, 0.2], upper=0.8), "lower must be a number"),
        (lambda: implied_by_posterior([0.5], lower=0.1, upper=0.8), "prior must be a number"),
        (lambda: implied_by_ratio(lowest=[0.1, 0.2], highest=2.0), "lowest must be a number"),
        (lambda: implied_by_ratio(lowest=0.1, highest=[2.0]), "highest must be a number"),
        (lambda: implied_by_difference([0.1, 0.2]), "difference must be a number"),
        (lambda: implied_by_odds([]), "factor must be a number"),
        (lambda: implied_by_ratio(lowest=1.5, highest=2.0), "lowest must be between 0 and 1"),
        (lambda: implied_by_ratio(lowest=0.5, highest=0.9), "highest must be at least 1"),
        (lambda: implied_by_odds(0.5), "factor must be at least 1"),
        (lambda: implied_by_difference(-0.1), "difference must be a probability"),
        (lambda: implied_by_difference(0.1, failure=1.5), "failure must be a probability"),
        (lambda: both_sides_epsilon(-1.0), "epsilon must be at least 0"),
        (lambda: other_side_epsilon(math.nan), "epsilon must be a number"),
    ],
)
def test_a_wrong_input_is_refused_with_a_sentence(ask, said):
    with pytest.raises(InvalidInput, match=said):
        ask()


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: epsilon_of_posterior([0.3, 0.4], 0.2, [0.8, 0.9, 0.95]), r"prior and upper .* \(2,\) and \(3,\)"),
        (lambda: epsilon_of_ratio([0.3, 0.4], [2.0, 3.0, 4.0]), r"lowest and highest .* \(2,\) and \(3,\)"),
    ],
)
def test_numbers_that_do_not_pair_are_refused_with_their_shapes(ask, said):
    with pytest.raises(Incompatible, match=said):
        ask()
