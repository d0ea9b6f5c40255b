"""The pair that is worst for a promise about one point (epsilon, delta): randomized response that may give itself away.

With probability delta the output names the dataset, otherwise it is a coin of bias e^epsilon. No pair of which
P(S) <= e^epsilon Q(S) + delta in both orders has a larger profile anywhere (theorem dominating-randomized-response).
"""

from __future__ import annotations

import numpy as np

from whit.curves import Array, Curve, FinitePair, Order, identical
from whit.numerics import ULP, log1mexp
from whit.theory import Basis, Direction


def dominating_pair(epsilon: float, delta: float = 0.0) -> FinitePair:
    """The pair of a coin of bias e^epsilon, and of infinite loss with probability delta."""
    if epsilon == delta == 0.0:
        return identical()
    with np.errstate(divide="ignore"):
        log_delta, log_rest = float(np.log(delta)), float(np.log1p(-delta))
    losses = np.array([-epsilon, epsilon] if epsilon > 0.0 else [0.0])
    coin = -np.logaddexp(0.0, -losses) if epsilon > 0.0 else np.zeros(1)
    if delta == 1.0:
        losses = coin = np.zeros(0)
        log_rest = 0.0
    # The log of each mass is rounded once for the coin and once for the rest: a few units of its size.
    error = float(ULP * (8 - 4 * log_rest) + 4 * ULP * epsilon)
    return FinitePair(losses, coin + log_rest, log_delta, log_delta, mass_error=error)


def dominating_curve(epsilon: float, delta: float, *keys: str) -> Curve:
    """The curve of that pair: an upper bound in the order of the profile."""
    pair = dominating_pair(epsilon, delta)
    return Curve(pair, Direction.AT_MOST, Order.PROFILE, Basis.of("dominating-randomized-response", *keys))


def log_tail_of_point(epsilon: float, delta: float, t: Array) -> Array:
    """Log of the best bound on P[Z > t] that (epsilon, delta) in both orders gives: theorem T2, with both its ends.

    D(e)/(1 - e^{e-t}) is a ratio of two linear functions of e^e between the knots -epsilon and epsilon of the profile,
    so it is smallest at one of the knots below t.
    """
    with np.errstate(divide="ignore"):
        log_delta = np.log(delta)
        log_below = np.logaddexp(log1mexp(-epsilon), log_delta - epsilon)  # D(-epsilon)
    bounds = [_quotient(log_below, -epsilon, t), _quotient(log_delta, epsilon, t)]
    lowest = np.minimum(np.minimum(*bounds), 0.0)
    rounding = ULP * (16 + 4 * np.where(np.isfinite(lowest), np.abs(lowest), 0.0))
    return np.minimum(lowest + rounding, 0.0)


def _quotient(log_numerator: float, knot: float, t: Array) -> Array:
    """Log of D(knot) / (1 - e^{knot-t}) where t lies above the knot, and 0 elsewhere."""
    above = t > knot
    with np.errstate(over="ignore"):
        gap = np.where(above, np.minimum(knot - t, -5e-324), -1.0)
    return np.where(above, log_numerator - log1mexp(gap), 0.0)
