"""Finite beliefs are exact, and updated by Bayes' rule."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.persuasion import FiniteBelief, SampledBelief


def test_doubles_are_divided_by_their_exact_sum():
    belief = FiniteBelief([0.1] * 10)
    assert sum(belief.weights) == 1
    assert belief.weights[0] == Fraction(1, 10)


def test_an_update_is_bayes_rule():
    belief = FiniteBelief([Fraction(1, 5), Fraction(3, 10), Fraction(1, 2)])
    after = belief.updated([Fraction(1, 2), Fraction(1, 3), Fraction(0)])
    assert after.weights == (Fraction(1, 2), Fraction(1, 2), Fraction(0))


def test_updating_twice_is_updating_by_the_product():
    belief = FiniteBelief([Fraction(1, 5), Fraction(3, 10), Fraction(1, 2)])
    one, two = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 7)], [Fraction(2, 9), Fraction(1), Fraction(1, 4)]
    both = belief.updated([a * b for a, b in zip(one, two, strict=True)])
    assert belief.updated(one).updated(two) == both


def test_a_product_takes_records_as_independent():
    pair = FiniteBelief.product(FiniteBelief([0.25, 0.75]), FiniteBelief([0.5, 0.5]))
    assert pair.weights == (Fraction(1, 8), Fraction(1, 8), Fraction(3, 8), Fraction(3, 8))


def test_moments_are_those_of_the_points():
    belief = FiniteBelief([0.25, 0.75], points=[0, 4])
    assert (belief.mean(), belief.variance()) == (3, 3)


def test_frequencies_of_draws_are_a_belief():
    drawn = np.random.default_rng(0).integers(0, 3, size=1000)
    belief = SampledBelief.of_draws(drawn, 3)
    assert belief.weights[1] == Fraction(int(np.sum(drawn == 1)), 1000)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: FiniteBelief([0.5, 0.6]), "must be a list of probabilities with sum 1"),
        (lambda: FiniteBelief([Fraction(1, 2), Fraction(1, 3)]), "must be a list of probabilities with sum 1"),
        (lambda: FiniteBelief("half"), "the weights of a belief"),
        (lambda: FiniteBelief([]), "the weights of a belief"),
        (lambda: FiniteBelief([0.5, 0.5], points=[1]), "must be 2 numbers, one for each dataset"),
        (lambda: FiniteBelief([0.5, 0.5], points=3), "points must be a list of numbers"),
        (lambda: FiniteBelief([0.5, 0.5], points=["a", "b"]), "a point must be a finite number"),
        (lambda: FiniteBelief.two_points(0, 1, 2, size=2), "the weight must be a probability"),
        (lambda: FiniteBelief.two_points(0, 5, 0.5, size=2), "must be whole numbers from 0 to 1"),
        (FiniteBelief.product, "a product must have a belief"),
        (lambda: SampledBelief.of_draws([0, 5], 2), "draws must be whole numbers from 0 to 1"),
        (lambda: FiniteBelief([1.0, 0.0]).updated([Fraction(0), Fraction(1)]), "must have a positive probability"),
    ],
)
def test_what_is_no_belief_is_refused(build, message):
    with pytest.raises(InvalidInput, match=message):
        build()


@pytest.mark.parametrize("weight", [10**400, math.inf])
def test_weights_are_finite(weight):
    with pytest.raises(InvalidInput, match="the weights of a belief must be a finite number"):
        FiniteBelief([weight, 0.5])
