"""Bayes's rule by going through all datasets, without rounding: fractions in, fractions out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from whit.errors import InvalidInput, NotImplied
from whit.worlds.rational import Exactly

Integers: TypeAlias = NDArray[Any]
"""Whole numbers of any length; numpy keeps them as objects."""

Where: TypeAlias = NDArray[np.bool_]
"""The datasets of which an event is true."""

_RULED_OUT = "Ask about an outcome that the belief expects, or look at the part of a law that is undefined."


@dataclass(frozen=True, eq=False)
class Exact:
    """The joint law of dataset and outcome, as fractions over one denominator.

    weights   a probability for each dataset
    kernel    for each dataset the probabilities of the outcomes
    """

    weights: tuple[Fraction, ...]
    kernel: tuple[tuple[Fraction, ...], ...]

    @cached_property
    def _joint(self) -> Integers:
        """The joint law times one whole number, which cancels out of every ratio."""
        return np.asarray(whole([self.weights])[0][:, None] * whole(self.kernel))

    @cached_property
    def _marginal(self) -> Integers:
        return np.asarray(self._joint.sum(axis=0))

    @property
    def outcomes(self) -> range:
        """All outcomes."""
        return range(len(self.kernel[0]))

    def outcome(self, outcome: object) -> int:
        """One of the outcomes, or a refusal."""
        if isinstance(outcome, int | np.integer) and not isinstance(outcome, bool) and outcome in self.outcomes:
            return int(outcome)
        rule = f"must be a whole number from 0 to {len(self.outcomes) - 1}"
        raise InvalidInput("outcome", rule, outcome, "Use 0 for the first outcome.")

    def expects(self, outcome: int) -> bool:
        """Whether the belief gives the outcome a positive probability."""
        return bool(self._marginal[outcome] > 0)

    def prior(self, event: Where) -> Fraction:
        """The probability of an event before the release."""
        return sum((weight for weight, here in zip(self.weights, event, strict=True) if here), start=Fraction(0))

    def posterior(self, event: Where, outcome: int) -> Fraction:
        """The probability of an event after an outcome."""
        return Fraction(int(self._joint[event, outcome].sum()), self._possible(outcome))

    def posteriors(self, outcome: int) -> tuple[Fraction, ...]:
        """The probability of each dataset after an outcome."""
        total = self._possible(outcome)
        return tuple(Fraction(part, total) for part in self._joint[:, outcome])

    def ratio(self, event: Where, outcome: int) -> Exactly:
        """The probability of an event after an outcome over that before."""
        return _over(self.posterior(event, outcome), self.prior(event), "the ratio of posterior to prior")

    def posterior_ratio(self, other: Exact, event: Where, outcome: int) -> Exactly:
        """The probability of an event after an outcome over that in another world."""
        name = "the ratio of the two posteriors"
        return _over(self.posterior(event, outcome), other.posterior(event, outcome), name)

    def total_variation(self, other: Exact, outcome: int) -> Fraction:
        """Half the sum of the absolute differences of the probabilities of all datasets, here and in another world."""
        mine, theirs = self._possible(outcome), other._possible(outcome)
        gaps = np.abs(self._joint[:, outcome] * theirs - other._joint[:, outcome] * mine)
        return Fraction(int(gaps.sum()), 2 * mine * theirs)

    def output(self, weights: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """The probabilities of the outcomes if the dataset is drawn with these probabilities."""
        drawn = [(weight, row) for weight, row in zip(weights, self.kernel, strict=True) if weight > 0]
        return tuple(sum((weight * row[y] for weight, row in drawn), start=Fraction(0)) for y in self.outcomes)

    def _possible(self, outcome: int) -> int:
        if self.expects(outcome):
            return int(self._marginal[outcome])
        raise NotImplied(
            "the posterior", "is not defined after an outcome that the belief rules out", outcome, _RULED_OUT
        )


def whole(rows: Sequence[Sequence[Fraction]]) -> Integers:
    """Fractions as whole numbers, times their common denominator."""
    common = math.lcm(*(value.denominator for row in rows for value in row))
    table = [[value.numerator * (common // value.denominator) for value in row] for row in rows]
    return np.array(table, dtype=object)


def _over(top: Fraction, bottom: Fraction, name: str) -> Exactly:
    """The quotient, infinite if only the denominator is 0."""
    if bottom > 0:
        return top / bottom
    if top > 0:
        return math.inf
    raise NotImplied(
        name, "is not defined for an event of probability 0", "0/0", "Ask about an event that is possible."
    )


Vertex: TypeAlias = tuple[Fraction, Fraction]
"""The level and the power of a test."""


def vertices(null: Sequence[Fraction], alternative: Sequence[Fraction]) -> tuple[Vertex, ...]:
    """Levels and powers of the tests that reject at the outcomes with the largest ratio, from no outcome to all.

    Between two of them the best test decides by a coin.
    """
    seen = [pair for pair in zip(null, alternative, strict=True) if any(pair)]
    free = sum((power for level, power in seen if level == 0), start=Fraction(0))
    corners = [(Fraction(0), free)]
    for level, power in sorted((pair for pair in seen if pair[0] > 0), key=lambda pair: -pair[1] / pair[0]):
        corners.append((corners[-1][0] + level, corners[-1][1] + power))
    return tuple(corners)


def power_at(corners: Sequence[Vertex], level: Fraction) -> Fraction:
    """The power at a level, by chords between vertices in rising order of their levels."""
    for (left, low), (right, high) in pairwise(corners):
        if level <= right:
            return low + (high - low) * (level - left) / (right - left)
    return corners[-1][1]


def level_at(corners: Sequence[Vertex], power: Fraction) -> Fraction:
    """The smallest level of a test with at least this power."""
    if power <= corners[0][1]:
        return corners[0][0]
    for (left, low), (right, high) in pairwise(corners):
        if power <= high:
            return left + (right - left) * (power - low) / (high - low)
    return corners[-1][0]


def hull(curves: Iterable[Sequence[Vertex]]) -> tuple[Vertex, ...]:
    """The vertices of the smallest concave curve above all of the given ones."""
    best: dict[Fraction, Fraction] = {}
    for level, power in (corner for corners in curves for corner in corners):
        best[level] = max(power, best.get(level, power))
    kept: list[Vertex] = []
    for corner in sorted(best.items()):
        while len(kept) > 1 and not _turns_right(kept[-2], kept[-1], corner):
            kept.pop()
        kept.append(corner)
    return tuple(kept)


def _turns_right(first: Vertex, second: Vertex, third: Vertex) -> bool:
    rise, run = second[1] - first[1], second[0] - first[0]
    return rise * (third[0] - second[0]) > (third[1] - second[1]) * run
