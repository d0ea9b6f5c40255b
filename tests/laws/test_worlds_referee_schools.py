"""What the schools report is never beaten by a world that keeps the promise, or by the mechanism itself.

The other files of the referee write the bounds out a second time; here they are asked of whit.semantics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from worlds_random import HAIR, dyadic, knowing_everyone_else, prior, promises, worlds

from whit.curves import Orientation, Promise
from whit.errors import NotImplied
from whit.mechanisms import Finite
from whit.semantics import counterfactual, disclosure, membership, testing
from whit.semantics.counterfactual import Record
from whit.setting import Adversary, Knowledge, Neighbours
from whit.worlds import ABSENT, Belief, Dropped, Has, Present, Replaced, Resampled, Universe, World
from whit.worlds.exact import level_at, power_at, vertices

ADD, SWAP = Neighbours.ADD_REMOVE, Neighbours.REPLACE
ALONE = Universe(1, ("a",))
SINGLE = Universe(1, (0, 1), all_present=True)
PRESENT = Universe(2, (0, 1), all_present=True)
AT_LARGE = Universe(2, ("a",))
THERE, GONE = ("a",), (ABSENT,)
FAILURES = (0.0, 1e-3, 0.05, 0.4)
SLACK = Fraction(1, 10**9)  # promises are rounded to doubles

some = pytest.mark.parametrize("number", [6, pytest.param(30, marks=pytest.mark.slow)])


def kept(rng: np.random.Generator, world: World, relation: Neighbours, number: int) -> list[Promise]:
    """What the release keeps, and the release itself; if there are few worlds to go through, one of these."""
    found: list[Promise] = [*promises(rng, world, relation), world.mechanism(relation)]
    return found if number > 6 else [found[int(rng.integers(0, len(found)))]]


def answers(ask: Callable[[float], Any]) -> Iterator[tuple[float, Any]]:
    """The failures at which there is an answer, each with it."""
    for failure in FAILURES:
        try:
            yield failure, ask(failure)
        except NotImplied:
            continue


def limit(value: object) -> Fraction | None:
    """A finite bound as a fraction, raised by a hair."""
    number = float(value)  # type: ignore[arg-type]
    return Fraction(number) * (1 + SLACK) if np.isfinite(number) else None


# Membership.


def absent(dataset: tuple[object, ...]) -> bool:
    return dataset == GONE


def believing(rng: np.random.Generator, world: World) -> tuple[Fraction, World]:
    """The same release, and a prior for the person's presence."""
    start = prior(rng)
    return start, World(Belief(ALONE, {THERE: start, GONE: 1 - start}), world.kernel)


@some
def test_the_posterior_of_the_truth_exceeds_its_bound_at_most_as_often_as_stated(number: int) -> None:
    for rng, made in worlds(301, number, ALONE):
        start, world = believing(rng, made)
        truths = ((THERE, Present(0)), (GONE, absent))
        laws = [world.law_of_posterior(event, truth=truth) for truth, event in truths]
        priors = [float(start), float(1 - start)]
        for promised in kept(rng, world, ADD, number):
            for failure, bound in answers(partial(ask_posterior, promised, priors)):
                for law, most in zip(laws, bound.value, strict=True):
                    assert law.chance_beyond(limit(most)) <= failure
            for law, own in zip(laws, priors, strict=True):
                mean = sum(Fraction(x) * chance for x, chance in zip(law.values, law.chances, strict=True))
                assert mean <= limit(membership.expected_posterior(promised, own).upper)


def ask_posterior(promised: Promise, priors: list[float], failure: float) -> Any:
    return membership.posterior(promised, priors, failure=failure)


QUESTIONS = {
    "posterior": (membership.posterior, World.law_of_posterior),
    "ratio": (membership.ratio, World.law_of_ratio),
    "difference": (membership.difference, World.law_of_difference),
}


