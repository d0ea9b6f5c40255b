"""A privacy profile known at some epsilons: between them chords in e^epsilon, which no true profile can exceed.

The profile D is decreasing and convex as a function of e^epsilon, so a chord between two upper bounds is an upper
bound. What happens at epsilon < 0 is kept as the profile of the reversed pair, D(-t) = 1 - e^{-t} + e^{-t} D_rev(t):
both orientations then are sums of positive terms.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.face import Array, Face
from whit.curves.finite import FinitePair, merged_atoms
from whit.errors import require
from whit.numerics import ULP, Bracket, log1mexp, logsubexp, probability_array, real_array

# Points of a profile closer than this, in e^epsilon and relative to delta, have a slope that is mostly rounding.
CLOSE = 4e-13
# What is put down to rounding when a pair is rebuilt from a profile.
ROUNDING = 1e-12
# The bits of a step between even knots.
STEP_BITS = 30
# Up to this share, what such a pair lacks becomes an error of its masses; beyond, infinite loss.
REPAIRABLE = 1e-9


@dataclass(frozen=True, eq=False)
class HalfProfile:
    """One orientation at epsilon >= 0: knots from 0 to infinity, and the log of delta at each."""

    epsilons: Array
    log_deltas: Array

    def log_delta(self, epsilons: Array) -> Array:
        """Log of the chord at epsilons >= 0."""
        right = np.clip(np.searchsorted(self.epsilons, epsilons, side="left"), 1, len(self.epsilons) - 1)
        ends = (self.epsilons[right - 1], self.log_deltas[right - 1], self.epsilons[right], self.log_deltas[right])
        return log_chord(epsilons, *ends)

    def atoms(self) -> tuple[Array, Array]:
        """The positive losses at which a pair with this profile has atoms, and the log of their masses.

        Between two knots the profile falls with slope -Q[Z > t] in e^t; an atom is a change of slope.
        """
        eps, log_d = self.epsilons, self.log_deltas
        with np.errstate(invalid="ignore"):
            fall = logsubexp(np.maximum(log_d[:-1], log_d[1:]), log_d[1:])
            log_slope = np.where(np.isposinf(eps[1:]), -np.inf, fall - eps[1:] - log1mexp(eps[:-1] - eps[1:]))
        change = logsubexp(np.maximum(log_slope[:-1], log_slope[1:]), log_slope[1:])
        kept = np.isfinite(change)
        return eps[1:-1][kept], (eps[1:-1] + change)[kept]


@dataclass(frozen=True, eq=False)
class ChordProfile(Face):
    """The profile through known points, in both orders of the pair.

    error       bound on the error of the log of each delta
    log_floor   log of a bound on the absolute error of each delta, for those too small to have a relative one
    """

    is_one_pair: ClassVar[bool] = True

    forward: HalfProfile
    backward: HalfProfile
    error: float = 0.0
    log_floor: float = -np.inf

    @classmethod
    def of(cls, epsilons: ArrayLike, deltas: ArrayLike) -> ChordProfile:
        """The profile through points (epsilon, delta) that hold in both orders.

        >>> profile = ChordProfile.of([1.0], [0.0])
        >>> round(float(np.exp(profile.log_delta(0.0).mid)), 6)  # tanh(1/2)
        0.462117
        """
        with np.errstate(divide="ignore"):
            logs = np.log(probability_array("deltas", deltas, "Use values such as 1e-6."))
        return cls.oriented(epsilons, logs, epsilons, logs)

    @classmethod
    def oriented(
        cls,
        epsilons: ArrayLike,
        log_deltas: ArrayLike,
        backward_epsilons: ArrayLike,
        backward_log_deltas: ArrayLike,
        error: float = 0.0,
        log_floor: float = -np.inf,
    ) -> ChordProfile:
        """The profile through points given for (P, Q) and for (Q, P) apart; either list may be empty."""
        forward = _checked("epsilons", epsilons, log_deltas)
        backward = _checked("backward epsilons", backward_epsilons, backward_log_deltas)
        at_zero = _log_at_zero(forward, backward)
        return cls(_hull(*forward, at_zero), _hull(*backward, at_zero), error, log_floor)

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the chord at each epsilon."""
        t = np.asarray(epsilons, dtype=np.float64)
        size = np.abs(t)
        return self._bracket(
            np.where(t < 0, mirrored(size, self.backward.log_delta(size)), self.forward.log_delta(size))
        )

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the lowest support line D(t) + e^t level over the knots t."""
        levels = np.asarray(log_levels, dtype=np.float64)
        back = self.backward.epsilons[:-1]
        knots = np.append(-back, self.forward.epsilons[:-1])
        log_deltas = np.append(mirrored(back, self.backward.log_deltas[:-1]), self.forward.log_deltas[:-1])
        lines = np.logaddexp(log_deltas, knots + levels[..., None])
        lowest = np.min(lines, axis=-1, initial=0.0)
        inside = self._bracket(np.where(np.isneginf(levels), self.forward.log_deltas[-1], lowest))
        # At level 1 the test that always rejects has power 1, exactly.
        return Bracket(*(np.where(levels >= 0, 0.0, end) for end in inside.ends))

    def _bracket(self, mid: Array) -> Bracket:
        error = self.error + ULP * (64 + 4 * np.where(np.isfinite(mid), np.abs(mid), 0.0))
        lower = logsubexp(np.maximum(mid - error, self.log_floor), self.log_floor)
        return Bracket(lower, mid, np.minimum(np.logaddexp(mid + error, self.log_floor), 0.0))

    def reverse(self) -> ChordProfile:
        """The pair (Q, P): the two halves change places."""
        return ChordProfile(self.backward, self.forward, self.error, self.log_floor)

    def pair(self) -> FinitePair:
        """A finite pair with this profile: an atom at each knot, and the rest at loss 0.

        Masses are differences of slopes, so the result is checked forwards: what it lacks at a knot is added, as an
        error of the masses where it is rounding, else as infinite loss. Its profile is never below this one.
        """
        up, log_up = self.forward.atoms()
        down, log_down = self.backward.atoms()
        rough = _balanced(
            np.concatenate([up, -down]),
            np.concatenate([log_up, log_down - down]),
            float(self.forward.log_deltas[-1]),
            float(self.backward.log_deltas[-1]),
            self.error + 64 * ULP,
        )
        rough = replace(rough, loss_error=self._loss_error(rough))
        shortfalls = (_shortfall(self.forward, rough), _shortfall(self.backward, rough.reverse()))
        relative, absolute = (max(values) for values in zip(*shortfalls, strict=True))
        if relative <= REPAIRABLE:
            return replace(
                rough, mass_error=rough.mass_error + relative, infinity_error=rough.infinity_error + relative
            )
        return mixed_with_infinity(rough, min(absolute, 1.0))

    def _loss_error(self, pair: FinitePair) -> float:
        """The error of the outermost losses that the absolute error of the last deltas may stand for."""
        if len(pair.losses) == 0 or np.isneginf(self.log_floor):
            return 0.0
        outermost = min(pair.log_masses[-1], (pair.log_masses - pair.losses)[0])
        return 2 * float(np.exp(min(self.log_floor - outermost, 0.0)))

    def __repr__(self) -> str:
        """A short description: knots can be many."""
        return f"<ChordProfile: {len(self.forward.epsilons)} knots forward, {len(self.backward.epsilons)} backward>"


def even_knots(end: float, steps: int) -> Array:
    """So many equal steps from 0 to a number or a hair beyond: short enough in bits that their multiples are doubles.

    The sums of several losses at such knots then fall together.
    """
    fraction, exponent = math.frexp(end / steps)
    step = math.ldexp(math.floor(math.ldexp(fraction, STEP_BITS)) + 1.0, exponent - STEP_BITS)
    return np.asarray(step * np.arange(steps + 1), dtype=np.float64)


def mirrored(t: Array, log_reverse: Array) -> Array:
    """Log of D(-t) = 1 - e^{-t} + e^{-t} D_rev(t), for t >= 0."""
    with np.errstate(over="ignore"):  # so far out there is nothing left of it
        return np.asarray(np.logaddexp(log1mexp(-t), np.where(np.isposinf(t), -np.inf, log_reverse - t)))


def log_chord(t: Array, left: Array, log_left: Array, right: Array, log_right: Array) -> Array:
    """Log of the chord in e^t between two points at left <= t <= right; right may be infinite."""
    # A chord that never ends is flat. It is computed as one of length 1, and then replaced.
    endless = np.isposinf(right)
    stop, at = np.where(endless, left + 1.0, right), np.where(endless, left, t)
    width = log1mexp(left - stop)
    share_left = log1mexp(np.minimum(at - stop, 0.0)) - width
    share_right = at - stop + log1mexp(np.minimum(left - at, 0.0)) - width
    chord = np.logaddexp(share_left + log_left, share_right + log_right)
    # Between points that all but coincide the shares are noise; the chord still lies between its ends.
    return np.where(endless, log_left, np.clip(chord, np.minimum(log_left, log_right), np.maximum(log_left, log_right)))


def _balanced(
    losses: Array, log_masses: Array, log_infinity: float, log_missing: float, mass_error: float
) -> FinitePair:
    """The pair of these atoms and an atom at 0 that makes both distributions whole.

    Where noise in the slopes made them too heavy they are scaled down, and what one side then lacks is its own.
    """
    p, q = float(np.sum(np.exp(log_masses))), float(np.sum(np.exp(log_masses - losses)))
    room_p, room_q = -np.expm1(log_infinity), -np.expm1(log_missing)
    heavy = max(p - room_p, q - room_q) > ROUNDING
    scale = min(1.0, room_p / max(p, room_p), room_q / max(q, room_q)) if heavy else 1.0
    rest_p, rest_q = max(room_p - scale * p, 0.0), max(room_q - scale * q, 0.0)
    rest = rest_p if abs(rest_p - rest_q) <= ROUNDING else min(rest_p, rest_q)
    with np.errstate(divide="ignore"):
        log_scaled, log_rest = log_masses + np.log(scale), np.log(rest)
        extra_p, extra_q = np.log(max(rest_p - rest - ROUNDING, 0.0)), np.log(max(rest_q - rest - ROUNDING, 0.0))
    kept = np.append(np.isfinite(log_scaled), np.isfinite(log_rest))
    return merged_atoms(
        np.append(losses, 0.0)[kept],
        np.append(log_scaled, log_rest)[kept],
        log_infinity=float(np.logaddexp(log_infinity, extra_p)),
        log_missing=float(np.logaddexp(log_missing, extra_q)),
        # What is still missing from 1 on either side is rounding, and put down as such.
        mass_error=mass_error + abs(room_p - scale * p - rest) + abs(room_q - scale * q - rest),
        loss_error=0.0,
        infinity_error=mass_error,
    )


def _shortfall(half: HalfProfile, pair: FinitePair) -> tuple[float, float]:
    """By which share of itself, and of what is left to 1, the pair's profile must grow to reach this one's knots."""
    knots, log_deltas = half.epsilons[:-1], half.log_deltas[:-1]
    wanted, reached = np.exp(log_deltas), np.exp(pair.log_delta(knots).mid)
    lacking = np.maximum(wanted - reached, 0.0)
    relative = np.where(lacking > 0, lacking / np.where(reached > 0, reached, ULP * ULP), 0.0)
    absolute = lacking / np.where(wanted < 1, 1 - wanted, 1.0)
    return float(np.max(relative)), float(np.max(absolute)) * (1 + 16 * ULP)


def mixed_with_infinity(pair: FinitePair, share: float) -> FinitePair:
    """The pair, replaced with the given probability by two outcomes that give the dataset away."""
    if share <= 0.0:
        return pair
    log_share, log_rest = np.log(share), np.log1p(-share)
    return FinitePair(
        pair.losses,
        pair.log_masses + log_rest,
        float(np.logaddexp(log_share, pair.log_infinity + log_rest)),
        float(np.logaddexp(log_share, pair.log_missing + log_rest)),
        pair.mass_error + 4 * ULP,
        pair.loss_error,
        pair.infinity_error + 8 * ULP,
    )


def _log_at_zero(forward: tuple[Array, Array], backward: tuple[Array, Array]) -> float:
    """Log of the chord at epsilon 0, between the first point on its right and the first one on its left."""
    right, log_right = _first(forward)
    left, log_left = _first(backward)
    ends = [log for eps, log in ((right, log_right), (left, log_left)) if eps == 0.0]
    if ends:  # the total variation distance, twice the same number but for rounding
        return max(ends)
    log_mirrored = mirrored(np.asarray(left), np.asarray(log_left))
    if np.isposinf(right):
        return min(float(log_mirrored), 0.0)
    if np.isposinf(left):  # the chord from (e^epsilon, delta) = (0, 1)
        return float(np.logaddexp(log1mexp(np.asarray(-right)), log_right - right))
    return float(log_chord(*(np.asarray(v) for v in (0.0, -left, log_mirrored, right, log_right))))


def _first(points: tuple[Array, Array]) -> tuple[float, float]:
    """The point nearest to epsilon 0; without any, delta is at most 1 at infinity."""
    epsilons, log_deltas = points
    return (float(epsilons[0]), float(log_deltas[0])) if len(epsilons) else (np.inf, 0.0)


def _hull(epsilons: Array, log_deltas: Array, log_at_zero: float) -> HalfProfile:
    """The knots of the lower hull, from 0 to infinity: a point above the chord of its neighbours tells nothing.

    Nor does a point so close to the one before that the slope between them is made of rounding.
    """
    eps = np.append(0.0, epsilons[epsilons > 0])
    logs = np.minimum.accumulate(np.append(log_at_zero, log_deltas[epsilons > 0]))
    kept: list[int] = []
    for i in range(len(eps)):
        if kept and _indistinct(eps[kept[-1]], logs[kept[-1]], eps[i], logs[i]):
            continue
        while len(kept) >= 2 and _useless(eps, logs, kept[-2], kept[-1], i):
            kept.pop()
        kept.append(i)
    return HalfProfile(np.append(eps[kept], np.inf), np.append(logs[kept], logs[kept[-1]]))


def _indistinct(left: float, log_left: float, right: float, log_right: float) -> bool:
    level = log_right >= log_left - 4 * ULP
    width = np.exp(min(left, 700.0)) * np.expm1(min(right - left, 1.0))
    return bool(level or width <= CLOSE * np.exp(log_right))


def _useless(eps: Array, logs: Array, before: int, point: int, after: int) -> bool:
    return bool(log_chord(eps[point], eps[before], logs[before], eps[after], logs[after]) <= logs[point])


def _checked(name: str, epsilons: ArrayLike, log_deltas: ArrayLike) -> tuple[Array, Array]:
    eps = np.atleast_1d(real_array(name, epsilons, "Use values such as 0.5, 1 and 2."))
    logs = np.atleast_1d(real_array(f"deltas at {name}", log_deltas, "Use one probability for each epsilon."))
    require(
        eps.shape == logs.shape,
        name=name,
        rule=f"must be as many as the deltas ({len(logs)})",
        value=f"{len(eps)} values",
        way_out="Pass one delta for each epsilon.",
    )
    require(
        bool(np.all(eps >= 0) and np.all(np.isfinite(eps))),
        name=name,
        rule="must be finite and at least 0",
        value=eps,
        way_out="What holds below 0 is what holds for the reversed pair: pass it as its points.",
    )
    order = np.argsort(eps, kind="stable")
    return eps[order], np.minimum(logs[order], 0.0)
