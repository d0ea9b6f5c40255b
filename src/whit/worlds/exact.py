"""Arithmetic without rounding: numbers as fractions, Bayes's rule, best tests, and the way back to findings."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from numbers import Rational
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from whit.errors import InvalidInput, NotImplied, require
from whit.numerics import doubles_around, up
from whit.theory import Basis, Direction, Finding, Quantity

Exactly: TypeAlias = Fraction | float
"""A fraction, or infinity."""

Number: TypeAlias = Rational | int | float
"""What is read as a fraction: a whole number, a fraction, or a double, which is one."""

Integers: TypeAlias = NDArray[Any]
"""Whole numbers of any length; numpy keeps them as objects."""

Where: TypeAlias = NDArray[np.bool_]
"""The datasets for which an event is true."""

TOLERANCE = Fraction(1, 10**9)
"""How far from 1 probabilities that were given may sum before they are taken for a mistake."""

_LARGEST = Fraction(sys.float_info.max)
_RULED_OUT = "Ask about an outcome that the belief expects, or look at the part of a law that is undefined."


def rational(name: str, value: object, way_out: str) -> Fraction:
    """A finite number as a fraction; a double is taken as it is, to the last bit.

    >>> rational("level", 0.25, "Use a number.")
    Fraction(1, 4)
    """
    if isinstance(value, bool | np.bool_):
        raise InvalidInput(name, "must be a finite number", value, way_out)
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, float | np.floating) and math.isfinite(value):
        return Fraction(float(value))
    raise InvalidInput(name, "must be a finite number", repr(value) if isinstance(value, str) else value, way_out)


def probability(name: str, value: object, way_out: str) -> Fraction:
    """A probability as a fraction."""
    clean = rational(name, value, way_out)
    require(0 <= clean <= 1, name=name, rule="must be a probability in [0, 1]", value=value, way_out=way_out)
    return clean


def distribution(name: str, values: Iterable[object], way_out: str) -> tuple[Fraction, ...]:
    """Probabilities as fractions with sum 1, without any rounding.

    The sum of doubles such as 0.1, 0.2 and 0.7 is hardly ever 1: each is divided by the sum. A sum that is far from 1
    is refused.
    """
    rule = "must be a list of probabilities with sum 1"
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidInput(name, rule, values, way_out)
    clean = tuple(rational(name, value, way_out) for value in values)
    total = sum(clean, start=Fraction(0))
    shown = f"a list with sum {float(total)!r}" if clean else "an empty list"
    fits = bool(clean) and min(clean) >= 0 and abs(total - 1) <= TOLERANCE
    require(fits, name=name, rule=rule, value=shown, way_out=way_out)
    return clean if total == 1 else tuple(value / total for value in clean)


def finding(quantity: Quantity, value: Exactly, direction: Direction, inputs: Mapping[str, Any], *keys: str) -> Finding:
    """The finding of a number that is known exactly: the two doubles around it, with its rounding as slack."""
    if value == math.inf:
        return Finding(quantity, math.inf, direction, inputs, Basis.of(*keys))
    if direction is Direction.AT_MOST:
        ceiling = quantity.unit.capped(doubles_around(Fraction(value))[1], direction)
        return Finding(quantity, ceiling, direction, inputs, Basis.of(*keys))
    slack = _rounding(quantity, Fraction(value))
    safe, other = doubles_around(Fraction(value))[:: 1 if quantity.less_is_worse else -1]
    return Finding(quantity, safe, direction, inputs, Basis(theorems=keys, slack=slack), other)


def _rounding(quantity: Quantity, value: Fraction) -> float:
    """The relative error of the nearest double, which is 0 only for 0 itself, rounded up."""
    if abs(value) > _LARGEST:
        rule = "does not fit a double"
        raise NotImplied(quantity.name, rule, f"about 10^{_digits(value)}", "Ask .exact for it as a fraction.")
    nearest = float(value)
    if nearest == 0.0 and value != 0:
        nearest = math.copysign(math.ulp(0.0), value)
    error = abs(Fraction(nearest) - value)
    return float(up(float(error / abs(Fraction(nearest))))) if error else 0.0


def _digits(value: Fraction) -> int:
    """The number of digits before the point, or nearly."""
    return int((value.numerator.bit_length() - value.denominator.bit_length()) * math.log10(2))


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
        return mixture(weights, self.kernel)

    def _possible(self, outcome: int) -> int:
        if self.expects(outcome):
            return int(self._marginal[outcome])
        raise NotImplied(
            "the posterior", "is not defined after an outcome that the belief rules out", outcome, _RULED_OUT
        )


def mixture(weights: Sequence[Fraction], rows: Sequence[tuple[Fraction, ...]]) -> tuple[Fraction, ...]:
    """The law of an outcome that is drawn from one of several laws, chosen with these probabilities."""
    chosen = [(weight, row) for weight, row in zip(weights, rows, strict=True) if weight > 0]
    return tuple(sum((weight * row[y] for weight, row in chosen), start=Fraction(0)) for y in range(len(rows[0])))


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
