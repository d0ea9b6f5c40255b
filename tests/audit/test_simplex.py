"""Linear programs in whole numbers: points and proofs are what fractions say, and what other solvers say."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import pytest

from whit.audit.simplex import Simplex

SEEDS = range(80)


def program(seed: int):
    """Three or four variables of 0 to 6, and one or two equations with small coefficients."""
    pick = random.Random(seed)
    size = pick.randint(2, 4)
    ends = [(pick.randint(0, 2), pick.randint(2, 6)) for _ in range(size)]
    rows = [{place: pick.choice([-2, -1, 1, 1, 3]) for place in range(size)} for _ in range(pick.randint(1, 2))]
    return ends, [(row, pick.randint(-2, 12)) for row in rows]


def corners(ends, equations) -> list[tuple[Fraction, ...]]:
    """Every corner of the polytope, by definition: all but so many variables at an end, the rest solved for."""
    found = []
    size = len(ends)
    for number in range(min(size, len(equations)) + 1):
        for loose in combinations(range(size), number):
            tied = [place for place in range(size) if place not in loose]
            for choice in range(2 ** len(tied)):
                point = {place: Fraction(ends[place][choice >> bit & 1]) for bit, place in enumerate(tied)}
                found += [each for each in solutions(point, loose, equations) if fits(each, ends, equations)]
    return found


def solutions(point, loose, equations) -> list[tuple[Fraction, ...]]:
    """The one way to choose the loose variables such that the first equations, or others, come out."""
    if not loose:
        return [tuple(point[place] for place in sorted(point))]
    found = []
    for chosen in combinations(equations, len(loose)):
        rights = [right - sum(row[place] * value for place, value in point.items()) for row, right in chosen]
        matrix = [[Fraction(row[place]) for place in loose] for row, _ in chosen]
        values = cramer(matrix, rights)
        if values is not None:
            whole = {**point, **dict(zip(loose, values, strict=True))}
            found.append(tuple(whole[place] for place in sorted(whole)))
    return found


def cramer(matrix, rights):
    if len(matrix) == 1:
        return None if matrix[0][0] == 0 else [rights[0] / matrix[0][0]]
    (a, b), (c, d) = matrix
    determinant = a * d - b * c
    if determinant == 0:
        return None
    return [(rights[0] * d - b * rights[1]) / determinant, (a * rights[1] - rights[0] * c) / determinant]


def fits(point, ends, equations) -> bool:
    inside = all(low <= value <= high for value, (low, high) in zip(point, ends, strict=True))
    return inside and all(sum(row[place] * point[place] for place in row) == right for row, right in equations)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_largest_and_the_least_value_are_those_of_the_corners(seed):
    ends, equations = program(seed)
    found, exact = Simplex(ends, equations), corners(ends, equations)
    conflict = found.reach()
    assert (conflict is None) == bool(exact)
    for place in range(len(ends)) if exact else ():
        for up, best in ((True, max), (False, min)):
            assert found.push(place, up=up) is None
            assert found.value[place] == best(point[place] for point in exact)
            assert fits(found.value[: len(ends)], ends, equations)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_conflict_is_a_sum_of_equations_that_is_out_of_reach(seed):
    ends, equations = program(seed)
    conflict = Simplex(ends, equations).reach()
    if conflict is not None:
        right = sum(times * equations[row][1] for row, times in conflict.items())
        terms = [sum(times * equations[row][0][place] for row, times in conflict.items()) for place in range(len(ends))]
        least = sum(min(times * low, times * high) for times, (low, high) in zip(terms, ends, strict=True))
        largest = sum(max(times * low, times * high) for times, (low, high) in zip(terms, ends, strict=True))
        assert right < least or right > largest


def test_both_outcomes_were_seen():
    outcomes = [bool(corners(*program(seed))) for seed in SEEDS]
    assert 10 <= sum(outcomes) <= len(outcomes) - 10


def test_ends_may_be_changed_and_changed_back():
    tied = Simplex([(0, 9), (0, 9)], [({0: 1, 1: 1}, 9)])
    assert tied.reach() is None
    tied.restrict(0, (10, 9))
    assert tied.reach() is not None
    tied.restrict(0, (0, 9))
    tied.restrict(1, (4, 5))
    assert tied.reach() is None
    assert tied.push(0, up=True) is None
    assert tied.value[0] == 5


def test_a_variable_without_an_end_goes_on_for_ever():
    open_ended = Simplex([(0, None), (0, None)], [({0: 1, 1: -2}, 3)])
    assert open_ended.reach() is None
    assert open_ended.push(1, up=True) == {0: 2, 1: 1}
    assert open_ended.push(0, up=False) is None
    assert open_ended.value[0] == 3
