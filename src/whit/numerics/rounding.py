"""Doubles and their order, directed rounding, and brackets: numbers known between two others.

Rounding goes by units in the last place, is exact for sums and products, and goes to decimals for display.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import InvalidInput, require

Array = NDArray[np.float64]

ULP = 2.0**-53
"""Half the gap between 1 and the next double: the largest relative error of one correctly rounded operation."""

# Bits of the integer square root: twice those of a double, and some.
_ROOT_BITS = 128

EXP_ULPS = 2
"""The error allowed to numpy's exp, in doubles. Its documented and tested error is below 1; the other is reserve."""

LOG_SUM_ERROR = 8.0 * ULP
"""The error allowed to the logarithm in log(e^a + e^b), before it is added to the larger of a and b.

It is log1p(e^-d) with d = |a - b|. The rounding of d moves it by at most d e^-d ULP <= ULP / e, exp and log1p (2 ULP
relative each, and a second unit as reserve) by at most 4 ULP e^-d / (1 + e^-d) + 4 ULP log 2 < 5 ULP.
"""

# A formula is a chain of at most ten operations, correctly rounded or nearly so, on numbers of one sign.
CHAIN = 16

_SPLIT = 2.0**27 + 1.0
_LARGE = 2.0**900
_LOWEST = np.int64(-(2**63))


def ordinals(x: ArrayLike) -> NDArray[np.int64]:
    """The position of each double in the order of all doubles: 0 for both zeros, 1 for the smallest above them.

    >>> int(ordinals(5e-324))
    1
    """
    bits = np.asarray(x, dtype=np.float64).view(np.int64)
    return np.where(bits >= 0, bits, _LOWEST - np.minimum(bits, 0))


def doubles(positions: ArrayLike) -> Array:
    """The doubles at these positions: the inverse of `ordinals`."""
    order = np.asarray(positions, dtype=np.int64)
    return np.where(order >= 0, order, _LOWEST - np.minimum(order, 0)).view(np.float64)


def distinct(values: ArrayLike) -> Array:
    """The numbers in increasing order, each once.

    As np.unique has it, which loads the masked arrays of numpy: a fifth of the time of a whole command.

    >>> distinct([2.0, 0.5, 2.0]).tolist()
    [0.5, 2.0]
    """
    found = np.sort(np.asarray(values, dtype=np.float64), axis=None)
    first = np.ones(found.shape, dtype=bool)
    first[1:] = found[1:] != found[:-1]
    return found[first]


def up(x: ArrayLike, ulps: int = 1) -> Array:
    """The double that is `ulps` doubles above x, as an array of the shape of x; infinity stays.

    >>> up(1.0) > 1.0
    np.True_
    """
    return _step(x, ulps, math.inf)


def down(x: ArrayLike, ulps: int = 1) -> Array:
    """The double that is `ulps` doubles below x, as an array of the shape of x; minus infinity stays.

    The double below infinity is the largest finite one: right where infinity is an overflow. Where infinity is the
    exact value, do not round it.
    """
    return _step(x, ulps, -math.inf)


def add_down(a: ArrayLike, b: ArrayLike) -> Array:
    """The largest double that is not above a + b."""
    total, error = _two_sum(a, b)
    return np.where(error < 0.0, down(total), total)


def add_up(a: ArrayLike, b: ArrayLike) -> Array:
    """The smallest double that is not below a + b."""
    total, error = _two_sum(a, b)
    return np.where(error > 0.0, up(total), total)


def times_down(a: ArrayLike, b: ArrayLike) -> Array:
    """The largest double that is not above a times b, for numbers of at least 0; near underflow the one below it.

    >>> float(times_down(0.1, 10.0)), float(times_down(0.5, 0.1))
    (1.0, 0.05)
    """
    product, below, _ = _product(a, b)
    return np.where(below, np.maximum(down(product), 0.0), product)


def times_up(a: ArrayLike, b: ArrayLike) -> Array:
    """The smallest double that is not below a times b, for numbers of at least 0; near underflow the one above it."""
    product, _, above = _product(a, b)
    return np.where(above, up(product), product)


def reciprocal_up(x: ArrayLike) -> Array:
    """The smallest double that is not below 1 / x, for x of at least 0; infinite at 0, and near it the one above.

    >>> float(reciprocal_up(0.1)), float(reciprocal_up(3.0)) > 1 / 3
    (10.0, True)
    """
    number = np.asarray(x, dtype=np.float64)
    with np.errstate(divide="ignore", over="ignore"):
        inverse = np.asarray(1.0 / number)
    product, below, _ = _product(number, inverse)
    return np.where((product > 1.0) | ((product == 1.0) & ~below) | (number == 0.0), inverse, up(inverse))


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


