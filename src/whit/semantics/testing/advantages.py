"""The advantage of a test: by how much its power exceeds its level."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Promise, questions
from whit.numerics import Bracket, add_down, add_up, probability_array
from whit.semantics.testing.gaps import log_profile
from whit.semantics.testing.hypotheses import curve_of_tests, report
from whit.semantics.testing.powers import LEVEL_WAY_OUT, worst_power
from whit.setting import Knowledge, Neighbours
from whit.theory import Finding, Quantity, Unit

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
