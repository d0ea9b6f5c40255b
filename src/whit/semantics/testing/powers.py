"""Level and power: the largest power at a level, the smallest level of a power, and power minus level."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import LOG_POWER, POWER, Face, Promise, questions
from whit.numerics import Bracket, add_down, add_up, probability_array
from whit.semantics.testing.gaps import log_profile
from whit.semantics.testing.hypotheses import curve_of_tests, log_probabilities, logs_of, report
from whit.setting import Knowledge, Neighbours
from whit.theory import Finding, Quantity, Unit

LEVEL_WAY_OUT = "Use a rate of false alarms such as 0.05."


def power(
    promise: Promise,
    level: ArrayLike,
    *,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
) -> Finding:
    """The largest power of a test of one dataset against its neighbour, at each level.

    >>> from whit.guarantees import PureDP
    >>> print(power(PureDP(1.0), 0.05))
    power of the best test is at most 13.6 %
    """
    curve = curve_of_tests(promise, neighbours, knows)
    bracket = worst_power(curve.face, level)
    inputs = {"promise": promise, "level": level, "neighbours": neighbours, "knows": knows}
    return report(POWER, curve, bracket, inputs, "neyman-pearson")


def log_power(
    promise: Promise,
    log_level: ArrayLike,
    *,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
) -> Finding:
    """Log of the largest power, at each log of a level: for levels and powers too small for a double.

    >>> from whit.mechanisms import Gaussian
    >>> print(log_power(Gaussian(1.0), -2000.0))
    log of the power of the best test is -1937 (rounded up)
    """
    curve = curve_of_tests(promise, neighbours, knows)
    logs = log_probabilities("log_level", log_level)
    bracket = questions.worst_order(curve.face, lambda face: face.log_power(logs))
    inputs = {"promise": promise, "log_level": log_level, "neighbours": neighbours, "knows": knows}
    return report(LOG_POWER, curve, bracket, inputs, "neyman-pearson")


def worst_power(face: Face, level: ArrayLike) -> Bracket:
    """The largest power at each level, of the worse order of the pair."""
    logs, hair = logs_of("level", level, LEVEL_WAY_OUT)
    # The log of a level is rounded: the truth lies between the powers a hair earlier and a hair later.
    around = np.minimum(np.stack([logs - hair, logs, logs + hair]), 0.0)
    three = questions.worst_order(face, lambda each: each.log_power(around))
    return questions.probabilities(Bracket(three.lower[0], three.mid[1], three.upper[2]))


LEVEL = Quantity("level that a test of the power must have", Unit.PROBABILITY, less_is_worse=True)
LOG_LEVEL = Quantity("log of the level that a test of the power must have", Unit.NUMBER, less_is_worse=True)

POWER_WAY_OUT = "Use a rate of hits such as 0.5."


def level(
    promise: Promise,
    power: ArrayLike,
    *,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
) -> Finding:
    """The smallest level at which a test of one dataset against its neighbour can have each power.

    >>> from whit.guarantees import PureDP
    >>> print(level(PureDP(1.0), 0.5))
    level that a test of the power must have is at least 18.3 %
    """
    curve = curve_of_tests(promise, neighbours, knows)
    logs, hair = logs_of("power", power, POWER_WAY_OUT)
    # The log of a power is rounded: the truth lies between the levels a hair earlier and a hair later.
    around = np.stack([logs - hair, logs, np.minimum(logs + hair, 0.0)])
    three = questions.worst_order(curve.face, lambda face: face.log_level(around).reversed_sign()).reversed_sign()
    bracket = questions.probabilities(Bracket(three.lower[0], three.mid[1], three.upper[2]))
    inputs = {"promise": promise, "power": power, "neighbours": neighbours, "knows": knows}
    return report(LEVEL, curve, bracket, inputs, "level-from-profile")


def log_level(
    promise: Promise,
    log_power: ArrayLike,
    *,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
) -> Finding:
    """Log of the smallest level at which a test can have each power, which is given by its log.

    >>> from whit.mechanisms import Gaussian
    >>> print(log_level(Gaussian(0.01), -1.0))
    log of the level that a test of the power must have is -5039 (rounded up)
    """
    curve = curve_of_tests(promise, neighbours, knows)
    logs = log_probabilities("log_power", log_power)
    bracket = questions.worst_order(curve.face, lambda face: face.log_level(logs).reversed_sign()).reversed_sign()
    inputs = {"promise": promise, "log_power": log_power, "neighbours": neighbours, "knows": knows}
    return report(LOG_LEVEL, curve, bracket, inputs, "level-from-profile")


ADVANTAGE = Quantity("advantage of the best test", Unit.PROBABILITY)
ADVANTAGE_AT_LEVEL = Quantity("advantage of the best test of the level", Unit.PROBABILITY)


def advantage(
    promise: Promise, *, neighbours: Neighbours | None = None, knows: Knowledge = Knowledge.EVERYONE_ELSE
) -> Finding:
    """The largest power minus level over all tests: the total variation distance between the two outputs.

    >>> from whit.guarantees import PureDP
    >>> print(advantage(PureDP(1.0)))
    advantage of the best test is at most 46.3 %
    """
    curve = curve_of_tests(promise, neighbours, knows)
    bracket = questions.probabilities(log_profile(promise, curve, np.zeros(()), np.zeros(())))
    inputs = {"promise": promise, "neighbours": neighbours, "knows": knows}
    return report(ADVANTAGE, curve, bracket, inputs, "hockey-stick", "profile-from-power")


def advantage_at(
    promise: Promise,
    level: ArrayLike,
    *,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.EVERYONE_ELSE,
) -> Finding:
    """The largest power minus level at each level.

    >>> from whit.guarantees import PureDP
    >>> print(advantage_at(PureDP(1.0), 0.05))
    advantage of the best test of the level is at most 8.6 %
    """
    curve = curve_of_tests(promise, neighbours, knows)
    levels = probability_array("level", level, LEVEL_WAY_OUT)
    power = worst_power(curve.face, levels)
    # A test that guesses has no advantage, and none has less.
    ends = (add_down(power.lower, -levels), power.mid - levels, add_up(power.upper, -levels))
    bracket = Bracket(*(np.maximum(end, 0.0) for end in ends))
    inputs = {"promise": promise, "level": level, "neighbours": neighbours, "knows": knows}
    return report(ADVANTAGE_AT_LEVEL, curve, bracket, inputs, "neyman-pearson")
