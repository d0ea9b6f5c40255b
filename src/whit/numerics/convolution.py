"""Convolutions of two vectors of nonnegative numbers, all rounded to one side: term by term, or by the transform."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from whit.numerics.rounding import ULP
from whit.numerics.tilted_powers import SMALLEST, convolved_powers

Array = NDArray[np.float64]

# Up to so many products all are formed. Longer products of vectors would be left to several threads by some libraries.
MOST_PRODUCTS = 2**24
LONGEST = 2**12
# A vector with so few numbers that are not 0 is taken number by number.
FEW = 128


def convolved(first: Array, second: Array, *, side: int) -> Array:
    """The sums of first_i second_j over i + j = k, for each k: none below (side 1) or none above the truth (side -1).

    >>> convolved(np.array([1.0, 2.0]), np.array([1.0, 3.0]), side=1).round(9).tolist()
    [1.0, 5.0, 6.0]
    """
    short, long = sorted((first, second), key=len)
    if np.count_nonzero(short) > np.count_nonzero(long):
        short, long = long, short
    places = np.flatnonzero(short)
    if len(places) <= FEW:
        return _outwards(_by_place(short, long, places), len(places), short, long, side)
    if min(len(short), len(long)) <= LONGEST and len(short) * len(long) <= MOST_PRODUCTS:
        return _outwards(np.convolve(short, long), min(len(short), len(long)), short, long, side)
    parts = [(first, 2)] if first is second else [(first, 1), (second, 1)]
    return convolved_powers(parts, side=side)


def _by_place(short: Array, long: Array, places: NDArray[np.intp]) -> Array:
    sums = np.zeros(len(short) + len(long) - 1)
    for place in places:
        sums[place : place + len(long)] += short[place] * long
    return sums


def _outwards(sums: Array, terms: int, first: Array, second: Array, side: int) -> Array:
    """The sums of so many products each, with their rounding; all are positive."""
    moved = sums * (1 + side * ULP * (terms + 8))
    least = [float(np.min(each[each > 0], initial=1.0)) for each in (first, second)]
    if least[0] * least[1] >= SMALLEST:
        return np.asarray(moved)
    return np.asarray(np.maximum(moved, 2 * SMALLEST) if side > 0 else np.where(moved < SMALLEST, 0.0, moved))
