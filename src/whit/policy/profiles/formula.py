"""The largest epsilon at one adversary, from exact rational numbers: what the closed forms of profiles are made of."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from whit.numerics import down, up
from whit.semantics.disclosure import root_down


def epsilon_at(limit: Fraction, inclusion: Fraction, value: Fraction) -> float:
    """The largest epsilon that keeps one adversary to a limit of at least 1, rounded down; replacing loses twice that.

    Both beliefs may be 0, which stands for the limit towards it.

    >>> epsilon_at(Fraction(3), Fraction(1), Fraction(0))  # doctest: +ELLIPSIS
    0.549306144...
    """
    c = 1 / limit - inclusion * value
    if c <= 0:
        return math.inf
    u, v, gap = (_nearest(x) for x in (1 - inclusion, inclusion * (1 - value), 1 - 1 / limit))
    return float(root_down(up(float(c)), u, v, np.maximum(down(gap), 0.0)))


def _nearest(x: Fraction) -> np.ndarray[tuple[()], np.dtype[np.float64]]:
    return np.asarray(float(x), dtype=np.float64)
