"""No release and no belief beats what is said about the posterior against what it would be (KS14, KAA22 Section 7).

The belief is about all the data and may be of any kind. The bounds are written out here once more, as fractions where
R = e^epsilon allows it. The referee goes through all datasets and outcomes.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from worlds_random import (
    HAIR,
    KERNELS,
    PRIVATE,
    alike,
    delta,
    factor,
    knowing_everyone_else,
    largest_ratio,
    ordered_pairs,
    renyi,
    rho,
    worlds,
)

from whit.setting import Neighbours
from whit.worlds import ABSENT, Belief, Dropped, Has, Replaced, Resampled, Universe, World
from whit.worlds.exact import hull, level_at, vertices

ADD, SWAP = Neighbours.ADD_REMOVE, Neighbours.REPLACE
PRESENT = Universe(2, (0, 1), all_present=True)
THREE = Universe(2, (0, 1, 2), all_present=True)
AT_LARGE = Universe(2, ("a", "b"))
PEOPLE = (0, 1)

many = pytest.mark.parametrize("number", [80, pytest.param(2000, marks=pytest.mark.slow)])
each_universe = pytest.mark.parametrize("universe", [PRESENT, THREE], ids=["two records", "three records"])


def certain_of(person: int):
    return lambda rng, universe: knowing_everyone_else(rng, universe, person)


def expected(world: World) -> list[int]:
    return [outcome for outcome in world.exact.outcomes if world.exact.expects(outcome)]


def squared_odds(distance: Fraction) -> Fraction:
    """e^epsilon of which the distance is tanh(epsilon/4)."""
    return ((1 + distance) / (1 - distance)) ** 2


# T6: pure differential privacy.


@many
@each_universe
def test_pure_differential_privacy_bounds_the_distance_for_every_belief(number: int, universe: Universe) -> None:
    for _, world in worlds(61, number, universe, kernels=PRIVATE):
        ratio = largest_ratio(world, SWAP)
        assert ratio is not None
        for person in PEOPLE:
            other = world.altered(Replaced(person, 0)).exact
            for outcome in expected(world):
                assert world.exact.total_variation(other, outcome) <= (ratio - 1) / (ratio + 1)


@many
def test_the_distance_is_half_as_large_if_the_rest_is_known(number: int) -> None:
    for _, world in worlds(62, number, THREE, kernels=PRIVATE, beliefs=certain_of(1)):
        ratio = largest_ratio(world, SWAP)
        assert ratio is not None
        other = world.altered(Replaced(1, 2)).exact
        for outcome in expected(world):
            assert squared_odds(world.exact.total_variation(other, outcome)) <= ratio


@many
def test_pure_differential_privacy_bounds_the_distance_from_a_world_without_the_record(number: int) -> None:
    for _, world in worlds(63, number, AT_LARGE, kernels=PRIVATE):
        ratio = largest_ratio(world, ADD)
        assert ratio is not None
        for person in PEOPLE:
            other = world.altered(Dropped(person)).exact
            for outcome in expected(world):
                assert world.exact.total_variation(other, outcome) <= (ratio - 1) / (ratio + 1)


@pytest.mark.parametrize("ratio", [Fraction(11, 10), Fraction(3), Fraction(100)])
def test_a_release_about_two_people_attains_the_distance(ratio: Fraction) -> None:
    """It tells whether the two agree; the adversary knows that the first person has record 1 (errata 001.1)."""
    low, high = 1 / (1 + ratio), ratio / (1 + ratio)
    belief = Belief(PRESENT, {(1, 1): Fraction(1, 2), (1, 0): Fraction(1, 2)})
    world = World.releasing(belief, lambda x: (high, low) if x[0] == x[1] else (low, high))
    assert largest_ratio(world, SWAP) == ratio
    distance = world.exact.total_variation(world.altered(Replaced(0, 0)).exact, 0)
    assert distance == (ratio - 1) / (ratio + 1)


@pytest.mark.parametrize("root", [Fraction(11, 10), Fraction(3), Fraction(10)])
def test_randomized_response_attains_the_distance_with_the_rest_known(root: Fraction) -> None:
    one, ratio = Universe(1, (0, 1), all_present=True), root**2
    high, low = ratio / (1 + ratio), 1 / (1 + ratio)
    world = World(Belief(one, [root / (1 + root), 1 / (1 + root)]), [[high, low], [low, high]])
    distance = world.exact.total_variation(world.altered(Replaced(0, 0)).exact, 1)
    assert distance == (root - 1) / (root + 1)


@pytest.mark.parametrize("ratio", [Fraction(11, 10), Fraction(3), Fraction(100)])
def test_without_the_record_the_larger_distance_is_attained_even_with_the_rest_known(ratio: Fraction) -> None:
    one = Universe(1, ("a", "b"))
    middle = Fraction(1, 2) / ratio
    rows = {ABSENT: middle, "a": middle * ratio, "b": middle / ratio}
    belief = Belief(one, {("a",): 1 / (1 + ratio), ("b",): ratio / (1 + ratio)})
    world = World.releasing(belief, lambda x: (rows[x[0]], 1 - rows[x[0]]))
    assert largest_ratio(world, ADD) == ratio
    assert world.exact.total_variation(world.altered(Dropped(0)).exact, 0) == (ratio - 1) / (ratio + 1)


# T7: approximate differential privacy.


@many
@each_universe
def test_approximate_differential_privacy_bounds_the_distance_but_for_a_failure(
    number: int, universe: Universe
) -> None:
    """An outcome after which a distance is not defined counts as a failure."""
    told = 0
    for rng, world in worlds(7, number, universe, kernels=(alike, *KERNELS, alike)):
        small = 1 + Fraction(int(10 ** rng.uniform(0, 3)), 1000)
        large = small * (1 + Fraction(int(10 ** rng.uniform(0, 3)), 1000))
        share = Fraction(int(rng.integers(1, 400)), 1000)
        d = delta(world, SWAP, small)
        beyond = d * (1 + 1 / large) / (1 - small / large)
        allowed = 2 * (beyond * (1 + small) / share + d)
        limit = (large - 1) / (large + 1) + 2 * share
        others = [world.altered(Replaced(person, 0)).exact for person in PEOPLE]
        law = world.exact.output(world.belief.weights)
        failing = sum(law[y] for y in expected(world) if any(distance(world, other, y) > limit for other in others))
        assert failing <= allowed
        told += allowed < 1 and limit < 1
    assert told > number // 20


def distance(world: World, other, outcome: int) -> Fraction:
    return world.exact.total_variation(other, outcome) if other.expects(outcome) else Fraction(2)


@many
@each_universe
def test_on_average_the_distance_is_little_above_what_pure_privacy_allows(number: int, universe: Universe) -> None:
    """With a fixed record (2/(1 + e^e) + e^-e) delta(e) above tanh(e/2); sampled, less above tanh(e/4)."""
    told = 0
    for rng, world in worlds(77, number, universe, kernels=(alike, *KERNELS)):
        root = 1 + Fraction(int(10 ** rng.uniform(0, 3)), 1000)
        ratio = root**2
        d = delta(world, SWAP, ratio)
        fixed, sampled = world.altered(Replaced(0, 0)).exact, world.altered(Resampled(0)).exact
        assert mean_above(world, fixed, (ratio - 1) / (ratio + 1)) <= (2 / (1 + ratio) + 1 / ratio) * d
        assert mean_above(world, sampled, (root - 1) / (root + 1)) <= 2 / (1 + root) * d
        told += 0 < d < Fraction(1, 4)
    assert told > number // 10


def mean_above(world: World, other, limit: Fraction) -> Fraction:
    """The mean of what the distance has above a limit; 1 where it is not defined."""
    law = world.exact.output(world.belief.weights)
    gaps = ((law[y], min(distance(world, other, y), Fraction(1)) - limit) for y in expected(world))
    return sum((chance * gap for chance, gap in gaps if gap > 0), start=Fraction(0))


@many
@each_universe
def test_if_the_record_is_drawn_anew_the_distance_is_half_as_large(number: int, universe: Universe) -> None:
    for _, world in worlds(78, number, universe, kernels=PRIVATE):
        ratio = largest_ratio(world, SWAP)
        assert ratio is not None
        other = world.altered(Resampled(1)).exact
        for outcome in expected(world):
            assert squared_odds(world.exact.total_variation(other, outcome)) <= ratio


# KAA22, Theorem 7.1: the record drawn anew.


@many
@each_universe
def test_the_ratio_of_posteriors_stays_within_the_factor_of_pure_privacy(number: int, universe: Universe) -> None:
    for _, world in worlds(71, number, universe, kernels=PRIVATE):
        ratio = largest_ratio(world, SWAP)
        assert ratio is not None
        for person in PEOPLE:
            anew, fixed = world.altered(Resampled(person)).exact, world.altered(Replaced(person, 0)).exact
            for where in possible_records(world, person):
                for outcome in expected(world):
                    assert 1 / ratio <= world.exact.posterior_ratio(anew, where, outcome) <= ratio
                    assert 1 / ratio**2 <= world.exact.posterior_ratio(fixed, where, outcome) <= ratio**2


def possible_records(world: World, person: int) -> list[np.ndarray]:
    events = (Has(person, record) for record in world.universe.records)
    found = (np.array([event(x) for x in world.universe.datasets]) for event in events)
    return [where for where in found if world.exact.prior(where) > 0]


def test_randomized_response_comes_up_to_the_factor() -> None:
    ratio, small = Fraction(9), Fraction(1, 10**9)
    one = Universe(1, (0, 1), all_present=True)
    world = World(Belief(one, [1 - small, small]), [[ratio / 10, 1 / Fraction(10)], [1 / Fraction(10), ratio / 10]])
    found = float(world.posterior_ratio(Resampled(0), Has(0, 1), 1))
    assert ratio * (1 - Fraction(1, 10**6)) <= found <= ratio


def test_two_people_come_up_to_the_squared_factor_for_a_fixed_record() -> None:
    """Where the default record is used the ratio of posteriors can be e^(2 epsilon), not e^epsilon (footnote 13)."""
    ratio, small = Fraction(5), Fraction(1, 10**9)
    low, high = 1 / (1 + ratio), ratio / (1 + ratio)
    belief = Belief(PRESENT, {(1, 1): small, (1, 0): 1 - small})
    world = World.releasing(belief, lambda x: (high, low) if x[0] == x[1] else (low, high))
    found = float(world.posterior_ratio(Replaced(0, 0), Has(1, 1), 0))
    assert ratio**2 * (1 - Fraction(1, 10**6)) <= found <= ratio**2


@many
def test_drawing_the_record_anew_leaves_the_law_of_the_outcome(number: int) -> None:
    for _, world in worlds(75, number, THREE):
        weights = world.belief.weights
        assert world.altered(Resampled(0)).exact.output(weights) == world.exact.output(weights)


# KAA22, Theorems 7.3 and 7.4: the rest known; 7.5: any belief.


@many
def test_with_the_rest_known_renyi_and_concentrated_privacy_bound_the_ratio(number: int) -> None:
    for rng, world in worlds(73, number, THREE, kernels=PRIVATE, beliefs=certain_of(0)):
        t, order = 10 ** rng.uniform(-2, 1), 1 + 10 ** rng.uniform(-1, 1.5)
        gamma, budget = float(renyi(world, SWAP, order)), rho(world, SWAP)
        for record in THREE.records:
            law = world.law_of_posterior_ratio(Resampled(0), Has(0, record))
            failing = float(law.chance_beyond(math.exp(t) * HAIR, closed=True))
            assert failing <= math.exp(min(0.0, -(t - gamma) * order - gamma)) * HAIR
            assert failing <= (math.exp(-((t + budget) ** 2) / (4 * budget)) if t > budget else math.exp(-t)) * HAIR


@many
def test_with_the_rest_known_the_trade_off_bounds_the_ratio_for_the_true_record(number: int) -> None:
    told = 0
    for rng, world in worlds(74, number, THREE, beliefs=certain_of(0)):
        corners = hull(vertices(q, p) for p, q in ordered_pairs(world, SWAP))
        chance = Fraction(int(rng.integers(1, 1000)), 1000)
        level = level_at(corners, chance)
        for truth in world.belief.possible if level > 0 else ():
            law = world.law_of_posterior_ratio(Resampled(0), Has(0, truth[0]), truth=truth)
            assert law.chance_beyond(chance / level) <= chance
            told += 1
    assert told > number


@many
def test_whatever_the_belief_renyi_and_concentrated_privacy_bound_the_ratio_for_the_true_record(number: int) -> None:
    for rng, world in worlds(76, number, THREE, kernels=PRIVATE):
        t, order = 10 ** rng.uniform(-2, 1), 1 + 10 ** rng.uniform(-1, 1.5)
        gamma, budget = float(renyi(world, SWAP, order)), rho(world, SWAP)
        near = math.exp(-((t - budget) ** 2) / (4 * budget)) if t > budget else 1.0
        for record in {dataset[0] for dataset in world.belief.possible}:
            truth = world.belief.given(Has(0, record))
            law = world.law_of_posterior_ratio(Resampled(0), Has(0, record), truth=truth)
            failing = float(law.chance_beyond(math.exp(t) * HAIR, closed=True))
            assert failing <= math.exp(min(0.0, (order - 1) * (gamma - t))) * HAIR
            assert failing <= near * HAIR


@many
def test_whatever_the_belief_the_profile_bounds_the_ratio_for_the_true_record(number: int) -> None:
    """Theorem 7.4 for any belief: the tail from the profile, delta(e)/(1 - e^(e-t)) at any e < t; and both sides."""
    for rng, world in worlds(79, number, THREE):
        small, large = sorted((factor(rng), factor(rng) + Fraction(1, 10**6)))
        bound = delta(world, SWAP, small) / (1 - small / large)
        for record in {dataset[0] for dataset in world.belief.possible}:
            truth = world.belief.given(Has(0, record))
            law = world.law_of_posterior_ratio(Resampled(0), Has(0, record), truth=truth)
            above = law.chance_beyond(large)
            assert above <= bound
            below = 1 - law.undefined - law.chance_beyond(1 / large, closed=True)
            assert above + below <= bound * (1 + 1 / large)
            assert law.undefined == 0


@many
def test_with_the_rest_known_the_profile_bounds_the_ratio_for_any_record(number: int) -> None:
    for rng, world in worlds(80, number, THREE, beliefs=certain_of(0)):
        small, large = sorted((factor(rng), factor(rng) + Fraction(1, 10**6)))
        d, chance = delta(world, SWAP, small), Fraction(int(rng.integers(1, 1000)), 1000)
        for record in THREE.records:
            law = world.law_of_posterior_ratio(Resampled(0), Has(0, record))
            assert law.chance_beyond(large) <= d / (1 - small / large) / large
            assert law.chance_beyond(small + d / chance) <= chance


def test_the_kernels_with_zeros_are_among_those_tried() -> None:
    assert len(KERNELS) == len(PRIVATE) + 1
