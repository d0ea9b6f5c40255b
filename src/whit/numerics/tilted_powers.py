"""Convolutions of many vectors at once by the fast Fourier transform, all rounded to one side.

The transform of a convolution is the product of the transforms, each to the power of how often its vector is taken. It
errs by a part of the largest sums, not of each. So it is made of numbers that are tilted, v_i e^{ti}, which makes the
sums around one place the largest, and with as many tilts as it takes to pass over all places. Each tilt gives a bound
at every place; the best of them counts.

Sums are wanted in a window only. A transform as long as the window adds to each sum those that lie a whole number of
its lengths away. From above that does no harm. From below only tilts count at which those others can hardly reach the
window, by Chernoff's bound; the next ones would be of no use from above either.

How far the transform is off, and what wraps around, is bounded in src/whit/theory/proofs/tilted-convolution.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from whit.numerics.rounding import ULP

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

# The relative error, in the norm of squares, of one stage of a transform, of which there is one for each bit of its
# length: at most 4 ULP for the factor e^{ix} and 6 for the products and sums (Higham 2002, section 24.1); the rest is
# reserve.
STAGE_ERROR = 12 * ULP
# How far apart, in deviations of the tilted numbers, the places are for which the next tilt is made; and how many times
# as long as the window a transform is. Closely, sums keep more digits between two tilts, and tilts go further; a
# transform of so many numbers takes no time.
APART, CLOSELY_APART = 8.0, 5.0
LONGER, CLOSELY_LONGER = 1.5, 2.0
SHORT = 2**17
MOST_TILTS = 48
MOST_HALVES = 20
FEW_HALVES = 6
# The tilts are chosen by the means of about so many blocks.
BLOCKS = 2048
# Products below this may have lost digits because doubles end.
SMALLEST = 1e-290
LARGEST_EXPONENT = 700.0
# Beside a largest number of 1 this is nothing: less than what is allowed for rounding, however many there are.
NOTHING = 1e-30
# Sums that others can reach with no more than e^UNREACHED of all are as good as those that none can reach.
UNREACHED = -36.0
# From either side so much may be added to a sum: from above that does no harm.
WRAPPED = 2 * math.exp(UNREACHED)
# Chernoff's bound is taken at so many tilts, each twice the one before.
DOUBLINGS = 7


@dataclass(frozen=True)
class _Vector:
    """A vector of numbers by their logs, and how often it is taken."""

    logs: Array
    count: int

    @property
    def blocks(self) -> tuple[Array, Array]:
        """The logs of the sums of some blocks, and their mean places."""
        top = float(np.max(self.logs))
        numbers = np.exp(self.logs - top)
        starts = np.arange(0, len(numbers), max(len(numbers) // BLOCKS, 1))
        sums = np.add.reduceat(numbers, starts)
        moments = np.add.reduceat(numbers * np.arange(len(numbers)), starts)
        kept = sums > 0
        return np.log(sums[kept]) + top, moments[kept] / sums[kept]


@dataclass(frozen=True)
class _Places:
    """The window of the sums that are wanted, the number of all sums, and the length of the transform."""

    start: int
    stop: int
    size: int
    length: int

    def are_kept_apart(self, weights: list[_Weights]) -> bool:
        """Whether no sums in the window are reached by those a length away, except e^UNREACHED of all of them."""
        if self.size <= self.length:
            return True
        first, last = _unreached(weights, self.length)
        return first <= self.start and last >= self.stop - 1


@dataclass(frozen=True)
class _Weights:
    """The tilted numbers of a vector in units of their sum, without what is nothing beside the largest.

    log_unit   the log of this unit
    size       a bound on all logs that the numbers are made of
    """

    numbers: Array
    log_unit: float
    size: float
    count: int

    @classmethod
    def of(cls, vector: _Vector, tilt: float) -> _Weights:
        tilted = vector.logs + tilt * np.arange(len(vector.logs))
        top = float(np.max(tilted))
        with np.errstate(under="ignore"):
            numbers = np.exp(tilted - top)
        numbers = np.where(numbers < NOTHING, 0.0, numbers)
        total = float(numbers.sum())
        finite = vector.logs[numbers > 0]
        size = float(np.max(np.abs(finite))) + abs(tilt) * len(tilted) + abs(top) + math.log(total)
        return cls(numbers / total, top + math.log(total), size, vector.count)

    def folded(self, length: int) -> Array:
        """The numbers with those added up that lie a length apart."""
        if len(self.numbers) <= length:
            return self.numbers
        rows = -(-len(self.numbers) // length)
        return np.asarray(
            np.pad(self.numbers, (0, rows * length - len(self.numbers))).reshape(rows, length).sum(axis=0)
        )


def convolved_powers(
    parts: Sequence[tuple[Array, int]], *, side: int, window: tuple[int, int] | None = None, closely: bool = False
) -> Array:
    """The convolution of vectors of nonnegative numbers, each taken so often: no sum below or none above the truth.

    Only the sums from the first place of the window on are wanted, up to the second. Closely, it takes longer, and what
    is allowed for rounding is less.

    >>> convolved_powers([(np.array([1.0, 2.0]), 1), (np.array([1.0, 3.0]), 2)], side=1).round(9).tolist()
    [1.0, 8.0, 21.0, 18.0]
    """
    with np.errstate(divide="ignore"):
        vectors = [_Vector(np.log(numbers), count) for numbers, count in parts]
    size = 1 + sum(each.count * (len(each.logs) - 1) for each in vectors)
    start, stop = window or (0, size)
    enough = max(int((stop - start) * CLOSELY_LONGER), SHORT) if closely else int((stop - start) * LONGER)
    places = _Places(start, stop, size, _length(min(size, enough)))
    bounds = (_tilted(vectors, tilt, places, side) for tilt in _tilts(vectors, places, closely=closely))
    return np.asarray(reduce(np.minimum if side > 0 else np.maximum, bounds))


def rest_is_small(parts: Sequence[tuple[Array, int]], log_rest: float) -> int:
    """A place from which on all sums together are at most e^log_rest, by Chernoff's bound; or one beyond the last."""
    size = 1 + sum(count * (len(numbers) - 1) for numbers, count in parts)
    with np.errstate(divide="ignore"):
        coarse = [(*_Vector(np.log(numbers), count).blocks, count) for numbers, count in parts]
    if any(not len(logs) for logs, _, _ in coarse):  # a release with no mass at all leaves no sum
        return 1
    _, deviation = _moments(coarse, 0.0)
    reach = _reach([(numbers, count, 0.0) for numbers, count in parts], deviation, log_rest)
    return size if math.isinf(reach) else min(max(math.ceil(reach), 1), size)


