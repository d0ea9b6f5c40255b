"""The advantage of a test: by how much its power exceeds its level."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from whit.numerics import Bracket, add_down, add_up, probability_array
from whit.semantics.promised import Promised
from whit.semantics.testing.asked import Rest, asked, probabilities, told
from whit.semantics.testing.gaps import log_profile
from whit.semantics.testing.powers import LEVEL_WAY_OUT, worst_power
from whit.setting import Neighbours
from whit.theory import Finding, Interval, Quantity, Unit

ADVANTAGE = Quantity("advantage of the best test", Unit.PROBABILITY)
ADVANTAGE_AT_LEVEL = Quantity("advantage of the best test of the level", Unit.PROBABILITY)


def advantage(
    promised: Promised, *, neighbours: Neighbours | None = None, rest: Rest = Rest.KNOWN
) -> Finding | Interval:
    """The largest power minus level over all tests: the total variation distance between the two outputs.

    >>> from whit.guarantees import PureDP
    >>> print(advantage(PureDP(1.0)))
    advantage of the best test is at most 46.3 %
    """
    curve = asked(promised, neighbours, rest)
    bracket = probabilities(log_profile(promised, curve, np.zeros(()), np.zeros(())))
    inputs = {"promise": promised, "neighbours": neighbours, "rest": rest}
    return told(ADVANTAGE, curve, bracket, inputs, "hockey-stick", "profile-from-power")


def advantage_at(
    promised: Promised, level: ArrayLike, *, neighbours: Neighbours | None = None, rest: Rest = Rest.KNOWN
) -> Finding | Interval:
    """The largest power minus level at each level.

    >>> from whit.guarantees import PureDP
    >>> print(advantage_at(PureDP(1.0), 0.05))
    advantage of the best test of the level is at most 8.6 %
    """
    curve = asked(promised, neighbours, rest)
    levels = probability_array("level", level, LEVEL_WAY_OUT)
    power = worst_power(curve.face, levels)
    # A test that guesses has no advantage, and none has less.
    ends = (add_down(power.lower, -levels), power.mid - levels, add_up(power.upper, -levels))
    bracket = Bracket(*(np.maximum(end, 0.0) for end in ends))
    inputs = {"promise": promised, "level": level, "neighbours": neighbours, "rest": rest}
    return told(ADVANTAGE_AT_LEVEL, curve, bracket, inputs, "neyman-pearson")
