"""Compositions of releases with a bounded loss: at every level, however small, the power lies between its bounds.

The referees are the sure bound, power <= e^epsilon level, with the sum of all epsilons; and the exact law of the sum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import mpmath
import numpy as np
import pytest
from bounded_sums import DIGITS, BoundedSum
from hypothesis import given, settings
from hypothesis import strategies as st

import whit
from whit.curves import ComposedLoss, Face, lowest_line

SMALLEST = math.log(1e-300)
LEVELS = st.floats(SMALLEST, -1e-3)
EPSILONS = st.floats(0.05, 12.0)


@dataclass(frozen=True)
class Releases:
    """Some releases, together with the largest loss of each in high precision."""

    face: Face
    exact: BoundedSum

    @classmethod
    def of(cls, scales: list[float], geometric: list[float], responses: list[float]) -> Releases:
        promises = [
            *map(whit.Laplace, scales),
            *map(whit.Geometric, geometric),
            *map(whit.RandomizedResponse, responses),
        ]
        with mpmath.workdps(DIGITS):
            largest = [1 / mpmath.mpf(scale) for scale in scales]
        return cls(whit.compose(*promises).curve().face, BoundedSum(largest, [*geometric, *responses]))

    def sure_bound(self, level: float) -> mpmath.mpf:
        """Log of e^epsilon level, with epsilon the sum of all."""
        with mpmath.workdps(DIGITS):
            return self.exact.largest + mpmath.mpf(level)


def releases(most: int) -> st.SearchStrategy[Releases]:
    """Two to three times so many, of which one has Laplace noise: others are enumerated."""
    few, some = st.lists(EPSILONS, max_size=most), st.lists(st.floats(0.1, 20.0), min_size=1, max_size=most)
    drawn = st.tuples(some, few, few).filter(lambda lists: sum(map(len, lists)) > 1)
    return drawn.map(lambda lists: Releases.of(*lists))


@settings(max_examples=200)
@given(releases(2), st.lists(st.floats(SMALLEST, -40.0), min_size=1, max_size=4))
def test_no_lower_bound_on_a_power_is_above_the_sure_bound(drawn, levels):
    found = drawn.face.log_power(np.array(levels))
    for lower, level in zip(found.lower, levels, strict=True):
        assert lower <= drawn.sure_bound(level)


def assert_chords_are_sure(drawn: Releases, levels: list[float]) -> None:
    """Without the line of the largest loss, which answers at such levels before any profile is read."""
    assert isinstance(drawn.face, ComposedLoss)
    lower, _, upper = lowest_line.lowest_lines(drawn.face, np.array(levels))
    for low, high, level in zip(lower, upper, levels, strict=True):
        assert low <= drawn.sure_bound(level)
        assert low <= high


@pytest.mark.parametrize("epsilon", [1.5, 8.0])
def test_nor_is_one_by_the_chords_of_the_profile_alone(epsilon):
    assert_chords_are_sure(Releases.of([1 / epsilon], [epsilon], []), [-30.0, -47.0, -80.0, -300.0, -690.0])


@pytest.mark.slow
@settings(max_examples=30)
@given(releases(2), st.lists(st.floats(SMALLEST, -20.0), min_size=4, max_size=4))
def test_nor_is_one_by_the_chords_of_the_profile_of_any_releases(drawn, levels):
    assert_chords_are_sure(drawn, levels)


@settings(max_examples=3)
@given(releases(1), st.lists(st.floats(-15.0, 0.9).map(lambda digits: 10**digits), min_size=3, max_size=3))
def test_the_power_of_the_best_test_lies_between_its_bounds(drawn, gaps):
    """Rejecting above a loss t has the level Q[Z > t] and the power P[Z > t], and is best."""
    with mpmath.workdps(DIGITS):
        levels = [mpmath.log(drawn.exact.null_tail(gap)) for gap in gaps]
        powers = [mpmath.log(drawn.exact.tail(gap)) for gap in gaps]
    found = drawn.face.log_power(np.array([float(level) for level in levels]))
    for lower, upper, level, power in zip(found.lower, found.upper, levels, powers, strict=True):
        # The log of a power moves by no more than that of its level, which is rounded here.
        moved = abs(level - float(level))
        assert lower <= power + moved
        assert power - moved <= upper


REVIEWED = [([1 / 8], [8.0]), ([1 / 2], [2.0]), ([1.0, 0.5], []), ([0.1] * 3, [10.0] * 3), ([1.0], [1.0])]


@pytest.mark.parametrize(("scales", "geometric"), REVIEWED)
def test_at_the_smallest_levels_the_power_is_the_level_times_e_to_the_largest_loss(scales, geometric):
    """The lower bound was above that by up to 7.6e-4, or no more than the level."""
    levels = np.array([-80.0, -120.0, -200.0, -400.0, -690.0])
    drawn = Releases.of(scales, geometric, [])
    found = drawn.face.log_power(levels)
    for lower, upper, level in zip(found.lower, found.upper, levels, strict=True):
        assert lower <= drawn.sure_bound(level) <= upper
    assert np.max(found.upper - found.lower) < 1e-11
