"""The bounds on the power as they are printed in KAA22, beside the sharper ones, for comparison.

power() is never larger. Of pure and approximate differential privacy the printed bounds are the best there are; of a
list of points of a curve, and of a list of orders, they leave out what lies between.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import POWER, Array
from whit.errors import require
from whit.guarantees import RenyiDP, ZeroConcentratedDP
from whit.numerics import ULP, paired, probability_array, real_array, up
from whit.theory import Direction, reported

ORDERS = (1.01, 1.1, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 16.0, 32.0, 64.0, 128.0)
"""The orders at which the bound for zero-concentrated differential privacy is read, if none are named."""

_PAIRED = "Use one number, or as many of each."
_EPSILON = "Use a number such as 1."
_DELTA = "Use a small number such as 1e-6."
_LEVEL = "Use a rate of false alarms such as 0.05."


@reported(POWER, by="power-under-pure", direction=Direction.AT_MOST)
def pure_power(epsilon: ArrayLike, level: ArrayLike) -> Array:
    """Theorem 6.1: min(e^epsilon a, 1 - e^(-epsilon) (1 - a)) at level a.

    >>> print(pure_power(4.0, 0.01))
    power of the best test is at most 54.6 %
    """
    levels = probability_array("level", level, _LEVEL)
    epsilons, levels = paired(_PAIRED, epsilon=_epsilons(epsilon), level=levels)
    return _two_lines(epsilons, np.zeros(()), levels)


@reported(POWER, by="power-under-approximate", direction=Direction.AT_MOST)
def approximate_power(epsilon: ArrayLike, delta: ArrayLike, level: ArrayLike) -> Array:
    """Theorem 6.2: min(e^epsilon a + delta, 1 - e^(-epsilon) (1 - a - delta)) at level a.

    >>> print(approximate_power(1.0, 1e-3, 0.05))
    power of the best test is at most 13.7 %
    """
    deltas, levels = probability_array("delta", delta, _DELTA), probability_array("level", level, _LEVEL)
    return _two_lines(*paired(_PAIRED, epsilon=_epsilons(epsilon), delta=deltas, level=levels))


@reported(POWER, by="power-under-approximate", direction=Direction.AT_MOST)
def curve_power(epsilons: ArrayLike, deltas: ArrayLike, level: ArrayLike) -> Array:
    """After Theorem 6.2: the smallest of its bounds over a list of points (epsilon, delta) of a curve.

    >>> print(curve_power([0.5, 1.0, 2.0], [1e-2, 1e-3, 1e-6], 0.05))
    power of the best test is at most 9.25 %
    """
    points = _epsilons(epsilons), probability_array("deltas", deltas, _DELTA)
    same = points[0].shape == points[1].shape and points[0].ndim == 1 and points[0].size > 0
    rule, way_out = "must be two lists of equal length", "Pass one delta for each epsilon."
    require(same, name="epsilons and deltas", rule=rule, value=(epsilons, deltas), way_out=way_out)
    levels = probability_array("level", level, _LEVEL)
    return np.asarray(np.min(_two_lines(points[0], points[1], levels[..., None]), axis=-1))


@reported(POWER, by="renyi-power", direction=Direction.AT_MOST)
def renyi_power(alpha: float, gamma: float, level: ArrayLike) -> Array:
    """Theorem 6.3: the largest power that both divergences of one order allow.

    >>> print(renyi_power(2.0, 0.5, 0.05))
    power of the best test is at most 22.6 %
    """
    return np.asarray(RenyiDP({alpha: gamma}).power(level).value)


@reported(POWER, by="renyi-power", direction=Direction.AT_MOST)
def zcdp_power(rho: float, level: ArrayLike, *, orders: ArrayLike = ORDERS) -> Array:
    """After Theorem 6.3: the smallest of its bounds over a list of orders, each with gamma = rho alpha.

    >>> print(zcdp_power(0.1, 0.05))
    power of the best test is at most 13.6 %
    """
    alphas = np.atleast_1d(real_array("orders", orders, "Use orders above 1, such as [1.5, 2, 8]."))
    bound = ZeroConcentratedDP(rho).rho
    return np.asarray(RenyiDP({float(alpha): float(up(bound * alpha)) for alpha in alphas}).power(level).value)


def _epsilons(epsilon: ArrayLike) -> Array:
    clean = real_array("epsilon", epsilon, _EPSILON)
    require(bool(np.all(clean >= 0)), name="epsilon", rule="must be at least 0", value=epsilon, way_out=_EPSILON)
    return clean


def _two_lines(epsilon: Array, delta: Array, level: Array) -> Array:
    """The smaller of the two lines, rounded up and cut at 1."""
    with np.errstate(over="ignore", invalid="ignore"):
        rising = np.where(level > 0, np.exp(np.minimum(epsilon, 720.0)) * level, 0.0) + delta
    falling = -np.expm1(-epsilon) + np.exp(-epsilon) * (level + delta)
    return np.minimum(np.minimum(rising, falling) * (1 + 16 * ULP), 1.0)
