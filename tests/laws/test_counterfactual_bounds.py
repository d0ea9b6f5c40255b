"""No finite release and no belief beats a bound on beliefs with and without a person, and some come very close."""

from __future__ import annotations

import math

import numpy as np
import pytest
from beliefs import (
    WITHOUT,
    Array,
    Universe,
    distances,
    largest_loss,
    output_law,
    profile,
    random_belief,
    random_kernel,
    ratios,
)

from whit.errors import NotImplied
from whit.guarantees import ApproxDP, PureDP
from whit.mechanisms import Finite, Kernel
from whit.semantics.counterfactual import CounterfactualWorld, Record, posterior_ratio, ratio_exceeded, total_variation
from whit.semantics.counterfactual.distance import FIXED, SAMPLED
from whit.setting import Knowledge, Neighbours

# What the enumeration itself may be wrong by: sums of a few dozen doubles, and quotients of them.
HAIR = 1e-11
FAILURES = np.array([1e-4, 1e-2, 0.05, 0.2, 0.5])
EPSILONS = np.array([0.0, 0.02, 0.1, 0.3, 0.7, 1.0, 1.6, 2.5, 4.0])
FACTORS = [1.1, 1.5, 3.0]
REPLACE = Neighbours.REPLACE
each_world = pytest.mark.parametrize("world", list(CounterfactualWorld))


def case(rng: np.random.Generator, world: CounterfactualWorld) -> tuple[Universe, Array, Array, list[tuple[int, int]]]:
    """A universe, a kernel, a belief and the pairs of neighbours of one random release."""
    universe = Universe(people=int(rng.integers(1, 4)), values=int(rng.integers(2, 4)))
    if len(universe.datasets) > 9:
        universe = Universe(people=2, values=2)
    rows = len(universe.datasets) + len(universe.smaller)
    kernel = random_kernel(rng, rows, int(rng.integers(2, 7)))
    belief = random_belief(rng, len(universe.datasets))
    return universe, kernel, belief, universe.removed if world is CounterfactualWorld.DROPPED else universe.replaced


def known_rest(rng: np.random.Generator, universe: Universe) -> Array:
    """A belief of somebody who knows the records of everyone but the first person."""
    others = tuple(int(rng.integers(universe.values)) for _ in range(universe.people - 1))
    weights = rng.dirichlet(np.full(universe.values, 0.7))
    return np.array([weights[x[0]] if x[1:] == others else 0.0 for x in universe.datasets])


def farthest(universe: Universe, world: CounterfactualWorld, belief: Array, kernel: Array) -> Array:
    """The largest distance over the people, at each output."""
    laws = kernel[: len(universe.datasets)]
    worlds = [WITHOUT[world.name](universe, person, belief, kernel) for person in range(universe.people)]
    return np.max([distances(belief, laws, without) for without in worlds], axis=0)


def by_the_profile(world: CounterfactualWorld, rng: np.random.Generator) -> tuple[float, float]:
    """The mean excess of the distance for one person, and its bound, at the epsilon where they are closest."""
    universe, kernel, belief, pairs = case(rng, world)
    laws = kernel[: len(universe.datasets)]
    without = WITHOUT[world.name](universe, 0, belief, kernel)
    distance, chance = distances(belief, laws, without), output_law(belief, laws)
    way = SAMPLED if world is CounterfactualWorld.POSTERIOR_SAMPLE else FIXED
    excess = np.maximum(distance - way.sure(EPSILONS)[:, None], 0.0) @ chance
    bound = np.exp(way.log_cost(EPSILONS)) * profile(kernel, pairs, EPSILONS)
    worst = int(np.argmin(bound - excess))
    return float(excess[worst]), float(bound[worst])


@each_world
def test_the_mean_excess_of_the_distance_is_at_most_the_cost_of_the_delta(world):
    rng = np.random.default_rng(101)
    found = [by_the_profile(world, rng) for _ in range(400)]
    assert all(excess <= bound + HAIR for excess, bound in found)
    assert max(excess for excess, _ in found) > 0.01  # there are excesses to be bounded


