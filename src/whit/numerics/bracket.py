"""Brackets: numbers known between two others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import InvalidInput, TooCostly
from whit.numerics.rounding import ULP, Array, add_down, add_up, down, steps_of_one, up

EXP_ULPS = 2
"""The error allowed to numpy's exp, in doubles. Its documented and tested error is below 1; the other is reserve."""

LOG_SUM_ERROR = 8.0 * ULP
"""The error allowed to the logarithm in log(e^a + e^b), before it is added to the larger of a and b.

It is log1p(e^-d) with d = |a - b|. The rounding of d moves it by at most d e^-d ULP <= ULP / e, exp and log1p (2 ULP
relative each, and a second unit as reserve) by at most 4 ULP e^-d / (1 + e^-d) + 4 ULP log 2 < 5 ULP.
"""


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
        low, high = np.asarray(lower, dtype=np.float64), np.asarray(upper, dtype=np.float64)
        middle = np.asarray(mid, dtype=np.float64)
        if not low.shape == middle.shape == high.shape:
            low, middle, high = np.broadcast_arrays(low, middle, high)
        # One look for all three: a comparison with nan is false. A look at one number is quick without arrays.
        if not (low <= high and middle == middle if low.ndim == 0 else ((low <= high) & (middle == middle)).all()):
            _require_ordered(low, middle, high)
        for name, values in (("lower", low), ("mid", np.minimum(np.maximum(middle, low), high)), ("upper", high)):
            frozen = np.asarray(values).view()
            frozen.flags.writeable = False
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
        """The numbers with these logarithms, rounded outwards by EXP_ULPS.

        Minus infinity gives 0, 0 gives 1 and infinity gives infinity exactly. The upper bound of a probability may come
        out above 1: it is not capped here, since only the caller knows that it is one.
        """
        with np.errstate(over="ignore", under="ignore"):
            low, middle, high = (np.asarray(np.exp(x)) for x in self.ends)
        if low.ndim == 0:
            return _exp_of_one(self, low, middle, high)
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


def _exp_of_one(logs: Bracket, low: Array, middle: Array, high: Array) -> Bracket:
    """The exponentials of the ends of a single number, rounded as `Bracket.exp` has it."""
    lower = low if _exp_is_exact(logs.lower) else max(steps_of_one(float(low), EXP_ULPS, -math.inf), 0.0)
    upper = high if _exp_is_exact(logs.upper) else steps_of_one(float(high), EXP_ULPS, math.inf)
    return Bracket(lower, middle, upper)


def _require_ordered(lower: Array, mid: Array, upper: Array) -> None:
    """Refuse nan, and a lower bound above the upper one."""
    if np.isnan(lower).any() or np.isnan(mid).any() or np.isnan(upper).any():
        way_out = "Use parameters that are nearer to 1."
        raise TooCostly(
            "the answer", "must be within the numbers that doubles hold", "one that is lost on the way", way_out
        )
    crossed = lower > upper
    if crossed.any():
        rule = "must have its lower bound at or below its upper bound"
        found = f"{lower[crossed][:1]} above {upper[crossed][:1]}"
        way_out = "Exchange the two, or widen them by the error that made them cross."
        raise InvalidInput("a bracket", rule, found, way_out)


def exp_up(logs: ArrayLike) -> Array:
    """The probabilities with these logs, rounded up: none but e^-inf is 0, and none exceeds 1."""
    return np.minimum(Bracket.exact(logs).exp().upper, 1.0)
