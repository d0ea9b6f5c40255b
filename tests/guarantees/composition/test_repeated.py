"""Rules by which releases add up: each against the composition that it stands for."""

from __future__ import annotations

import mpmath
import pytest

from whit.errors import InvalidInput, Unreachable
from whit.guarantees import (
    ApproxDP,
    PureDP,
    ZeroConcentratedDP,
    advanced_composition,
    optimal_composition,
    optimal_composition_list,
)
from whit.guarantees.composition import AdvancedComposition, ListedComposition, OptimalComposition
from whit.setting import Neighbours


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