def _reach(parts: Sequence[tuple[Array, int, float]], deviation: float, log_rest: float) -> float:
    """How far beyond the origins, one for each vector, all the sums are at most e^log_rest together."""
    longest = max(len(numbers) for numbers, _, _ in parts)
    best = math.sqrt(-2 * log_rest) / max(deviation, 1e-3)
    tilt = min(best, LARGEST_EXPONENT / 2 / longest) / 2 ** (DOUBLINGS - 3)
    powers = [np.exp(tilt * (np.arange(len(numbers)) - origin)) for numbers, _, origin in parts]
    reach = math.inf
    for _ in range(DOUBLINGS):
        logs = math.fsum(n * math.log(_dot(x, e)) for (x, n, _), e in zip(parts, powers, strict=True))
        # A sum of so many products is rounded, and so is each power, by far less than is added here.
        room = 1e-9 * math.fsum(count for _, count, _ in parts) + 1e-6
        reach = min(reach, (logs + room - log_rest) / tilt)
        if 2 * tilt * longest > LARGEST_EXPONENT:
            break
        tilt, powers = 2 * tilt, [each * each for each in powers]
    return reach


def _tilts(vectors: list[_Vector], places: _Places, *, closely: bool) -> list[float]:
    """Tilts whose largest sums lie so close together that every place is near to one of them; 0 is one of them.

    They end where the mean moves no more, and where sums a length away would reach the window.
    """
    coarse = [(*each.blocks, each.count) for each in vectors]
    apart, found = CLOSELY_APART if closely else APART, [0.0]
    for direction in (1.0, -1.0):
        tilt, (mean, deviation) = 0.0, _moments(coarse, 0.0)
        while len(found) < MOST_TILTS:
            left = places.stop - 1 - mean if direction > 0 else mean - places.start
            if left <= (1.0 if closely else apart / 2) * max(deviation, 1.0):
                break
            change = direction * apart / max(deviation, 1e-3)
            following, there, around = _next(coarse, tilt, (mean, deviation), change, closely=closely)
            if abs(there - mean) < 1.0:
                break
            allowed = _nearest(vectors, places, tilt, following)
            if allowed != tilt:
                found.append(allowed)
            if allowed != following:
                break
            tilt, mean, deviation = following, there, around
    return found


def _nearest(vectors: list[_Vector], places: _Places, tilt: float, following: float) -> float:
    """The tilt that follows, or the nearest one to it at which the sums in the window are kept apart from others."""
    for _ in range(FEW_HALVES):
        if places.are_kept_apart([_Weights.of(each, following) for each in vectors]):
            return following
        following = tilt + (following - tilt) * 0.6
    return tilt


def _next(
    coarse: list[tuple[Array, Array, int]], tilt: float, here: tuple[float, float], change: float, *, closely: bool
) -> tuple[float, float, float]:
    """The next tilt: not so far that places between the largest sums of both would be near to neither.

    Where sums have two humps, both lie within the deviation there, and what is between them near to none: closely, only
    the deviation here counts.
    """
    mean, deviation = here
    for _ in range(MOST_HALVES):
        there, around = _moments(coarse, tilt + change)
        near = 2 * CLOSELY_APART * max(deviation, 1.0) if closely else APART * (deviation + max(around, 1.0))
        if abs(there - mean) <= 0.6 * near:
            break
        change /= 2
    return tilt + change, there, around


