"""Lemmas 3.3 and 3.4 of Kasiviswanathan and Smith (2014), with their constants put right.

Two laws are (epsilon, delta)-indistinguishable if P(S) <= e^epsilon Q(S) + delta for every event S and in both orders;
they are so point-wise if their ratio lies within e^epsilon outside an event of probability delta under each. Part 1
(point-wise implies the other) is the edge from ProbabilisticDP to ApproxDP; part 3 says that nothing changes when the
data are random, and needs no number.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import DELTA, Array
from whit.errors import require
from whit.numerics import paired, probability_array, raised, real_array
from whit.theory import Direction, Quantity, Unit, reported

FAILURE = Quantity("probability of failure", Unit.PROBABILITY)
DISTANCE = Quantity("total variation distance", Unit.PROBABILITY)

_EPSILON = "Use a number above 0, such as 1."
_DELTA = "Use a small probability such as 1e-6."
_SHAPES = "Use numbers, or arrays of one shape."


@reported(FAILURE, by="indistinguishable-pointwise", direction=Direction.AT_MOST)
def pointwise_failure(epsilon: ArrayLike, delta: ArrayLike) -> Array:
    """How often the ratio of two (epsilon, delta)-indistinguishable laws leaves e^(2 epsilon): the paper's bound."""
    eps, delta_ = _parameters(epsilon, delta)
    return raised(2 * delta_ / -np.expm1(-eps))


@reported(FAILURE, by="approximate-to-probabilistic", direction=Direction.AT_MOST)
def pointwise_failure_tight(epsilon: ArrayLike, delta: ArrayLike) -> Array:
    """The failure at its smallest: delta (1 + e^(-2 epsilon)) / (1 - e^(-epsilon))."""
    eps, delta_ = _parameters(epsilon, delta)
    return raised(delta_ * (1 + np.exp(-2 * eps)) / -np.expm1(-eps))


@reported(DELTA, by="indistinguishable-mostly", direction=Direction.AT_MOST)
def delta_with_exceptions(delta: ArrayLike, exceptional: ArrayLike) -> Array:
    """The delta of a release that keeps its promise except on datasets of so small a probability."""
    share = probability_array("exceptional", exceptional, "Use a small probability such as 0.001.")
    return np.minimum(raised(probability_array("delta", delta, _DELTA) + share), 1.0)


@reported(DISTANCE, by="indistinguishable-distance", direction=Direction.AT_MOST)
def total_variation(epsilon: ArrayLike, delta: ArrayLike) -> Array:
    """The distance of two (epsilon, delta)-indistinguishable laws by the paper: e^epsilon - 1 + delta."""
    eps, delta_ = _parameters(epsilon, delta)
    with np.errstate(over="ignore"):
        return raised(np.expm1(eps) + delta_)


@reported(DISTANCE, by="indistinguishable-distance", direction=Direction.AT_MOST)
def total_variation_tight(epsilon: ArrayLike, delta: ArrayLike) -> Array:
    """The largest distance of two such laws: (e^epsilon - 1 + 2 delta)/(e^epsilon + 1)."""
    eps, delta_ = _parameters(epsilon, delta)
    shrunk = np.exp(-eps)
    return np.minimum(raised((-np.expm1(-eps) + 2 * delta_ * shrunk) / (1 + shrunk)), 1.0)


@reported(FAILURE, by="conditioning", direction=Direction.AT_MOST)
def conditioning_failure(epsilon: ArrayLike, delta: ArrayLike, conditional_delta: ArrayLike) -> Array:
    """How often the laws of A given B are not (3 epsilon, conditional_delta)-indistinguishable, if those of (A, B) are.

    It is 2 delta/conditional_delta + 2 delta/(1 - e^(-epsilon)).
    """
    eps, delta_ = _parameters(epsilon, delta)
    hat = probability_array("conditional_delta", conditional_delta, _DELTA)
    rule = "must be above 0"
    require(bool(np.all(hat > 0)), name="conditional_delta", rule=rule, value=conditional_delta, way_out=_DELTA)
    delta_, hat = paired(_SHAPES, delta=delta_, conditional_delta=hat)
    return raised(2 * delta_ / hat + 2 * delta_ / -np.expm1(-eps))


def _parameters(epsilon: ArrayLike, delta: ArrayLike) -> tuple[Array, Array]:
    eps = real_array("epsilon", epsilon, _EPSILON)
    legal = bool(np.all((eps > 0) & np.isfinite(eps)))
    require(legal, name="epsilon", rule="must be finite and above 0", value=epsilon, way_out=_EPSILON)
    eps, chance = paired(_SHAPES, epsilon=eps, delta=probability_array("delta", delta, _DELTA))
    return eps, chance
