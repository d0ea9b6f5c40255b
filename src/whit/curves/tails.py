"""Tails of the loss from the profile alone, where the loss itself is not known (theorem tail-from-profile)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.face import Array, Face
from whit.numerics import ULP, log1mexp

# How far below the loss t the profile is read: any distance gives a bound, so the grid costs tightness, never truth.
WIDEST = np.exp(np.linspace(np.log(1e-9), np.log(800.0), 120))
STEP = np.log(WIDEST[1] / WIDEST[0])
POINTS = 31
ZOOMS = 3


def log_tail_bound(face: Face, losses: ArrayLike) -> Array:
    """Log of the smallest D(e)/(1 - e^{e-t}) over e < t: an upper bound on P[Z >= t] from an upper bound on D."""
    t = np.asarray(losses, dtype=np.float64)
    distances = np.broadcast_to(WIDEST, (*t.shape, len(WIDEST)))
    step = float(STEP)
    # Far out, where the distances above vanish beside t, half of it will do.
    least = np.minimum(_bounds(face, t, np.maximum(np.where(np.isfinite(t), t, 0.0), 1.0)[..., None] / 2)[..., 0], 0.0)
    for _ in range(ZOOMS + 1):
        bounds = _bounds(face, t, distances)
        least = np.minimum(least, bounds.min(axis=-1))
        best = np.take_along_axis(distances, bounds.argmin(axis=-1)[..., None], axis=-1)
        distances = best * np.exp(np.linspace(-step, step, POINTS))
        step *= 2 / (POINTS - 1)
    return np.where(np.isposinf(t), face.log_delta(np.inf).upper, np.where(np.isneginf(t), 0.0, least))


def _bounds(face: Face, t: Array, distances: Array) -> Array:
    finite = np.where(np.isfinite(t), t, 0.0)[..., None]
    start = finite - distances
    # The distance that the subtraction left, not the one asked for: then the quotient is a bound as it stands.
    gap = np.maximum(finite - start, 0.0)
    log_delta = face.log_delta(start).upper
    log_mass = log1mexp(-gap)
    quotient = np.where(np.isneginf(log_mass), np.inf, log_delta - np.where(np.isneginf(log_mass), 0.0, log_mass))
    return np.asarray(quotient + ULP * (16 + 2 * np.abs(np.where(np.isfinite(quotient), quotient, 0.0))))
