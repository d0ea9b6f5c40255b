"""Matrix mechanisms against all sets of steps and random contributions, and by the densities themselves."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest

from whit.errors import InvalidInput, NotImplied, TooCostly
from whit.mechanisms import (
    CorrelatedGaussian,
    Epochs,
    Gaussian,
    MatrixMechanism,
    Once,
    RandomizedResponse,
    Separated,
    ToeplitzMechanism,
    TreeAggregation,
    compose,
)
from whit.setting import Neighbours
from whit.theory import Direction


def sets_of(steps, participation):
    """All sets of steps, by their definition."""
    if isinstance(participation, Once):
        return [(step,) for step in range(steps)]
    if isinstance(participation, Epochs):
        length = steps // participation.number
        return [tuple(range(start, steps, length)) for start in range(length)]
    most = participation.at_most or steps
    return [
        each
        for size in range(1, most + 1)
        for each in combinations(range(steps), size)
        if all(later - earlier >= participation.by for earlier, later in pairwise(each))
    ]


def exact_square(matrix, each):
    """The sum of absolute products of the columns of a set, in fractions."""
    columns = [[Fraction(x) for x in matrix[:, step].tolist()] for step in each]
    return sum(abs(sum(a * b for a, b in zip(x, y, strict=True))) for x in columns for y in columns)


def mu_of(mechanism):
    return mechanism.curve().face.mu


PARTICIPATIONS = [Once(), Epochs(2), Epochs(3), Separated(2), Separated(1, 3), Separated(3, 2), Separated(6)]


@pytest.mark.parametrize("participation", PARTICIPATIONS, ids=repr)
def test_mu_is_that_of_the_worst_set_of_steps(participation):
    random = np.random.default_rng(4)
    for matrix in (np.abs(random.normal(size=(7, 6))), np.tril(random.normal(size=(6, 6))), np.eye(6)):
        square = max(exact_square(matrix, each) for each in sets_of(6, participation))
        found = mu_of(MatrixMechanism(0.5, matrix, participation))
        assert found == pytest.approx(2 * math.sqrt(square), rel=1e-14)


@pytest.mark.parametrize("participation", [Separated(2), Separated(3, 2), Epochs(4)], ids=repr)
def test_no_contributions_of_norm_1_change_more_than_the_bound(participation):
    random = np.random.default_rng(9)
    matrix = np.tril(random.normal(size=(16, 16)))
    mechanism = MatrixMechanism(1.0, matrix, participation)
    worst = 0.0
    for each in sets_of(16, participation)[::3]:
        vectors = random.normal(size=(len(each), 2))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        worst = max(worst, float(np.linalg.norm(matrix[:, list(each)] @ vectors)))
    assert worst <= mu_of(mechanism)
    assert mu_of(mechanism) <= 3 * worst
    assert mechanism.curve().direction is Direction.AT_MOST


@pytest.mark.parametrize("participation", [*PARTICIPATIONS, Separated(2, 2)], ids=repr)
@pytest.mark.parametrize("falls", [True, False])
def test_a_toeplitz_strategy_is_the_matrix_that_it_stands_for(participation, falls):
    random = np.random.default_rng(6)
    column = random.uniform(size=6)
    column = np.sort(column)[::-1] if falls else column
    matrix = np.array([[column[row - step] if row >= step else 0.0 for step in range(6)] for row in range(6)])
    square = max(exact_square(matrix, each) for each in sets_of(6, participation))
    found = mu_of(ToeplitzMechanism(1.0, column, 6, participation))
    assert found == pytest.approx(math.sqrt(square), rel=1e-13)


def test_ten_thousand_steps_have_the_sum_of_squares_of_binomials():
    """The square root of the prefix sums has the coefficients binomial(2m, m)/4^m; here exact, by their recurrence."""
    steps, exact = 10_000, Fraction(1)
    coefficients, total = [1.0], Fraction(1)
    for m in range(1, steps):
        exact = Fraction(coefficients[-1]) * Fraction(2 * m - 1, 2 * m)
        coefficients.append(float(exact))
        total += Fraction(coefficients[-1]) ** 2
    assert mu_of(ToeplitzMechanism(1.0, coefficients, steps)) == pytest.approx(math.sqrt(total), rel=1e-15)
    banded = ToeplitzMechanism(1.0, coefficients[:64], steps, Separated(64, 5))
    assert mu_of(banded) == pytest.approx(math.sqrt(5 * math.fsum(c * c for c in coefficients[:64])), rel=1e-14)
    assert banded.curve().direction is Direction.EXACTLY


def test_one_change_is_that_of_the_covariance_of_what_is_published():
    """C x with independent noise is x with noise of covariance sigma^2 (C'C)^-1, which another mechanism computes."""
    matrix = np.array([[1.0, 0.0, 0.0], [0.5, 1.0, 0.0], [0.25, 0.5, 1.0]])
    inverse = np.array([[1.0, 0.0, 0.0], [-0.5, 1.0, 0.0], [0.0, -0.5, 1.0]])
    noise = 4.0 * inverse @ inverse.T
    known = CorrelatedGaussian(noise, add_remove=np.eye(3), replace=2 * np.eye(3))
    for relation in (Neighbours.ADD_REMOVE, Neighbours.REPLACE):
        assert MatrixMechanism(2.0, matrix).loss(relation).mu == pytest.approx(known.loss(relation).mu, rel=1e-14)


def test_independent_noise_on_every_step_is_as_many_releases():
    steps = MatrixMechanism(3.0, np.eye(8), Separated(1))
    assert steps.epsilon(1e-6).value == Gaussian(3.0).times(8).epsilon(1e-6).value


@pytest.mark.parametrize("steps", [1, 2, 3, 4, 7, 8, 1000, 1600])
def test_a_tree_has_the_nodes_that_hold_its_first_step(steps):
    nodes = sum(1 for level in range(20) if 2**level <= steps)
    assert TreeAggregation(2.0, steps).loss().mu == pytest.approx(math.sqrt(nodes) / 2, rel=1e-15)


def test_a_tree_is_the_matrix_of_its_nodes():
    """All complete nodes of 6 steps, as rows."""
    spans = [(start, size) for size in (1, 2, 4) for start in range(0, 6, size) if start + size <= 6]
    rows = np.array([[1.0 if start <= step < start + size else 0.0 for step in range(6)] for start, size in spans])
    assert mu_of(TreeAggregation(1.5, 6)) == mu_of(MatrixMechanism(1.5, rows))


def test_restarted_trees_count_once_or_add_up():
    once, each = TreeAggregation(1.0, [10, 40, 30]), TreeAggregation(1.0, [10, 40, 30], in_each_tree=True)
    assert once.loss().mu == pytest.approx(math.sqrt(6))
    assert each.loss().mu == pytest.approx(math.sqrt(4 + 6 + 5))


def test_replacing_changes_every_contribution_twice_as_much():
    mechanism = ToeplitzMechanism(1.0, [1.0, 0.5], 100, Epochs(5))
    assert mechanism.loss(Neighbours.REPLACE).mu == pytest.approx(2 * mechanism.loss().mu, rel=1e-15)


def test_what_is_only_bounded_says_at_most_and_has_no_law():
    mechanism = MatrixMechanism(1.0, [[1.0, -1.0], [0.0, 1.0]], Separated(1))
    assert "at most" in str(mechanism.epsilon(1e-6))
    with pytest.raises(NotImplied, match="only bounded"):
        mechanism.loss()


def test_what_does_not_fit_is_refused():
    with pytest.raises(InvalidInput, match="must divide the number of steps"):
        MatrixMechanism(1.0, np.eye(5), Epochs(2))
    with pytest.raises(InvalidInput, match="must be a matrix of numbers"):
        MatrixMechanism(1.0, [[math.inf]])
    with pytest.raises(InvalidInput, match="must be a participation"):
        MatrixMechanism(1.0, np.eye(2), "once")
    with pytest.raises(InvalidInput, match="rounds must be of one tree"):
        TreeAggregation(1.0, [])
    with pytest.raises(TooCostly, match="are not formed for more than"):
        ToeplitzMechanism(1.0, np.ones(5000) * (-1.0) ** np.arange(5000), 5000, Separated(10))


def test_they_compose_with_other_releases():
    """Gaussian releases add up by the squares of their mus, and beside randomized response a bound on beliefs holds."""
    together = compose(TreeAggregation(2.0, 8), Gaussian(1.0), ToeplitzMechanism(1.0, [1.0, 0.5], 10))
    assert together.curve().face.mu == pytest.approx(math.sqrt(4 / 4 + 1 + 1.25), rel=1e-14)
    beside = compose(TreeAggregation(2.0, 8), RandomizedResponse(1.0))
    assert beside.covered()[0].delta(1.0).value == pytest.approx(float(beside.delta(1.0)), rel=1e-6)


def test_columns_of_zeros_tell_nothing():
    assert MatrixMechanism(1.0, [[0.0, 0.0]]).delta(0.0).value == 0.0
