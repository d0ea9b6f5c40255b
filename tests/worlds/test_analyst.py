"""The worst analyst, against all strategies of a small game, against printed values, and against closed forms."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest

from whit.errors import InvalidInput, TooCostly
from whit.worlds import Analyst, Choice

HALF = Fraction(1, 2)


def close_to(log_odds: float) -> Fraction:
    """A short fraction near e to a number: the referee then has short fractions to go through."""
    return Fraction(math.exp(log_odds)).limit_denominator(10**6)


def test_two_coins_by_hand():
    twice = Analyst.paying([Choice.coin(2)], [1], 2)
    assert twice.ever(4) == Fraction(4, 9)  # two true answers
    assert twice.ever(2) == Fraction(2, 3)  # the first is true, or it is too late
    assert twice.delta(3) == Fraction(4, 9) * (1 - Fraction(3, 4))
    assert twice.delta(1) == Fraction(1, 3)  # 4/9 - 1/9: the total variation of two coins
    assert twice.best(lambda spent, _: spent) == 2


def tree_values(menu: list[Choice], costs: list[int], budget: int, payoff):
    """The payoff of every strategy of at most two releases: a choice at the start and one after each outcome."""
    options = [None, *range(len(menu))]
    starts = [(i, y) for i in range(len(menu)) for y in range(len(menu[i].here))]
    for first, *then in itertools.product(options, repeat=1 + len(starts)):
        answers = dict(zip(starts, then, strict=True))
        if first is None or costs[first] > budget:
            yield payoff(1, 1)
            continue
        mean = Fraction(0)
        for y, (p, q) in enumerate(zip(menu[first].here, menu[first].there, strict=True)):
            second = answers[first, y]
            if second is None or costs[first] + costs[second] > budget:
                mean += p * payoff(p, q) if p else 0
            else:
                pairs = zip(menu[second].here, menu[second].there, strict=True)
                mean += sum(p * p2 * payoff(p * p2, q * q2) for p2, q2 in pairs if p * p2)
        yield mean


@pytest.mark.parametrize("x", [Fraction(1), Fraction(3, 2), Fraction(3), Fraction(5)])
@pytest.mark.parametrize("budget", [2, 3])
def test_nobody_of_all_strategies_does_better_and_one_does_as_well(x, budget):
    menu, costs = [Choice.coin(2), Choice([HALF, HALF, 0], [Fraction(1, 4), HALF, Fraction(1, 4)])], [1, 2]
    found = Analyst(menu, (0, 0), lambda taken, i: _charged(taken, i, costs, budget))
    delta = max(tree_values(menu, costs, budget, lambda p, q: max(Fraction(0), 1 - x * q / p)))
    assert found.delta(x) == delta


def _charged(taken: tuple[int, int], place: int, costs: list[int], budget: int) -> tuple[int, int] | None:
    after = (taken[0] + (place == 0), taken[1] + (place == 1))
    return after if sum(after) <= 2 and after[0] * costs[0] + after[1] * costs[1] <= budget else None


@pytest.mark.parametrize(
    ("steps", "power", "budget", "reach", "printed"),
    [
        # A menu of randomized response under rho = 1/2, to reach a loss of 1.5, and to exceed it.
        ((1, 2, 4, 8), 2, 100, 15, 0.36647),
        ((1, 2, 4, 8), 2, 100, 16, 0.32375),
        # One coin of 0.1, a hundred times and twenty times.
        ((1,), 0, 100, 20, 0.113887),
        ((1,), 0, 20, 5, 0.333101),
    ],
)
def test_printed_values_of_the_worst_analyst(steps, power, budget, reach, printed):
    """Losses are so many steps of 0.1, and cost their square (rho 1/2 is 100 times 0.1^2 / 2) or 1 each."""
    base = close_to(0.1)
    analyst = Analyst.paying([Choice.coin(base**k) for k in steps], [k**power for k in steps], budget)
    assert float(analyst.ever(base**reach)) == pytest.approx(printed, abs=6e-6)


def test_one_coin_many_times_is_the_mirror_image():
    """P[some Z >= z] = P[Z >= z] + e^z Q[Z > z], by counting the true answers of all."""
    odds, times, reach = Fraction(3), 9, 3
    truth = odds / (1 + odds)
    at_the_end = {2 * k - times: math.comb(times, k) * truth**k * (1 - truth) ** (times - k) for k in range(times + 1)}
    expected = sum(p * (1 if z == reach else 1 + odds ** (reach - z)) for z, p in at_the_end.items() if z >= reach)
    assert Analyst.paying([Choice.coin(odds)], [1], times).ever(odds**reach) == expected


def test_what_is_named_has_an_infinite_ratio():
    told = Analyst.paying([Choice.telling(Fraction(1, 10)), Choice.coin(2)], [1, 1], 2)
    assert told.ever(10**9) == 1 - Fraction(9, 10) ** 2
    assert told.delta(4) == 1 - Fraction(9, 10) ** 2


def at_most(limit: Fraction):
    """The payoff of a ratio that has fallen to a number."""
    return lambda _, ratio: int(ratio <= limit)


def test_a_belief_in_what_is_false_is_rare_for_every_analyst():
    """On the neighbour the ratio ever reaches c with probability 1/c at most, with no budget to speak of."""
    menu = [Choice.coin(2), Choice.coin(4), Choice.telling(Fraction(1, 5))]
    wrong = Analyst.paying([choice.reverse() for choice in menu], [1, 1, 1], 8)
    for c in (2, 4, 8):
        # The reversed ratio falls to 1/c where that of the truth rises to c.
        reached = wrong.best(at_most(Fraction(1, c)))
        assert Fraction(1, 2 * c) < reached <= Fraction(1, c)


def test_a_strategy_takes_the_first_that_is_allowed():
    analyst = Analyst.paying([Choice.coin(2), Choice.coin(8)], [1, 3], 4)
    bold = analyst.following(lambda *_: (1, 0), lambda _, ratio: int(ratio >= 16))
    careful = analyst.following(lambda *_: (0,), lambda _, ratio: int(ratio >= 16))
    assert bold == Fraction(8, 9) * Fraction(2, 3)
    assert careful == Fraction(2, 3) ** 4
    assert analyst.ever(16) == max(bold, careful)


def test_what_does_not_come_to_an_end_is_refused():
    with pytest.raises(TooCostly, match="an analyst must have at most 100000 histories; .*Use fewer or dearer"):
        Analyst([Choice.coin(1)], 0, lambda account, _: account).delta(2)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: Choice([1], [HALF, HALF]), r"a choice must list the same outcomes twice; got \[1, 2\]"),
        (lambda: Choice([0.5, 0.6], [0.5, 0.5]), "the law on the data must be a list of probabilities with sum 1"),
        (lambda: Choice.coin(HALF), "odds must be at least 1"),
        (lambda: Choice.telling(2), "chance must be a probability"),
        (lambda: Analyst.paying([], [], 1), "menu must be releases to choose from"),
        (lambda: Analyst.paying([Choice.coin(2)], [0], 1), "a cost must be above 0"),
        (lambda: Analyst.paying([Choice.coin(2)], [1, 2], 1), "costs must be one for each release"),
        (lambda: Analyst.paying([Choice.coin(2)], [1], math.inf), "budget must be a finite number"),
        (lambda: Analyst.paying([Choice.coin(2)], [1], 1).ever("x"), "ratio must be a finite number"),
    ],
)
def test_what_is_no_game_is_refused(wrong, message):
    with pytest.raises(InvalidInput, match=message):
        wrong()
