"""The standard normal law, to full accuracy far into its tails.

Everything rests on the Mills ratio M(x) = sf(x) / pdf(x), which neither over- nor underflows for x >= 0, and on
e^(x^2 / 2) computed from an exact square. Functions take numbers or arrays and return float64 arrays (0-d for one
number); numpy is all they need.

The error constants below bound the relative error of a result, unless they say otherwise; callers widen by them. They
are at least four times the largest error found against mpmath at 60 digits (tests/numerics/test_normal.py).
"""

from __future__ import annotations

import math
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from whit.errors import InvalidInput
from whit.numerics.logspace import log1mexp
from whit.numerics.rounding import Array

MILLS_ERROR = 4e-15
"""Relative error of `mills`."""

TAIL_ERROR = 4e-15
"""Relative error of `cdf` and `sf`, where they are above 1e-290."""

LOG_TAIL_ERROR = 4e-15
"""Relative error of `log_cdf` and `log_sf`, where the probability of the other side is above 1e-290."""

MILLS_DIFFERENCE_ERROR = 4e-15
"""Relative error of `mills_difference`."""

QUANTILE_ERROR = 4e-15
"""Relative error of `quantile`; error of `quantile_of_log` relative to the larger of 1 and the result."""

LOWEST_MILLS_DIFFERENCE = -37.0
"""The least a for `mills_difference`: M overflows soon below."""

_LOG_ROOT_TWO_PI = 0.5 * math.log(2.0 * math.pi)
_ROOT_TWO_PI = math.sqrt(2.0 * math.pi)
_FAR = 64.0  # e^(-64^2 / 2) is 0 and its inverse is inf

# (1 + x) M(x) on [0, inf) is a Chebyshev series in (x - 6) / (x + 6); what is left out is below 2e-18. Computed by
# discrete cosine transform of 90 values at 60 digits.
_MILLS_CENTRE = 6.0
_MILLS_SERIES = (
    1.1505319036118415,
    -0.16406452207009778,
    -0.0021550835381514157,
    0.028343587185948704,
    -0.01870424174222185,
    0.008243569833665107,
    -0.0028345831987924464,
    0.0007893711195424936,
    -0.00017737209613271826,
    3.0826323155769924e-05,
    -3.61251684196205e-06,
    1.1088325831941007e-07,
    5.773678822952765e-08,
    -1.2179988996850341e-08,
    4.42185142638399e-10,
    2.490574422471549e-10,
    -4.232399887811858e-11,
    -2.2369584624633703e-12,
    1.4385715343836484e-12,
    -5.855525546154598e-14,
    -3.996250248492322e-14,
    4.529994569204144e-15,
    1.055662125397233e-15,
    -2.0404130293570303e-16,
    -2.868606193667321e-17,
    8.17520918229871e-18,
)

# Up to so many numbers the series is summed for one after the other.
_FEW = 12

# The central rational approximation of Wichura's algorithm AS 241 (Applied Statistics 37, 1988), relative error 1e-16:
# the quantile of 1/2 + q is q times a ratio of two polynomials in 0.425^2 - q^2, coefficients from the highest power.
_CENTRE = 0.425
_CENTRAL_NUMERATOR = (
    2.5090809287301226727e3,
    3.3430575583588128105e4,
    6.7265770927008700853e4,
    4.5921953931549871457e4,
    1.3731693765509461125e4,
    1.9715909503065514427e3,
    1.3314166789178437745e2,
    3.3871328727963666080e0,
)
_CENTRAL_DENOMINATOR = (
    5.2264952788528545610e3,
    2.8729085735721942674e4,
    3.9307895800092710610e4,
    2.1213794301586595867e4,
    5.3941960214247511077e3,
    6.8718700749205790830e2,
    4.2313330701600911252e1,
    1.0,
)

# The exp-sinh rule s = e^(u - e^-u): a trapezoid sum in u over an integrand that decays doubly exponentially both ways.
_RULE_STEP = 0.1
_RULE_U = _RULE_STEP * np.arange(-30.0, 39.0)
_RULE_NODES = np.exp(_RULE_U - np.exp(-_RULE_U))
_RULE_WEIGHTS = _RULE_STEP * _RULE_NODES * (1.0 + np.exp(-_RULE_U))
_RULE_BLOCK = 512  # elements at a time, so that nodes times elements stay in the cache, which doubles the speed


