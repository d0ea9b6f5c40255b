"""Gaussian noise with a covariance matrix: cells of different precision, and noise that is shared between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, GaussianLoss, LossDistribution, identical
from whit.errors import InvalidInput, TooCostly, require
from whit.mechanisms.gaussian import normal_errors
from whit.mechanisms.mechanism import EXACT_ANSWER, NOISE_DEVIATION, NOISE_ERROR, Mechanism
from whit.mechanisms.rational import quadratic_forms, square_root
from whit.numerics import ULP, probability_array, real_array
from whit.setting import Neighbours
from whit.theory import Basis, Finding

Rows = tuple[tuple[float, ...], ...]

# Elimination in whole numbers takes about the fourth power of this; 40 cells take a second or so.
MOST_CELLS = 40


@dataclass(frozen=True, init=False, repr=False)
class CorrelatedGaussian(Mechanism):
    """Gaussian noise of the given covariance matrix, added to a vector of cells.

    covariance   of the noise: symmetric and positive definite
    add_remove   the changes of the vector that adding one record can make, one row each
    replace      the changes that replacing one record can make

    mu^2 is the largest s' C^{-1} s over the changes s, computed in exact arithmetic.

    >>> two = CorrelatedGaussian([[4.0, 0.0], [0.0, 1.0]], add_remove=[[1, 0], [0, 1]], replace=[[1, -1]])
    >>> two.loss(Neighbours.ADD_REMOVE)
    GaussianLoss(mu=1.0)
    """

    covariance: Rows
    add_remove: Rows
    replace: Rows
    _mu: tuple[float, float]

    def __init__(
        self,
        covariance: Sequence[Sequence[float]] | Array,
        *,
        add_remove: Sequence[Sequence[float]] | Array,
        replace: Sequence[Sequence[float]] | Array,
    ) -> None:
        noise = _square(covariance)
        changes = [
            _changes(name, rows, len(noise)) for name, rows in (("add_remove", add_remove), ("replace", replace))
        ]
        self._keep(covariance=_rows(noise), add_remove=_rows(changes[0]), replace=_rows(changes[1]))
        self._keep(_mu=tuple(_largest(noise, rows) for rows in changes))

    @classmethod
    def of_contributions(
        cls, covariance: Sequence[Sequence[float]] | Array, contributions: Sequence[Sequence[float]] | Array
    ) -> CorrelatedGaussian:
        """Noise on totals: each record adds one of these vectors, and a replacement exchanges one for another."""
        rows = _changes("contributions", contributions, len(_square(covariance)))
        exchanged = [a - b for a, b in permutations(rows, 2)] or [np.zeros(rows.shape[1])]
        return cls(covariance, add_remove=rows, replace=np.array(exchanged))

    @property
    def basis(self) -> Basis:
        """The profile of Gaussian noise, after a change of coordinates."""
        return Basis.of("gaussian-profile", "gaussian-covariance")

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        mu = self._mu[0] if neighbours is Neighbours.ADD_REMOVE else self._mu[1]
        return GaussianLoss(mu) if mu > 0 else identical()

    @property
    def _deviations(self) -> Array:
        return np.sqrt(np.diag(np.array(self.covariance)))

    def standard_deviation(self) -> Finding:
        """The standard deviation of the noise of each cell."""
        return self._about_noise(NOISE_DEVIATION, self._deviations, "gaussian-noise", slack=2 * ULP)

    def error_quantile(self, probability: ArrayLike) -> Finding:
        """The smallest b with P[|noise| <= b] >= probability, for each cell along the last axis."""
        chances = probability_array("probability", probability, "Use a number such as 0.95.")
        errors, slack = normal_errors(chances)
        values, inputs = errors[..., None] * self._deviations, {"probability": chances}
        return self._about_noise(NOISE_ERROR, values, "gaussian-noise", slack=slack + 4 * ULP, inputs=inputs)

    def probability_of_exact_answer(self) -> Finding:
        """Zero: the noise has a density."""
        return self._about_noise(EXACT_ANSWER, 0.0, "gaussian-noise")

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> Array:
        """Vectors of noise for simulation. Not for release: floating-point noise gives the data away."""
        return rng.multivariate_normal(np.zeros(len(self.covariance)), np.array(self.covariance), size=size)

    def __repr__(self) -> str:
        """The expression that rebuilds the mechanism."""
        changes = f"add_remove={self.add_remove!r}, replace={self.replace!r}"
        return f"CorrelatedGaussian({self.covariance!r}, {changes})"


def _square(covariance: object) -> Array:
    way_out = "Give the covariance of the noise of every two cells, such as [[4, 1], [1, 4]]."
    noise = real_array("covariance", covariance, way_out)
    square = noise.ndim == 2 and noise.shape[0] == noise.shape[1] and noise.size > 0
    symmetric = square and bool(np.all(np.isfinite(noise)) and np.array_equal(noise, noise.T))
    rule = "must be a symmetric, positive definite matrix of finite numbers"
    require(symmetric, name="covariance", rule=rule, value=covariance, way_out=way_out)
    if len(noise) > MOST_CELLS:
        way_out = "Split it into blocks whose noise is independent, and compose them."
        raise TooCostly("a covariance matrix", f"must not have more than {MOST_CELLS} cells", len(noise), way_out)
    return noise


def _changes(name: str, rows: object, cells: int) -> Array:
    way_out = "Give one row for each possible change, with one number for each cell."
    changes = real_array(name, rows, way_out)
    good = changes.ndim == 2 and changes.shape[1] == cells and len(changes) > 0 and bool(np.all(np.isfinite(changes)))
    rule = f"must be rows of {cells} finite numbers each, one for each cell of the covariance"
    require(good, name=name, rule=rule, value=rows, way_out=way_out)
    return changes


def _largest(noise: Array, changes: Array) -> float:
    forms, definite = quadratic_forms(noise, list(changes))
    if not definite:
        rule = "must be a symmetric, positive definite matrix of finite numbers"
        way_out = "Give every cell noise of its own, however little."
        raise InvalidInput("covariance", rule, noise.tolist(), way_out)
    largest = max(forms, default=Fraction(0))
    return square_root(largest) if largest > 0 else 0.0


def _rows(table: Array) -> Rows:
    return tuple(tuple(row) for row in table.tolist())
