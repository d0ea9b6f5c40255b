"""What Renyi divergences say of tails, of (epsilon, delta), and what bounds them; as numbers.

rho is the parameter of zero-concentrated differential privacy, (alpha, gamma) that of Renyi differential privacy,
mu that of Gaussian differential privacy.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import EPSILON, TAIL, Array
from whit.errors import require
from whit.numerics import ULP, exp_up, normal, paired, probability_array, raised, real_array, smallest_true
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
    return raised(eps * np.tanh(eps / 2))


@reported(RHO, by="pure-to-zcdp-textbook", direction=Direction.AT_MOST)
def pure_rho_textbook(epsilon: ArrayLike) -> Array:
    """The textbook rho of an epsilon-differentially private release: epsilon^2/2."""
    eps = _nonnegative("epsilon", epsilon, _EPSILON)
    return raised(eps * eps / 2)


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
