"""Directed rounding: of doubles by units in the last place, of sums exactly, and of numbers to decimals for display."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import require

ULP = 2.0**-53
"""Half the gap between 1 and the next double: the largest relative error of one correctly rounded operation."""


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


def _decimal(x: float | Decimal, digits: int, rounding: str) -> Decimal:
    """The number as a decimal of so many significant digits, rounded once and in the stated direction."""
    exact = Decimal(x)
    require(not exact.is_nan(), name="x", rule="must be a number", value=x, way_out="Show nan as a word instead.")
    return Context(prec=digits, rounding=rounding, traps=[]).plus(exact)
