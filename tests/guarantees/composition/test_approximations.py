"""Advanced and optimal composition, against the exact composition of the worst pair and the printed formulas."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whit.curves import enumerated
from whit.errors import InvalidInput, Unreachable
from whit.guarantees import (
    ApproxDP,
    GaussianDP,
    PureDP,
    ZeroConcentratedDP,
    advanced_composition,
    basic_composition,
    dominating_pair,
    heterogeneous_composition,
    optimal_composition,
    optimal_composition_list,
    optimal_heterogeneous_composition,
)
from whit.guarantees.composition import AdvancedComposition, ListedComposition, OptimalComposition
from whit.setting import Neighbours


def exact_delta(promises, epsilon: float) -> float:
    """The largest delta of the releases together: that of the product of their worst pairs."""
    pairs = {}
    for promise in promises:
        key = dominating_pair(promise.stated_epsilon, promise.parameters.get("delta", 0.0))
        pairs[key] = 1
    return float(np.exp(enumerated(pairs).log_delta(epsilon).lower))


promises = st.lists(
    st.builds(ApproxDP, st.floats(0.01, 1.0), st.sampled_from([0.0, 1e-9, 1e-4])), min_size=1, max_size=6
)


@settings(max_examples=60)
@given(promises, st.sampled_from([1e-3, 0.05, 0.4]))
def test_both_advanced_rules_hold_for_the_worst_pairs(promises, delta):
    for rule in (advanced_composition, heterogeneous_composition):
        together = rule(*promises, delta=delta).promise
        assert exact_delta(promises, together.stated_epsilon) <= delta


@settings(max_examples=60)
@given(promises, st.sampled_from([1e-3, 0.4]))
def test_the_heterogeneous_rule_is_never_worse_than_adding_up(promises, delta):
    together = heterogeneous_composition(*promises, delta=delta).promise
    assert together.stated_epsilon <= basic_composition(*promises).promise.stated_epsilon


@pytest.mark.parametrize("k", [50, 400])
@pytest.mark.parametrize("delta", [1e-8, 1e-3, 0.1])
@pytest.mark.parametrize("epsilon", [0.005, 0.05, 0.5])
def test_rules_from_loose_to_tight(k, delta, epsilon):
    each = PureDP(epsilon)
    rules = [
        advanced_composition(*[each] * k, delta=delta),
        heterogeneous_composition(*[each] * k, delta=delta),
        optimal_composition_list(each, k, delta=delta),
        optimal_composition(each, k, delta=delta),
    ]
    epsilons = [rule.promise.stated_epsilon for rule in rules]
    assert epsilons == sorted(epsilons, reverse=True)
    assert all(rule.promise.stated_delta == delta for rule in rules)


def listed_delta(k: int, epsilon: float, delta: float, steps: int) -> mpmath.mpf:
    """The delta of the list as the theorem prints it."""
    e = mpmath.mpf(epsilon)
    terms = [
        mpmath.binomial(k, j) * (mpmath.exp((k - j) * e) - mpmath.exp((k - 2 * steps + j) * e)) for j in range(steps)
    ]
    return 1 - (1 - mpmath.mpf(delta)) ** k * (1 - mpmath.fsum(terms) / (1 + mpmath.exp(e)) ** k)


@pytest.mark.parametrize(("k", "epsilon", "delta"), [(12, 0.3, 0.0), (25, 0.1, 1e-6), (60, 0.5, 1e-4)])
@pytest.mark.parametrize("total", [0.01, 0.2])
def test_the_list_is_that_of_the_theorem(k, epsilon, delta, total):
    best = max(steps for steps in range(k // 2 + 1) if listed_delta(k, epsilon, delta, steps) <= total)
    found = optimal_composition_list(ApproxDP(epsilon, delta), k, delta=total).promise.stated_epsilon
    assert found == pytest.approx((k - 2 * best) * epsilon, rel=1e-14)


@pytest.mark.parametrize(("k", "epsilon", "delta"), [(12, 0.3, 0.0), (25, 0.1, 1e-6)])
def test_at_the_optimum_the_worst_pair_has_the_stated_delta(k, epsilon, delta):
    found = optimal_composition(ApproxDP(epsilon, delta), k, delta=0.01).promise.stated_epsilon
    heads = 1 / (1 + mpmath.exp(-mpmath.mpf(epsilon)))
    atoms = [
        ((2 * j - k) * mpmath.mpf(epsilon), mpmath.binomial(k, j) * heads**j * (1 - heads) ** (k - j))
        for j in range(k + 1)
    ]
    profile = mpmath.fsum(mass * (1 - mpmath.exp(found - loss)) for loss, mass in atoms if loss > found)
    kept = (1 - mpmath.mpf(delta)) ** k
    assert float(1 - kept + kept * profile) == pytest.approx(0.01, rel=1e-10)


def test_a_hundred_thousand_releases():
    """By the central limit theorem many coins of bias e^epsilon are Gaussian, with mu = sqrt(count) epsilon."""
    together = optimal_composition(PureDP(0.1 / math.sqrt(1e5)), 10**5, delta=1e-6).promise
    assert together.stated_epsilon == pytest.approx(float(GaussianDP(0.1).epsilon(1e-6)), rel=1e-4)


def test_a_delta_that_is_too_small_is_unreachable():
    with pytest.raises(Unreachable, match="delta must be above the sum of the deltas, which is 2e-06; got 1e-06. Use"):
        advanced_composition(*[ApproxDP(1.0, 1e-6)] * 2, delta=1e-6)
    with pytest.raises(Unreachable, match="delta must be at least that of the promises, 2e-06; got 1e-06. Use"):
        heterogeneous_composition(*[ApproxDP(1.0, 1e-6)] * 2, delta=1e-6)
    with pytest.raises(Unreachable, match="delta must be at least what 2 releases with ApproxDP.* give away for sure"):
        optimal_composition(ApproxDP(1.0, 1e-6), 2, delta=1e-6)
    with pytest.raises(Unreachable, match="delta must be at least what 2 releases with ApproxDP.* give away for sure"):
        optimal_composition_list(ApproxDP(1.0, 1e-6), 2, delta=1e-6)


def test_without_a_spare_delta_epsilons_add_up():
    together = heterogeneous_composition(PureDP(0.5), PureDP(0.25), delta=0.0).promise
    assert together == ApproxDP(0.75, 0.0)
    assert math.isclose(optimal_composition(PureDP(0.5), 2, delta=0.0).promise.stated_epsilon, 1.0, rel_tol=1e-14)


def test_unequal_promises_are_composed_as_all_products_of_their_pairs() -> None:
    """Three unequal pairs, every product of outcomes tried: no smaller epsilon has this delta."""
    promises = (PureDP(0.3), ApproxDP(0.5, 0.01), PureDP(0.8))
    pairs = [dominating_pair(each.stated_epsilon, getattr(each, "stated_delta", 0.0)) for each in promises]
    together = optimal_heterogeneous_composition(*promises, delta=0.1)
    products = [
        (sum(losses), float(np.exp(sum(logs))))
        for losses, logs in zip(
            itertools.product(*(pair.losses for pair in pairs)),
            itertools.product(*(pair.log_masses for pair in pairs)),
            strict=True,
        )
    ]

    def delta_at(epsilon: float) -> float:
        return 0.01 + sum(mass * max(0.0, 1 - np.exp(epsilon - loss)) for loss, mass in products)

    found = together.promise.stated_epsilon
    assert delta_at(found) <= 0.1 * (1 + 1e-12)
    assert delta_at(found - 1e-5) > 0.1


def test_equal_promises_are_composed_as_by_the_optimal_rule() -> None:
    many = optimal_heterogeneous_composition(*[PureDP(0.05)] * 100, delta=1e-6).promise.stated_epsilon
    assert many == pytest.approx(optimal_composition(PureDP(0.05), 100, delta=1e-6).promise.stated_epsilon, rel=1e-6)


def test_the_optimum_is_never_above_the_other_rules() -> None:
    promises = [PureDP(0.02 * n) for n in range(1, 31)]
    best = optimal_heterogeneous_composition(*promises, delta=1e-5).promise.stated_epsilon
    assert best <= heterogeneous_composition(*promises, delta=1e-5).promise.stated_epsilon
    assert best <= sum(each.stated_epsilon for each in promises)


def test_a_delta_below_what_is_given_away_is_refused() -> None:
    with pytest.raises(Unreachable, match=r"delta must be at least what the promises together give away for sure"):
        optimal_heterogeneous_composition(ApproxDP(1.0, 0.1), PureDP(0.5), delta=0.05)


# Rules by which releases add up: each against the composition that it stands for


@pytest.mark.parametrize("one", [PureDP(0.05), ApproxDP(0.05, 1e-9), ApproxDP(2.0, 1e-9)])
@pytest.mark.parametrize("releases", [1, 2, 26, 1000])
def test_advanced_composition_of_equal_terms_is_that_of_a_list(one, releases):
    found = AdvancedComposition(1e-5)(one, releases)
    listed = advanced_composition(*[one] * releases, delta=1e-5).promise
    assert found.stated_epsilon == pytest.approx(listed.stated_epsilon, rel=1e-13)
    assert found.stated_delta == listed.stated_delta


@pytest.mark.parametrize("releases", [1, 26, 10**6])
def test_advanced_composition_is_not_below_its_formula(releases):
    k, epsilon, total, own = releases, mpmath.mpf(0.05), mpmath.mpf(1e-5), mpmath.mpf(1e-13)
    truth = k * epsilon * mpmath.expm1(epsilon) + epsilon * mpmath.sqrt(2 * k * mpmath.log(1 / (total - k * own)))
    assert mpmath.mpf(AdvancedComposition(1e-5)(ApproxDP(0.05, 1e-13), releases).stated_epsilon) >= truth


def test_optimal_rules_are_the_optimal_compositions():
    one = PureDP(0.05, neighbours=Neighbours.REPLACE)
    found = OptimalComposition(1e-6)(one, 40)
    assert found.neighbours is Neighbours.REPLACE
    assert found.stated_epsilon == optimal_composition(PureDP(0.05), 40, delta=1e-6).promise.stated_epsilon
    listed = optimal_composition_list(PureDP(0.05), 40, delta=1e-6).promise.stated_epsilon
    assert ListedComposition(1e-6)(one, 40).stated_epsilon == listed
    assert found.stated_epsilon <= listed


@pytest.mark.parametrize("rule", [AdvancedComposition(1e-6), OptimalComposition(1e-6), ListedComposition(1e-6)])
def test_a_total_delta_that_is_spent_is_unreachable(rule):
    with pytest.raises(Unreachable, match="delta must be"):
        rule(ApproxDP(0.1, 1e-7), 20)
    assert rule(ApproxDP(0.1, 1e-7), 5).stated_delta == 1e-6


def test_an_epsilon_that_overflows_is_unreachable():
    with pytest.raises(Unreachable, match="small enough for advanced composition"):
        AdvancedComposition(1e-6)(PureDP(1e4), 2)


@pytest.mark.parametrize("rule", [AdvancedComposition(1e-6), OptimalComposition(1e-6), ListedComposition(1e-6)])
def test_rules_of_epsilon_and_delta_refuse_what_is_no_such_promise(rule):
    with pytest.raises(InvalidInput, match="must be PureDP or ApproxDP"):
        rule(ZeroConcentratedDP(0.1), 2)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: AdvancedComposition(0.0), "delta must be a probability strictly between"),
        (lambda: OptimalComposition(1.0), "delta must be a probability strictly between"),
        (lambda: ListedComposition("small"), "delta must be a probability strictly between"),
    ],
)
def test_a_wrong_input_is_refused_with_a_sentence(ask, said):
    with pytest.raises(InvalidInput, match=said):
        ask()
