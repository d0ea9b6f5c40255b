"""Gaussian noise: of the same standard deviation in each cell, or with a covariance matrix."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, Curve, GaussianLoss, LossDistribution, Order, identical
from whit.errors import InvalidInput, TooCostly, require
from whit.mechanisms.details import Detail, Written
from whit.mechanisms.mechanism import EXACT_ANSWER, NOISE_DEVIATION, AdditiveNoise, Mechanism, noise_error
from whit.mechanisms.noise import surely_infinite
from whit.numerics import ULP, down, finite_nonnegative, normal, probability_array, real_array
from whit.setting import Neighbours, Parameter
from whit.theory import Basis, Direction, Finding

Rows = tuple[tuple[float, ...], ...]

# Elimination in whole numbers takes about the fourth power of this; 40 cells take a second or so.
MOST_EXACT_CELLS = 40
# In doubles, with room for their rounding.
MOST_CELLS = 3000


@dataclass(frozen=True, repr=False)
class Gaussian(AdditiveNoise):
    """Gaussian noise of standard deviation sigma, added to each cell.

    >>> print(Gaussian(1.0).delta(1.0))
    delta is 0.127 (rounded up)
    """

    parameter: ClassVar[Parameter] = Parameter(
        "sigma",
        "gaussian",
        "SIGMA",
        "Gaussian noise with this standard deviation.",
        rising=False,
        bounded=False,
        # Rounded down: too little noise is on the safe side.
        keeps=(("rho", lambda rho: float(down(1 / math.sqrt(2 * rho), 2))), ("mu", lambda mu: float(down(1 / mu, 2)))),
    )

    sigma: float

    def __post_init__(self) -> None:
        """Refuse a sigma that is negative or no number."""
        super().__post_init__()
        way_out = "It is the standard deviation of the noise, a number such as 10."
        self._keep(sigma=finite_nonnegative("sigma", self.sigma, way_out))

    @property
    def has_noise(self) -> bool:
        """Whether sigma is above 0."""
        return self.sigma > 0

    noise_theorem: ClassVar[str] = "gaussian-noise"
    basis = Basis.of("gaussian-profile")
    """The closed form of the profile."""

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        squares = sum((Fraction(change) ** 2 for change in self.sensitivity.changes(neighbours)), Fraction(0))
        if not squares or not self.has_noise:
            return surely_infinite() if squares else identical()
        return GaussianLoss.of_square(squares / Fraction(self.sigma) ** 2)

    def standard_deviation(self) -> Finding:
        """Sigma."""
        return self._about_noise(NOISE_DEVIATION, self.sigma)

    def _errors(self, chances: Array) -> tuple[Array, float, Direction]:
        errors, slack = _normal_errors(chances)
        return self.sigma * errors, slack, Direction.EXACTLY

    def noise_tail(self, thresholds: ArrayLike) -> Finding:
        """P[noise >= x], by the normal law."""
        x = real_array("thresholds", thresholds, "Use a number such as 1.")
        if not self.has_noise:
            return self._no_tail(x)
        scaled = x / self.sigma
        # The argument is rounded once; beyond z the log of the tail moves by z times as much.
        largest = float(np.max(np.abs(scaled[np.isfinite(scaled)]), initial=0.0))
        slack = normal.TAIL_ERROR + 2 * ULP * (1 + largest * largest)
        return self._about_tail(normal.sf(scaled), x, slack)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> Array:
        """Noise for simulation. Not for release: noise made of floating-point numbers gives the data away."""
        return rng.normal(scale=self.sigma, size=size)


def _normal_errors(chances: Array) -> tuple[Array, float]:
    """The z with P[|N(0, 1)| <= z] = chance, and a bound on the relative error."""
    with np.errstate(divide="ignore"):
        log_half = np.log1p(-chances) - np.log(2.0)
    # Near 0 the log of 1/2 - chance/2 has lost the chance; there z is the density's inverse times the chance.
    small = chances < 1e-4
    near = np.sqrt(np.pi / 2) * chances * (1 + np.pi * chances**2 / 12 * (1 + 7 * np.pi * chances**2 / 40))
    errors = np.where(small, near, -normal.quantile_of_log(np.where(small, np.log(0.25), log_half)))
    return errors, float(normal.QUANTILE_ERROR * (2 + np.max(1 / errors[~small], initial=1.0)))


@dataclass(frozen=True, init=False, repr=False)
class CorrelatedGaussian(Mechanism):
    """Gaussian noise of the given covariance matrix, added to a vector of cells.

    covariance   of the noise: symmetric and positive definite
    add_remove   the changes of the vector that adding one record can make, one row each
    replace      the changes that replacing one record can make

    mu^2 is the largest s' C^{-1} s over the changes s: in exact arithmetic up to 40 cells, else rounded up.

    >>> two = CorrelatedGaussian([[4.0, 0.0], [0.0, 1.0]], add_remove=[[1, 0], [0, 1]], replace=[[1, -1]])
    >>> two.loss(Neighbours.ADD_REMOVE)
    GaussianLoss(mu=1.0)
    """

    details = (
        Detail("covariance", "ROWS", "Gaussian noise with this covariance of the cells.", Written.ROWS, needed=True),
        Detail("add_remove", "ROWS", "The changes that adding one record can make.", Written.ROWS, "added", True),
        Detail("replace", "ROWS", "The changes that replacing one record can make.", Written.ROWS, "replaced", True),
    )

    covariance: Rows
    add_remove: Rows
    replace: Rows
    _squares: tuple[Fraction, Fraction]

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
        self._keep(_squares=tuple(_largest(noise, rows) for rows in changes))

    @property
    def _is_exact(self) -> bool:
        """Whether mu was found without rounding; else it is an upper bound."""
        return len(self.covariance) <= MOST_EXACT_CELLS

    @classmethod
    def of_contributions(
        cls, covariance: Sequence[Sequence[float]] | Array, contributions: Sequence[Sequence[float]] | Array
    ) -> CorrelatedGaussian:
        """Noise on totals: each record adds one of these vectors, and a replacement exchanges one for another."""
        rows = _changes("contributions", contributions, len(_square(covariance)))
        exchanged = [a - b for a, b in permutations(rows, 2)] or [np.zeros(rows.shape[1])]
        return cls(covariance, add_remove=rows, replace=np.array(exchanged))

    noise_theorem: ClassVar[str] = "gaussian-noise"
    basis = Basis.of("gaussian-profile", "gaussian-covariance")
    """The profile of Gaussian noise, after a change of coordinates."""

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        square = self._squares[0] if neighbours is Neighbours.ADD_REMOVE else self._squares[1]
        return GaussianLoss.of_square(square) if square > 0 else identical()

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The curve of the largest mu; with many cells an upper bound, by the rounding of mu."""
        exact = super().curve(neighbours)
        return exact if self._is_exact else replace(exact, direction=Direction.AT_MOST, order=Order.PROFILE)

    @property
    def _deviations(self) -> Array:
        return np.sqrt(np.diag(np.array(self.covariance)))

    def standard_deviation(self) -> Finding:
        """The standard deviation of the noise of each cell."""
        return self._about_noise(NOISE_DEVIATION, self._deviations, slack=2 * ULP)

    def error_quantile(self, probability: ArrayLike) -> Finding:
        """The smallest b with P[|noise| <= b] >= probability, for each cell along the last axis."""
        chances = probability_array("probability", probability, "Use a number such as 0.95.")
        errors, slack = _normal_errors(chances)
        values, inputs = errors[..., None] * self._deviations, {"probability": chances}
        return self._about_noise(noise_error(chances), values, slack=slack + 4 * ULP, inputs=inputs)

    def probability_of_exact_answer(self) -> Finding:
        """Zero: the noise has a density."""
        return self._about_noise(EXACT_ANSWER, 0.0)

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


