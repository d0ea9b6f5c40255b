"""The Laplace pair in closed form: noise of density e^{-|x|/b}/2b, and an answer that moves by epsilon times b.

Under P the loss is epsilon with probability 1/2, -epsilon with probability e^{-epsilon}/2, and between the two it has
the density e^{(z - epsilon)/2}/4. Times e^{-z/2} this is symmetric: e^{-epsilon/2} times a fair coin and epsilon/2 of
a uniform variable. So the profile and the tails of the sum of several equal releases are exponential moments of tails
of coins and uniforms, which are known to ten digits and more however few the releases are: a single integral has no
such luck with few releases, because the atoms keep its integrand from falling off.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves.face import Array, LossDistribution
from whit.curves.numerical import ComposedLoss
from whit.errors import require
from whit.numerics import ULP, Bracket, coins_and_uniforms, finite_nonnegative, finite_positive, log1mexp

Flags: TypeAlias = NDArray[np.bool_]

_LOG_TWO = math.log(2.0)


@dataclass(frozen=True)
class LaplaceLoss(LossDistribution):
    """The loss of one Laplace release.

    largest      the largest loss, epsilon: the change of the answer divided by the scale of the noise
    loss_error   by how much the true one may lie below it; 0 where it is exact
    """

    largest: float
    loss_error: float = 0.0

    def __post_init__(self) -> None:
        """Refuse an epsilon that is not a positive number, or an error as large as it."""
        way_out = "It is the change of the answer divided by the scale of the noise; use a number such as 1."
        object.__setattr__(self, "largest", finite_positive("epsilon", self.largest, way_out))
        error = finite_nonnegative("loss_error", self.loss_error, "Use 0 where epsilon is exact.")
        object.__setattr__(self, "loss_error", error)
        small = error < self.largest
        require(small, name="loss_error", rule="must be below epsilon", value=error, way_out="Use 0 if it is exact.")

    @property
    def least(self) -> float:
        """The smallest value that the largest loss may truly have."""
        return float(np.nextafter(self.largest - self.loss_error, 0.0)) if self.loss_error else self.largest

    @property
    def log_infinity(self) -> float:
        """Minus infinity: the loss is never above epsilon."""
        return -np.inf

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of D(t): 1 - e^{(t - epsilon)/2} up to epsilon, 1 - e^t below -epsilon, 0 from epsilon on."""
        t = np.asarray(epsilons, dtype=np.float64)
        # The difference is rounded once, and log(1 - e^x) moves by no more than x does, relatively.
        return _widened(_log_delta(t, self.least), _log_delta(t, self.largest))

    def log_tail(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z > t]."""
        t = np.asarray(losses, dtype=np.float64)
        low, high = self.least, self.largest
        return self._tail(t, certain=(t < -high, t < -low), never=(t >= low, t >= high))

    def log_tail_closed(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z >= t]."""
        t = np.asarray(losses, dtype=np.float64)
        low, high = self.least, self.largest
        return self._tail(t, certain=(t <= -high, t <= -low), never=(t > low, t > high))

    def _tail(self, t: Array, *, certain: tuple[Flags, Flags], never: tuple[Flags, Flags]) -> Bracket:
        """The tail where the true epsilon is the one that makes it smallest, and the one that makes it largest.

        Between the two atoms it grows with epsilon; an atom at -epsilon that is just passed takes it below 1.
        """
        smallest = np.maximum(self.least, -t)
        lower = np.where(certain[0], 0.0, np.where(never[0], -np.inf, _log_middle(t, smallest)))
        upper = np.where(certain[1], 0.0, np.where(never[1], -np.inf, _log_middle(t, self.largest)))
        return _widened(lower, upper)

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the power: e^epsilon a up to level a = e^{-epsilon}/2, 1 - e^{-epsilon}(1 - a) above 1/2.

        Between them it is 1 - e^{-epsilon}/4a. Each grows with epsilon.
        """
        levels = np.asarray(log_levels, dtype=np.float64)
        bracket = _widened(_log_power(levels, self.least), _log_power(levels, self.largest))
        # In the upper two branches the exponent is a sum of epsilon and the log of the level, each rounded.
        error = np.where(levels > -self.largest - 1.0, 8 * ULP * (1.0 + 2.0 * self.largest), 0.0)
        inside = Bracket(bracket.lower - error, bracket.mid, np.minimum(bracket.upper + error, 0.0))
        certain = levels >= 0.0
        return Bracket(*(np.where(certain, 0.0, end) for end in inside.ends))

    def reverse(self) -> LaplaceLoss:
        """This pair: the Laplace pair is symmetric."""
        return self


def _log_delta(t: Array, epsilon: float) -> Array:
    middle = log1mexp(np.minimum(np.clip(t, -epsilon, epsilon) - epsilon, 0.0) / 2)
    return np.where(t >= epsilon, -np.inf, np.where(t < -epsilon, log1mexp(np.minimum(t, 0.0)), middle))


def _log_middle(t: Array, epsilon: float | Array) -> Array:
    """Log of 1 - e^{(t - epsilon)/2}/2, the tail between the two atoms."""
    gap = np.minimum(np.where(np.isfinite(t), t, 0.0) - np.where(np.isfinite(epsilon), epsilon, 0.0), 0.0)
    return np.asarray(np.log1p(-np.exp(gap / 2) / 2))


def _log_power(log_level: Array, epsilon: float) -> Array:
    low = epsilon + log_level
    inside = np.maximum(log_level, -epsilon - _LOG_TWO)
    middle = np.log1p(-np.exp(np.minimum(-epsilon - inside - 2 * _LOG_TWO, -_LOG_TWO)))
    high = np.log1p(-np.exp(-epsilon + log1mexp(np.maximum(np.minimum(log_level, 0.0), -_LOG_TWO))))
    return np.where(log_level <= -epsilon - _LOG_TWO, low, np.where(log_level <= -_LOG_TWO, middle, high))


def _widened(lower: Array, upper: Array) -> Bracket:
    """Between two logs, each with an error of a few units in the last place of 1 and of itself."""
    errors = [ULP * (8 + 4 * np.where(np.isfinite(end), np.abs(end), 0.0)) for end in (lower, upper)]
    return Bracket(lower - errors[0], np.minimum(upper, 0.0), np.minimum(upper + errors[1], 0.0))


# Beyond so many the integral is as good and quicker.
_MOST_COPIES = 20_000
# Where the sums are not known so closely, because they are too small for doubles, the integral is asked.
_CLOSE = 1e-7
# Next to the smallest doubles the integral takes seconds, and mostly is not as close as the sums.
_FAINT = 1e-300


def few_uniforms(largest: float, copies: int) -> bool:
    """Whether so many releases, each with this largest loss, are better summed as splines than integrated."""
    return copies <= _MOST_COPIES and coins_and_uniforms.few_enough(copies, largest)


@dataclass(frozen=True, eq=False, repr=False)
class LaplaceSum(ComposedLoss):
    """The loss of equal Laplace releases.

    largest   the largest loss of one of them
    copies    how many there are
    """

    theorems: ClassVar[tuple[str, ...]] = ("laplace-sum", "losses-add")
    tail_tolerance: ClassVar[float] = 1e-12

    largest: float = 1.0
    copies: int = 1

    def _profile(self, finite: Array) -> Bracket:
        """D(t) = 2 e^{epsilon (x - n)} E[sinh(epsilon (y - x)); y > x], with x the place of t among n coins."""
        below = log1mexp(np.minimum(finite, 0.0))
        far = Bracket.around(below, 4 * ULP * (1 + np.where(np.isfinite(below), np.abs(below), 0.0)))
        return self._inside(finite, far, lambda tails: _shifted(tails.odd, np.log(2.0)), super()._profile)

    def _open_tail(self, finite: Array) -> Bracket:
        """P[Z > t] = e^{epsilon (x - n)} E[e^{epsilon (y - x)}; y > x]."""
        # The smallest sum of all is an atom, and not above itself.
        least = np.array([self._log_atom(t) if self._place(t) == 0 else -np.inf for t in finite.ravel()])
        below = log1mexp(least).reshape(finite.shape)
        # The log of the atom is rounded; what is left to 1 moves by as much, relatively.
        size = 1 + np.where(np.isfinite(least), np.abs(least), 0.0).reshape(finite.shape)
        certain = Bracket.around(below, 8 * ULP * size * np.abs(below))
        return self._inside(finite, certain, lambda tails: tails.even.log_sum(tails.odd), super()._open_tail)

    def _closed_tail(self, finite: Array) -> Bracket:
        """P[Z >= t]: the open tail, and the atom where t is one of the sums of all coins."""
        tail = self._open_tail(finite)
        atoms = np.array([self._log_atom(t) for t in finite.ravel()]).reshape(finite.shape)
        return tail.log_sum(Bracket.around(atoms, 1e-13 * (1 + np.abs(np.where(np.isfinite(atoms), atoms, 0.0)))))

    def _inside(
        self,
        finite: Array,
        below: Bracket,
        combine: Callable[[coins_and_uniforms.Tails], Bracket],
        integral: Callable[[Array], Bracket],
    ) -> Bracket:
        """The answer between the smallest and the largest sum, minus infinity above, and what is known below."""
        place = np.array([self._place(t) for t in finite.ravel()], dtype=object).reshape(finite.shape)
        high, inside = place >= self.copies, (place > 0) & (place < self.copies)
        ends = [np.where(high, -np.inf, end) for end in below.ends]
        if inside.any():
            _put(ends, inside, self._solved(place[inside], combine))
            wide = inside.copy()
            wide[inside] = ends[2][inside] - np.maximum(ends[0][inside], -1e300) > _CLOSE
            if wide.any():
                faint = self.largest <= _FAINT
                _put(ends, wide, _as_far_below(*(end[wide] for end in ends)) if faint else integral(finite[wide]))
        return Bracket(*ends)

    def _solved(self, places: Array, combine: Callable[[coins_and_uniforms.Tails], Bracket]) -> Bracket:
        tails = coins_and_uniforms.log_tails(self.copies, self.largest, list(places))
        epsilon = Fraction(self.largest)
        factors = np.array([float(epsilon * (x - self.copies)) for x in places])
        sums = _shifted(combine(tails), factors)
        return Bracket(*(np.minimum(end, 0.0) for end in sums.ends))

    def _place(self, t: float) -> Fraction:
        """Where t lies among the sums of n coins: 0 at -n epsilon, n at n epsilon, without rounding."""
        return (Fraction(float(t)) / Fraction(self.largest) + self.copies) / 2

    def _log_atom(self, t: float) -> float:
        """Log of P[Z = t]."""
        place = self._place(t)
        if place.denominator != 1 or not 0 <= place <= self.copies:
            return -np.inf
        heads = int(place)
        return float(coins_and_uniforms.log_fair(self.copies, heads) + self.largest * (heads - self.copies))

    def reverse(self) -> LaplaceSum:
        """This sum: the Laplace pair is symmetric."""
        return self

    def __repr__(self) -> str:
        """The parts by their number."""
        return f"<LaplaceSum: {self.copies} releases of largest loss {self.largest:g}>"


def _put(ends: list[Array], where: Flags, bracket: Bracket) -> None:
    """Put a bracket in the place of some of the answers."""
    for end, part in zip(ends, bracket.ends, strict=True):
        end[where] = part


def _as_far_below(lower: Array, mid: Array, upper: Array) -> Bracket:
    """The bracket with as much room below as above: next to the smallest doubles errors do not shrink with the sums."""
    width = upper - np.maximum(lower, -1e300)
    room = log1mexp(np.log(np.expm1(np.minimum(width, 0.5))))
    return Bracket(np.where(width < 0.5, lower + room, -np.inf), mid, upper)


def _shifted(bracket: Bracket, amount: Array | np.float64) -> Bracket:
    """The bracket moved by an amount that is rounded, once in itself and once in the sum."""
    lower, mid, upper = (end + amount for end in bracket.ends)
    sizes = [np.where(np.isfinite(end), np.abs(end), 0.0) + np.abs(amount) for end in (lower, upper)]
    return Bracket(lower - 4 * ULP * sizes[0], mid, upper + 4 * ULP * sizes[1])
