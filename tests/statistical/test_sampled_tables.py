"""Numbers of tables by draws, beside exact counts.

A case is judged by how many of its own standard errors the estimate lies off, which follows about a Student law with 19
degrees of freedom, since there are 20 batches. Beyond 5 lies a chance of 8e-5, so 24 cases give a false alarm with a
chance of 0.002. The mean over the cases has a standard deviation of about 0.22; beyond 0.9 lies a chance of 4e-5. Seeds
are fixed: a test that passes once passes always. The same check finds an estimator that is off by a twentieth, where
standard errors are a hundredth or two.
"""

from __future__ import annotations

import math
import random
from functools import cache

import numpy as np
import pytest
from every_table import drawn

from whit.audit import Between, Equation, Publication, left, system_of, two_way
from whit.audit.component import Component, taken_apart
from whit.audit.counting import number_of
from whit.audit.sampling import SampledNumber, about_number, power_text, sampled_number

X = None
CASES = 24


def largest_component(publication: Publication) -> Component:
    return max(taken_apart(system_of(publication)).components, key=lambda each: len(each.cells))


def random_component(seed: int) -> Component:
    """A small table with margins, some of whose cells are at most 2."""
    pick = random.Random(seed)
    height, width = pick.randint(3, 4), pick.randint(3, 4)
    truth = [[pick.randint(0, 4) for _ in range(width)] for _ in range(height)]
    said = [[Between(0, 2) if value <= 2 and pick.random() < 0.3 else X for value in line] for line in truth]
    rows, columns = [sum(line) for line in truth], [sum(line) for line in zip(*truth, strict=True)]
    return largest_component(two_way(said, rows=rows, columns=columns))


def standard_errors_off(found: SampledNumber, number: float) -> float:
    return (10**found.logarithm / number - 1) / found.relative_error


@cache
def estimates() -> list[tuple[SampledNumber, int]]:
    """Estimates, each with the exact number."""
    components = [random_component(seed) for seed in range(CASES)]
    return [(sampled_number(each, draws=4_000), number_of(each)) for each in components]


def scores(times: float) -> list[float]:
    """How far estimates lie from the exact number of tables, or from so many times that number."""
    return [standard_errors_off(found, times * number) for found, number in estimates()]


def fits(found: list[float]) -> bool:
    return max(map(abs, found)) < 5 and abs(sum(found) / len(found)) < 0.9


def test_estimates_are_exact_counts_within_their_standard_errors():
    assert fits(scores(1.0))


@pytest.mark.parametrize("wrong", [0.95, 1.05])
def test_an_estimator_that_is_off_by_a_twentieth_would_be_found(wrong):
    assert not fits(scores(wrong))


def test_hair_and_eye_colour_has_about_the_known_number_of_tables():
    """Diaconis and Gangolli (1995) and others give 1,225,914,276,768,514 for these margins."""
    known = largest_component(two_way([[X] * 4] * 4, rows=[220, 215, 93, 64], columns=[108, 286, 71, 127]))
    found = sampled_number(known)
    assert abs(standard_errors_off(found, 1_225_914_276_768_514)) < 5
    assert found.relative_error < 0.05


def test_coefficients_and_signs_are_kept():
    """The whole numbers from 0 to 30 with x + 2y - 3z = 4, counted one by one."""
    ends = dict.fromkeys("xyz", Between(0, 30))
    component = largest_component(Publication(ends, [Equation("sum", {"x": 1, "y": 2, "z": -3}, 4)]))
    number = sum(x + 2 * y - 3 * z == 4 for x in range(31) for y in range(31) for z in range(31))
    assert abs(standard_errors_off(sampled_number(component), number)) < 5


def test_a_component_that_single_equations_do_not_contradict_may_have_no_table():
    parity = Publication({}, [Equation(name, dict.fromkeys(name, 1), 1) for name in ("ab", "bc", "ac")])
    found = sampled_number(largest_component(parity))
    assert found.logarithm == -math.inf
    assert str(found).startswith("about 0 tables")


def test_the_seed_decides_the_draws():
    component = random_component(3)
    assert sampled_number(component, seed=7) == sampled_number(component, seed=7)
    assert sampled_number(component, seed=7) != sampled_number(component, seed=8)


def test_what_can_be_counted_is_counted_and_the_rest_is_drawn():
    small = two_way([[X, X], [X, X]], rows=[3, 7], columns=[4, 6], total=10)
    found = left(small).about_number()
    assert (found.relative_error, found.draws) == (0.0, 0)
    assert 10**found.logarithm == pytest.approx(4, rel=1e-12)  # logarithms are rounded
    assert str(found) == "about 4 tables, all counted"
    wide = largest_component(two_way([[X] * 6] * 6, rows=[60] * 6, columns=[60] * 6))
    drawn_only, both = sampled_number(wide), about_number([wide, largest_component(small)])
    assert both.logarithm == pytest.approx(drawn_only.logarithm + math.log10(4), rel=1e-12)  # the same draws
    assert both.relative_error == pytest.approx(drawn_only.relative_error, rel=1e-12)
    assert "estimated standard error" in str(both)


def test_errors_of_independent_factors_add_up_as_squares():
    parts = [largest_component(two_way([[X] * 5] * 5, rows=[each] * 5, columns=[each] * 5)) for each in (60, 70)]
    first, second = (sampled_number(each) for each in parts)
    both = about_number(parts)
    squares = (1 + first.relative_error**2) * (1 + second.relative_error**2) - 1
    assert both.relative_error == pytest.approx(math.sqrt(squares), rel=1e-12)  # rounding only


def test_what_cannot_be_drawn_is_refused_with_a_sentence():
    with pytest.raises(ValueError, match="draws must be at least 40; got 10"):
        sampled_number(random_component(1), draws=10)
    endless = Publication({}, [Equation("difference", {"a": 1, "b": -1}, 2)])
    with pytest.raises(Exception, match="must have two ends to count tables"):
        left(endless).about_number()
    huge = largest_component(two_way([[X] * 3] * 3, rows=[10**20] * 3, columns=[10**20] * 3))
    with pytest.raises(Exception, match="a component must have at most 2000 cells, and numbers below .*; got 9 cells"):
        sampled_number(huge)


def test_numbers_beyond_doubles_are_written_as_powers():
    assert [power_text(each) for each in (400.0, 15.0885, 9.9999999, -math.inf)] == [
        "1.00e400",
        "1.23e15",
        "1.00e10",
        "0",
    ]


@pytest.mark.parametrize("seed", range(20))
def test_small_random_publications_have_about_their_number_of_tables(seed):
    case = drawn(seed, largest=2)
    number = len({tuple(sorted(table.items())) for table in case.every_table()})
    parts = taken_apart(system_of(case.publication, case.knowledge))
    found = [sampled_number(each, draws=2_000) for each in parts.components if each.terms]
    free = [math.log10(number_of(each)) for each in parts.components if not each.terms]
    estimate = 10 ** sum([*free, *(each.logarithm for each in found)])
    error = math.sqrt(np.prod([1 + each.relative_error**2 for each in found]) - 1)
    # Where every draw is as likely there is no error, and rounding is left.
    assert abs(estimate / number - 1) <= 5 * error + 1e-9
