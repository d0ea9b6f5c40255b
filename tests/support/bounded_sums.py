"""The exact law of the sum of a few bounded losses, Laplace noise and coins, in closed form and to any precision.

What a part lacks to its largest loss epsilon is 0 with probability 1/2, 2 epsilon with probability e^{-epsilon}/2, and
between them it has the density e^{-w/2}/4. With u = 1/(s + 1/2) its Laplace transform is

    1/2 + u/4 + e^{-2 epsilon s} e^{-epsilon} (1/2 - u/4),

and that of a coin (randomized response, geometric noise) is (1 + e^{-epsilon} e^{-2 epsilon s}) / (1 + e^{-epsilon}).
So a sum lacks a mixture of shifted gamma laws, whose weights may be negative: each is the term c u^k e^{-as}.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import mpmath

DIGITS = 250
"""Six terms of size 1 leave 1e-90 next to the largest loss: enough for that, and for 100 digits of the rest."""

Number: TypeAlias = "mpmath.mpf | float | int"


@dataclass(frozen=True)
class BoundedSum:
    """The sum of the losses of some Laplace releases and some coins, each by its largest loss."""

    laplace: Sequence[Number]
    coins: Sequence[Number]

    @property
    def largest(self) -> mpmath.mpf:
        """The largest loss."""
        with mpmath.workdps(DIGITS):
            return mpmath.fsum([mpmath.mpf(each) for each in (*self.laplace, *self.coins)])

    def tail(self, gap: Number) -> mpmath.mpf:
        """P[Z > largest - gap]."""
        with mpmath.workdps(DIGITS):
            return mpmath.fsum(c * _gamma(k, gap - a, -1) for (a, k), c in self._terms().items() if a < gap)

    def null_tail(self, gap: Number) -> mpmath.mpf:
        """Q[Z > largest - gap]."""
        with mpmath.workdps(DIGITS):
            terms = (c * mpmath.exp(a) * _gamma(k, gap - a, 1) for (a, k), c in self._terms().items() if a < gap)
            return mpmath.exp(-self.largest) * mpmath.fsum(terms)

    def delta(self, gap: Number) -> mpmath.mpf:
        """The profile at largest - gap."""
        with mpmath.workdps(DIGITS):
            return self.tail(gap) - mpmath.exp(self.largest - gap) * self.null_tail(gap)

    def _terms(self) -> dict[tuple[mpmath.mpf, int], mpmath.mpf]:
        """The weight of each shift and power."""
        terms = {(mpmath.mpf(0), 0): mpmath.mpf(1)}
        for each in self.laplace:
            less = mpmath.exp(-mpmath.mpf(each))
            terms = _times(terms, {(0, 0): 0.5, (0, 1): 0.25, (2 * each, 0): less / 2, (2 * each, 1): -less / 4})
        for each in self.coins:
            less = mpmath.exp(-mpmath.mpf(each))
            terms = _times(terms, {(0, 0): 1 / (1 + less), (2 * each, 0): less / (1 + less)})
        return terms


def _times(
    terms: dict[tuple[mpmath.mpf, int], mpmath.mpf], factor: dict[tuple[Number, int], Number]
) -> dict[tuple[mpmath.mpf, int], mpmath.mpf]:
    product: dict[tuple[mpmath.mpf, int], mpmath.mpf] = defaultdict(mpmath.mpf)
    for (a, k), c in terms.items():
        for (b, j), d in factor.items():
            product[a + mpmath.mpf(b), k + j] += c * d
    return dict(product)


def _gamma(k: int, x: Number, sign: int) -> mpmath.mpf:
    """The mass of u^k up to x, times e^{w/2} instead of e^{-w/2} where the sign is positive: 1 for an atom at 0.

    The integral of w^(k-1)/(k-1)! e^{rw} from 0 to x is (1 - e^{rx} sum of (-rx)^j/j!, j < k) / (-r)^k.
    """
    if k == 0:
        return mpmath.mpf(1)
    r = mpmath.mpf(sign) / 2
    inner = mpmath.fsum((-r * x) ** j / mpmath.factorial(j) for j in range(k))
    return (1 - mpmath.exp(r * x) * inner) / (-r) ** k