@some
@pytest.mark.parametrize("name", QUESTIONS)
def test_what_is_said_on_both_sides_fails_at_most_as_often_as_stated(number: int, name: str) -> None:
    question, law_of = QUESTIONS[name]
    for rng, made in worlds(302, number, ALONE):
        start, world = believing(rng, made)
        laws = [law_of(world, Present(0), truth=truth) for truth in (THERE, GONE)]
        for promised in kept(rng, world, ADD, number):
            for failure, bound in answers(partial(ask_both_sides, question, promised, float(start))):
                low, high = (Fraction(float(end)) for end in (bound.lower, bound.upper))
                low, high = low - abs(low) * SLACK, high + abs(high) * SLACK
                for law in laws:
                    assert 1 - law.chance_beyond(low, closed=True) + law.chance_beyond(high) <= failure


def ask_both_sides(question: Callable[..., Any], promised: Promise, start: float, failure: float) -> Any:
    return question(promised, start, failure=failure, sides=2)


@some
def test_the_law_of_the_posterior_is_the_law_in_the_world(number: int) -> None:
    for rng, made in worlds(303, number, ALONE):
        start, world = believing(rng, made)
        rows = [[float(a) for a in world.kernel[ALONE.place(x)]] for x in (THERE, GONE)]
        said = membership.distribution(Finite(*rows), float(start), orientation=Orientation.FORWARD)
        law = world.law_of_posterior(Present(0), truth=THERE)
        for threshold in (0.01, 0.3, 0.5, 0.9):
            answer = said.tail(threshold)
            assert answer.lower <= law.chance_beyond(threshold) <= answer.upper


# Counterfactual.


def default(person: int) -> Replaced:
    return Replaced(person, 0)


@some
@pytest.mark.parametrize("people", [1, 2])
@pytest.mark.parametrize(
    ("alteration", "kind"),
    [
        (default, counterfactual.CounterfactualWorld.DEFAULT_RECORD),
        (Resampled, counterfactual.CounterfactualWorld.POSTERIOR_SAMPLE),
    ],
)
def test_the_distance_exceeds_its_bound_at_most_as_often_as_stated(number: int, people: int, alteration, kind) -> None:
    for rng, world in worlds(311, number, PRESENT):
        others = [world.altered(alteration(person)).exact for person in range(people)]
        for promised in kept(rng, world, SWAP, number):
            for failure, bound in answers(partial(ask_distance, promised, people=people, world=kind)):
                assert exceeding(world, others, limit(bound)) <= failure


@some
def test_the_distance_from_a_world_without_the_record_exceeds_its_bound_at_most_as_often_as_stated(number: int) -> None:
    for rng, world in worlds(312, number, AT_LARGE):
        others = [world.altered(Dropped(person)).exact for person in range(2)]
        for promised in kept(rng, world, ADD, number):
            asked = partial(ask_distance, promised, people=2, world=counterfactual.CounterfactualWorld.DROPPED)
            for failure, bound in answers(asked):
                assert exceeding(world, others, limit(bound)) <= failure


@some
def test_with_everyone_else_known_the_distance_exceeds_its_bound_at_most_as_often_as_stated(number: int) -> None:
    def certain(rng: np.random.Generator, universe: Universe) -> Belief:
        return knowing_everyone_else(rng, universe, 0)

    for rng, world in worlds(313, number, PRESENT, beliefs=certain):
        others = [world.altered(Replaced(0, 0)).exact]
        for promised in kept(rng, world, SWAP, number):
            known = {"world": counterfactual.CounterfactualWorld.DEFAULT_RECORD, "knows": Knowledge.EVERYONE_ELSE}
            for failure, bound in answers(partial(ask_distance, promised, **known)):
                assert exceeding(world, others, limit(bound)) <= failure


def ask_distance(promised: Promise, failure: float, **options: Any) -> Any:
    return counterfactual.total_variation(promised, failure=failure, **options)


