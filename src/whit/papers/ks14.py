"""Kasiviswanathan and Smith (2014): semantic privacy and differential privacy, as stated, as proved, at best.

A semantic level is the largest distance between the beliefs of an adversary with and without a person's record. Where
the paper's number is above 1, and says nothing, it is given before it is cut off there.

The bounds as they are printed are about a record replaced by a default one, between neighbours that replace a record;
total_variation gives less. Theorems 2.4 and 4.2 come in two numbers, the distance between the beliefs and the
probability that it is exceeded for one of the people.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, SupportsFloat

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import Array, DiscreteGaussianLoss
from whit.errors import NotImplied, Unreachable
from whit.guarantees import PureDP, SemanticPrivacy
from whit.guarantees.conversions import (
    approximate_epsilon,
    conditioning_failure,
    convert,
    failure_by_conditioning,
    level_by_conditioning,
    level_printed,
    pointwise_failure,
    total_variation,
)
from whit.mechanisms import Gaussian, Laplace, RandomizedResponse
from whit.numerics import ULP, down, largest_true, probability_array, up
from whit.papers.case import Case, Way, middle
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

SOLVED = 1e-11
"""Nearness of a number at which two curves cross: their difference loses digits where it vanishes."""

FAILURE = Quantity("probability that the distance between the posteriors is exceeded", Unit.PROBABILITY)

_DELTA = "Use a small probability such as 1e-9."
_BASIS = Basis.of("approximate-to-semantic-printed")


@dataclass(frozen=True)
class Printed:
    """A distance between the beliefs with and without a person, and the probability that one of the people exceeds it.

    Either can come out as 1, and then says nothing.
    """

    distance: Finding
    failure: Finding


def theorem_2_4(epsilon: ArrayLike, delta: ArrayLike, *, people: ArrayLike) -> Printed:
    """Approximate differential privacy: e^(3 epsilon) - 1 + 2 sqrt(n delta), failing with at most 4 sqrt(n delta).

    Stated for delta below (1 - e^(-epsilon))^2/n. It says something only below epsilon = log(2)/3 and n delta = 1/16.

    >>> print(theorem_2_4(0.05, 1e-12, people=10_000).distance)
    distance between the posteriors with and without the person is at most 16.3 %
    """
    return _printed(epsilon, delta, 0.0, people, roots=2.0)


def theorem_4_2(epsilon: ArrayLike, delta: ArrayLike, *, exceptional: ArrayLike, people: ArrayLike) -> Printed:
    """The level where the promise fails at some datasets: e^(3 epsilon) - 1 + sqrt(n d), with at most 4 sqrt(n d).

    Exceptional is the probability of those datasets by the adversary's own belief, and d = delta + exceptional. Printed
    for epsilon above sqrt(n d); the proof needs that 1 - e^(-epsilon) is, and so does this function.
    """
    return _printed(epsilon, delta, exceptional, people, roots=1.0)


def delta_for_people(people: ArrayLike, *, epsilon: ArrayLike, distance: ArrayLike, failure: ArrayLike) -> Finding:
    """The largest delta by Theorem 2.4, for comparison with the function of that name beside it.

    The rule of thumb behind it: delta must be far below one over the number of people, and a failure of phi takes
    delta <= phi^2/(16 n).

    >>> print(delta_for_people(10_000, epsilon=0.05, distance=0.25, failure=0.001))
    largest delta that meets the distance is at least 6.24e-12
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


def sigma(case: Case) -> float:
    """The noise of Appendix B: variance log(1/delta)/epsilon^2."""
    return math.sqrt(-math.log(case.given("delta"))) / case.given("eps")


def _smallest_level(case: Case) -> float:
    found = convert(PureDP(case.given("eps")), to=SemanticPrivacy).result
    assert isinstance(found, SemanticPrivacy)  # as asked
    return found.level


def _epsilon_without_failure(case: Case) -> float:
    found = convert(SemanticPrivacy(case.given("s")), to=PureDP).result
    assert isinstance(found, PureDP)  # as asked
    return found.stated_epsilon


def _both_tails(case: Case) -> float:
    loss, epsilon = RandomizedResponse(case.given("eps_rr")).loss(), case.given("eps")
    return math.exp(loss.log_tail(epsilon).mid) + 1 - math.exp(loss.log_tail_closed(-epsilon).mid)


def _theorem_2_4(case: Case) -> Printed:
    return theorem_2_4(case.given("eps"), case.given("delta"), people=int(case.inputs["n"]))


def _by_conditioning(bound: Callable[..., SupportsFloat]) -> Way:
    """What the proof of Theorem 2.4 delivers."""
    inputs = "eps", "delta", "n", "delta1"
    return Way.of(lambda eps, delta, n, some: bound(eps, delta, population=int(n), exceptional=some), *inputs)


def _says_something(epsilon: Array) -> NDArray[np.bool_]:
    """Whether the stated level of one person without a delta is at most 1."""
    return np.asarray(level_by_conditioning.kernel(float(epsilon), 0.0, population=1, exceptional=0.0) <= 1.0)


def _likelihood_ratio(case: Case) -> float:
    """The likelihood ratio of two neighbouring counts, n off by noise: on whole numbers that of discrete noise."""
    losses = DiscreteGaussianLoss(sigma(case)).below.losses
    return math.exp(losses[len(losses) // 2 - int(case.inputs["n"])])


WAYS: Mapping[str, Way] = {
    "semantic level of a pure promise, as stated": Way.of(level_printed.kernel, "eps"),
    "semantic level of a pure promise, as the proof has it": Way.of(lambda eps: level_printed.kernel(2 * eps), "eps"),
    "smallest semantic level of a pure promise": Way(_smallest_level),
    "epsilon from a semantic level with a failure": Way.of(approximate_epsilon, "s"),
    "epsilon from a semantic level without a failure": Way(_epsilon_without_failure),
    "largest epsilon for which three times it is enough": Way(
        lambda _: float(largest_true(lambda e: approximate_epsilon.kernel(e / 2) <= 3 * e, 0.1, 0.99)), SOLVED
    ),
    "largest semantic level for which six times it is enough": Way(
        lambda _: float(largest_true(lambda s: approximate_epsilon.kernel(s) <= 6 * s, 0.1, 0.49)), SOLVED
    ),
    "two-sided tail of randomized response": Way(_both_tails),
    "point-wise failure at twice epsilon": Way.of(pointwise_failure, "eps", "delta"),
    "statistical distance": Way.of(total_variation.kernel, "eps", "delta"),
    "failure after conditioning": Way.of(conditioning_failure, "eps", "delta", "dhat"),
    "semantic level of an approximate promise, as stated": Way(lambda case: float(_theorem_2_4(case).distance)),
    "failure of the semantic level, as stated": Way(lambda case: float(_theorem_2_4(case).failure)),
    "epsilon from which the stated level is void": Way.of(lambda: largest_true(_says_something, 0.01, 1.0)),
    "failure that the proof delivers": _by_conditioning(failure_by_conditioning),
    "semantic level that the proof delivers": _by_conditioning(level_by_conditioning.kernel),
    "delta of Gaussian noise": Way(lambda case: middle(Gaussian(sigma(case)).delta(case.given("eps")))),
    "likelihood ratio under Gaussian noise": Way(_likelihood_ratio),
    "standard deviation of Laplace noise": Way.of(lambda scale: Laplace(scale).standard_deviation(), "scale"),
}
