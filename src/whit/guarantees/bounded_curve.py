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

from whit.curves import Array, Curve, Face
from whit.errors import require
from whit.guarantees.coins import LOWEST
from whit.guarantees.renyi_face import RenyiFace
from whit.numerics import Bracket, add_down, add_up, largest_true, probability_array, real_array, smallest_true, up
from whit.theory import Quantity, Unit, from_curve

End = Callable[[Bracket], Array]
LOWER: End = attrgetter("lower")
MID: End = attrgetter("mid")
UPPER: End = attrgetter("upper")

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
    if isinstance(face, RenyiFace):
        return face.log_level(log_powers)
    return Bracket(*(_smallest_level(face, log_powers, end) for end in (UPPER, MID, LOWER)))


def log_crossing(face: Face, epsilons: Array) -> Bracket:
    """Log of the largest power that is at least e^epsilon times its level."""
    if isinstance(face, RenyiFace):
        return face.log_crossing(epsilons)
    nothing = np.full(epsilons.shape, LOWEST)
    last = _last_level_above(face, epsilons, UPPER, nothing, np.zeros(epsilons.shape))
    # The others lie close by on the left; far out the rounding of a power exceeds its distance from the line.
    close = np.maximum(2 * last - 1.0, LOWEST)
    ends = [(LOWER, _last_level_above(face, epsilons, LOWER, close, last), close)]
    ends += [(MID, _last_level_above(face, epsilons, MID, close, last), close), (UPPER, last, nothing)]
    return Bracket(*(_met(face, epsilons, *each) for each in ends))


def _smallest_level(face: Face, log_powers: Array, end: End) -> Array:
    at_zero = end(face.log_power(np.full(log_powers.shape, -np.inf))) >= log_powers
    low, high = np.full(log_powers.shape, LOWEST), np.zeros(log_powers.shape)
    found = smallest_true(lambda levels: end(face.log_power(levels)) >= log_powers, low, high)
    return np.where(at_zero, -np.inf, found)


def _last_level_above(face: Face, epsilons: Array, end: End, low: Array, high: Array) -> Array:
    """Log of the largest level at which the power is at least e^epsilon times the level; low where there is none."""

    def above(levels: Array) -> NDArray[np.bool_]:
        return (end(face.log_power(levels)) >= add_down(levels, epsilons)) | (levels <= low)

    return largest_true(above, low, high)


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
