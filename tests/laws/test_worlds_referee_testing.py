"""No test beats what is said about level and power (KAA22, Section 6), and some tests come up to it.

The best test between two laws of the data is found by going through the outcomes. Everyone else's records may be known
or drawn from any law.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from worlds_random import (
    HAIR,
    PRIVATE,
    delta,
    dyadic,
    largest_ratio,
    ordered_pairs,
    promises,
    renyi,
    rho,
    worlds,
)

from whit.guarantees import ApproxDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.setting import Neighbours
from whit.worlds import Belief, Universe, World
from whit.worlds.exact import level_at, power_at, vertices

ADD, SWAP = Neighbours.ADD_REMOVE, Neighbours.REPLACE
PRESENT = Universe(2, (0, 1), all_present=True)
THREE = Universe(2, (0, 1, 2), all_present=True)
LEVELS = [Fraction(1, 1000), Fraction(1, 20), Fraction(1, 4), Fraction(4, 5)]

many = pytest.mark.parametrize("number", [100, pytest.param(1000, marks=pytest.mark.slow)])
some = pytest.mark.parametrize("number", [4, pytest.param(200, marks=pytest.mark.slow)])


def hypotheses(rng: np.random.Generator, universe: Universe) -> tuple[Belief, Belief]:
    """Two records of one person, and everyone else from any law, the same for both."""
    person = int(rng.integers(0, universe.people))
    rests = sorted({universe.rest(place, person) for place in range(len(universe.datasets))})
    others = dict(zip(rests, dyadic(rng.uniform(0, 1, len(rests)) ** 4), strict=True))
    first, second = rng.choice(len(universe.records), 2, replace=False)
    null, alternative = (Belief.about(universe, person, {universe.records[k]: 1}, others) for k in (first, second))
    return null, alternative


def powers(world: World, null: Belief, alternative: Belief) -> list[Fraction]:
    """The power of the best test at each of the levels."""
    corners = vertices(*(world.exact.output(each.weights) for each in (null, alternative)))
    return [power_at(corners, level) for level in LEVELS]


# Sections 6.1 to 6.3, with the rest random (Theorem 6.5): the bounds written out.


@many
def test_pure_differential_privacy_bounds_the_power(number: int) -> None:
    for rng, world in worlds(611, number, THREE, kernels=PRIVATE):
        ratio = largest_ratio(world, SWAP)
        assert ratio is not None
        for level, power in zip(LEVELS, powers(world, *hypotheses(rng, THREE)), strict=True):
            assert power <= min(ratio * level, 1 - (1 - level) / ratio)


@many
def test_approximate_differential_privacy_bounds_the_power(number: int) -> None:
    for rng, world in worlds(622, number, THREE):
        ratio = 1 + Fraction(int(10 ** rng.uniform(0, 5)), 10**4)
        d = delta(world, SWAP, ratio)
        for level, power in zip(LEVELS, powers(world, *hypotheses(rng, THREE)), strict=True):
            assert power <= min(ratio * level + d, 1 - (1 - level - d) / ratio)


@many
def test_renyi_and_concentrated_privacy_bound_the_power_in_both_relations(number: int) -> None:
    for rng, world in worlds(633, number, THREE, kernels=PRIVATE):
        order = 1 + 10 ** rng.uniform(-1, 1.5)
        gamma, budget = float(renyi(world, SWAP, order)), rho(world, SWAP)
        for level, power in zip(LEVELS, powers(world, *hypotheses(rng, THREE)), strict=True):
            least = min(gamma, budget * order) * (order - 1)
            for first, second in ((float(level), float(power)), (float(power), float(level))):
                assert coins(first, second, order) <= least * HAIR + 1e-12


def coins(first: float, second: float, order: float) -> float:
    """Log of E[(P/Q)^order] under Q for two coins."""
    parts = [(first, second), (1 - first, 1 - second)]
    logs = [order * math.log(a) + (1 - order) * math.log(b) if b > 0 else math.inf for a, b in parts if a > 0]
    return float(np.logaddexp.reduce(logs))


@pytest.mark.parametrize("ratio", [Fraction(3, 2), Fraction(3)])
def test_a_release_attains_the_power_of_approximate_differential_privacy(ratio: Fraction) -> None:
    """It gives itself away with probability delta, and else answers by a coin; at all levels up to where it bends."""
    d = Fraction(1, 16)
    high, low = (1 - d) * ratio / (1 + ratio), (1 - d) / (1 + ratio)
    one = Universe(1, (0, 1), all_present=True)
    world = World(Belief.uniform(one), [[d, 0, high, low], [0, d, low, high]])
    assert delta(world, SWAP, ratio) == d
    for level in (low / 3, low):
        found = float(world.power(level, null=(1,), alternative=(0,)))
        assert found == pytest.approx(float(ratio * level + d), rel=1e-15)
    late = float(world.power(low + (1 - low) / 2, null=(1,), alternative=(0,)))
    assert late <= float(1 - (1 - low - (1 - low) / 2 - d) / ratio) * HAIR


# The promises, as whit.guarantees reports them.


@some
def test_no_test_has_more_power_than_a_promise_says(number: int) -> None:
    levels = np.array([float(level) for level in LEVELS])
    for rng, world in worlds(640, number, THREE):
        best = powers(world, *hypotheses(rng, THREE))
        for promise in promises(rng, world, SWAP):
            allowed = np.asarray(promise.power(levels).value)
            for level, power, most in zip(levels, best, allowed, strict=True):
                assert power <= Fraction(most) * (1 + Fraction(1, 10**9)), (promise, level)


@some
def test_the_power_between_known_datasets_is_what_the_mechanism_says(number: int) -> None:
    for _, world in worlds(641, number, Universe(1, (0, 1, 2), all_present=True)):
        mechanism = world.mechanism(SWAP)
        for level in LEVELS:
            best = max(power_at(vertices(q, p), level) for p, q in ordered_pairs(world, SWAP))
            said = mechanism.power(float(level))
            assert said.lower <= best * (1 + Fraction(1, 10**15))
            assert said.upper >= best * (1 - Fraction(1, 10**15))


# Theorems 6.4 and 6.5 for one release.


@pytest.mark.parametrize("number", [25, pytest.param(300, marks=pytest.mark.slow)])
def test_when_the_rest_is_random_no_test_beats_the_concave_curve_above_all_pairs(number: int) -> None:
    for rng, world in worlds(65, number, THREE):
        best = powers(world, *hypotheses(rng, THREE))
        for level, power in zip(LEVELS, best, strict=True):
            assert power <= Fraction(float(world.power_whatever_the_rest(level, SWAP)))


def test_when_the_rest_is_random_a_test_can_beat_every_pair_of_neighbours_of_one_release() -> None:
    """The largest power over all pairs is not concave here; the outcome tells which pair it is."""
    rows: dict[tuple[Hashable, ...], tuple[Fraction | int, ...]] = {
        (0, 0): (0, 1, 0, 0),
        (1, 0): (Fraction(1, 10), Fraction(9, 10), 0, 0),
        (0, 1): (0, 0, Fraction(1, 2), Fraction(1, 2)),
        (1, 1): (0, 0, 1, 0),
    }
    half, level = Fraction(1, 2), Fraction(1, 4)
    null, alternative = (Belief(PRESENT, {(own, 0): half, (own, 1): half}) for own in (0, 1))
    world = World.releasing(null, lambda x: rows[x])
    alone = max(float(world.power(level, null=(0, rest), alternative=(1, rest))) for rest in (0, 1))
    assert alone == 0.5
    assert float(world.power(level, null=null, alternative=alternative)) == 0.55
    assert float(world.power_whatever_the_rest(level, SWAP)) >= 0.55


@many
def test_the_concave_curve_is_concave_and_above_the_level(number: int) -> None:
    grid = [Fraction(k, 16) for k in range(17)]
    for _, world in worlds(64, number // 10, PRESENT):
        found = [Fraction(float(world.power_whatever_the_rest(level, SWAP))) for level in grid]
        assert all(power >= level for power, level in zip(found, grid, strict=True))
        slopes = [later - sooner for sooner, later in pairwise(found)]
        assert all(after <= before + Fraction(1, 10**15) for before, after in pairwise(slopes))


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize(
    "make", [PureDP, lambda e: ApproxDP(e, 0.01), ZeroConcentratedDP, lambda e: RenyiDP({2.0: e, 8.0: 2 * e})]
)
def test_the_power_that_a_promise_allows_is_concave(make, epsilon: float) -> None:
    """Theorem 6.4: the class of all releases that keep it."""
    found = np.asarray(make(epsilon).power(np.linspace(0, 1, 65)).value)
    assert np.all(np.diff(found, 2) <= 1e-12)


# T10: tests and beliefs.


@many
def test_the_posterior_after_a_rejection_follows_from_level_and_power(number: int) -> None:
    """The outcome is reduced to "rejected" or "not": then Bayes's rule and the two numbers say the same."""
    one = Universe(1, (0, 1), all_present=True)
    for rng, world in worlds(10, number, one):
        share = [Fraction(int(rng.integers(0, 9)), 8) for _ in world.exact.outcomes]
        level, power = (sum(s * chance for s, chance in zip(share, row, strict=True)) for row in world.kernel)
        start = world.belief.weights[1]
        reduced = World(world.belief, [[level, 1 - level], [power, 1 - power]])
        if level > 0 and start > 0:
            odds = start * power + (1 - start) * level
            assert reduced.exact.posterior(np.array([False, True]), 0) == start * power / odds


