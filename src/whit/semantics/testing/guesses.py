"""The best guess: how often somebody with a prior is right who says which dataset it was."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, Promise, questions
from whit.numerics import ULP, Bracket, add_down, add_up, down, probability_array, up
from whit.semantics.testing.gaps import log_profile
from whit.semantics.testing.hypotheses import curve_of_tests, report
from whit.setting import Knowledge, Neighbours
from whit.theory import Finding, Quantity, Unit

BEST_GUESS = Quantity("probability that the best guess is right", Unit.PROBABILITY)

PRIOR_WAY_OUT = "Use the probability that somebody gives to the fact before the release, such as 0.5."


def best_guess(
    promise: Promise,
    prior: ArrayLike,
    *,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
) -> Finding:
    """The largest probability of guessing right which of two neighbours it was, for each prior of one of them.

    Without the release it is the prior or its complement, whichever is larger.

    >>> from whit.guarantees import PureDP
    >>> print(best_guess(PureDP(1.0), 0.5))
    probability that the best guess is right is at most 73.2 %
    """
    curve = curve_of_tests(promise, neighbours, knows)
    priors = probability_array("prior", prior, PRIOR_WAY_OUT)
    rarer = np.minimum(priors, 1.0 - priors)  # exact: above 1/2 the difference is
    delta = questions.probabilities(log_profile(promise, curve, *_log_odds(rarer)))
    ends = (_right(rarer, delta.lower, -1), _right(rarer, delta.mid, 0), _right(rarer, delta.upper, 1))
    floor = add_down(1.0, -rarer)
    bracket = Bracket(*(np.clip(end, floor, 1.0) for end in ends))
    inputs = {"promise": promise, "prior": prior, "neighbours": neighbours, "knows": knows}
    return report(BEST_GUESS, curve, bracket, inputs, "best-guess", "profile-from-power")


def _log_odds(rarer: Array) -> tuple[Array, Array]:
    """The log of the odds against what is less probable, and how far rounding may have moved it."""
    with np.errstate(divide="ignore"):
        t = np.log1p(-rarer) - np.log(rarer)
    return np.asarray(t), np.asarray(4 * ULP * (1 + np.where(np.isfinite(t), np.abs(t), 0.0)))


def _right(rarer: Array, delta: Array, side: int) -> Array:
    """1 - r (1 - D): a lower bound, about, or an upper bound."""
    if side == 0:
        return np.asarray(1.0 - rarer * (1.0 - delta))
    if side > 0:
        return add_up(1.0, -_moved(rarer, add_down(1.0, -delta), -1))
    return add_down(1.0, -_moved(rarer, add_up(1.0, -delta), 1))


def _moved(rarer: Array, factor: Array, side: int) -> Array:
    """The product, rounded to a side; with 0 and 1 it is exact."""
    product = np.asarray(rarer * factor)
    exact = (factor == 1.0) | (factor == 0.0) | (rarer == 0.0)
    return np.where(exact, product, up(product) if side > 0 else np.maximum(down(product), 0.0))
