"""Mechanisms by the probabilities of finitely many outcomes, and channels that process an outcome."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import Array, FinitePair, LossDistribution, WorstLoss
from whit.errors import InvalidInput, require
from whit.mechanisms.mechanism import Mechanism
from whit.mechanisms.noise import drawn
from whit.numerics import probability_vector, real_array
from whit.setting import Neighbours
from whit.theory import Basis


def channel_matrix(channel: ArrayLike, outcomes: int) -> Array:
    """The channel as a table: row i holds the probabilities of what becomes of outcome i, and adds up to 1."""
    way_out = "Give one row for each outcome, with the probabilities of what becomes of it."
    matrix = real_array("channel", channel, way_out)
    rule = f"must be a table with {outcomes} rows, one for each outcome"
    fits = matrix.ndim == 2 and len(matrix) == outcomes
    require(fits, name="channel", rule=rule, value=f"shape {matrix.shape}", way_out=way_out)
    for place, row in enumerate(matrix):
        probability_vector(f"row {place} of the channel", row, way_out)
    return matrix


def after(vector: Sequence[float], matrix: Array) -> list[float]:
    """The probabilities after the channel, each an accurate sum of products."""
    return [min(math.fsum(p * w for p, w in zip(vector, column, strict=True)), 1.0) for column in matrix.T]


Vector = tuple[float, ...]

_ALL = "Pass the probabilities of all outcomes; they must add up to 1."


@dataclass(frozen=True, init=False, repr=False)
class Finite(Mechanism):
    """A mechanism by the probabilities of its outcomes on two neighbouring datasets, the worst pair there is.

    >>> print(Finite([0.75, 0.25], [0.25, 0.75]).delta(0.5))
    delta is 0.338 (rounded up)
    """

    p: Vector
    q: Vector
    neighbours: Neighbours

    def __init__(self, p: ArrayLike, q: ArrayLike, *, neighbours: Neighbours = Neighbours.ADD_REMOVE) -> None:
        self._keep(p=_vector("p", p), q=_vector("q", q), neighbours=Neighbours.checked(neighbours))
        FinitePair.of(self.p, self.q)  # refuses vectors of different lengths

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """The one relation that the two datasets stand for."""
        return (self.neighbours,)

    @property
    def basis(self) -> Basis:
        """The definition of the loss."""
        return Basis.of("finite-loss")

    def _loss(self, neighbours: Neighbours) -> FinitePair:
        return FinitePair.of(self.p, self.q)

    def then(self, channel: ArrayLike) -> Finite:
        """This mechanism with its outcome passed through a channel: row i holds what becomes of outcome i.

        The new probabilities are rounded to doubles, which are then taken as they are.

        >>> Finite([0.5, 0.25, 0.25], [0.25, 0.25, 0.5]).then([[1, 0], [1, 0], [0, 1]])
        Finite((0.75, 0.25), (0.5, 0.5), neighbours=Neighbours.ADD_REMOVE)
        """
        matrix = channel_matrix(channel, len(self.p))
        return Finite(after(self.p, matrix), after(self.q, matrix), neighbours=self.neighbours)

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...] = 1, *, dataset: int = 0
    ) -> NDArray[np.int64]:
        """Outcomes on the first dataset (0) or the second (1), for simulation; not for release."""
        return outcomes(rng, (self.p, self.q), dataset, size)

    def __repr__(self) -> str:
        """The expression that rebuilds the mechanism."""
        return f"Finite({self.p!r}, {self.q!r}, neighbours={self.neighbours!r})"


@dataclass(frozen=True, init=False, repr=False)
class Kernel(Mechanism):
    """A mechanism by the probabilities of its outcomes on every dataset, and the pairs of datasets that are neighbours.

    matrix       one row for each dataset, one column for each outcome
    edges        pairs of rows that are neighbours, in either order; each is taken both ways
    neighbours   the relation that the edges stand for
    """

    matrix: tuple[Vector, ...]
    edges: tuple[tuple[int, int], ...]
    neighbours: Neighbours

    def __init__(
        self,
        matrix: Sequence[ArrayLike] | Array,
        edges: Sequence[tuple[int, int]],
        *,
        neighbours: Neighbours = Neighbours.ADD_REMOVE,
    ) -> None:
        rows = tuple(_vector(f"row {place} of the matrix", row) for place, row in enumerate(matrix))
        self._keep(matrix=rows, edges=_edges(edges, len(rows)), neighbours=Neighbours.checked(neighbours))
        for first, second in self.edges:
            FinitePair.of(rows[first], rows[second])  # refuses rows of different lengths

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """The one relation that the edges stand for."""
        return (self.neighbours,)

    @property
    def basis(self) -> Basis:
        """The definition of the loss."""
        return Basis.of("finite-loss")

    def _loss(self, neighbours: Neighbours) -> LossDistribution:
        pairs = [FinitePair.of(self.matrix[first], self.matrix[second]) for first, second in self.edges]
        return pairs[0] if len(pairs) == 1 else WorstLoss.of(pairs)

    def then(self, channel: ArrayLike) -> Kernel:
        """This mechanism with its outcome passed through a channel: row i holds what becomes of outcome i."""
        matrix = channel_matrix(channel, len(self.matrix[0]))
        return Kernel([after(row, matrix) for row in self.matrix], self.edges, neighbours=self.neighbours)

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...] = 1, *, dataset: int = 0
    ) -> NDArray[np.int64]:
        """Outcomes on one of the datasets, by its row, for simulation; not for release."""
        return outcomes(rng, self.matrix, dataset, size)

    def __repr__(self) -> str:
        """The expression that rebuilds the mechanism."""
        return f"Kernel({self.matrix!r}, {self.edges!r}, neighbours={self.neighbours!r})"


def outcomes(
    rng: np.random.Generator, rows: Sequence[Vector], dataset: int, size: int | tuple[int, ...]
) -> NDArray[np.int64]:
    """Draws from one of several probability vectors."""
    if dataset not in range(len(rows)):
        rule = f"must be a whole number from 0 to {len(rows) - 1}"
        raise InvalidInput("dataset", rule, dataset, "Use 0 for the first dataset.")
    steps = np.cumsum(rows[dataset])
    return np.asarray(np.searchsorted(steps, rng.random(drawn(size)) * steps[-1], side="right"))


def _vector(name: str, values: ArrayLike) -> Vector:
    return tuple(probability_vector(name, values, _ALL).tolist())


def _edges(edges: Sequence[tuple[int, int]], rows: int) -> tuple[tuple[int, int], ...]:
    way_out = "List the pairs of rows that are neighbours, such as [(0, 1), (1, 2)]."
    given = tuple(tuple(edge) for edge in edges)
    require(len(given) > 0, name="edges", rule="must have at least one pair of rows", value=edges, way_out=way_out)
    for edge in given:
        good = len(edge) == 2 and all(end in range(rows) for end in edge) and edge[0] != edge[1]
        rule = f"must be pairs of different rows from 0 to {rows - 1}"
        require(good, name="edges", rule=rule, value=edge, way_out=way_out)
    return tuple((int(edge[0]), int(edge[1])) for edge in given)
