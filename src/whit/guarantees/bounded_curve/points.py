"""The curve of pbdp: an epsilon for every delta, and a delta for every epsilon, from the power of tests.

A test of level l and power y raises the odds by y/l. At power delta the largest such ratio is delta over the smallest
level that reaches it: its log is the epsilon of pbdp. At a given epsilon, delta is the power where the curve meets the
line e^epsilon l.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import Array, ComposedLoss, Curve, Face
from whit.errors import require
from whit.guarantees.at_once import first_true, last_true
from whit.guarantees.by_profile import log_crossing_by_profile, log_level_by_profile
from whit.guarantees.coins import LOWEST
from whit.guarantees.renyi_face import RenyiFace
from whit.numerics import ULP, Bracket, add_down, add_up, log1mexp, probability_array, real_array, up
from whit.theory import Quantity, Unit, from_curve

End = Callable[[Bracket], Array]
LOWER: End = attrgetter("lower")
MID: End = attrgetter("mid")
UPPER: End = attrgetter("upper")

# The log of a power from which on the level is found from the misses as well.
LARGE = -0.5

BOUNDED_EPSILON = Quantity("epsilon of pbdp", Unit.NUMBER)
BOUNDED_DELTA = Quantity("delta of pbdp", Unit.NUMBER)


@from_curve(BOUNDED_EPSILON, by="bounded-curve")
def bounded_epsilon(curve: Curve, deltas: ArrayLike) -> Bracket:
    """The smallest epsilon of pbdp at each delta in (0, 1]; infinite where a test of level 0 has that power."""
    wanted = _log_deltas(deltas)
    levels = _worst(curve.face, lambda face: log_level(face, wanted).reversed_sign())
    lower, upper = add_down(levels.lower, wanted), add_up(levels.upper, wanted)
    return Bracket(np.maximum(lower, 0.0), np.maximum(levels.mid + wanted, 0.0), np.maximum(upper, 0.0))


@from_curve(BOUNDED_DELTA, by="bounded-curve")
def bounded_delta(curve: Curve, epsilons: ArrayLike) -> Bracket:
    """The smallest delta of pbdp at each epsilon; 0 where every delta will do."""
    eps = real_array("epsilons", epsilons, "Use numbers such as 0.5 and 1.")
    crossing = _worst(curve.face, lambda face: log_crossing(face, eps)).exp()
    ends = (crossing.lower, np.minimum(crossing.mid, 1.0), np.minimum(crossing.upper, 1.0))
    # The test that always rejects has power 1, which is more than e^epsilon for every epsilon below 0.
    return Bracket(*(np.where(eps <= 0, 1.0, end) for end in ends))


def log_level(face: Face, log_powers: Array) -> Bracket:
    """Log of the smallest level at which the power reaches each power; minus infinity where level 0 does."""
    powers = np.minimum(log_powers, 0.0)
    if isinstance(face, RenyiFace):
        return face.log_level(powers)
    if isinstance(face, ComposedLoss):
        return _closest(log_level_by_profile(face, powers), _log_level_by_misses(face, powers))
    lowest = _smallest_level(face, powers, UPPER, None)
    middle = _smallest_level(face, powers, MID, lowest)
    highest = _smallest_level(face, powers, LOWER, middle)
    searched = Bracket(np.minimum(lowest, highest), middle, np.maximum(lowest, highest))
    return _closest(searched, _log_level_by_misses(face, powers))


def _log_level_by_misses(face: Face, log_powers: Array) -> Bracket:
    """The same by the test that says the opposite: of level 1 - power in the other order, and of power 1 - level.

    It keeps its digits where the level is not small; where the power is small, it is not asked for.
    """
    large = log_powers > LARGE
    misses = log1mexp(np.where(large, log_powers, -1.0))
    hair = 8 * ULP * (1 + np.where(np.isfinite(misses), np.abs(misses), 0.0))
    around = np.minimum(np.stack([misses - hair, misses, misses + hair]), 0.0)
    hits = face.reverse().log_power(around)
    ends = [log1mexp(np.minimum(end, 0.0)) for end in (hits.upper[2], hits.mid[1], hits.lower[0])]
    errors = [8 * ULP * (1 + np.where(np.isfinite(end), np.abs(end), 0.0)) for end in ends]
    lower = np.where(large, ends[0] - errors[0], -np.inf)
    upper = np.where(large, np.minimum(ends[2] + errors[2], 0.0), 0.0)
    return Bracket(lower, np.where(large, ends[1], -np.inf), upper)


def _closest(one: Bracket, other: Bracket) -> Bracket:
    """What two brackets of one number leave; the first alone where rounding lets them miss each other."""
    lower, upper = np.maximum(one.lower, other.lower), np.minimum(one.upper, other.upper)
    crossed = lower > upper
    return Bracket(np.where(crossed, one.lower, lower), one.mid, np.where(crossed, one.upper, upper))


def log_crossing(face: Face, epsilons: Array) -> Bracket:
    """Log of the largest power that is at least e^epsilon times its level."""
    if isinstance(face, RenyiFace):
        return face.log_crossing(epsilons)
    if isinstance(face, ComposedLoss):
        return log_crossing_by_profile(face, epsilons)
    nothing = np.full(epsilons.shape, LOWEST)
    last = _last_level_above(face, epsilons, UPPER, nothing, np.zeros(epsilons.shape))
    # The others lie close by on the left; far out the rounding of a power exceeds its distance from the line.
    close = np.maximum(2 * last - 1.0, LOWEST)
    ends = [(LOWER, _last_level_above(face, epsilons, LOWER, close, last), close)]
    ends += [(MID, _last_level_above(face, epsilons, MID, close, last), close), (UPPER, last, nothing)]
    return Bracket(*(_met(face, epsilons, *each) for each in ends))


def _smallest_level(face: Face, log_powers: Array, end: End, near: Array | None) -> Array:
    """Log of the smallest level, looked for near one that is known."""
    at_zero = end(face.log_power(np.full(log_powers.shape, -np.inf))) >= log_powers
    low, high = np.full(log_powers.shape, LOWEST), np.zeros(log_powers.shape)
    start = None if near is None else np.maximum(near, LOWEST)
    found = first_true(lambda levels: end(face.log_power(levels)) >= log_powers, low, high, start)
    return np.where(at_zero, -np.inf, found)


def _last_level_above(face: Face, epsilons: Array, end: End, low: Array, high: Array) -> Array:
    """Log of the largest level at which the power is at least e^epsilon times the level; low where there is none."""

    def above(levels: Array) -> NDArray[np.bool_]:
        return (end(face.log_power(levels)) >= add_down(levels, epsilons)) | (levels <= low)

    return last_true(above, low, high)


def _met(face: Face, epsilons: Array, end: End, last: Array, low: Array) -> Array:
    """Log of the power that is met, at the most up to the next level; what level 0 has where nothing is met."""
    met = add_up(up(last), epsilons) if end is UPPER else add_down(last, epsilons)
    at_zero = end(face.log_power(np.full(epsilons.shape, -np.inf)))
    return np.where(last <= low, at_zero, np.minimum(met, 0.0))


def _worst(face: Face, ask: Callable[[Face], Bracket]) -> Bracket:
    """The larger answer of the two orders of the pair."""
    backward = face.reverse()
    return ask(face) if backward is face else ask(face).maximum(ask(backward))


def _log_deltas(deltas: ArrayLike) -> Array:
    way_out = "Use values such as 0.01."
    clean = probability_array("deltas", deltas, way_out)
    rule = "must be above 0 for pbdp, where 0 would say nothing of epsilon"
    require(bool(np.all(clean > 0)), name="deltas", rule=rule, value=deltas, way_out=way_out)
    return np.asarray(np.log(clean))
