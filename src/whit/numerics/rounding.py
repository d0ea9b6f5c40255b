"""Doubles and their order, and directed rounding.

Rounding goes by units in the last place, is exact for sums and products, and goes to decimals for display.
"""

from __future__ import annotations

import math
import sys
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import require

Array = NDArray[np.float64]

ULP = 2.0**-53
"""Half the gap between 1 and the next double: the largest relative error of one correctly rounded operation."""

# Bits of the integer square root: twice those of a double, and some.
_ROOT_BITS = 128

# A formula is a chain of at most ten operations, correctly rounded or nearly so, on numbers of one sign.
CHAIN = 16

_Number = TypeVar("_Number", float, Array)

_SPLIT = 2.0**27 + 1.0
_LARGE = 2.0**900
_LOWEST = np.int64(-(2**63))


def ordinals(x: ArrayLike) -> NDArray[np.int64]:
    """The position of each double in the order of all doubles: 0 for both zeros, 1 for the smallest above them.

    >>> int(ordinals(5e-324))
    1
    """
    bits = np.asarray(x, dtype=np.float64).view(np.int64)
    return np.where(bits >= 0, bits, _LOWEST - np.minimum(bits, 0))


def doubles(positions: ArrayLike) -> Array:
    """The doubles at these positions: the inverse of `ordinals`."""
    order = np.asarray(positions, dtype=np.int64)
    return np.where(order >= 0, order, _LOWEST - np.minimum(order, 0)).view(np.float64)


def distinct(values: ArrayLike) -> Array:
    """The numbers in increasing order, each once.

    As np.unique has it, which loads the masked arrays of numpy: a fifth of the time of a whole command.

    >>> distinct([2.0, 0.5, 2.0]).tolist()
    [0.5, 2.0]
    """
    found = np.sort(np.asarray(values, dtype=np.float64), axis=None)
    first = np.ones(found.shape, dtype=bool)
    first[1:] = found[1:] != found[:-1]
    return found[first]


def up(x: ArrayLike, ulps: int = 1) -> Array:
    """The double that is `ulps` doubles above x, as an array of the shape of x; infinity stays.

    >>> up(1.0) > 1.0
    np.True_
    """
    return _step(x, ulps, math.inf)


def down(x: ArrayLike, ulps: int = 1) -> Array:
    """The double that is `ulps` doubles below x, as an array of the shape of x; minus infinity stays.

    The double below infinity is the largest finite one: right where infinity is an overflow. Where infinity is the
    exact value, do not round it.
    """
    return _step(x, ulps, -math.inf)


def add_down(a: ArrayLike, b: ArrayLike) -> Array:
    """The largest double that is not above a + b."""
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if x.ndim == y.ndim == 0:
        return np.asarray(_sum_of_two(float(x), float(y), -math.inf))
    total, error = _two_sum(x, y)
    return np.where(error < 0.0, down(total), total)


def add_up(a: ArrayLike, b: ArrayLike) -> Array:
    """The smallest double that is not below a + b."""
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if x.ndim == y.ndim == 0:
        return np.asarray(_sum_of_two(float(x), float(y), math.inf))
    total, error = _two_sum(x, y)
    return np.where(error > 0.0, up(total), total)


def times_down(a: ArrayLike, b: ArrayLike) -> Array:
    """The largest double that is not above a times b, for numbers of at least 0; near underflow the one below it.

    >>> float(times_down(0.1, 10.0)), float(times_down(0.5, 0.1))
    (1.0, 0.05)
    """
    product, below, _ = _product(a, b)
    return np.where(below, np.maximum(down(product), 0.0), product)


def times_up(a: ArrayLike, b: ArrayLike) -> Array:
    """The smallest double that is not below a times b, for numbers of at least 0; near underflow the one above it."""
    product, _, above = _product(a, b)
    return np.where(above, up(product), product)


def reciprocal_up(x: ArrayLike) -> Array:
    """The smallest double that is not below 1 / x, for x of at least 0; infinite at 0, and near it the one above.

    >>> float(reciprocal_up(0.1)), float(reciprocal_up(3.0)) > 1 / 3
    (10.0, True)
    """
    number = np.asarray(x, dtype=np.float64)
    with np.errstate(divide="ignore", over="ignore"):
        inverse = np.asarray(1.0 / number)
    product, below, _ = _product(number, inverse)
    return np.where((product > 1.0) | ((product == 1.0) & ~below) | (number == 0.0), inverse, up(inverse))


def round_up(x: float | Decimal, digits: int) -> Decimal:
    """The smallest decimal of so many significant digits that is not below x, exactly.

    >>> round_up(0.12516, 3)
    Decimal('0.126')
    """
    return _decimal(x, digits, ROUND_CEILING)


def round_down(x: float | Decimal, digits: int) -> Decimal:
    """The largest decimal of so many significant digits that is not above x, exactly.

    >>> round_down(0.12516, 3)
    Decimal('0.125')
    """
    return _decimal(x, digits, ROUND_FLOOR)


def doubles_around(value: Fraction) -> tuple[float, float]:
    """The largest double that is not above a rational number, and the smallest that is not below it."""
    try:
        near = float(value)
    except OverflowError:
        return (sys.float_info.max, math.inf) if value > 0 else (-math.inf, -sys.float_info.max)
    exact = Fraction(near)
    return (
        near if exact <= value else math.nextafter(near, -math.inf),
        near if exact >= value else math.nextafter(near, math.inf),
    )


