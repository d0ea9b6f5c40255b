"""The relative score and its law agree with enumeration."""

from __future__ import annotations

import math

import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.persuasion import Brier, FiniteBelief, SampledBelief, Table, gain_law, relative_score
from whit.theory import Direction

ROWS = np.array([[0.7, 0.2, 0.1], [0.3, 0.3, 0.4], [0.1, 0.0, 0.9]])
TABLE = Table(ROWS.tolist(), [(0, 1), (1, 2)])
PRIOR = np.array([0.2, 0.3, 0.5])
BELIEF = FiniteBelief(PRIOR.tolist())


def brier(p: np.ndarray, truth: int) -> float:
    return float(np.sum((p - np.eye(3)[truth]) ** 2))


@pytest.mark.parametrize("truth", range(3))
def test_the_law_is_what_enumeration_gives(truth):
    posteriors = (PRIOR[:, None] * ROWS) / (PRIOR @ ROWS)
    law = gain_law(TABLE, BELIEF, truth, score=Brier())
    for outcome, gain in zip(law.outcomes, law.gains, strict=True):
        expected = brier(PRIOR, truth) - brier(posteriors[:, outcome], truth)
        assert gain.bracket()[0] == pytest.approx(expected, abs=1e-14)
    gains = np.array([gain.bracket()[0] for gain in law.gains])
    chances = ROWS[truth][list(law.outcomes)]
    for kappa in (0.0, 0.1, 0.3):
        assert float(law.excess(kappa)) == pytest.approx(chances[gains > kappa].sum(), abs=1e-14)
    assert float(law.average()) == pytest.approx(gains @ chances, abs=1e-13)


def test_the_log_gain_is_the_log_of_posterior_over_prior():
    found = relative_score(TABLE, BELIEF, 0, 0)
    posterior = 0.2 * 0.7 / (PRIOR @ ROWS[:, 0])
    assert float(found) == pytest.approx(math.log(posterior / 0.2), rel=1e-13)


def test_a_quantile_is_the_smallest_limit_that_is_exceeded_rarely_enough():
    law = gain_law(TABLE, BELIEF, 0)
    for delta in (0.0, 0.05, 0.1, 0.35, 0.8):
        kappa = float(law.quantile(delta).upper)
        assert float(law.excess(kappa).lower) <= delta
        if kappa > 1e-6:
            assert float(law.excess(kappa * (1 - 1e-9)).upper) > delta


def test_a_belief_that_excludes_the_truth_gains_nothing_by_the_log_score():
    law = gain_law(TABLE, FiniteBelief([0.0, 0.5, 0.5]), 0)
    assert float(law.quantile(0.0)) == 0.0


def test_what_rests_on_draws_is_an_estimate():
    belief = SampledBelief.of_draws([0, 1, 1, 2], 3)
    assert gain_law(TABLE, belief, 0).excess(0.1).direction is Direction.ABOUT


def test_what_is_no_score_is_refused():
    with pytest.raises(InvalidInput, match="score must be a score of beliefs"):
        gain_law(TABLE, BELIEF, 0, score="log")
    with pytest.raises(InvalidInput, match="delta must be a probability"):
        gain_law(TABLE, BELIEF, 0).quantile(2.0)


def test_an_outcome_that_settles_the_matter_has_an_infinite_average_gain():
    zero = Table([[1, 0], [0, 1]], [(0, 1)])
    assert float(gain_law(zero, FiniteBelief([0.5, 0.5]), 0).average()) == pytest.approx(math.log(2))


@pytest.mark.parametrize(
    ("outcome", "dataset", "message"),
    [(1, 2, "outcome must be one that can occur"), (0, 7, "dataset must be a whole number")],
)
def test_what_cannot_happen_is_refused(outcome, dataset, message):
    with pytest.raises(InvalidInput, match=message):
        relative_score(TABLE, BELIEF, outcome, dataset)
