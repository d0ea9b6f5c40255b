"""Numbers without rounding: probabilities as fractions, and the way back to findings."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from fractions import Fraction
from numbers import Rational
from typing import Any, TypeAlias

import numpy as np

from whit.errors import InvalidInput, NotImplied, require
from whit.numerics import up
from whit.theory import Basis, Direction, Finding, Quantity

Exactly: TypeAlias = Fraction | float
"""A fraction, or infinity."""

Number: TypeAlias = Rational | int | float
"""What is read as a fraction: a whole number, a fraction, or a double, which is one."""

TOLERANCE = Fraction(1, 10**9)
"""How far from 1 probabilities that were given may sum before they are taken for a mistake."""

_LARGEST = Fraction(sys.float_info.max)


def rational(name: str, value: object, way_out: str) -> Fraction:
    """A finite number as a fraction; a double is taken as it is, to the last bit.

    >>> rational("level", 0.25, "Use a number.")
    Fraction(1, 4)
    """
    if isinstance(value, bool | np.bool_):
        raise InvalidInput(name, "must be a finite number", value, way_out)
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, float | np.floating) and math.isfinite(value):
        return Fraction(float(value))
    raise InvalidInput(name, "must be a finite number", repr(value) if isinstance(value, str) else value, way_out)


def probability(name: str, value: object, way_out: str) -> Fraction:
    """A probability as a fraction."""
    clean = rational(name, value, way_out)
    require(0 <= clean <= 1, name=name, rule="must be a probability in [0, 1]", value=value, way_out=way_out)
    return clean


def distribution(name: str, values: Iterable[object], way_out: str) -> tuple[Fraction, ...]:
    """Probabilities as fractions with sum 1, without any rounding.

    The sum of doubles such as 0.1, 0.2 and 0.7 is hardly ever 1: each is divided by the sum. A sum that is far from 1
    is refused.
    """
    rule = "must be a list of probabilities with sum 1"
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidInput(name, rule, values, way_out)
    clean = tuple(rational(name, value, way_out) for value in values)
    total = sum(clean, start=Fraction(0))
    shown = f"a list with sum {float(total)!r}" if clean else "an empty list"
    fits = bool(clean) and min(clean) >= 0 and abs(total - 1) <= TOLERANCE
    require(fits, name=name, rule=rule, value=shown, way_out=way_out)
    return clean if total == 1 else tuple(value / total for value in clean)


def told(quantity: Quantity, value: Exactly, direction: Direction, inputs: Mapping[str, Any], *keys: str) -> Finding:
    """The finding of a number that is known exactly: the two doubles around it, with its rounding as slack."""
    if value == math.inf:
        return Finding(quantity, math.inf, direction, inputs, Basis.of(*keys))
    nearest, slack = _nearest(quantity, Fraction(value))
    if direction is Direction.AT_MOST:
        ceiling = quantity.unit.capped(float(up(nearest)) if slack > 0.0 else nearest, direction)
        return Finding(quantity, ceiling, direction, inputs, Basis.of(*keys))
    safe, other = _around(Fraction(value))[:: 1 if quantity.less_is_worse else -1]
    return Finding(quantity, safe, direction, inputs, Basis(theorems=keys, slack=slack), other)


def _around(value: Fraction) -> tuple[float, float]:
    """The largest double that is not above the number, and the smallest that is not below it."""
    nearest = float(value)
    exact = Fraction(nearest)
    return (
        nearest if exact <= value else math.nextafter(nearest, -math.inf),
        nearest if exact >= value else math.nextafter(nearest, math.inf),
    )


def _nearest(quantity: Quantity, value: Fraction) -> tuple[float, float]:
    """The nearest double, 0 only for 0 itself, and its relative error, rounded up."""
    if abs(value) > _LARGEST:
        rule = "does not fit a double"
        raise NotImplied(quantity.name, rule, f"about 10^{_digits(value)}", "Ask .exact for it as a fraction.")
    nearest = float(value)
    if nearest == 0.0 and value != 0:
        nearest = math.copysign(math.ulp(0.0), value)
    error = abs(Fraction(nearest) - value)
    return nearest, float(up(float(error / abs(Fraction(nearest))))) if error else 0.0


def _digits(value: Fraction) -> int:
    """The number of digits before the point, or nearly."""
    return int((value.numerator.bit_length() - value.denominator.bit_length()) * math.log10(2))
