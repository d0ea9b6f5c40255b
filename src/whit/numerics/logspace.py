"""Numbers by their logarithms: e^-inf is 0, and nothing over- or underflows. Sums, differences, and binomial laws.

Functions of arrays broadcast and return float64 arrays (0-d for a single number).

All the probabilities of a binomial law are found to full accuracy for 10^6 trials and more, by Loader's saddle-point
expansion (C. Loader, Fast and accurate computation of binomial probabilities, 2000): with the deviance
D(x, m) = x log(x / m) + m - x and the error e(n) of Stirling's formula,

    log pmf(k) = e(n) - e(k) - e(n - k) - D(k, n p) - D(n - k, n q) - log(2 pi k (n - k) / n) / 2.

All parts are small where the probability is large, so nothing cancels, as the logarithms of factorials do. Unlike
Loader, k - n p is taken from the exact product n p: both deviances depend on nothing else as closely.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from whit.errors import InvalidInput, require
from whit.numerics.bracket import Bracket
from whit.numerics.domain import count, number, probability
from whit.numerics.rounding import ULP, Array

DEVIANCE_ERROR = 40.0 * ULP
"""Relative error allowed to the deviances.

Half is proven for the worst place, the end of the series at x = 5 m / 3: there x log(x / m) - d is 0.11 x, and the
rounding of x / m, of the logarithm, of d and of the difference costs 2.5 ULP x.
"""

REST_ERROR = 8.0 * ULP
"""Error allowed to the other parts, relative to the larger of 1 and the logarithm of the prefactor (3 are proven)."""

SUM_TOLERANCE = 1e-12
"""How far from 1 the two probabilities may sum: they are one number, given twice."""

_WAY_OUT = "Check the number that the logarithm was taken of."
_SERIES_LIMIT = 0.25
_SERIES_TERMS = 14  # the next is 2 (1/4)^29 / 31, below 2^-60 of the first
_LEAST = 2.0**-900  # the smaller probability is kept above: what lies below follows by a shift of the logarithm

# e(0) to e(15); beyond, e(n) = 1/(12 n) - 1/(360 n^3) + ... of which the first term left out is below 3e-20.
_STIRLING_TABLE = np.array(
    [
        0.0,
        0.08106146679532726,
        0.0413406959554093,
        0.02767792568499834,
        0.020790672103765093,
        0.016644691189821193,
        0.013876128823070748,
        0.01189670994589177,
        0.010411265261972096,
        0.009255462182712733,
        0.00833056343336287,
        0.007573675487951841,
        0.00694284010720953,
        0.006408994188004207,
        0.0059513701127588475,
        0.005554733551962801,
    ]
)
_STIRLING_SERIES = (1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12)


def log1mexp(x: ArrayLike) -> Array:
    """Return log(1 - e^x) for x <= 0, to a few units in the last place: -inf at 0, and 0 at -inf.

    >>> float(log1mexp(math.log(0.75)))  # doctest: +ELLIPSIS
    -1.386294361119...
    """
    values = _where_legal(x, "x", "must be at most 0", upper=0.0)
    near_zero = values > -math.log(2.0)  # Maechler's rule: each branch where it does not cancel
    with np.errstate(divide="ignore", under="ignore"):
        small = np.log(-np.expm1(np.where(near_zero, values, -1.0)))
        large = np.log1p(-np.exp(np.where(near_zero, -1.0, values)))
    return np.where(near_zero, small, large)


def log_expm1(x: ArrayLike) -> Array:
    """Return log(e^x - 1) for x >= 0: -inf at 0, and inf at inf."""
    values = _where_legal(x, "x", "must be at least 0", lower=0.0)
    near_zero = values < math.log(2.0)
    with np.errstate(divide="ignore", under="ignore"):
        small = np.log(np.expm1(np.where(near_zero, values, 1.0)))
        large = values + np.log1p(-np.exp(-np.where(near_zero, 1.0, values)))
    return np.where(near_zero, small, large)


def logsubexp(a: ArrayLike, b: ArrayLike) -> Array:
    """Return log(e^a - e^b) for a >= b; equal ones, minus infinity included, give -inf.

    For a and b as given, the error is a few units in the last place of the largest of 1, |a| and the result.
    """
    larger, smaller = np.broadcast_arrays(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    legal = (larger >= smaller) & (smaller < math.inf)
    rule = "must be at least b, and b finite or -inf"
    require(bool(legal.all()), name="a", rule=rule, value=(a, b), way_out="Exchange a and b.")
    empty = larger == -math.inf
    gap = np.where(empty, 0.0, smaller - np.where(empty, 0.0, larger))
    return np.asarray(np.where(empty, -math.inf, larger + log1mexp(np.where(empty, -1.0, gap))))


def logsumexp(a: ArrayLike, axis: int | None = None) -> Array:
    """The logarithm of the sum of e^a along an axis, or of all; the sum of nothing is 0, so its logarithm -inf."""
    values = _where_legal(a, "a", "must be numbers")
    top = np.max(values, axis=axis, keepdims=True, initial=-math.inf)
    finite_top = np.where(np.isinf(top), 0.0, top)
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        total = np.sum(np.exp(values - finite_top), axis=axis, keepdims=True)
        result = finite_top + np.log(total)
    return np.asarray(result.reshape(()) if axis is None else np.squeeze(result, axis=axis))


def log_multisets(kinds: float, number: int) -> float:
    """Log of in how many ways so many things can be drawn of so many kinds, with repetition; infinitely many at most.

    >>> round(math.exp(log_multisets(3, 2)))
    6
    """
    if kinds == 0 or math.isinf(kinds):
        return math.inf if kinds else 0.0
    return math.lgamma(number + kinds) - math.lgamma(kinds) - math.lgamma(number + 1)


def log_one_minus_ratio(part: ArrayLike, whole: ArrayLike) -> Array:
    """Log of 1 - part/whole for 0 <= part < whole, without cancellation on either side."""
    a, b = np.broadcast_arrays(np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64))
    ratio = np.where(a == 0.0, 0.0, a / np.where(b == 0.0, 1.0, b))
    far = np.where(ratio < 0.5, 0.5, (b - a) / np.where(b == 0.0, 1.0, b))
    return np.where(ratio < 0.5, np.log1p(-np.minimum(ratio, 0.5)), np.log(far))


def log_binomial(n: int, p: float, q: float) -> Bracket:
    """The logarithm of the probability of each number of successes from 0 to n, in n trials.

    p is the probability of success and q of failure. The smaller of the two is taken at its word and the other as what
    is left: a q of 1e-300 counts, although p is then 1. The bracket is about 1e-14 (1 + |log pmf|) wide; the error that
    was found against mpmath is ten times less.

    >>> log_binomial(2, 0.5, 0.5).exp().mid.tolist()
    [0.25, 0.5, 0.25]
    """
    trials = count("n", n, "Give the number of trials.")
    success = probability("p", p, "Give the probability of success.")
    failure = probability("q", q, "Give the probability of failure, 1 - p.")
    _require_sum(success + failure)
    small = min(success, failure)
    log_small = math.log(small) if small > 0.0 else -math.inf
    return _oriented(_log_binomial(trials, small, log_small, 0.0), reverse=success > failure)


def log_binomial_of_logs(n: int, log_p: float, log_q: float) -> Bracket:
    """Log of the binomial probabilities, for chances by their logarithms, which may be far below the smallest double.

    The smaller is again taken at its word. Where it is a double, it is found from its logarithm to a few units in the
    last place only, and the bracket widens accordingly, by 1e-13 for 10^6 fair trials: prefer `log_binomial` there.
    """
    trials = count("n", n, "Give the number of trials.")
    success = number("log_p", log_p, "Give the logarithm of the probability of success.")
    failure = number("log_q", log_q, "Give the logarithm of the probability of failure.")
    _require_sum(_exp(success) + _exp(failure))
    log_small = min(success, failure)
    relative_error = ULP * (2.0 - log_small) if log_small > math.log(_LEAST) else 0.0
    return _oriented(_log_binomial(trials, _exp(log_small), log_small, relative_error), reverse=success > failure)


def _where_legal(x: ArrayLike, name: str, rule: str, *, lower: float = -math.inf, upper: float = math.inf) -> Array:
    """The argument as a float64 array, if all of it lies in [lower, upper]; nan lies nowhere."""
    values = np.asarray(x, dtype=np.float64)
    legal = (values >= lower) & (values <= upper)
    if not legal.all():
        raise InvalidInput(name, rule, float(values[~legal][0]), _WAY_OUT)
    return values


def _exp(x: float) -> float:
    """e^x, where overflow is of no interest."""
    return math.exp(min(x, 1.0))


def _require_sum(total: float) -> None:
    """Refuse two probabilities that are not each other's complement."""
    way_out = "Give the probabilities of success and of failure."
    require(abs(total - 1.0) <= SUM_TOLERANCE, name="p + q", rule="must be 1", value=total, way_out=way_out)


