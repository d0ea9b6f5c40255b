"""Parameters added up and multiplied, rounded up where rounding is needed: a promise may not come out too good."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from whit.numerics import ULP, log_expm1


def product_up(count: float, value: float) -> float:
    """The smallest double that is not below the product.

    >>> product_up(3, 0.1)
    0.30000000000000004
    """
    return _rounded_up(Fraction(count) * Fraction(value))


def sum_up(values: Iterable[float]) -> float:
    """The smallest double that is not below the sum."""
    return _rounded_up(sum((Fraction(value) for value in values), Fraction(0)))


def root_of_squares_up(values: Iterable[float], copies: int = 1) -> float:
    """The smallest double that is not below the root of the sum of squares, each square taken so many times."""
    known = [Fraction(value) for value in values]
    largest = max(known)
    if largest == 0:
        return 0.0
    total = copies * sum(((value / largest) ** 2 for value in known), Fraction(0))
    root = float(largest) * math.sqrt(total)
    exact = total * largest**2
    while Fraction(root) ** 2 < exact:
        root = math.nextafter(root, math.inf)
    return root


def group_delta_up(size: int, epsilon: float, delta: float) -> float:
    """delta (e^{size epsilon} - 1) / (e^epsilon - 1), rounded up and cut at 1; at epsilon 0 it is size delta."""
    if delta == 0.0 or size == 1:
        return delta
    if epsilon == 0.0:
        return min(1.0, product_up(size, delta))
    log_factor = float(log_expm1(size * epsilon) - log_expm1(epsilon))
    log_total = log_factor + math.log(delta)
    # Each of the logs is rounded to a few units of its size.
    error = ULP * (32 + 8 * (abs(log_factor) + abs(math.log(delta)) + size * epsilon))
    return min(1.0, math.nextafter(float(np.exp(min(log_total + error, 0.0))), 1.0))


def _rounded_up(exact: Fraction) -> float:
    try:
        nearest = float(exact)
    except OverflowError:
        return math.inf
    return nearest if Fraction(nearest) >= exact else math.nextafter(nearest, math.inf)
