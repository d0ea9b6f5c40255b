"""The profile that a bound on the power implies: the largest power - e^t level.

A promise about Rényi divergences says more of tests than the usual conversion to (epsilon, delta) keeps. Its bound on
the power is concave in the level (theorem profile-from-power), so that chords bound it between the levels looked at.
"""

from __future__ import annotations

import numpy as np

from whit.curves import Array, Curve, Face, LossDistribution, Promise, questions
from whit.numerics import ULP, Bracket

_SMALLEST = -46.0
_POINTS = 25
_ZOOMS = 7
# The log of a cost that no power makes up for; a larger one is taken as this, since it may be no double.
_DEAREST = 700.0


def log_profile(promise: Promise, curve: Curve, t: Array, hair: Array) -> Bracket:
    """Log of the profile of the worse order at each t >= 0, which is known to a hair.

    Of promises about Rényi divergences the power says more, and is asked as well.
    """
    three = questions.worst_order(
        curve.face, lambda face: face.log_delta(np.stack([np.maximum(t - hair, 0.0), t, t + hair]))
    )
    known = Bracket(three.lower[2], three.mid[1], three.upper[0])
    if not promise.by_divergences or isinstance(curve.face, LossDistribution):
        return known
    finite = np.isfinite(t)
    earlier = np.where(finite, np.maximum(np.where(finite, t, 0.0) - hair, 0.0), 0.0)
    gaps = np.where(finite, _log_gap(curve.face, np.atleast_1d(earlier)).reshape(t.shape), 0.0)
    return Bracket(*(np.minimum(end, gaps) for end in (known.lower, known.mid, known.upper)))


def _log_gap(face: Face, t: Array) -> Array:
    """Log of an upper bound on the largest power - e^t level, for a bound on the power that is concave."""
    shape, flat = t.shape, t.ravel()
    low, high = _SMALLEST - flat, np.zeros(flat.shape)
    least = np.full(flat.shape, np.inf)
    for _ in range(_ZOOMS):
        logs = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, _POINTS)
        power = face.log_power(logs).exp()
        cost = np.exp(np.minimum(flat[:, None] + logs, _DEAREST))
        best = np.clip(np.argmax(power.mid - cost, axis=1), 1, _POINTS - 2)
        least = np.minimum(least, _bound(np.exp(logs), power, cost, best))
        rows = np.arange(len(flat))
        low, high = logs[rows, best - 1], logs[rows, best + 1]
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(least) + 4 * ULP).reshape(shape)


def _bound(levels: Array, power: Bracket, cost: Array, best: Array) -> Array:
    """The largest gap that chords around the best level allow; infinite where it may lie beyond them."""
    rows = np.arange(len(best))
    a, b, c = ((rows, best + step) for step in (-1, 0, 1))
    # The exponents of the costs are rounded, to a few units of their size.
    error = ULP * (256 - 4 * np.log(levels[a] + 5e-324)) * (1 + cost[c])
    with np.errstate(divide="ignore", invalid="ignore"):
        right = (power.lower[c] - power.upper[b]) / (levels[c] - levels[b])  # no more than the slope left of c
        left = (power.upper[b] - power.lower[a]) / (levels[b] - levels[a])  # no less than the slope right of a
        on_left = power.upper[b] - right * (levels[b] - levels[a]) - cost[a]
        on_right = power.upper[b] + left * (levels[c] - levels[b]) - cost[c]
    middle = power.upper[b] - cost[b]
    outside = np.maximum(power.upper[a] - cost[a], power.upper[c] - cost[c])
    certain = outside <= power.lower[b] - cost[b] - error
    largest = np.maximum(np.maximum(middle, on_left), on_right) + error
    return np.where(certain & np.isfinite(largest), np.maximum(largest, 0.0), np.inf)