def doubles_around(value: Fraction) -> tuple[float, float]:
    """The largest double that is not above a rational number, and the smallest that is not below it."""
    try:
        near = float(value)
    except OverflowError:
        return (sys.float_info.max, math.inf) if value > 0 else (-math.inf, -sys.float_info.max)
    exact = Fraction(near)
    return (
        near if exact <= value else math.nextafter(near, -math.inf),
        near if exact >= value else math.nextafter(near, math.inf),
    )


def nearest_up(number: Fraction) -> float:
    """The smallest double that is not below the number.

    >>> nearest_up(Fraction(1, 10)), nearest_up(Fraction(3, 10))
    (0.1, 0.30000000000000004)
    """
    return doubles_around(number)[1]


def square_root(square: Fraction) -> float:
    """The double nearest to the root of a positive number, but never 0.

    >>> square_root(Fraction(1, 4))
    0.5
    """
    shift = _ROOT_BITS - (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    scaled = square * Fraction(2) ** (2 * shift)
    root = Fraction(math.isqrt(scaled.numerator // scaled.denominator)) / Fraction(2) ** shift
    return max(float(root), math.ulp(0.0))


def _step(x: ArrayLike, ulps: int, towards: float) -> Array:
    """The double reached from x by so many steps to the next double."""
    moved = np.asarray(x, dtype=np.float64)
    with np.errstate(over="ignore", under="ignore"):  # the step into infinity or a denormal is meant
        for _ in range(ulps):
            moved = np.asarray(np.nextafter(moved, towards))
    return moved


def _two_sum(a: ArrayLike, b: ArrayLike) -> tuple[Array, Array]:
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


def _product(a: ArrayLike, b: ArrayLike) -> tuple[Array, NDArray[np.bool_], NDArray[np.bool_]]:
    """The rounded product of numbers of at least 0, and whether the exact one may lie below or above it.

    Dekker's product tells exactly what the rounding lost, away from overflow and underflow. A factor of 0, of 1
    or without end loses nothing.
    """
    x, y = np.broadcast_arrays(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        product = np.asarray(x * y)
        (x_high, x_low), (y_high, y_low) = _halves(x), _halves(y)
        error = ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low
    plain = np.logical_or.reduce([(each == 0.0) | (each == 1.0) | np.isinf(each) for each in (x, y)])
    known = (product > 1.0 / _LARGE) & (np.maximum(x, y) < _LARGE)
    return product, ~plain & (~known | (error < 0.0)), ~plain & (~known | (error > 0.0))


def _halves(x: Array) -> tuple[Array, Array]:
    """Two numbers of 26 bits that add up to x: Veltkamp's split."""
    scaled = _SPLIT * x
    high = scaled - (scaled - x)
    return high, x - high


def _decimal(x: float | Decimal, digits: int, rounding: str) -> Decimal:
    """The number as a decimal of so many significant digits, rounded once and in the stated direction."""
    exact = Decimal(x)
    require(not exact.is_nan(), name="x", rule="must be a number", value=x, way_out="Show nan as a word instead.")
    return Context(prec=digits, rounding=rounding, traps=[]).plus(exact)


@dataclass(frozen=True, eq=False, init=False)
class Bracket:
    """Numbers that are certainly at least `lower` and at most `upper`, and about `mid`.

    The three are read-only float64 arrays of one shape, 0-d for a single number. They are free of nan, and a mid
    outside of its bounds is moved to the nearer one.

    >>> Bracket(0.1, 0.5, 0.3)
    Bracket(lower=array(0.1), mid=array(0.3), upper=array(0.3))
    """

    lower: Array
    mid: Array
    upper: Array

    def __init__(self, lower: ArrayLike, mid: ArrayLike, upper: ArrayLike) -> None:
        """Broadcast the three to one shape and check their order."""
        low, middle, high = (np.asarray(x, dtype=np.float64) for x in (lower, mid, upper))
        if not low.shape == middle.shape == high.shape:
            low, middle, high = np.broadcast_arrays(low, middle, high)
        # One look for all three: a comparison with nan is false.
        if not ((low <= high) & (middle == middle)).all():
            _require_ordered(low, middle, high)
        for name, values in (("lower", low), ("mid", np.minimum(np.maximum(middle, low), high)), ("upper", high)):
            frozen = np.asarray(values).view()
            frozen.setflags(write=False)
            object.__setattr__(self, name, frozen)

    @classmethod
    def exact(cls, x: ArrayLike) -> Bracket:
        """Numbers that are known without any error."""
        return cls(x, x, x)

    @classmethod
    def around(cls, mid: ArrayLike, error: ArrayLike) -> Bracket:
        """Numbers known to an absolute error; an infinite mid of finite error is exact, an infinite error unbounded."""
        middle, slack = np.broadcast_arrays(np.asarray(mid, dtype=np.float64), np.asarray(error, dtype=np.float64))
        if not np.all(slack >= 0.0):
            raise InvalidInput("error", "must be a number of at least 0", error, "Give the absolute error of mid.")
        unbounded = np.isinf(slack)
        lower = np.where(unbounded, -np.inf, add_down(middle, -np.where(unbounded, 0.0, slack)))
        upper = np.where(unbounded, np.inf, add_up(middle, np.where(unbounded, 0.0, slack)))
        return cls(lower, middle, upper)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of each of the three arrays."""
        return self.mid.shape

    def __getitem__(self, index: Any) -> Bracket:
        """The bracket of the elements that the index picks from each of the three arrays."""
        return Bracket(self.lower[index], self.mid[index], self.upper[index])

    __hash__ = None  # type: ignore[assignment]  # arrays have no hash

    def __eq__(self, other: object) -> bool:
        """Whether the two hold the same numbers in the same shape."""
        if not isinstance(other, Bracket):
            return NotImplemented
        return all(np.array_equal(a, b) for a, b in zip(self.ends, other.ends, strict=True))

    def shifted(self, amount: ArrayLike) -> Bracket:
        """The sum with a number that is known without error, rounded outwards."""
        with np.errstate(over="ignore", invalid="ignore"):  # inf - inf is refused below, as any nan
            return Bracket(add_down(self.lower, amount), self.mid + np.asarray(amount), add_up(self.upper, amount))

    def reversed_sign(self) -> Bracket:
        """The negative of the numbers, without any rounding."""
        return Bracket(-self.upper, -self.mid, -self.lower)

    def maximum(self, other: Bracket) -> Bracket:
        """The larger of two numbers, elementwise."""
        return Bracket(*(np.maximum(a, b) for a, b in zip(self.ends, other.ends, strict=True)))

    def minimum(self, other: Bracket) -> Bracket:
        """The smaller of two numbers, elementwise."""
        return Bracket(*(np.minimum(a, b) for a, b in zip(self.ends, other.ends, strict=True)))

    def exp(self) -> Bracket:
        """The numbers of which these are the logarithms, rounded outwards by EXP_ULPS.

        Minus infinity gives 0, 0 gives 1 and infinity gives infinity exactly. The upper bound of a probability may come
        out above 1: it is not capped here, since only the caller knows that it is one.
        """
        with np.errstate(over="ignore", under="ignore"):
            low, middle, high = (np.asarray(np.exp(x)) for x in self.ends)
        lower = np.where(_exp_is_exact(self.lower), low, np.maximum(down(low, EXP_ULPS), 0.0))
        upper = np.where(_exp_is_exact(self.upper), high, up(high, EXP_ULPS))
        return Bracket(lower, middle, upper)

    def log_sum(self, other: Bracket) -> Bracket:
        """The logarithm of the sum of two numbers, given the logarithms of both, rounded outwards."""
        low, middle, high = (np.asarray(np.logaddexp(a, b)) for a, b in zip(self.ends, other.ends, strict=True))
        lower = np.where(np.isinf(low), low, add_down(down(low), -LOG_SUM_ERROR))
        upper = np.where(np.isinf(high), high, add_up(up(high), LOG_SUM_ERROR))
        return Bracket(lower, middle, upper)

    @property
    def ends(self) -> tuple[Array, Array, Array]:
        """Lower, mid and upper."""
        return self.lower, self.mid, self.upper


def _exp_is_exact(x: Array) -> NDArray[np.bool_]:
    """Where e^x is a double that exp returns exactly."""
    return np.asarray(np.isinf(x) | (x == 0.0))


def _require_ordered(lower: Array, mid: Array, upper: Array) -> None:
    """Refuse nan, and a lower bound above the upper one."""
    if np.isnan(lower).any() or np.isnan(mid).any() or np.isnan(upper).any():
        way_out = "Use -inf and inf for bounds that are not known."
        raise InvalidInput("a bracket", "must be free of nan", "nan", way_out)
    crossed = lower > upper
    if crossed.any():
        rule = "must have its lower bound at or below its upper bound"
        found = f"{lower[crossed][:1]} above {upper[crossed][:1]}"
        way_out = "Exchange the two, or widen them by the error that made them cross."
        raise InvalidInput("a bracket", rule, found, way_out)


def raised(values: ArrayLike) -> Array:
    """Each number CHAIN doubles further up; 0 and infinity are exact and stay."""
    array = np.asarray(values, dtype=np.float64)
    return np.where(array == 0.0, array, up(array, CHAIN))


def exp_up(logs: ArrayLike) -> Array:
    """The probabilities of which these are the logs, rounded up: none but e^-inf is 0, and none exceeds 1."""
    return np.minimum(Bracket.exact(logs).exp().upper, 1.0)
