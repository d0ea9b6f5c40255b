"""Parameters of promises as tails of the privacy loss and back, and what bounds Renyi divergences; as numbers.

A tail is the probability that the loss of a release passes a threshold; `failure` is how large it may be. One-sided
tails speak of losses above the threshold, two-sided ones also of losses below its negative. rho is the parameter of
zero-concentrated differential privacy, (alpha, gamma) that of Renyi differential privacy, mu that of Gaussian
differential privacy.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import EPSILON, TAIL, Array
from whit.errors import require
from whit.guarantees.epsilon_delta import log_tail_of_point
from whit.numerics import (
    ULP,
    exp_up,
    finite_nonnegative,
    log_one_minus_ratio,
    normal,
    paired,
    probability,
    probability_array,
    raised,
    real_array,
    smallest_true,
    times_up,
    up,
)
from whit.theory import Direction, Quantity, Unit, reported

RHO = Quantity("rho", Unit.NUMBER)
MU = Quantity("mu", Unit.NUMBER)
GAMMA = Quantity("gamma", Unit.NUMBER)

_RHO = "Use a number of at least 0, such as 0.1."
_ALPHA = "Use orders above 1, such as 2 and 10."
_LOSS = "Use thresholds such as 1.5."
_PROBABILITY = "Use a probability such as 1e-6."
_EPSILON = "Use a number of at least 0, such as 1."
_SHAPES = "Use numbers, or arrays of one shape."

# Below this epsilon the quantile is taken from its series about 1/2.
_CENTRAL = 0.1

# (-1)^k/(k+2)!, the last ones first. The last term is positive, so that the sum up to it is no smaller than the series.
_LAPLACE_SERIES = [(-1.0) ** k / math.factorial(k + 2) for k in range(20, -1, -1)]


@reported(EPSILON, by="zcdp-to-approximate", direction=Direction.AT_MOST)
def zcdp_epsilon(rho: ArrayLike, delta: ArrayLike) -> Array:
    """The textbook epsilon of rho-zCDP at a delta: rho + 2 sqrt(rho log(1/delta)).

    >>> print(zcdp_epsilon(0.5, 1e-6))
    epsilon is at most 5.76
    """
    return _zcdp_one_sided(_nonnegative("rho", rho, _RHO), probability_array("delta", delta, _PROBABILITY))


@reported(TAIL, by="zcdp-tails", direction=Direction.AT_MOST)
def zcdp_tail(rho: ArrayLike, loss: ArrayLike) -> Array:
    """The probability that the loss of a rho-zCDP release exceeds a threshold t: e^(-(t-rho)^2 / 4 rho) beyond rho."""
    rho_, t = paired(_SHAPES, rho=_nonnegative("rho", rho, _RHO), loss=real_array("loss", loss, _LOSS))
    beyond = t > rho_
    exponent = np.where(beyond, _quotient(t, np.where(rho_ > 0, rho_, 1.0)), 0.0)
    nothing = (rho_ == 0.0) & (t > 0)
    return np.where(nothing, 0.0, exp_up(-exponent * (1 - 8 * ULP)))


@reported(EPSILON, by="zcdp-tails", direction=Direction.AT_MOST)
def zcdp_one_sided_epsilon(rho: ArrayLike, failure: ArrayLike) -> Array:
    """The loss that a rho-zCDP release exceeds with at most the probability of failure."""
    return _zcdp_one_sided(_nonnegative("rho", rho, _RHO), probability_array("failure", failure, _PROBABILITY))


@reported(EPSILON, by="zcdp-tails", direction=Direction.AT_MOST)
def zcdp_two_sided_epsilon(rho: ArrayLike, failure: ArrayLike) -> Array:
    """The size of loss that a rho-zCDP release exceeds with at most the probability of failure, above or below."""
    chance = probability_array("failure", failure, _PROBABILITY)
    rho_, phi = paired(_SHAPES, rho=_nonnegative("rho", rho, _RHO), failure=chance)
    enough = _zcdp_one_sided(rho_, phi / 2) * (1 + 1e-12)
    live = (rho_ > 0) & (phi > 0) & (phi < 1)
    safe_rho, log_phi = np.where(live, rho_, 1.0), np.log(np.where(live, phi, 0.5)) * (1 + 8 * ULP)

    def within(t: Array) -> NDArray[np.bool_]:
        return _log_both_sides(-_quotient(t, safe_rho), t) <= log_phi

    high = np.where(live, enough, _zcdp_one_sided(np.array(1.0), np.array(0.25)) + 1.0)
    return np.where(live, smallest_true(within, safe_rho, high), np.where(phi >= 1, 0.0, enough))


@reported(TAIL, by="renyi-tails", direction=Direction.AT_MOST)
def renyi_tail(alpha: ArrayLike, gamma: ArrayLike, loss: ArrayLike) -> Array:
    """The probability that the loss of an (alpha, gamma)-Renyi private release exceeds a threshold t.

    It is e^((alpha - 1)(gamma - t)), and no more than 1.
    """
    gammas, t = _nonnegative("gamma", gamma, _RHO), real_array("loss", loss, _LOSS)
    orders, gammas, t = paired(_SHAPES, alpha=_orders(alpha), gamma=gammas, loss=t)
    exponent = np.maximum(t - gammas, 0.0) * (orders - 1)
    return exp_up(-exponent * (1 - 8 * ULP))


@reported(EPSILON, by="renyi-tails", direction=Direction.AT_MOST)
def renyi_one_sided_epsilon(alpha: ArrayLike, gamma: ArrayLike, failure: ArrayLike) -> Array:
    """The loss that an (alpha, gamma)-Renyi private release exceeds with at most the probability of failure."""
    orders, gammas, phi = _renyi(alpha, gamma, failure)
    with np.errstate(divide="ignore"):
        return np.where(phi >= 1, 0.0, raised(gammas - np.log(phi) / (orders - 1)))


@reported(EPSILON, by="renyi-tails", direction=Direction.AT_MOST)
def renyi_two_sided_epsilon(alpha: ArrayLike, gamma: ArrayLike, failure: ArrayLike) -> Array:
    """The size of loss that such a release exceeds with at most the probability of failure, above or below."""
    orders, gammas, phi = _renyi(alpha, gamma, failure)
    live = (phi > 0) & (phi < 1)
    log_phi = np.log(np.where(live, phi, 0.5)) * (1 + 8 * ULP)

    def within(t: Array) -> NDArray[np.bool_]:
        return _log_both_sides(-np.maximum(t - gammas, 0.0) * (orders - 1), t) <= log_phi

    high = (gammas + (np.log(2.0) - log_phi) / (orders - 1)) * (1 + 1e-12)
    return np.where(live, smallest_true(within, gammas, high), np.where(phi >= 1, 0.0, np.inf))


@reported(RHO, by="pure-to-zcdp", direction=Direction.AT_MOST)
def pure_rho(epsilon: ArrayLike) -> Array:
    """The smallest rho for which every epsilon-differentially private release is rho-zCDP: epsilon tanh(epsilon/2).

    >>> print(pure_rho(1.0))
    rho is at most 0.463
    """
    eps = _nonnegative("epsilon", epsilon, _EPSILON)
    return raised(times_up(eps, up(np.tanh(eps / 2))))


@reported(RHO, by="pure-to-zcdp-textbook", direction=Direction.AT_MOST)
def pure_rho_textbook(epsilon: ArrayLike) -> Array:
    """The textbook rho of an epsilon-differentially private release: epsilon^2/2."""
    eps = _nonnegative("epsilon", epsilon, _EPSILON)
    return raised(times_up(times_up(eps, eps), 0.5))


@reported(RHO, by="laplace-zcdp", direction=Direction.AT_MOST)
def laplace_rho(epsilon: ArrayLike) -> Array:
    """The smallest rho of Laplace noise whose largest loss is epsilon: epsilon + e^-epsilon - 1.

    >>> print(laplace_rho(1.0))
    rho is at most 0.368
    """
    eps = _nonnegative("epsilon", epsilon, _EPSILON)
    # Two of the three terms cancel near 0. A square that vanishes there is rounded up to a number above 0.
    near = times_up(times_up(eps, eps), np.polyval(_LAPLACE_SERIES, np.minimum(eps, 1.0)))
    return raised(np.where(eps < 1.0, near, eps + np.expm1(-eps)))


@reported(GAMMA, by="pure-to-renyi", direction=Direction.AT_MOST)
def pure_gamma(epsilon: ArrayLike, alpha: ArrayLike) -> Array:
    """The largest Renyi divergence of an order between neighbours of an epsilon-differentially private release.

    It is that of randomised response: log(cosh((alpha - 1/2) epsilon) / cosh(epsilon/2)) / (alpha - 1).
    """
    eps, orders = paired(_SHAPES, epsilon=_nonnegative("epsilon", epsilon, _EPSILON), alpha=_orders(alpha))
    half = eps / 2
    large, small = (2 * orders - 1) * half, half
    near = large < 300.0
    wave = np.sinh(np.where(near, orders * half, 0.0)) * np.sinh(np.where(near, (orders - 1) * half, 0.0))
    by_product = np.log1p(2 * wave / np.cosh(np.where(near, small, 0.0)))
    # log cosh x = x - log 2 + log(1 + e^-2x); here the first of them is far out and its last term is nothing.
    by_difference = (orders - 1) * eps - np.log1p(np.exp(-eps)) * (1 - 8 * ULP)
    return np.asarray(np.minimum(raised(np.where(near, by_product, by_difference) / (orders - 1)), eps))


@reported(MU, by="pure-to-gaussian", direction=Direction.AT_MOST)
def pure_mu(epsilon: ArrayLike) -> Array:
    """The smallest mu for which every epsilon-differentially private release is mu-GDP: -2 Phi^-1(1/(1 + e^epsilon)).

    >>> print(pure_mu(1.0))
    mu is at most 1.24
    """
    eps = _nonnegative("epsilon", epsilon, _EPSILON)
    far = -2 * normal.quantile_of_log(-np.logaddexp(0.0, np.maximum(eps, _CENTRAL)))
    near = 2 * _quantile_near_half(np.tanh(np.minimum(eps, _CENTRAL) / 2) / 2)
    return np.where(eps < _CENTRAL, raised(near), far + 2 * normal.QUANTILE_ERROR * np.maximum(far, 2.0))


def _quantile_near_half(offset: Array) -> Array:
    """An upper bound on Phi^-1(1/2 + y) for 0 <= y <= 1/40, by its series: a small y would be lost in 1/2 + y."""
    z = math.sqrt(math.pi) * offset
    # Every coefficient of the series is positive; the last one is doubled for all that follow.
    series = 1 + z**2 * (
        1 / 3 + z**2 * (7 / 30 + z**2 * (127 / 630 + z**2 * (4369 / 22680 + z**2 * 2 * 34807 / 178200)))
    )
    return np.asarray(math.sqrt(2.0) * z * series)


def _zcdp_one_sided(rho: Array, probability: Array) -> Array:
    rho, probability = paired(_SHAPES, rho=rho, probability=probability)
    with np.errstate(divide="ignore"):
        logs = -np.log(probability)
    spread = 2 * np.sqrt(rho * np.where(rho == 0.0, 0.0, logs))
    return np.where((rho == 0.0) | (probability >= 1.0), 0.0, raised(rho + spread))


def _quotient(t: Array, rho: Array) -> Array:
    """(t - rho)^2 / 4 rho without overflow, for t >= rho."""
    gap = np.maximum(t - rho, 0.0)
    return np.asarray((gap / rho) * (gap / 4))


def _log_both_sides(log_tail: Array, t: Array) -> Array:
    """Log of the tail times 1 + e^-t, rounded up."""
    return np.asarray(log_tail * (1 - 8 * ULP) + np.log1p(np.exp(-t)) * (1 + 8 * ULP))


def _renyi(alpha: ArrayLike, gamma: ArrayLike, failure: ArrayLike) -> tuple[Array, Array, Array]:
    phi = probability_array("failure", failure, _PROBABILITY)
    gammas = _nonnegative("gamma", gamma, _RHO)
    orders, gammas, phi = paired(_SHAPES, alpha=_orders(alpha), gamma=gammas, failure=phi)
    return orders, gammas, phi


def _orders(alpha: ArrayLike) -> Array:
    orders = real_array("alpha", alpha, _ALPHA)
    legal = bool(np.all((orders > 1) & np.isfinite(orders)))
    require(legal, name="alpha", rule="must be finite and above 1", value=alpha, way_out=_ALPHA)
    return orders


def _nonnegative(name: str, values: ArrayLike, way_out: str) -> Array:
    array = real_array(name, values, way_out)
    legal = bool(np.all((array >= 0) & np.isfinite(array)))
    require(legal, name=name, rule="must be finite and at least 0", value=values, way_out=way_out)
    return array


TWO_SIDED_TAIL = Quantity("probability that the privacy loss exceeds the threshold on either side", Unit.PROBABILITY)

_DELTA = "Use a small probability such as 1e-6."
_THRESHOLD = "Use thresholds of at least 0, such as 1.5."
_FAILURE = "Use a probability such as 0.01."


@reported(TAIL, by="tail-from-approximate", direction=Direction.AT_MOST)
def one_sided_tail(epsilon: float, delta: float, loss: ArrayLike) -> Array:
    """The probability that the loss reaches a threshold, for every (epsilon, delta)-differentially private release.

    The smaller of delta/(1 - e^(epsilon-t)), for t above epsilon, and (e^epsilon - 1 + delta)/(e^epsilon - e^-t).

    >>> print(one_sided_tail(0.1, 0.3, 0.5))
    probability that the privacy loss exceeds the threshold is at most 81.3 %
    """
    eps = finite_nonnegative("epsilon", epsilon, _EPSILON)
    return exp_up(log_tail_of_point(eps, probability("delta", delta, _DELTA), _nonnegative("loss", loss, _THRESHOLD)))


@reported(TWO_SIDED_TAIL, by="far-side", direction=Direction.AT_MOST)
def two_sided_tail(one_sided: ArrayLike, loss: ArrayLike) -> Array:
    """The probability that the loss passes a threshold in size, if in both orders it passes it upwards so often."""
    tail, t = probability_array("one_sided", one_sided, _FAILURE), _nonnegative("loss", loss, _THRESHOLD)
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
    """The largest epsilon that, with this delta, keeps the loss within a size, except with the failure probability.

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


def _require_room(delta: Array, failure: Array) -> None:
    """Refuse a failure that is not above delta: with that probability nothing is promised at all."""
    require(
        bool(np.all((failure > delta) | (delta == 0.0))),
        name="failure",
        rule="must be above delta, with which probability nothing is promised",
        value=f"{float(np.min(failure)):g} against {float(np.max(delta)):g}",
        way_out="Allow a larger failure, or start from a promise with a smaller delta.",
    )
