"""No release and no law of the others beats what is said about attribute disclosure (KR24), and one comes up to it.

Inclusion and value of the person are independent of everyone else, whose records may depend on each other.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from worlds_random import PRIVATE, dyadic, largest_ratio, prior, worlds

from whit.setting import Adversary, Neighbours
from whit.worlds import ABSENT, Belief, Has, Universe, World

TWO = Universe(2, ("ill", "well"))

many = pytest.mark.parametrize("number", [100, pytest.param(3000, marks=pytest.mark.slow)])


def risk(inclusion: Fraction, value: Fraction, adding: Fraction, replacing: Fraction) -> Fraction:
    """The bound, with e^epsilon for adding a record and for replacing one."""
    return 1 / (inclusion * value + inclusion * (1 - value) / replacing + (1 - inclusion) / adding)


@many
def test_the_relative_risk_stays_below_the_bound(number: int) -> None:
    for rng, world in worlds(8, number, TWO, kernels=PRIVATE):
        adding, replacing = (largest_ratio(world, each) for each in (Neighbours.ADD_REMOVE, Neighbours.REPLACE))
        assert adding is not None
        assert replacing is not None
        inclusion, value = prior(rng), prior(rng)
        person = int(rng.integers(0, 2))
        others = dict(zip([(own,) for own in TWO.options], dyadic(rng.dirichlet(np.ones(3))), strict=True))
        adversary = Adversary(inclusion=float(inclusion), value=float(value))
        belief = Belief.of_adversary(TWO, adversary, person=person, sensitive=("ill",), others=others)
        where = np.array([Has(person, "ill")(x) for x in TWO.datasets])
        same = World(belief, world.kernel).exact
        for outcome in same.outcomes:
            found = same.ratio(where, outcome)
            assert found <= risk(inclusion, value, adding, min(replacing, adding**2))
            assert found <= risk(inclusion, value, adding, adding**2)  # Theorem 1 of the paper


@pytest.mark.parametrize("replacing", [Fraction(2), Fraction(3), Fraction(4)])
def test_a_release_attains_the_bound(replacing: Fraction) -> None:
    one = Universe(1, ("ill", "well"))
    rows = {ABSENT: Fraction(1, 4), "ill": Fraction(1, 2), "well": Fraction(1, 2) / replacing}
    belief = Belief.of_adversary(
        one, Adversary(inclusion=0.25, value=0.5), person=0, sensitive=("ill",), others={(): 1}
    )
    world = World.releasing(belief, lambda x: (rows[x[0]], 1 - rows[x[0]]))
    assert largest_ratio(world, Neighbours.ADD_REMOVE) == 2
    assert largest_ratio(world, Neighbours.REPLACE) == replacing
    where = np.array([Has(0, "ill")(x) for x in one.datasets])
    assert world.exact.ratio(where, 0) == risk(Fraction(1, 4), Fraction(1, 2), Fraction(2), replacing)
