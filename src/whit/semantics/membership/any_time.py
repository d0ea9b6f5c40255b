"""Bounds at every moment for which nothing was fixed beforehand: wrong beliefs, and an account of what was spent."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import LARGEST_LOSS, Array
from whit.numerics import (
    ULP,
    finite_nonnegative,
    finite_positive,
    normal,
    open_probability,
    probability_array,
    smallest_crossing,
    up,
)
from whit.semantics.membership.bounds import PRIOR_WAY_OUT
from whit.theory import Basis, Direction, Failure, Finding, Quantity, Randomness, Unit

WRONG_BELIEF = Quantity("probability that a belief in what is false ever reaches the threshold", Unit.PROBABILITY)


def wrong_belief(prior: ArrayLike, reach: ArrayLike) -> Finding:
    """The largest probability that somebody ever comes to believe this much in a hypothesis that is false.

    It needs no privacy, only an adversary whose law of the output is right: the likelihood ratio for what is false is a
    martingale that starts at 1.

    >>> print(wrong_belief(0.5, 0.99))
    probability that a belief in what is false ever reaches the threshold is at most 1.02 %

    Args:
        prior: what is believed of the false hypothesis before the release.
        reach: the belief that is to be reached.
    """
    start = probability_array("prior", prior, PRIOR_WAY_OUT)
    end = probability_array("reach", reach, "Use the belief that is to be reached, such as 0.99.")
    inner = (start < end) & (end > 0.0)
    odds = np.divide(start * (1 - end), np.where(inner, (1 - start) * end, 1.0))
    value = np.where(inner, np.where(odds == 0.0, 0.0, np.minimum(up(odds, 8), 1.0)), 1.0)
    inputs = {"prior": prior, "reach": reach}
    return Finding(WRONG_BELIEF, value, Direction.AT_MOST, inputs, Basis.of("wrong-belief-at-any-time"))


def odometer(spent: float, *, expected: float, failure: float) -> Finding:
    """The largest loss that releases with this sum of rhos may have had at any moment, with no limit set beforehand.

    Each release is zero-concentrated with a rho that is chosen by what came out before, never by the data. With one
    chance of failure for all times together, the loss after every release is at most what this function gives for the
    sum up to it. It holds for any belief about the others.

    >>> print(odometer(0.5, expected=0.5, failure=0.01))
    privacy loss is at most 4.63, except with probability 1 %

    Args:
        spent: the sum of the rhos so far.
        expected: a rho about which the sum is expected to end, fixed beforehand; the bound is best near it.
        failure: the chance, over all times together, that the loss is ever larger.
    """
    total = finite_nonnegative("spent", spent, "Use the sum of the rhos of all releases so far.")
    scale = finite_positive("expected", expected, "Use a rho about which the sum may end, such as 0.5.")
    chance = open_probability("failure", failure, "Use a chance such as 0.01.")
    # Rounded up, the sum makes the bound a little larger.
    room = float(up(total + scale))
    logs = float(-np.log(chance)), float(np.log(room) - np.log(scale)) / 2
    wanted = sum(logs) - float(np.log(2.0)) + 16 * ULP * (4 + sum(logs) + abs(math.log(scale)))

    def short(deviations: Array) -> Array:
        """How much is wanting if the loss exceeds what was spent by so many deviations: at 0 above 0, and it falls."""
        return np.asarray(wanted - deviations**2 / 2 - normal.log_cdf(deviations))

    excess = smallest_crossing(short, (), tolerance=1e-13) * math.sqrt(2.0) * math.sqrt(room)
    loss = float(up(total + excess * (1 + 16 * ULP)))
    basis = Basis(theorems=("odometer",), failures=(Failure(chance, Randomness.BELIEF),))
    inputs = {"spent": spent, "expected": expected, "failure": failure}
    return Finding(LARGEST_LOSS, 0.0 if total == 0.0 else loss, Direction.AT_MOST, inputs, basis)
