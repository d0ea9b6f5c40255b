"""Numbers of fifty digits as fractions, for worlds whose probabilities are no doubles."""

from __future__ import annotations

from fractions import Fraction

import mpmath


def fraction(value: mpmath.mpf) -> Fraction:
    """The fraction that the number of fifty digits is."""
    top, bottom = mpmath.libmp.to_rational(mpmath.mpf(value)._mpf_)
    return Fraction(int(top), int(bottom))


def coin(epsilon: object) -> tuple[Fraction, Fraction]:
    """The probabilities with which randomized response tells the truth and does not."""
    truth = fraction(1 / (1 + mpmath.exp(-mpmath.mpf(epsilon))))
    return truth, 1 - truth
