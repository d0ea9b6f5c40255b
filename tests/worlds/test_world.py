"""A world answers in findings that are exact, and refuses with sentences."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from worlds_random import ordered_pairs, worlds

from whit.errors import Incompatible, InvalidInput, NotImplied, TooCostly
from whit.mechanisms import Kernel
from whit.setting import Neighbours
from whit.theory import Direction
from whit.worlds import ABSENT, Belief, Dropped, Has, Is, Present, Replaced, Resampled, Universe, World

TWO = Universe(2, ("ill", "well"))
ONE = Universe(1, (0, 1), all_present=True)
COIN = [[0.75, 0.25], [0.25, 0.75]]


def coin(prior: float = 0.5) -> World:
    return World(Belief(ONE, [1 - Fraction(prior), prior]), COIN)


def test_an_answer_lies_between_the_doubles_around_it() -> None:
    for _, world in worlds(9, 40, TWO):
        where = np.array([Present(0)(x) for x in TWO.datasets])
        for outcome in world.exact.outcomes:
            if world.exact.expects(outcome):
                found, true = world.posterior(Present(0), outcome), world.exact.posterior(where, outcome)
                assert found.direction is Direction.EXACTLY
                assert Fraction(float(found.lower)) <= true <= Fraction(float(found.upper))
                assert found.upper in (found.lower, np.nextafter(found.lower, 1.0))
                assert float(true) in (found.lower, found.upper)


def test_the_questions_have_the_answers_of_a_coin() -> None:
    world = coin()
    assert float(world.prior(Has(0, 1))) == 0.5
    assert float(world.outcome(1)) == 0.5
    assert float(world.outcome(1, truth=(1,))) == 0.75
    assert float(world.posterior(Has(0, 1), 1)) == 0.75
    assert float(world.ratio(Has(0, 1), 1)) == 1.5
    assert float(world.counterfactual_posterior(Replaced(0, 0), Has(0, 1), 1)) == 0.5
    assert float(world.posterior_ratio(Resampled(0), Has(0, 1), 1)) == 1.5
    assert float(world.total_variation(Replaced(0, 1), 1)) == 0.25
    assert float(world.advantage(null=(0,), alternative=(1,))) == 0.5
    assert float(world.power(0.125, null=(0,), alternative=(1,))) == 0.375
    assert float(world.level(0.375, null=(0,), alternative=(1,))) == 0.125
    assert float(world.law_of_total_variation(Replaced(0, 0)).largest()) == 0.25


def test_findings_say_what_they_rest_on() -> None:
    found = coin().posterior_ratio(Resampled(0), Has(0, 1), 1)
    assert found.basis.theorems == ("exact-counterfactual",)
    assert found.inputs["alteration"] == "Resampled(person=0)"
    assert found.inputs["event"] == "Has(person=0, records=(1,))"
    assert (found.inputs["datasets"], found.inputs["outcomes"]) == (2, 2)
    assert coin().posterior(Has(0, 1), 0).basis.theorems == ("exact-posterior",)
    assert coin().power(0.1, null=(0,), alternative=(1,)).basis.theorems == ("exact-test",)


def test_a_belief_after_an_outcome_is_the_belief_before_the_next() -> None:
    """Two releases one after the other are one release of both."""
    once = coin(0.25)
    twice = World(once.after(1), COIN)
    both = World(once.belief, [[a * b for a in row for b in row] for row in ([0.75, 0.25], [0.25, 0.75])])
    assert twice.after(0) == both.after(2)


def test_a_kernel_is_the_same_release_to_the_last_bit() -> None:
    for _, world in worlds(11, 12, TWO):
        mechanism = world.mechanism(Neighbours.ADD_REMOVE)
        assert isinstance(mechanism, Kernel)
        assert mechanism.neighbours is Neighbours.ADD_REMOVE
        assert [[Fraction(a) for a in row] for row in mechanism.matrix] == [list(row) for row in world.kernel]
        assert len(mechanism.edges) == 12


def test_the_curve_of_the_kernel_is_that_of_the_world() -> None:
    for _, world in worlds(13, 8, Universe(1, ("a", "b"))):
        mechanism = world.mechanism(Neighbours.ADD_REMOVE)
        for factor in (Fraction(1), Fraction(3, 2), Fraction(4)):
            pairs = ordered_pairs(world, Neighbours.ADD_REMOVE)
            true = max(sum(max(a - factor * b, Fraction(0)) for a, b in zip(p, q, strict=True)) for p, q in pairs)
            said = mechanism.delta(math.log(factor))
            assert said.upper >= true * (1 - Fraction(1, 10**14))
            assert said.lower <= true * (1 + Fraction(1, 10**14)) + Fraction(1, 10**15)


def test_the_release_may_be_a_function_of_the_dataset() -> None:
    assert World.releasing(Belief.uniform(ONE), lambda x: COIN[x[0]]) == World(Belief.uniform(ONE), COIN)


def test_the_risk_of_attribute_disclosure_is_a_ratio() -> None:
    """KR24: posterior of being in the data with the sensitive value, over p q."""
    universe = Universe(1, ("ill", "well"))
    belief = Belief(universe, {(ABSENT,): 0.5, ("ill",): 0.125, ("well",): 0.375})
    world = World(belief, [[0.25, 0.75], [0.75, 0.25], [0.25, 0.75]])
    assert world.ratio(Has(0, "ill"), 0).value == pytest.approx(0.75 / (0.125 * 0.75 + 0.875 * 0.25), rel=1e-15)


def test_hypotheses_may_be_events_of_a_belief() -> None:
    belief = Belief.uniform(TWO)
    world = World.releasing(belief, lambda x: (1, 0) if x[0] == "ill" else (0, 1))
    found = world.power(0, null=belief.given(Has(0, "well")), alternative=belief.given(Has(0, "ill")))
    assert float(found) == 1.0


def test_a_world_that_is_too_large_is_refused() -> None:
    universe = Universe(10, (0, 1), all_present=True)
    row = [Fraction(1, 98)] * 98
    with pytest.raises(
        TooCostly, match="a world must have at most 100000 pairs of a dataset and an outcome; got 100352"
    ):
        World(Belief.uniform(universe), [row] * 1024)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: World("belief", COIN), InvalidInput, "belief must be a Belief"),
        (lambda: World(Belief.uniform(ONE), COIN[:1]), InvalidInput, "a kernel must have a row for each of 2 datasets"),
        (lambda: World(Belief.uniform(ONE), 3), InvalidInput, "a kernel must be a list of rows"),
        (lambda: World(Belief.uniform(ONE), [1, 1]), InvalidInput, "row 0 of the kernel must be a list"),
        (lambda: World(Belief.uniform(ONE), [[1], [0.5, 0.5]]), InvalidInput, "as many outcomes in each row"),
        (lambda: World(Belief.uniform(ONE), [[1, 1], [1, 0]]), InvalidInput, "row 0 of the kernel must be a list"),
        (lambda: World(Belief.uniform(ONE), [[-1, 2], [1, 0]]), InvalidInput, "row 0 of the kernel must be a list"),
        (lambda: World.releasing(Belief.uniform(ONE), COIN), InvalidInput, "must be a function of the dataset"),
        (lambda: coin().posterior(Has(0, 1), 2), InvalidInput, "outcome must be a whole number from 0 to 1"),
        (lambda: coin().posterior(Has(3, 1), 0), InvalidInput, "person must be a whole number"),
        (lambda: coin().power(1.5, null=(0,), alternative=(1,)), InvalidInput, "level must be a probability"),
        (lambda: coin().level(-1, null=(0,), alternative=(1,)), InvalidInput, "power must be a probability"),
        (lambda: coin().power(0.5, null=(7,), alternative=(1,)), InvalidInput, "a dataset must have one of"),
        (lambda: coin().power(0.5, null=Belief.uniform(TWO), alternative=(1,)), Incompatible, "about the universe"),
        (lambda: coin().total_variation(Dropped(0), 1), InvalidInput, "a dropped record needs"),
        (lambda: coin(0).ratio(Has(0, 1), 1), NotImplied, "not defined for an event of probability 0"),
        (lambda: coin().mechanism(Neighbours.ADD_REMOVE), NotImplied, "has no neighbours under"),
    ],
)
def test_what_makes_no_sense_is_refused(make, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


def test_an_event_may_be_one_dataset() -> None:
    assert float(coin().posterior(Is((1,)), 1)) == 0.75
