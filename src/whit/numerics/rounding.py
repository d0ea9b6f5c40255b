"""Directed rounding: by units in the last place, of sums and products exactly, and to decimals for display."""

from __future__ import annotations

import math
import sys
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import require

ULP = 2.0**-53
"""Half the gap between 1 and the next double: the largest relative error of one correctly rounded operation."""

_SPLIT = 2.0**27 + 1.0
_LARGE = 2.0**900


def up(x: ArrayLike, ulps: int = 1) -> NDArray[np.float64]:
    """The double that is `ulps` doubles above x, as an array of the shape of x; infinity stays.

    >>> up(1.0) > 1.0
    np.True_
    """
    return _stepped(x, ulps, math.inf)


def down(x: ArrayLike, ulps: int = 1) -> NDArray[np.float64]:
    """The double that is `ulps` doubles below x, as an array of the shape of x; minus infinity stays.

    The double below infinity is the largest finite one: right where infinity is an overflow. Where infinity is the
    exact value, do not round it.
    """
    return _stepped(x, ulps, -math.inf)


def add_down(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    """The largest double that is not above a + b."""
    total, error = _two_sum(a, b)
    return np.where(error < 0.0, down(total), total)


def add_up(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    """The smallest double that is not below a + b."""
    total, error = _two_sum(a, b)
    return np.where(error > 0.0, up(total), total)


def times_down(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    """The largest double that is not above a times b, for numbers of at least 0; near underflow the one below it.

    >>> float(times_down(0.1, 10.0)), float(times_down(0.5, 0.1))
    (1.0, 0.05)
    """
    product, below, _ = _product(a, b)
    return np.where(below, np.maximum(down(product), 0.0), product)


def times_up(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    """The smallest double that is not below a times b, for numbers of at least 0; near underflow the one above it."""
    product, _, above = _product(a, b)
    return np.where(above, up(product), product)


def reciprocal_up(x: ArrayLike) -> NDArray[np.float64]:
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


def _stepped(x: ArrayLike, ulps: int, towards: float) -> NDArray[np.float64]:
    """The double reached from x by so many steps to the next double."""
    moved = np.asarray(x, dtype=np.float64)
    with np.errstate(over="ignore", under="ignore"):  # the step into infinity or a denormal is meant
        for _ in range(ulps):
            moved = np.asarray(np.nextafter(moved, towards))
    return moved


def _two_sum(a: ArrayLike, b: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The rounded sum, and the sign (and, without overflow, the size) of what the rounding lost.

    Knuth's two-sum is exact in every case but overflow. There, the loss of an infinity made from finite numbers is
    infinite, and an infinity that was given is exact.
    """
    x, y = np.broadcast_arrays(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    with np.errstate(over="ignore", invalid="ignore"):
        total = np.asarray(x + y)
        back = total - x
        error = np.asarray((x - (total - back)) + (y - back))
    given = np.isinf(x) | np.isinf(y)
    overflowed = np.isinf(total) & ~given
    return total, np.where(overflowed, -total, np.where(given, 0.0, error))


def _product(a: ArrayLike, b: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
    """The rounded product of numbers of at least 0, and whether the exact one may lie below or above it.

    Dekker's product tells exactly what the rounding lost, away from overflow and underflow. A factor of 0, of 1
    or without end loses nothing.
    """
    x, y = np.broadcast_arrays(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        product = np.asarray(x * y)
        (x_high, x_low), (y_high, y_low) = _halves(x), _halves(y)
        error = ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low
    plain = np.logical_or.reduce([(each == 0.0) | (each == 1.0) | np.isinf(each) for each in (x, y)])
    known = (product > 1.0 / _LARGE) & (np.maximum(x, y) < _LARGE)
    return product, ~plain & (~known | (error < 0.0)), ~plain & (~known | (error > 0.0))


def _halves(x: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two numbers of 26 bits that add up to x: Veltkamp's split."""
    scaled = _SPLIT * x
    high = scaled - (scaled - x)
    return high, x - high


def _decimal(x: float | Decimal, digits: int, rounding: str) -> Decimal:
    """The number as a decimal of so many significant digits, rounded once and in the stated direction."""
    exact = Decimal(x)
    require(not exact.is_nan(), name="x", rule="must be a number", value=x, way_out="Show nan as a word instead.")
    return Context(prec=digits, rounding=rounding, traps=[]).plus(exact)
