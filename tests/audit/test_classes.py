"""Bounds over classes of priors: cases by hand, and priors drawn from the class, which never beat them."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import pytest

from whit.audit import odds_factor_within, posterior_contaminated, posterior_within, ratio_within
from whit.errors import InvalidInput, NotImplied
from whit.theory import Direction

PRIOR, IF_TRUE, OTHERWISE = Fraction(1, 10), Fraction(1), Fraction(1, 4)
BASE = Fraction(4, 13)


def is_just_above(found, exact):
    """The value is the smallest double that is not below the exact number."""
    assert found.direction is Direction.AT_MOST
    return math.nextafter(float(found), -math.inf) < exact <= Fraction(float(found))


@pytest.mark.parametrize(
    ("factor", "posterior", "ratio", "odds"),
    [
        (1, Fraction(4, 13), Fraction(40, 13), 4),
        (2, Fraction(8, 17), Fraction(67, 13), 7),
        (4, Fraction(16, 25), Fraction(121, 13), 13),
    ],
)
def test_a_class_by_hand(factor, posterior, ratio, odds):
    assert is_just_above(posterior_within(BASE, factor), posterior)
    assert is_just_above(ratio_within(PRIOR, IF_TRUE, OTHERWISE, factor), ratio)
    assert is_just_above(odds_factor_within(IF_TRUE, OTHERWISE, factor), odds)


@pytest.mark.parametrize(
    ("share", "most"), [(Fraction(1, 100), Fraction(436, 1327)), (Fraction(1, 10), Fraction(76, 157))]
)
def test_a_contaminated_prior_by_hand(share, most):
    both, outcome = PRIOR * IF_TRUE, PRIOR * IF_TRUE + (1 - PRIOR) * OTHERWISE
    assert is_just_above(posterior_contaminated(both, outcome, share), most)


@pytest.mark.parametrize("seed", range(40))
def test_no_prior_of_the_class_goes_beyond_its_bounds_and_some_attain_them(seed):
    pick = random.Random(seed)
    p, a, b = (Fraction(pick.randint(1, 99), 100) for _ in range(3))
    factor = Fraction(pick.randint(10, 60), 10)
    blocks = [p * a, p * (1 - a), (1 - p) * b, (1 - p) * (1 - b)]
    steps = [1 + (factor - 1) * Fraction(step, 8) for step in range(9)]
    best = {"posterior": Fraction(0), "ratio": Fraction(0), "odds": Fraction(0)}
    for times in itertools.product(steps, repeat=4):
        u, m, w, s = (mass * each for mass, each in zip(blocks, times, strict=True))
        best["posterior"] = max(best["posterior"], u / (u + w))
        best["ratio"] = max(best["ratio"], u / (u + w) * (u + m + w + s) / (u + m))
        best["odds"] = max(best["odds"], u / w * (w + s) / (u + m))
    base = blocks[0] / (blocks[0] + blocks[2])
    assert is_just_above(posterior_within(base, factor), best["posterior"])
    assert is_just_above(odds_factor_within(a, b, factor), best["odds"])
    ratio = Fraction(float(ratio_within(p, a, b, factor)))
    assert best["ratio"] <= ratio <= best["ratio"] * Fraction(101, 100)  # a grid of 9 steps may miss the top by so much


def test_the_top_of_the_ratio_lies_inside_for_some():
    """Neither end of the range of the free mass is best, and the closed form is reached nearby."""
    p, a, b, factor = Fraction(1, 2), Fraction(1, 2), Fraction(1, 2), Fraction(9)
    m, w, s = p * (1 - a), (1 - p) * b, factor * (1 - p) * (1 - b)

    def ratio(u):
        return u * (u + m + w + s) / ((u + w) * (u + m))

    inside = max(ratio(p * a * (1 + (factor - 1) * Fraction(step, 5000))) for step in range(5001))
    bound = Fraction(float(ratio_within(p, a, b, factor)))
    assert max(ratio(p * a), ratio(factor * p * a)) < inside
    assert inside <= bound <= inside * (1 + Fraction(1, 10**6))


def test_nothing_bounds_the_factor_if_no_dataset_without_the_fact_fits():
    assert float(odds_factor_within(1, 0, 2)) == math.inf
    assert float(posterior_within(1, 5)) == 1.0


@pytest.mark.parametrize(
    "found", [lambda c: posterior_within(BASE, c), lambda c: ratio_within(PRIOR, 0.5, OTHERWISE, c)]
)
def test_a_wider_class_never_has_a_smaller_bound(found):
    bounds = [float(found(Fraction(c, 4))) for c in range(4, 60)]
    assert bounds == sorted(bounds)
    assert bounds[0] < bounds[-1]


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda: posterior_within(0.5, 0.5), InvalidInput, "factor must be 1 or more"),
        (lambda: posterior_within(1.5, 2), InvalidInput, "base must be a probability"),
        (lambda: posterior_contaminated(0.5, 0.4, 0.1), InvalidInput, "at most the probability of the outcome"),
        (lambda: posterior_contaminated(0, 0, 0), NotImplied, "probability 0"),
        (lambda: odds_factor_within(0, 0, 2), NotImplied, "probability 0"),
        (lambda: ratio_within(0.1, 0, 0.5, 2), NotImplied, "probability 0"),
    ],
)
def test_wrong_questions_are_refused_in_a_sentence(ask, error, words):
    with pytest.raises(error, match=words):
        ask()
