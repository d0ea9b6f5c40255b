"""The exact relative risk of each outcome of a mechanism with finitely many outcomes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from whit.errors import require
from whit.numerics import ULP, probability, probability_vector
from whit.semantics.disclosure.bound import Array
from whit.semantics.disclosure.risk import RELATIVE_RISK
from whit.theory import Direction, reported

_ROWS = "Pass the probabilities of all outcomes, in the same order for each of the three laws."
_BELIEF = "Use a probability such as 0.05."

# Three quotients, products and sums of numbers that are not negative, and the beliefs' complements: ULP each.
SLACK = 16 * ULP


@reported(RELATIVE_RISK, by="disclosure-exact", direction=Direction.EXACTLY, slack=SLACK)
def exact_risk(absent: ArrayLike, inside: ArrayLike, outside: ArrayLike, *, inclusion: float, value: float) -> Array:
    """Posterior over prior after each outcome, by Bayes' rule.

    Args:
        absent: law of the outcome, as the adversary expects it, if the person is not in the data.
        inside: the same if the person is in the data with the sensitive value.
        outside: the same if the person is in the data with another value.
        inclusion: the adversary's probability that the person is in the data.
        value: the adversary's probability of the sensitive value, given that the person is in the data.

    An outcome that `inside` excludes has risk 0.

    >>> print(exact_risk([0.5, 0.5], [0.75, 0.25], [0.25, 0.75], inclusion=1.0, value=0.5).value)
    [1.5 0.5]
    """
    a, b, c = _laws(absent, inside, outside)
    p, q = probability("inclusion", inclusion, _BELIEF), probability("value", value, _BELIEF)
    possible = b > 0.0
    denominator = np.where(possible, b, 1.0)
    with np.errstate(over="ignore", under="ignore"):
        odds = p * q + p * (1 - q) * (c / denominator) + (1 - p) * (a / denominator)
        risk = 1.0 / np.where(odds > 0.0, odds, 1.0)  # infinite where it is too large for a double
    return np.where(possible, np.where(odds > 0.0, risk, np.inf), 0.0)


@reported(RELATIVE_RISK, by="disclosure-exact", direction=Direction.EXACTLY, slack=SLACK)
def largest_exact_risk(
    absent: ArrayLike, inside: ArrayLike, outside: ArrayLike, *, inclusion: float, value: float
) -> Array:
    """The largest posterior over prior that any outcome leads to.

    >>> print(largest_exact_risk([0.5, 0.5], [0.75, 0.25], [0.25, 0.75], inclusion=1.0, value=0.5))
    relative risk of disclosure is 1.5 (to within 3e-15)
    """
    return np.asarray(np.max(exact_risk.kernel(absent, inside, outside, inclusion=inclusion, value=value)))


def _laws(*rows: ArrayLike) -> tuple[Array, Array, Array]:
    """Three probability vectors of one length."""
    names = ("absent", "inside", "outside")
    a, b, c = (probability_vector(name, row, _ROWS) for name, row in zip(names, rows, strict=True))
    lengths = f"lengths {a.size}, {b.size} and {c.size}"
    rule = "must have the same number of outcomes"
    require(a.size == b.size == c.size, name="the three laws", rule=rule, value=lengths, way_out=_ROWS)
    return a, b, c
