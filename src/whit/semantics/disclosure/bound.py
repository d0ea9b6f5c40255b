"""The bound on the relative risk and its inverse, rounded to the safe side, and the exact risk of finite mechanisms.

With u = 1 - p and v = p(1 - q), the bound is 1 / (pq + v e^-e_swap + u e^-e_in): p is the inclusion, q the value, e_in
the loss of adding or removing the person, e_swap that of replacing the record.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import Unreachable, require
from whit.numerics import (
    ULP,
    Bracket,
    add_down,
    add_up,
    down,
    largest_true,
    paired,
    probability,
    probability_array,
    probability_vector,
    real_array,
    reciprocal_up,
    times_down,
    times_up,
    up,
)
from whit.theory import Direction, Quantity, Unit, reported

Array = NDArray[np.float64]

RELATIVE_RISK = Quantity("relative risk of disclosure", Unit.NUMBER, key="relative_risk")

# Six sums, products, quotients and roots of numbers that are not negative: each is good to ULP, with reserve for each.
_CHAIN = 32 * ULP
_LARGEST_BELOW_ONE = 1.0 - ULP
# Two roundings, with reserve: closer to 1 than this a product is decided without rounding.
_BORDER = 8 * ULP

BELIEF_WAY_OUT = "Use a probability such as 0.05."

DOUBLE = 2.0
"""The factor of a promise known only by epsilon: replacing is removing and adding."""


def risk_up(loss_in: Array, loss_swap: Array, p: Array, q: Array) -> Array:
    """The bound on the relative risk, rounded up; 1 where both losses are 0, infinite where nothing bounds it."""
    reciprocal = np.maximum(_sum_down(loss_in, loss_swap, p, q), _rest_down(loss_in, loss_swap, p, q))
    return reciprocal_up(np.minimum(reciprocal, 1.0))


def posterior_up(loss_in: Array, loss_swap: Array, p: Array, q: Array) -> Array:
    """The bound on the absolute risk, the posterior: the relative risk times the prior, at most 1."""
    risk, prior = risk_up(loss_in, loss_swap, p, q), times_up(p, q)
    known = (prior > 0.0) & np.isfinite(risk)
    product = np.minimum(times_up(np.where(known, risk, 1.0), prior), 1.0)
    return np.where((p == 0.0) | (q == 0.0), 0.0, np.where(np.isfinite(risk), product, 1.0))


def safe_epsilon(limit: ArrayLike, inclusion: ArrayLike, value: ArrayLike, *, swap_factor: float = DOUBLE) -> Array:
    """The largest loss e_in that keeps the relative risk to the limit if e_swap is so many times e_in, rounded down.

    Infinite where every loss will do, 0 where the limit is 1, and minus infinity where the limit is below 1: then not
    even a release that says nothing meets it. For inner loops: checks nothing, and reports a plain array.

    >>> float(safe_epsilon(3.0, 0.05, 1.0))  # doctest: +ELLIPSIS
    1.2098379...
    """
    r, p, q = (np.asarray(x, dtype=np.float64) for x in (limit, inclusion, value))
    r, p, q = paired("Use arrays of one shape.", limit=r, inclusion=p, value=q)
    free = unlimited(r, p, q)
    open_case = ~free & (r > 1.0)
    rr, pp, qq = np.where(open_case, r, 2.0), np.where(open_case, p, 0.25), np.where(open_case, q, 0.5)
    if swap_factor in (1.0, 2.0):
        found = _closed_form(rr, pp, qq, swap_factor)
    else:
        found = kept_forwards(rr, pp, qq, np.full(rr.shape, np.inf), swap_factor)
    return np.where(free, np.inf, np.where(r > 1.0, found, np.where(r == 1.0, 0.0, -np.inf)))


def kept_forwards(r: Array, p: Array, q: Array, top: Array, factor: float) -> Array:
    """The largest loss up to the top at which the bound itself, as it is reported, meets the limit r >= 1."""
    return largest_true(lambda e: risk_up(e, times_up(np.asarray(factor), e), p, q) <= r, np.zeros(r.shape), top)


def root_down(c_up: Array, u: Array, v: Array, gap_down: Array) -> Array:
    """-log x for the root x of v x^2 + u x = c, given its gap 1 - 1/r = u + v - c; rounded down, at least 0.

    u and v are taken to be good to a few units in the last place. The root is found in two ways that do not cancel, by
    x and by 1 - x; each is on the safe side, so the larger counts.
    """
    with np.errstate(under="ignore", divide="ignore"):
        root = np.sqrt(u * u + 4 * v * c_up)
        x = 2 * c_up / np.maximum(u + root, 2 * c_up) * (1 + _CHAIN)
        y = 2 * gap_down / (2 * v + u + root) * (1 - _CHAIN)
        by_x, by_y = -np.log(x), -np.log1p(-np.minimum(y, _LARGEST_BELOW_ONE))
    return np.maximum(np.maximum(down(by_x, 4), down(by_y, 4)), 0.0)


def unlimited(r: Array, p: Array, q: Array) -> NDArray[np.bool_]:
    """Whether r p q >= 1, without rounding: then even certainty meets the limit r."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        product = np.where(np.isinf(r), np.inf, r * (p * q))
    free = np.asarray(product >= 1.0)
    for place in np.argwhere(np.abs(product - 1.0) < _BORDER):
        where = tuple(place)
        free[where] = Fraction(float(r[where])) * Fraction(float(p[where])) * Fraction(float(q[where])) >= 1
    return free