def _largest(noise: Array, changes: Array) -> Fraction:
    few = len(noise) <= MOST_EXACT_CELLS
    forms, definite = quadratic_forms(noise, list(changes)) if few else _forms_up(noise, changes)
    if not definite:
        rule = "must be a symmetric, positive definite matrix of finite numbers"
        way_out = "Give every cell noise of its own, however little."
        raise InvalidInput("covariance", rule, noise.tolist(), way_out)
    return max(forms, default=Fraction(0))


def _forms_up(matrix: Array, vectors: Array) -> tuple[list[Fraction], bool]:
    """Upper bounds on s' C^{-1} s for each vector s, and whether C is seen to be positive definite (else no bounds).

    For every y, with r = s - C y, it is 2 y's - y'C y + r' C^{-1} r, and the last part is at most |r|^2 over the least
    eigenvalue. Where Cholesky's elimination of C - e I succeeds in doubles, no eigenvalue of C is below e apart from
    its
    rounding: the factors are exact for a matrix within about n units of its trace. A multiple of that is taken off.
    """
    size, trace = len(matrix), float(np.trace(matrix))
    unit = 4 * (size + 4) * ULP
    try:
        guess = float(np.linalg.eigvalsh(matrix)[0]) / 2
        least = guess - unit * trace
        np.linalg.cholesky(matrix - guess * np.eye(size))
        y = np.linalg.solve(matrix, vectors.T)
    except np.linalg.LinAlgError:
        return [], False
    if least <= 0:
        return [], False
    sizes = np.abs(matrix) @ np.abs(y)
    forms = np.sum(y * (2 * vectors.T - matrix @ y), axis=0)
    rounding = unit * np.sum(np.abs(y) * (2 * np.abs(vectors.T) + sizes), axis=0)
    left = np.abs(vectors.T - matrix @ y) + unit * (np.abs(vectors.T) + sizes)
    bounds = (forms + rounding + np.sum(left * left, axis=0) / least) * (1 + unit)
    return [Fraction(float(each)) for each in bounds], True


