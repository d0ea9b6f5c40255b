"""A law adds up the probabilities of the outcomes with the same value, and keeps apart what is not defined."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from worlds_random import worlds

from whit.errors import InvalidInput, NotImplied
from whit.worlds import Belief, Dropped, Has, Present, Universe, World

TWO = Universe(2, ("ill", "well"))
ONE = Universe(1, (0, 1), all_present=True)


def test_all_the_probability_is_somewhere() -> None:
    for _, world in worlds(6, 40, TWO):
        for truth in (None, TWO.datasets[3], Belief.uniform(TWO)):
            law = world.law_of_posterior(Present(0), truth=truth)
            assert sum(law.chances) + law.undefined == 1
            assert list(law.values) == sorted(set(law.values))
            middle = Fraction(1, 3)
            below, above = (float(law.below(float(middle))), float(law.beyond(float(middle), closed=True)))
            assert below + above + float(law.undefined) == pytest.approx(1, abs=1e-15)


def test_outcomes_of_equal_value_are_one_atom() -> None:
    world = World(Belief.uniform(ONE), [[0.25, 0.25, 0.5], [0.25, 0.25, 0.5]])
    law = world.law_of_ratio(Has(0, 1))
    assert (law.values, law.chances) == ((1,), (1,))


def test_a_threshold_counts_only_if_closed() -> None:
    law = World(Belief.uniform(ONE), [[0.75, 0.25], [0.25, 0.75]]).law_of_posterior(Has(0, 1), truth=(1,))
    assert float(law.beyond(0.75)) == 0.0
    assert float(law.beyond(0.75, closed=True)) == 0.75
    assert float(law.below(0.75)) == 0.25
    assert str(law.beyond(0.5)) == "probability that the posterior probability exceeds the threshold is exactly 75 %"
    assert float(law.largest()) == 0.75


def test_outcomes_that_the_belief_rules_out_are_undefined_not_dropped() -> None:
    belief = Belief(ONE, [1, 0])
    world = World(belief, [[1, 0], [0.25, 0.75]])
    law = world.law_of_posterior(Has(0, 0), truth=(1,))
    assert (law.values, law.chances, law.undefined) == ((1,), (Fraction(1, 4),), Fraction(3, 4))
    nothing = World(belief, [[1, 0], [0, 1]]).law_of_posterior(Has(0, 0), truth=(1,))
    with pytest.raises(NotImplied, match="posterior probability has no value"):
        nothing.largest()


def test_differences_are_posteriors_minus_the_prior() -> None:
    for _, world in worlds(8, 30, TWO):
        prior = world.exact.prior([Present(1)(x) for x in TWO.datasets])
        law, moved = world.law_of_posterior(Present(1)), world.law_of_difference(Present(1))
        assert [value - prior for value in law.values] == list(moved.values)
        assert sum(value * chance for value, chance in zip(moved.values, moved.chances, strict=True)) == 0


def test_ratios_may_be_infinite() -> None:
    universe = Universe(1, ("a", "b"))
    belief = Belief(universe, {("a",): 0.5, ("b",): 0.5})
    world = World(belief, [[1, 0, 0], [0.5, 0.5, 0], [0.5, 0, 0.5]])
    law = world.law_of_posterior_ratio(Dropped(0), Has(0, "a"))
    assert law.undefined == Fraction(1, 2)  # without a record the second and third outcome never come
    assert law.values == (1,)
    other = World(Belief(universe, {("a",): 0.5, ("b",): 0.5}), [[0.5, 0.5], [0.5, 0.5], [1, 0]])
    assert float(other.law_of_ratio(Has(0, "a")).largest()) == 2.0
    assert math.isfinite(float(law.largest()))


@pytest.mark.parametrize("threshold", [math.nan, "x", None])
def test_a_threshold_is_a_number(threshold: object) -> None:
    law = World(Belief.uniform(ONE), [[1], [1]]).law_of_posterior(Has(0, 1))
    with pytest.raises(InvalidInput, match="threshold must be a finite number"):
        law.beyond(threshold)  # type: ignore[arg-type]
