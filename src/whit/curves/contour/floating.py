"""Complex functions that keep their relative accuracy near zero, each with a bound on its own rounding error.

The model of arithmetic behind every `round_off` in this package, and the only thing assumed about the machine:

* the four operations and square roots are correctly rounded: relative error at most UNIT = 2^-53 per real operation;
* real elementary functions (exp, expm1, log1p, sin, cos, ...) are within 4 ulp, that is ELEMENTARY = 8 UNIT relative;
* a sum of K terms, in whatever order, has an error of at most (K - 1) UNIT times the sum of the moduli; long sums are
  made of short ones (`blocked_sum`), so that K - 1 becomes about 32 + K / 32.

An error in the logarithm of a factor is carried as a *growth* theta: computed and true value differ by a factor within
e^theta of 1, so |true - computed| <= |computed| (e^theta - 1). Growths add over factors, and over copies.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Real = NDArray[np.float64]
Complex = NDArray[np.complex128]
Places = NDArray[np.intp]
Flags = NDArray[np.bool_]

UNIT = 2.0**-53
ELEMENTARY = 8 * UNIT
BLOCK = 32
# Smallest modulus that we divide by: a factor that vanishes then gets an enormous growth instead of a nan.
TINY = 1e-300


def log1p(w: Complex) -> Complex:
    """log(1 + w), accurate near w = 0, where numpy's complex log1p is not."""
    x, y = w.real, w.imag
    near = 0.5 * np.log1p(np.maximum(2 * x + x * x + y * y, -0.99))
    far = np.log(np.maximum(np.hypot(1 + x, y), TINY))
    close = np.abs(x) + np.abs(y) < 0.5
    return np.where(close, near, far) + 1j * np.arctan2(y, 1 + x)


def log1p_growth(w: Complex, error: Real) -> Real:
    """Growth of 1 + w when w carries an absolute error and log1p(w) its own rounding.

    Near zero log1p(w) is wrong by at most 64 UNIT |w|: with v = 2x + x^2 + y^2, |v| <= 2.5 |w| and 1 + v >= 1/4, the
    rounding of v costs 15 UNIT |w|, the logarithm 18 and the angle 20. Elsewhere hypot, the sum 1 + x and the angle
    cost at most 48 UNIT, and the logarithm ELEMENTARY of itself.
    """
    size = np.maximum(np.abs(1 + w), TINY)
    far = np.abs(w) >= 0.35
    own = 64 * UNIT * np.abs(w) + far * UNIT * (48 * size + np.abs(w))
    growth: Real = np.log1p((error + own) / size) + far * ELEMENTARY * np.abs(np.log(size))
    return growth


def sinh(y: Complex) -> Complex:
    """sinh of a complex array, component by component."""
    return np.sinh(y.real) * np.cos(y.imag) + 1j * np.cosh(y.real) * np.sin(y.imag)


def sinh_error(y: Complex) -> Real:
    """Absolute error of `sinh` at y when both components of y carry relative errors of 8 UNIT.

    The functions cost 2 ELEMENTARY + UNIT of each component; the argument moves the value by at most cosh(Re y) times
    its own error.
    """
    size = np.abs(np.sinh(y.real)) + np.cosh(y.real) * np.abs(np.sin(y.imag))
    moved = 8 * UNIT * np.cosh(y.real) * (np.abs(y.real) + np.abs(y.imag))
    error: Real = (2 * ELEMENTARY + 4 * UNIT) * size + moved
    return error


def sinhc_minus_one(y: Complex) -> Complex:
    """sinh(y)/y - 1, by its series where the two would cancel."""
    small = np.abs(y) < 1
    near = bool(small.all())
    square = (y if near else np.where(small, y, 0)) ** 2
    series = np.zeros_like(square)
    for order in range(10, 0, -1):
        series = square * (1.0 / (2 * order * (2 * order + 1))) * (1 + series)
    if near:
        return series
    away = np.where(small, 1, y)
    return np.where(small, series, sinh(away) / away - 1)


def dot(first: Real, second: Real) -> float:
    """The sum of products, in this thread: long ones are left to several by some libraries, which wait for each other.

    Like any sum it is wrong by at most so many UNIT of the sum of moduli as it has terms.
    """
    return float(np.einsum("i,i->", first, second))


def blocked_sum(terms: NDArray[np.float64]) -> Real:
    """Sums over the last axis by blocks, so that the error bound grows with K / 32, not with K."""
    count = terms.shape[-1]
    whole = count - count % BLOCK
    blocks = terms[..., :whole].reshape(*terms.shape[:-1], whole // BLOCK, BLOCK).sum(axis=-1)
    total: Real = blocks.sum(axis=-1) + terms[..., whole:].sum(axis=-1)
    return total


def blocked_sum_factor(count: int) -> float:
    """Relative error of `blocked_sum` over the sum of moduli."""
    return (2 * BLOCK + count / BLOCK + 2) * UNIT


def short_mantissa(value: float, bits: int = 24) -> float:
    """The largest double not above value with so few bits that its first 2^29 multiples are exact."""
    mantissa, exponent = np.frexp(value)
    return float(np.ldexp(np.floor(np.ldexp(mantissa, bits)), int(exponent) - bits))