def log_pdf(x: ArrayLike) -> Array:
    """The logarithm of the density."""
    values = _numbers(x)
    with np.errstate(over="ignore"):
        return np.asarray(-_LOG_ROOT_TWO_PI - (0.5 * values) * values)


def pdf(x: ArrayLike) -> Array:
    """The density."""
    return np.asarray(_exp_half_square(_numbers(x), -1.0) / _ROOT_TWO_PI)


def mills(x: ArrayLike) -> Array:
    """The Mills ratio M(x) = sf(x) / pdf(x); inf below about -37.6, where it overflows."""
    values = _numbers(x)
    right = _mills_right(np.abs(values))
    with np.errstate(over="ignore"):
        left = _ROOT_TWO_PI * _exp_half_square(np.minimum(values, 0.0), 1.0) - right
    return np.where(values >= 0.0, right, left)


def mills_difference(a: ArrayLike, mu: ArrayLike) -> Array:
    """M(a) - M(a + mu) for a >= -37 and mu >= 0, without cancellation however small mu is.

    It is the integral of e^(-a s - s^2 / 2) (1 - e^(-mu s)) over s > 0, all positive. Where M(a + mu) is at most half
    of M(a), the difference is taken as it stands; elsewhere the integral is summed. On the left, reflection comes
    first: M(x) = sqrt(2 pi) e^(x^2 / 2) - M(-x) turns the difference into two positive parts.
    """
    start, step = np.broadcast_arrays(_numbers(a), _numbers(mu))
    _require_at_least("a", start, LOWEST_MILLS_DIFFERENCE, "Use the difference of cdf further left.")
    _require_at_least("mu", step, 0.0, "Exchange the two ends.")
    shape, start, step = start.shape, start.ravel(), step.ravel()
    here, there = mills(np.stack([start, start + step]))
    result: Array = here - there
    left = (start < -1.0) & (start + step <= 0.0)
    right = (start >= -1.0) & (there > 0.5 * here)  # M(0) is less than half of M(-1): what is neither is far apart
    for where, difference in ((left, _mills_difference_left), (right, _mills_integral)):
        if where.any():
            result[where] = difference(start[where], step[where])
    return result.reshape(shape)


def cdf(x: ArrayLike) -> Array:
    """The probability of at most x, with full relative accuracy in the left tail."""
    values = _numbers(x)
    tail = _tail(values)
    return np.where(values <= 0.0, tail, 1.0 - tail)


def sf(x: ArrayLike) -> Array:
    """The probability of more than x, with full relative accuracy in the right tail."""
    return cdf(-_numbers(x))


def log_cdf(x: ArrayLike) -> Array:
    """The logarithm of the probability of at most x, with full relative accuracy on both sides."""
    values = _numbers(x)
    distance = np.maximum(-values, 0.0)
    with np.errstate(divide="ignore"):  # M(inf) is 0
        left = log_pdf(distance) + np.log(_mills_right(distance))
    right = np.log1p(-_tail(np.maximum(values, 0.0)))
    return np.where(values <= 0.0, left, right)


def log_sf(x: ArrayLike) -> Array:
    """The logarithm of the probability of more than x, with full relative accuracy on both sides."""
    return log_cdf(-_numbers(x))


def quantile(p: ArrayLike) -> Array:
    """The x whose cdf is p: -inf at 0, inf at 1, and with full relative accuracy about 1/2."""
    values = _numbers(p)
    _require_at_least("p", values, 0.0, "Give a probability.")
    _require_at_least("1 - p", 1.0 - values, 0.0, "Give a probability.")
    offset = values - 0.5
    with np.errstate(divide="ignore"):
        tail = _tail_quantile(np.log(np.minimum(values, 1.0 - values)))
    return np.where(np.abs(offset) <= _CENTRE, _central_quantile(offset), -np.sign(offset) * tail)


def quantile_of_log(log_p: ArrayLike) -> Array:
    """The x whose log cdf is log_p, on both sides: log_p = -1e-300 is as good as -1e6."""
    values = _numbers(log_p)
    _require_at_least("-log_p", -values, 0.0, "Give the logarithm of a probability.")
    upper = values > -math.log(2.0)
    tail = _tail_quantile(np.where(upper, log1mexp(values), values))
    return np.where(upper, -tail, tail)


