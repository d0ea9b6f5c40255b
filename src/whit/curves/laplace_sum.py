"""The loss of several equal Laplace releases: a sum of coins and uniform variables, whose law is a mixture of splines.

Under P the loss z of one release has the atoms 1/2 at epsilon and e^{-epsilon}/2 at -epsilon, and between them the
density e^{(z - epsilon)/2}/4. Times e^{-z/2} this is symmetric: e^{-epsilon/2} times a fair coin and epsilon/2 of a
uniform variable. So the profile and the tails of a sum are exponential moments of tails of coins and uniforms, which
are known to ten digits and more however few the releases are: a single integral has no such luck with few releases,
because the atoms keep its integrand from falling off.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from whit.curves.face import Array
from whit.curves.numerical import ComposedLoss
from whit.numerics import ULP, Bracket, coins_and_uniforms, log1mexp

# Beyond so many the integral is as good and quicker.
_MOST_COPIES = 20_000
# Where the sums are not known so closely, because they are too small for doubles, the integral is asked.
_CLOSE = 1e-7


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
        certain = Bracket.around(below, 4 * ULP * np.abs(below))
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
        ends = [np.where(high, -np.inf, end) for end in (below.lower, below.mid, below.upper)]
        if inside.any():
            _put(ends, inside, self._solved(place[inside], combine))
            wide = inside.copy()
            wide[inside] = ends[2][inside] - np.maximum(ends[0][inside], -1e300) > _CLOSE
            if wide.any():
                _put(ends, wide, integral(finite[wide]))
        return Bracket(*ends)

    def _solved(self, places: Array, combine: Callable[[coins_and_uniforms.Tails], Bracket]) -> Bracket:
        tails = coins_and_uniforms.log_tails(self.copies, self.largest, list(places))
        epsilon = Fraction(self.largest)
        factors = np.array([float(epsilon * (x - self.copies)) for x in places])
        sums = _shifted(combine(tails), factors)
        return Bracket(*(np.minimum(end, 0.0) for end in (sums.lower, sums.mid, sums.upper)))

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


def _put(ends: list[Array], where: NDArray[np.bool_], bracket: Bracket) -> None:
    """Put a bracket in the place of some of the answers."""
    for end, part in zip(ends, (bracket.lower, bracket.mid, bracket.upper), strict=True):
        end[where] = part


def _shifted(bracket: Bracket, amount: Array | np.float64) -> Bracket:
    """The bracket moved by an amount that is rounded, once in itself and once in the sum."""
    lower, mid, upper = (end + amount for end in (bracket.lower, bracket.mid, bracket.upper))
    sizes = [np.where(np.isfinite(end), np.abs(end), 0.0) + np.abs(amount) for end in (lower, upper)]
    return Bracket(lower - 4 * ULP * sizes[0], mid, upper + 4 * ULP * sizes[1])
