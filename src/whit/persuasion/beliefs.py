"""Finite beliefs in exact arithmetic, and classes of them: a list, priors on two neighbours, or any belief at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from dataclasses import dataclass
from fractions import Fraction
from itertools import product as combinations
from math import prod
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import InvalidInput, require
from whit.numerics import finite, number, probability_vector, real_array

_WEIGHTS = "Give one probability for each dataset, such as [0.5, 0.3, 0.2]; they must add up to 1."
_POINTS = "Give one number for each dataset, such as [0, 1, 2]."


@dataclass(frozen=True, init=False, repr=False)
class FiniteBelief:
    """A probability for each of finitely many datasets, and the number that each dataset stands for.

    Probabilities are kept as fractions: doubles are taken for what they are, and divided by their exact sum. Where no
    points are given, the datasets stand for 0, 1, 2 and so on; only some scores look at them.

    >>> FiniteBelief([0.25, 0.75])
    FiniteBelief([0.25, 0.75], points=[0.0, 1.0])
    """

    weights: tuple[Fraction, ...]
    points: tuple[Fraction, ...]

    def __init__(self, weights: Sequence[Any] | NDArray[np.float64], points: Sequence[Any] | None = None) -> None:
        object.__setattr__(self, "weights", exact_probabilities("the weights of a belief", weights))
        object.__setattr__(self, "points", exact_points(points, len(self.weights)))

    @classmethod
    def two_points(
        cls, first: int, second: int, weight: object, *, size: int, points: Sequence[Any] | None = None
    ) -> FiniteBelief:
        """The belief that it is the first dataset, with this weight, or the second one, with the rest."""
        share, rule = exact("the weight", weight, "Use a probability such as 0.5."), "must be a probability in [0, 1]"
        require(0 <= share <= 1, name="the weight", rule=rule, value=weight, way_out="Use 0.5.")
        inside = first in range(size) and second in range(size)
        rule = f"must be whole numbers from 0 to {size - 1}"
        require(inside, name="two datasets", rule=rule, value=(first, second), way_out="Number the datasets from 0.")
        weights = [Fraction(0)] * size
        weights[first] += share
        weights[second] += 1 - share
        return cls(weights, points)

    @classmethod
    def product(cls, *beliefs: FiniteBelief) -> FiniteBelief:
        """The belief about several records at once that takes them as independent; the last record varies fastest."""
        require(len(beliefs) > 0, name="a product", rule="must have a belief", value=beliefs, way_out="Give one.")
        factors = combinations(*(belief.weights for belief in beliefs))
        return cls([prod(chosen, start=Fraction(1)) for chosen in factors])

    @property
    def size(self) -> int:
        """The number of datasets."""
        return len(self.weights)

    def updated(self, likelihood: Sequence[Fraction]) -> FiniteBelief:
        """The posterior after an outcome that has these probabilities on the datasets.

        >>> FiniteBelief([Fraction(1, 2), Fraction(1, 2)]).updated([Fraction(3), Fraction(1)])
        FiniteBelief([0.75, 0.25], points=[0.0, 1.0])
        """
        joint = [weight * chance for weight, chance in zip(self.weights, likelihood, strict=True)]
        total = sum(joint, Fraction(0))
        if total == 0:
            rule = "must have a positive probability under the belief that it updates"
            raise InvalidInput("an outcome", rule, "probability 0", "Use a belief with some weight on the truth.")
        return self._with([each / total for each in joint])

    def support(self) -> Iterator[int]:
        """The datasets that the belief does not exclude."""
        return (place for place, weight in enumerate(self.weights) if weight > 0)

    def mean(self) -> Fraction:
        """The expectation of the points."""
        return sum((w * point for w, point in zip(self.weights, self.points, strict=True)), Fraction(0))

    def variance(self) -> Fraction:
        """The variance of the points."""
        centre = self.mean()
        squares = (w * (point - centre) ** 2 for w, point in zip(self.weights, self.points, strict=True))
        return sum(squares, Fraction(0))

    def _with(self, weights: Sequence[Fraction]) -> FiniteBelief:
        """This belief with other weights on its points, which are known to be right."""
        changed = object.__new__(type(self))
        object.__setattr__(changed, "weights", tuple(weights))
        object.__setattr__(changed, "points", self.points)
        return changed

    def __repr__(self) -> str:
        """The belief with its numbers as doubles."""
        weights, points = [float(weight) for weight in self.weights], [float(point) for point in self.points]
        return f"{type(self).__name__}({weights}, points={points})"


@dataclass(frozen=True, init=False, repr=False)
class SampledBelief(FiniteBelief):
    """A belief known by draws from a model: the frequencies of the datasets. What rests on it is an estimate."""

    @classmethod
    def of_draws(cls, draws: ArrayLike, size: int, points: Sequence[Any] | None = None) -> SampledBelief:
        """The frequencies of datasets that were drawn, by their numbers from 0 to size - 1.

        >>> SampledBelief.of_draws([0, 1, 1, 1], size=2)
        SampledBelief([0.25, 0.75], points=[0.0, 1.0])
        """
        drawn = np.asarray(draws)
        good = drawn.dtype.kind in "iu" and drawn.size > 0 and bool(np.all((drawn >= 0) & (drawn < size)))
        rule = f"must be whole numbers from 0 to {size - 1}"
        require(good, name="draws", rule=rule, value=draws, way_out="Draw the numbers of datasets from the model.")
        counts = np.bincount(drawn.ravel(), minlength=size)
        return cls([Fraction(int(each), int(drawn.size)) for each in counts], points)


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

    @property
    def sizes(self) -> set[int]:
        """How many datasets the beliefs are about."""
        return {belief.size for belief in self.beliefs}


@dataclass(frozen=True, init=False)
class _OnPoints:
    """A class of priors that is known by its rule, and the numbers that the datasets stand for, if they are given."""

    points: tuple[Fraction, ...] | None

    def __init__(self, points: Sequence[Any] | None = None) -> None:
        size = len(points) if isinstance(points, Sized) else 0
        object.__setattr__(self, "points", None if points is None else exact_points(points, size))

    def at(self, first: int, second: int, weight: Fraction, size: int) -> FiniteBelief:
        """The prior with this weight on the first of two datasets and the rest on the second."""
        return FiniteBelief.two_points(first, second, weight, size=size, points=self.points)

    @property
    def sizes(self) -> set[int]:
        """How many datasets the points are about; nothing if none are given."""
        return set() if self.points is None else {len(self.points)}


class NeighbouringBeliefs(_OnPoints):
    """Every prior on two neighbouring datasets, with any weight strictly between 0 and 1 on each.

    points   the numbers that the datasets stand for, where a score asks for them
    """


class AnyBelief(_OnPoints):
    """Every prior on the universe.

    points   the numbers that the datasets stand for, where a score asks for them
    """


PriorClass: TypeAlias = TheseBeliefs | NeighbouringBeliefs | AnyBelief

Priors: TypeAlias = PriorClass | FiniteBelief | None
"""A class of priors, a single belief, or None for all priors on two neighbours."""


def class_of(priors: PriorClass | FiniteBelief, size: int) -> PriorClass:
    """The class of priors, a single belief being a class of one; refuse one that is about another universe."""
    chosen = TheseBeliefs(priors) if isinstance(priors, FiniteBelief) else priors
    way_out = "Give a belief, TheseBeliefs(...), NeighbouringBeliefs() or AnyBelief()."
    if not isinstance(chosen, TheseBeliefs | NeighbouringBeliefs | AnyBelief):
        raise InvalidInput("priors", "must be a class of priors", priors, way_out)
    rule, value = f"must be about the {size} datasets of the mechanism", f"sizes {sorted(chosen.sizes)}"
    require(chosen.sizes <= {size}, name="priors", rule=rule, value=value, way_out="Use one universe for both.")
    return chosen


def exact(name: str, value: object, way_out: str) -> Fraction:
    """A finite number as a fraction, a double being taken for what it is."""
    if isinstance(value, Fraction | int) and not isinstance(value, bool):
        return Fraction(value)
    return Fraction(finite(name, value, way_out))


def exact_probabilities(name: str, values: Sequence[Any] | NDArray[np.float64]) -> tuple[Fraction, ...]:
    """Probabilities as fractions with sum 1; doubles may miss it by rounding, and are divided by their exact sum."""
    listed = list(values) if isinstance(values, list | tuple | np.ndarray) else values
    if isinstance(listed, list) and listed and all(isinstance(value, Fraction | int) for value in listed):
        weights = [exact(name, value, _WEIGHTS) for value in listed]
        rule = "must be a list of probabilities with sum 1"
        good = min(weights) >= 0 and sum(weights, Fraction(0)) == 1
        require(good, name=name, rule=rule, value=f"sum {sum(weights, Fraction(0))}", way_out=_WEIGHTS)
        return tuple(weights)
    if isinstance(listed, list):
        listed = [finite(name, value, _WEIGHTS) if isinstance(value, Real) else value for value in listed]
    weights = [Fraction(value) for value in probability_vector(name, listed, _WEIGHTS).tolist()]
    total = sum(weights, Fraction(0))
    return tuple(weight / total for weight in weights)


def exact_points(points: Sequence[Any] | None, size: int) -> tuple[Fraction, ...]:
    """The numbers that the datasets stand for: those given, or 0, 1, 2 and so on."""
    if points is None:
        return tuple(Fraction(place) for place in range(size))
    if not isinstance(points, list | tuple | np.ndarray):
        raise InvalidInput("points", "must be a list of numbers", points, _POINTS)
    listed = tuple(exact("a point", value, _POINTS) for value in points)
    rule = f"must be {size} numbers, one for each dataset"
    require(len(listed) == size, name="points", rule=rule, value=f"{len(listed)} numbers", way_out=_POINTS)
    return listed


def limit(name: str, value: object) -> float:
    """A limit on a relative score: a number of at least 0, infinity included."""
    clean = number(name, value, "Use a number such as 1.")
    require(clean >= 0, name=name, rule="must be a number of at least 0", value=value, way_out="Use 0 for no gain.")
    return clean


def numbers(name: str, values: object, size: int) -> NDArray[np.float64]:
    """A list of finite numbers of the given length."""
    way_out = f"Give {size} numbers."
    clean = real_array(name, values, way_out)
    good = clean.shape == (size,) and bool(np.all(np.isfinite(clean)))
    rule = f"must be a list of {size} finite numbers"
    require(good, name=name, rule=rule, value=f"an array of shape {clean.shape}", way_out=way_out)
    return clean
