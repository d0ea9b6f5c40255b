"""Sums and differences of numbers that are given by their logarithms: e^-inf is 0, and nothing over- or underflows.

Every function takes numbers or arrays, broadcasts, and returns a float64 array (0-d for a single number).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import InvalidInput, require

_WAY_OUT = "Check the number that the logarithm was taken of."
_LARGEST = float(np.finfo(np.float64).max)


def log1mexp(x: ArrayLike) -> NDArray[np.float64]:
    """Return log(1 - e^x) for x <= 0, to a few units in the last place: -inf at 0, and 0 at -inf.

    >>> float(log1mexp(math.log(0.75)))  # doctest: +ELLIPSIS
    -1.386294361119...
    """
    values = _where_legal(x, "x", "must be at most 0", upper=0.0)
    near_zero = values > -math.log(2.0)  # Maechler's rule: each branch where it does not cancel
    with np.errstate(divide="ignore", under="ignore"):
        small = np.log(-np.expm1(np.where(near_zero, values, -1.0)))
        large = np.log1p(-np.exp(np.where(near_zero, -1.0, values)))
    return np.where(near_zero, small, large)


def log_expm1(x: ArrayLike) -> NDArray[np.float64]:
    """Return log(e^x - 1) for x >= 0: -inf at 0, and inf at inf."""
    values = _where_legal(x, "x", "must be at least 0", lower=0.0)
    near_zero = values < math.log(2.0)
    with np.errstate(divide="ignore", under="ignore"):
        small = np.log(np.expm1(np.where(near_zero, values, 1.0)))
        large = values + np.log1p(-np.exp(-np.where(near_zero, 1.0, values)))
    return np.where(near_zero, small, large)


def logsubexp(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    """Return log(e^a - e^b) for a >= b; equal ones, minus infinity included, give -inf.

    For a and b as given, the error is a few units in the last place of the largest of 1, |a| and the result.
    """
    larger, smaller = np.broadcast_arrays(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    legal = (larger >= smaller) & (smaller < math.inf)
    rule = "must be at least b, and b finite or -inf"
    require(bool(legal.all()), name="a", rule=rule, value=(a, b), way_out="Exchange a and b.")
    empty = larger == -math.inf
    gap = np.where(empty, 0.0, smaller - np.where(empty, 0.0, larger))
    return np.asarray(np.where(empty, -math.inf, larger + log1mexp(np.where(empty, -1.0, gap))))


def logsumexp(a: ArrayLike, axis: int | None = None) -> NDArray[np.float64]:
    """The logarithm of the sum of e^a along an axis, or of all; the sum of nothing is 0, so its logarithm -inf."""
    values = _where_legal(a, "a", "must be numbers")
    top = np.max(values, axis=axis, keepdims=True, initial=-math.inf)
    finite_top = np.where(np.isinf(top), 0.0, top)
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        total = np.sum(np.exp(values - finite_top), axis=axis, keepdims=True)
        result = finite_top + np.log(total)
    return np.asarray(result.reshape(()) if axis is None else np.squeeze(result, axis=axis))


def log_dot(log_weights: ArrayLike, values: ArrayLike, axis: int | None = None) -> NDArray[np.float64]:
    """The logarithm of the sum of e^log_weights * values along an axis, or of all; values are finite, at least 0."""
    factors = _where_legal(values, "values", "must be finite and at least 0", lower=0.0, upper=_LARGEST)
    with np.errstate(divide="ignore"):
        logs = np.log(factors)
    return logsumexp(np.asarray(log_weights, dtype=np.float64) + logs, axis)


def _where_legal(
    x: ArrayLike, name: str, rule: str, *, lower: float = -math.inf, upper: float = math.inf
) -> NDArray[np.float64]:
    """The argument as a float64 array, if all of it lies in [lower, upper]; nan lies nowhere."""
    values = np.asarray(x, dtype=np.float64)
    legal = (values >= lower) & (values <= upper)
    if not legal.all():
        raise InvalidInput(name, rule, float(values[~legal][0]), _WAY_OUT)
    return values


def log_multisets(kinds: float, number: int) -> float:
    """Log of in how many ways so many things can be drawn of so many kinds, with repetition; infinitely many at most.

    >>> round(math.exp(log_multisets(3, 2)))
    6
    """
    if kinds == 0 or math.isinf(kinds):
        return math.inf if kinds else 0.0
    return math.lgamma(number + kinds) - math.lgamma(kinds) - math.lgamma(number + 1)
