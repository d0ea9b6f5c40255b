"""What the epsilons and deltas of releases add up to: a bound beside the curve of all together.

The curve says more almost everywhere. But it is computed, and next to the deltas that the promises state its rounding
decides: a delta of 1e-5 beside noise without one is a hair above 1e-5 there, and no epsilon is left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, reduce
from operator import or_
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, Promise
from whit.guarantees.guarantee import product_up, sum_up
from whit.numerics import add_down, add_up, nearest_up, up
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Finding

Releases: TypeAlias = "tuple[tuple[Promise, int], ...]"
Numbers: TypeAlias = "tuple[Array, Basis]"

# Up to so many releases the chance that one of them gives the dataset away is found in fractions.
FEW = 1000


def least_epsilon(
    answer: Finding,
    deltas: ArrayLike,
    parts: Releases,
    relation: Neighbours,
    *,
    together: Callable[[Releases], Promise] | None = None,
) -> Finding:
    """The smaller epsilon at each delta: the answer, or what the parts add up to.

    Args:
        answer: the epsilons by the curve of all parts together.
        deltas: at which deltas.
        parts: the releases, each with its count.
        relation: between which neighbours.
        together: makes one promise of the parts that are stated by no epsilon and delta, which is asked about what the
            others leave of delta; without it nothing is added up where there are such parts.
    """
    point, rest = added_up(parts, relation)
    if point is None or (rest and together is None):
        return answer
    return smaller(answer, point.epsilons(deltas, together(rest) if rest and together else None, relation))


def least_delta(
    answer: Finding,
    epsilons: ArrayLike,
    parts: Releases,
    relation: Neighbours,
    *,
    together: Callable[[Releases], Promise] | None = None,
) -> Finding:
    """The smaller delta at each epsilon: the answer, or what the parts add up to."""
    point, rest = added_up(parts, relation)
    if point is None or (rest and together is None):
        return answer
    return smaller(answer, point.deltas(epsilons, together(rest) if rest and together else None, relation))


@dataclass(frozen=True)
class Point:
    """An epsilon and a delta that hold as they stand, and what they rest on."""

    epsilon: float
    delta: float
    basis: Basis

    def epsilons(self, deltas: ArrayLike, others: Promise | None, relation: Neighbours) -> Numbers:
        """The epsilon at each delta, with others that have what this leaves of it; infinite where nothing is left."""
        left = add_down(deltas, -self.delta)
        if others is None:
            return np.where(left >= 0.0, self.epsilon, np.inf), self.basis
        found = others.epsilon(np.maximum(left, 0.0), neighbours=relation)
        return np.where(left >= 0.0, add_up(found.value, self.epsilon), np.inf), self._with(found)

    def deltas(self, epsilons: ArrayLike, others: Promise | None, relation: Neighbours) -> Numbers:
        """The delta at each epsilon, with others that have what this leaves of it; 1 where nothing is left."""
        left = add_down(epsilons, -self.epsilon)
        if others is None:
            return np.where(left >= 0.0, self.delta, 1.0), self.basis
        found = others.delta(np.maximum(left, 0.0), neighbours=relation)
        return np.where(left >= 0.0, np.minimum(add_up(found.value, self.delta), 1.0), 1.0), self._with(found)

    def _with(self, found: Finding) -> Basis:
        return self.basis | found.basis | Basis.of("basic-composition")


def point_of(part: Promise, relation: Neighbours) -> Point | None:
    """What is stated of a release, or the loss that it never exceeds with a delta of 0; None where there is neither."""
    corner = part.corner(relation)
    if corner is not None:
        found = part.delta(corner, neighbours=relation)
        return _proved(found, Point(corner, float(found), found.basis))
    sure = part.sure_loss(relation)
    return _proved(sure, Point(float(sure), 0.0, sure.basis)) if math.isfinite(float(sure)) else None


def _proved(found: Finding, point: Point) -> Point | None:
    return point if found.direction in (Direction.AT_MOST, Direction.EXACTLY) else None


@lru_cache(maxsize=64)
def added_up(parts: Releases, relation: Neighbours) -> tuple[Point | None, Releases]:
    """The point that the releases which have one come to, and the releases that have none."""
    found = [(part, number, point_of(part, relation)) for part, number in parts]
    others = tuple((part, number) for part, number, point in found if point is None)
    known = [(point, number) for _, number, point in found if point is not None]
    return (sum_of(known) if known else None), others


def sum_of(points: Iterable[tuple[Point, int]]) -> Point:
    """The sum of the epsilons, and 1 less the product of what each delta leaves, both rounded up."""
    known = list(points)
    with_delta = sum(number for point, number in known if point.delta > 0.0)
    rule = "basic-composition" if with_delta <= 1 else "optimal-composition-heterogeneous"
    return Point(
        sum_up(product_up(number, point.epsilon) for point, number in known),
        any_up([(point.delta, number) for point, number in known]),
        reduce(or_, (point.basis for point, _ in known)) | Basis.of(rule),
    )


def smaller(answer: Finding, other: Numbers) -> Finding:
    """The smaller of two upper bounds at each point, with what it rests on."""
    value, basis = other
    better = value < np.asarray(answer.value)
    if answer.direction is not Direction.AT_MOST or not np.any(better):
        return answer
    rests_on = basis if np.all(better) else answer.basis | basis
    return replace(answer, value=np.where(better, value, answer.value), basis=rests_on)


def any_up(chances: list[tuple[float, int]]) -> float:
    """The chance of at least one of several events, each with its count, rounded up."""
    known = [(chance, number) for chance, number in chances if chance > 0.0]
    if sum(number for _, number in known) <= FEW:
        return nearest_up(
            1 - math.prod(((1 - Fraction(chance)) ** number for chance, number in known), start=Fraction(1))
        )
    logs = math.fsum(number * math.log1p(-chance) if chance < 1.0 else -math.inf for chance, number in known)
    return min(1.0, float(up(-math.expm1(logs), 16)))