@many
def test_no_test_of_a_power_raises_the_odds_by_more_than_the_trade_off_allows(number: int) -> None:
    """The supremum over tests of power d is d over the smallest level of such a test, and the best test attains it."""
    one = Universe(1, (0, 1), all_present=True)
    for rng, world in worlds(101, number, one, kernels=PRIVATE):
        corners = vertices(world.kernel[0], world.kernel[1])
        share = [Fraction(int(rng.integers(0, 9)), 8) for _ in world.exact.outcomes]
        level, power = (sum(s * chance for s, chance in zip(share, row, strict=True)) for row in world.kernel)
        if power > 0:
            assert power / level <= power / level_at(corners, power)
            assert power_at(corners, level_at(corners, power)) == power


@some
def test_a_promise_bounds_the_odds_after_every_test(number: int) -> None:
    """bounded_epsilon is what no test of the power exceeds."""
    one = Universe(1, (0, 1), all_present=True)
    for rng, world in worlds(102, number, one):
        chances = np.array([0.01, 0.1, 0.6])
        for promise in promises(rng, world, SWAP):
            limits = np.asarray(promise.bounded_epsilon(chances).value)
            for p, q in ordered_pairs(world, SWAP):
                for chance, limit in zip(chances, limits, strict=True):
                    level = level_at(vertices(q, p), Fraction(chance))
                    if level == 0:
                        assert limit == math.inf
                    else:
                        assert math.log(chance / level) <= limit * HAIR + 1e-9