@pytest.mark.slow
@each_world
def test_the_mean_excess_of_the_distance_is_at_most_the_cost_of_the_delta_for_thousands(world):
    rng = np.random.default_rng(102)
    found = [by_the_profile(world, rng) for _ in range(6000)]
    assert all(excess <= bound + HAIR for excess, bound in found)


def within(world: CounterfactualWorld, rng: np.random.Generator, knows: Knowledge) -> bool:
    """Whether a random release keeps to the whole of what total_variation says of it."""
    universe, kernel, belief, pairs = case(rng, world)
    if knows is Knowledge.EVERYONE_ELSE:
        belief = known_rest(rng, universe)
    relation = Neighbours.ADD_REMOVE if world is CounterfactualWorld.DROPPED else REPLACE
    release = Kernel(kernel, pairs, neighbours=relation)
    people = universe.people if knows is Knowledge.ANY_BELIEF else 1
    try:
        found = total_variation(release, failure=FAILURES, people=people, world=world, knows=knows).value
    except NotImplied:
        return True
    distance = farthest(universe, world, belief, kernel)
    if knows is Knowledge.EVERYONE_ELSE:
        laws = kernel[: len(universe.datasets)]
        distance = distances(belief, laws, WITHOUT[world.name](universe, 0, belief, kernel))
    chance = output_law(belief, kernel[: len(universe.datasets)])
    beyond = (distance > np.asarray(found)[:, None] + HAIR) @ chance
    return bool(np.all(beyond <= FAILURES + HAIR))


@each_world
@pytest.mark.parametrize("knows", list(Knowledge))
def test_the_distance_exceeds_its_bound_no_more_often_than_stated(world, knows):
    rng = np.random.default_rng(103)
    assert all(within(world, rng, knows) for _ in range(6))


@pytest.mark.slow
@each_world
@pytest.mark.parametrize("knows", list(Knowledge))
def test_the_distance_exceeds_its_bound_no_more_often_than_stated_for_hundreds(world, knows):
    rng = np.random.default_rng(104)
    assert all(within(world, rng, knows) for _ in range(60))


@each_world
@pytest.mark.parametrize("knows", list(Knowledge))
def test_under_pure_privacy_no_output_and_no_belief_moves_the_distance_or_the_ratio_further(world, knows):
    rng = np.random.default_rng(105)
    seen = 0
    while seen < 25:
        universe, kernel, belief, pairs = case(rng, world)
        epsilon = largest_loss(kernel, pairs)
        if not math.isfinite(epsilon):
            continue
        seen += 1
        if knows is Knowledge.EVERYONE_ELSE:
            belief = known_rest(rng, universe)
        relation = Neighbours.ADD_REMOVE if world is CounterfactualWorld.DROPPED else REPLACE
        promise = PureDP(epsilon, neighbours=relation)
        laws, without = kernel[: len(universe.datasets)], WITHOUT[world.name](universe, 0, belief, kernel)
        level = float(total_variation(promise, world=world, knows=knows))
        assert np.max(distances(belief, laws, without)) <= level + HAIR
        factor = float(posterior_ratio(promise, world=world, knows=knows)) * (1 + HAIR)
        found = ratios(belief, laws, without, universe.record_of(0))
        assert np.max(found) <= factor
        assert np.min(found[found > 0], initial=1.0) >= 1 / factor


def bounds_on_the_ratio(release: Kernel, failures: Array, **asked: object) -> Array:
    """What posterior_ratio says at each failure; infinite where it says nothing at all."""
    try:
        return np.asarray(posterior_ratio(release, failure=failures, **asked).value)
    except NotImplied:
        return np.full(failures.shape, np.inf)


def limits(bounds: Array, failures: Array, stated: Array) -> list[tuple[float, float]]:
    """Factors, and how often each may be exceeded: first as bounds at failures, then as failures at factors."""
    return [*zip(bounds, failures, strict=True), *zip(FACTORS, stated, strict=True)]


