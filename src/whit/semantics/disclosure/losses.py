"""The two losses that the risk rests on: of adding or removing the person, and of replacing the person's record.

The adversary does not know the other records and knows the person's record only up to the sensitive values. So the laws
that they compare are mixtures. The tail of a loss may grow when laws are mixed; what survives is every bound that comes
from the profile, or by Markov's inequality with another convex function of the ratio. Only such bounds are used here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Curve, Order
from whit.errors import NotImplied
from whit.guarantees import Known, Promise, PureDP
from whit.mechanisms import Composed, Release
from whit.numerics import add_up, up
from whit.semantics.disclosure.bound import Array
from whit.semantics.promised import LARGEST_LOSS, Promised, curve_between, largest_loss
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Failure, Finding, Randomness, echo

_NEAR = 1e-9
"""How near to twice the loss of adding a replacement is looked for."""

_PURE = "pure-is-probabilistic"
_SWAP = "Pass swap=PureDP(1.0, neighbours=Neighbours.REPLACE), or leave it out."


@dataclass(frozen=True)
class Losses:
    """The two losses, each kept but for the same chance of failure, and what they rest on."""

    inclusion: Array
    swap: Array
    direction: Direction
    basis: Basis


def losses(promised: Promised, failure: ArrayLike, swap: Promised | None, *, inclusion: Array, value: Array) -> Losses:
    """The losses that these beliefs need: an inclusion of 1 needs none of adding, a value of 1 none of replacing."""
    known = _added(promised, failure) if bool(np.any(inclusion < 1.0)) else None
    needed = bool(np.any(value < 1.0) and np.any(inclusion > 0.0))
    found = [] if known is None else [known]
    swapped = _swapped(promised, failure, swap) if needed else []
    nothing = np.zeros(np.shape(failure))
    least = np.min([_values(each) for each in swapped], axis=0) if swapped else nothing
    both = [*found, *swapped]
    return Losses(
        inclusion=nothing if known is None else _values(known),
        swap=np.asarray(least),
        direction=Direction.combine(Direction.AT_MOST, *(each.direction for each in both)),
        basis=_basis(both, failure),
    )


def added_loss(promised: Promised, failure: ArrayLike) -> Losses:
    """The loss of adding or removing alone, for questions about inclusion."""
    known = _added(promised, failure)
    return Losses(_values(known), np.zeros(np.shape(failure)), known.direction, _basis([known], failure))


def swapped_loss(promised: Promised, failure: ArrayLike, swap: Promised | None) -> Losses:
    """The loss of replacing alone, for questions about a value."""
    found = _swapped(promised, failure, swap)
    least = np.asarray(np.min([_values(each) for each in found], axis=0))
    direction = Direction.combine(*(each.direction for each in found))
    return Losses(np.zeros(np.shape(failure)), least, direction, _basis(found, failure))


def _added(promised: Promised, failure: ArrayLike) -> Finding:
    """The loss of adding or removing the person, as mixtures keep it."""
    try:
        return _mixed(promised, failure, Neighbours.ADD_REMOVE)
    except NotImplied as unknown:
        rule = "needs the loss of adding or removing a record where the inclusion is below 1"
        way_out = "Use inclusion=1 for a person known to be in the data, or a promise under Neighbours.ADD_REMOVE."
        raise NotImplied("a disclosure risk", rule, promised, way_out) from unknown


def _swapped(promised: Promised, failure: ArrayLike, swap: Promised | None) -> list[Finding]:
    """Bounds on the loss of replacing the record: what was said of it, and what is known or follows."""
    found = [] if swap is None else [_mixed(swap, failure, Neighbours.REPLACE)]
    for bound in (_replaced, _twice):
        try:
            return [*found, bound(promised, failure)]
        except NotImplied:
            continue
    if found:
        return found
    rule = "needs the loss of replacing a record where the value is below 1"
    raise NotImplied("a disclosure risk", rule, promised, _SWAP)


def _replaced(promised: Promised, failure: ArrayLike) -> Finding:
    """What is known of a replacement itself: never more than twice the sure loss of adding or removing."""
    if isinstance(promised, Curve):  # its relation is not known, and is taken to be that of adding or removing
        raise NotImplied("the loss of replacing", "is not known of a bare curve", promised, _SWAP)
    return _mixed(promised, failure, Neighbours.REPLACE)


def _twice(promised: Promised, failure: ArrayLike) -> Finding:
    """Replacing is removing and adding: a loss that is never exceeded is exceeded by a replacement at most twice."""
    sure = _sure(promised, Neighbours.ADD_REMOVE)
    doubled = np.broadcast_to(add_up(sure.value, sure.value), np.shape(failure))
    return replace(sure, value=doubled, basis=sure.basis | Basis.of("replacing-is-removing-and-adding"))


def _mixed(promised: Promised, failure: ArrayLike, neighbours: Neighbours) -> Finding:
    """The loss between neighbours in a form that mixing their laws keeps; without a failure, the sure one."""
    sure = _sure(promised, neighbours)
    if isinstance(promised, PureDP) or not np.any(np.asarray(failure) > 0.0):
        return replace(sure, value=np.broadcast_to(_values(sure), np.shape(failure)))
    if isinstance(promised, Promise) and promised.properties.convex.known is Known.YES:
        found = largest_loss(promised, failure, neighbours=neighbours)
    else:
        curve = curve_between(promised, neighbours)
        direction = Direction.combine(curve.direction, Direction.AT_MOST)
        found = largest_loss(replace(curve, order=Order.PROFILE, direction=direction), failure)
    return replace(found, value=np.minimum(_values(found), _values(sure)))


def _sure(promised: Promised, neighbours: Neighbours) -> Finding:
    """The loss between neighbours that is never exceeded; infinite where there is none."""
    if isinstance(promised, PureDP):
        epsilon = promised.under(neighbours).stated_epsilon
        return Finding(LARGEST_LOSS, epsilon, Direction.AT_MOST, {"promise": echo(promised)}, Basis.of(_PURE))
    if isinstance(promised, Composed):
        return _total(promised, neighbours)
    curve = curve_between(promised, neighbours)
    twice = _reached_twice(promised, curve, neighbours)
    return (curve.epsilon(0.0) if twice is None else twice).worst


def _total(composed: Composed, neighbours: Neighbours) -> Finding:
    """The sum of the sure losses of the parts."""
    composed.relation(neighbours)  # refuses a relation that a part does not know
    total, basis = np.zeros(()), Basis.of("losses-add")
    for part, times in composed.parts:
        sure = _sure(part, neighbours)
        total, basis = add_up(total, up(times * _values(sure))), basis | sure.basis
    return Finding(LARGEST_LOSS, total, Direction.AT_MOST, {"promise": echo(composed)}, basis)


def _reached_twice(promised: Promised, curve: Curve, neighbours: Neighbours) -> Finding | None:
    """Twice the sure loss of adding or removing, if a replacement is seen to come near it: this spares a search."""
    known = isinstance(promised, Release) and Neighbours.ADD_REMOVE in promised.relations
    if neighbours is not Neighbours.REPLACE or not known:
        return None
    twice = _twice(promised, 0.0)
    near = float(twice) * (1 - _NEAR)
    return twice if 0.0 < near < np.inf and float(curve.delta(near).upper) > 0.0 else None


def _values(loss: Finding) -> Array:
    return np.asarray(loss.value, dtype=np.float64)


def _basis(found: list[Finding], failure: ArrayLike) -> Basis:
    """The theorems behind all of them; they hold together but for one chance of failure, if any needs one."""
    chance = float(np.max(np.asarray(failure, dtype=np.float64), initial=0.0))
    fails = any(each.basis.failures for each in found)
    return Basis(
        theorems=tuple(key for each in found for key in each.basis.theorems),
        failures=(Failure(chance, Randomness.MECHANISM),) if fails else (),
        slack=max((each.basis.slack for each in found), default=0.0),
        truncation=float(np.sum([each.basis.truncation for each in found])),
    )
