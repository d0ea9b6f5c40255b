"""Convolutions of nonnegative numbers, all rounded to one side: term by term, or by the fast Fourier transform.

The transform errs by a part of the largest sums, not of each. So it is made of numbers that are tilted, v_i e^{ti},
which makes the sums around one place the largest, and with as many tilts as it takes to pass over all places. Each tilt
gives a bound at every place; the best of them counts.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from whit.numerics.rounding import ULP

Array = NDArray[np.float64]

# Up to so many products all are formed. Longer products of vectors would be left to several threads by some libraries.
MOST_PRODUCTS = 2**24
LONGEST = 2**12
# A vector with so few numbers that are not 0 is taken number by number.
FEW = 128
# The relative error, in the norm of squares, of one stage of a transform, of which there is one for each bit of its
# length: at most 4 ULP for the factor e^{ix} and 6 for the products and sums (Higham 2002, section 24.1); the rest is
# reserve.
STAGE_ERROR = 12 * ULP
# How far apart, in deviations of the tilted numbers, the places are for which the next tilt is made.
APART = 8.0
MOST_TILTS = 32
MOST_HALVES = 20
# The tilts are chosen by the largest numbers of about so many blocks.
BLOCKS = 2048
# Products below this may have lost digits because doubles end.
SMALLEST = 1e-290
LARGEST_EXPONENT = 700.0
# Beside a largest number of 1 this is nothing: less than what is allowed for rounding, however many there are.
NOTHING = 1e-30


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
    return _by_transform(first, second, side)


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


def _by_transform(first: Array, second: Array, side: int) -> Array:
    with np.errstate(divide="ignore"):
        logs = [np.log(first)] if first is second else [np.log(first), np.log(second)]
    bounds = [_tilted(logs, tilt, side) for tilt in _tilts(logs)]
    return np.asarray((np.min if side > 0 else np.max)(bounds, axis=0))


def _tilts(logs: list[Array]) -> list[float]:
    """Tilts whose largest sums lie so close together that every place is near to one of them; 0 is one of them."""
    coarse = [_coarse(each) for each in (logs * 2)[:2]]
    last = float(sum(len(each) - 1 for each in (logs * 2)[:2]))
    found = [0.0]
    for direction in (1.0, -1.0):
        tilt, (mean, deviation) = 0.0, _moments(coarse, 0.0)
        while len(found) < MOST_TILTS and (last - mean if direction > 0 else mean) > APART / 2 * max(deviation, 1.0):
            tilt, mean, deviation = _next(coarse, tilt, mean, deviation, direction * APART / max(deviation, 1e-3))
            found.append(tilt)
    return found


def _next(
    coarse: list[tuple[Array, Array]], tilt: float, mean: float, deviation: float, change: float
) -> tuple[float, float, float]:
    """The next tilt: not so far that places between the largest sums of both would be near to neither."""
    for _ in range(MOST_HALVES):
        there, around = _moments(coarse, tilt + change)
        if abs(there - mean) <= 0.6 * APART * (deviation + max(around, 1.0)):
            break
        change /= 2
    return tilt + change, there, around


def _coarse(logs: Array) -> tuple[Array, Array]:
    """The logs of the largest number in each of some blocks, and the places of these numbers."""
    starts = np.arange(0, len(logs), max(len(logs) // BLOCKS, 1))
    return np.maximum.reduceat(logs, starts), np.append(starts[1:], len(logs)) - 1.0


def _moments(coarse: list[tuple[Array, Array]], tilt: float) -> tuple[float, float]:
    """About the mean place of the tilted sums, and their standard deviation."""
    means, variances = [], []
    for logs, places in coarse:
        tilted = logs + tilt * places
        with np.errstate(under="ignore"):
            weights = np.exp(tilted - np.max(tilted))
        weights /= weights.sum()
        means.append(float(weights @ places))
        variances.append(float(weights @ (places - means[-1]) ** 2))
    return math.fsum(means), math.sqrt(math.fsum(variances))


def _weights(logs: Array, tilt: float) -> tuple[Array, float]:
    """The tilted numbers in units of the largest, without what is nothing beside it; and the log of this unit."""
    tilted = logs + tilt * np.arange(len(logs))
    top = float(np.max(tilted))
    with np.errstate(under="ignore"):
        weights = np.exp(tilted - top)
    return np.where(weights < NOTHING, 0.0, weights), top


def _tilted(logs: list[Array], tilt: float, side: int) -> Array:
    """The convolution by the transform of the tilted numbers."""
    weighted = [_weights(each, tilt) for each in logs]
    parts, tops = zip(*(weighted * 2)[:2], strict=True)
    size = len(parts[0]) + len(parts[1]) - 1
    length = _length(size)
    transforms = [np.fft.rfft(each, length) for each, _ in weighted]
    product = transforms[0] * transforms[-1]
    error = _error(parts[0], parts[1], product, length)
    sums = np.fft.irfft(product, length)[:size] + side * error
    exponents = tops[0] + tops[1] - tilt * np.arange(size)
    # An exponent is the sum of three numbers, of which each has been rounded, as those of both weights have.
    sizes = [float(np.max(np.abs(each[np.isfinite(each)]))) for each in (logs * 2)[:2]]
    blur = 16 * ULP * (4 + math.fsum(sizes) + abs(tops[0]) + abs(tops[1]) + abs(tilt) * 2 * size)
    with np.errstate(over="ignore", under="ignore"):
        if side > 0:
            return np.asarray(np.maximum(sums, error) * np.exp(exponents) * (1 + blur) + SMALLEST)
        below = np.maximum(sums, 0.0) * np.exp(np.minimum(exponents, LARGEST_EXPONENT)) * (1 - blur)
    return np.where(below < SMALLEST, 0.0, below)


def _length(size: int) -> int:
    """The least length for so many sums that is a power of two, or three times one."""
    whole = 1 << (size - 1).bit_length()
    return 3 * whole // 4 if whole >= 4 and size <= 3 * whole // 4 else whole


def _error(first: Array, second: Array, product: NDArray[np.complex128], length: int) -> float:
    """How far a sum may be off: by the errors of both transforms, and by that of the way back.

    With the relative error f of a transform, the product of two is wrong by (2 f + f^2) and its own rounding times the
    product of the norms, in the mean over all frequencies, and so is each sum; the way back adds f times the norm of
    all sums.
    """
    stages = STAGE_ERROR * length.bit_length()
    norms = math.sqrt(float(np.sum(first * first)) * float(np.sum(second * second)))
    back = math.sqrt(2 * float(np.sum(product.real**2 + product.imag**2)) / length)
    return (stages * (2 + stages) + 8 * ULP) * 1.001 * norms + stages * 1.001 * back + 2 * length * NOTHING
