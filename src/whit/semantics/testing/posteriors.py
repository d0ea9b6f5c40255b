"""How often the best guess is right, and what is believed after a test rejects.

Somebody with the prior p for "P" who hears that a test of level a and power y rejects "Q" has the posterior
p y / (p y + (1 - p) a) for "P": the odds are multiplied by y / a. The ratio falls as the level grows, since the largest
power is concave in the level.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, Face, Promise, questions
from whit.numerics import ULP, Bracket, add_down, add_up, down, paired, probability_array, up
from whit.semantics.testing.powers import (
    LEVEL_WAY_OUT,
    POWER_WAY_OUT,
    Hypotheses,
    log_power_around,
    log_profile,
    logs_of,
)
from whit.setting import Knowledge, Neighbours
from whit.theory import Finding, Quantity, Unit

BEST_GUESS = Quantity("probability that the best guess is right", Unit.PROBABILITY, key="best_guess")

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
    tests = Hypotheses(promise, neighbours, knows)
    priors = probability_array("prior", prior, PRIOR_WAY_OUT)
    rarer = np.minimum(priors, 1.0 - priors)  # exact: above 1/2 the difference is
    delta = questions.probabilities(log_profile(promise, tests.curve, *_log_odds(rarer)))
    ends = (_right(rarer, delta.lower, -1), _right(rarer, delta.mid, 0), _right(rarer, delta.upper, 1))
    floor = add_down(1.0, -rarer)
    bracket = Bracket(*(np.clip(end, floor, 1.0) for end in ends))
    return tests.report(BEST_GUESS, bracket, "best-guess", "profile-from-power", prior=prior)


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
        return add_up(1.0, -_rounded_product(rarer, add_down(1.0, -delta), -1))
    return add_down(1.0, -_rounded_product(rarer, add_up(1.0, -delta), 1))


def _rounded_product(rarer: Array, factor: Array, side: int) -> Array:
    """The product, rounded to a side; with 0 and 1 it is exact."""
    product = np.asarray(rarer * factor)
    exact = (factor == 1.0) | (factor == 0.0) | (rarer == 0.0)
    return np.where(exact, product, up(product) if side > 0 else np.maximum(down(product), 0.0))


PREDICTIVE_VALUE = Quantity(
    "positive predictive value of the best test", Unit.PROBABILITY, key="positive_predictive_value"
)
POSTERIOR_AFTER_REJECTION = Quantity("positive predictive value of a test with this power", Unit.PROBABILITY)

# The log of a level so small that the ratio of power to level is about what it is at level 0.
_TINY = -1e4


def positive_predictive_value(
    promise: Promise,
    level: ArrayLike,
    prior: ArrayLike,
    *,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
) -> Finding:
    """The largest posterior after a rejection, over all tests of the level or of a larger one, for each prior.

    At level 0 it is the limit for small levels.

    >>> from whit.guarantees import PureDP
    >>> print(positive_predictive_value(PureDP(1.0), 0.05, 0.01))
    positive predictive value of the best test is at most 2.68 %
    """
    tests = Hypotheses(promise, neighbours, knows)
    logs, hair = logs_of("level", level, LEVEL_WAY_OUT)
    priors = probability_array("prior", prior, PRIOR_WAY_OUT)
    paired("Use one level, or one for each prior.", level=logs, prior=priors)
    bracket = _posterior(priors, tests.worst_order(lambda face: _raised_at_level(face, logs, hair)))
    return tests.report(
        PREDICTIVE_VALUE, bracket, "posterior-after-rejection", "power-is-concave", level=level, prior=prior
    )


def posterior_after_rejection(
    promise: Promise,
    power: ArrayLike,
    prior: ArrayLike,
    *,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
) -> Finding:
    """The largest posterior after a rejection, over all tests of the power or of a larger one, for each prior.

    Its odds are those of the prior times e^epsilon, with the epsilon of pbdp at delta = power: an output of at least
    this probability, however it was processed, raises the odds by no more.

    >>> from whit.mechanisms import Gaussian
    >>> print(posterior_after_rejection(Gaussian(1.0), 0.5, 0.1))
    positive predictive value of a test with this power is 26 % (rounded up)
    """
    tests = Hypotheses(promise, neighbours, knows)
    logs, hair = logs_of("power", power, POWER_WAY_OUT)
    priors = probability_array("prior", prior, PRIOR_WAY_OUT)
    paired("Use one power, or one for each prior.", power=logs, prior=priors)
    bracket = _posterior(priors, tests.worst_order(lambda face: _raised_at_power(face, logs, hair)))
    return tests.report(
        POSTERIOR_AFTER_REJECTION, bracket, "posterior-after-rejection", "bounded-curve", power=power, prior=prior
    )


def _raised_at_level(face: Face, logs: Array, hair: Array) -> Bracket:
    """Log of power over level at each level; at level 0 the limit."""
    some = np.where(np.isfinite(logs), logs, 0.0)
    power = log_power_around(face, some, hair)[1]
    return _with_limit(face, (power.lower - some, power.mid - some, power.upper - some), logs, hair)


def _raised_at_power(face: Face, logs: Array, hair: Array) -> Bracket:
    """Log of power over level at each power; at power 0 the limit."""
    some = np.where(np.isfinite(logs), logs, 0.0)
    level = face.log_level(some)
    return _with_limit(face, (some - level.upper, some - level.mid, some - level.lower), logs, hair)


def _with_limit(face: Face, ratios: tuple[Array, Array, Array], logs: Array, hair: Array) -> Bracket:
    """The ratio between its errors, with its limit for small levels where that is needed: the largest loss there is."""
    error = hair + 4 * ULP * np.abs(np.where(np.isfinite(logs), logs, 0.0))
    shifted = (ratios[0] - error, ratios[1], ratios[2] + error)
    ratio, at_zero = Bracket(*(np.maximum(end, 0.0) for end in shifted)), np.isneginf(logs)
    if not np.any(at_zero):
        return ratio
    free, near = face.log_power(np.full((), -np.inf)), face.log_power(np.full((), _TINY))
    upper = np.inf if free.upper > -np.inf or face.is_dear else face.epsilon(-np.inf).upper
    lower = np.inf if free.lower > -np.inf else max(float(near.lower) - _TINY - 1e-8, 0.0)
    mid = np.inf if free.mid > -np.inf else max(float(near.mid) - _TINY, 0.0)
    limits = (min(lower, upper), min(max(mid, lower), upper), upper)
    ends = zip(ratio.ends, limits, strict=True)
    return Bracket(*(np.where(at_zero, limit, end) for end, limit in ends))


def _posterior(prior: Array, ratio: Bracket) -> Bracket:
    """The posterior where the odds are multiplied by e^ratio; certainty stays certain."""
    with np.errstate(divide="ignore"):
        odds = np.log(prior) - np.log1p(-prior)
    inside = (prior > 0) & (prior < 1)
    odds = np.where(inside, odds, 0.0)
    ends = []
    for side, each in ((-1, ratio.lower), (0, ratio.mid), (1, ratio.upper)):
        finite = np.where(np.isfinite(each), each, 0.0)
        total = odds + each + side * ULP * (16 + 4 * (np.abs(odds) + np.abs(finite)))
        with np.errstate(over="ignore", under="ignore"):
            value = np.asarray(np.exp(-np.logaddexp(0.0, -total)))
        ends.append(np.where(inside, _moved(value, side), np.broadcast_to(prior, value.shape)))
    return Bracket(*ends)


def _moved(value: Array, side: int) -> Array:
    """A probability that is good to a few units in the last place, moved to a side of the truth."""
    if side == 0:
        return value
    return np.minimum(up(value, 6), 1.0) if side > 0 else np.maximum(down(value, 6), 0.0)
