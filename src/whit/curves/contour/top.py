"""The largest loss of one kind: its probability, and that of what lies just below it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from whit.curves.contour.floating import ELEMENTARY, UNIT, Real
from whit.numerics import down


@dataclass(frozen=True)
class Top:
    """What is certain, after rounding, of the losses next to the largest one, which is known without error.

    log_atom   log of no more than the probability of the largest loss
    log_near   log of no less than the probability of a finite loss less than each gap below the largest one
    """

    log_atom: float
    log_near: Callable[[Real], Real]


UNKNOWN = Top(-math.inf, np.zeros_like)
"""Nothing is known: every loss may be close to the largest one."""


def coin_top(epsilon: float, log_scale: float = 0.0) -> Top:
    """Of randomized response: epsilon with probability 1/(1 + e^-epsilon), else -epsilon; times a factor below 1."""
    log_atom = log_scale - math.log1p(math.exp(-epsilon))
    least, most = float(down(log_atom * (1 + 4 * ELEMENTARY))), log_atom * (1 - 4 * ELEMENTARY)
    return Top(least, lambda gaps: np.where(gaps <= 2 * epsilon, most, 0.0))


def laplace_top(epsilon: float) -> Top:
    """Of Laplace noise: P[Z = epsilon] = 1/2, and P[Z > epsilon - g] = 1 - e^{-g/2}/2 up to g = 2 epsilon."""

    def log_near(gaps: Real) -> Real:
        # The share x = e^{-g/2}/2 is known to a relative ELEMENTARY, and log(1 - x) moves by at most twice that.
        inside = np.log1p(-0.5 * np.exp(-0.5 * np.maximum(gaps, 0.0))) * (1 - 8 * ELEMENTARY)
        return np.where(gaps <= 2 * epsilon, inside, 0.0)

    return Top(-math.log(2.0) * (1 + 4 * UNIT), log_near)


def atoms_top(losses: Real, log_masses: Real, mass_error: float) -> Top:
    """Of finitely many losses, whose masses are known to a relative error."""
    order = np.argsort(-losses, kind="stable")
    distances = losses.max() - losses[order]
    totals = np.logaddexp.accumulate(log_masses[order])
    room = 2 * mass_error + 2 * ELEMENTARY * (1 + np.abs(totals))

    def log_near(gaps: Real) -> Real:
        # A distance is rounded; what may lie within the gap is counted.
        within = np.searchsorted(distances * (1 - 4 * UNIT), gaps, side="right")
        last = np.maximum(within, 1) - 1
        return np.asarray(np.minimum(totals[last] + (len(losses) + 2) * room[last], 0.0))

    at_top = int(np.searchsorted(distances, 0.0, side="right")) - 1
    return Top(float(totals[at_top] - (at_top + 3) * room[at_top]), log_near)
