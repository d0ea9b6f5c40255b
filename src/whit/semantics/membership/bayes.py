"""Bayes's rule in floating point: each function rounds outwards, and none divides 0 by 0.

p is the prior, t >= 0 a bound on the loss and z a loss; each may be an array, and they broadcast. A certain prior, 0
or 1, stays what it is. The complement 1 - p is rounded where it must be, so that both ends of the priors are as good
as the middle. Work is done in blocks: the only array as large as the answer is the answer.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array
from whit.numerics import ULP, Bracket, add_up, down, reciprocal_up, up

BLOCK = 2**15
"""How many elements are worked on at a time: what is needed besides stays in the cache."""

# The errors allowed to numpy's expm1 and tanh, in doubles; that of its expm1 is that of its exp.
_EXPM1_ULPS = 2
_TANH_ULPS = 4

LOGISTIC_SLACK = 8 * ULP
"""The error of 1 / (1 + e^x): exp within two doubles, a sum and a quotient."""

Formula = Callable[[Array, Array], Array]
LossFormula = Callable[[Array], Array]


def applied(formula: Formula, prior: ArrayLike, loss: ArrayLike) -> Array:
    """The formula at each prior and loss, block by block."""
    p, t = np.broadcast_arrays(np.asarray(prior, dtype=np.float64), np.asarray(loss, dtype=np.float64))
    answer = np.empty(p.shape)
    flat = answer.reshape(-1)
    with np.errstate(divide="ignore", over="ignore", under="ignore", invalid="ignore"):
        for start in range(0, p.size, BLOCK):
            block = slice(start, start + BLOCK)
            flat[block] = formula(p.flat[block], t.flat[block])
    return answer


def posterior_up(p: Array, z: Array) -> Array:
    """p / (p + (1 - p) e^-z) for a loss z of either sign, rounded up."""
    small = _exp(-np.abs(z))
    own = np.where(z >= 0.0, p, up(p * small.upper))
    rest = _floored(1.0 - p)
    other = np.where(z >= 0.0, _floored(rest * small.lower), rest)
    highest = np.minimum(up(own / _floored(own + other)), 1.0)
    return _settled(p, z, highest, certain=(0.0, 1.0), unmoved=p)


def rounded_to_one(highest: Array, p: Array, z: ArrayLike) -> bool:
    """Whether upper bounds on posteriors are 1 by rounding only: a finite loss makes nobody certain who was not.

    >>> rounded_to_one(np.array(1.0), np.array(0.5), 60.0), rounded_to_one(np.array(1.0), np.array(0.5), np.inf)
    (True, False)
    """
    certain = (highest >= 1.0) & (p < 1.0)
    return bool(np.any(certain)) and not bool(np.any(certain & np.isinf(z)))


def posterior_down(p: Array, z: Array) -> Array:
    """p / (p + (1 - p) e^-z) for a loss z of either sign, rounded down."""
    small = _exp(-np.abs(z))
    own = np.where(z >= 0.0, p, _floored(p * small.lower))
    rest = up(1.0 - p)
    other = np.where(z >= 0.0, up(rest * small.upper), rest)
    lowest = _floored(own / up(own + other))
    return _settled(p, z, lowest, certain=(0.0, 1.0), unmoved=p)


def lowest_posterior(p: Array, t: Array) -> Array:
    """p / (p + (1 - p) e^t), rounded down."""
    return posterior_down(p, -t)


def ratio_up(p: Array, t: Array) -> Array:
    """1 / (p + (1 - p) e^-t), rounded up, and no more than the 1 / p of certainty; at the prior 0 the limit e^t."""
    highest = np.minimum(up(1.0 / _raised(p, t)), reciprocal_up(p))
    return _settled(p, t, highest, certain=(None, 1.0), unmoved=1.0)


def ratio_down(p: Array, t: Array) -> Array:
    """1 / (p + (1 - p) e^t), rounded down; at the prior 0 the limit e^-t."""
    low = _exp(-t).lower
    lowest = _floored(low / up(up(p * low) + up(1.0 - p)))
    return _settled(p, t, lowest, certain=(None, 1.0), unmoved=1.0)


def difference_up(p: Array, t: Array) -> Array:
    """p (1 - p) (1 - e^-t) / (p + (1 - p) e^-t), rounded up, and no more than the 1 - p of certainty."""
    rest = add_up(1.0, -p)
    highest = np.minimum(up(up(up(p * rest) * _moved(t)) / _raised(p, t)), rest)
    return _settled(p, t, highest, certain=(0.0, 0.0), unmoved=0.0)


def difference_down(p: Array, t: Array) -> Array:
    """-p (1 - p) (1 - e^-t) / (1 - p + p e^-t), rounded down."""
    left = _floored(_floored(p * _exp(-t).lower) + _floored(1.0 - p))
    fall = np.minimum(up(up(up(p * up(1.0 - p)) * _moved(t)) / left), p)
    return _settled(p, t, -fall, certain=(0.0, 0.0), unmoved=0.0)


def odds_up(p: Array, t: Array) -> Array:
    """p / (1 - p) e^t, rounded up; e^t is taken in two halves, since a small prior may bring it back among doubles."""
    half = _exp(t / 2).upper
    return _settled(p, t, up(up(up(p / _floored(1.0 - p)) * half) * half), certain=(0.0, np.inf), unmoved=None)


def odds_down(p: Array, t: Array) -> Array:
    """p / (1 - p) e^-t, rounded down."""
    half = _exp(-t / 2).lower
    lowest = _floored(_floored(_floored(p / up(1.0 - p)) * half) * half)
    return _settled(p, t, lowest, certain=(0.0, np.inf), unmoved=None)


def factor_up(t: Array) -> Array:
    """e^t, rounded up: the most by which a small prior and any odds can be multiplied."""
    return _exp(t).upper


def factor_down(t: Array) -> Array:
    """e^-t, rounded down."""
    return _exp(-t).lower


def change_up(t: Array) -> Array:
    """tanh(t / 4), rounded up: the difference at the prior where it is largest."""
    return np.where(t == 0.0, 0.0, np.minimum(up(np.tanh(t / 4), _TANH_ULPS), 1.0))


def change_down(t: Array) -> Array:
    """-tanh(t / 4), rounded down."""
    return -change_up(t)


def logistic(x: Array) -> Array:
    """1 / (1 + e^-x), to within the slack."""
    with np.errstate(over="ignore", under="ignore"):
        small = np.exp(-np.abs(x))
    return np.where(x >= 0.0, 1.0, small) / (1.0 + small)


def _raised(p: Array, t: Array) -> Array:
    """p + (1 - p) e^-t, rounded down."""
    return _floored(p + _floored(_floored(1.0 - p) * _exp(-t).lower))


def _moved(t: Array) -> Array:
    """1 - e^-t, rounded up."""
    return np.minimum(up(-np.expm1(-t), _EXPM1_ULPS), 1.0)


def _exp(x: Array) -> Bracket:
    return Bracket.exact(x).exp()


def _floored(x: Array) -> Array:
    """One double down, but not below 0; an overflow becomes the largest double."""
    return np.maximum(down(x), 0.0)


def _settled(
    p: Array, t: Array, values: Array, *, certain: tuple[float | None, float], unmoved: Array | float | None
) -> Array:
    """The values, with those that are known without rounding in their places: priors 0 and 1, and a loss of 0."""
    if unmoved is not None:
        values = np.where(t == 0.0, unmoved, values)
    at_zero, at_one = certain
    if at_zero is not None:
        values = np.where(p == 0.0, at_zero, values)
    return np.where(p == 1.0, at_one, values)
