"""Persuasive scores of releases without noise: a case known exactly, and every dataset of random universes."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from whit.audit import Persuaded
from whit.errors import InvalidInput
from whit.persuasion import FiniteBelief, Table, TheseBeliefs, smallest_kappa
from whit.theory import Direction

EVEN = dict.fromkeys(range(10), Fraction(1, 10))
ROUNDED = Persuaded(EVEN, lambda value: (value + 2) // 5 * 5)


def test_a_number_that_is_rounded_to_five():
    """Golden case persuasion-rounding: 0 to 2, 3 to 7, and 8 and 9 are published as one number each."""
    assert ROUNDED.outcomes == {0: Fraction(3, 10), 5: Fraction(1, 2), 10: Fraction(1, 5)}
    assert ROUNDED.factors == {0: Fraction(10, 3), 5: 2, 10: 5}
    assert [ROUNDED.brier_gain(value) for value in (0, 5, 9)] == [Fraction(7, 30), Fraction(1, 10), Fraction(2, 5)]
    for delta, factor in ((0, 5), (Fraction(1, 5), Fraction(10, 3)), (Fraction(1, 2), 2), (Fraction(1, 6), 5)):
        found = ROUNDED.kappa_predicted(delta)
        true = mpmath.log(mpmath.mpf(Fraction(factor).numerator) / Fraction(factor).denominator)
        assert found.direction is Direction.AT_MOST
        assert true <= mpmath.mpf(float(found)) <= true * (1 + mpmath.mpf(10) ** -12)
    assert float(ROUNDED.kappa()) == float(ROUNDED.kappa_predicted(0))
    assert Fraction(2, 5) <= Fraction(float(ROUNDED.brier_predicted(0))) <= Fraction(2, 5) + Fraction(1, 10**15)


@pytest.mark.parametrize("seed", range(10))
def test_gains_are_those_of_every_dataset(seed):
    random = np.random.default_rng(seed)
    weights = [int(each) for each in random.integers(1, 9, size=8)]
    prior = {each: Fraction(weight, sum(weights)) for each, weight in enumerate(weights)}
    codes = [int(each) for each in random.integers(0, 3, size=8)]
    found = Persuaded(prior, lambda each: codes[each])
    gains = {}
    for each, chance in prior.items():
        fibre = [other for other in prior if codes[other] == codes[each]]
        after = prior[each] / sum(prior[other] for other in fibre)
        assert found.factors[codes[each]] == after / chance
        before = sum((prior[o] - (o == each)) ** 2 for o in prior)
        later = sum((prior[o] / sum(prior[p] for p in fibre) - (o == each)) ** 2 for o in fibre)
        assert found.brier_gain(each) == before - later
        gains[each] = after / chance
    for delta in (Fraction(0), Fraction(1, 10), Fraction(1, 2)):
        beyond = [k for k in sorted(gains.values()) if sum(prior[e] for e in prior if gains[e] > k) <= delta]
        assert float(found.kappa_predicted(delta)) == pytest.approx(math.log(beyond[0]), abs=1e-12)


def test_the_school_of_persuasion_has_the_same_kappa_for_one_prior():
    table = Table([[1, 0], [1, 0], [0, 1]])
    school = smallest_kappa(table, priors=TheseBeliefs(FiniteBelief([0.5, 0.25, 0.25])))
    own = Persuaded({0: Fraction(1, 2), 1: Fraction(1, 4), 2: Fraction(1, 4)}, lambda each: each < 2)
    assert float(own.kappa()) == pytest.approx(float(school.value), rel=1e-12)


def test_a_release_that_says_nothing_gains_nothing():
    assert float(Persuaded(EVEN, dict.fromkeys(EVEN, "nothing").__getitem__).kappa()) == 0.0


def test_a_prior_that_does_not_add_up_is_refused():
    with pytest.raises(InvalidInput, match="prior must be probabilities that add up to 1; got 1/2"):
        Persuaded({0: Fraction(1, 2)}, lambda value: value)
