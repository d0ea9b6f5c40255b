"""Gaussian beliefs after a release: against conditioning to 50 digits, and against linear releases."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from whit.errors import InvalidInput, TooCostly
from whit.persuasion import (
    Blocks,
    Factors,
    Full,
    GaussianBelief,
    Independent,
    Remaining,
    Together,
    Totals,
    linear_release,
)

RANDOM = np.random.default_rng(53)


def random_covariance(n):
    root = RANDOM.normal(size=(n, n))
    s = root @ root.T + 0.2 * np.eye(n)
    return (s + s.T) / 2


def conditioned(a, s, w, mean, t):
    """Posterior mean and covariance to 50 digits, where V is regular."""
    a, s, w = (mpmath.matrix(np.atleast_2d(each).tolist()) for each in (a, s, w))
    mean, t = mpmath.matrix(list(mean)), mpmath.matrix(list(t))
    c = s * a.T
    inverse = (a * c + w) ** -1
    after, left = mean + c * inverse * (t - a * mean), s - c * inverse * c.T
    shown = np.array([[float(left[i, j]) for j in range(s.cols)] for i in range(s.rows)])
    return np.array([float(each) for each in after]), shown


def dense(covariance, n):
    if isinstance(covariance, Independent):
        return np.diag(covariance.diagonal)
    if isinstance(covariance, Factors):
        return np.diag(covariance.diagonal) + covariance.loadings @ covariance.loadings.T
    if isinstance(covariance, Blocks):
        matrix = np.zeros((n, n))
        for start, block in zip(covariance.starts, covariance.blocks, strict=False):
            matrix[start : start + len(block), start : start + len(block)] = block
        return matrix
    return covariance.matrix


PRIORS = [
    Independent([0.5, 1.0, 2.0, 3.0, 0.1, 7.0]),
    Factors(np.full(6, 0.4), [[1.0, 0.2], [0.5, -1.0], [0.1, 0.0], [0.0, 2.0], [1.0, 1.0], [-1.0, 0.3]]),
    Blocks([random_covariance(2), random_covariance(1), random_covariance(3)]),
    Full(random_covariance(6)),
]
NOISES = [0.0, 0.7, [0.0, 0.3, 2.0], [[2.0, 0.5, 0.0], [0.5, 1.0, 0.1], [0.0, 0.1, 0.4]]]


@pytest.mark.parametrize("prior", PRIORS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("noise", NOISES, ids=["none", "one", "mixed", "matrix"])
def test_the_posterior_is_that_of_conditioning_to_fifty_digits(prior, noise):
    a, mean, t = RANDOM.normal(size=(3, 6)), RANDOM.normal(size=6), 3 * RANDOM.normal(size=3)
    w = np.diag(np.broadcast_to(noise, 3)) if np.ndim(noise) < 2 else np.array(noise)
    after, left = conditioned(a, dense(prior, 6), w, mean, t)
    found = GaussianBelief(mean, prior).after(a, t, noise=noise)
    assert isinstance(found.covariance, Full if noise in (0.7, NOISES[3]) else Remaining)
    assert found.mean == pytest.approx(after, rel=1e-9, abs=1e-9)
    assert found.covariance.matrix == pytest.approx(left, rel=1e-9, abs=1e-9)
    assert found.deviations == pytest.approx(np.sqrt(np.diag(left)), rel=1e-9)


TABLES = Totals([0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], np.zeros(6, dtype=int))


@pytest.mark.parametrize("prior", PRIORS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("noise", [0.0, 0.5, [0.0, 0.0, 1.0, 1.0, 1.0, 0.0]], ids=["none", "all", "some"])
@pytest.mark.parametrize(
    "statistics", [TABLES, Totals([0, 0, 1, 1, -1, 2], [0, 0, 0, 1, 1, 1])], ids=["margins", "two"]
)
def test_shift_and_shrinkage_are_those_of_the_linear_release(prior, noise, statistics):
    """b_i^2 is read off kappa = b_i^2/R_i^2 - log(1 - R_i^2); some of the tables are singular."""
    if np.ndim(noise) and statistics.number != 6:
        noise = noise[: statistics.number]
    data, mean = RANDOM.normal(size=6), RANDOM.normal(size=6)
    t = statistics.of(data)
    found = GaussianBelief(mean, prior).after(statistics, t, noise=noise)
    release = linear_release(statistics, prior, mean=mean, noise=noise)
    share, kappa = release.explained().value, release.kappa(t).value
    mine = 1.0 - found.covariance.variances / prior.variances
    assert mine == pytest.approx(share, rel=0, abs=1e-9)
    known = share > 1 - 1e-10
    squared = (kappa[~known] + np.log1p(-share[~known])) * share[~known]
    moved = (found.mean - mean) / np.sqrt(prior.variances)
    assert moved[~known] ** 2 == pytest.approx(squared, rel=1e-9, abs=1e-9)
    assert np.all(found.deviations[known] == 0)
    assert found.mean[known] == pytest.approx(data[known], abs=1e-9)


def test_exact_totals_hold_for_sure_afterwards():
    data = RANDOM.normal(size=6)
    found = GaussianBelief(0.0, PRIORS[3]).after(TABLES, TABLES.of(data))
    a = TABLES.weights(slice(0, 6)).T
    assert a @ found.mean == pytest.approx(TABLES.of(data), abs=1e-12)
    assert a @ found.covariance.matrix @ a.T == pytest.approx(np.zeros((6, 6)), abs=1e-12)


@pytest.mark.parametrize("noise", [0.0, 0.5])
def test_one_release_after_another_is_both_together(noise):
    first, second = Totals([0, 0, 0, 1, 1, 1]), Totals([0, 1, 2, 0, 1, 2])
    data, belief = RANDOM.normal(size=6), GaussianBelief(1.0, PRIORS[1])
    one_by_one = belief.after(first, first.of(data), noise=noise).after(second, second.of(data), noise=noise)
    both = Together(first, second)
    at_once = belief.after(both, both.of(data), noise=noise)
    assert one_by_one.mean == pytest.approx(at_once.mean, abs=1e-10)
    assert one_by_one.covariance.matrix == pytest.approx(at_once.covariance.matrix, abs=1e-10)


def test_the_same_exact_totals_again_tell_nothing_new():
    data = RANDOM.normal(size=6)
    once = GaussianBelief(0.0, PRIORS[2]).after(TABLES, TABLES.of(data))
    twice = once.after(TABLES, TABLES.of(data))
    assert twice.mean == pytest.approx(once.mean, abs=1e-12)
    assert twice.covariance.matrix == pytest.approx(once.covariance.matrix, abs=1e-12)


def test_a_little_noise_is_not_lost_to_rounding():
    found = GaussianBelief(0.0, [1.0, 1.0]).after(np.eye(2), [1.0, 2.0], noise=1e-10)
    assert found.deviations == pytest.approx(1e-5 / np.sqrt(1 + 1e-10), rel=1e-9)


def test_a_record_that_is_published_is_known():
    found = GaussianBelief([1.0, 2.0], [3.0, 4.0]).after(np.eye(2)[:1], [5.0])
    assert found.mean.tolist() == [5.0, 2.0]
    assert found.deviations.tolist() == [0.0, 2.0]
    assert "Remaining" in repr(found)
    with pytest.raises(InvalidInput, match="give both releases Together to linear_release"):
        linear_release([[0.0, 1.0]], found.covariance)


def test_a_belief_cannot_be_changed_through_the_array_it_came_from():
    mean = np.zeros(2)
    belief = GaussianBelief(mean, [1.0, 1.0])
    mean[0] = 9.0
    assert belief.mean.tolist() == [0.0, 0.0]


BELIEF = GaussianBelief(0.0, [1.0, 1.0, 1.0])
ROW = [[1.0, 1.0, 0.0]]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: GaussianBelief([1.0, 2.0], [1.0, 1.0, 1.0]), "mean must be a list of 3 finite numbers"),
        (lambda: GaussianBelief([[1.0]], [1.0]), "mean must be a list of 1 finite numbers"),
        (lambda: GaussianBelief(np.nan, [1.0]), "mean must be a number"),
        (lambda: GaussianBelief(np.inf, [1.0]), "mean must be a list of 1 finite numbers"),
        (lambda: GaussianBelief("x", [1.0]), "mean must be a number"),
        (lambda: GaussianBelief(0.0, [1.0, -1.0]), "variances must be a list of finite numbers above 0"),
        (lambda: GaussianBelief(0.0, [[1.0, 2.0], [2.0, 1.0]]), "covariance must be positive definite"),
        (lambda: BELIEF.after([[1.0, 1.0]], [1.0]), "statistics must be about the 3 records"),
        (lambda: BELIEF.after(ROW, [1.0, 2.0]), "outcome must be a list of 1 finite numbers"),
        (lambda: BELIEF.after(ROW, [np.nan]), "outcome must be a number"),
        (lambda: BELIEF.after(ROW, [np.inf]), "outcome must be a list of 1 finite numbers"),
        (lambda: BELIEF.after(ROW, [1.0], noise=-1.0), "noise must have no negative variance"),
        (lambda: BELIEF.after(ROW, [1.0], noise=[1.0, 1.0]), "noise must be 1 variances"),
        (lambda: BELIEF.after(ROW, [1.0], noise=np.nan), "noise must be a number"),
        (lambda: BELIEF.after(ROW * 2, [1.0, 2.0]), "outcome must be one that the belief allows"),
        (lambda: BELIEF.after(ROW, [1.0]).after(ROW, [2.0]), "outcome must be one that the belief allows"),
        (lambda: BELIEF.after([[0.0, 0.0, 0.0]], [1.0]), "outcome must be one that the belief allows"),
        (lambda: BELIEF.after([[1e200, 0.0, 0.0]], [1.0]), "the statistics must have finite variances"),
        (lambda: GaussianBelief(1e300, [1.0]).after([[1e10]], [1.0]), "the statistics must have finite means"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(wrong, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        wrong()


def test_many_records_are_referred_to_the_linear_release():
    with pytest.raises(TooCostly, match="at most 2000 of them; got 2001. Use linear_release"):
        GaussianBelief(0.0, np.ones(2001)).after(Totals(np.zeros(2001, dtype=int)), [1.0])
