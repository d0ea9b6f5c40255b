"""What may be chosen on the way, and what may not: every claim about filters, against the worst analyst there can be.

All numbers of the referee are fractions. Thresholds are rounded to the side on which they are reached more often.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from analysts import BASE, coins, delta_of_plan, leaky_coins, orders, paying, strategy

from whit.guarantees import (
    AdvancedFilter,
    ApproxDP,
    Filter,
    GaussianDP,
    IndividualFilter,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from whit.mechanisms import RandomizedResponse
from whit.semantics import membership
from whit.setting import Knowledge, When
from whit.worlds import Analyst, Choice

POWERS = (3, 6, 9)
LEAKS = (Fraction(1, 50), Fraction(0), Fraction(1, 200))
FILTERS = {
    "pure": (Filter(PureDP(1.2)), coins(POWERS)),
    "sums": (Filter(ApproxDP(1.0, 0.05)), leaky_coins(POWERS, LEAKS)),
    "zcdp": (Filter(ZeroConcentratedDP(0.5)), coins(POWERS)),
    "gaussian": (Filter(GaussianDP(1.0)), coins(POWERS)),
    "renyi": (Filter(RenyiDP({2: 0.8, 6: 2.0})), coins(POWERS)),
    "advanced": (AdvancedFilter(ApproxDP(1.5, 0.2), deltas=0.04), leaky_coins(POWERS, LEAKS)),
}
each_filter = pytest.mark.parametrize("name", FILTERS)


def ratio_of(posterior: float) -> Fraction | float:
    """The likelihood ratio that takes a prior of one half to a posterior, without rounding; infinite for certainty."""
    x = Fraction(posterior)
    return x / (1 - x) if x < 1 else math.inf


def beyond(limit: Fraction | float):
    """The payoff of a ratio that exceeds a number."""
    return lambda _, ratio: int(ratio > limit)


@each_filter
@pytest.mark.parametrize("x", [Fraction(1), BASE**3, BASE**8, BASE**13, BASE**15])
def test_no_analyst_exceeds_the_delta_of_the_budget(name, x):
    start, (menu, promises) = FILTERS[name]
    # Of two doubles around the log of x the smaller one has the larger delta; it is the budget that rounds up.
    epsilon = math.nextafter(math.log(x), -math.inf)
    assert paying(start, menu, promises).delta(x) <= float(start.budget.delta(max(epsilon, 0.0)))


@pytest.mark.parametrize("alpha", [2, 6])
def test_no_analyst_exceeds_the_divergence_of_the_budget(alpha):
    start, (menu, promises) = FILTERS["renyi"]
    found = paying(start, menu, promises).best(lambda _, ratio: ratio ** (alpha - 1))
    assert math.log(found) / (alpha - 1) <= start.budget.orders[alpha] * (1 + 1e-12)


@pytest.mark.parametrize(
    ("name", "failure"),
    [
        *product(("pure", "zcdp", "gaussian", "renyi"), (0.3, 0.1, 0.01)),
        *product(("sums",), (0.3, 0.1, 0.06)),  # what fails with delta is bounded but for more than delta
        *product(("advanced",), (0.5, 0.3, 0.21)),
    ],
)
def test_twenty_analysts_and_the_worst_of_all_keep_to_what_holds_at_every_moment(name, failure):
    """A belief of one half ever exceeds its bound with at most the probability of failure."""
    start, (menu, promises) = FILTERS[name]
    bound = float(membership.posterior(start.budget, 0.5, failure=failure, when=When.EVER))
    limit = ratio_of(bound)
    analyst, passed = paying(start, menu, promises), beyond(limit)
    worst = analyst.best(passed)
    plans = orders(len(menu))
    often = {plan: analyst.following(strategy(order, math.log(limit)), passed) for plan, order in plans.items()}
    assert len(often) >= 20
    assert max(often.values()) <= worst <= failure


@each_filter
def test_the_analysts_are_dangerous(name):
    """What they may not reach but rarely, they reach: the law above is not empty."""
    start, (menu, promises) = FILTERS[name]
    analyst, aim = paying(start, menu, promises), BASE**9
    often = {
        plan: analyst.following(strategy(order, math.log(aim)), lambda _, ratio: int(ratio >= aim))
        for plan, order in orders(len(menu)).items()
    }
    worst = analyst.ever(aim)
    assert max(often.values()) <= worst
    assert worst > Fraction(1, 3)
    assert len({round(float(each), 6) for each in often.values()}) >= 5


def test_a_budget_of_rho_is_not_a_bound_on_gaussian_noise():
    """The bound at every moment of Gaussian noise is for Gaussian noise: coins under the same rho go beyond it."""
    base = Fraction(math.exp(0.1)).limit_denominator(10**6)
    powers = (1, 2, 4, 8)
    analyst = Analyst.paying([Choice.coin(base**k) for k in powers], [k * k for k in powers], 100)
    found = float(analyst.ever(base**15))
    gaussian = 0.26061  # mu^2 = 1 and t = 1.5, printed with the theorem
    rho = math.exp(-((1.5 - 0.5) ** 2) / (4 * 0.5))
    assert gaussian < found < rho


# What is known of noise at the end is not kept by somebody who may stop.


@pytest.mark.parametrize(("odds", "releases", "failure"), [(BASE, 20, 0.2), (BASE, 50, 0.1)])
def test_an_analyst_breaks_the_bound_at_the_end_of_known_noise_and_not_that_at_every_moment(odds, releases, failure):
    """Randomized response, so many times. Whoever takes one after the other and stops when ahead is the worst case."""
    noise, knows = RandomizedResponse(math.log(odds)).times(releases), Knowledge.EVERYONE_ELSE
    analyst = Analyst.paying([Choice.coin(odds)], [1], releases)
    for when, broken in ((When.END, True), (When.EVER, False)):
        bound = ratio_of(float(membership.posterior(noise, 0.5, failure=failure, knows=knows, when=when)))
        # Ratios are powers of the odds, and a bound lies next to one of them, which does not exceed it.
        limit = bound * Fraction(10**6 + 1, 10**6)
        one_by_one = analyst.following(lambda *_: (0,), beyond(limit))
        assert (one_by_one > failure) is broken
        assert one_by_one == analyst.best(beyond(limit))


# Whole curves may not be composed where they are chosen on the way.


def natural_filter(menu: list[Choice], x: Fraction, delta: Fraction) -> Analyst:
    """The filter that composes the exact curves of what was taken, and refuses what would pass (log x, delta)."""

    def fixed(counts: tuple[int, ...]) -> Fraction:
        """The delta of so many of each, taken whatever comes out: for each direction, the larger one."""
        plan = [choice for choice, number in zip(menu, counts, strict=True) for _ in range(number)]
        both = (plan, [choice.reverse() for choice in plan])
        return max(delta_of_plan(each, x) for each in both)

    def charged(counts: tuple[int, ...], place: int) -> tuple[int, ...] | None:
        after = tuple(number + (i == place) for i, number in enumerate(counts))
        return after if fixed(after) <= delta else None

    return Analyst(menu, (0,) * len(menu), charged)


def test_the_natural_filter_of_whole_curves_is_broken():
    """Odds 2 first; then odds 4 if it told the truth, else a release that names the dataset with probability 1/3.

    Each plan that is fixed beforehand has delta 1/3 at epsilon log 3. Who chooses has 1/3 + (1/3)(1/3) = 4/9.
    """
    menu, third = [Choice.coin(2), Choice.coin(4), Choice.telling(Fraction(1, 3))], Fraction(1, 3)
    assert delta_of_plan([menu[0], menu[1]], Fraction(3)) == third
    assert delta_of_plan([menu[0], menu[2]], Fraction(3)) == third
    found = natural_filter(menu, Fraction(3), third)
    assert found.delta(3) == Fraction(4, 9)
    told = found.following(
        lambda taken, ratio: (0,) if taken == (0, 0, 0) else (1,) if ratio == 2 else (2,),
        lambda _, ratio: max(0, 1 - 3 / ratio),
    )
    assert told == Fraction(4, 9)


def test_the_printed_example_of_a_broken_filter():
    """Target (1, d) with d = 0.2693609: odds e^0.5, then odds e^1.3 or named with probability d; 0.3710556."""
    short = [Fraction(math.exp(loss)).limit_denominator(10**9) for loss in (0.5, 1.3, 1.0)]
    target = delta_of_plan([Choice.coin(short[0]), Choice.coin(short[1])], short[2])
    assert float(target) == pytest.approx(0.2693609, abs=5e-8)
    menu = [Choice.coin(short[0]), Choice.coin(short[1]), Choice.telling(target)]
    assert float(natural_filter(menu, short[2], target).delta(short[2])) == pytest.approx(0.3710556, abs=5e-8)


# An account with no limit, and accounts of each person.


@pytest.mark.parametrize("failure", [0.3, 0.1, 0.03])
def test_no_analyst_exceeds_the_odometer_more_often_than_it_may_fail(failure):
    """No limit was set beforehand: the account runs on until twenty times what was expected."""
    start = Filter(ZeroConcentratedDP(1.0))
    menu, promises = coins((3, 6))

    @cache
    def limit(spent: Fraction) -> Fraction:
        """By a double below what was spent, and a hair below the bound: the harder case."""
        below = math.nextafter(float(spent), 0.0)
        return Fraction(math.exp(float(membership.odometer(below, expected=0.05, failure=failure)) * (1 - 1e-12)))

    worst = paying(start, menu, promises).best(lambda account, ratio: int(ratio > limit(account.spent[0])))
    assert 0 < worst <= failure


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(("budget", "most"), [(PureDP(2.1), math.exp(2.1)), (ZeroConcentratedDP(0.5), math.e)])
def test_accounts_of_each_person_keep_the_budget_for_everybody(budget, most, swapped):
    """Two people of weights 0 to 2; a release puts out 1 with odds 2^(u times the weights of those who can pay).

    The analyst chooses u, 1 or 2, by what came out. Between the laws with the first person and without, all outputs and
    all choices are followed: for epsilon the largest ratio counts, for rho its mean, by the divergence of order 2.
    """
    start, sure = IndividualFilter(Filter(budget)), isinstance(budget, PureDP)
    for weights in product((0, 1, 2), repeat=2):
        assert worst_for_the_first(weights, start, swapped, sure) <= most * (1 + 1e-12)


@pytest.mark.parametrize("budget", [PureDP(1000.0), ZeroConcentratedDP(1000.0)])
def test_without_leaving_anybody_out_the_same_releases_go_beyond(budget):
    sure = isinstance(budget, PureDP)
    found = worst_for_the_first((2, 0), IndividualFilter(Filter(budget)), True, sure)
    assert found > (math.exp(2.1) if sure else math.e)


def worst_for_the_first(weights, accounts, swapped, sure, rounds=4, ratio=Fraction(1)):
    """The largest ratio of the two laws of what comes out, or its largest mean under the first of them."""
    best = ratio
    for u in (1, 2) if rounds else ():
        # A unit is log 2, rounded up.
        charges = {who: accounts.each.cost(PureDP(u * w * 0.6931471805599454)) for who, w in enumerate(weights)}
        active, rest = accounts.active(charges), accounts.after(charges)
        units = [u * weight * (who in active) for who, weight in enumerate(weights)]
        ones = [Fraction(2**total, 1 + 2**total) for total in (sum(units), sum(units[1:]))]
        p, q = reversed(ones) if swapped else ones
        steps = ((p, p / q), (1 - p, (1 - p) / (1 - q)))
        ahead = [worst_for_the_first(weights, rest, swapped, sure, rounds - 1, ratio * step) for _, step in steps]
        best = max(best, max(ahead) if sure else p * ahead[0] + (1 - p) * ahead[1])
    return best