def _rows(table: Array) -> Rows:
    return tuple(tuple(row) for row in table.tolist())


def quadratic_forms(matrix: Array, vectors: Sequence[Array]) -> tuple[list[Fraction], bool]:
    """s' C^{-1} s for each vector s, and whether the symmetric matrix C is positive definite (else no forms).

    Bareiss's elimination without fractions, of [[C, S], [S', 0]]: its pivots are the leading minors of C, and what is
    left in the corner is -det(C) S' C^{-1} S.
    """
    size = len(matrix)
    table, scale = _whole_table(matrix, np.array(vectors, dtype=np.float64))
    previous = 1
    for step in range(size):
        pivot = table[step][step]
        if pivot <= 0:
            return [], False
        for row in table[step + 1 :]:
            head = row[step]
            for column in range(step + 1, len(row)):
                row[column] = (row[column] * pivot - head * table[step][column]) // previous
        previous = pivot
    corner = [table[size + place][size + place] for place in range(len(vectors))]
    return [Fraction(-entry, previous) * scale for entry in corner], True


def _whole_table(matrix: Array, vectors: Array) -> tuple[list[list[int]], Fraction]:
    """The bordered matrix in whole numbers, and the factor that takes its forms back to those of the doubles."""
    size, count = len(matrix), len(vectors)
    inner, inner_unit = _whole(matrix)
    border, border_unit = _whole(vectors)
    top = [inner[place] + [border[each][place] for each in range(count)] for place in range(size)]
    bottom = [border[each] + [0] * count for each in range(count)]
    return top + bottom, inner_unit / border_unit**2


def _whole(rows: Array) -> tuple[list[list[int]], Fraction]:
    """The rows multiplied by a power of two that makes all entries whole, and that power."""
    exact = [[Fraction(float(entry)) for entry in row] for row in rows]
    unit = max((entry.denominator for row in exact for entry in row), default=1)
    return [[int(entry * unit) for entry in row] for row in exact], Fraction(unit)
