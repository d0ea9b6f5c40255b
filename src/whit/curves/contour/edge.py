"""Next to the largest loss: profile, tail and power of a composition between bounds that need no integral.

Let h be the largest finite loss, the sum of the h_i of the parts, and A = P[Z = h], the product of their atoms. Below
h by a gap g the sum exceeds h - g only if every part exceeds its own h_i - g. So with B(g) the product of all
P_i[Z_i > h_i - g],

    A <= P[h - g < Z <= h] <= B(g)   and   (1 - e^{-g}) A <= D(h - g) - P[Z infinite] <= (1 - e^{-g}) B(g),

because 1 - e^{t-Z} is at most 1 - e^{-g}, and just this at the atom. No test of level a has more power than
P[Z infinite] + e^h a; it has that much if a is at most Q[Z = h] = e^{-h} A, and at a larger level no less than there.
Next to h the two bounds meet: there an integral of relative accuracy is dearest, and at the smallest levels a power is
just this line.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from whit.curves.contour.composition import Composition
from whit.curves.contour.floating import UNIT, Flags, Real
from whit.numerics import Bracket, add_down, add_up, log1mexp, up

# Bounds this close together need no integral; on a lattice it is cheap, and closer still.
CLOSE, CLOSE_ON_LATTICE = 1e-6, 1e-9


@dataclass(frozen=True)
class Edge:
    """What is known of a composition next to its largest loss without an integral; everything holds everywhere."""

    composition: Composition

    @cached_property
    def log_atom(self) -> float:
        """Log of no more than the probability of the largest loss; minus infinity where that is not known."""
        total = math.fsum(count * kind.top.log_atom for kind, count in self.composition.counts.items())
        return total - 4 * UNIT * abs(total) if math.isfinite(total) else -math.inf

    @cached_property
    def highest(self) -> tuple[float, float]:
        """The largest loss from below and from above; where an atom is not known it is itself rounded."""
        low, high = self.composition.highest_loss
        room = 0.0 if math.isfinite(self.log_atom) else 16 * UNIT * abs(high)
        return (low - room, high + room) if math.isfinite(high) else (math.inf, math.inf)

    def gaps(self, ts: Real) -> tuple[Real, Real]:
        """How far the largest loss lies above each t, from below and from above."""
        low, high = self.highest
        return add_down(low, -ts), add_up(high, -ts)

    def log_delta(self, ts: Real) -> tuple[Real, Real]:
        """Bounds on the log of the profile without its infinite mass."""
        low, high = self.gaps(ts)
        lower = np.where(low > 0, _log_rise(low) + self.log_atom, -np.inf)
        upper = np.where(high > 0, _log_rise(high) + self._log_near(high), -np.inf)
        return _rounded(lower, upper)

    def log_tail(self, ts: Real) -> tuple[Real, Real]:
        """Bounds on the log of P[Z > t; Z finite], and of P[Z >= t; Z finite] as well."""
        low, high = self.gaps(ts)
        lower = np.where(low > 0, self.log_atom, -np.inf)
        upper = np.where(high >= 0, self._log_near(up(np.maximum(high, 0.0))), -np.inf)
        return _rounded(lower, upper)

    def log_power(self, log_levels: Real) -> Bracket:
        """Log of the power at each log of a level."""
        (low, high), infinite = self.highest, self.composition.log_infinity_mass
        known = 8 * UNIT * (1 + abs(infinite)) if math.isfinite(infinite) else 0.0
        most = add_up(log_levels, high) if math.isfinite(high) else np.zeros(log_levels.shape)
        least = np.minimum(add_down(log_levels, low), self.log_atom - 8 * UNIT * abs(low))
        lower, upper = _rounded(np.logaddexp(least, infinite - known), np.logaddexp(most, infinite + known))
        return Bracket(np.minimum(lower, upper), upper, upper)

    def is_enough(self, edges: tuple[Real, Real], width: float) -> Flags:
        """Where the edge alone says as much as is asked for."""
        close = CLOSE if self.composition.lattice is None else CLOSE_ON_LATTICE
        with np.errstate(invalid="ignore"):
            return np.asarray((edges[1] - edges[0] <= min(width, close)) | np.isneginf(edges[1]))

    def _log_near(self, gaps: Real) -> Real:
        """Log of B: no less than the probability that every part is closer to its largest loss than the gap."""
        total = np.zeros(gaps.shape)
        for kind, count in self.composition.counts.items():
            total += count * kind.top.log_near(gaps)
        # All terms have one sign.
        return total * (1 - (len(self.composition.counts) + 4) * UNIT)


def _log_rise(gaps: Real) -> Real:
    """Log of 1 - e^{-gap}, where the gap is positive."""
    return np.asarray(log1mexp(-np.where(gaps > 0, gaps, 1.0)))


def _rounded(lower: Real, upper: Real) -> tuple[Real, Real]:
    """Logs of probabilities, moved outwards by the rounding of a few operations on terms of their own size."""
    errors = (8 * UNIT * (1 + np.where(np.isfinite(end), np.abs(end), 0.0)) for end in (lower, upper))
    return np.asarray(lower - next(errors)), np.asarray(np.minimum(upper + next(errors), 0.0))


def narrowed(bounds: Real, edges: tuple[Real, Real]) -> Real:
    """Lower bound, estimate and upper bound, with what the edge says as well."""
    lower, upper = np.maximum(bounds[0], edges[0]), np.minimum(bounds[2], edges[1])
    return np.stack([lower, np.clip(bounds[1], lower, upper), upper])
