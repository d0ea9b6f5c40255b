"""Tangents that bound delta by one Rényi divergence: the formulas, to few units in the last place.

Let r = dP/dQ, alpha = 1 + s and x = e^epsilon. The curve lambda r^alpha + mu r + nu that touches 0 at r = e^-u and
r - x at r = e^v lies above the larger of the two everywhere, since it is convex; so its mean under Q, which is
lambda e^(s gamma) + mu + nu at most, bounds delta. Every u is valid. With w = u + v, given w all else is explicit:

    v = epsilon + log(1 + r0),   r0 = (e^(sw) - 1 - sw + s (e^-w - 1 + w)) / (s (e^(sw) - e^-w))
    delta <= (e^(s gamma) - 1 + 1 - e^(-su) (1 + s (1 - e^-u))) e^(-s v) / (alpha (1 - e^(-s w)))

All terms are positive. At w = infinity it is the conversion of Canonne, Kamath and Steinke.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from whit.curves import Array
from whit.numerics import ULP, log1mexp, log_expm1

# Below this size a function is taken from its series.
NEAR = 0.1
# Beyond this exponent a term that is left out is smaller than rounding.
GONE = 60.0

_FACTORIALS = tuple(1 / math.factorial(k) for k in range(12, 1, -1))


@dataclass(frozen=True)
class Tangents:
    """Bounds on the log of delta at epsilons >= 0 by a divergence of order 1 + s of at most gamma."""

    s: Array
    gamma: Array
    epsilons: Array

    def log_delta(self, widths: Array) -> tuple[Array, Array]:
        """The bound for each width w, and a bound on its rounding error; infinite where the tangent is no use."""
        s, w = self.s, widths
        with np.errstate(over="ignore", invalid="ignore", divide="ignore", under="ignore"):
            exact = self.epsilons + np.log1p(shift(s, w))
            # A smaller v belongs to a smaller epsilon, and so to a larger delta.
            v = exact - ULP * (16 * exact + 8 * w)
            u = w - v
            moment, bow = log_expm1(s * self.gamma), np.log(_bow(s, np.maximum(u, 0.0)))
            top = np.logaddexp(moment, bow)
            value = top - np.log1p(s) - s * v - log1mexp(-s * w)
            sizes = s * (v + w + self.gamma) + np.log1p(s) + np.abs(top) + np.abs(value)
        use = (u >= 0.0) & np.isfinite(value) & np.isfinite(sizes)
        return np.where(use, value, np.inf), np.where(use, ULP * (128 + 16 * sizes), 0.0)


def shift(s: Array, w: Array) -> Array:
    """By how much e^v exceeds e^epsilon, relatively."""
    far = s * w > GONE
    z = np.where(far, 1.0, s * w)
    inner = (exp_rest(z) + s * exp_rest(-w)) / (s * (np.expm1(z) - np.expm1(-w)))
    return np.where(far, 1 / s, inner)


def _bow(s: Array, u: Array) -> Array:
    """1 - e^(-su) (1 + s (1 - e^-u)): how far r^alpha bows between e^-u and 1 above its tangent at e^-u."""
    rise = -s * np.expm1(-u)
    return -np.expm1(-(s * exp_rest(-u) + _log_rest(rise)))


def exp_rest(z: Array) -> Array:
    """e^z - 1 - z, to a few units in the last place."""
    near = np.abs(z) < NEAR
    if not near.any():
        return np.asarray(np.expm1(z) - z)
    small = np.where(near, z, 0.0)
    series = np.full(small.shape, _FACTORIALS[0])
    for each in _FACTORIALS[1:]:
        series = series * small + each
    return np.where(near, small * small * series, np.expm1(z) - z)


def _log_rest(z: Array) -> Array:
    """z - log(1 + z) for z >= 0, to a few units in the last place.

    With q = z/(2+z) it is zq - 2 (q^3/3 + q^5/5 + ...).
    """
    q = np.where(z < NEAR, z / (2 + z), 0.0)
    odd = np.polyval([1.0 / k for k in range(17, 1, -2)], q * q)
    return np.where(z < NEAR, z * q - 2 * q**3 * odd, z - np.log1p(z))
