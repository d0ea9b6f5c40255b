"""Mixtures: profiles average if it is told which mechanism was run, and are bounds if it is not."""

from __future__ import annotations

import numpy as np
import pytest
from ends import middle
from hypothesis import given, settings
from hypothesis import strategies as st
from pairs import Vectors, finite_pairs

from whit.errors import Incompatible, InvalidInput, NotImplied
from whit.mechanisms import Finite, Gaussian, Geometric, Mixture, RandomizedResponse, SimpleRandomSample
from whit.setting import Neighbours
from whit.theory import Direction

EPSILONS = np.array([-1.0, 0.0, 0.4, 1.1, 3.0])


@settings(max_examples=40)
@given(finite_pairs(4), finite_pairs(4), st.floats(0.0, 1.0))
def test_the_loss_is_that_of_the_labelled_outcomes(first: Vectors, second: Vectors, weight: float) -> None:
    """Told which mechanism was run, the outcomes are those of both side by side, each with its weight."""
    parts = [Finite(*first), Finite(*second)]
    labelled = [np.concatenate([weight * a, (1 - weight) * b]) for a, b in zip(first, second, strict=True)]
    loss, reference = Mixture(parts, [weight, 1 - weight]).loss(), Finite(*labelled).loss()
    for face, other in ((loss, reference), (loss.reverse(), reference.reverse())):
        np.testing.assert_allclose(
            np.exp(face.log_delta(EPSILONS).mid), np.exp(other.log_delta(EPSILONS).mid), atol=1e-12
        )
        np.testing.assert_allclose(np.exp(face.log_power(-1.0).mid), np.exp(other.log_power(-1.0).mid), atol=1e-12)


@settings(max_examples=40)
@given(finite_pairs(3), finite_pairs(3), st.floats(0.01, 0.99))
def test_not_told_it_is_an_upper_bound(first: Vectors, second: Vectors, weight: float) -> None:
    size = max(len(first[0]), len(second[0]))
    padded = [[np.pad(row, (0, size - len(row))) for row in pair] for pair in (first, second)]
    unlabelled = [weight * a + (1 - weight) * b for a, b in zip(*padded, strict=True)]
    bound = Mixture([Finite(*first), Finite(*second)], [weight, 1 - weight], published=False)
    assert bound.curve().direction is Direction.AT_MOST
    assert np.all(Finite(*unlabelled).delta(EPSILONS).lower <= bound.delta(EPSILONS).value + 1e-15)


def test_a_weight_of_zero_counts_for_nothing() -> None:
    only = Mixture([Geometric(1.0), SimpleRandomSample(1, 2)], [1.0, 0.0])
    np.testing.assert_allclose(middle(only.delta(EPSILONS[1:])), middle(Geometric(1.0).delta(EPSILONS[1:])), rtol=1e-13)


def test_the_relations_are_those_that_all_parts_know() -> None:
    assert Mixture([Geometric(1.0), RandomizedResponse(1.0)], [0.5, 0.5]).relations == (
        Neighbours.REPLACE,
        Neighbours.LOCAL,
    )
    pairs = [Finite([1.0], [1.0]), Finite([1.0], [1.0], neighbours=Neighbours.REPLACE)]
    with pytest.raises(
        Incompatible, match="mechanisms must be known under a common relation .* Use mechanisms that are"
    ):
        Mixture(pairs, [0.5, 0.5]).curve()


def test_a_density_is_refused() -> None:
    with pytest.raises(
        NotImplied, match="a mixture is only implemented for parts with finitely many losses; got Gauss"
    ):
        Mixture([Gaussian(1.0), Geometric(1.0)], [0.5, 0.5]).loss()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], [1.0]), r"mechanisms must be at least one; got \[\]. Pass mechanisms"),
        (([1.0], [1.0]), "mechanisms must be mechanisms; got 1.0. Pass mechanisms"),
        (([Geometric(1.0)], [0.5, 0.5]), "weights must be as many as the mechanisms, 1; got 2. Give one"),
        (
            ([Geometric(1.0)], [0.5]),
            "weights must be a list of probabilities with sum 1; got a list with sum 0.5. Give",
        ),
    ],
)
def test_what_is_no_mixture_is_refused(arguments, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        Mixture(*arguments)


def test_whether_it_is_told_is_yes_or_no() -> None:
    with pytest.raises(InvalidInput, match="published must be True or False; got 1. Use True if"):
        Mixture([Geometric(1.0)], [1.0], published=1)