def chances_beyond(found: Array, factor: float, law: Array, sides: int) -> float:
    beyond = found > factor * (1 + HAIR)
    return float(law[beyond | (found < (1 - HAIR) / factor)].sum() if sides == 2 else law[beyond].sum())


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("knows", list(Knowledge))
def test_the_ratio_for_the_true_record_exceeds_its_bound_no_more_often_than_stated(knows, sides):
    rng = np.random.default_rng(106)
    for _ in range(5):
        universe, kernel, belief, pairs = case(rng, CounterfactualWorld.POSTERIOR_SAMPLE)
        if knows is Knowledge.EVERYONE_ELSE:
            belief = known_rest(rng, universe)
        release = Kernel(kernel, pairs, neighbours=REPLACE)
        laws, record = kernel[: len(universe.datasets)], universe.record_of(0)
        all_ratios = ratios(belief, laws, universe.sampled(0, belief, kernel), record)
        asked = {"knows": knows, "sides": sides}
        bounds = bounds_on_the_ratio(release, FAILURES + 0.3, **asked)
        stated = np.asarray(ratio_exceeded(release, FACTORS, **asked).value)
        for value in range(universe.values):
            if record[value] @ belief == 0:
                continue
            law = output_law(record[value] * belief / (record[value] @ belief), laws)
            for factor, failure in limits(bounds, FAILURES + 0.3, stated):
                assert chances_beyond(all_ratios[value], factor, law, sides) <= failure + HAIR


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("world", list(CounterfactualWorld))
def test_the_ratio_for_any_record_exceeds_its_bound_no_more_often_than_stated(world, sides):
    rng = np.random.default_rng(107)
    for _ in range(5):
        universe, kernel, _, pairs = case(rng, CounterfactualWorld.POSTERIOR_SAMPLE)
        belief = known_rest(rng, universe)
        release = Kernel(kernel, pairs, neighbours=REPLACE)
        laws = kernel[: len(universe.datasets)]
        found = ratios(belief, laws, WITHOUT[world.name](universe, 0, belief, kernel), universe.record_of(0))
        asked = {"knows": Knowledge.EVERYONE_ELSE, "record": Record.ANY, "world": world, "sides": sides}
        failures = FAILURES + (0.0 if sides == 1 else 0.3)
        bounds = bounds_on_the_ratio(release, failures, **asked)
        stated = np.asarray(ratio_exceeded(release, FACTORS, **asked).value)
        for each in found:
            for factor, failure in limits(bounds, failures, stated):
                assert chances_beyond(each, factor, output_law(belief, laws), sides) <= failure + HAIR


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 3.0])
def test_the_distance_for_a_fixed_record_is_attained(epsilon):
    """Two people with a bit each; likely on 11 and 00, unlikely on 10 and 01; the first bit is surely 1."""
    universe = Universe(people=2, values=2)
    unit = 1 / (1 + math.exp(epsilon))
    likely = np.array([math.exp(epsilon), 1.0, 1.0, math.exp(epsilon)]) * unit  # 00, 01, 10, 11
    kernel = np.column_stack([likely, 1 - likely])
    assert largest_loss(kernel, universe.replaced) == pytest.approx(epsilon)
    belief = np.array([0.0, 0.0, 0.5, 0.5])
    largest = float(np.max(distances(belief, kernel, kernel[universe.default(0)])))
    bound = float(total_variation(PureDP(epsilon, neighbours=REPLACE)))
    assert bound - 1e-6 <= largest <= bound + 1e-15


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 3.0])
def test_the_distance_for_a_dropped_record_is_attained(epsilon):
    """One person; the output speaks for one value and against the other, and without the person for neither."""
    universe = Universe(people=1, values=2)
    unit = 1 / (2 * math.cosh(epsilon))
    kernel = np.array([[unit * math.exp(epsilon), 0.0], [unit * math.exp(-epsilon), 0.0], [unit, 0.0]])
    kernel[:, 1] = 1 - kernel[:, 0]
    weight = 1 / (1 + math.exp(epsilon))
    belief = np.array([weight, 1 - weight])
    largest = float(distances(belief, kernel[:2], kernel[universe.dropped(0)])[0])
    bound = float(total_variation(PureDP(epsilon), knows=Knowledge.EVERYONE_ELSE))
    assert bound - 1e-6 <= largest <= bound + 1e-15