def _moments(coarse: list[tuple[Array, Array, int]], tilt: float) -> tuple[float, float]:
    """About the mean place of the tilted sums, and their standard deviation."""
    means, variances = [], []
    for logs, places, count in coarse:
        tilted = logs + tilt * places
        with np.errstate(under="ignore"):
            weights = np.exp(tilted - np.max(tilted))
        weights /= weights.sum()
        mean = _dot(weights, places)
        means.append(count * mean)
        variances.append(count * _dot(weights, (places - mean) ** 2))
    return math.fsum(means), math.sqrt(math.fsum(variances))


def _tilted(vectors: list[_Vector], tilt: float, places: _Places, side: int) -> Array:
    """The sums in the window by the transform of the tilted numbers."""
    weights = [_Weights.of(each, tilt) for each in vectors]
    product, error = _product(weights, places.length)
    if side < 0:
        error += WRAPPED
    if side < 0 and tilt == 0.0 and not places.are_kept_apart(weights):
        return np.zeros(places.stop - places.start)
    back = np.roll(np.fft.irfft(product, places.length), -(places.start % places.length))
    sums = back[: places.stop - places.start] + side * error
    log_unit = math.fsum(each.count * each.log_unit for each in weights)
    exponents = log_unit - tilt * np.arange(places.start, places.stop)
    # An exponent is the sum of some numbers, of which each has been rounded, as those of all weights have.
    blur = 16 * ULP * (4 + math.fsum(each.count * (4 + each.size) for each in weights) + abs(tilt) * places.size)
    with np.errstate(over="ignore", under="ignore"):
        if side > 0:
            return np.asarray(np.maximum(sums, error) * np.exp(exponents) * (1 + blur) + SMALLEST)
        below = np.maximum(sums, 0.0) * np.exp(np.minimum(exponents, LARGEST_EXPONENT)) * max(1 - blur, 0.0)
    return np.where(below < SMALLEST, 0.0, below)


def _unreached(weights: list[_Weights], length: int) -> tuple[int, int]:
    """The first and the last place that no sums reach which lie a length away, except e^UNREACHED of all of them."""
    places = [np.arange(len(each.numbers), dtype=np.float64) for each in weights]
    origins = [_dot(each.numbers, at) for each, at in zip(weights, places, strict=True)]
    spreads = [_dot(each.numbers, (at - mean) ** 2) for each, at, mean in zip(weights, places, origins, strict=True)]
    deviation = math.sqrt(math.fsum(each.count * spread for each, spread in zip(weights, spreads, strict=True)))
    mean = math.fsum(each.count * origin for each, origin in zip(weights, origins, strict=True))
    right = [(each.numbers, each.count, origin) for each, origin in zip(weights, origins, strict=True)]
    left = [(numbers[::-1], count, len(numbers) - 1 - origin) for numbers, count, origin in right]
    above, below = (_reach(way, deviation, UNREACHED) for way in (right, left))
    return math.ceil(max(mean + above - length, -1.0)) + 1, math.floor(min(mean - below + length, 2.0**60)) - 1


def _length(size: int) -> int:
    """The least length for so many sums that is a power of two, or three times one."""
    whole = 1 << (size - 1).bit_length()
    return 3 * whole // 4 if whole >= 4 and size <= 3 * whole // 4 else whole


def _product(weights: list[_Weights], length: int) -> tuple[Complex, float]:
    """The product of all the transforms, and how far a sum that is made of it may be off."""
    stages, root = STAGE_ERROR * length.bit_length(), math.sqrt(length)
    product, logs, moduli, norms = np.ones(length // 2 + 1, dtype=np.complex128), np.zeros(length // 2 + 1), [], []
    for each in weights:
        numbers = each.folded(length)
        transform = np.fft.rfft(numbers, length)
        norms.append(math.sqrt(float(np.sum(numbers * numbers))) * (1 + 1e-9))
        moduli.append(np.abs(transform) * (1 + 4 * ULP) + 1.001 * stages * norms[-1] * root)
        logs += each.count * np.log(moduli[-1])
        product *= _power(transform, each.count)
    with np.errstate(under="ignore"):
        whole = np.exp(np.minimum(logs, LARGEST_EXPONENT / 3)) * (1 + 1e-6)
        error = math.fsum(
            each.count * stages * norm * _norm(whole / modulus) / root
            for each, norm, modulus in zip(weights, norms, moduli, strict=True)
        )
        factors = 4 * ULP * sum(each.count for each in weights)
        error = 1.001 * (error + (stages + factors) * _norm(np.abs(product)) / root)
    dropped = math.fsum(each.count * len(each.numbers) for each in weights) * NOTHING
    return product, error + 2 * dropped + 2 * length * NOTHING


def _dot(first: Array, second: Array) -> float:
    """The sum of products, in this thread: long ones would be left to several by some libraries."""
    return float(np.einsum("i,i->", first, second))


def _norm(half: Array) -> float:
    """The norm of squares of a whole spectrum, by that of its one half: no less than it is."""
    return math.sqrt(2 * float(np.sum(half * half))) * (1 + 1e-9)


def _power(numbers: Complex, count: int) -> Complex:
    """The numbers to a power, by squares."""
    if count == 1:
        return numbers
    half = _power(numbers, count // 2)
    return half * half * numbers if count % 2 else half * half
