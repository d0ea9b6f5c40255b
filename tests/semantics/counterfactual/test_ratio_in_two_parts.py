"""The ratio of posteriors where the record is dropped or fixed, judged by small worlds of which everything is known."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from whit.errors import NotImplied
from whit.guarantees import ApproxDP, PureDP
from whit.mechanisms import Gaussian
from whit.semantics.counterfactual import CounterfactualWorld, Record, posterior_ratio, ratio_exceeded
from whit.setting import Neighbours
from whit.worlds import Belief, Dropped, Has, Replaced, Universe, World

UNITS = 64


def drawn(random: np.random.Generator, universe: Universe) -> World:
    """A random belief in which everybody is present and may depend on the other, and a random release."""
    present = [all(part in (0, 1) for part in data) for data in universe.datasets]
    weights = random.integers(0, 9, size=len(present)) * np.array(present)
    weights[present.index(True)] += 1
    rows = random.multinomial(UNITS - 4 * 6, [0.25] * 4, size=len(present)) + 6
    belief = Belief(universe, [Fraction(int(each), int(weights.sum())) for each in weights])
    return World(belief, [[Fraction(int(part), UNITS) for part in row] for row in rows])


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("world", [CounterfactualWorld.DROPPED, CounterfactualWorld.DEFAULT_RECORD])
def test_no_world_passes_the_bound_more_often_than_the_failure(world, sides):
    random = np.random.default_rng([71, sides])
    dropped = world is CounterfactualWorld.DROPPED
    universe = Universe(2, (0, 1), all_present=not dropped)
    alteration = Dropped(0) if dropped else Replaced(0, 0)
    for _ in range(4):
        known = drawn(random, universe)
        promise = known.mechanism(Neighbours.ADD_REMOVE if dropped else Neighbours.REPLACE)
        laws = []
        for record in (0, 1):
            weights = zip(universe.datasets, known.belief.weights, strict=True)
            chance = sum((weight for data, weight in weights if data[0] == record), Fraction(0))
            if chance > 0:
                truth = known.belief.given(Has(0, record))
                laws.append((chance, known.law_of_posterior_ratio(alteration, Has(0, record), truth=truth)))
        for failure in (0.1, 0.3, 0.6):
            bound = Fraction(float(posterior_ratio(promise, failure=failure, world=world, sides=sides)))
            beyond = sum((chance * passed(law, bound, sides) for chance, law in laws), Fraction(0))
            assert beyond <= Fraction(failure)
        for factor in (1.1, 1.5, 2.0):
            beyond = sum((chance * passed(law, Fraction(factor), sides) for chance, law in laws), Fraction(0))
            assert beyond <= Fraction(float(ratio_exceeded(promise, factor, world=world, sides=sides)))


def passed(law, factor: Fraction, sides: int) -> Fraction:
    """The chance that a ratio is above a factor, or with two sides below its inverse as well."""
    found = zip(law.values, law.chances, strict=True)
    return sum((c for value, c in found if value > factor or (sides == 2 and value < 1 / factor)), Fraction(0))


def test_it_is_twice_the_two_sided_loss_and_no_more_than_the_sure_one():
    promise = Gaussian(2.0)
    half = float(posterior_ratio(promise, failure=0.05, sides=2))
    whole = posterior_ratio(promise, failure=0.05, world=CounterfactualWorld.DROPPED)
    assert float(whole) == pytest.approx(half**2, rel=1e-9)  # for one count replacing is as easy to tell as adding
    assert whole.basis.theorems[-1] == "posterior-ratio-in-two-parts"
    assert whole.basis.failures[0].probability == 0.05
    sure = posterior_ratio(PureDP(1.0), failure=0.05, world=CounterfactualWorld.DROPPED)
    assert float(sure) == pytest.approx(np.exp(2.0))


def test_what_a_record_named_beforehand_gains_there_is_not_known():
    with pytest.raises(NotImplied, match="bounded for this adversary, record and world only"):
        posterior_ratio(ApproxDP(1.0, 1e-6), failure=0.05, world=CounterfactualWorld.DROPPED, record=Record.ANY)
