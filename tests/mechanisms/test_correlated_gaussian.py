"""Gaussian vectors: mu from the covariance in exact arithmetic, and with many cells in doubles."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from whit.curves import FinitePair, GaussianLoss
from whit.errors import InvalidInput, TooCostly
from whit.mechanisms import CorrelatedGaussian, Gaussian, compose
from whit.mechanisms.gaussian import _forms_up, quadratic_forms
from whit.setting import Neighbours
from whit.theory import Direction


def form(covariance: np.ndarray, change: np.ndarray) -> mpmath.mpf:
    """s' C^{-1} s in 50 digits."""
    s = mpmath.matrix([mpmath.mpf(float(x)) for x in change])
    c = mpmath.matrix([[mpmath.mpf(float(x)) for x in row] for row in covariance])
    return (s.T * mpmath.lu_solve(c, s))[0]


@pytest.mark.parametrize("size", [1, 2, 5, 12])
def test_mu_is_the_largest_quadratic_form(size: int) -> None:
    rng = np.random.default_rng(size)
    root = rng.normal(size=(size, size)) * 10.0 ** rng.uniform(-3, 3, size=(size, 1))
    covariance = root @ root.T
    covariance = (covariance + covariance.T) / 2
    adds, replaces = rng.normal(size=(3, size)), rng.normal(size=(2, size))
    mechanism = CorrelatedGaussian(covariance, add_remove=adds, replace=replaces)
    for relation, changes in ((Neighbours.ADD_REMOVE, adds), (Neighbours.REPLACE, replaces)):
        loss = mechanism.loss(relation)
        assert isinstance(loss, GaussianLoss)
        truth = mpmath.sqrt(max(form(covariance, change) for change in changes))
        assert float(abs(loss.mu / truth - 1)) <= 2.0**-53


def test_independent_cells_are_a_composition() -> None:
    vector = CorrelatedGaussian([[9.0, 0.0], [0.0, 16.0]], add_remove=[[1, 1]], replace=[[1, 1]])
    assert vector.loss() == compose(Gaussian(3.0), Gaussian(4.0)).loss()


def test_contributions_are_exchanged_when_a_record_is_replaced() -> None:
    table = CorrelatedGaussian.of_contributions([[1.0, 0.0], [0.0, 1.0]], [[1, 0], [0, 1]])
    assert table.loss(Neighbours.ADD_REMOVE) == GaussianLoss(1.0)
    assert table.loss(Neighbours.REPLACE) == GaussianLoss(2.0**0.5, rounded=True)
    alone = CorrelatedGaussian.of_contributions([[1.0]], [[1]])
    assert isinstance(alone.loss(Neighbours.REPLACE), FinitePair)


def test_shared_noise_hides_a_shared_change_only() -> None:
    covariance = [[1.0, 0.999], [0.999, 1.0]]
    both = CorrelatedGaussian(covariance, add_remove=[[1, 1]], replace=[[1, -1]])
    assert both.loss(Neighbours.ADD_REMOVE).mu == pytest.approx((2 / 1.999) ** 0.5)
    assert both.loss(Neighbours.REPLACE).mu == pytest.approx((2 / 0.001) ** 0.5)


def test_the_error_of_each_cell_is_told() -> None:
    mechanism = CorrelatedGaussian([[4.0, 1.0], [1.0, 9.0]], add_remove=[[1, 0]], replace=[[1, 0]])
    np.testing.assert_allclose(mechanism.standard_deviation().value, [2.0, 3.0])
    one = Gaussian(1.0).error_quantile([0.5, 0.9]).value
    np.testing.assert_allclose(mechanism.error_quantile([0.5, 0.9]).value, np.outer(one, [2.0, 3.0]))
    assert float(mechanism.probability_of_exact_answer()) == 0.0


@pytest.mark.parametrize(
    ("covariance", "add_remove", "message"),
    [
        ([[1.0, 2.0], [2.0, 1.0]], [[1, 0]], "covariance must be a symmetric, positive definite .* Give every cell"),
        ([[1.0, 1.0], [1.0, 1.0]], [[1, 0]], "covariance must be a symmetric, positive definite .* Give every cell"),
        ([[1.0, 0.5], [0.4, 1.0]], [[1, 0]], "covariance must be a symmetric, .*; got .* Give the covariance of"),
        ([[1.0, 0.5]], [[1, 0]], "covariance must be a symmetric, .*; got .* Give the covariance of"),
        ([[1.0]], [[1, 0]], "add_remove must be rows of 1 finite numbers each, .* Give one row"),
        ([[1.0]], [], "add_remove must be rows of 1 finite numbers each, .* Give one row"),
    ],
)
def test_what_is_no_covariance_is_refused(covariance: object, add_remove: object, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        CorrelatedGaussian(covariance, add_remove=add_remove, replace=[[1.0] * len(covariance)])


def test_too_many_cells_are_refused() -> None:
    with pytest.raises(TooCostly, match="a covariance matrix must not have more than 3000 cells; got 3001. Split it"):
        CorrelatedGaussian(np.eye(3001), add_remove=[[1] * 3001], replace=[[1] * 3001])


@pytest.mark.parametrize(("cells", "shared"), [(41, 0.25), (300, 1.0), (300, 64.0)])
def test_many_cells_have_the_mu_of_a_known_inverse_or_a_hair_more(cells: int, shared: float) -> None:
    """The inverse of I + v 1 1' is I - v 1 1' / (1 + n v), so that s' C^-1 s is |s|^2 - v (sum of s)^2 / (1 + n v)."""
    covariance = np.eye(cells) + shared * np.ones((cells, cells))
    whole = np.random.default_rng(8).integers(-5, 6, size=(4, cells))
    truths = [
        Fraction(int(np.sum(s * s))) - Fraction(shared) * int(np.sum(s)) ** 2 / (1 + cells * Fraction(shared))
        for s in whole
    ]
    mechanism = CorrelatedGaussian(covariance, add_remove=whole, replace=whole)
    mu = mechanism.curve().face.mu
    assert max(truths) <= Fraction(mu) ** 2
    assert mu == pytest.approx(math.sqrt(max(truths)), rel=1e-9)
    assert mechanism.curve().direction is Direction.AT_MOST


def test_bounds_in_doubles_are_just_above_those_without_rounding() -> None:
    random = np.random.default_rng(12)
    for size in (2, 9, 25):
        root = random.normal(size=(size, size))
        covariance, changes = root @ root.T + 1e-3 * np.eye(size), random.normal(size=(3, size))
        covariance = (covariance + covariance.T) / 2
        exact, _ = quadratic_forms(covariance, list(changes))
        bounds, definite = _forms_up(covariance, changes)
        assert definite
        assert all(
            truth <= bound <= truth * (1 + Fraction(1, 10**8)) for truth, bound in zip(exact, bounds, strict=True)
        )


def test_many_cells_that_are_not_definite_are_refused() -> None:
    with pytest.raises(InvalidInput, match="positive definite"):
        CorrelatedGaussian(np.ones((50, 50)), add_remove=[[1.0] * 50], replace=[[1.0] * 50])
