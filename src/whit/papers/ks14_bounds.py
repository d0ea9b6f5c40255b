"""The bounds of Kasiviswanathan and Smith (2014) as they are printed, where they hold; total_variation gives less.

All are about a record replaced by a default one, between neighbours that replace a record. Theorems 2.4 and 4.2 come in
two numbers, the distance between the beliefs and the probability that it is exceeded for one of the people.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array
from whit.errors import NotImplied, Unreachable
from whit.guarantees.conversions import level_printed
from whit.numerics import ULP, down, probability_array, up
from whit.semantics.counterfactual import (
    DISTANCE,
    ENOUGH,
    distances,
    epsilons,
    numbers_of_people,
    positive_failures,
    together,
)
from whit.theory import Basis, Direction, Finding, Quantity, Unit

FAILURE = Quantity("probability that the distance between the beliefs is exceeded", Unit.PROBABILITY)

_DELTA = "Use a small probability such as 1e-9."
_BASIS = Basis.of("approximate-to-semantic-printed")


@dataclass(frozen=True)
class Printed:
    """A distance between the beliefs with and without a person, and the probability that one of the people exceeds it.

    Either can come out as 1, and then says nothing.
    """

    distance: Finding
    failure: Finding


def theorem_2_2(epsilon: ArrayLike) -> Finding:
    """Pure differential privacy: e^epsilon - 1, which says nothing from epsilon = log 2 on.

    The proof in the paper is about half the epsilon; the statement is true, since tanh(epsilon/2) is smaller.

    >>> print(theorem_2_2(0.1))
    distance between the beliefs with and without the record is at most 10.6 %
    """
    return level_printed(epsilon)


def theorem_2_4(epsilon: ArrayLike, delta: ArrayLike, *, people: ArrayLike) -> Printed:
    """Approximate differential privacy: e^(3 epsilon) - 1 + 2 sqrt(n delta), failing with at most 4 sqrt(n delta).

    Stated for delta below (1 - e^(-epsilon))^2/n. It says something only below epsilon = log(2)/3 and n delta = 1/16.

    >>> print(theorem_2_4(0.05, 1e-12, people=10_000).distance)
    distance between the beliefs with and without the person is at most 16.3 %
    """
    return _printed(epsilon, delta, 0.0, people, roots=2.0)


def theorem_4_2(epsilon: ArrayLike, delta: ArrayLike, *, exceptional: ArrayLike, people: ArrayLike) -> Printed:
    """The level where the promise fails at some datasets: e^(3 epsilon) - 1 + sqrt(n d), with at most 4 sqrt(n d).

    Exceptional is the probability of those datasets by the adversary's own belief, and d = delta + exceptional. Printed
    for epsilon above sqrt(n d); the proof needs that 1 - e^(-epsilon) is, and so does this function.
    """
    return _printed(epsilon, delta, exceptional, people, roots=1.0)


def corollary_4_4(epsilon: ArrayLike, *, exceptional: ArrayLike, people: ArrayLike) -> Printed:
    """Laplace noise for a local sensitivity that is exceeded at datasets believed in with probability `exceptional`."""
    return _printed(epsilon, 0.0, exceptional, people, roots=1.0)


def delta_for_people(people: ArrayLike, *, epsilon: ArrayLike, distance: ArrayLike, failure: ArrayLike) -> Finding:
    """The largest delta by Theorem 2.4, for comparison with the function of that name beside it.

    The rule of thumb behind it: delta must be far below one over the number of people, and a failure of phi takes
    delta <= phi^2/(16 n).

    >>> print(delta_for_people(10_000, epsilon=0.05, distance=0.25, failure=0.001))
    largest delta that is small enough is at least 6.24e-12
    """
    counts, eps, limit, allowed = together(
        people=numbers_of_people(people),
        epsilon=epsilons(epsilon),
        distance=distances(distance),
        failure=positive_failures(failure),
    )
    room = limit * (1 - 16 * ULP) - up(np.expm1(np.minimum(3 * eps, 700.0)), 16)
    if not np.all((room > 0.0) & (eps > 0.0)):
        rule = "must be above e^(3 epsilon) - 1 for this theorem, and epsilon above 0"
        raise Unreachable("distance", rule, distance, "Use a smaller epsilon, or total_variation instead.")
    root = np.minimum(np.minimum(room / 2, allowed / 4), -np.expm1(-eps))
    inputs: dict[str, Any] = {"people": people, "epsilon": epsilon, "distance": distance, "failure": failure}
    return Finding(ENOUGH, down(root * root / counts, 16), Direction.AT_LEAST, inputs, _BASIS)


def _printed(
    epsilon: ArrayLike, delta: ArrayLike, exceptional: ArrayLike, people: ArrayLike, *, roots: float
) -> Printed:
    eps, part, rest, counts = together(
        epsilon=epsilons(epsilon),
        delta=probability_array("delta", delta, _DELTA),
        exceptional=probability_array("exceptional", exceptional, _DELTA),
        people=numbers_of_people(people),
    )
    root = up(np.sqrt(up(counts * up(part + rest), 1)), 2)
    _require_in_domain(eps, root, delta)
    level = np.where(eps > math.log(2) / 3, 1.0, up(np.expm1(np.minimum(3 * eps, 1.0)), 4) + roots * root)
    inputs: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "exceptional": exceptional, "people": people}
    return Printed(
        Finding(DISTANCE, np.minimum(up(level, 2), 1.0), Direction.AT_MOST, inputs, _BASIS),
        Finding(FAILURE, np.minimum(4 * root, 1.0), Direction.AT_MOST, inputs, _BASIS),
    )


def _require_in_domain(eps: Array, root: Array, delta: ArrayLike) -> None:
    least = down(-np.expm1(-eps), 4)
    if np.all(root < least):
        return
    rule = "must have sqrt(n delta) below 1 - e^(-epsilon) for the theorem to hold"
    raise NotImplied("delta", rule, delta, "Use a smaller delta, a larger epsilon, or total_variation instead.")
