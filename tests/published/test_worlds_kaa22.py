"""Worlds of Kifer and others (2022): Example 4.9, Theorems 6.2 and 6.5, Example 7.2."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from digits import coin, fraction
from published import golden

from whit.semantics.worlds import Belief, Has, Resampled, Universe, World

CASES = golden("golden_worlds.json", "KAA22")
RELATIVE = 1e-12
JESSIE, REST = 0, 1


def value(key: str) -> float:
    return float(CASES[key]["value"])


def wildly_wrong_belief(prior: Fraction) -> World:
    """Example 7.2: Jessie and 99 others are Hispanic, and the adversary is certain that the 99 are not.

    The others are one place of the dataset, which holds how many of them are. The outcome is either within half a
    millionth of 101.3, or not; the probability of the first is so small that no double holds it.
    """
    people = Universe(2, (0, 1, 99), all_present=True)
    belief = Belief.knowing_everyone_else(people, JESSIE, {1: prior, 0: 1 - prior}, (0,))

    def law(dataset: tuple[int, int]) -> tuple[Fraction, Fraction]:
        distance = mpmath.mpf("101.3") - sum(dataset)
        here = fraction(mpmath.exp(-(distance**2) / 2) / mpmath.sqrt(2 * mpmath.pi) / 10**6)
        return here, 1 - here

    return World.releasing(belief, law)


def test_example_7_2_posterior_and_ratio() -> None:
    """The ratio of the posteriors has no bound where the belief is wrong, whatever the privacy parameters."""
    world = wildly_wrong_belief(Fraction(1, 100))
    hispanic = Has(JESSIE, 1)
    certain = world.exact.posterior([hispanic(x) for x in world.universe.datasets], 0)
    assert float(1 - certain) == pytest.approx(value("004-ex7.2-post"), rel=RELATIVE)
    assert float(world.counterfactual_posterior(Resampled(JESSIE), hispanic, 0)) == 0.01
    assert float(world.posterior_ratio(Resampled(JESSIE), hispanic, 0)) == pytest.approx(
        value("004-ex7.2-ratio"), rel=RELATIVE
    )
    wilder = wildly_wrong_belief(Fraction(1, 10**6))
    assert float(wilder.posterior_ratio(Resampled(JESSIE), hispanic, 0)) > 999_999


def test_example_7_2_the_belief_itself_all_but_excludes_the_outcome() -> None:
    """If the belief is right, the ratio exceeds 1.01 with a probability that no double holds; in truth it does not."""
    world = wildly_wrong_belief(Fraction(1, 100))
    law = world.law_of_posterior_ratio(Resampled(JESSIE), Has(JESSIE, 1))
    assert 0 < law.chance_beyond(1.01) < Fraction(1, 10**2000)
    said = law.beyond(1.01)
    assert float(said.lower) == 0.0 < float(said.upper) < 1e-322
    true = world.law_of_posterior_ratio(Resampled(JESSIE), Has(JESSIE, 1), truth=(1, 99))
    assert float(true.beyond(1.01)) == pytest.approx(
        1.7136859204780736e-07, rel=1e-9
    )  # the density at 1.3, in millionths


@pytest.mark.parametrize("key", ["004-thm6.2-1", "004-thm6.2-2"])
def test_theorem_6_2_is_attained_also_when_the_rest_is_random(key: str) -> None:
    """A release that gives Jessie's record away with probability delta, and else answers by a coin."""
    inputs = {name: Fraction(text) for name, text in CASES[key]["inputs"].items()}
    truth, lie = ((1 - inputs["delta"]) * part for part in coin(CASES[key]["inputs"]["eps"]))
    people = Universe(2, (0, 1), all_present=True)
    rows = ((inputs["delta"], 0, truth, lie), (0, inputs["delta"], lie, truth))
    rest = {(0,): Fraction(1, 3), (1,): Fraction(2, 3)}
    null, alternative = (Belief.about(people, JESSIE, {record: 1}, rest) for record in (1, 0))
    world = World.releasing(null, lambda dataset: rows[dataset[JESSIE]])
    found = float(world.power(inputs["level"], null=null, alternative=alternative))
    assert found == pytest.approx(value(key), rel=RELATIVE)
    known = float(world.power(inputs["level"], null=(1, 0), alternative=(0, 0)))
    assert found == pytest.approx(known, rel=1e-15)


@pytest.mark.parametrize("epsilon", ["0.5", "1", "2"])
def test_example_4_9_processing_can_raise_the_chance_of_a_large_posterior(epsilon: str) -> None:
    """Two answers by coins raise a belief of 1/2 above logistic(epsilon/2) less often than the first answer alone."""
    truth, lie = coin(epsilon)
    jessie = Universe(1, ("cancer", "none"), all_present=True)
    once = World(Belief.uniform(jessie), [[truth, lie], [lie, truth]])
    twice = World(once.belief, [[a * b for a in row for b in row] for row in once.kernel])
    threshold = fraction(1 / (1 + mpmath.exp(-mpmath.mpf(epsilon) / 2)))
    laws = [world.law_of_posterior(Has(0, "cancer"), truth=("cancer",)) for world in (once, twice)]
    assert [law.chance_beyond(threshold) for law in laws] == [truth, truth**2]


def test_every_case_is_used() -> None:
    assert sorted(CASES) == ["004-ex7.2-post", "004-ex7.2-ratio", "004-thm6.2-1", "004-thm6.2-2"]
