"""Quantities that are needed to the last digit, by exact arithmetic on the given doubles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from whit.curves import Array

# Bits of the integer square root: twice those of a double, and some.
_BITS = 128


def square_root(square: Fraction) -> float:
    """The double nearest to the root of a positive number, but never 0.

    >>> square_root(Fraction(1, 4))
    0.5
    """
    shift = _BITS - (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    scaled = square * Fraction(2) ** (2 * shift)
    root = Fraction(math.isqrt(scaled.numerator // scaled.denominator)) / Fraction(2) ** shift
    return max(float(root), math.ulp(0.0))


def quadratic_forms(matrix: Array, vectors: Sequence[Array]) -> tuple[list[Fraction], bool]:
    """s' C^{-1} s for each vector s, and whether the symmetric matrix C is positive definite (else no forms).

    Bareiss's elimination without fractions, of [[C, S], [S', 0]]: its pivots are the leading minors of C, and what is
    left in the corner is -det(C) S' C^{-1} S.
    """
    size = len(matrix)
    table, scale = _whole_table(matrix, np.array(vectors, dtype=np.float64))
    previous = 1
    for step in range(size):
        pivot = table[step][step]
        if pivot <= 0:
            return [], False
        for row in table[step + 1 :]:
            head = row[step]
            for column in range(step + 1, len(row)):
                row[column] = (row[column] * pivot - head * table[step][column]) // previous
        previous = pivot
    corner = [table[size + place][size + place] for place in range(len(vectors))]
    return [Fraction(-entry, previous) * scale for entry in corner], True


def _whole_table(matrix: Array, vectors: Array) -> tuple[list[list[int]], Fraction]:
    """The bordered matrix in whole numbers, and the factor that takes its forms back to those of the doubles."""
    size, count = len(matrix), len(vectors)
    inner, inner_unit = _whole(matrix)
    border, border_unit = _whole(vectors)
    top = [inner[place] + [border[each][place] for each in range(count)] for place in range(size)]
    bottom = [border[each] + [0] * count for each in range(count)]
    return top + bottom, inner_unit / border_unit**2


def _whole(rows: Array) -> tuple[list[list[int]], Fraction]:
    """The rows multiplied by a power of two that makes all entries whole, and that power."""
    exact = [[Fraction(float(entry)) for entry in row] for row in rows]
    unit = max((entry.denominator for row in exact for entry in row), default=1)
    return [[int(entry * unit) for entry in row] for row in exact], Fraction(unit)
