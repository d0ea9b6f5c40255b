"""Classes of priors are not empty and about one universe."""

from __future__ import annotations

import pytest

from whit.errors import InvalidInput
from whit.mechanisms import Finite
from whit.persuasion import AnyBelief, FiniteBelief, NeighbouringBeliefs, TheseBeliefs, smallest_kappa

COIN = Finite([0.75, 0.25], [0.25, 0.75])


def test_an_empty_class_is_refused_with_a_sentence():
    with pytest.raises(InvalidInput, match="a class of priors must not be empty"):
        TheseBeliefs()


def test_points_must_be_a_list():
    with pytest.raises(InvalidInput, match="points must be a list of numbers"):
        NeighbouringBeliefs(5)


def test_a_class_of_anything_else_is_refused():
    with pytest.raises(InvalidInput, match="a prior must be a FiniteBelief"):
        TheseBeliefs(0.5)
    with pytest.raises(InvalidInput, match="priors must be a class of priors"):
        smallest_kappa(COIN, priors=0.5)


@pytest.mark.parametrize(
    "priors", [FiniteBelief([0.5, 0.25, 0.25]), NeighbouringBeliefs([0, 1, 2]), AnyBelief(points=[1, 2, 3])]
)
def test_a_class_about_another_universe_is_refused(priors):
    with pytest.raises(InvalidInput, match="priors must be about the 2 datasets of the mechanism"):
        smallest_kappa(COIN, priors=priors)
