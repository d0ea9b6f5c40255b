"""The four questions that one transform answers, each by the same integral with another weight and another line.

For a real c in the stated range, (1 / 2 pi i) times the integral of M(s) e^{-sx} w(s) over the line Re s = c is

    PROFILE      w = 1/(s(s+1))    c > 0         E_P[(1 - e^{x-Z})+; Z finite] = delta(x) - P[Z = infinity]
    COMPLEMENT   w = -1/(s(s+1))   -1 < c < 0    E_P[min(1, e^{x-Z}); Z finite] = 1 - delta(x)
    UPPER_TAIL   w = 1/s           c > 0         P[Z > x; Z finite]
    LOWER_TAIL   w = -1/s          c < 0         P[Z < x]

(for continuous laws; the next line is reached by crossing a pole, whose residue is the 1 of "1 - delta"). Every
answer g(x) is the mean of a function of Z - x that lies between 0 and e^{a(Z-x)} for each a in the closed range, so
g(x) <= M(a) e^{-ax}.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from whit.curves.contour.floating import UNIT, Complex, Real


@dataclass(frozen=True)
class Question:
    """A weight and the range of lines on which it gives one answer."""

    lowest: float
    highest: float
    sign: int
    two_poles: bool
    weight_error: ClassVar[float] = 16 * UNIT

    def log_weight(self, c: Real) -> Real:
        """log |w(c)| on the real line."""
        value: Real = -np.log(np.abs(c)) - (np.log(np.abs(c + 1)) if self.two_poles else 0.0)
        return value

    def relative_weight(self, c: float, t: Real) -> Complex:
        """w(c + it) / |w(c)|, to a relative weight_error."""
        s = c + 1j * t
        relative: Complex = np.asarray(self.sign * abs(c) / s, dtype=np.complex128)
        return relative * (abs(c + 1) / (s + 1)) if self.two_poles else relative

    def relative_bound(self, c: float, t: Real) -> Real:
        """|w(c + it)| / |w(c)|, which falls in t."""
        first = abs(c) / np.hypot(c, t)
        return first * (abs(c + 1) / np.hypot(c + 1, t)) if self.two_poles else first


PROFILE = Question(0.0, math.inf, 1, two_poles=True)
COMPLEMENT = Question(-1.0, 0.0, -1, two_poles=True)
UPPER_TAIL = Question(0.0, math.inf, 1, two_poles=False)
LOWER_TAIL = Question(-math.inf, 0.0, -1, two_poles=False)
