"""Mechanisms by the probabilities of finitely many outcomes, channels that process an outcome, and mixtures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import Array, Curve, FinitePair, LossDistribution, Order, WorstLoss, merged_atoms
from whit.errors import InvalidInput, NotImplied, require
from whit.mechanisms.composed import listed, shared
from whit.mechanisms.details import Detail, Written
from whit.mechanisms.mechanism import Mechanism
from whit.mechanisms.noise import drawn
from whit.numerics import ULP, logsumexp, probability_vector, real_array
from whit.setting import Neighbours
from whit.theory import Basis, Direction

Vector = tuple[float, ...]

_ALL = "Pass the probabilities of all outcomes; they must add up to 1."


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


@dataclass(frozen=True, init=False, repr=False)
class Finite(Mechanism):
    """A mechanism by the probabilities of its outcomes on two neighbouring datasets, the worst pair there is.

    >>> print(Finite([0.75, 0.25], [0.25, 0.75]).delta(0.5))
    delta is 0.338 (rounded up)
    """

    of_one_pair = True

    all_or_nothing = True

    details = (
        Detail("p", "LIST", "Finitely many outcomes, by the probability of each.", Written.NUMBERS, "outcomes", True),
        Detail("q", "LIST", "The probabilities of the outcomes for a neighbour.", Written.NUMBERS, "against", True),
        Detail("neighbours", "WORD", "The relation between the two.", Written.NEIGHBOURS),
    )

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

    basis = Basis.of("finite-loss")
    """The definition of the loss."""

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

    all_or_nothing = True

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

    basis = Basis.of("finite-loss")
    """The definition of the loss."""

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


@dataclass(frozen=True, init=False, repr=False)
class Mixture(Mechanism):
    """One of several mechanisms, each run with its probability.

    mechanisms    with finitely many losses each, about the same change of the data
    weights       the probability of each
    published     whether the release says which one was run; if not, the answer is an upper bound

    >>> from whit.mechanisms import Geometric
    >>> print(Mixture([Geometric(1.0), Geometric(2.0)], [0.5, 0.5]).tail(1.5))
    probability that the privacy loss exceeds the threshold is 44.1 % (rounded up)
    """

    mechanisms: tuple[Mechanism, ...]
    weights: tuple[float, ...]
    published: bool

    def __init__(self, mechanisms: Sequence[Mechanism], weights: ArrayLike, *, published: bool = True) -> None:
        chances = probability_vector("weights", weights, "Give the probability of each mechanism; they add up to 1.")
        self._keep(mechanisms=listed(mechanisms), weights=tuple(chances.tolist()), published=published)
        require(
            len(self.mechanisms) == len(self.weights),
            name="weights",
            rule=f"must be as many as the mechanisms, {len(self.mechanisms)}",
            value=len(self.weights),
            way_out="Give one probability for each mechanism.",
        )
        require(
            isinstance(published, bool),
            name="published",
            rule="must be True or False",
            value=published,
            way_out="Use True if the release says which mechanism was run.",
        )

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """The relations under which the loss of every part is known."""
        return shared(self.mechanisms)

    @property
    def basis(self) -> Basis:
        """What the parts rest on, and that profiles mix."""
        own = Basis.of("mixtures") if self.published else Basis.of("mixtures", "post-processing")
        return reduce(lambda a, b: a | b, (part.basis for part in self.mechanisms)) | own

    @property
    def of_one_pair(self) -> bool:  # type: ignore[override]
        """Whether that is so of a part."""
        return any(part.of_one_pair for part in self.mechanisms)

    @property
    def knows_size(self) -> bool:  # type: ignore[override]
        """Whether the loss of a part depends on how many people there are."""
        return any(part.knows_size for part in self.mechanisms)

    def _loss(self, neighbours: Neighbours) -> FinitePair:
        """The loss if the release says which one was run: the law of each part, with its weight."""
        parts = [(w, _finite(part, neighbours)) for w, part in zip(self.weights, self.mechanisms, strict=True) if w > 0]
        logs = np.log([weight for weight, _ in parts])
        pairs = [pair for _, pair in parts]
        # Weights add up to 1 only within a tolerance; what is drawn is their share of the sum.
        rounding = 8 * ULP * (1 + float(np.max(-logs))) + abs(math.fsum([*self.weights, -1.0]))
        return merged_atoms(
            np.concatenate([pair.losses for pair in pairs]),
            np.concatenate([pair.log_masses + log for pair, log in zip(pairs, logs, strict=True)]),
            log_infinity=_mixed(logs, [pair.log_infinity for pair in pairs]),
            log_missing=_mixed(logs, [pair.log_missing for pair in pairs]),
            mass_error=max(pair.mass_error for pair in pairs) + rounding,
            loss_error=max(pair.loss_error for pair in pairs),
            infinity_error=max(pair.infinity_error for pair in pairs) + rounding,
        )

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The exact curve if the release says which mechanism was run; else an upper bound by its profile."""
        curve = super().curve(neighbours)
        return curve if self.published else replace(curve, direction=Direction.AT_MOST, order=Order.PROFILE)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[Any]:
        """Draws of a mechanism chosen anew for each, for simulation; not for release."""
        draws = np.stack([part.sample(rng, size) for part in self.mechanisms])
        chosen = np.searchsorted(np.cumsum(self.weights), rng.random(draws.shape[1:]) * sum(self.weights), side="right")
        return np.asarray(np.take_along_axis(draws, chosen[None], axis=0)[0])

    def __repr__(self) -> str:
        """The expression that rebuilds the mechanism."""
        parts = ", ".join(map(repr, self.mechanisms))
        return f"Mixture([{parts}], {self.weights!r}, published={self.published!r})"


def _finite(part: Mechanism, neighbours: Neighbours) -> FinitePair:
    loss = part.loss(neighbours)
    if isinstance(loss, FinitePair):
        return loss
    rule = "is only implemented for parts with finitely many losses"
    raise NotImplied("a mixture", rule, part, "Use Geometric, RandomizedResponse, Finite or SimpleRandomSample.")


def _mixed(log_weights: Array, logs: Sequence[float]) -> float:
    return min(float(logsumexp(log_weights + np.array(logs))), 0.0)
