"""Numbers of a plan without rounding: fractions as they are written, and the doubles next to them."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction

from whit.errors import InvalidInput

# Numbers of a plan lie between these, so that a double holds them and their squares.
SMALLEST = Fraction(1, 10**120)
LARGEST = Fraction(10**120)

# More digits than this in a number, or in its exponent, are a slip of the pen.
_MOST_DIGITS = 400
_EXPONENT = re.compile(r"e[+-]?0*[0-9]{4,}$", flags=re.IGNORECASE)

# Bits of the integer square root: twice those of a double, and some.
_BITS = 128


def fraction(name: str, value: object, way_out: str) -> Fraction:
    """The number without rounding: "447/4099", "2.56", 2, or a float by the decimal that it is written as.

    >>> fraction("rho", 2.56, "")
    Fraction(64, 25)
    """
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return Fraction(value)
    text = str(value).strip() if isinstance(value, str | float | Decimal) else ""
    if text and len(text) <= _MOST_DIGITS and not _EXPONENT.search(text):
        try:
            return Fraction(text)
        except (ValueError, ZeroDivisionError):
            pass
    raise InvalidInput(name, "must be a number or a fraction", repr(value), way_out)


def positive(name: str, value: object, way_out: str) -> Fraction:
    """A number above 0 without rounding."""
    number = fraction(name, value, way_out)
    if number <= 0:
        raise InvalidInput(name, "must be above 0", shown(number), way_out)
    if not SMALLEST <= number <= LARGEST:
        raise InvalidInput(name, "must lie between 1e-120 and 1e120", shown(number), way_out)
    return number


def share(name: str, value: object, way_out: str) -> Fraction:
    """A share in [0, 1] without rounding."""
    number = fraction(name, value, way_out)
    if not 0 <= number <= 1:
        raise InvalidInput(name, "must be in [0, 1]", shown(number), way_out)
    return number


def shown(number: Fraction) -> str:
    """The fraction as files and messages have it; fraction() reads it back."""
    return str(number)


def nearest_up(number: Fraction) -> float:
    """The smallest double that is not below the number.

    >>> nearest_up(Fraction(1, 10)), nearest_up(Fraction(3, 10))
    (0.1, 0.30000000000000004)
    """
    nearest = float(number)
    return nearest if Fraction(nearest) >= number else math.nextafter(nearest, math.inf)


def root(square: Fraction) -> float:
    """The double nearest to the root of a positive number, but never 0.

    >>> root(Fraction(1, 4))
    0.5
    """
    shift = _BITS - (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    scaled = square * Fraction(2) ** (2 * shift)
    whole = Fraction(math.isqrt(scaled.numerator // scaled.denominator)) / Fraction(2) ** shift
    return max(float(whole), math.ulp(0.0))
