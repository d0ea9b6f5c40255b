"""The largest delta that a Rényi divergence leaves: the joint range of the two, by tangents.

Every tangent is valid; the best one is what a pair of coins attains (theorem renyi-joint-range). For a list of orders
it is searched for. Where all orders have a bound, a table along the edge of what they allow says where it is.
"""

from __future__ import annotations

import numpy as np

from whit.curves import Array
from whit.guarantees.renyi_orders import Orders
from whit.guarantees.tangents import Tangents, shift

# How many widths w are tried at first; then around the best one, in so many rounds of so many points, the first of them
# with the orders around the best one as well.
WIDTHS = 16
ROUNDS = 6
MORE_ROUNDS = 8
POINTS = 5
FIRST_STEP = 1.5
CLOSER = 0.4
# e to this power is what the moment e^(s gamma) may be, at most: it is by 1 in so many that the bound becomes smaller.
# A search is dear, a look into a table is not.
LARGEST_SEARCHED, LARGEST_MOMENT = 6.0, 20.0


def by_joint_range(orders: Orders, epsilons: Array, s: Array, log_deltas: Array, errors: Array) -> tuple[Array, Array]:
    """The smaller of the bounds given, with their errors, and those of the joint range where these can be smaller.

    The s given are the excess orders near which the best ones are expected.
    """
    among = orders.candidates(s)
    moments = np.min(np.where(among > 0, among * orders.bound(among), np.inf), axis=-1, initial=np.inf)
    worth = moments <= (LARGEST_SEARCHED if orders.edge is None else LARGEST_MOMENT)
    if not worth.any():
        return log_deltas, errors
    value, error = _smallest(orders, epsilons[worth], among[worth])
    lower = value + error < log_deltas[worth] + errors[worth]
    found = np.array(log_deltas), np.array(errors)
    for all_of_them, own in zip(found, (value, error), strict=True):
        all_of_them[worth] = np.where(lower, own, all_of_them[worth])
    return found


def by_table(orders: Orders, epsilons: Array) -> tuple[Array, Array]:
    """The bounds by the tangents of the table of the orders, and their errors."""
    assert orders.edge is not None
    order, widths = orders.edge.tangents(epsilons)
    return Tangents(order, orders.bound(order), epsilons).log_delta(widths)


def by_both_orders(epsilons: Array, corner: float, log_delta: float) -> Array:
    """Log of the bound at epsilons up to a corner that follows from the delta there, in both orders of the pair.

    A power minus x times its level is linear in x, so that the profile is bounded by the chord between two points
    x = e^epsilon. The delta at the corner also bounds the profile at minus the corner (theorem renyi-joint-range).
    """
    x, delta = np.exp(epsilons), np.exp(log_delta)
    left = x * np.expm1(corner - epsilons) * (np.expm1(corner) + delta)
    chord = (left + np.expm1(corner + epsilons) * delta) / np.expm1(2 * corner)
    return np.asarray(np.log(chord))


def _smallest(orders: Orders, epsilons: Array, s: Array) -> tuple[Array, Array]:
    """The smallest bound, and its error: by the table of the orders, or near the excess orders along the last axis."""
    if orders.edge is None:
        return _searched(orders, epsilons, s)
    return by_table(orders, epsilons)


def _searched(orders: Orders, epsilons: Array, s: Array) -> tuple[Array, Array]:
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


def _least_width(s: Array, epsilons: Array) -> Array:
    """About the width at which u is 0: where w = epsilon + log(1 + r0), by Aitken's steps. A guess: any will do."""
    w = epsilons
    for _ in range(3):
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            once = epsilons + np.log1p(shift(s, np.maximum(w, 1e-300)))
            twice = epsilons + np.log1p(shift(s, np.maximum(once, 1e-300)))
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
