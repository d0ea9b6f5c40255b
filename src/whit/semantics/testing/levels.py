"""The smallest level of a test that has a given power: how many false alarms an adversary must put up with.

Less is worse here, the one exception to the rule that larger is worse: an upper bound on the curve is a lower bound on
the level.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Promise, questions
from whit.numerics import Bracket
from whit.semantics.testing.hypotheses import curve_of_tests, log_probabilities, logs_of, report
from whit.setting import Knowledge, Neighbours
from whit.theory import Finding, Quantity, Unit

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