def nearest_up(number: Fraction) -> float:
    """The smallest double that is not below the number.

    >>> nearest_up(Fraction(1, 10)), nearest_up(Fraction(3, 10))
    (0.1, 0.30000000000000004)
    """
    return doubles_around(number)[1]


def square_root(square: Fraction) -> float:
    """The double nearest to the root of a positive number, but never 0; infinite beyond the largest double.

    >>> square_root(Fraction(1, 4)), square_root(Fraction(10**700))
    (0.5, inf)
    """
    shift = _ROOT_BITS - (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    scaled = square * Fraction(2) ** (2 * shift)
    root = Fraction(math.isqrt(scaled.numerator // scaled.denominator)) / Fraction(2) ** shift
    return max(_nearest(root), math.ulp(0.0))


def _nearest(number: Fraction) -> float:
    """The double nearest to a positive number; infinite beyond the largest one."""
    try:
        return float(number)
    except OverflowError:
        return math.inf


def raised(values: ArrayLike) -> Array:
    """Each number CHAIN doubles further up; 0 and infinity are exact and stay."""
    array = np.asarray(values, dtype=np.float64)
    return np.where(array == 0.0, array, up(array, CHAIN))


def _step(x: ArrayLike, ulps: int, towards: float) -> Array:
    """The double reached from x by so many steps to the next double."""
    moved = np.asarray(x, dtype=np.float64)
    if moved.ndim == 0:
        return np.asarray(steps_of_one(float(moved), ulps, towards))
    with np.errstate(over="ignore", under="ignore"):  # the step into infinity or a denormal is meant
        for _ in range(ulps):
            moved = np.asarray(np.nextafter(moved, towards))
    return moved


def steps_of_one(x: float, ulps: int, towards: float) -> float:
    """The same for a single number, for which an array would take ten times as long."""
    for _ in range(ulps):
        x = math.nextafter(x, towards)
    return x


def _two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """The rounded sum, and the sign (and, without overflow, the size) of what the rounding lost.

    Knuth's two-sum is exact in every case but overflow. There, the loss of an infinity made from finite numbers is
    infinite, and an infinity that was given is exact.
    """
    x, y = np.broadcast_arrays(a, b)
    with np.errstate(over="ignore", invalid="ignore"):
        total = np.asarray(x + y)
        back = total - x
        error = np.asarray((x - (total - back)) + (y - back))
    given = np.isinf(x) | np.isinf(y)
    overflowed = np.isinf(total) & ~given
    return total, np.where(overflowed, -total, np.where(given, 0.0, error))


def _sum_of_two(x: float, y: float, towards: float) -> float:
    """The sum of two single numbers, rounded to one side, as `_two_sum` has it."""
    total = x + y
    if math.isinf(x) or math.isinf(y):
        return total
    back = total - x
    lost = -total if math.isinf(total) else (x - (total - back)) + (y - back)
    return math.nextafter(total, towards) if lost != 0.0 and (lost > 0.0) == (towards > 0.0) else total


def _product(a: ArrayLike, b: ArrayLike) -> tuple[Array, NDArray[np.bool_], NDArray[np.bool_]]:
    """The rounded product of numbers of at least 0, and whether the exact one may lie below or above it.

    Dekker's product tells exactly what the rounding lost, away from overflow and underflow. A factor of 0, of 1
    or without end loses nothing.
    """
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if x.ndim == y.ndim == 0:
        return _product_of_two(float(x), float(y))
    x, y = np.broadcast_arrays(x, y)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        product = np.asarray(x * y)
        (x_high, x_low), (y_high, y_low) = _halves(x), _halves(y)
        error = ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low
    plain = np.logical_or.reduce([(each == 0.0) | (each == 1.0) | np.isinf(each) for each in (x, y)])
    known = (product > 1.0 / _LARGE) & (np.maximum(x, y) < _LARGE)
    return product, ~plain & (~known | (error < 0.0)), ~plain & (~known | (error > 0.0))


def _product_of_two(x: float, y: float) -> tuple[Array, NDArray[np.bool_], NDArray[np.bool_]]:
    """The same for two single numbers."""
    product = x * y
    (x_high, x_low), (y_high, y_low) = _halves(x), _halves(y)
    error = ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low
    plain = any(each == 0.0 or each == 1.0 or math.isinf(each) for each in (x, y))
    known = product > 1.0 / _LARGE and max(x, y) < _LARGE
    below, above = not plain and (not known or error < 0.0), not plain and (not known or error > 0.0)
    return np.asarray(product), np.asarray(below), np.asarray(above)


def _halves(x: _Number) -> tuple[_Number, _Number]:
    """Two numbers of 26 bits that add up to x: Veltkamp's split."""
    scaled = _SPLIT * x
    high = scaled - (scaled - x)
    return high, x - high


def _decimal(x: float | Decimal, digits: int, rounding: str) -> Decimal:
    """The number as a decimal of so many significant digits, rounded once and in the stated direction."""
    exact = Decimal(x)
    require(not exact.is_nan(), name="x", rule="must be a number", value=x, way_out="Show nan as a word instead.")
    return Context(prec=digits, rounding=rounding, traps=[]).plus(exact)
