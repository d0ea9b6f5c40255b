"""The best test is best: no choice of outcomes, with a coin at one of them, does better."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from referee import power as greedy
from worlds_random import KERNELS

from whit.worlds.exact import hull, level_at, power_at, vertices

GRID = [Fraction(k, 12) for k in range(13)]


def random_pairs(number: int, outcomes: int):
    rng = np.random.default_rng(12)
    for at in range(number):
        q, p = KERNELS[at % len(KERNELS)](rng, 2, outcomes)
        yield q, p


def by_brute_force(q, p, level: Fraction) -> Fraction:
    """The largest power over all tests that reject some outcomes surely and at most one by a coin."""
    best = Fraction(0)
    for choice in product((0, 1), repeat=len(q)):
        surely = [sum(c * mass for c, mass in zip(choice, row, strict=True)) for row in (q, p)]
        if surely[0] <= level:
            best = max(best, surely[1])
            for left, gain in ((q[k], p[k]) for k, c in enumerate(choice) if not c and q[k] > 0):
                best = max(best, surely[1] + min(Fraction(1), (level - surely[0]) / left) * gain)
    return best


def test_no_test_does_better() -> None:
    for q, p in random_pairs(60, 4):
        corners = vertices(q, p)
        for level in GRID:
            found = power_at(corners, level)
            assert found == by_brute_force(q, p, level)
            assert found == greedy([float(a) for a in p], [float(a) for a in q], level)


def test_the_smallest_level_is_the_inverse_of_the_power() -> None:
    for q, p in random_pairs(120, 5):
        corners = vertices(q, p)
        for power in GRID:
            level = level_at(corners, power)
            assert power_at(corners, level) >= power
            if level > 0:
                assert power_at(corners, level * (1 - Fraction(1, 10**9))) < power


def test_the_curve_ends_at_one_and_is_concave() -> None:
    for q, p in random_pairs(60, 5):
        corners = vertices(q, p)
        assert corners[-1] == (1, 1)
        assert hull([corners])[-1] == (1, 1)
        assert [power_at(hull([corners]), level) for level in GRID] == [power_at(corners, level) for level in GRID]


def test_the_hull_is_the_least_concave_curve_above() -> None:
    """At each level it is the best mixture of two corners, one at a smaller level and one at a larger."""
    pairs = list(random_pairs(40, 3))
    for first, second in zip(pairs[::2], pairs[1::2], strict=True):
        corners = [*vertices(*first), *vertices(*second)]
        found = hull([vertices(*first), vertices(*second)])
        for level in GRID:
            mixed = max(
                (a[1] if a[0] == b[0] else a[1] + (b[1] - a[1]) * (level - a[0]) / (b[0] - a[0]))
                for a in corners
                for b in corners
                if a[0] <= level <= b[0] and (a[0] < b[0] or a[0] == level)
            )
            assert power_at(found, level) == mixed


@pytest.mark.parametrize("level", [Fraction(0), Fraction(1)])
def test_two_laws_without_a_common_outcome_are_told_apart_at_every_level(level: Fraction) -> None:
    corners = vertices((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
    assert power_at(corners, level) == 1
    assert level_at(corners, Fraction(1)) == 0
