"""Classes of priors on a finite universe: a list of beliefs, two neighbours and nothing else, or any belief at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from whit.errors import InvalidInput, require
from whit.persuasion.beliefs import FiniteBelief, SampledBelief, exact_points


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
