"""The four questions that one transform answers, each by the same integral with another weight and another line.

For a real c in the stated range, (1 / 2 pi i) times the integral of M(s) e^{-sx} w(s) over the line Re s = c is

    PROFILE      w = 1/(s(s+1))    c > 0         E_P[(1 - e^{x-Z})+; Z finite] = delta(x) - P[Z = infinity]
    COMPLEMENT   w = -1/(s(s+1))   -1 < c < 0    E_P[min(1, e^{x-Z}); Z finite] = 1 - delta(x)
    UPPER_TAIL   w = 1/s           c > 0         P[Z > x; Z finite]
    LOWER_TAIL   w = -1/s          c < 0         P[Z < x]

(for continuous laws; the next line is reached by crossing a pole, whose residue is the 1 of "1 - delta"). Every
answer g(x) is the mean of a function of Z - x that lies between 0 and e^{a(Z-x)} for each a in the closed range, so
g(x) <= M(a) e^{-ax}.

Losses that lie on one lattice z_0 + k D need no smoothing: one period of the line carries everything. With
a = e^{-sD} and b = e^{-D}, summing e^{-sz} over the lattice points from z on turns the weights 1/s and 1/(s(s+1)) of
the continuous questions into 1/(1 - a) and (1 - b) a / ((1 - a)(1 - ab)), and the integral into one over
|t| <= pi/D (all times D, so that both kinds of question share their scale). The answers hold at lattice points. In
between the profile is linear in e^x, and tails are constant.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from whit.curves.contour.floating import TINY, UNIT, Complex, Places, Real


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

    def weight_size(self, c: float) -> float:
        """The moduli of what log_weight is added up from: it is rounded by a part of them, not of itself."""
        return abs(math.log(abs(c))) + (abs(math.log(abs(c + 1))) if self.two_poles else 0.0)

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


@dataclass(frozen=True)
class LatticeQuestion(Question):
    """A question asked at points of a lattice with the given spacing."""

    spacing: float = 1.0
    weight_error: ClassVar[float] = 160 * UNIT

    @classmethod
    def of(cls, question: Question, spacing: float) -> LatticeQuestion:
        """This question, put to losses on a lattice."""
        return cls(question.lowest, question.highest, question.sign, question.two_poles, spacing)

    def log_weight(self, c: Real) -> Real:
        """log |w| on the real line, for tilts of any size."""
        with np.errstate(divide="ignore", under="ignore"):
            logs: Real = math.log(self.spacing) - np.log(-np.expm1(-self.spacing * np.abs(c)))
            if not self.two_poles:
                return logs + (0.0 if self.lowest >= 0 else self.spacing * c)
            logs = logs + math.log(-math.expm1(-self.spacing)) - np.log(-np.expm1(-self.spacing * (c + 1)))
            return logs - (self.spacing * c if self.lowest >= 0 else 0.0)

    def weight_size(self, c: float) -> float:
        """The logs of the spacing and of up to three differences, and the exponent beside them."""
        rates = (abs(c), 1.0, c + 1) if self.two_poles else (abs(c),)
        logs = [abs(math.log(max(-math.expm1(-self.spacing * rate), TINY))) for rate in rates]
        return math.fsum([abs(math.log(self.spacing)), *logs, self.spacing * abs(c), 4.0])

    def relative_weight(self, c: float, t: Real) -> Complex:
        """Written with the exponential that is below 1: e^{-sD} to the right of the pole at 0, e^{sD} to the left."""
        right = self.lowest >= 0
        angle = self.spacing * t
        weight = self.sign * _relative_reciprocal(-self.spacing * abs(c), -angle if right else angle)
        # To the right w(c) is positive; to the left 1 - e^{-y} = -e^{-y} (1 - e^y) adds a sign and a rotation.
        if self.two_poles:
            weight = weight * _relative_reciprocal(-self.spacing * (c + 1), -angle)
            return weight * np.exp(-1j * angle) if right else -weight
        return weight if right else -weight * np.exp(1j * angle)

    def relative_bound(self, c: float, t: Real) -> Real:
        """|w(c + it)| / |w(c)|, which falls in t up to pi/D, since |1 - e^{-y}| rises."""
        return np.abs(self.relative_weight(c, np.minimum(t, math.pi / self.spacing))) * (1 + self.weight_error)


def _relative_reciprocal(x: float, angle: Real) -> Complex:
    """(1 - e^x) / (1 - e^{x + i angle}) for x < 0.

    Where the two real parts of the denominator have opposite signs their sum is at least 1, so nothing is lost.
    """
    denominator = np.empty(angle.shape, dtype=np.complex128)
    denominator.real = 2 * np.sin(0.5 * angle) ** 2 - math.expm1(x) * np.cos(angle)
    denominator.imag = -math.exp(x) * np.sin(angle)
    return -math.expm1(x) / denominator


@dataclass(frozen=True)
class Neighbours:
    """For each x the places of the lattice points z_k and z_{k+1} around it, and x - z_k up to an error."""

    points: Real
    below: Places
    above: Places
    fraction: Real
    error: Real
    spacing: float


def neighbours(lattice: tuple[float, int], xs: Real) -> Neighbours:
    """Where each x lies on the lattice: certainly not below z_k, though perhaps above z_{k+1} by a rounding error.

    Points are whole multiples of the unit, which is known to 2 UNIT, so that they are known to 3 UNIT.
    """
    unit, parity = lattice
    error = 16 * UNIT * (np.abs(xs) + unit)
    multiples = 2 * np.floor(((xs - error) / unit - parity) / 2) + parity
    numbers, inverse = np.unique(np.concatenate([multiples, multiples + 2]), return_inverse=True)
    places = inverse.reshape(2, -1)
    return Neighbours(numbers * unit, places[0], places[1], xs - multiples * unit, error, 2 * unit)


def interpolated(around: Neighbours, bounds: Real, question: Question) -> Real:
    """Logarithms of lower bound, estimate and upper bound at every x, from those at the lattice points.

    The profile falls in x and is convex and piecewise linear in e^x, so that for x a little beyond z_{k+1} the line
    through z_k and z_{k+1} still lies below it; 1 - delta mirrors this. So the error in x is harmless on both sides.
    """
    low, mid, high = (bounds[:, around.below][i] for i in range(3))
    next_low, next_mid, next_high = (bounds[:, around.above][i] for i in range(3))
    early, late = np.maximum(around.fraction - around.error, 0.0), around.fraction + around.error
    middle = _on_segment(around, np.clip(around.fraction, 0.0, around.spacing), mid, mid, next_mid)
    if question.sign > 0:
        lower, upper = _on_segment(around, late, low, high, next_low), _on_segment(around, early, high, low, next_high)
    else:
        lower, upper = _on_segment(around, early, low, high, next_low), _on_segment(around, late, high, low, next_high)
    slack = 64 * UNIT * (1 + np.where(np.isfinite(middle), np.abs(middle), 0.0))
    return np.stack([lower - slack, middle, upper + slack])


def _on_segment(around: Neighbours, fraction: Real, below: Real, against: Real, above: Real) -> Real:
    """log of the line at z_k + fraction; beyond z_{k+1} the share of z_k is negative, and counts with `against`."""
    whole = -math.expm1(-around.spacing)
    share_below = -np.expm1(fraction - around.spacing) / whole
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        to_above = above + np.log(-np.expm1(-fraction) / whole) + (fraction - around.spacing)
        inside = np.logaddexp(to_above, below + np.log(np.maximum(share_below, 0.0)))
        beyond = to_above + np.log(np.maximum(1 + share_below * np.exp(against - to_above), 0.0))
        line = np.where(share_below >= 0, inside, beyond)
    return np.where(np.isnan(line), -np.inf, line)
