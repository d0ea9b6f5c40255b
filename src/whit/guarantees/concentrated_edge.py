"""The coins at the edge of what rho-zero-concentrated differential privacy allows: where to look for its bounds.

Let z be the privacy loss of a test: v with probability p under P, -u otherwise. Since E_P[e^-z] = 1, p is
(1 - e^-u) / (1 - e^-w) with w = u + v. Order 1 + s is the one that such coins exceed the most, and they just meet
it, where log E_P[e^(s z)] is rho s (1 + s) and its slope in s is rho (1 + 2 s). This gives u and v for every s. At
s = 0 the mean of z is rho and its variance 2 rho; beyond, to larger u, the mean alone binds: that is order 1. The
tangent of the joint range that touches at such coins belongs to one epsilon, so that a table along the edge says which
order and which coins to take at each epsilon, level or power.

Nothing here is proved, and nothing needs to be: every order and every tangent gives a valid bound, which is computed
and rounded elsewhere. What a table misses costs tightness only.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from whit.curves import Array
from whit.guarantees.tangents import shift

# The moments rho s (1 + s) up to which the orders are listed, how many of them, and of the coins at order 1.
LARGEST = 20.0
ABOVE_ONE = 97
AT_ONE, MORE_AT_ONE = 24, 12
# By which factor u grows at order 1, as a log, at most: farther out next to everything is told.
FARTHEST = 12.0
# For a smaller rho order 1 binds nowhere but at epsilons that are less than the rounding of the others.
LEAST_AT_ONE = 1e-10
# Below this size a function is taken from its series, whose digits are as many as those of Newton's method.
SMALL = 0.03
# Newton's method: its steps, the longest of them in logs, the difference that a slope is taken over, and when one more
# step is enough: it squares what is off.
STEPS = 14
LONGEST = 0.7
DIFFERENCE = 1e-7
SETTLING = 1e-3
# How close order 1 is approached, by the scale on which orders matter: by the slope in s, and by tangents.
LEAST = 1e-3
NEAR_ONE = 1e-8


@dataclass(frozen=True, eq=False)
class Edge:
    """A table along the edge, from large levels to small ones.

    Attributes:
        rho: what it belongs to.
        s: the order minus 1 that binds.
        epsilons: where the tangent at the coins belongs to.
        log_u: log of u.
        ratios: the v, log of power over level.
        log_powers: log of the power p.
        corner: the epsilon of the coins whose power and level add up to 1, where the other order of the pair comes in.
    """

    rho: float
    s: Array
    epsilons: Array
    log_u: Array
    ratios: Array
    log_powers: Array
    corner: float

    @classmethod
    def through(cls, rho: float, s: Array, u: Array, v: Array) -> Edge:
        """The table of coins and the orders that bind them."""
        epsilons = v - np.log1p(shift(_above_zero(rho, s), u + v))
        p, rest = _chances(u, v)
        corner = float(np.interp(0.0, np.log(rest) - np.log(p) + v, epsilons))
        # Far out at order 1 the two are as good as constant, and rounded.
        ratios, log_powers = np.maximum.accumulate(v), np.minimum.accumulate(np.minimum(np.log(p), -1e-300))
        return cls(rho, s, epsilons, np.log(u), ratios, log_powers, max(corner, 0.0))

    def tangents(self, epsilons: Array) -> tuple[Array, Array]:
        """Which s and which width w to take at each epsilon."""
        s, log_u, v = (np.interp(epsilons, self.epsilons, each) for each in (self.s, self.log_u, self.ratios))
        s, u = _above_zero(self.rho, s), np.exp(log_u)
        # The width that belongs to u: from a near one, as far as u is small.
        return s, u + epsilons + np.log1p(shift(s, u + v))

    def at_levels(self, log_levels: Array) -> tuple[Array, Array]:
        """The s that binds at each level, and log of the power; for small levels as if the loss were always v."""
        minus, known = -log_levels, self.ratios - self.log_powers
        far = self._far_out(minus) - 1
        s = np.where(minus > known[-1], far, np.interp(minus, known, self.s))
        return s, np.where(minus > known[-1], -self.rho * s * s, np.interp(minus, known, self.log_powers))

    def at_powers(self, log_powers: Array) -> tuple[Array, Array]:
        """The s that binds at each power, and log of the level."""
        minus, known = -log_powers, -self.log_powers
        s = np.where(minus > known[-1], self._far_out(minus), np.interp(minus, known, self.s))
        ratios = np.where(minus > known[-1], self.rho * (1 + 2 * s), np.interp(minus, known, self.ratios))
        return s, log_powers - ratios

    def _far_out(self, minus: Array) -> Array:
        """The root of minus a log over rho; infinite where that is too large for a double."""
        with np.errstate(over="ignore"):
            return np.asarray(np.sqrt(minus / self.rho))

    def at_ratios(self, ratios: Array) -> tuple[Array, Array]:
        """The s that binds at each log of power over level, and log of the power."""
        far = ratios > self.ratios[-1]
        s = np.where(far, (ratios / self.rho - 1) / 2, np.interp(ratios, self.ratios, self.s))
        return s, np.where(far, -self.rho * s * s, np.interp(ratios, self.ratios, self.log_powers))


def _above_zero(rho: float, s: Array) -> Array:
    """The s as tangents take them: as close to 0 as digits allow, since at order 1 itself the formulas are limits."""
    return np.maximum(s, NEAR_ONE / math.sqrt(2 * rho))


@lru_cache(maxsize=64)
def edge(rho: float) -> Edge | None:
    """The table for a rho; none where it is not found."""
    with np.errstate(all="ignore"):  # what is no number is not taken
        s, u, v = _above_one(rho)
        more_u, more_v = _at_one(rho, float(u[0]))
        # The first s stands for 0.
        orders = np.append(np.zeros(1 + more_u.size), s[1:])
        found = Edge.through(rho, orders, np.append(more_u, u), np.append(more_v, v))
        rising = np.isfinite(found.epsilons).all() and np.all(np.diff(found.epsilons) > 0.0)
    return found if rising else None


def _above_one(rho: float) -> tuple[Array, Array, Array]:
    """Excess orders from next to 0 on, with u and v at the edge; not numbers where these are not found."""
    scale = math.sqrt(2 * rho)
    highest = 2 * LARGEST / (rho + math.sqrt(rho) * math.sqrt(rho + 4 * LARGEST))
    s = np.maximum(highest * np.linspace(0.0, 1.0, ABOVE_ONE), LEAST / scale)
    # As for a small rho, where u and v are multiples of the scale, and as for a large one at s = 0.
    root, bell = np.hypot(1.0, scale * s), np.exp(-((scale * s) ** 2) / 2)
    x = np.log(np.stack([math.log1p(scale + rho / 2) * root * bell, rho + scale * root]))
    for _ in range(STEPS):
        (f, f_u, f_v), (g, g_u, g_v) = _off_the_edge(rho, s, *np.exp(x[:, None] + DIFFERENCE * _BESIDE))
        off = max(np.max(np.abs(f)), np.max(np.abs(g)))
        a, b, c, d = ((each - here) / DIFFERENCE for each, here in ((f_u, f), (f_v, f), (g_u, g), (g_v, g)))
        step = np.stack([b * g - d * f, c * f - a * g]) / (a * d - b * c)
        x = x + step * (LONGEST / np.maximum(np.max(np.abs(step), axis=0), LONGEST))
        if off < SETTLING:
            return s, *np.exp(x)
    return s, *np.full((2, *s.shape), np.nan)


# The point itself, one with a larger u, and one with a larger v: coordinate, point, place along the edge.
_BESIDE = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])[..., None]


def _off_the_edge(rho: float, s: Array, u: Array, v: Array) -> tuple[Array, Array]:
    """How far the divergence is from its bound, and its slope in s from that of the bound, relatively."""
    p, rest = _chances(u, v)
    rise, fall = _rest(np.stack([s * v, -s * u]))
    # E_P[e^(s z) - 1 + s (e^-z - 1)], in which nothing cancels.
    moment = p * rise + rest * fall + s * _mean(u, v)
    divergence = np.log1p(moment) / s
    tilted = (p * (1 + s * v + rise) * v - rest * (1 - s * u + fall) * u) / (1 + moment)
    return divergence / (rho * (1 + s)) - 1, (tilted - divergence) / s / rho - 1


def _at_one(rho: float, u: float) -> tuple[Array, Array]:
    """The u and v of coins whose mean loss is rho, from a tangent at epsilon 0 to the u given, without it."""
    if rho < LEAST_AT_ONE:
        return np.zeros(0), np.zeros(0)
    number = AT_ONE + int(MORE_AT_ONE * min(rho, FARTHEST / 2))
    scale = math.sqrt(2 * rho)
    # A little more than that of a tangent at epsilon 0.
    farthest = min(scale + math.expm1(min(rho, FARTHEST)), u * math.exp(FARTHEST))
    us = np.geomspace(farthest, u, number)[:-1]
    first = np.full(us.shape, math.log(rho + scale))
    return us, np.exp(_zero(lambda log_v: _mean(us, np.exp(log_v)) / rho - 1, first))


def _zero(off: Callable[[Array], Array], x: Array) -> Array:
    """Where a function is 0, by Newton's method from x."""
    for _ in range(STEPS):
        here, beside = off(np.stack([x, x + DIFFERENCE]))
        x = x + np.clip(here * DIFFERENCE / (here - beside), -LONGEST, LONGEST)
        if np.max(np.abs(here)) < SETTLING:
            return x
    return np.full(x.shape, np.nan)


def _chances(u: Array, v: Array) -> tuple[Array, Array]:
    """The probabilities of the losses v and -u under P."""
    whole = -np.expm1(-(u + v))
    return -np.expm1(-u) / whole, -np.exp(-u) * np.expm1(-v) / whole


def _mean(u: Array, v: Array) -> Array:
    """The mean loss; where it is much less than its parts as E_P[e^-z - 1 + z], in which nothing cancels."""
    p, rest = _chances(u, v)
    return np.where(u > 1.0, p * v - rest * u, p * _rest(-v) + rest * _rest(np.minimum(u, 1.0)))


def _rest(z: Array) -> Array:
    """About e^z - 1 - z."""
    series = z * z / 2 * (1 + z / 3 * (1 + z / 4 * (1 + z / 5 * (1 + z / 6))))
    return np.where(np.abs(z) < SMALL, series, np.expm1(z) - z)
