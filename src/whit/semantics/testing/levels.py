"""The smallest level of a test that has a given power: how many false alarms an adversary must put up with.

Less is worse here, the one exception to the rule that larger is worse: an upper bound on the curve is a lower bound on
the level.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from whit.guarantees import bounded_curve
from whit.numerics import Bracket
from whit.semantics.promised import Promised
from whit.semantics.testing.asked import Rest, asked, log_probabilities, logs_of, probabilities, told, worst
from whit.setting import Neighbours
from whit.theory import Finding, Interval, Quantity, Unit

LEVEL = Quantity("level that a test of the power must have", Unit.PROBABILITY)
LOG_LEVEL = Quantity("log of the level that a test of the power must have", Unit.NUMBER)

POWER_WAY_OUT = "Use a rate of hits such as 0.5."


def level(
    promised: Promised, power: ArrayLike, *, neighbours: Neighbours | None = None, rest: Rest = Rest.KNOWN
) -> Finding | Interval:
    """The smallest level at which a test of one dataset against its neighbour can have each power.

    >>> from whit.guarantees import PureDP
    >>> print(level(PureDP(1.0), 0.5))
    level that a test of the power must have is at least 18.3 %
    """
    curve = asked(promised, neighbours, rest)
    logs, hair = logs_of("power", power, POWER_WAY_OUT)
    # The log of a power is rounded: the truth lies between the levels a hair earlier and a hair later.
    around = np.stack([logs - hair, logs, np.minimum(logs + hair, 0.0)])
    three = worst(curve.face, lambda face: bounded_curve.log_level(face, around).reversed_sign()).reversed_sign()
    bracket = probabilities(Bracket(three.lower[0], three.mid[1], three.upper[2]))
    inputs = {"promise": promised, "power": power, "neighbours": neighbours, "rest": rest}
    return told(LEVEL, curve, bracket, inputs, "level-from-profile", falls=True)


def log_level(
    promised: Promised, log_power: ArrayLike, *, neighbours: Neighbours | None = None, rest: Rest = Rest.KNOWN
) -> Finding | Interval:
    """Log of the smallest level at which a test can have each power, which is given by its log.

    >>> from whit.mechanisms import Gaussian
    >>> print(log_level(Gaussian(0.01), -1.0))
    log of the level that a test of the power must have is -5039 (rounded up)
    """
    curve = asked(promised, neighbours, rest)
    logs = log_probabilities("log_power", log_power)
    bracket = worst(curve.face, lambda face: bounded_curve.log_level(face, logs).reversed_sign()).reversed_sign()
    inputs = {"promise": promised, "log_power": log_power, "neighbours": neighbours, "rest": rest}
    return told(LOG_LEVEL, curve, bracket, inputs, "level-from-profile", falls=True)
