"""Pairs of coins within a Rényi divergence: the largest power at a level, and the like.

A coin is given by the log of its probability of heads. The divergence of order 1 + s from p to q times s is
log(p e^{s a} + (1-p) e^{s b}), with a = log p/q and b = log (1-p)/(1-q); at s = 0 it is p a + (1-p) b.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whit.curves import Array
from whit.numerics import ULP, first_true, last_true, log1mexp

# Below this, the moment is found from e^x - 1, so that a small divergence keeps its digits.
SMALL = 0.5
# The smallest log of a level that is looked at; below it the power of a test is 0 for all purposes.
LOWEST = -1e300


@dataclass(frozen=True)
class Within:
    """The pairs of coins (power y, level l) with a divergence of order 1 + s of at most gamma.

    Attributes:
        s: the order minus 1.
        gamma: the bound.
        to_level: whether the divergence is D(y || l); otherwise it is D(l || y).
        leniency: how often the rounding error of the divergence is allowed on top of the bound.
    """

    s: Array
    gamma: Array
    to_level: bool
    leniency: float = 0.0

    def excess(self, log_y: Array, log_l: Array) -> Array:
        """By how much the divergence between the two coins exceeds the bound; negative where it is within."""
        # An infinite bound is exceeded by nothing, an infinite divergence included.
        known = np.isfinite(self.gamma)
        order = np.where(self.s > 0, self.s, 1.0)
        return np.where(known, self._moment(log_y, log_l) / order - np.where(known, self.gamma, 0.0), -np.inf)

    def holds(self, log_y: Array, log_l: Array) -> NDArray[np.bool_]:
        """Whether the divergence between the two coins is within the bound."""
        bound = np.where(self.s > 0, self.s, 1.0) * self.gamma * (1 + 4 * ULP * self.leniency)
        return np.asarray((self._moment(log_y, log_l) <= bound) | (log_y <= log_l))

    def _moment(self, log_y: Array, log_l: Array) -> Array:
        """The moment, less the error that is allowed to it."""
        first, second = (log_y, log_l) if self.to_level else (log_l, log_y)
        moment = log_moment(self.s, first, second)
        if not self.leniency:
            return moment
        with np.errstate(invalid="ignore"):  # an infinite moment stays one
            return np.asarray(moment - self.leniency * moment_error(self.s, first, second, moment))

    def largest_power(self, log_l: Array, near: Array | None = None) -> Array:
        """Log of the largest power at each level; looked for near an answer, if one is given."""
        level = self._shaped(log_l)
        return last_true(lambda y: self.holds(y, level), level, np.zeros(level.shape), near)

    def smallest_level(self, log_y: Array, near: Array | None = None) -> Array:
        """Log of the smallest level at each power; looked for near an answer, if one is given."""
        power = self._shaped(log_y)
        return first_true(lambda level: self.holds(power, level), np.full(power.shape, LOWEST), power, near)

    def largest_on_ray(self, epsilons: Array, near: Array | None = None) -> Array:
        """Log of the largest power that is e^epsilon times its level; looked for near an answer, if one is given."""
        ratio = self._shaped(epsilons)
        low = np.full(ratio.shape, LOWEST)
        return last_true(lambda y: self.holds(y, y - ratio) | (y <= LOWEST), low, np.zeros(ratio.shape), near)

    def largest_beside_one(self, _: Array, near: Array | None = None) -> Array:
        """Log of the largest power that is 1 minus its level; looked for near an answer, if one is given."""
        half = self._shaped(np.asarray(-np.log(2.0)))
        return last_true(lambda y: self.holds(y, log1mexp(y)), half, np.zeros(half.shape), near)

    def _shaped(self, x: Array) -> Array:
        return np.broadcast_to(x, np.broadcast_shapes(np.shape(self.s), x.shape))


def log_moment(s: Array, log_p: Array, log_q: Array) -> Array:
    """The divergence of order 1 + s times s; at s = 0 the divergence itself."""
    not_p, not_q = log1mexp(log_p), log1mexp(log_q)
    a, b = log_p - log_q, _log_ratio(not_p, not_q)
    with np.errstate(over="ignore", invalid="ignore"):
        moment = np.logaddexp(log_p + s * a, not_p + s * b)
        near = (s * np.abs(a) < SMALL) & (s * np.abs(b) < SMALL)
        if near.any():
            p, rest = np.exp(log_p), np.exp(not_p)
            small = np.log1p(p * np.expm1(np.minimum(s * a, SMALL)) + rest * np.expm1(np.minimum(s * b, SMALL)))
            flat = p * a + np.where(rest > 0, rest * b, 0.0)
            moment = np.where(s == 0, flat, np.where(near, small, moment))
        return np.where(np.isnan(moment), np.inf, moment)


def moment_error(s: Array, log_p: Array, log_q: Array, moment: Array) -> Array:
    """A bound on the rounding error of the moment."""
    not_p, not_q = log1mexp(log_p), log1mexp(log_q)
    with np.errstate(over="ignore", invalid="ignore"):
        error = _share_error(s, moment, log_p, log_q, log_p - log_q)
        error = error + _share_error(s, moment, not_p, not_q, _log_ratio(not_p, not_q))
        return np.asarray(ULP * 8 * (4 + error + _finite(moment)))


def _log_ratio(not_p: Array, not_q: Array) -> Array:
    """log((1-p)/(1-q)): 0 where p is 1, whose other side weighs nothing; infinite where q alone is 1."""
    sure = not_q == -np.inf
    return np.where(not_p == -np.inf, 0.0, np.where(sure, np.inf, not_p - np.where(sure, 0.0, not_q)))


def _share_error(s: Array, moment: Array, log_p: Array, log_q: Array, ratio: Array) -> Array:
    """The exponent of one side is rounded to a few units of its parts, and counts by its share in the sum."""
    share = np.where(s == 0, np.exp(log_p), np.exp(np.minimum(log_p + s * ratio - moment, 0.0)))
    return _finite(share) * (1 + s) * (_finite(log_p) + _finite(log_q))


def _finite(x: Array) -> Array:
    return np.where(np.isfinite(x), np.abs(x), 0.0)
