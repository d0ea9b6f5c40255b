"""What every school asks of a promise, a mechanism or a curve: its curve, and the largest loss that it lets happen."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Array, ComposedLoss, Curve, Order, two_sided_tail
from whit.errors import InvalidInput, NotImplied, require
from whit.guarantees import Promise, conversions
from whit.mechanisms import Release
from whit.numerics import probability_array, smallest_crossing
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Failure, Finding, Interval, Quantity, Randomness, Unit, echo

Promised: TypeAlias = Promise | Release | Curve
"""Whatever bounds a release: a guarantee, a mechanism or a composition of them, or a curve that others computed."""

LARGEST_LOSS = Quantity("privacy loss that is exceeded with at most the probability of failure", Unit.NUMBER)

_PROMISED = "Pass a promise such as PureDP(1.0), a mechanism such as Gaussian(1.0), or a curve."
_FAILURE = "Use the chance that the statement may be false, such as 0.01; 0 asks for what always holds."

SUMMED = 1e-13
"""More than the relative rounding of a sum of largest losses."""

# How far above the first epsilon that is enough the profile is read: any distance gives a bound.
_STEPS = np.exp(np.linspace(np.log(1e-9), np.log(800.0), 120))
_POINTS = 31
_ZOOMS = 3


def curve_between(promised: Promised, neighbours: Neighbours | None = None) -> Curve:
    """The curve between neighbours; a promise is restated under the relation asked for, a bare curve has but its own.

    >>> from whit.guarantees import PureDP
    >>> print(curve_between(PureDP(1.0), Neighbours.REPLACE).epsilon(0.0))
    epsilon is at most 2
    """
    if isinstance(promised, Release):
        return promised.curve(neighbours)
    if isinstance(promised, Promise):
        return (promised if neighbours is None else promised.under(neighbours)).curve()
    if isinstance(promised, Curve):
        return promised
    raise InvalidInput("promised", "must be a promise, a mechanism or a curve", promised, _PROMISED)


def largest_loss(
    promised: Promised, failure: ArrayLike, *, sides: int = 1, neighbours: Neighbours | None = None
) -> Finding:
    """The smallest t >= 0 for which it is proved that the loss stays below, but for the chance of failure.

    One-sided, P[Z > t] is at most the failure; two-sided, P[Z > t] + P[Z < -t] is; each in both orders. Infinite where
    nothing is proved.

    >>> from whit.guarantees import ApproxDP
    >>> print(largest_loss(ApproxDP(1.0, 1e-6), 0.01))
    privacy loss that is exceeded with at most the probability of failure is at most 1.01
    """
    chances = probability_array("failure", failure, _FAILURE)
    known = type(sides) is int and sides in (1, 2)
    require(known, name="sides", rule="must be 1 or 2", value=sides, way_out="Use 2 to bound drops as well.")
    if neighbours is not None:
        Neighbours.checked(neighbours)
    asked = _asked(promised, neighbours)
    if isinstance(asked, Curve) and asked.order is Order.PROFILE:
        found, basis = _from_profile(asked, chances, sides), asked.basis | Basis.of("tail-from-profile")
    else:
        found, basis = _from_tail(asked, chances, sides)
    direction = Direction.combine(asked.direction if isinstance(asked, Curve) else Direction.AT_MOST, Direction.AT_MOST)
    far = Basis.of("far-side") if sides == 2 else Basis()
    basis = basis | far | Basis(failures=(Failure(float(np.max(chances)), Randomness.MECHANISM),))
    asked_for = {"promise": promised, "failure": failure, "sides": sides, "neighbours": neighbours}
    inputs = {name: echo(value) for name, value in asked_for.items()}
    return Finding(LARGEST_LOSS, found, direction, inputs, basis)


def _asked(promised: Promised, neighbours: Neighbours | None) -> Promise | Curve:
    """What is asked for its tail: a promise knows more than its curve, a mechanism no more."""
    if isinstance(promised, Promise):
        return promised if neighbours is None else promised.under(neighbours)
    curve = curve_between(promised, neighbours)
    if curve.direction is Direction.AT_LEAST:
        rule = "cannot be bounded by a curve that is a lower bound"
        raise NotImplied("the privacy loss", rule, curve.face, "Use a curve that is an upper bound.")
    return curve


def _from_tail(asked: Promise | Curve, chances: Array, sides: int) -> tuple[Array, Basis]:
    """The smallest t at which the bound on the tail is at most the chance, to the last double."""

    def beyond(t: Array) -> Finding:
        if isinstance(asked, Promise):
            return asked.tail(t) if sides == 1 else asked.two_sided_tail(t)
        return (asked.tail(t) if sides == 1 else two_sided_tail(asked, t)).worst

    def excess(t: Array) -> Array:
        """How far the log of the tail lies above that of the chance; its sign is that of the numbers themselves."""
        tails = np.asarray(beyond(t).value)
        with np.errstate(divide="ignore"):
            logs = np.log(tails) - np.log(np.where(possible, chances, 1.0))
        return np.asarray(np.where((tails <= chances) | ~possible, np.minimum(logs, 0.0), np.maximum(logs, 5e-324)))

    possible = chances > 0.0
    tolerance, end = _worth_looking(asked)
    found = smallest_crossing(excess, chances.shape, tolerance=tolerance, end=end)
    if not possible.all():
        # No loss exceeds t just if the profile is 0 there.
        found = np.where(possible, found, _upper(asked.epsilon(0.0)))
    return found, beyond(found).basis


def _worth_looking(asked: Promise | Curve) -> tuple[float, float]:
    """How closely a threshold is looked for, and up to where: a tail by its transform is dear, its last atom most."""
    if not isinstance(asked, Curve) or not isinstance(asked.face, ComposedLoss):
        return 1e-12, np.inf
    end = max(asked.face.largest_loss, asked.face.reverse().largest_loss)
    return asked.face.tail_tolerance, end


def sum_of_largest(loss: ComposedLoss) -> float:
    """The loss that a composition never exceeds, in either order: the sum of the largest losses of its parts.

    Infinite where one of them has no bound.
    """
    orders = (loss, loss.reverse())
    surely = all(np.isneginf(each.log_infinity) for each in orders)
    return max(each.largest_loss for each in orders) * (1 + SUMMED) if surely else np.inf


def _from_profile(curve: Curve, chances: Array, sides: int) -> Array:
    """The smallest bound that a point of the profile gives, over many points: each of them alone would do."""
    start = _upper(curve.epsilon(chances))
    proved = np.isfinite(start)
    steps, width = np.broadcast_to(_STEPS, (*chances.shape, len(_STEPS))), float(np.log(_STEPS[1] / _STEPS[0]))
    best = np.full(chances.shape, np.inf)
    for _ in range(_ZOOMS + 1):
        epsilons = np.where(proved, start, 0.0)[..., None] + steps
        bounds = _at_points(epsilons, _upper(curve.delta(epsilons)), chances[..., None], sides)
        best = np.minimum(best, bounds.min(axis=-1))
        centre = np.take_along_axis(steps, bounds.argmin(axis=-1)[..., None], axis=-1)
        steps = centre * np.exp(np.linspace(-width, width, _POINTS))
        width *= 2 / (_POINTS - 1)
    return np.where(proved, best, np.inf)


def _at_points(epsilons: Array, deltas: Array, chances: Array, sides: int) -> Array:
    """What each (epsilon, delta) bounds the loss by; infinite where delta is not below the chance."""
    room = deltas < chances
    kernel = (conversions.one_sided_epsilon if sides == 1 else conversions.two_sided_epsilon).kernel
    bounds = kernel(epsilons, np.where(room, deltas, 0.0), np.broadcast_to(chances, deltas.shape))
    return np.where(room | (deltas == 0.0), bounds, np.inf)


def _upper(answer: Finding | Interval) -> Array:
    return np.asarray(answer.worst.value)
