"""Promises that are fixed beforehand, where mechanisms, their order and the end are chosen: every rule for several."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from analysts import BASE, coins, delta_of_plan, mechanisms_within

from whit.guarantees import (
    ApproxDP,
    BoundedRange,
    Composition,
    GaussianDP,
    Guarantee,
    RenyiDP,
    ZeroConcentratedDP,
    advanced_composition,
    basic_composition,
    compose,
    convert,
    gaussian_composition,
    heterogeneous_composition,
    optimal_composition,
    optimal_composition_list,
    optimal_heterogeneous_composition,
    renyi_composition,
    zcdp_composition,
)
from whit.theory import THEOREMS
from whit.worlds import Analyst, Choice

COINS, PROMISES = coins((2, 4, 9))
LIKE = (Choice.coin(BASE**4), PROMISES[1])


def stated(kind: type[Guarantee], promise: Guarantee, **orders: Any) -> Any:
    return convert(promise, to=kind, **orders).result


RULES: dict[str, Callable[[], Composition[Any]]] = {
    "basic-composition": lambda: basic_composition(*PROMISES),
    "advanced-composition": lambda: advanced_composition(*PROMISES, delta=0.05),
    "advanced-composition-heterogeneous": lambda: heterogeneous_composition(*PROMISES, delta=0.05),
    "optimal-composition-heterogeneous": lambda: optimal_heterogeneous_composition(*PROMISES, delta=0.05),
    "dominating-pairs-compose": lambda: compose(PROMISES[0], ApproxDP(_epsilon(1), 0.0), BoundedRange(2 * _epsilon(2))),
    "zcdp-composition": lambda: zcdp_composition(*(stated(ZeroConcentratedDP, each) for each in PROMISES)),
    "gaussian-composition": lambda: gaussian_composition(*(stated(GaussianDP, each) for each in PROMISES)),
    "renyi-composition": lambda: renyi_composition(*(stated(RenyiDP, each, orders=(2, 6)) for each in PROMISES)),
    "renyi-orders-between": lambda: renyi_composition(
        *(stated(RenyiDP, each, orders=(order, 8)) for each, order in zip(PROMISES, (2, 3, 4), strict=True))
    ),
}
COPIES: dict[str, Callable[[], Composition[Any]]] = {
    "optimal-composition": lambda: optimal_composition(LIKE[1], 3, delta=0.05),
    "optimal-composition-list": lambda: optimal_composition_list(LIKE[1], 3, delta=0.3),
    "bounded-range-composition": lambda: compose(*[BoundedRange(2 * _epsilon(1))] * 3),
}


def _epsilon(place: int) -> float:
    return PROMISES[place].stated_epsilon


def test_every_rule_of_composition_is_here():
    """A rule for several releases says that promises are fixed, and is judged below; filters let them be chosen."""
    fixed = {key for key, entry in THEOREMS.items() if "promises-fixed-beforehand" in entry.assumptions}
    assert fixed == {*RULES, *COPIES}
    assert {THEOREMS[key].hypotheses.adaptivity for key in fixed} == {("mechanisms", "order", "stopping")}
    budgets = {key for key, entry in THEOREMS.items() if "budget-fixed-beforehand" in entry.assumptions}
    assert budgets == {key for key in THEOREMS if key.endswith("-filter")} | {"several-books"}
    every = ("mechanisms", "parameters", "order", "stopping")
    assert {THEOREMS[key].hypotheses.adaptivity for key in budgets} == {every}


@pytest.mark.parametrize("key", [*RULES, *COPIES])
def test_mechanisms_order_and_an_end_may_be_chosen_under_promises_that_are_fixed(key):
    """For each promise once: a coin that is as bad as it allows, or another release; in any order, or not at all."""
    together = {**RULES, **COPIES}[key]()
    assert key in together.basis.theorems
    worst = COINS if key in RULES else [LIKE[0]] * 3
    rng = np.random.default_rng(5)
    weaker = [mechanisms_within(choice.here[0] / choice.there[0], rng) for choice in worst]
    analyst = once_each([*worst, *weaker], 3)
    for x in (Fraction(1), BASE**3, BASE**6, BASE**11):
        epsilon = max(0.0, math.nextafter(math.log(x), -math.inf))
        assert 0 <= analyst.delta(x) <= float(together.promise.delta(epsilon))


def once_each(menu: Sequence[Choice], parts: int) -> Analyst:
    """An analyst who takes each part at most once, in the order that suits them, and stops when it suits them."""

    def charged(taken: frozenset[int], place: int) -> frozenset[int] | None:
        return None if place % parts in taken else taken | {place % parts}

    return Analyst(menu, frozenset(), charged)


def test_an_order_and_an_end_that_are_chosen_gain_nothing_in_delta():
    for x in (Fraction(1), BASE**5, BASE**12):
        assert once_each(COINS, 3).delta(x) == delta_of_plan(COINS, x)


def test_an_end_that_is_chosen_gains_in_the_tail():
    """P[Z >= z] of all three is exceeded by somebody who stops at the first moment at which it is so."""
    menu = COINS
    analyst, aim = once_each(menu, 3), BASE**4
    end = sum(
        math.prod(choice.here[y] for choice, y in zip(menu, outcome, strict=True))
        for outcome in product((0, 1), repeat=3)
        if math.prod(choice.here[y] / choice.there[y] for choice, y in zip(menu, outcome, strict=True)) >= aim
    )
    assert analyst.ever(aim) > end


def test_a_weaker_mechanism_with_the_same_promise_can_have_the_larger_tail():
    """Losses of 1 twice exceed 0.4 with 0.534; of 1 and 0.5, which promise no more, with 0.731."""
    one, half = (Choice.coin(Fraction(math.exp(loss)).limit_denominator(10**6)) for loss in (1.0, 0.5))
    limit = Fraction(math.exp(0.4))

    def beyond(plan: list[Choice]) -> float:
        return float(sum(p1 * p2 for p1, r1 in plan[0].steps for p2, r2 in plan[1].steps if r1 * r2 > limit))

    assert beyond([one, one]) == pytest.approx(0.534, abs=5e-4)
    assert beyond([one, half]) == pytest.approx(0.731, abs=5e-4)


def test_mechanisms_that_are_chosen_on_the_way_keep_what_the_worst_pair_has():
    """Of four mechanisms with one promise any may be run, three times: never more than the coin three times."""
    rng, odds = np.random.default_rng(19), Fraction(2)
    for _ in range(20):
        menu = [Choice.coin(odds), *(mechanisms_within(odds, rng) for _ in range(3))]
        any_of_them = Analyst.paying(menu, [1] * 4, 3)
        for x in (Fraction(1), Fraction(3, 2), Fraction(4)):
            assert any_of_them.delta(x) == delta_of_plan([menu[0]] * 3, x)