def ask_ratio(promised: Promise, failure: float, **options: Any) -> Any:
    return counterfactual.posterior_ratio(promised, failure=failure, **options)


def exceeding(world: World, others, bound: Fraction | None) -> Fraction:
    """The probability, by the belief, that one of the distances exceeds a bound below 1; undefined ones do."""
    law = world.exact.output(world.belief.weights)
    if bound is None or bound >= 1:
        return Fraction(0)

    def beyond(outcome: int) -> bool:
        return any(not o.expects(outcome) or world.exact.total_variation(o, outcome) > bound for o in others)

    return sum((law[y] for y in world.exact.outcomes if law[y] > 0 and beyond(y)), start=Fraction(0))


@some
@pytest.mark.parametrize("sides", [1, 2])
def test_the_ratio_for_the_true_record_exceeds_its_bound_at_most_as_often_as_stated(number: int, sides: int) -> None:
    for rng, world in worlds(320 + sides, number, PRESENT):
        laws = [
            world.law_of_posterior_ratio(Resampled(0), Has(0, record), truth=world.belief.given(Has(0, record)))
            for record in {dataset[0] for dataset in world.belief.possible}
        ]
        for promised in kept(rng, world, SWAP, number):
            for failure, bound in answers(partial(ask_ratio, promised, sides=sides)):
                check_that_ratios_stay(laws, bound, failure, sides)
            for ratio in (1.2, 4.0):
                chance = float(counterfactual.ratio_exceeded(promised, ratio, sides=sides))
                check_that_ratios_stay(laws, ratio, chance * HAIR, sides)


@some
def test_the_ratio_for_any_record_exceeds_its_bound_at_most_as_often_as_stated(number: int) -> None:
    def certain(rng: np.random.Generator, universe: Universe) -> Belief:
        return knowing_everyone_else(rng, universe, 0)

    known = {"record": Record.ANY, "knows": Knowledge.EVERYONE_ELSE}
    for rng, world in worlds(323, number, PRESENT, beliefs=certain):
        laws = [world.law_of_posterior_ratio(Resampled(0), Has(0, record)) for record in (0, 1)]
        for promised in kept(rng, world, SWAP, number):
            for failure, bound in answers(partial(ask_ratio, promised, **known)):
                check_that_ratios_stay(laws, bound, failure, 1)
            chance = float(counterfactual.ratio_exceeded(promised, 2.0, **known))
            check_that_ratios_stay(laws, 2.0, chance * HAIR, 1)


def check_that_ratios_stay(laws, bound: object, failure: float, sides: int) -> None:
    most = limit(bound)
    for law in laws if most is not None else ():
        below = 1 - law.undefined - law.chance_beyond(1 / most, closed=True) if sides == 2 else 0
        assert law.chance_beyond(most) + below <= failure


# Testing.


@some
def test_no_test_does_better_than_the_school_says(number: int) -> None:
    levels = (0.001, 0.05, 0.5)
    for rng, world in worlds(331, number, SINGLE):
        start = float(prior(rng))
        curves = [vertices(world.kernel[a], world.kernel[b]) for a, b in ((0, 1), (1, 0))]
        for promised in kept(rng, world, SWAP, number):
            for value in levels:
                best = max(power_at(corners, Fraction(value)) for corners in curves)
                least = min(level_at(corners, Fraction(value)) for corners in curves)
                assert best <= limit(testing.power(promised, value).upper)
                assert least >= Fraction(float(testing.level(promised, value).lower)) * (1 - SLACK) - SLACK
                odds = Fraction(start) * best / (Fraction(start) * best + (1 - Fraction(start)) * Fraction(value))
                assert odds <= limit(testing.positive_predictive_value(promised, value, start).upper)
                after = Fraction(start) * Fraction(value)
                found = after / (after + (1 - Fraction(start)) * least)
                assert found <= limit(testing.posterior_after_rejection(promised, value, start).upper)
            gain = max(power - level for corners in curves for level, power in corners)
            assert gain <= limit(testing.advantage(promised).upper)
            right = max(guess(p, q, Fraction(start)) for p, q in (world.kernel, world.kernel[::-1]))
            assert right <= limit(testing.best_guess(promised, start).upper)


