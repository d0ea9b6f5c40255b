"""Sums of variables that are each a fair coin or uniform between its two sides: tails and exponential moments of tails.

Each of n terms is 0 or 1 with weight 1/2 each, or spread evenly over [0, 1] with weight w/2. With y the sum of all,
the two numbers asked for at a point x are

    even = sum over even r of w^r E[(y - x)^r; y > x] / r!       odd = the same over odd r,

that is E[cosh(w (y - x)); y > x] and E[sinh(w (y - x)); y > x], where E runs over the measure above. With m uniform
terms their sum has the density of Irwin and Hall, a spline; a power (y - x)^r is a sum of steps repeated r times, and
each step turns a spline into one of one degree more. So both numbers are sums of values of splines at x + integers,
times repeated sums of binomial coefficients: every term is positive, nothing cancels, and the relative error is no
more than the number of operations behind a term.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from whit.numerics.bracket import Bracket
from whit.numerics.rounding import ULP, Array

# What is left out is at most this share of what is kept, or the answer says that it is more.
_NEGLIGIBLE = 1e-14
# The smallest number above zero: what a product may lose where it falls below.
_LOST = 5e-324
_TILTS = np.geomspace(1e-4, 60.0, 64)
_WEIGHTS = np.array([1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 9.0])


@dataclass(frozen=True)
class Tails:
    """Logs of the two numbers at each point."""

    even: Bracket
    odd: Bracket


def log_tails(count: int, weight: float, points: Sequence[Fraction]) -> Tails:
    """Logs of the even and the odd number of `count` terms at points inside (0, count); weight times count is moderate.

    >>> tails = log_tails(1, 1.0, [Fraction(1, 2)])  # E[cosh(y - 1/2); y > 1/2] = (cosh(1/2) + sinh(1/2)) / 2
    >>> bool(abs(tails.even.mid[0] - math.log(math.exp(0.5) / 2)) < 1e-14)
    True
    """
    floors = np.array([math.floor(x) for x in points])
    places = np.array([float(x) for x in points])
    terms = _enough_terms(count, weight, float(places.min()))
    top = _enough_coins(count, weight, int(floors.max()))
    while True:
        found = _Sums.of(count, weight, points, floors, terms, top)
        left_out = _left_out(count, weight, places, terms) + _beyond(count, weight, places, top)
        if np.all(left_out <= _NEGLIGIBLE * found.odd) or not _fits(count, weight, 2 * terms):
            return found.logs(left_out)
        terms, top = 2 * terms, count


def few_enough(count: int, weight: float) -> bool:
    """Whether the sums of so many terms fit doubles, at every point.

    >>> few_enough(10_000, 0.01), few_enough(10, 20.0)
    (True, False)
    """
    usual = count * weight / (2.0 + weight)
    return usual < 1000.0 and _fits(count, weight, _terms(count, weight, usual))


def _fits(count: int, weight: float, terms: int) -> bool:
    """Whether the repeated sums stay below the largest double: they grow to e^{w (count + terms)} at most."""
    return weight * (count + terms) < 600.0 and terms < 10_000


def log_fair(count: int, heads: int) -> float:
    """Log of the probability of so many heads in so many throws of a fair coin, to some 1e-14 of its size and of 1."""
    chance = Fraction(math.comb(count, heads), 2**count)
    # Python takes the log of whole numbers of any size.
    return math.log(chance.numerator) - math.log(chance.denominator)


def _enough_terms(count: int, weight: float, lowest: float) -> int:
    """How many degrees hold all but a negligible part: the usual number of uniform terms, and eight deviations."""
    tilt = _tilt(count, weight, lowest)
    share = weight * math.expm1(tilt) / tilt
    return _terms(count, weight, count * share / (1.0 + math.exp(tilt) + share))


def _terms(count: int, weight: float, usual: float) -> int:
    return int(usual + 8 * math.sqrt(usual) + weight * math.sqrt(count) * 4 + 24)


def _enough_coins(count: int, weight: float, highest: int) -> int:
    """A number of heads beyond which nothing counts, to be checked."""
    return min(count, highest + 60 + int((4.5 + 4 * weight) * math.sqrt(count)))


def _tilt(count: int, weight: float, lowest: float) -> float:
    """The tilt at which the sum is usually at the point."""
    values = _log_moment(count, weight, _TILTS) - _TILTS * lowest
    return float(_TILTS[np.argmin(values)])


def _log_moment(count: int, weight: float | Array, tilts: Array) -> Array:
    """Log of E[e^{tilt y}]."""
    return np.asarray(count * np.log(((1.0 + np.exp(tilts)) + weight * np.expm1(tilts) / tilts) / 2.0))


def _left_out(count: int, weight: float, places: Array, terms: int) -> Array:
    """A bound on all terms of `terms` and more uniform variables and steps together.

    With z > 1 they are at most z^{-terms} times the same sum with z w in place of w, and that is at most
    E[e^{a (y - x)}] for every a >= z w.
    """
    z = _WEIGHTS[:, None] * weight
    tilts = np.maximum(_TILTS, z)
    logs = _log_moment(count, z, tilts) - terms * np.log(_WEIGHTS)[:, None]
    exponents = logs[..., None] - tilts[..., None] * places
    return np.asarray(np.exp(np.minimum(exponents.min(axis=(0, 1)) + 1e-9, 700.0)))


def _beyond(count: int, weight: float, places: Array, top: int) -> Array:
    """A bound on all terms with more than `top` heads, each times e^{b (heads - top - 1)}, which is at least 1."""
    if top >= count:
        return np.zeros(places.shape)
    with np.errstate(over="ignore"):
        logs = count * np.log((1.0 + np.exp(weight + _TILTS) + np.expm1(weight)) / 2.0) - _TILTS * (top + 1)
    return np.asarray(np.exp(np.minimum(float(logs.min()) - weight * places + 1e-9, 700.0)))


@dataclass(frozen=True)
class _Sums:
    """The two sums at each point, the relative error of each, and what underflow may have taken from them."""

    even: Array
    odd: Array
    relative_error: float
    lost: float

    @classmethod
    def of(
        cls, count: int, weight: float, points: Sequence[Fraction], floors: NDArray[np.int_], terms: int, top: int
    ) -> _Sums:
        """The sums of all splines below a degree."""
        above = np.array([float(x - int(k)) for x, k in zip(points, floors, strict=True)])
        below = np.array([float(1 + int(k) - x) for x, k in zip(points, floors, strict=True)])
        heads = top - np.arange(top - int(floors.min()) + terms)
        steps = _RepeatedSums(count, weight, heads)
        splines = _Splines(above, below, terms)
        # Where the repeated sums of each point begin, for the first piece of a spline; the next pieces lie further on.
        places = top - 1 - floors + np.arange(terms)[:, None]
        totals = np.zeros(len(above), dtype=np.complex128)
        largest = 0.0
        for degree in range(terms):
            sums = steps.next(degree)
            totals += np.einsum("lk,lk->k", splines.next(degree), sums[places[: degree + 1]])
            largest = max(largest, abs(sums[-1]))
        operations = terms * (len(heads) + 24) + 4 * count + 64
        lost = _LOST * (terms + len(heads)) ** 3 * (1.0 + largest)
        return cls(totals.real, totals.imag, 1.1 * ULP * operations, lost)

    def logs(self, left_out: Array) -> Tails:
        """The logs of both, between bounds."""
        error = (left_out + self.lost) * (1 + 1e-12)
        return Tails(*(_bracket(total, error, self.relative_error) for total in (self.even, self.odd)))


def _bracket(total: Array, error: Array, relative: float) -> Bracket:
    with np.errstate(divide="ignore"):
        mid, upper = np.log(total), np.log(total + error)
    hair = relative + 4 * ULP * (1 + np.abs(np.where(np.isfinite(mid), mid, 0.0)))
    return Bracket(mid - hair, mid, np.maximum(upper, mid) + hair)


class _RepeatedSums:
    """Sums of sums of the binomial probabilities, from the largest number of heads on downwards, degree by degree.

    A step is a sum over all that lies above, without the place itself. What even numbers of steps give is kept as the
    real part, and what odd ones do as the imaginary part: so one pass makes the step of both.
    """

    def __init__(self, count: int, weight: float, heads: NDArray[np.int_]) -> None:
        self.weight = weight
        self.walk = _fair(count, heads)
        self.tails = weight * (count - heads).astype(np.float64)
        self.sums, self.next_sums = np.zeros((2, len(heads)), dtype=np.complex128)

    def next(self, degree: int) -> NDArray[np.complex128]:
        """The sums that go with splines of this degree; to be asked for in order, and used before the next."""
        # i times the conjugate exchanges the real and the imaginary part.
        np.multiply(self.sums[:-1].conj(), self.weight * 1j, out=self.next_sums[1:])
        self.next_sums[0] = 0.0
        self.next_sums.real += self.walk
        np.add.accumulate(self.next_sums, out=self.sums)
        # One more of the coins that show tails becomes uniform; where there is none left, this is a zero for good.
        self.walk *= self.tails - self.weight * degree
        self.walk /= degree + 1
        return self.sums


class _Splines:
    """The density of a sum of uniform variables at x + integers, one variable more each time."""

    def __init__(self, above: Array, below: Array, terms: int) -> None:
        pieces = np.arange(terms, dtype=np.float64)[:, None]
        self.up, self.down = pieces + above, pieces + below
        self.values, self.raised = np.zeros((2, terms + 1, len(above)))
        self.raised[0] = 1.0

    def next(self, degree: int) -> Array:
        """The pieces of the density of degree + 1 variables; to be asked for in order, and used before the next."""
        self.values, self.raised = self.raised, self.values
        current, next_one = self.values[: degree + 1], self.raised[: degree + 2]
        np.multiply(current, self.up[: degree + 1], out=next_one[:-1])
        next_one[-1] = 0.0
        next_one[1:] += current * self.down[degree::-1]
        next_one /= degree + 1
        return current


def _fair(count: int, heads: NDArray[np.int_]) -> Array:
    """The probability of each number of heads, for numbers that fall by 1; 0 below none."""
    middle = count // 2
    far = max(int(heads[0]) - middle, middle - int(heads[-1]), 0)
    steps = np.arange(far, dtype=np.float64)
    # From the middle upwards the chances fall by (n - k) / (k + 1), and downwards by k / (n - k + 1).
    rising = np.cumprod((count - middle - steps) / (middle + steps + 1.0))
    falling = np.cumprod(np.maximum(middle - steps, 0.0) / (count - middle + steps + 1.0))
    chances = _middle(count) * np.concatenate([rising[::-1], [1.0], falling])
    first = middle + far - int(heads[0])
    return chances[first : first + len(heads)]


def _middle(count: int) -> float:
    """The probability of half as many heads as coins (rounded down): exact, or by Stirling's series for many."""
    if count < 2000:
        return float(Fraction(math.comb(count, count // 2), 2**count))
    pairs = (count + 1) // 2
    # The series alternates: what is left out is below 2e-3 / pairs^7.
    series = -1 / (8 * pairs) + 1 / (192 * pairs**3) - 1 / (640 * pairs**5)
    return math.exp(series) / math.sqrt(math.pi * pairs)
