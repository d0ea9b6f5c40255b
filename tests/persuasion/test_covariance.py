"""Each structure is the matrix that it stands for."""

from __future__ import annotations

import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.persuasion import Blocks, Covariance, Factors, Full, Independent, LinearMap

RANDOM = np.random.default_rng(6)
N = 7
LOADINGS = RANDOM.normal(size=(N, 2))
OWN = RANDOM.uniform(0.5, 2.0, N)
HOUSEHOLDS = [
    [[2.0, -1.0], [-1.0, 3.0]],
    [[1.0]],
    [[4.0, 1.0, 1.0, 0.0], [1.0, 4.0, 0.5, 0.0], [1.0, 0.5, 3.0, -1.0], [0.0, 0.0, -1.0, 2.0]],
]


def block_matrix() -> np.ndarray:
    matrix, start = np.zeros((N, N)), 0
    for block in HOUSEHOLDS:
        matrix[start : start + len(block), start : start + len(block)] = block
        start += len(block)
    return matrix


CASES = [
    (Independent(OWN), np.diag(OWN)),
    (Factors(OWN, LOADINGS), np.diag(OWN) + LOADINGS @ LOADINGS.T),
    (Factors(OWN, LOADINGS[:, 0]), np.diag(OWN) + np.outer(LOADINGS[:, 0], LOADINGS[:, 0])),
    (Blocks(HOUSEHOLDS), block_matrix()),
    (Full(block_matrix()), block_matrix()),
]


@pytest.mark.parametrize(("structure", "matrix"), CASES)
def test_a_structure_is_its_matrix(structure: Covariance, matrix):
    a = RANDOM.normal(size=(3, N))
    rows = structure.against(LinearMap(a))
    for part in (slice(0, N), slice(1, 4), slice(5, N), slice(2, 3)):
        assert np.allclose(rows(part), (matrix @ a.T)[part], rtol=1e-13)
    assert np.allclose(structure.variances, np.diag(matrix), rtol=1e-14)


@pytest.mark.parametrize(("structure", "matrix"), CASES)
def test_absolute_values_bound_what_rounding_can_do(structure: Covariance, matrix):
    a = RANDOM.normal(size=(3, N))
    bound = structure.against(LinearMap(a), absolute=True)(slice(0, N))
    assert np.all(bound >= np.abs(matrix) @ np.abs(a.T) * (1 - 1e-12))


@pytest.mark.parametrize(
    "build",
    [
        lambda: Independent([1.0, 0.0]),
        lambda: Independent([1.0, -1.0]),
        lambda: Factors([0.0, 1.0], [1.0, 1.0]),
        lambda: Full([[1.0, 1.0], [1.0, 1.0]]),
        lambda: Full([[1.0, 2.0], [2.0, 1.0]]),
        lambda: Full([[0.0, 0.0], [0.0, 1.0]]),
        lambda: Blocks([[[1.0]], [[1.0, 1.0], [1.0, 1.0]]]),
    ],
)
def test_a_singular_prior_is_refused_with_a_sentence(build):
    with pytest.raises(InvalidInput, match="for a prior that is not singular.*uncertainty of its own"):
        build()


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Full([[1.0, 0.5], [0.4, 1.0]]), "covariance must be a symmetric matrix"),
        (lambda: Full([[1.0, 0.5]]), "covariance must be a symmetric matrix"),
        (lambda: Factors([1.0, 1.0], [[1.0]]), "loadings must be a table of finite numbers with 2 rows"),
        (lambda: Blocks([]), "blocks must be at least one"),
        (lambda: Blocks(3), "blocks must be at least one"),
        (lambda: Independent([]), "variances must be a list"),
    ],
)
def test_what_is_no_covariance_is_refused(build, message):
    with pytest.raises(InvalidInput, match=message):
        build()