def _closed_form(r: Array, p: Array, q: Array, factor: float) -> Array:
    """The inverse for limits above 1 that are not void, for the factors that have a formula."""
    c_up, gap_down = add_up(up(1 / r), -times_down(p, q)), np.maximum(down(add_down(r, -1.0) / r), 0.0)
    u, v = 1 - p, p * (1 - q)
    if factor == 1.0:  # (u + v) x = c
        u, v = u + v, np.zeros_like(v)
    return root_down(np.maximum(c_up, np.finfo(np.float64).smallest_subnormal), u, v, gap_down)


def _sum_down(loss_in: Array, loss_swap: Array, p: Array, q: Array) -> Array:
    """The reciprocal of the bound as the sum of its three terms, rounded down."""
    same = times_down(p, q)
    other = times_down(times_down(p, add_down(1.0, -q)), Bracket.exact(-loss_swap).exp().lower)
    absent = times_down(add_down(1.0, -p), Bracket.exact(-loss_in).exp().lower)
    return add_down(add_down(same, other), absent)


def _rest_down(loss_in: Array, loss_swap: Array, p: Array, q: Array) -> Array:
    """The reciprocal of the bound as what is missing from 1, which is exact where the losses are 0."""
    other = times_up(times_up(p, add_up(1.0, -q)), _missing_up(loss_swap))
    absent = times_up(add_up(1.0, -p), _missing_up(loss_in))
    return add_down(1.0, -add_up(other, absent))


def _missing_up(loss: Array) -> Array:
    """1 - e^-loss, rounded up; exact at 0 and at infinity."""
    missing = -np.expm1(-loss)
    return np.where((loss == 0.0) | np.isinf(loss), missing, np.minimum(up(missing, 2), 1.0))


def require_factor(factor: object) -> None:
    """Refuse a factor by which no replacement loss can exceed the loss of adding or removing."""
    good = isinstance(factor, int | float) and not isinstance(factor, bool) and 0.0 < factor <= 2.0
    rule = "must be a number above 0 and at most 2, since replacing is removing and adding"
    way_out = "Use 2 for a promise, 1 for one count, or the ratio of the two sensitivities."
    require(good, name="swap_factor", rule=rule, value=factor, way_out=way_out)


