"""Rules in which parameters add up."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pairs import random_pair
from stopwatch import at_most

from whit.curves import FinitePair
from whit.errors import Incompatible, InvalidInput, UnknownKey
from whit.guarantees import (
    ApproxDP,
    Composition,
    Known,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    basic_composition,
    compose,
    gaussian_composition,
    renyi_composition,
    zcdp_composition,
)
from whit.setting import Neighbours
from whit.theory import theorem


def test_parameters_add_up_and_the_rule_is_named():
    together = basic_composition(ApproxDP(0.5, 1e-6), ApproxDP(0.25, 2e-6))
    assert together.promise.stated_epsilon == 0.75
    assert together.promise.stated_delta == pytest.approx(3e-6, rel=1e-15)
    assert together.adaptive is Known.YES
    assert theorem(together.theorem).locator == "Theorem 2.8(1)"
    assert together.basis.assumptions == ("independent-noise", "promises-fixed-beforehand")


def test_neighbours_and_sides_are_kept():
    pure = PureDP(0.5, neighbours=Neighbours.REPLACE)
    assert basic_composition(pure, pure).promise == PureDP(1.0, neighbours=Neighbours.REPLACE)
    tail = ProbabilisticDP(0.5, 0.1, sides=1)
    assert basic_composition(tail, tail).promise == ProbabilisticDP(1.0, 0.2, sides=1)


def test_deltas_do_not_exceed_one():
    assert basic_composition(ApproxDP(1.0, 0.7), ApproxDP(1.0, 0.7)).promise.stated_delta == 1.0


@pytest.mark.parametrize("seed", range(20))
def test_an_adaptive_choice_keeps_to_the_sum(seed):
    """The second release is chosen by the outcome of the first; each choice keeps the second promise."""
    rng = np.random.default_rng(seed)
    first, choices = random_pair(rng, 2), [random_pair(rng, 3), random_pair(rng, 3)]
    e1, e2 = 0.4, 0.7

    def delta(pairs, epsilon):
        both = [FinitePair.of(*order) for pair in pairs for order in (pair, pair[::-1])]
        return min(1.0, max(float(np.exp(each.log_delta(epsilon).upper)) for each in both))

    together = basic_composition(ApproxDP(e1, delta([first], e1)), ApproxDP(e2, delta(choices, e2))).promise
    p, q = (np.concatenate([first[i][k] * choices[k][i] for k in (0, 1)]) for i in (0, 1))
    assert np.exp(FinitePair.of(p, q).log_delta(e1 + e2).lower) <= together.stated_delta * (1 + 1e-12)


def test_renyi_bounds_add_up_at_common_orders():
    together = renyi_composition(RenyiDP({2: 0.5, 4: 1.0, math.inf: 9.0}), ZeroConcentratedDP(0.25))
    assert dict(together.promise.orders) == {2.0: 1.0, 4.0: 2.0}
    with pytest.raises(Incompatible, match="must have an order that all of them reach; got .* State them at common"):
        renyi_composition(RenyiDP({math.inf: 0.5}), ZeroConcentratedDP(0.5))


def test_renyi_bounds_at_different_orders_add_up_at_those_that_all_reach():
    """A bound at order 4 holds at order 2; between 2 and 8 it is the chord of (alpha - 1) times the bound."""
    found = renyi_composition(RenyiDP({2: 0.5}), RenyiDP({4: 0.5}))
    assert dict(found.promise.orders) == {2.0: 1.0}
    assert found.theorem == "renyi-orders-between"
    chord = (Fraction(4, 6) * Fraction(1, 4) + Fraction(2, 6) * 7 * 3) / 3
    total = renyi_composition(RenyiDP({2: 0.5, 4: 1.0}), RenyiDP({2: 0.25, 8: 3.0})).promise.orders
    assert list(total) == [2.0, 4.0]
    assert chord + 1 <= Fraction(total[4.0]) <= (chord + 1) * (1 + Fraction(1, 2**50))
    unbounded = renyi_composition(RenyiDP({2: 0.5, math.inf: 2.0}), RenyiDP({4: 1.0})).promise.orders
    assert dict(unbounded) == {2.0: 1.5, 4.0: 2.5}  # (0.5 + 2 x 2)/3 = 1.5 at order 4


@pytest.mark.parametrize("seed", range(20))
def test_two_pairs_keep_to_what_their_bounds_at_different_orders_add_up_to(seed):
    rng = np.random.default_rng(seed)
    pairs = [random_pair(rng, 3), random_pair(rng, 3)]
    orders = [(1.5, 6.0), (3.0, 9.0)]

    def divergence(alpha, p, q):
        logs = [alpha * np.log(a) + (1 - alpha) * np.log(b) for a, b in ((p, q), (q, p))]
        return max(float(np.logaddexp.reduce(each)) for each in logs) / (alpha - 1)

    promises = [
        RenyiDP({alpha: divergence(alpha, *pair) for alpha in each}) for pair, each in zip(pairs, orders, strict=True)
    ]
    p, q = (np.outer(pairs[0][side], pairs[1][side]).ravel() for side in (0, 1))
    total = renyi_composition(*promises).promise.orders
    assert list(total) == [1.5, 3.0, 6.0]
    for alpha, gamma in total.items():
        assert divergence(alpha, p, q) <= gamma * (1 + 1e-9)


@settings(max_examples=50)
@given(st.lists(st.floats(0.0, 10.0), min_size=1, max_size=6), st.floats(0.0, 10.0))
def test_one_more_release_never_lowers_a_parameter(rhos, more):
    before = zcdp_composition(*map(ZeroConcentratedDP, rhos)).promise.rho
    after = zcdp_composition(*map(ZeroConcentratedDP, [*rhos, more])).promise.rho
    assert before <= after
    assert before == pytest.approx(math.fsum(rhos), rel=1e-14)


@pytest.mark.parametrize("rule", [zcdp_composition, renyi_composition, gaussian_composition])
def test_a_promise_of_another_kind_is_refused(rule):
    with pytest.raises(
        InvalidInput, match=r"a promise of this rule must be .*; got PureDP\(epsilon=1.0\). Use compose"
    ):
        rule(PureDP(1.0))


# A composition says by which rule it holds


def test_a_rule_that_is_in_no_list_is_refused():
    with pytest.raises(UnknownKey, match="No theorem has the key no-such-rule"):
        Composition(PureDP(1.0), "no-such-rule", Known.YES, ())


def test_the_basis_is_the_rule():
    assert Composition(PureDP(1.0), "basic-composition", Known.YES, ()).basis.theorems == ("basic-composition",)


@pytest.mark.parametrize("count", [10**6 + 1, 4503599627370497])
def test_very_many_promises_are_composed_by_their_sum(count):
    with at_most(seconds=2):
        found = compose(PureDP(0.5).times(count), PureDP(0.25)).promise
    assert isinstance(found, PureDP)
    exact = Fraction(count, 2) + Fraction(1, 4)
    assert exact <= Fraction(found.stated_epsilon) <= exact * (1 + Fraction(1, 2**50))
