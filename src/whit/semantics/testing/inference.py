"""How often a guess about a record can succeed: reconstruction, attribute inference, re-identification.

The adversary guesses something about a person's record, such as its value to within a year or the name behind it. It is
said beforehand which guesses count as right for which records. Without the release the best guess is right with some
probability, the baseline. For each record the right guess is a test between the data with that record and without it.
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from whit.curves import Promise
from whit.numerics import probability_array
from whit.semantics.testing.powers import Hypotheses, worst_power
from whit.setting import BASELINE_WAY_OUT, Knowledge, Neighbours
from whit.theory import Finding, Quantity, Unit

SUCCESS = Quantity("probability that a guess about the record is right", Unit.PROBABILITY, key="success")


def success(promise: Promise, baseline: ArrayLike, *, neighbours: Neighbours | None = None) -> Finding:
    """The largest probability that a guess about a record succeeds, at each baseline.

    It holds for every way to say what a right guess is, for every belief about the record, and whatever is believed of
    the others, as long as that does not depend on this person; and at the moment that suits the adversary best.

    >>> from whit.guarantees import PureDP
    >>> print(success(PureDP(1.0), 0.01))
    probability that a guess about the record is right is at most 2.72 %

    Args:
        promise: a promise, a mechanism or a curve.
        baseline: the probability that the best guess succeeds without the release.
        neighbours: whether the record is absent in the data to compare with, or replaced by a fixed one.
    """
    chances = probability_array("baseline", baseline, BASELINE_WAY_OUT)
    # Records differ in how well they can be told: only the concave hull of all powers bounds their average.
    tests = Hypotheses(promise, neighbours, Knowledge.ANY_BELIEF)
    return tests.report(SUCCESS, worst_power(tests.curve.face, chances), "success-from-a-baseline", baseline=baseline)