def guess(p, q, start: Fraction) -> Fraction:
    """How often the best guess is right that goes by the outcome."""
    return sum((max(start * a, (1 - start) * b) for a, b in zip(p, q, strict=True)), start=Fraction(0))


@some
def test_when_the_rest_is_random_no_test_does_better_than_the_school_says(number: int) -> None:
    levels = (0.001, 0.05, 0.5)
    for rng, world in worlds(332, number, PRESENT):
        others = dict(zip([(0,), (1,)], dyadic(rng.uniform(0.01, 1, 2)), strict=True))
        laws = [world.exact.output(Belief.about(PRESENT, 0, {own: 1}, others).weights) for own in (0, 1)]
        for promised in kept(rng, world, SWAP, number):
            for value in levels:
                best = power_at(vertices(*laws), Fraction(value))
                assert best <= limit(testing.power(promised, value, knows=Knowledge.ANY_BELIEF).upper)


def test_a_test_that_beats_every_pair_of_neighbours_does_not_beat_the_school() -> None:
    """The release of the proof page: 0.5 between any two neighbours, 0.55 if the rest is random."""
    rows = [[0, 1, 0, 0], [0, 0, 0.5, 0.5], [0.1, 0.9, 0, 0], [0, 0, 1, 0]]
    world = World(Belief.uniform(PRESENT), rows)
    half = Fraction(1, 2)
    null, alternative = (Belief(PRESENT, {(own, 0): half, (own, 1): half}) for own in (0, 1))
    found = float(world.power(0.25, null=null, alternative=alternative))
    alone = max(float(world.power(0.25, null=(0, rest), alternative=(1, rest))) for rest in (0, 1))
    assert alone < found == pytest.approx(0.55)
    assert found <= float(testing.power(world.mechanism(SWAP), 0.25, knows=Knowledge.ANY_BELIEF).upper)


# Disclosure.


@pytest.mark.parametrize("number", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_the_relative_risk_exceeds_its_bound_at_most_as_often_as_stated(number: int) -> None:
    universe = Universe(1, ("ill", "well"))
    for rng, world in worlds(341, number, universe):
        inclusion, value = float(prior(rng)), float(prior(rng))
        adversary = Adversary(inclusion=inclusion, value=value)
        belief = Belief.of_adversary(universe, adversary, person=0, sensitive=("ill",), others={(): 1})
        same = World(belief, world.kernel)
        law = same.law_of_ratio(Has(0, "ill"), truth=belief.given(Has(0, "ill")))
        pairs = list(zip(promises(rng, world, ADD), promises(rng, world, SWAP), strict=False))
        for promised, swap in pairs if number > 6 else [pairs[int(rng.integers(0, len(pairs)))]]:
            for given in (None, swap):
                asked = partial(disclosure.relative_risk, inclusion=inclusion, value=value, swap=given)
                for failure, bound in answers(partial(ask_risk, asked, promised)):
                    assert law.chance_beyond(limit(bound)) <= failure
        exact = disclosure.exact_risk(
            *([float(a) for a in row] for row in world.kernel), inclusion=inclusion, value=value
        )
        where = np.array([Has(0, "ill")(x) for x in universe.datasets])
        for outcome in same.exact.outcomes:
            if same.exact.expects(outcome):
                true = float(same.exact.ratio(where, outcome))
                assert np.asarray(exact.value)[outcome] == pytest.approx(true, rel=1e-12)


def ask_risk(asked: Callable[..., Any], promised: Promise, failure: float) -> Any:
    return asked(promised, failure=failure)