_ROWS = "Pass the probabilities of all outcomes, in the same order for each of the three laws."

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
    p, q = probability("inclusion", inclusion, BELIEF_WAY_OUT), probability("value", value, BELIEF_WAY_OUT)
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


LARGEST_EPSILON = Quantity("largest epsilon that meets the limit on the relative risk", Unit.NUMBER, certain=True)
LARGEST_SWAP = Quantity(
    "largest privacy loss of a replaced record that meets the limit on the relative risk", Unit.NUMBER, certain=True
)

_LIMIT = "Use the largest posterior over prior that is acceptable, such as 3."


@reported(LARGEST_EPSILON, by="disclosure-largest-epsilon", direction=Direction.AT_LEAST)
def largest_epsilon(
    relative_risk: ArrayLike, *, inclusion: ArrayLike, value: ArrayLike, swap_factor: float = DOUBLE
) -> Array:
    """The largest epsilon (add/remove neighbours) with which the relative risk stays at or below a limit.

    The number is on the safe side: with it, the risk that `relative_risk` reports is within the limit. It is infinite
    where the limit is beyond certainty, and 0 where the limit is 1. A limit below 1 is refused, since a release that
    says nothing already has a relative risk of 1.

    Args:
        relative_risk: the limit, posterior over prior.
        inclusion: the adversary's probability that the person is in the data.
        value: the adversary's probability of the sensitive value, given that the person is in the data.
        swap_factor: the loss of replacing a record over that of adding or removing one: 2 for a promise with only
            epsilon is known, 1 for a single count, or the ratio of the two sensitivities.

    >>> print(largest_epsilon(3.0, inclusion=0.05, value=0.5))
    largest epsilon that meets the limit on the relative risk is at least 1.13
    >>> print(largest_epsilon(3.0, inclusion=1.0, value=0.1, swap_factor=1.0))
    largest epsilon that meets the limit on the relative risk is at least 1.34
    """
    require_factor(swap_factor)
    r, p, q = _limits(relative_risk, inclusion, value)
    return _largest_kept(r, p, q, swap_factor)


@reported(LARGEST_SWAP, by="disclosure-known-inclusion", direction=Direction.AT_LEAST)
def largest_swap_loss(relative_risk: ArrayLike, *, value: ArrayLike) -> Array:
    """The largest loss of replacing a record that meets a limit, for a person known to be in the data.

    Half of it is the largest epsilon under add/remove neighbours.

    >>> print(largest_swap_loss(3.0, value=0.1))
    largest privacy loss of a replaced record that meets the limit on the relative risk is at least 1.34
    """
    r, one, q = _limits(relative_risk, 1.0, value)
    return _largest_kept(r, one, q, 1.0)


def _largest_kept(r: Array, p: Array, q: Array, factor: float) -> Array:
    """The largest loss with which the bound, as it is reported, meets the limit; infinite where all do."""
    top = safe_epsilon(r, p, q, swap_factor=factor)
    bounded = np.isfinite(top)
    return np.where(bounded, kept_forwards(np.where(bounded, r, 1.0), p, q, np.where(bounded, top, 0.0), factor), top)


def _limits(limit: ArrayLike, inclusion: ArrayLike, value: ArrayLike) -> tuple[Array, Array, Array]:
    """Limit and beliefs in one shape; a limit that nothing meets is refused."""
    given = real_array("relative_risk", limit, _LIMIT)
    p, q = (probability_array(name, x, BELIEF_WAY_OUT) for name, x in (("inclusion", inclusion), ("value", value)))
    r, p, q = paired("Use arrays of one shape.", relative_risk=given, inclusion=p, value=q)
    below = (r < 1.0) & ~unlimited(r, p, q)
    if below.any():
        place = f"{float(r[below][0])!r} at inclusion {float(p[below][0])!r} and value {float(q[below][0])!r}"
        rule = "must be at least 1, since a release that says nothing has a relative risk of 1"
        raise Unreachable("relative_risk", rule, place, _LIMIT)
    return r, p, q
