"""Differential privacy as a bound on how far one record moves beliefs (semantic privacy), and back; as numbers.

The level of semantic privacy is the largest total variation distance between what an adversary believes after the
release and what they would believe had the record of one person not been used. The edges of
the graph of conversions to and from it are at the end.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import EPSILON, Array
from whit.errors import Incompatible, Unreachable, require
from whit.guarantees.conversions.indistinguishability import FAILURE, conditioning_failure
from whit.guarantees.conversions.points import read_profile
from whit.guarantees.conversions.step import Edge, least_over_log
from whit.guarantees.conversions.tails import one_sided_tail, two_sided_tail
from whit.guarantees.epsilon_delta import ApproxDP, PureDP
from whit.guarantees.semantic import SemanticPrivacy
from whit.numerics import (
    ULP,
    count,
    finite_nonnegative,
    finite_positive,
    open_probability,
    probability,
    raised,
    real_array,
)
from whit.setting import Knowledge, Neighbours
from whit.theory import Direction, Quantity, Unit, reported

LEVEL = Quantity("distance between the posteriors with and without the record", Unit.PROBABILITY)

_EPSILON = "Use a number such as 1."
_LEVEL = "Use a distance below 1, such as 0.2."
_DELTA = "Use a small probability such as 1e-12."
_POPULATION = "Use the number of people in the data, such as 10000."
_FAILURE = "Use a probability such as 0.001."


@reported(LEVEL, by="pure-to-semantic", direction=Direction.AT_MOST)
def level(epsilon: ArrayLike) -> Array:
    """The level that epsilon-differential privacy implies, whatever is believed of the others: tanh(epsilon/2).

    >>> print(level(1.0))
    distance between the posteriors with and without the record is at most 46.3 %
    """
    return np.minimum(raised(np.tanh(_nonnegative(epsilon) / 2)), 1.0)


@reported(LEVEL, by="pure-to-semantic", direction=Direction.AT_MOST)
def level_rest_known(epsilon: ArrayLike) -> Array:
    """The level against somebody who knows all the other records, if neighbours replace one: tanh(epsilon/4)."""
    return np.minimum(raised(np.tanh(_nonnegative(epsilon) / 4)), 1.0)


@reported(LEVEL, by="pure-to-semantic-printed", direction=Direction.AT_MOST)
def level_printed(epsilon: ArrayLike) -> Array:
    """The level by Theorem 2.2 of the paper: e^epsilon - 1, which says nothing from epsilon = log 2 on."""
    with np.errstate(over="ignore"):
        return raised(np.expm1(_nonnegative(epsilon)))


@reported(EPSILON, by="semantic-to-pure", direction=Direction.AT_MOST)
def pure_epsilon(level: ArrayLike) -> Array:
    """The epsilon that a level of semantic privacy implies: 4 artanh(level), for a level below 1."""
    return raised(4 * np.arctanh(_below("level", level, 1.0)))


@reported(EPSILON, by="semantic-to-approximate", direction=Direction.AT_MOST)
def approximate_epsilon(level: ArrayLike) -> Array:
    """The epsilon that a level below 1/2 implies by even odds, as in KS14: 2 artanh(2 level), with twice the failure.

    Other odds give 4 artanh(level), which is smaller, with 2 failure/(1 - level): see to_approximate.
    """
    return raised(2 * np.arctanh(2 * _below("level", level, 0.5)))


@reported(LEVEL, by="approximate-to-semantic", direction=Direction.AT_MOST)
def level_with_failure(epsilon: float, delta: float, *, population: int, failure: float) -> float:
    """The level that (epsilon, delta)-differential privacy implies, except with the failure probability.

    It is tanh(t/2) + 2 eta at the best threshold t of the loss; eta follows from the failure that is allowed.

    >>> print(level_with_failure(1.0, 1e-12, population=10_000, failure=4e-4))
    distance between the posteriors with and without the record is at most 48.3 %
    """
    eps, delta_ = finite_nonnegative("epsilon", epsilon, _EPSILON), probability("delta", delta, _DELTA)
    size, phi = count("population", population, _POPULATION), open_probability("failure", failure, _FAILURE)
    spare = phi * (1 - 1e-15) - size * delta_ * (1 + 1e-15)
    if spare <= 0.0:
        rule = f"must be above the delta of the promise times the population, {size * delta_:.3g}"
        raise Unreachable("failure", rule, failure, "Allow more failures, or start from a smaller delta.")
    if delta_ == 0.0:
        return float(level.kernel(eps))

    def at(gap: float) -> float:
        return _level_at(eps, delta_, size, spare, eps + gap)

    return min(at(least_over_log(at)), 1.0)


def _level_at(epsilon: float, delta: float, population: int, spare: float, loss: float) -> float:
    """tanh(t/2) + 2 eta, rounded up, with the eta that the failures left over allow at this threshold."""
    both = float(two_sided_tail.kernel(one_sided_tail.kernel(epsilon, delta, loss), loss))
    # population * both * (1 + e^epsilon) / spare, in logs because e^epsilon overflows.
    log_eta = math.log(population) + math.log(both) + float(np.logaddexp(0.0, epsilon)) - math.log(spare)
    slack = 1e-15 * (16 + abs(log_eta) + epsilon)
    eta = math.exp(min(log_eta + slack, 1.0))
    return float(raised(math.tanh(loss / 2) + 2 * eta))


@reported(LEVEL, by="approximate-to-semantic-printed", direction=Direction.AT_MOST)
def level_by_conditioning(epsilon: float, delta: float, *, population: int, exceptional: float = 0.0) -> float:
    """The level by Theorems 2.4 and 4.2 of the paper: e^(3 epsilon) - 1 + sqrt(population (delta + exceptional)).

    Exceptional is the probability, by the adversary's own belief, of datasets at which the promise does not hold.
    """
    eps, hat = _conditioning(epsilon, delta, population, exceptional)
    return float(raised(math.expm1(min(3 * eps, 700.0)) + hat))


@reported(FAILURE, by="approximate-to-semantic-printed", direction=Direction.AT_MOST)
def failure_by_conditioning(epsilon: float, delta: float, *, population: int, exceptional: float = 0.0) -> float:
    """How often that level fails: 2 sqrt(n d) + 2 n d/(1 - e^(-epsilon)), with d = delta + exceptional.

    The paper's 4 sqrt(n d) is no less where 1 - e^(-epsilon) exceeds sqrt(n d), and otherwise not proved.
    """
    eps, hat = _conditioning(epsilon, delta, population, exceptional)
    if hat == 0.0:
        return 0.0
    return float(raised(population * conditioning_failure.kernel(eps, delta + exceptional, min(hat, 1.0))))


def _conditioning(epsilon: float, delta: float, population: int, exceptional: float) -> tuple[float, float]:
    eps, size = finite_positive("epsilon", epsilon, _EPSILON), count("population", population, _POPULATION)
    total = probability("delta", delta, _DELTA) + probability("exceptional", exceptional, _DELTA)
    return eps, math.sqrt(size * total)


def _nonnegative(epsilon: ArrayLike) -> Array:
    eps = real_array("epsilon", epsilon, _EPSILON)
    legal = bool(np.all((eps >= 0) & np.isfinite(eps)))
    require(legal, name="epsilon", rule="must be finite and at least 0", value=epsilon, way_out=_EPSILON)
    return eps


def _below(name: str, values: ArrayLike, limit: float) -> Array:
    array = real_array(name, values, _LEVEL)
    legal = bool(np.all((array >= 0) & (array < limit)))
    rule = f"must be at least 0 and below {limit:g}, from where on it promises nothing"
    require(legal, name=name, rule=rule, value=values, way_out=_LEVEL)
    return array


def of_pure(
    source: PureDP,
    *,
    failure: float = 0.0,
    population: int | None = None,
    knows: Knowledge = Knowledge.ANY_BELIEF,
) -> SemanticPrivacy:
    """tanh(epsilon/2), or tanh(epsilon/4) where neighbours replace a record and the other records are known."""
    closer = knows is Knowledge.EVERYONE_ELSE and source.neighbours is not Neighbours.ADD_REMOVE
    kernel = level_rest_known.kernel if closer else level.kernel
    return _semantic(source, float(kernel(source.stated_epsilon)), failure, population, knows)


def of_pure_printed(
    source: PureDP,
    *,
    failure: float = 0.0,
    population: int | None = None,
    knows: Knowledge = Knowledge.ANY_BELIEF,
) -> SemanticPrivacy:
    """e^epsilon - 1, where that is below 1."""
    found = float(level_printed.kernel(source.stated_epsilon))
    return _semantic(source, min(found, 1.0), failure, population, knows)


def of_approximate(
    source: ApproxDP,
    *,
    failure: float | None = None,
    population: int | None = None,
    knows: Knowledge = Knowledge.ANY_BELIEF,
) -> SemanticPrivacy:
    """tanh(t/2) + 2 eta at the best threshold t."""
    allowed, size = _both(failure, population)
    found = level_with_failure.kernel(source.stated_epsilon, source.stated_delta, population=size, failure=allowed)
    return _semantic(source, float(found), allowed, size, knows)


def of_approximate_printed(
    source: ApproxDP,
    *,
    failure: float | None = None,
    population: int | None = None,
    knows: Knowledge = Knowledge.ANY_BELIEF,
) -> SemanticPrivacy:
    """e^(3 epsilon) - 1 + sqrt(n delta), where the failure allows it."""
    allowed, size = _both(failure, population)
    if source.stated_epsilon == 0.0:
        raise Unreachable("epsilon", "must be above 0 for this theorem", 0.0, "Use the other one.")
    epsilon, delta = source.stated_epsilon, source.stated_delta
    needed = float(failure_by_conditioning.kernel(epsilon, delta, population=size))
    if needed > allowed:
        raise Unreachable("failure", f"must be at least {needed:.3g} for this theorem", allowed, "Allow more failures.")
    found = float(level_by_conditioning.kernel(epsilon, delta, population=size))
    return _semantic(source, min(found, 1.0), allowed, size, knows)


def to_approximate(source: SemanticPrivacy, *, delta: float | None = None, epsilon: float | None = None) -> ApproxDP:
    """4 artanh(level) with 2 delta/(1 - level); a smaller delta by a larger prior, the rest by that curve."""
    found, failing = source.approximate()
    if delta is not None and delta < failing:
        # Raised, so that delta/prior is not above what is asked after rounding.
        found, failing = source.approximate(source.stated_delta / delta * (1 + 8 * ULP))
    if failing >= 1.0:
        rule = "must have a level below 1 and a delta below (1 - level)/2 to imply anything"
        raise Unreachable("semantic privacy", rule, source, "Use a smaller level.")
    point = ApproxDP(found, failing, neighbours=source.neighbours)
    return point if delta is None and epsilon is None else read_profile(point, delta=delta, epsilon=epsilon)


def _semantic(
    source: PureDP | ApproxDP, found: float, failure: float, population: int | None, knows: Knowledge
) -> SemanticPrivacy:
    return SemanticPrivacy(found, failure, population=population, knows=knows, neighbours=source.neighbours)


def _both(failure: float | None, population: int | None) -> tuple[float, int]:
    """The two parameters without which a promise with a delta says nothing of beliefs."""
    if failure is None or population is None:
        missing = "failure" if failure is None else "population"
        rule = "must be given where the promise has a delta"
        suggested = {"failure": 0.001, "population": 10000}
        raise Incompatible(
            missing, rule, "nothing", "Give both, such as {failure} and {population}.", suggested=suggested
        )
    return failure, population


EDGES: tuple[Edge, ...] = (
    Edge(PureDP, SemanticPrivacy, "pure-to-semantic", False, of_pure, sharp=True),
    Edge(PureDP, SemanticPrivacy, "pure-to-semantic-printed", False, of_pure_printed),
    Edge(ApproxDP, SemanticPrivacy, "approximate-to-semantic", False, of_approximate),
    Edge(ApproxDP, SemanticPrivacy, "approximate-to-semantic-printed", False, of_approximate_printed),
    Edge(SemanticPrivacy, ApproxDP, "semantic-to-approximate", False, to_approximate, one_point=True),
)
"""All edges to and from semantic privacy, except the one to pure privacy."""
