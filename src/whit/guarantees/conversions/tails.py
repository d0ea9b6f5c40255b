"""From (epsilon, delta) to the tail of the privacy loss and back, as numbers.

A tail is the probability that the loss of a release passes a threshold; `failure` is how large it may be. One-sided
tails speak of losses above the threshold, two-sided ones also of losses below its negative.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import EPSILON, TAIL, Array
from whit.errors import require
from whit.guarantees.dominating import log_tail_of_point
from whit.numerics import (
    ULP,
    exp_up,
    finite_nonnegative,
    log_one_minus_ratio,
    paired,
    probability,
    probability_array,
    raised,
    real_array,
)
from whit.theory import Direction, Quantity, Unit, reported

TWO_SIDED_TAIL = Quantity("probability that the privacy loss exceeds the threshold in size", Unit.PROBABILITY)

_EPSILON = "Use a number of at least 0, such as 1."
_DELTA = "Use a small probability such as 1e-6."
_LOSS = "Use thresholds of at least 0, such as 1.5."
_FAILURE = "Use a probability such as 0.01."
_SHAPES = "Use numbers, or arrays of one shape."


@reported(TAIL, by="tail-from-approximate", direction=Direction.AT_MOST)
def one_sided_tail(epsilon: float, delta: float, loss: ArrayLike) -> Array:
    """The probability that the loss reaches a threshold, for every (epsilon, delta)-differentially private release.

    The smaller of delta/(1 - e^(epsilon-t)), for t above epsilon, and (e^epsilon - 1 + delta)/(e^epsilon - e^-t).

    >>> print(one_sided_tail(0.1, 0.3, 0.5))
    probability that the privacy loss exceeds the threshold is at most 81.3 %
    """
    eps = finite_nonnegative("epsilon", epsilon, _EPSILON)
    return exp_up(log_tail_of_point(eps, probability("delta", delta, _DELTA), _nonnegative("loss", loss, _LOSS)))


@reported(TWO_SIDED_TAIL, by="far-side", direction=Direction.AT_MOST)
def two_sided_tail(one_sided: ArrayLike, loss: ArrayLike) -> Array:
    """The probability that the loss passes a threshold in size, if in both orders it passes it upwards so often."""
    tail, t = probability_array("one_sided", one_sided, _FAILURE), _nonnegative("loss", loss, _LOSS)
    tail, t = paired(_SHAPES, one_sided=tail, loss=t)
    return np.asarray(np.minimum(raised(tail * (1 + np.exp(-t))), 1.0))


@reported(EPSILON, by="tail-from-approximate", direction=Direction.AT_MOST)
def one_sided_epsilon(epsilon: ArrayLike, delta: ArrayLike, failure: ArrayLike) -> Array:
    """The loss that an (epsilon, delta)-differentially private release reaches with at most the probability of failure.

    The smaller of epsilon - log(1 - delta/failure) and, where it is defined, of
    -log((1 - delta - e^epsilon (1 - failure)) / failure).
    """
    eps, delta_, phi = _promise_and_failure(epsilon, delta, failure)
    markov = raised(eps - log_one_minus_ratio(delta_, phi))
    return np.minimum(markov, _complement_epsilon(eps, delta_, phi))


@reported(EPSILON, by="approximate-to-probabilistic", direction=Direction.AT_MOST)
def two_sided_epsilon(epsilon: ArrayLike, delta: ArrayLike, failure: ArrayLike) -> Array:
    """The size of loss that a release passes with at most the probability of failure, above or below.

    It is log((failure e^epsilon + delta) / (failure - delta)).

    >>> print(two_sided_epsilon(0.1, 1e-7, 0.01))
    epsilon is at most 0.101
    """
    eps, delta_, phi = _promise_and_failure(epsilon, delta, failure)
    return raised(eps + np.log1p(_ratio(delta_, phi) * np.exp(-eps)) - log_one_minus_ratio(delta_, phi))


@reported(EPSILON, by="approximate-to-probabilistic", direction=Direction.AT_LEAST)
def largest_epsilon(two_sided: ArrayLike, delta: ArrayLike, failure: ArrayLike) -> Array:
    """The largest epsilon that, with this delta, keeps the loss within a size but for the probability of failure.

    The inverse of two_sided_epsilon, log(e^size (1 - delta/failure) - delta/failure), rounded down; a recommendation.
    """
    size, delta_, phi = _promise_and_failure(two_sided, delta, failure)
    lost = _ratio(delta_, phi) * (1 + np.exp(-size))
    require(
        bool(np.all(lost < 1.0)),
        name="failure",
        rule="must leave room for an epsilon",
        value=failure,
        way_out="Allow a larger failure, or lower delta.",
    )
    answer = size + np.log1p(-lost)
    return np.where(delta_ == 0.0, size, answer - 16 * ULP * (2 * size - answer))


def _complement_epsilon(eps: Array, delta: Array, phi: Array) -> Array:
    """The t at which (e^eps - 1 + delta)/(e^eps - e^-t) is the failure; infinite where there is none."""
    # 1 - delta - e^eps (1 - phi) = phi - delta - (e^eps - 1)(1 - phi); every part is rounded to the safe side.
    growth = np.expm1(np.minimum(eps, 700.0))
    inside = (phi - delta) * (1 - 1e-15) - growth * (1 - phi) * (1 + 1e-15)
    defined = (inside > 0) & (eps < 700.0)
    share = np.minimum(np.where(defined, inside, 1.0) / np.where(phi > 0, phi, 1.0), 1.0)
    return np.where(defined, raised(-np.log(share * (1 - 1e-15))), np.inf)


def _ratio(delta: Array, failure: Array) -> Array:
    return np.where(delta == 0.0, 0.0, delta / np.where(failure == 0.0, 1.0, failure))


def _promise_and_failure(epsilon: ArrayLike, delta: ArrayLike, failure: ArrayLike) -> tuple[Array, Array, Array]:
    eps, delta_ = _nonnegative("epsilon", epsilon, _EPSILON), probability_array("delta", delta, _DELTA)
    chance = probability_array("failure", failure, _FAILURE)
    eps, delta_, chance = paired(_SHAPES, epsilon=eps, delta=delta_, failure=chance)
    _require_room(delta_, chance)
    return eps, delta_, chance


def _nonnegative(name: str, values: ArrayLike, way_out: str) -> Array:
    array = real_array(name, values, way_out)
    legal = bool(np.all((array >= 0) & (array < math.inf)))
    require(legal, name=name, rule="must be finite and at least 0", value=values, way_out=way_out)
    return array


def _require_room(delta: Array, failure: Array) -> None:
    """Refuse a failure that is not above delta: with that probability nothing is promised at all."""
    require(
        bool(np.all((failure > delta) | (delta == 0.0))),
        name="failure",
        rule="must be above delta, with which probability nothing is promised",
        value=f"{float(np.min(failure)):g} against {float(np.max(delta)):g}",
        way_out="Allow a larger failure, or start from a promise with a smaller delta.",
    )