@pytest.mark.parametrize("world", [CounterfactualWorld.DEFAULT_RECORD, CounterfactualWorld.POSTERIOR_SAMPLE])
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 3.0])
def test_the_distance_where_everyone_else_is_known_is_attained(epsilon, world):
    universe = Universe(people=1, values=2)
    truth = 1 / (1 + math.exp(-epsilon))
    kernel = np.array([[truth, 1 - truth], [1 - truth, truth]])
    weight = 1 / (1 + math.exp(epsilon / 2))
    belief = np.array([weight, 1 - weight])
    largest = np.max(distances(belief, kernel, WITHOUT[world.name](universe, 0, belief, kernel)))
    bound = float(total_variation(PureDP(epsilon, neighbours=REPLACE), world=world, knows=Knowledge.EVERYONE_ELSE))
    assert bound - 1e-6 <= largest <= bound + 1e-15


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 3.0])
def test_the_ratio_under_pure_privacy_is_attained_in_the_limit_of_a_small_prior(epsilon):
    universe = Universe(people=1, values=2)
    truth = 1 / (1 + math.exp(-epsilon))
    kernel = np.array([[truth, 1 - truth], [1 - truth, truth]])
    belief = np.array([1e-9, 1 - 1e-9])
    found = ratios(belief, kernel, universe.sampled(0, belief, kernel), universe.record_of(0))
    bound = float(posterior_ratio(PureDP(epsilon, neighbours=REPLACE)))
    assert bound - 1e-6 <= np.max(found) <= bound


@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_twice_the_epsilon_for_a_fixed_record_is_attained(epsilon):
    """The ratio of 11 against 10 on two people, with a prior that all but rules out 11."""
    universe = Universe(people=2, values=2)
    unit = 1 / (1 + math.exp(epsilon))
    likely = np.array([math.exp(epsilon), 1.0, 1.0, math.exp(epsilon)]) * unit
    kernel = np.column_stack([likely, 1 - likely])
    belief = np.array([1 - 1e-9, 0.0, 0.0, 1e-9])  # of 00 and 11: both records tell everything
    default = kernel[[2, 3, 2, 3]]  # the first record replaced by 1
    found = ratios(belief, kernel, default, universe.record_of(0))
    promise = PureDP(epsilon, neighbours=REPLACE)
    bound = float(posterior_ratio(promise, world=CounterfactualWorld.DEFAULT_RECORD))
    assert bound == pytest.approx(math.exp(2 * epsilon), rel=1e-14)
    assert np.max(found) <= bound
    assert np.max(found) > float(posterior_ratio(promise)) * 0.999  # above what a sampled record would allow, or at it


@pytest.mark.parametrize("t", [1.2, 2.0])
def test_the_chance_of_a_large_ratio_for_the_true_record_is_approached(t):
    """The pair that attains the tail of an (epsilon, delta) promise, with a prior that all but rules the record out."""
    epsilon, delta = 1.0, 0.01
    a = delta / -math.expm1(epsilon - t)
    low = a * math.exp(-t)
    first, second = np.array([a, low, 1 - a - low]), np.array([low, a, 1 - a - low])
    promise = ApproxDP(epsilon, delta, neighbours=REPLACE)
    assert Finite(first, second).delta(epsilon).upper <= delta * (1 + 1e-12)
    belief = np.array([1e-9, 1 - 1e-9])
    found = ratios(belief, np.array([first, second]), np.tile(belief @ [first, second], (2, 1)), np.eye(2))[0]
    slightly_less = math.exp(t) * (1 - 1e-7)
    chance = float(first[found > slightly_less].sum())
    stated = float(ratio_exceeded(promise, slightly_less))
    assert chance <= stated <= chance * (1 + 1e-5)
