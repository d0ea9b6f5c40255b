"""The largest delta that a Rényi divergence leaves: the joint range of the two, by tangents.

Let r = dP/dQ, alpha = 1 + s and x = e^epsilon. The curve lambda r^alpha + mu r + nu that touches 0 at r = e^-u and
r - x at r = e^v lies above the larger of the two everywhere, since it is convex; so its mean under Q, which is
lambda e^(s gamma) + mu + nu at most, bounds delta. Every u is valid; the best one is what a pair of coins attains
(theorem renyi-joint-range). With w = u + v, given w all else is explicit:

    v = epsilon + log(1 + r0),   r0 = (e^(sw) - 1 - sw + s (e^-w - 1 + w)) / (s (e^(sw) - e^-w))
    delta <= (e^(s gamma) - 1 + 1 - e^(-su) (1 + s (1 - e^-u))) e^(-s v) / (alpha (1 - e^(-s w)))

All terms are positive. At w = infinity it is the conversion of Canonne, Kamath and Steinke.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from whit.curves import Array
from whit.guarantees.renyi_orders import Orders
from whit.numerics import ULP, log1mexp, log_expm1

# Below this size a function is taken from its series.
NEAR = 0.1
# Beyond this exponent a term that is left out is smaller than rounding.
GONE = 60.0
# How many widths w are tried at first; then around the best one, in so many rounds of so many points, the first of them
# with the orders around the best one as well.
WIDTHS = 16
ROUNDS = 6
MORE_ROUNDS = 8
POINTS = 5
FIRST_STEP = 1.5
CLOSER = 0.4
# e to this power is what the moment e^(s gamma) may be, at most: it is by 1 in so many that the bound becomes smaller.
LARGEST_MOMENT = 6.0


def by_joint_range(orders: Orders, epsilons: Array, s: Array, log_deltas: Array, errors: Array) -> tuple[Array, Array]:
    """The smaller of the bounds given, with their errors, and those of the joint range where these can be smaller.

    The s given are the excess orders near which the best ones are expected.
    """
    among = orders.candidates(s)
    moments = np.min(np.where(among > 0, among * orders.bound(among), np.inf), axis=-1, initial=np.inf)
    worth = moments <= LARGEST_MOMENT
    if not worth.any():
        return log_deltas, errors
    value, error = _smallest(orders, epsilons[worth], among[worth])
    lower = value + error < log_deltas[worth] + errors[worth]
    found = np.array(log_deltas), np.array(errors)
    for all_of_them, own in zip(found, (value, error), strict=True):
        all_of_them[worth] = np.where(lower, own, all_of_them[worth])
    return found


def _smallest(orders: Orders, epsilons: Array, s: Array) -> tuple[Array, Array]:
    """The smallest bound near the excess orders along the last axis, and its error.

    Orders and widths are searched together, and the widths once more by themselves: every tangent is valid, so that
    what is missed costs tightness only. Widths are counted from the least one, since the best can lie close to it.
    """
    t = np.broadcast_to(epsilons[..., None], s.shape)
    first = _beyond_least(s, orders.bound(s), t)
    values, _ = Tangents(s[..., None], orders.bound(s)[..., None], t[..., None]).log_delta(
        _least_width(s, t)[..., None] + first
    )
    beyond = np.take_along_axis(first, np.argmin(values, axis=-1)[..., None], -1)[..., 0]
    for place, step in enumerate(FIRST_STEP * CLOSER ** np.arange(ROUNDS + MORE_ROUNDS)):
        factors = np.exp(np.linspace(-step, step, POINTS))
        tried = orders.near(s, factors if place < ROUNDS else np.ones(1))
        wide = beyond[..., None] * factors
        least = _least_width(tried, np.broadcast_to(t[..., None], tried.shape))
        widths = least[..., None] + wide[..., None, :]
        values, _ = Tangents(tried[..., None], orders.bound(tried)[..., None], t[..., None, None]).log_delta(widths)
        best = np.argmin(values.reshape(*s.shape, -1), axis=-1)[..., None]
        s, beyond = (
            np.take_along_axis(np.broadcast_to(each, values.shape).reshape(*s.shape, -1), best, -1)[..., 0]
            for each in (tried[..., None], wide[..., None, :])
        )
    value, error = Tangents(s, orders.bound(s), t).log_delta(_least_width(s, t) + beyond)
    best = np.argmin(value, axis=-1)[..., None]
    return np.take_along_axis(value, best, -1)[..., 0], np.take_along_axis(error, best, -1)[..., 0]


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
            exact = self.epsilons + np.log1p(_shift(s, w))
            # A smaller v belongs to a smaller epsilon, and so to a larger delta.
            v = exact - ULP * (16 * exact + 8 * w)
            u = w - v
            moment, bow = log_expm1(s * self.gamma), np.log(_bow(s, np.maximum(u, 0.0)))
            top = np.logaddexp(moment, bow)
            value = top - np.log1p(s) - s * v - log1mexp(-s * w)
            sizes = s * (v + w + self.gamma) + np.log1p(s) + np.abs(top) + np.abs(value)
        use = (u >= 0.0) & np.isfinite(value) & np.isfinite(sizes)
        return np.where(use, value, np.inf), np.where(use, ULP * (128 + 16 * sizes), 0.0)


def _shift(s: Array, w: Array) -> Array:
    """By how much e^v exceeds e^epsilon, relatively."""
    far = s * w > GONE
    z = np.where(far, 1.0, s * w)
    inner = (_exp_rest(z) + s * _exp_rest(-w)) / (s * (np.expm1(z) - np.expm1(-w)))
    return np.where(far, 1 / s, inner)


def _bow(s: Array, u: Array) -> Array:
    """1 - e^(-su) (1 + s (1 - e^-u)): how far r^alpha bows between e^-u and 1 above its tangent at e^-u."""
    rise = -s * np.expm1(-u)
    return -np.expm1(-(s * _exp_rest(-u) + _log_rest(rise)))


def _exp_rest(z: Array) -> Array:
    """e^z - 1 - z, to a few units in the last place."""
    near = np.abs(z) < NEAR
    series = np.polyval([1 / math.factorial(k) for k in range(12, 1, -1)], np.where(near, z, 0.0))
    return np.where(near, z * z * series, np.expm1(z) - z)


def _log_rest(z: Array) -> Array:
    """z - log(1 + z) for z >= 0, to a few units in the last place.

    With q = z/(2+z) it is zq - 2 (q^3/3 + q^5/5 + ...).
    """
    q = np.where(z < NEAR, z / (2 + z), 0.0)
    odd = np.polyval([1.0 / k for k in range(17, 1, -2)], q * q)
    return np.where(z < NEAR, z * q - 2 * q**3 * odd, z - np.log1p(z))


def _least_width(s: Array, epsilons: Array) -> Array:
    """About the width at which u is 0: where w = epsilon + log(1 + r0), by Aitken's steps. A guess: any will do."""
    w = epsilons
    for _ in range(3):
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            once = epsilons + np.log1p(_shift(s, np.maximum(w, 1e-300)))
            twice = epsilons + np.log1p(_shift(s, np.maximum(once, 1e-300)))
            jump = w - (once - w) ** 2 / (twice - 2 * once + w)
        better = np.where(np.isfinite(jump) & (jump >= epsilons), jump, twice)
        w = np.where(np.isfinite(better), better, epsilons)
    return w


def _beyond_least(s: Array, gamma: Array, epsilons: Array) -> Array:
    """What is added to the least width at first, along a last axis: from what the divergence hardly allows on."""
    with np.errstate(over="ignore"):
        usual = epsilons + np.log1p(1 / s)
        least = np.minimum(usual, np.sqrt(gamma / (1 + s))) / 100
    low, high = np.log(np.maximum(least, 1e-290)), np.log(np.minimum(1000 * usual, 1e290))
    return np.asarray(np.exp(low[..., None] + (high - low)[..., None] * np.linspace(0.0, 1.0, WIDTHS)))
