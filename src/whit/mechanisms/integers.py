"""Quantiles of whole-number noise, on the safe side of rounding."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from whit.curves import Array
from whit.numerics import ULP, smallest_true
from whit.theory import Direction


def error_quantile(log_beyond: Callable[[Array], Array], probability: Array, error: float) -> tuple[Array, Direction]:
    """The smallest whole b for which log P[|noise| > b] is at most log(1 - probability), and its direction.

    The log of the probability beyond b carries a relative error of a few units and the absolute error given. Where
    rounding could decide between two answers, the larger one is given, and it is an upper bound.
    """
    with np.errstate(divide="ignore"):
        log_rest = np.log1p(-probability)

    def smallest(sign: float) -> Array:
        def within(b: Array) -> Array:
            logs = log_beyond(np.floor(b))
            slack = error + 8 * ULP * (1 + np.where(np.isfinite(logs), np.abs(logs), 0.0))
            with np.errstate(over="ignore"):
                return np.asarray(logs + sign * slack <= log_rest)

        found = smallest_true(within, np.zeros(probability.shape), np.full(probability.shape, np.inf))
        return np.where(np.isneginf(log_rest), np.inf, found)  # no number holds the noise for certain

    surely, perhaps = smallest(1.0), smallest(-1.0)
    return surely, Direction.EXACTLY if np.array_equal(surely, perhaps) else Direction.AT_MOST
