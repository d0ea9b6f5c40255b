"""Bayes's rule without rounding, against Bayes's rule in 50 digits and one by one."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from worlds_random import worlds

from whit.errors import InvalidInput, NotImplied
from whit.worlds import Has, Universe
from whit.worlds.exact import Exact, whole

TWO = Universe(2, ("ill", "well"))
CLOSE = mpmath.mpf(10) ** -45


def large(value: Fraction) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator


def test_posteriors_are_those_of_fifty_digits() -> None:
    for _, world in worlds(1, 60, TWO):
        where = np.array([Has(0, "ill")(x) for x in TWO.datasets])
        for outcome in world.exact.outcomes:
            joint = [large(w) * large(row[outcome]) for w, row in zip(world.belief.weights, world.kernel, strict=True)]
            if mpmath.fsum(joint) > 0:
                expected = mpmath.fsum(part for part, here in zip(joint, where, strict=True) if here) / mpmath.fsum(
                    joint
                )
                assert abs(large(world.exact.posterior(where, outcome)) - expected) < CLOSE
                found = world.exact.posteriors(outcome)
                assert sum(found) == 1
                assert sum(part for part, here in zip(found, where, strict=True) if here) == world.exact.posterior(
                    where, outcome
                )


def test_the_mean_of_the_posterior_is_the_prior() -> None:
    for _, world in worlds(2, 60, TWO):
        where = np.array([Has(1, "well")(x) for x in TWO.datasets])
        law = world.exact.output(world.belief.weights)
        assert sum(law) == 1
        mean = sum(law[y] * world.exact.posterior(where, y) for y in world.exact.outcomes if law[y] > 0)
        assert mean == world.exact.prior(where)


def test_the_distance_is_half_the_sum_of_differences() -> None:
    pairs = list(worlds(3, 40, TWO))
    for (_, first), (_, second) in zip(pairs[::2], pairs[1::2], strict=True):
        for outcome in range(2):
            if first.exact.expects(outcome) and second.exact.expects(outcome):
                mine, theirs = first.exact.posteriors(outcome), second.exact.posteriors(outcome)
                expected = sum(abs(a - b) for a, b in zip(mine, theirs, strict=True)) / 2
                assert first.exact.total_variation(second.exact, outcome) == expected


def test_ratios_are_infinite_or_refused_where_the_denominator_is_zero() -> None:
    half = Fraction(1, 2)
    sure, open_ = Exact((Fraction(1), Fraction(0)), ((half, half),) * 2), Exact((half, half), ((half, half),) * 2)
    second = np.array([False, True])
    assert open_.posterior_ratio(sure, second, 0) == float("inf")
    assert sure.posterior_ratio(open_, second, 0) == 0
    with pytest.raises(NotImplied, match="is not defined for an event of probability 0"):
        sure.ratio(second, 0)


def test_an_outcome_that_is_ruled_out_has_no_posterior() -> None:
    world = Exact((Fraction(1),), ((Fraction(1), Fraction(0)),))
    assert not world.expects(1)
    with pytest.raises(
        NotImplied, match="the posterior is not defined after an outcome that the belief rules out; got 1"
    ):
        world.posterior(np.array([True]), 1)


@pytest.mark.parametrize("outcome", [-1, 2, 0.0, True, "0"])
def test_unknown_outcomes_are_refused(outcome: object) -> None:
    world = Exact((Fraction(1),), ((Fraction(1), Fraction(0)),))
    with pytest.raises(InvalidInput, match="outcome must be a whole number from 0 to 1"):
        world.outcome(outcome)


def test_whole_numbers_keep_the_proportions() -> None:
    table = whole([[Fraction(1, 3), Fraction(1, 4)], [Fraction(0), Fraction(5, 6)]])
    assert table.tolist() == [[4, 3], [0, 10]]
