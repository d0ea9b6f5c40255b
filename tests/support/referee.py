"""Exact answers for finite pairs in rational arithmetic and in 50 digits."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import mpmath


def delta(p: list[float], q: list[float], epsilon: float) -> mpmath.mpf:
    """The largest P(S) - e^epsilon Q(S) over all sets S of outcomes, every one of them tried."""
    outcomes = range(len(p))
    factor = mpmath.exp(mpmath.mpf(epsilon))
    return max(
        mpmath.fsum(mpmath.mpf(p[i]) - factor * mpmath.mpf(q[i]) for i in chosen)
        for size in range(len(p) + 1)
        for chosen in combinations(outcomes, size)
    )


def tail(p: list[float], q: list[float], loss: float, closed: bool = False) -> mpmath.mpf:
    """P[Z > loss], or P[Z >= loss]."""

    def beyond(a: float, b: float) -> bool:
        if a == 0:
            return False
        if b == 0:
            return True
        ratio = mpmath.log(mpmath.mpf(a)) - mpmath.log(mpmath.mpf(b))
        return bool(ratio >= loss if closed else ratio > loss)

    return mpmath.fsum(mpmath.mpf(a) for a, b in zip(p, q, strict=True) if beyond(a, b))


def power(p: list[float], q: list[float], level: float) -> Fraction:
    """The largest power at a level: outcomes in falling order of p/q, the last one only in part."""
    pairs = [(Fraction(a), Fraction(b)) for a, b in zip(p, q, strict=True)]
    free = sum((a for a, b in pairs if b == 0), Fraction(0))
    left, gained = Fraction(level), free
    for a, b in sorted((pair for pair in pairs if pair[1] > 0), key=lambda pair: pair[0] / pair[1], reverse=True):
        share = min(Fraction(1), left / b)
        gained += share * a
        left -= share * b
        if left <= 0:
            break
    return gained
