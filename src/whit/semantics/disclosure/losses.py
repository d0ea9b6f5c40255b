"""The two losses that the risk rests on: of adding or removing the person, and of replacing the person's record.

The adversary does not know the other records and knows the person's record only up to the sensitive values. So the laws
that they compare are mixtures. The tail of a loss may grow when laws are mixed; what survives is every bound that comes
from the profile, or by Markov's inequality with another convex function of the ratio. Only such bounds are used here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import Promise, mixed_loss, sure_loss
from whit.errors import NotImplied
from whit.numerics import add_up
from whit.semantics.disclosure.bound import Array
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Failure, Finding, Randomness

_SWAP = "Pass swap=PureDP(1.0, neighbours=Neighbours.REPLACE), or leave it out."


@dataclass(frozen=True)
class Losses:
    """The two losses, each kept but for the same chance of failure, and what they rest on."""

    inclusion: Array
    swap: Array
    direction: Direction
    basis: Basis


def losses(promise: Promise, failure: ArrayLike, swap: Promise | None, *, inclusion: Array, value: Array) -> Losses:
    """The losses that these beliefs need: an inclusion of 1 needs none of adding, a value of 1 none of replacing."""
    known = _added(promise, failure) if bool(np.any(inclusion < 1.0)) else None
    needed = bool(np.any(value < 1.0) and np.any(inclusion > 0.0))
    found = [] if known is None else [known]
    swapped = _swapped(promise, failure, swap) if needed else []
    nothing = np.zeros(np.shape(failure))
    least = np.min([_values(each) for each in swapped], axis=0) if swapped else nothing
    both = [*found, *swapped]
    return Losses(
        inclusion=nothing if known is None else _values(known),
        swap=np.asarray(least),
        direction=Direction.combine(Direction.AT_MOST, *(each.direction for each in both)),
        basis=_basis(both, failure),
    )


def added_loss(promise: Promise, failure: ArrayLike) -> Losses:
    """The loss of adding or removing alone, for questions about inclusion."""
    known = _added(promise, failure)
    return Losses(_values(known), np.zeros(np.shape(failure)), known.direction, _basis([known], failure))


def swapped_loss(promise: Promise, failure: ArrayLike, swap: Promise | None) -> Losses:
    """The loss of replacing alone, for questions about a value."""
    found = _swapped(promise, failure, swap)
    least = np.asarray(np.min([_values(each) for each in found], axis=0))
    direction = Direction.combine(*(each.direction for each in found))
    return Losses(np.zeros(np.shape(failure)), least, direction, _basis(found, failure))


def _added(promise: Promise, failure: ArrayLike) -> Finding:
    """The loss of adding or removing the person, as mixtures keep it."""
    try:
        return mixed_loss(promise, failure, Neighbours.ADD_REMOVE)
    except NotImplied as unknown:
        rule = "needs the loss of adding or removing a record where the inclusion is below 1"
        way_out = "Use {inclusion} for a person known to be in the data, or a promise about adding and removing."
        raise NotImplied("a disclosure risk", rule, promise, way_out, suggested={"inclusion": 1}) from unknown


def _swapped(promise: Promise, failure: ArrayLike, swap: Promise | None) -> list[Finding]:
    """Bounds on the loss of replacing the record: what was said of it, and what is known or follows."""
    found = [] if swap is None else [mixed_loss(swap, failure, Neighbours.REPLACE)]
    for bound in (_replaced, _twice):
        try:
            return [*found, bound(promise, failure)]
        except NotImplied:
            continue
    if found:
        return found
    rule = "needs the loss of replacing a record where the value is below 1"
    raise NotImplied("a disclosure risk", rule, promise, _SWAP)


def _replaced(promise: Promise, failure: ArrayLike) -> Finding:
    """What is known of a replacement itself; of a bare curve nothing is, as it is taken to be about adding."""
    if promise.relation() is None:
        raise NotImplied("the loss of replacing", "is not known of a bare curve", promise, _SWAP)
    return mixed_loss(promise, failure, Neighbours.REPLACE)


def _twice(promise: Promise, failure: ArrayLike) -> Finding:
    """Replacing is removing and adding: a loss that is never exceeded is exceeded by a replacement at most twice."""
    sure = sure_loss(promise, Neighbours.ADD_REMOVE)
    doubled = np.broadcast_to(add_up(sure.value, sure.value), np.shape(failure))
    return replace(sure, value=doubled, basis=sure.basis | Basis.of("replacing-is-removing-and-adding"))


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
