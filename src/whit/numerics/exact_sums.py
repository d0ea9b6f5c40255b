"""Sums of many fractions, without rounding."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction


def exact_sum(fractions: Iterable[Fraction]) -> Fraction:
    """The sum, pair by pair: one after the other, each step would carry the denominators of all before it.

    >>> exact_sum(Fraction(1, n) for n in (2, 3, 6))
    Fraction(1, 1)
    """
    left = list(fractions)
    while len(left) > 1:
        odd = left[-1:] if len(left) % 2 else []
        left = [one + other for one, other in zip(left[::2], left[1::2], strict=False)] + odd
    return left[0] if left else Fraction(0)
