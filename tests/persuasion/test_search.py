"""The worst prior of a class is bounded on the right side."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from whit.persuasion import (
    AnyBelief,
    Brier,
    CustomScore,
    DawidSebastiani,
    FiniteBelief,
    IntervalScore,
    LogProbability,
    NeighbouringBeliefs,
    PrivacyFunction,
    RankedProbability,
    Spherical,
    Table,
    TheseBeliefs,
    gain_law,
    smallest_delta,
    smallest_kappa,
)
from whit.theory import Direction, Finding

RANDOM = np.random.default_rng(2)
TABLE = Table(RANDOM.dirichlet(np.ones(3), size=2).tolist(), [(0, 1)])
PROPER = [Brier(), Spherical(), RankedProbability(), IntervalScore(0.5), PrivacyFunction([[0, 3], [2, 0], [1, 1]])]


@pytest.mark.parametrize("score", PROPER, ids=lambda score: score.name)
@pytest.mark.parametrize("delta", [0.0, 0.3])
def test_no_weight_on_two_neighbours_beats_the_bounds(score, delta):
    found = smallest_kappa(TABLE, delta, scores=score).value
    assert found.direction is Direction.EXACTLY
    seen = 0.0
    for weight in [Fraction(place, 200) for place in range(1, 200)]:
        for truth in (0, 1):
            law = gain_law(TABLE, FiniteBelief.two_points(truth, 1 - truth, weight, size=2), truth, score=score)
            seen = max(seen, float(law.quantile(delta).lower))
    assert seen <= float(found.upper)
    assert float(found.lower) >= seen * (1 - 1e-3)  # a grid of 200 misses the worst weight by about 1/400
    assert float(found.upper) <= float(found.lower) * (1 + 1e-2) + 1e-9


@pytest.mark.parametrize("score", PROPER[:3], ids=lambda score: score.name)
def test_the_probability_beyond_a_limit_is_bounded_likewise(score):
    found = smallest_delta(TABLE, 0.1, scores=score).value
    assert found.direction is Direction.EXACTLY
    for weight in [Fraction(place, 100) for place in range(1, 100)]:
        for truth in (0, 1):
            law = gain_law(TABLE, FiniteBelief.two_points(truth, 1 - truth, weight, size=2), truth, score=score)
            assert law.beyond(0.1) <= Fraction(float(found.upper))


def test_a_score_without_bound_is_not_given_one():
    found = smallest_kappa(TABLE, scores=DawidSebastiani()).value
    assert float(found.upper) == math.inf
    assert float(found.lower) > 1e10


def test_a_score_that_is_not_known_to_be_proper_gets_a_lower_bound_only():
    linear = CustomScore(lambda belief, truth: -belief.weights[truth])
    found = smallest_kappa(TABLE, scores=linear).value
    assert isinstance(found, Finding)
    assert found.direction is Direction.AT_LEAST


def test_any_belief_by_the_log_score_is_exact_at_delta_zero():
    table = Table(RANDOM.dirichlet(np.ones(4), size=3).tolist())
    rows = np.array([[float(p) for p in row] for row in table.rows])
    most = np.log(rows[:, None, :] / rows[None, :, :]).max()
    found = smallest_kappa(table, priors=AnyBelief())
    assert float(found.value.lower) == pytest.approx(most, rel=1e-12)
    assert float(found.value.upper) == pytest.approx(most, rel=1e-12)


def test_mixtures_are_found_where_two_points_are_not_the_worst():
    x, y, z = [Fraction(1, 3)] * 3, [Fraction(1, 20), Fraction(7, 20), Fraction(3, 5)], None
    z = [y[1], y[0], y[2]]
    table = Table([x, y, z], [(0, 1), (0, 2), (1, 2)])
    kappa = math.log(1.5)
    assert float(smallest_delta(table, kappa, priors=NeighbouringBeliefs()).value.upper) < 0.66
    found = smallest_delta(table, kappa, priors=AnyBelief())
    assert float(found.value.lower) > 0.66
    assert found.worst.dataset == 0


def test_other_scores_of_any_belief_get_a_lower_bound():
    found = smallest_kappa(TABLE, priors=AnyBelief(), scores=Brier())
    upper = smallest_kappa(TABLE, scores=Brier()).value.upper
    assert found.value.direction is Direction.AT_LEAST
    assert float(found.value) <= float(upper)
    assert float(found.value) >= 0.95 * float(upper)


def test_a_list_of_beliefs_is_exact_and_names_the_worst():
    weak, strong = FiniteBelief([0.9, 0.1]), FiniteBelief([0.001, 0.999])
    found = smallest_kappa(TABLE, priors=TheseBeliefs(weak, strong), scores=LogProbability())
    alone = [smallest_kappa(TABLE, priors=belief) for belief in (weak, strong)]
    assert float(found.value) == max(float(each.value) for each in alone)
    assert found.worst.prior == max(zip(alone, (weak, strong), strict=True), key=lambda pair: float(pair[0].value))[1]