def _oriented(bracket: Bracket, *, reverse: bool) -> Bracket:
    """The bracket for the number of the rarer outcome, turned around if success is the more frequent one."""
    return bracket[::-1] if reverse else bracket


def _log_binomial(n: int, p: float, log_p: float, relative_error: float) -> Bracket:
    """The logarithm of the pmf for p <= 1/2, where p is known to the relative error, and log_p exactly if p is tiny."""
    k = np.arange(n + 1.0)
    inner, inner_error = _inner(n, max(p, _LEAST))
    shift = min(log_p - math.log(_LEAST), 0.0)
    values = np.concatenate([[n * math.log1p(-p)], inner + k[1:-1] * shift, [n * log_p]])
    errors = np.pad(inner_error, 1) + 4.0 * ULP * np.abs(values) + 2.0 * relative_error * np.abs(k - n * p)
    errors += n * _LEAST if -math.inf < log_p and p < _LEAST else 0.0  # log(1 - p) is not shifted
    return Bracket.around(values, np.where(np.isinf(values), 0.0, errors))


def _inner(n: int, p: float) -> tuple[Array, Array]:
    """The logarithm of the pmf at 1, ..., n - 1, and its absolute error, for a p that is not tiny."""
    k = np.arange(1.0, n)
    product = n * Fraction(p)
    mean = float(product)
    surplus = (k - mean) - float(product - Fraction(mean))
    deviance = _deviance(k, mean, surplus) + _deviance(n - k, float(n - product), -surplus)
    prefactor = 0.5 * np.log((2.0 * math.pi) * k * ((n - k) / n))
    stirling = _stirling_error(np.array(float(n))) - _stirling_error(k) - _stirling_error(n - k)
    return stirling - deviance - prefactor, DEVIANCE_ERROR * deviance + REST_ERROR * np.maximum(prefactor, 1.0)


def _deviance(x: Array, mean: float, surplus: Array) -> Array:
    """The deviance x log(x / mean) + mean - x, given x - mean more exactly than by subtraction.

    With v = (x - mean) / (x + mean), log(x / mean) is 2 atanh(v), and its series cancels the other terms by hand.
    """
    v = surplus / (x + mean)
    square = v * v
    odd_inverses = [1.0 / (2 * i + 1) for i in range(_SERIES_TERMS, 0, -1)]
    near = surplus * v + 2.0 * x * v * square * np.polyval(odd_inverses, square)
    return np.where(np.abs(v) < _SERIES_LIMIT, near, x * np.log(x / mean) - surplus)


def _stirling_error(n: Array) -> Array:
    """The error e(n) = log n! - log(sqrt(2 pi n) (n / e)^n), for whole n >= 1."""
    table = _STIRLING_TABLE[np.minimum(n, 15.0).astype(np.intp)]
    return np.where(n < 16.0, table, np.polyval(_STIRLING_SERIES, 1.0 / (n * n)) / n)
