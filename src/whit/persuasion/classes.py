"""Classes of priors on a finite universe: a list of beliefs, two neighbours and nothing else, or any belief at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from whit.errors import InvalidInput, require
from whit.mechanisms import Finite, Kernel
from whit.persuasion.beliefs import FiniteBelief, SampledBelief, exact_points, exact_probabilities

_ROWS = "Give one row of probabilities for each dataset, all of one length."
_EDGES = "List pairs of different datasets, such as [(0, 1), (1, 2)]."


@dataclass(frozen=True, init=False, repr=False)
class Table:
    """Rows of probabilities, one for each dataset, and the pairs of datasets that are neighbours.

    Fractions are kept as they are; doubles are taken for what they are, each row divided by its exact sum.

    >>> Table([[0.75, 0.25], [0.25, 0.75]], edges=[(0, 1)])
    Table of 2 datasets and 2 outcomes
    """

    rows: tuple[tuple[Fraction, ...], ...]
    edges: tuple[tuple[int, int], ...]

    def __init__(self, rows: Sequence[Sequence[Any]] | NDArray[np.float64], edges: Sequence[Any] = ()) -> None:
        if not isinstance(rows, list | tuple | np.ndarray) or len(rows) == 0:
            raise InvalidInput("the rows of a table", "must be a list with a row for each dataset", rows, _ROWS)
        exact = tuple(exact_probabilities(f"row {place} of the table", row) for place, row in enumerate(rows))
        same = len({len(row) for row in exact}) == 1
        require(same, name="the rows of a table", rule="must have one length", value=rows, way_out=_ROWS)
        listed = isinstance(edges, list | tuple | np.ndarray)
        require(listed, name="edges", rule="must be a list of pairs", value=edges, way_out=_EDGES)
        for edge in edges:
            ends = list(edge) if isinstance(edge, list | tuple | np.ndarray) else []
            good = len(ends) == 2 and ends[0] != ends[1] and all(end in range(len(exact)) for end in ends)
            require(good, name="edges", rule="must be pairs of different datasets", value=edge, way_out=_EDGES)
        object.__setattr__(self, "rows", exact)
        object.__setattr__(self, "edges", tuple((int(first), int(second)) for first, second in edges))

    @property
    def outcomes(self) -> int:
        """The number of outcomes."""
        return len(self.rows[0])

    def column(self, outcome: int) -> tuple[Fraction, ...]:
        """The probability of one outcome on each dataset."""
        return tuple(row[outcome] for row in self.rows)

    def possible(self, dataset: int) -> Iterator[int]:
        """The outcomes that can occur on a dataset."""
        return (outcome for outcome, chance in enumerate(self.rows[dataset]) if chance > 0)

    def neighbours(self) -> Iterator[tuple[int, int]]:
        """The neighbouring pairs, each in both orders."""
        require(len(self.edges) > 0, name="edges", rule="must name a pair of neighbours", value=(), way_out=_EDGES)
        for first, second in self.edges:
            yield first, second
            yield second, first

    def __repr__(self) -> str:
        """The size."""
        return f"Table of {len(self.rows)} datasets and {self.outcomes} outcomes"


Tabled: TypeAlias = Table | Kernel | Finite
"""A mechanism with finitely many outcomes on finitely many datasets."""


def table_of(mechanism: object) -> Table:
    """The mechanism as a table in exact arithmetic."""
    if isinstance(mechanism, Table):
        return mechanism
    if isinstance(mechanism, Kernel):
        return Table(mechanism.matrix, mechanism.edges)
    if isinstance(mechanism, Finite):
        return Table((mechanism.p, mechanism.q), [(0, 1)])
    way_out = "Give a Table of probabilities, a Kernel or a Finite mechanism."
    raise InvalidInput("mechanism", "must have finitely many outcomes on finitely many datasets", mechanism, way_out)


@dataclass(frozen=True, init=False)
class TheseBeliefs:
    """A class of finitely many priors, by listing them; it may not be empty."""

    beliefs: tuple[FiniteBelief, ...]

    def __init__(self, *beliefs: FiniteBelief) -> None:
        way_out = "List at least one FiniteBelief."
        require(len(beliefs) > 0, name="a class of priors", rule="must not be empty", value="none", way_out=way_out)
        for belief in beliefs:
            good = isinstance(belief, FiniteBelief)
            require(good, name="a prior", rule="must be a FiniteBelief", value=belief, way_out=way_out)
        object.__setattr__(self, "beliefs", beliefs)

    @property
    def estimated(self) -> bool:
        """Whether one of the beliefs is known by draws only."""
        return any(isinstance(belief, SampledBelief) for belief in self.beliefs)


@dataclass(frozen=True, init=False)
class NeighbouringBeliefs:
    """Every prior on two neighbouring datasets, with any weight strictly between 0 and 1 on each.

    points   the numbers that the datasets stand for, where a score asks for them
    """

    points: tuple[Fraction, ...] | None

    def __init__(self, points: Sequence[Any] | None = None) -> None:
        object.__setattr__(self, "points", _points(points))

    def at(self, first: int, second: int, weight: Fraction, size: int) -> FiniteBelief:
        """The prior with this weight on the first of two datasets and the rest on the second."""
        return FiniteBelief.two_points(first, second, weight, size=size, points=self.points)


@dataclass(frozen=True, init=False)
class AnyBelief:
    """Every prior on the universe.

    points   the numbers that the datasets stand for, where a score asks for them
    """

    points: tuple[Fraction, ...] | None

    def __init__(self, points: Sequence[Any] | None = None) -> None:
        object.__setattr__(self, "points", _points(points))


PriorClass: TypeAlias = TheseBeliefs | NeighbouringBeliefs | AnyBelief


def class_of(priors: PriorClass | FiniteBelief, size: int) -> PriorClass:
    """The class of priors, a single belief being a class of one; refuse one that is about another universe."""
    chosen = TheseBeliefs(priors) if isinstance(priors, FiniteBelief) else priors
    way_out = "Give a belief, TheseBeliefs(...), NeighbouringBeliefs() or AnyBelief()."
    if not isinstance(chosen, TheseBeliefs | NeighbouringBeliefs | AnyBelief):
        raise InvalidInput("priors", "must be a class of priors", priors, way_out)
    sizes = _sizes(chosen)
    fits = sizes <= {size}
    rule = f"must be about the {size} datasets of the mechanism"
    require(fits, name="priors", rule=rule, value=f"sizes {sorted(sizes)}", way_out="Use one universe for both.")
    return chosen


def _sizes(priors: PriorClass) -> set[int]:
    if isinstance(priors, TheseBeliefs):
        return {belief.size for belief in priors.beliefs}
    return set() if priors.points is None else {len(priors.points)}


def _points(points: Sequence[Any] | None) -> tuple[Fraction, ...] | None:
    """The points as fractions, as many as there are; none if none are given."""
    return None if points is None else exact_points(points, len(points) if hasattr(points, "__len__") else 0)
