"""What statistics explain lies between the bounds, at high precision, also where V is badly conditioned."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.persuasion import Factors, Full, LinearMap, Totals
from whit.persuasion.solution import noise_matrix, solve

RANDOM = np.random.default_rng(12)


def exact(a: np.ndarray, s: np.ndarray, w: np.ndarray) -> tuple[list[mpmath.mpf], list[mpmath.mpf]]:
    """C V^-1 C' for each record and the share of noise in it, to 50 digits, from the doubles as they are."""
    a, s, w = (mpmath.matrix(each.tolist()) for each in (a, s, w))
    c = s * a.T
    inverse = (a * c + w) ** -1
    x = c * inverse
    explained, noise = x * c.T, x * w * x.T
    places = range(s.rows)
    return [explained[i, i] for i in places], [noise[i, i] / explained[i, i] for i in places]


@pytest.mark.parametrize("noise", [0.0, 1e-3, 10.0])
@pytest.mark.parametrize("scale", [1e-120, 1.0, 1e120])
def test_bounds_hold_what_is_explained(noise, scale):
    for _ in range(6):
        n, k = 6, 3
        a = RANDOM.normal(size=(k, n)) * 10.0 ** RANDOM.integers(-3, 4, size=(k, 1))
        root = RANDOM.normal(size=(n, n))
        s = (root @ root.T + 0.01 * np.eye(n)) * scale
        s = (s + s.T) / 2
        w = noise * scale * np.eye(k)
        found = solve(LinearMap(a), Full(s), w)
        explained, share = exact(a, s, w)
        assert found.regular
        for i in range(n):
            assert found.lower[i] <= explained[i] <= found.upper[i]
            assert found.least_noisy[i] <= share[i] <= found.noisy[i]
        assert np.all(found.upper <= found.lower * (1 + 1e-6))


def test_bounds_hold_for_nearly_dependent_totals():
    # The total of all and the total of all but one: the difference is the record itself, but for little noise.
    n = 40
    a = np.vstack([np.ones(n), np.r_[0.0, np.ones(n - 1)]])
    s, w = np.eye(n), 1e-6 * np.eye(2)
    found = solve(LinearMap(a), Full(s), w)
    explained, _ = exact(a, s, w)
    assert found.regular
    assert all(found.lower[i] <= explained[i] <= found.upper[i] for i in range(n))


def test_dependent_totals_are_estimated_by_the_pseudo_inverse():
    rows, columns = np.repeat(np.arange(3), 4), np.tile(np.arange(4), 3)
    found = solve(Totals(rows, columns), Factors(np.ones(12), np.ones((12, 1))), np.zeros((7, 7)))
    a = np.vstack([rows == i for i in range(3)] + [columns == j for j in range(4)]).astype(float)
    s = np.eye(12) + np.ones((12, 12))
    v = np.linalg.pinv(a @ s @ a.T, rcond=1e-10, hermitian=True)
    assert not found.regular
    assert np.allclose(found.upper, np.diag(s @ a.T @ v @ a @ s), rtol=1e-10)


def test_an_empty_cell_is_left_out():
    found = solve(Totals([0, 0, 2]), Full(np.eye(3)), np.zeros((3, 3)))
    assert found.regular
    assert found.used.tolist() == [True, False, True]
    assert np.allclose(found.upper, [0.5, 0.5, 1.0])


@pytest.mark.parametrize(
    ("noise", "message"),
    [
        (-1.0, "noise must have no negative variance"),
        ([1.0, 2.0, 3.0], "noise must be 2 variances"),
        ([[1.0, 2.0], [2.0, 1.0]], "noise must have no negative variance"),
        ([[1.0, 0.5], [0.4, 1.0]], "noise must be a symmetric 2 x 2 matrix"),
        (np.inf, "noise must be a symmetric 2 x 2 matrix of finite numbers"),
        ("loud", "noise must be a number"),
    ],
)
def test_what_is_no_noise_is_refused(noise, message):
    with pytest.raises(InvalidInput, match=message):
        noise_matrix(noise, 2)


def test_statistics_and_prior_must_be_about_the_same_records():
    with pytest.raises(InvalidInput, match="statistics must be about the 3 records of the prior"):
        solve(LinearMap([[1.0, 1.0]]), Full(np.eye(3)), np.zeros((1, 1)))
    with pytest.raises(InvalidInput, match="statistics must not all be zero"):
        solve(LinearMap([[0.0, 0.0]]), Full(np.eye(2)), np.zeros((1, 1)))
    with pytest.raises(InvalidInput, match="the statistics must have finite variances"):
        solve(LinearMap([[1e200, 1e200]]), Full(np.eye(2)), np.zeros((1, 1)))
