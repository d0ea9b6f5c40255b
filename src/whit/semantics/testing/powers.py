"""The largest power of a test at each level: how often an adversary can be right at a given rate of false alarms."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import LOG_POWER, POWER, Face
from whit.numerics import Bracket
from whit.semantics.promised import Promised
from whit.semantics.testing.asked import Rest, asked, log_probabilities, logs_of, probabilities, told, worst
from whit.setting import Neighbours
from whit.theory import Finding, Interval

LEVEL_WAY_OUT = "Use a rate of false alarms such as 0.05."


def power(
    promised: Promised, level: ArrayLike, *, neighbours: Neighbours | None = None, rest: Rest = Rest.KNOWN
) -> Finding | Interval:
    """The largest power of a test of one dataset against its neighbour, at each level.

    >>> from whit.guarantees import PureDP
    >>> print(power(PureDP(1.0), 0.05))
    power of the best test is at most 13.6 %
    """
    curve = asked(promised, neighbours, rest)
    bracket = worst_power(curve.face, level)
    inputs = {"promise": promised, "level": level, "neighbours": neighbours, "rest": rest}
    return told(POWER, curve, bracket, inputs, "neyman-pearson")


def log_power(
    promised: Promised, log_level: ArrayLike, *, neighbours: Neighbours | None = None, rest: Rest = Rest.KNOWN
) -> Finding | Interval:
    """Log of the largest power, at each log of a level: for levels and powers too small for a double.

    >>> from whit.mechanisms import Gaussian
    >>> print(log_power(Gaussian(1.0), -2000.0))
    log of the power of the best test is -1937 (rounded up)
    """
    curve = asked(promised, neighbours, rest)
    logs = log_probabilities("log_level", log_level)
    bracket = worst(curve.face, lambda face: face.log_power(logs))
    inputs = {"promise": promised, "log_level": log_level, "neighbours": neighbours, "rest": rest}
    return told(LOG_POWER, curve, bracket, inputs, "neyman-pearson")


def worst_power(face: Face, level: ArrayLike) -> Bracket:
    """The largest power at each level, of the worse order of the pair."""
    logs, hair = logs_of("level", level, LEVEL_WAY_OUT)
    # The log of a level is rounded: the truth lies between the powers a hair earlier and a hair later.
    around = np.minimum(np.stack([logs - hair, logs, logs + hair]), 0.0)
    three = worst(face, lambda each: each.log_power(around))
    return probabilities(Bracket(three.lower[0], three.mid[1], three.upper[2]))
