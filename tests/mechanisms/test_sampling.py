"""Published samples, against all samples of a small population."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import mpmath
import numpy as np
import pytest
import referee

from whit.errors import InvalidInput
from whit.mechanisms import SimpleRandomSample
from whit.setting import Neighbours


def samples(records: list[str], size: int) -> dict[tuple[str, ...], float]:
    return {drawn: float(Fraction(1, comb(len(records), size))) for drawn in combinations(records, size)}


def vectors(first: list[str], second: list[str], size: int) -> tuple[list[float], list[float]]:
    p, q = samples(first, size), samples(second, size)
    outcomes = sorted(set(p) | set(q))
    return [p.get(o, 0.0) for o in outcomes], [q.get(o, 0.0) for o in outcomes]


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("t", [-1.0, 0.0, 0.1, 2.0])
def test_the_loss_is_that_of_all_samples(size: int, t: float) -> None:
    mechanism = SimpleRandomSample(size, 4)
    removed = vectors(["a", "b", "c", "d"], ["b", "c", "d"], size)
    replaced = vectors(["a", "b", "c", "d"], ["b", "c", "d", "e"], size)
    for relation, (p, q) in ((Neighbours.ADD_REMOVE, removed), (Neighbours.REPLACE, replaced)):
        loss = mechanism.loss(relation)
        assert float(np.exp(loss.log_delta(t).mid)) == pytest.approx(float(referee.delta(p, q, t)), abs=1e-14)
        assert float(np.exp(loss.reverse().log_delta(t).mid)) == pytest.approx(float(referee.delta(q, p, t)), abs=1e-14)
        assert float(np.exp(loss.log_infinity)) == pytest.approx(size / 4, rel=1e-14)
        assert float(np.exp(loss.log_tail(t).mid)) == pytest.approx(float(referee.tail(p, q, t)), abs=1e-14)


def test_no_epsilon_is_enough_below_the_sampling_rate() -> None:
    mechanism = SimpleRandomSample(size=10, population=1000)
    assert float(mechanism.epsilon(0.0099).upper) == np.inf
    assert float(mechanism.epsilon(0.0101).upper) < 0.02


@pytest.mark.parametrize(("size", "population"), [(1, 10**15), (999_999, 10**6), (10**15 - 1, 10**15)])
def test_rare_and_common_draws_keep_their_digits(size: int, population: int) -> None:
    loss = SimpleRandomSample(size, population).loss(Neighbours.ADD_REMOVE)
    rest = mpmath.log(mpmath.mpf(population - size) / population)
    assert float(abs(loss.losses[0] / rest - 1)) < 1e-15
    bracket = loss.reverse().log_delta(float(-rest / 2))
    truth = mpmath.log(-mpmath.expm1(rest - rest / 2))
    assert float(bracket.lower) - 1e-15 <= float(truth) <= float(bracket.upper) + 1e-15


def test_a_census_hides_nobody() -> None:
    assert float(SimpleRandomSample(5, 5).delta(100.0).lower) > 1 - 1e-14


def test_a_sample_has_each_record_once() -> None:
    drawn = SimpleRandomSample(3, 7).sample(np.random.default_rng(5), 200)
    assert drawn.shape == (200, 3)
    assert all(len(set(row)) == 3 for row in drawn.tolist())
    assert set(drawn.ravel().tolist()) == set(range(7))


@pytest.mark.parametrize(
    ("size", "population", "message"),
    [
        (0, 5, "size must be a whole number of at least 1; got 0. Give the number"),
        (6, 5, "size must be at most the population, 5; got 6. Give the number"),
        (1, 2.5, "population must be a whole number of at least 1; got 2.5. Give the number"),
    ],
)
def test_what_is_no_sample_is_refused(size: int, population: int, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        SimpleRandomSample(size, population)