def _mills_right(x: Array) -> Array:
    """M(x) for x >= 0; at infinity it is 0."""
    position = 1.0 - 2.0 * _MILLS_CENTRE / (x + _MILLS_CENTRE)
    if position.size > _FEW:
        return np.asarray(_mills_sum(position) / (1.0 + x))
    # The same operations, one number after the other: of so few numbers an array is mostly overhead.
    few = [_mills_sum(each) for each in position.ravel().tolist()]
    return np.asarray(np.reshape(few, x.shape) / (1.0 + x))


_Number = TypeVar("_Number", float, Array)


def _mills_sum(position: _Number) -> _Number:
    """The Chebyshev series of (1 + x) M(x), by Clenshaw's recurrence."""
    twice = 2.0 * position
    before, here = 0.0 * position, 0.0 * position
    for each in _MILLS_SERIES[:0:-1]:
        before, here = here, twice * here - before + each
    return position * here - before + _MILLS_SERIES[0]


def _mills_integral(a: Array, mu: Array) -> Array:
    """The integral of `mills_difference`, for a >= -1 and mu of the order of the larger of 1 and a, or less."""
    result = np.empty(a.shape)
    for block in range(0, a.size, _RULE_BLOCK):
        part = slice(block, block + _RULE_BLOCK)
        scale = 1.0 / np.maximum(a[part], 1.0)
        s = np.multiply.outer(scale, _RULE_NODES)
        with np.errstate(under="ignore"):
            values = np.exp(np.negative(s * (a[part, None] + 0.5 * s)))
            values *= np.expm1(np.multiply(-mu[part, None], s, out=s), out=s)
            values *= _RULE_WEIGHTS
            # Row by row, not as a product of matrices, whose order depends on how many rows there are.
            result[part] = scale * np.abs(np.sum(values, axis=-1))
    return result


def _mills_difference_left(a: Array, mu: Array) -> Array:
    """M(a) - M(a + mu) for a < -1 and a + mu <= 0."""
    exponential = -_ROOT_TWO_PI * _exp_half_square(a, 1.0) * np.expm1(mu * (a + 0.5 * mu))
    return np.asarray(exponential + _mills_integral(-(a + mu), mu))


def _tail(x: Array) -> Array:
    """The probability beyond |x| on one side, at most 1/2."""
    distance = np.abs(x)
    with np.errstate(under="ignore"):
        return np.minimum(pdf(distance) * _mills_right(distance), 0.5)


def _exp_half_square(x: Array, sign: float) -> Array:
    """e^(sign x^2 / 2) to a few units in the last place: the square of a sixteenth is exact, and the rest is small."""
    near = np.clip(x, -_FAR, _FAR)
    rough = np.round(16.0 * near) / 16.0
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.exp(sign * 0.5 * rough * rough) * np.exp(sign * 0.5 * (near - rough) * (near + rough)))


def _central_quantile(offset: Array) -> Array:
    """The quantile of 1/2 + offset, for an offset of at most 0.425."""
    near = np.clip(offset, -_CENTRE, _CENTRE)
    rest = _CENTRE * _CENTRE - near * near
    return np.asarray(near * np.polyval(_CENTRAL_NUMERATOR, rest) / np.polyval(_CENTRAL_DENOMINATOR, rest))


def _tail_quantile(log_p: Array) -> Array:
    """The x <= 0 whose log cdf is log_p <= -log 2.

    A rational guess (Abramowitz and Stegun 26.2.23, absolute error 4.5e-4) and three steps of Newton, each of which
    squares the error. Beyond -1e18 the square root is the answer to all digits.
    """
    near = np.maximum(log_p, -1e18)
    t = np.sqrt(-2.0 * near)
    guess = np.polyval((0.010328, 0.802853, 2.515517), t) / np.polyval((0.001308, 0.189269, 1.432788, 1.0), t)
    x = np.minimum(guess - t, 0.0)
    for _ in range(3):
        x = np.minimum(x - (log_cdf(x) - near) * _mills_right(-x), 0.0)
    return np.where(log_p < near, -math.sqrt(2.0) * np.sqrt(-log_p), x)


def _numbers(x: ArrayLike) -> Array:
    """The argument as a float64 array without nan."""
    values = np.asarray(x, dtype=np.float64)
    if np.isnan(values).any():
        raise InvalidInput("x", "must be a number", math.nan, "Check what it was computed from.")
    return values


def _require_at_least(name: str, values: Array, least: float, way_out: str) -> None:
    """Refuse a value below the least one."""
    if (values < least).any():
        raise InvalidInput(name, f"must be at least {least:g}", float(values[values < least].flat[0]), way_out)
