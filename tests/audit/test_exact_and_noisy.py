"""Exact and noisy releases together: the factor on the odds is never exceeded, and is attained by two people."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from every_table import drawn

from whit.audit import EVERY_TABLE, Equation, ExactAndNoisy, Publication, believed, counted_cells, left
from whit.errors import InvalidInput, NotImplied
from whit.theory import Direction

TOTAL = Publication({}, [Equation("total", {"p": 1, "q": 1}, 1)])


def test_given_a_total_the_losses_of_two_people_add_up():
    both = ExactAndNoisy(left(TOTAL), math.log(2))
    assert both.records == 2
    # Golden case exact-and-noisy: from 1/2 after the total to 4/5 after both counts, a factor of 4 on the odds.
    assert 4 <= float(both.odds_factor()) <= 4 * (1 + 1e-12)
    assert Fraction(4, 5) <= Fraction(float(both.posterior(Fraction(1, 2)))) <= Fraction(4, 5) + Fraction(1, 10**12)
    assert both.odds_factor().direction is Direction.AT_MOST
    assert both.odds_factor().basis.theorems == ("noise-within-what-is-left",)


@pytest.mark.parametrize("seed", range(12))
def test_no_output_of_the_noise_moves_the_odds_further(seed):
    case = drawn(seed, largest=2)
    found = left(case.publication, case.knowledge)
    tables, counted = list(case.every_table()), counted_cells(case.publication)
    alpha = Fraction(2, 3)
    bound = ExactAndNoisy(found, math.log(1.5))
    apart = [sum(abs(x[cell] - y[cell]) for cell in counted) for x, y in product(tables, repeat=2)]
    assert max(apart) <= bound.records
    # Geometric noise on every cell; the output that equals one table favours it the most against another.
    factor = max((Fraction(1) / alpha**each for each in apart), default=Fraction(1))
    assert factor <= Fraction(float(bound.odds_factor()))
    cell = counted[0]
    for value, before in believed(found, EVERY_TABLE).law(cell).items():
        seen = {each: alpha ** abs(each - value) for each in range(-3, 12)}
        after = believed(found, EVERY_TABLE.after(cell, seen)).law(cell)[value]
        assert after <= Fraction(float(bound.posterior(before)))


def test_a_cell_that_is_known_leaves_the_noise_nothing_to_move():
    known = left(Publication({}, [Equation("a", {"a": 1}, 3)]))
    assert float(ExactAndNoisy(known, 5.0).odds_factor()) == 1.0


@pytest.mark.parametrize("epsilon", [1e-300, 0.0, 350.0, 1e308, math.inf])
def test_extreme_losses_have_a_bound_or_none(epsilon):
    both = ExactAndNoisy(left(TOTAL), epsilon)
    factor = float(both.odds_factor())
    assert factor == math.inf if 2 * epsilon > 700 else factor >= math.exp(2 * epsilon)
    assert float(both.posterior(Fraction(0))) == 0.0


def test_what_has_no_end_is_refused_with_the_theorem():
    endless = left(Publication({}, [Equation("difference", {"a": 1, "b": -1}, 0)]))
    with pytest.raises(
        NotImplied, match=r"must be bounded for the losses of noise to add up \(noise-within-what-is-left"
    ):
        ExactAndNoisy(endless, 1.0).odds_factor()
    with pytest.raises(InvalidInput, match="epsilon must be 0 or more; got -1"):
        ExactAndNoisy(left(TOTAL), -1.0)
    with pytest.raises(InvalidInput, match="epsilon must be 0 or more; got nan"):
        ExactAndNoisy(left(TOTAL), math.nan)
