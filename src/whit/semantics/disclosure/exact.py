"""The exact risk of finite mechanisms, and the largest epsilon that keeps the risk to a limit."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from whit.errors import Unreachable, require
from whit.numerics import ULP, paired, probability, probability_array, probability_vector, real_array
from whit.semantics.disclosure.bound import DOUBLE, Array, kept_forwards, require_factor, safe_epsilon, unlimited
from whit.semantics.disclosure.risk import RELATIVE_RISK
from whit.theory import Direction, Quantity, Unit, reported

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


LARGEST_EPSILON = Quantity("largest epsilon that keeps the relative risk of disclosure to its limit", Unit.NUMBER)
LARGEST_SWAP = Quantity("largest loss of replacing a record that keeps the relative risk to its limit", Unit.NUMBER)

_LIMIT = "Use the largest posterior over prior that is acceptable, such as 3."


@reported(LARGEST_EPSILON, by="disclosure-largest-epsilon", direction=Direction.AT_LEAST)
def largest_epsilon(
    relative_risk: ArrayLike, *, inclusion: ArrayLike, value: ArrayLike, swap_factor: float = DOUBLE
) -> Array:
    """The largest epsilon (add/remove neighbours) with which the relative risk stays at or below a limit.

    The number is on the safe side: with it, the risk that `relative_risk` reports keeps to the limit. It is infinite
    where the limit is beyond certainty, and 0 where the limit is 1. A limit below 1 is refused, since a release that
    says nothing already has a relative risk of 1.

    Args:
        relative_risk: the limit, posterior over prior.
        inclusion: the adversary's probability that the person is in the data.
        value: the adversary's probability of the sensitive value, given that the person is in the data.
        swap_factor: the loss of replacing a record over that of adding or removing one: 2 for a promise of which only
            epsilon is known, 1 for a single count, or the ratio of the two sensitivities.

    >>> print(largest_epsilon(3.0, inclusion=0.05, value=0.5))
    largest epsilon that keeps the relative risk of disclosure to its limit is at least 1.13
    >>> print(largest_epsilon(3.0, inclusion=1.0, value=0.1, swap_factor=1.0))
    largest epsilon that keeps the relative risk of disclosure to its limit is at least 1.34
    """
    require_factor(swap_factor)
    r, p, q = _asked(relative_risk, inclusion, value)
    top = safe_epsilon(r, p, q, swap_factor=swap_factor)
    bounded = np.isfinite(top)
    kept = kept_forwards(np.where(bounded, r, 1.0), p, q, np.where(bounded, top, 0.0), swap_factor)
    return np.where(bounded, kept, top)


@reported(LARGEST_SWAP, by="disclosure-known-inclusion", direction=Direction.AT_LEAST)
def largest_swap_loss(relative_risk: ArrayLike, *, value: ArrayLike) -> Array:
    """The largest loss of replacing a record that keeps to a limit, for a person known to be in the data.

    Half of it is the largest epsilon under add/remove neighbours.

    >>> print(largest_swap_loss(3.0, value=0.1))
    largest loss of replacing a record that keeps the relative risk to its limit is at least 1.34
    """
    r, one, q = _asked(relative_risk, 1.0, value)
    top = safe_epsilon(r, one, q, swap_factor=1.0)
    bounded = np.isfinite(top)
    return np.where(bounded, kept_forwards(np.where(bounded, r, 1.0), one, q, np.where(bounded, top, 0.0), 1.0), top)


def _asked(limit: ArrayLike, inclusion: ArrayLike, value: ArrayLike) -> tuple[Array, Array, Array]:
    """Limit and beliefs in one shape; a limit that nothing keeps to is refused."""
    given = real_array("relative_risk", limit, _LIMIT)
    p, q = (probability_array(name, x, _BELIEF) for name, x in (("inclusion", inclusion), ("value", value)))
    r, p, q = paired("Use arrays of one shape.", relative_risk=given, inclusion=p, value=q)
    below = (r < 1.0) & ~unlimited(r, p, q)
    if below.any():
        place = f"{float(r[below][0])!r} at inclusion {float(p[below][0])!r} and value {float(q[below][0])!r}"
        rule = "must be at least 1, since a release that says nothing has a relative risk of 1"
        raise Unreachable("relative_risk", rule, place, _LIMIT)
    return r, p, q
