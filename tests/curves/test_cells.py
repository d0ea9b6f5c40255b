"""Cells against closed forms: the truth lies between merged and split, and closer the finer the cells."""

from __future__ import annotations

import itertools

import mpmath
import numpy as np
import pytest
import referee
from hypothesis import given
from hypothesis import strategies as st
from pairs import Vectors, finite_pairs

from whit.curves import CellLoss, FinitePair, GaussianLoss
from whit.errors import InvalidInput


def laplace_cells(epsilon: float, cells: int) -> CellLoss:
    """The pair Laplace(0, 1/epsilon) against Laplace(1, 1/epsilon): two half-lines of constant loss, and between."""
    edges = np.linspace(0.0, 1.0, cells + 1)
    p = np.concatenate([[0.5], np.exp(-epsilon * edges[:-1]) * -np.expm1(-epsilon / cells) / 2, [np.exp(-epsilon) / 2]])
    losses = epsilon * (1 - 2 * edges)
    return CellLoss(
        p,
        p[::-1],
        np.concatenate([[epsilon], losses[1:], [-epsilon]]),
        np.concatenate([[epsilon], losses[:-1], [-epsilon]]),
    )


def laplace_delta(epsilon: float, t: float) -> float:
    """Known in closed form: 1 - e^{(t - epsilon)/2} for |t| <= epsilon."""
    return max(0.0, -np.expm1((t - epsilon) / 2))


@given(st.floats(0.05, 5.0), st.floats(0.0, 1.0), st.integers(1, 200))
def test_the_laplace_profile_lies_between(epsilon: float, share: float, cells: int) -> None:
    t = share * epsilon
    bracket = laplace_cells(epsilon, cells).log_delta(t).exp()
    assert bracket.lower <= laplace_delta(epsilon, t) + 1e-15
    assert laplace_delta(epsilon, t) <= bracket.upper


@given(st.floats(0.05, 5.0), st.floats(-1.0, 1.0), st.integers(1, 200))
def test_the_laplace_tail_lies_between(epsilon: float, share: float, cells: int) -> None:
    t = share * epsilon * 0.999
    bracket = laplace_cells(epsilon, cells).log_tail(t).exp()
    truth = 1 - np.exp((t - epsilon) / 2) / 2  # one half at the top, and the integral of e^{(z - epsilon)/2}/4 below
    assert bracket.lower <= truth * (1 + 1e-14)
    assert truth * (1 - 1e-14) <= bracket.upper


def test_finer_cells_tighten_both_sides() -> None:
    widths = []
    for cells in (4, 16, 64, 256):
        bracket = laplace_cells(1.0, cells).log_delta(0.3)
        widths.append(float(bracket.upper - bracket.lower))
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < 1e-3 * widths[0]


def gaussian_cells(mu: float, width: float) -> CellLoss:
    """N(0, 1) against N(mu, 1) on cells of one width, their probabilities from 50 digits."""
    edges = np.concatenate([[-np.inf], np.arange(-9.0, 9.0 + mu, width), [np.inf]])

    def masses(shift: float) -> list[float]:
        cdf = [mpmath.ncdf(mpmath.mpf(float(x)) - shift) if np.isfinite(x) else mpmath.mpf(int(x > 0)) for x in edges]
        return [float(right - left) for left, right in itertools.pairwise(cdf)]

    losses = mu * mu / 2 - mu * edges
    return CellLoss(masses(0.0), masses(mu), losses[1:], losses[:-1])


@pytest.mark.parametrize("mu", [0.5, 1.0, 2.0])
def test_the_gaussian_lies_between_its_cells(mu: float) -> None:
    cells, truth = gaussian_cells(mu, 0.05), GaussianLoss(mu)
    epsilons = np.linspace(-3, 3, 25)
    for ask in ("log_delta", "log_tail", "log_tail_closed"):
        bracket, exact = getattr(cells, ask)(epsilons), getattr(truth, ask)(epsilons)
        assert np.all(bracket.lower <= exact.upper)
        assert np.all(exact.lower <= bracket.upper)
    levels = np.log([1e-4, 0.05, 0.5])
    assert np.all(cells.log_power(levels).lower <= truth.log_power(levels).upper)
    assert np.all(truth.log_power(levels).lower <= cells.log_power(levels).upper)
    narrow = cells.log_delta(epsilons).exp()
    assert np.max(narrow.upper - narrow.lower) < 5e-4


@given(finite_pairs(), st.floats(-10, 10).map(lambda epsilon: round(epsilon, 12)))
def test_cells_without_width_are_atoms(vectors: Vectors, epsilon: float) -> None:
    p, q = vectors
    used = p + q > 0
    p, q = p[used], q[used]
    with np.errstate(divide="ignore"):
        losses = np.log(p) - np.log(q)
    cells = CellLoss(p, q, losses, losses)
    truth = referee.delta(list(p), list(q), epsilon)
    bracket = cells.log_delta(epsilon).exp()
    assert bracket.lower <= float(truth) * (1 + 1e-14)
    assert float(truth) * (1 - 1e-14) <= bracket.upper <= float(truth) + 1e-11
    assert cells.log_infinity == FinitePair.of(p, q).log_infinity


def test_the_reverse_exchanges_probabilities_and_signs() -> None:
    cells = laplace_cells(1.0, 10)
    back = cells.reverse()
    np.testing.assert_array_equal(back.p, cells.q)
    np.testing.assert_array_equal(back.least, -cells.greatest)


def test_cells_that_contradict_themselves_are_refused() -> None:
    with pytest.raises(
        InvalidInput, match=r"the range of losses of a cell must hold log\(p/q\) of the cell; got cell 0"
    ):
        CellLoss([0.5, 0.5], [0.25, 0.75], [0.0, -1.0], [0.1, 0.0])
    with pytest.raises(InvalidInput, match=r"must be four lists of equal length"):
        CellLoss([0.5, 0.5], [0.25, 0.75], [0.0], [0.1, 0.0])
