"""The largest power of a test at each level: how often an adversary can be right at a given rate of false alarms."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import LOG_POWER, POWER, Face, Promise, questions
from whit.numerics import Bracket
from whit.semantics.testing.hypotheses import curve_of_tests, log_probabilities, logs_of, report
from whit.setting import Knowledge, Neighbours
from whit.theory import Finding

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
